//! Maps a failure to the commands that fix it.
//!
//! Owns the commands. Each can be pasted into a shell; where systems differ, the common ones are listed.

use crate::backend::{Archives, Problem, archives};

/// Where adapters are looked for last: nothing has to be set for what is there.
const STORE: &str = "~/.local/share/clrbridge";
const BUILD: &str = "build it again on this machine, and keep its files together";

/// What to type when nothing debugs .NET here yet.
pub(super) fn install_adapter() -> String {
    archives(None).map_or_else(|| BUILD.to_owned(), |from| unpack(from.latest))
}

fn unpack(archive: &str) -> String {
    let archive = archive.replace("{arch}", Archives::arch());
    format!("mkdir -p {STORE} && curl -fL {archive} | tar xz -C {STORE}")
}

/// What to type when there is no .NET, or none with the part that is missing (`--runtime dotnet` gives only a runtime).
pub(super) fn install_dotnet() -> String {
    "curl -fsSL https://dot.net/v1/dotnet-install.sh | bash -s -- --channel 10.0 && export DOTNET_ROOT=$HOME/.dotnet PATH=$HOME/.dotnet:$PATH".into()
}

/// The cause behind the words of a loader, a runtime or an adapter: what it is, and the commands.
pub(super) struct Remedy {
    pub cause: String,
    pub command: String,
}

/// What a problem that keeps an adapter from being used means.
pub(super) fn of(adapter: &str, problem: &Problem) -> Option<Remedy> {
    match problem {
        Problem::Incomplete(_) => Some(Remedy {
            cause: "its files must stay together: link to the executable instead of copying it".to_owned(),
            command: reinstall(adapter),
        }),
        Problem::ForeignProcessor(_) => Some(foreign_processor(adapter)),
        Problem::Other(words) => find(adapter, words),
    }
}

fn reinstall(adapter: &str) -> String {
    archives(Some(adapter)).map_or_else(|| BUILD.to_owned(), |from| unpack(from.latest))
}

fn foreign_processor(adapter: &str) -> Remedy {
    Remedy {
        cause: format!("this {adapter} was built for a different processor than {}", std::env::consts::ARCH),
        command: reinstall(adapter),
    }
}

/// What `words` (of an adapter's `--version`, of a failed trial) are known to mean.
pub(super) fn find(adapter: &str, words: &str) -> Option<Remedy> {
    let remedy = |cause: String, command: String| Some(Remedy { cause, command });
    if let Some(version) = glibc(words) {
        let command = archives(Some(adapter)).map_or_else(|| BUILD.to_owned(), |from| unpack(from.for_older_glibc));
        return remedy(
            format!("this build of {adapter} needs glibc {version}, which is newer than this system's"),
            command,
        );
    }
    if words.contains("Exec format error") {
        return Some(foreign_processor(adapter));
    }
    if words.contains("valid ICU package") || words.contains("libicu") {
        let command = "sudo apt-get install -y libicu-dev   (Fedora: sudo dnf install -y libicu; Alpine: sudo apk add icu-libs; or without it: export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1)";
        return remedy(".NET finds no ICU library".to_owned(), command.to_owned());
    }
    if words.contains("You must install or update .NET") || words.contains("runtime_not_found") {
        return remedy("no .NET runtime that can run the program".to_owned(), install_dotnet());
    }
    None
}

/// The version in "version `GLIBC_2.38' not found".
fn glibc(words: &str) -> Option<&str> {
    let (_, rest) = words.split_once("GLIBC_").filter(|_| words.contains("not found"))?;
    Some(rest.split(|c: char| !(c.is_ascii_digit() || c == '.')).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_known_failure_has_a_cause_and_a_command() {
        let cases = [
            (
                "failed to run (exit code 1): /opt/netcoredbg: /lib/libc.so.6: version `GLIBC_2.38' not found (required by netcoredbg)",
                "needs glibc 2.38",
                "3.1.3-1062",
            ),
            ("cannot be started: Exec format error (os error 8)", "different processor", "curl -fL"),
            ("Couldn't find a valid ICU package installed on the system.", "no ICU", "apt-get install -y libicu-dev"),
            ("You must install or update .NET to run this application.", "no .NET runtime", "dotnet-install.sh"),
        ];
        for (words, cause, command) in cases {
            let remedy = find("netcoredbg", words).unwrap_or_else(|| panic!("{words}"));
            assert!(remedy.cause.contains(cause) && remedy.command.contains(command), "{words}: {}", remedy.command);
        }
        assert!(find("netcoredbg", "something that nobody has seen").is_none());
        for (problem, says, cause) in [
            (Problem::ForeignProcessor("riscv64"), "is built for riscv64, but this machine is", "different processor"),
            (
                Problem::Incomplete(vec!["libdbgshim.so"]),
                "libdbgshim.so is missing from the adapter's folder",
                "stay together",
            ),
            (
                Problem::Incomplete(vec!["libdbgshim.so", "ManagedPart.dll"]),
                "libdbgshim.so and ManagedPart.dll are missing from the adapter's folder",
                "stay together",
            ),
        ] {
            assert!(problem.to_string().starts_with(says), "{problem}");
            let remedy = of("netcoredbg", &problem).unwrap();
            assert!(remedy.cause.contains(cause) && remedy.command.contains("netcoredbg-linux-"), "{}", remedy.cause);
        }
    }
}
