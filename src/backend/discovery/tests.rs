//! Discovery against folder trees with fake adapters.
#![allow(clippy::unwrap_used, reason = "a test; the file is a module of its own, which clippy.toml does not see")]

use super::super::{Quirks, builtin};
use super::*;
use std::fs;

/// A folder tree with fake adapters, and an environment that knows nothing else.
struct World {
    dir: tempfile::TempDir,
    env: Vec<(&'static str, OsString)>,
}

impl World {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), env: vec![] }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn adapter(&self, name: &str, version: &str) -> PathBuf {
        self.script(name, &format!("echo 'Fake debugger {version} (x)'"))
    }

    fn script(&self, name: &str, script: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Written by a child: had we the file open for writing while another test forks, starting it would fail (ETXTBSY).
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\"";
        let written =
            std::process::Command::new("/bin/sh").args(["-c", write]).arg(&path).arg(script).status().unwrap();
        assert!(written.success());
        path
    }

    fn set(&mut self, name: &'static str, value: impl Into<OsString>) {
        self.env.push((name, value.into()));
    }

    async fn find(&self, choice: &str, settings: &AdapterSettings) -> Result<Profile, BackendError> {
        let env = |name: &str| self.env.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
        find_with(&settings.choosing(Some(choice)), &env).await
    }
}

#[tokio::test]
async fn places_are_tried_in_order_flag_variable_path_store() {
    let mut world = World::new();
    let stored = world.adapter("data/clrbridge/netcoredbg/3.1.2/netcoredbg", "1.0.4");
    let newer = world.adapter("data/clrbridge/netcoredbg/3.1.10/netcoredbg/netcoredbg", "1.0.5");
    let on_path = world.adapter("bin/netcoredbg", "1.0.3");
    let by_variable = world.adapter("variable/netcoredbg", "1.0.2");
    let by_flag = world.adapter("flag/netcoredbg", "1.0.1");
    let none = AdapterSettings::default();

    assert!(matches!(world.find("netcoredbg", &none).await, Err(BackendError::NotFound { .. })));
    world.set("XDG_DATA_HOME", world.path("data"));
    assert_eq!(world.find("netcoredbg", &none).await.unwrap().command.program, newer, "by number, not by letter");
    fs::remove_file(&newer).unwrap();
    assert_eq!(world.find("netcoredbg", &none).await.unwrap().command.program, stored);
    world.set("PATH", world.path("bin"));
    assert_eq!(world.find("netcoredbg", &none).await.unwrap().command.program, on_path);
    // A folder that holds it will do.
    world.set("NETCOREDBG_PATH", world.path("variable"));
    assert_eq!(world.find("netcoredbg", &none).await.unwrap().command.program, by_variable);
    let flag = AdapterSettings { paths: [("netcoredbg".into(), by_flag.clone())].into(), ..AdapterSettings::default() };
    let profile = world.find("netcoredbg", &flag).await.unwrap();
    assert_eq!((profile.command.program, profile.version.as_deref()), (by_flag, Some("1.0.1")));
    assert_eq!(profile.command.args, ["--interpreter=vscode"]);
}

/// The built-in engine comes behind what is set and before what is merely there; it works on Linux x64 alone.
#[tokio::test]
async fn auto_takes_what_is_set_then_the_engine_then_what_is_found() {
    let mut world = World::new();
    world.adapter("bin/dncdbg", "1.1.0");
    world.set("PATH", world.path("bin"));
    let none = AdapterSettings::default();
    let works = matches!(builtin::KNOWN.program, Program::Ourselves { works: true, .. });
    let found = world.find("auto", &none).await;
    match works {
        // the executable of the tests would run tests if it was started as an adapter
        true => assert_eq!(found.unwrap_err().to_string(), "backend builtin: this executable is not clrbridge"),
        false => assert_eq!(found.unwrap().name, "dncdbg"),
    }
    world.set("DNCDBG_PATH", world.path("bin"));
    assert_eq!(world.find("auto", &none).await.unwrap().name, "dncdbg");
    let netcoredbg = world.adapter("flag/netcoredbg", "1.0.1");
    let flag = AdapterSettings { paths: [("netcoredbg".into(), netcoredbg)].into(), ..AdapterSettings::default() };
    assert_eq!(world.find("auto", &flag).await.unwrap().name, "netcoredbg");
}

#[tokio::test]
async fn an_adapter_that_is_nowhere_is_an_error_with_the_places() {
    let world = World::new();
    let missing = world.find("netcoredbg", &AdapterSettings::default()).await.unwrap_err();
    assert_eq!(
        missing.to_string(),
        "no .NET debug adapter found in --netcoredbg, NETCOREDBG_PATH, PATH or ~/.local/share/clrbridge"
    );
    assert_eq!(missing.hint(), "put netcoredbg on PATH or set NETCOREDBG_PATH; run `clrbridge doctor`");
}

#[tokio::test]
async fn what_is_set_but_wrong_is_named_and_not_skipped() {
    let mut world = World::new();
    world.adapter("bin/netcoredbg", "3.1.2");
    fs::write(world.path("plain"), "text").unwrap();
    fs::create_dir(world.path("empty")).unwrap();
    world.set("PATH", world.path("bin"));
    let cases = [
        ("gone", "does not exist"),
        ("plain", "is not executable"),
        ("empty", "is a folder without an executable netcoredbg"),
    ];
    for (name, reason) in cases {
        world.env.retain(|(name, _)| *name != "NETCOREDBG_PATH");
        world.set("NETCOREDBG_PATH", world.path(name));
        let error = world.find("netcoredbg", &AdapterSettings::default()).await.unwrap_err().to_string();
        assert_eq!(error, format!("NETCOREDBG_PATH={} {reason}", world.path(name).display()));
    }
    assert!(matches!(world.find("gdb", &AdapterSettings::default()).await, Err(BackendError::Unknown(_))));
}

