//! `clrbridge doctor`: what is installed, what was tried, what is missing, and the command that fixes it.
//!
//! Owns only the wording and the order: facts come from `backend` and `dotnet`, and an adapter is reported as working only after it
//! debugged a program (`trial`). The race to remember: a trial starts processes; it ends them before it returns.

mod remedy;
mod trial;

use serde_json::{Value, json};

use crate::backend;
use crate::dotnet::{Dotnet, host};
use crate::session::Settings;
use remedy::Remedy;

/// What was found on this machine, and what was tried.
struct Facts {
    adapters: Vec<Adapter>,
    /// What `choice` would start, or why nothing.
    chosen: Result<(String, backend::Reason), String>,
    dotnet: Result<Dotnet, String>,
    checks: Vec<host::Check>,
}

struct Adapter {
    found: backend::Found,
    /// `None`: there is no runtime to try it with, or its own files already say that it cannot work.
    trial: Option<trial::Outcome>,
}

impl Adapter {
    /// What is wrong, in the first line of its own words.
    fn problem(&self) -> Option<String> {
        let tried = match &self.trial {
            Some(Err(words)) => Some(words.clone()),
            _ => None,
        };
        let words = self.found.problem.as_ref().map(ToString::to_string).or(tried)?;
        Some(words.lines().next().unwrap_or_default().to_owned())
    }

    fn remedy(&self) -> Option<Remedy> {
        match (&self.found.problem, &self.trial) {
            (Some(problem), _) => remedy::of(&self.found.name, problem),
            (None, Some(Err(words))) => remedy::find(&self.found.name, words),
            (None, _) => None,
        }
    }
}

/// The report, as text for a person or as JSON, and whether a program can be debugged here.
///
/// Each adapter found debugs a small program (0.3 to 1 s).
pub async fn run(settings: &Settings, json: bool) -> (String, bool) {
    let dotnet = Dotnet::find().map_err(|error| error.to_string());
    let has_runtime = dotnet.as_ref().is_ok_and(|dotnet| !dotnet.runtimes().is_empty());
    let mut adapters = Vec::new();
    for found in backend::all(&settings.adapter).await {
        // a start without the files that it needs takes 15 s to fail and says less
        let trial = match has_runtime && found.problem.is_none() {
            true => Some(trial::run(&found.name, settings.clone()).await),
            false => None,
        };
        adapters.push(Adapter { found, trial });
    }
    let chosen = backend::chosen(&settings.adapter).await;
    let facts = Facts {
        adapters,
        chosen: chosen.map(|(profile, reason)| (profile.name, reason)).map_err(|error| error.to_string()),
        dotnet,
        checks: host::prerequisites(),
    };
    let ok = facts.ok();
    (if json { facts.json().to_string() } else { facts.text() }, ok)
}

impl Facts {
    /// A prerequisite that fails costs a better way, not the whole: what counts is that the adapter that would be used debugged a program.
    fn ok(&self) -> bool {
        self.chosen.as_ref().is_ok_and(|(chosen, _)| self.debugged(chosen))
    }

