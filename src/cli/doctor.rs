//! `clrbridge doctor`: what is there, what is missing, and the command that mends it.
//!
//! Owns the words and the order only; every fact comes from `backend` and `dotnet`.

use serde_json::{Value, json};

use crate::backend::{self, Discovery};
use crate::dotnet::{Dotnet, host};

/// What was found on this machine.
struct Facts {
    adapters: Vec<backend::Found>,
    /// What `choice` would start, or why nothing.
    chosen: Result<String, (String, String)>,
    dotnet: Result<Dotnet, (String, String)>,
    checks: Vec<host::Check>,
}

/// The report, as text for a person or as JSON, and whether a program can be debugged here.
///
/// `choice` is `--backend` as it would be used.
pub async fn run(choice: &str, settings: &Discovery, json: bool) -> (String, bool) {
    let facts = Facts {
        adapters: backend::all(settings).await,
        chosen: backend::find(choice, settings)
            .await
            .map(|profile| profile.name)
            .map_err(|error| (error.to_string(), error.hint())),
        dotnet: Dotnet::find().map_err(|error| (error.to_string(), error.hint())),
        checks: host::prerequisites(),
    };
    let ok = facts.ok();
    (if json { facts.json().to_string() } else { facts.text() }, ok)
}

impl Facts {
    /// A prerequisite that fails costs a better way, not the whole: only these two are needed.
    fn ok(&self) -> bool {
        self.chosen.is_ok() && self.runtime().is_some()
    }

    fn runtime(&self) -> Option<&Dotnet> {
        self.dotnet.as_ref().ok().filter(|dotnet| !dotnet.runtimes().is_empty())
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        let mut line = |good: bool, text: String, mend: &str| {
            lines.push(format!("{} {text}", if good { "ok " } else { "bad" }));
            if !mend.is_empty() {
                lines.push(format!("      {mend}"));
            }
        };
        for found in &self.adapters {
            let version = found.version.as_deref().unwrap_or("version unknown");
            let text = format!("{} {version} {}", found.name, found.path.display());
            match &found.problem {
                None => line(true, text, ""),
                Some(problem) => line(false, format!("{} {}: {problem}", found.name, found.path.display()), ""),
            }
        }
        if let Err((message, hint)) = &self.chosen {
            line(false, message.clone(), hint);
        }
        match &self.dotnet {
            Err((message, hint)) => line(false, message.clone(), hint),
            Ok(dotnet) => {
                line(true, format!(".NET {}", dotnet.root.display()), "");
                let runtimes = dotnet.runtimes();
                let list: Vec<String> = runtimes.iter().map(|(name, version)| format!("{name} {version}")).collect();
                let text =
                    if list.is_empty() { "no runtime".to_owned() } else { format!("runtimes {}", list.join(", ")) };
                line(!list.is_empty(), text, if list.is_empty() { "install a .NET runtime" } else { "" });
                let sdks = dotnet.sdks();
                // Built dlls can be debugged without it.
                let (text, mend) = match sdks.as_slice() {
                    [] => ("no SDK: projects cannot be built".to_owned(), "install the .NET SDK, or launch built dlls"),
                    sdks => (format!("SDKs {}", sdks.join(", ")), ""),
                };
                line(!sdks.is_empty(), text, mend);
            }
        }
        for check in &self.checks {
            line(check.ok, format!("{} {}", check.name, check.detail), &check.mend);
        }
        lines.push(match (&self.chosen, self.ok()) {
            (Ok(name), true) => format!("programs can be debugged with {name}"),
            _ => "no program can be debugged here yet".into(),
        });
        lines.join("\n")
    }

    fn json(&self) -> Value {
        let adapters: Vec<Value> = self
            .adapters
            .iter()
            .map(|found| {
                let path = found.path.display().to_string();
                lean(json!({"name": found.name, "version": found.version, "path": path, "problem": found.problem}))
            })
            .collect();
        let failure = |(message, hint): &(String, String)| json!({"message": message, "hint": hint});
        let dotnet = match &self.dotnet {
            Err(error) => json!({"error": failure(error)}),
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
            Ok(name) => json!({"name": name}),
            Err(error) => json!({"error": failure(error)}),
        };
        json!({"ok": self.ok(), "backend": backend, "adapters": adapters, "dotnet": dotnet, "checks": checks})
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

    fn facts() -> Facts {
        Facts {
            adapters: vec![
                backend::Found {
                    name: "netcoredbg".into(),
                    path: "/a/netcoredbg".into(),
                    version: Some("3.1.2-1".into()),
                    problem: None,
                },
                backend::Found {
                    name: "dncdbg".into(),
                    path: "/b".into(),
                    version: None,
                    problem: Some("DNCDBG_PATH does not exist".into()),
                },
            ],
            chosen: Ok("netcoredbg".into()),
            dotnet: Err(("no dotnet: x".into(), "install .NET".into())),
            checks: vec![host::Check {
                name: "named semaphores",
                ok: false,
                detail: "/dev/shm: none".into(),
                mend: "mount it".into(),
            }],
        }
    }

    #[test]
    fn text_tells_what_is_wrong_and_how_to_mend_it() {
        let expected = "ok  netcoredbg 3.1.2-1 /a/netcoredbg\n\
            bad dncdbg /b: DNCDBG_PATH does not exist\n\
            bad no dotnet: x\n      install .NET\n\
            bad named semaphores /dev/shm: none\n      mount it\n\
            no program can be debugged here yet";
        assert_eq!(facts().text(), expected);
        assert!(!facts().ok());
    }

    #[test]
    fn json_says_the_same_without_nulls() {
        let json = facts().json();
        assert_eq!(json["ok"], false);
        assert_eq!(json["adapters"][0], json!({"name": "netcoredbg", "version": "3.1.2-1", "path": "/a/netcoredbg"}));
        assert_eq!(json["dotnet"]["error"]["hint"], "install .NET");
        assert!(!json.to_string().contains("null"), "{json}");
    }

    #[tokio::test]
    async fn a_wrong_choice_is_told_even_where_adapters_are_there() {
        let (text, ok) = run("no-such-backend", &Discovery::default(), false).await;
        assert!(!ok && text.contains("unknown backend \"no-such-backend\""), "{text}");
    }
}