#[tokio::test]
async fn an_adapter_that_does_not_run_is_unusable_in_its_own_words() {
    let mut world = World::new();
    world.script("bin/netcoredbg", "echo 'libc.so.6: version GLIBC_2.38 not found' >&2; exit 1");
    world.set("PATH", world.path("bin"));
    let error = world.find("netcoredbg", &AdapterSettings::default()).await.unwrap_err();
    assert!(
        matches!(error, BackendError::Unusable { .. }) && error.to_string().ends_with("GLIBC_2.38 not found"),
        "{error}"
    );
    let env = |name: &str| (name == "PATH").then(|| world.path("bin").into());
    let mut found = all_with(&AdapterSettings::default(), &env).await;
    // our own is always there
    found.retain(|found| found.name != builtin::NAME);
    assert_eq!(found.len(), 1);
    assert!(found[0].problem.as_ref().unwrap().to_string().contains("GLIBC"), "{found:?}");
}

/// It takes 15 s to say that no program starts.
#[tokio::test]
async fn an_adapter_without_its_managed_part_is_refused_at_once() {
    let mut world = World::new();
    let adapter = world.path("bin/netcoredbg");
    fs::create_dir_all(world.path("bin")).unwrap();
    let copy = |more: &str| {
        let copy = "rm -f \"$0\" && cp -L /bin/true \"$0\" && printf '%s' \"$1\" >> \"$0\"";
        assert!(
            std::process::Command::new("/bin/sh")
                .args(["-c", copy])
                .arg(&adapter)
                .arg(more)
                .status()
                .unwrap()
                .success()
        );
    };
    world.set("NETCOREDBG_PATH", &adapter);
    copy("runs ManagedPart");
    let error = world.find("netcoredbg", &AdapterSettings::default()).await.unwrap_err();
    assert!(error.to_string().starts_with("ManagedPart.dll is not in the same folder as "), "{error}");
    let folder = world.path("bin").display().to_string();
    assert!(error.hint().starts_with(&format!("put ManagedPart.dll back into {folder}")), "{}", error.hint());
    fs::write(world.path("bin/ManagedPart.dll"), "").unwrap();
    assert_eq!(world.find("netcoredbg", &AdapterSettings::default()).await.unwrap().name, "netcoredbg");
    // a wrapper of a distribution starts the adapter from where its parts are
    fs::remove_file(world.path("bin/ManagedPart.dll")).unwrap();
    copy("");
    assert_eq!(world.find("netcoredbg", &AdapterSettings::default()).await.unwrap().name, "netcoredbg");
}

#[tokio::test]
async fn a_version_is_read_from_the_start_of_a_flood() {
    let mut world = World::new();
    world.script("bin/netcoredbg", "echo 'Fake debugger 1.2.3'; head -c 1000000 /dev/zero");
    world.set("PATH", world.path("bin"));
    let profile = world.find("netcoredbg", &AdapterSettings::default()).await.unwrap();
    assert_eq!(profile.version.as_deref(), Some("1.2.3"));
}

/// The clock is paused: it jumps to the limit as soon as there is nothing to do but wait.
#[tokio::test(start_paused = true)]
async fn an_adapter_that_shows_no_version_in_time_is_unusable_until_it_does() {
    let mut world = World::new();
    let ready = world.path("ready");
    world.script(
        "bin/netcoredbg",
        &format!("[ -e '{}' ] || exec sleep 1000; echo 'Fake debugger 1.2.3'", ready.display()),
    );
    world.set("PATH", world.path("bin"));
    let error = world.find("netcoredbg", &AdapterSettings::default()).await.unwrap_err();
    assert!(error.to_string().ends_with("did not answer --version within 15 s"), "{error}");
    std::fs::write(ready, "").unwrap();
    tokio::time::resume();
    let profile = world.find("netcoredbg", &AdapterSettings::default()).await.unwrap();
    assert_eq!(profile.version.as_deref(), Some("1.2.3"));
}

#[tokio::test]
async fn versions_change_quirks() {
    let mut world = World::new();
    world.set("PATH", world.path("bin"));
    for (version, backslashes) in [("3.1.2-1", true), ("3.1.3-1062", true), ("3.2.0-1092", false), ("", true)] {
        let _ = fs::remove_dir_all(world.path("bin"));
        let folder = format!("v{version}");
        world.adapter(&format!("{folder}/netcoredbg"), version);
        let settings = AdapterSettings {
            paths: [("netcoredbg".into(), world.path(&folder))].into(),
            ..AdapterSettings::default()
        };
        let quirks = world.find("netcoredbg", &settings).await.unwrap().quirks;
        assert_eq!(quirks.arguments.backslashes, backslashes, "{version}");
    }
}

#[tokio::test]
async fn external_commands_are_looked_for_on_path() {
    let mut world = World::new();
    world.adapter("bin/mydbg", "1.0");
    world.set("PATH", world.path("bin"));
    let settings = |command: &[&str]| AdapterSettings {
        external: command.iter().map(|part| (*part).to_owned()).collect(),
        ..AdapterSettings::default()
    };
    let profile = world.find("external", &settings(&["mydbg", "--dap"])).await.unwrap();
    assert_eq!((profile.name.as_str(), profile.command.program), ("mydbg", world.path("bin/mydbg")));
    assert_eq!(profile.quirks, Quirks::conservative());
    assert!(
        world
            .find("external", &settings(&["gone"]))
            .await
            .unwrap_err()
            .to_string()
            .contains("gone is not an executable")
    );
    assert!(world.find("external", &settings(&[])).await.unwrap_err().to_string().contains("no command"));
}