    fn debugged(&self, name: &str) -> bool {
        self.adapters.iter().any(|adapter| adapter.found.name == name && matches!(adapter.trial, Some(Ok(_))))
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        let mut line = |good: bool, text: String, mend: &str| {
            lines.push(format!("{} {text}", if good { "ok " } else { "bad" }));
            if !mend.is_empty() {
                lines.push(format!("      {mend}"));
            }
        };
        for adapter in &self.adapters {
            let (text, mend) = adapter.text();
            line(matches!(adapter.trial, Some(Ok(_))), text, &mend);
        }
        if let Err(message) = &self.chosen {
            let mend = if self.adapters.is_empty() { remedy::install_adapter() } else { String::new() };
            line(false, message.clone(), &mend);
        }
        match &self.dotnet {
            Err(message) => line(false, message.clone(), &remedy::install_dotnet()),
            Ok(dotnet) => {
                line(true, format!(".NET {}", dotnet.root.display()), "");
                let list: Vec<String> =
                    dotnet.runtimes().iter().map(|(name, version)| format!("{name} {version}")).collect();
                match list.is_empty() {
                    true => line(false, "no .NET runtime".to_owned(), &remedy::install_dotnet()),
                    false => line(true, format!("runtimes {}", list.join(", ")), ""),
                }
                match dotnet.sdks().as_slice() {
                    // Built dlls can be debugged without it.
                    [] => line(
                        false,
                        "no .NET SDK: projects cannot be built, but built dlls can be debugged".to_owned(),
                        &remedy::install_dotnet(),
                    ),
                    sdks => line(true, format!("SDKs {}", sdks.join(", ")), ""),
                }
            }
        }
        for check in &self.checks {
            line(check.ok, format!("{} {}", check.name, check.detail), &check.mend);
        }
        lines.push(self.verdict());
        lines.join("\n")
    }

    fn verdict(&self) -> String {
        match &self.chosen {
            Ok((name, reason)) if self.debugged(name) => format!("programs can be debugged with {name} ({reason})"),
            Ok((name, _)) => match self.adapters.iter().find(|adapter| matches!(adapter.trial, Some(Ok(_)))) {
                Some(other) => format!(
                    "{name} cannot debug programs here, but {} can: start clrbridge with --backend {}",
                    other.found.name, other.found.name
                ),
                None => "no program can be debugged here yet".into(),
            },
            Err(_) => "no program can be debugged here yet".into(),
        }
    }

    fn json(&self) -> Value {
        let adapters: Vec<Value> = self.adapters.iter().map(Adapter::json).collect();
        let dotnet = match &self.dotnet {
            Err(message) => json!({"error": {"message": message, "command": remedy::install_dotnet()}}),
            Ok(dotnet) => {
                let runtimes: Vec<Value> =
                    dotnet.runtimes().iter().map(|(name, version)| json!({"name": name, "version": version})).collect();
                json!({"root": dotnet.root.display().to_string(), "runtimes": runtimes, "sdks": dotnet.sdks()})
            }
        };
        let checks: Vec<Value> = self
            .checks
            .iter()
            .map(|check| {
                let mend = Some(check.mend.as_str()).filter(|mend| !mend.is_empty());
                lean(json!({"name": check.name, "ok": check.ok, "detail": check.detail, "mend": mend}))
            })
            .collect();
        let backend = match &self.chosen {
            Ok((name, reason)) => json!({"name": name, "reason": reason.to_string()}),
            Err(message) => {
                let command = self.adapters.is_empty().then(remedy::install_adapter);
                json!({"error": lean(json!({"message": message, "command": command}))})
            }
        };
        json!({"ok": self.ok(), "backend": backend, "adapters": adapters, "dotnet": dotnet, "checks": checks})
    }
}

impl Adapter {
    /// The line, and what mends what it says.
    fn text(&self) -> (String, String) {
        let (name, path) = (&self.found.name, self.found.path.display());
        let version = self.found.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        let mut text = format!("{name}{version} {path}");
        match &self.trial {
            Some(Ok(took)) => text.push_str(&format!(": debugged a program in {:.1} s", took.as_secs_f64())),
            Some(Err(_)) => text.push_str(&format!(": cannot debug a program: {}", self.problem().unwrap_or_default())),
            None => match self.problem() {
                Some(problem) => text.push_str(&format!(": {problem}")),
                None => text.push_str(": not tried: no .NET runtime"),
            },
        }
        let mend = match self.remedy() {
            Some(Remedy { cause, command }) => format!("{cause}:\n      {command}"),
            None => String::new(),
        };
        (text, mend)
    }

    fn json(&self) -> Value {
        let remedy = self.remedy().map(|it| json!({"cause": it.cause, "command": it.command}));
        let debugged = self.trial.as_ref().map(Result::is_ok);
        lean(json!({
            "name": self.found.name,
            "version": self.found.version,
            "path": self.found.path.display().to_string(),
            "debugged_a_program": debugged,
            "problem": self.problem(),
            "remedy": remedy,
        }))
    }
}

/// Without nulls.
fn lean(value: Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(members.into_iter().filter(|(_, value)| !value.is_null()).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn adapter(name: &str, problem: Option<backend::Problem>, trial: Option<trial::Outcome>) -> Adapter {
        let path = format!("/a/{name}").into();
        let version = problem.is_none().then(|| "3.1.2-1".to_owned());
        Adapter { found: backend::Found { name: name.into(), path, version, problem }, trial }
    }

    fn facts(chosen: &str, adapters: Vec<Adapter>) -> Facts {
        let mend = "mount it".into();
        let check = host::Check { name: "named semaphores", ok: false, detail: "/dev/shm: none".into(), mend };
        let chosen = Ok((chosen.into(), backend::Reason::NeedsNothing));
        Facts { adapters, chosen, dotnet: Err("no dotnet: x".into()), checks: vec![check] }
    }

    fn failed(words: &str) -> Option<trial::Outcome> {
        Some(Err(words.to_owned()))
    }

    #[test]
    fn only_an_adapter_that_debugged_a_program_is_ok() {
        let facts = facts(
            "netcoredbg",
            vec![
                adapter("netcoredbg", None, failed("netcoredbg: the runtime did not start (0x80004005)\nmore")),
                adapter("dncdbg", None, Some(Ok(Duration::from_millis(340)))),
            ],
        );
        let text = facts.text();
        let expected = "bad netcoredbg 3.1.2-1 /a/netcoredbg: cannot debug a program: netcoredbg: the runtime did not start (0x80004005)\n\
            ok  dncdbg 3.1.2-1 /a/dncdbg: debugged a program in 0.3 s\n\
            bad no dotnet: x\n";
        assert!(text.starts_with(expected), "{text}");
        let end = "\nbad named semaphores /dev/shm: none\n      mount it\n\
            netcoredbg cannot debug programs here, but dncdbg can: start clrbridge with --backend dncdbg";
        assert!(text.ends_with(end) && !facts.ok(), "{text}");
    }

    #[test]
    fn what_is_wrong_comes_with_the_command_that_mends_it() {
        let broken = adapter("netcoredbg", Some(backend::Problem::Incomplete(vec!["libdbgshim.so"])), None);
        let text = facts("netcoredbg", vec![broken]).text();
        assert!(text.contains("\n      mkdir -p ~/.local/share/clrbridge && curl"), "{text}");
        assert!(!text.contains("doctor"), "a remedy is a command: {text}");
    }

    #[test]
    fn json_says_the_same_without_nulls() {
        let works = adapter("netcoredbg", None, Some(Ok(Duration::from_millis(340))));
        let problem = backend::Problem::Other("cannot be started: Exec format error (os error 8)".into());
        let broken = adapter("dncdbg", Some(problem), None);
        let json = facts("netcoredbg", vec![works, broken]).json();
        assert_eq!(json["ok"], true);
        assert_eq!(json["adapters"][0]["debugged_a_program"], true);
        assert!(json["adapters"][1]["remedy"]["cause"].as_str().unwrap().contains("different processor"), "{json}");
        assert!(json["dotnet"]["error"]["command"].as_str().unwrap().contains("dotnet-install"), "{json}");
        assert!(!json.to_string().contains("null"), "{json}");
    }

    #[tokio::test]
    async fn a_wrong_choice_is_reported_even_where_adapters_are_there() {
        let settings = Settings {
            adapter: backend::AdapterSettings::default().choosing(Some("no-such-backend")),
            ..Settings::default()
        };
        let (text, ok) = run(&settings, false).await;
        assert!(!ok && text.contains("unknown backend \"no-such-backend\""), "{text}");
    }
}
