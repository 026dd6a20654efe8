//! Settings: flag over environment (`CLRBRIDGE_…`) over config file over default, all checked before anything starts.
//!
//! Knows nothing of tools or sessions. All errors are reported together: clients rarely restart a server and rarely show its stderr.

mod options;
mod adapter_paths;
mod patterns;
mod raw;
mod toolsets;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::backend::{self, AdapterSettings};
use crate::redaction::Redaction;

pub use options::{Config, DebugOptions, Format, LogOptions, Results, ServerOptions};
pub use raw::Raw;
pub use toolsets::{Set, Tier, Toolsets};

/// Every fault of the settings, one a line.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}", .0.join("\n"))]
pub struct ConfigError(pub Vec<String>);

/// Merges and checks. `file`: `--config`; without it `clrbridge/config.toml` in the user's config folder, if it is there.
pub fn load(flags: Raw, file: Option<&Path>, environment: &BTreeMap<String, String>) -> Result<Config, ConfigError> {
    let mut faults = Vec::new();
    let named = file.map(Path::to_owned).or_else(|| environment.get("CLRBRIDGE_CONFIG").map(PathBuf::from));
    let path = named.or_else(|| default_file(environment).filter(|path| path.exists()));
    let from_file = path.map(|path| Raw::from_file(&path, &mut faults)).unwrap_or_default();
    let raw = flags.or(Raw::from_environment(environment)).or(from_file);
    let config = check(raw, &mut faults);
    if faults.is_empty() { Ok(config) } else { Err(ConfigError(faults)) }
}

fn default_file(environment: &BTreeMap<String, String>) -> Option<PathBuf> {
    let set = |name: &str| environment.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("clrbridge/config.toml"))
}

fn check(raw: Raw, faults: &mut Vec<String>) -> Config {
    let defaults = ServerOptions::default();
    let mut one_of = |flag: &str, value: Option<String>, words: &[&str]| -> Option<String> {
        let value = value?;
        if words.contains(&value.as_str()) {
            return Some(value);
        }
        faults.push(format!("--{flag} {value}: expected {}", words.join(", ")));
        None
    };
    let read_only = one_of("read-only", raw.read_only, &["true", "false"]);
    let confirm = one_of("confirm", raw.confirm, &["true", "false"]);
    let dashboard = one_of("dashboard", raw.dashboard, &["true", "false"]);
    let control = one_of("dashboard-control", raw.dashboard_control, &["true", "false"]);
    let no_redact = one_of("no-redact", raw.no_redact, &["true", "false"]);
    let results = one_of("results", raw.results, &["auto", "both", "text", "structured"]);
    let format = one_of("response-format", raw.response_format, &["markdown", "json"]);
    let log_format = one_of("log-format", raw.log_format, &["text", "json"]);
    let server = ServerOptions {
        toolsets: raw.toolsets.map_or(defaults.toolsets, |list| {
            list.parse().unwrap_or_else(|fault| {
                faults.push(format!("--toolsets {list}: {fault}"));
                Toolsets::default()
            })
        }),
        read_only: read_only.as_deref() == Some("true"),
        confirm: confirm.as_deref() == Some("true"),
        roots: raw.roots.map(|list| folders(&list, faults)).unwrap_or_default(),
        results: match results.as_deref() {
            Some("both") => Results::Both,
            Some("text") => Results::Text,
            Some("structured") => Results::Structured,
            _ => Results::Auto,
        },
        format: format.and_then(|word| Format::parse(&word)).unwrap_or_default(),
        max_response_chars: raw.max_response_chars.map_or(defaults.max_response_chars, |text| {
            text.parse().ok().filter(|number| (1_000..=200_000).contains(number)).unwrap_or_else(|| {
                faults.push(format!("--max-response-chars {text}: expected 1000 to 200000"));
                defaults.max_response_chars
            })
        }),
    };
    let log = log_options(raw.log_level, log_format.as_deref() == Some("json"), faults);
    let external = raw.external.map(|line| split_command(&line, faults)).unwrap_or_default();
    let paths =
        raw.adapter_paths.0.into_iter().filter_map(|(name, path)| Some((name.to_owned(), PathBuf::from(path?))));
    let backend = backend(raw.backend, &external, faults);
    let debug = DebugOptions {
        adapter: AdapterSettings { backend, paths: paths.collect(), external },
        max_output: raw.max_output.and_then(|text| size(&text, faults)),
        record: raw.record.map(PathBuf::from),
        redaction: match no_redact.as_deref() {
            Some("true") => Redaction::off(),
            _ => redaction(raw.redact.0.as_deref().unwrap_or_default(), faults),
        },
    };
    let dashboard_control = control.as_deref() == Some("true");
    let dashboard = dashboard_control || dashboard.as_deref() == Some("true");
    Config { server, debug, log, dashboard, dashboard_control }
}

/// A pattern a line.
fn redaction(patterns: &str, faults: &mut Vec<String>) -> Redaction {
    let patterns = patterns.lines().map(str::trim).filter(|pattern| !pattern.is_empty());
    Redaction::with(patterns).unwrap_or_else(|(pattern, words)| {
        faults.push(format!("--redact {pattern}: not a valid regular expression: {words}"));
        Redaction::default()
    })
}

/// Folders with `:` between, as in PATH.
fn folders(list: &str, faults: &mut Vec<String>) -> Vec<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()).collect();
    let missing = folders.iter().filter(|folder| !folder.is_dir());
    faults.extend(missing.map(|folder| format!("--roots {}: the folder does not exist", folder.display())));
    folders
}

/// `256M`: bytes, or with K, M, G (of 1024).
fn size(text: &str, faults: &mut Vec<String>) -> Option<u64> {
    let (number, unit) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (text.get(..at)?, 1 << 10),
        (at, 'm' | 'M') => (text.get(..at)?, 1 << 20),
        (at, 'g' | 'G') => (text.get(..at)?, 1 << 30),
        _ => (text, 1),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    if bytes.is_none() {
        faults.push(format!("--max-output {text}: expected a number of bytes, or one with K, M or G"));
    }
    bytes
}

fn backend(name: Option<String>, external: &[String], faults: &mut Vec<String>) -> String {
    let name = name.unwrap_or_else(|| "auto".into());
    match name.as_str() {
        "auto" => {}
        known if backend::names().any(|name| name == known) => {}
        "external" if external.is_empty() => faults.push("--backend external: it needs --external \"CMD ARGS\"".into()),
        "external" => {}
        other => match other.strip_prefix("replay:") {
            Some("") => faults.push("--backend replay: it needs a file, replay:FILE".into()),
            Some(file) if !Path::new(file).is_file() => {
                faults.push(format!("--backend {name}: the file does not exist"))
            }
            Some(_) => {}
            None => {
                let known: Vec<&str> = backend::names().collect();
                faults.push(format!("--backend {name}: expected auto, {}, external, replay:FILE", known.join(", ")));
            }
        },
    }
    name
}

fn log_options(level: Option<String>, json: bool, faults: &mut Vec<String>) -> LogOptions {
    let defaults = LogOptions::default();
    let level = match level {
        Some(level) if level.parse::<tracing_subscriber::EnvFilter>().is_err() => {
            faults.push(format!("--log-level {level}: expected error, warn, info, debug, trace or tracing directives"));
            defaults.level
        }
        Some(level) => level,
        None => defaults.level,
    };
    LogOptions { level, json }
}

/// Splits a command line at blanks; quotes of either kind keep them.
fn split_command(line: &str, faults: &mut Vec<String>) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        faults.push(format!("--external {line}: unterminated quote"));
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_size_has_a_unit_or_none() {
        for (text, expected) in
            [("0", Some(0)), ("64k", Some(65_536)), ("256M", Some(256 << 20)), ("2G", Some(2 << 30))]
        {
            let mut faults = Vec::new();
            assert_eq!((size(text, &mut faults), faults.len()), (expected, 0), "{text}");
        }
        for text in ["-1", "M", "1.5G", "99999999999G", "x"] {
            let mut faults = Vec::new();
            assert_eq!((size(text, &mut faults), faults.len()), (None, 1), "{text}");
        }
    }

    #[test]
    fn flag_beats_environment_beats_file_beats_default() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c.toml");
        std::fs::write(&file, "results = 'text'\ntoolsets = 'core'\nread-only = true\nmax-response-chars = 2000")
            .unwrap();
        let flags = Raw { results: Some("both".into()), ..Raw::default() };
        let env = environment(&[
            ("CLRBRIDGE_RESULTS", "structured"),
            ("CLRBRIDGE_TOOLSETS", "all"),
            ("NETCOREDBG_PATH", "/n"),
        ]);
        let config = load(flags, Some(&file), &env).unwrap();
        assert_eq!(config.server.results, Results::Both);
        assert_eq!(config.server.toolsets, "all".parse().unwrap());
        assert!(config.server.read_only);
        assert_eq!(config.server.max_response_chars, 2_000);
        assert_eq!(config.server.format, Format::Markdown);
        assert_eq!(config.debug.adapter.paths, [("netcoredbg".to_owned(), PathBuf::from("/n"))].into());
        assert_eq!(config.debug.adapter.backend, "auto");
    }

    #[test]
    fn the_users_file_is_found_and_need_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let home = environment(&[("XDG_CONFIG_HOME", folder.path().to_str().unwrap())]);
        assert!(!load(Raw::default(), None, &home).unwrap().server.read_only);
        std::fs::create_dir(folder.path().join("clrbridge")).unwrap();
        std::fs::write(folder.path().join("clrbridge/config.toml"), "read-only = true").unwrap();
        assert!(load(Raw::default(), None, &home).unwrap().server.read_only);
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c.toml");
        std::fs::write(&file, "nope = 1\nrecord = ['x']").unwrap();
        let flags = Raw {
            backend: Some("gdb".into()),
            toolsets: Some("core,nope".into()),
            results: Some("xml".into()),
            response_format: Some("yaml".into()),
            max_response_chars: Some("7".into()),
            read_only: Some("perhaps".into()),
            roots: Some("/:/no/such/folder".into()),
            log_level: Some("a=b=c".into()),
            redact: patterns::Patterns(Some("ok\n(".into())),
            no_redact: Some("never".into()),
            log_format: Some("xml".into()),
            external: Some("a 'b".into()),
            ..Raw::default()
        };
        let faults = load(flags, Some(&file), &BTreeMap::new()).unwrap_err().to_string();
        for part in [
            "unknown setting `nope`",
            "record must be a string",
            "--backend gdb",
            "unknown set `nope`",
            "--results xml",
            "--response-format yaml",
            "--max-response-chars 7",
            "--read-only perhaps",
            "--roots /no/such/folder",
            "--log-level a=b=c",
            "--log-format xml",
            "--redact (: not a valid regular expression",
            "--no-redact never",
            "unterminated quote",
        ] {
            assert!(faults.contains(part), "{part} is not in\n{faults}");
        }
    }

    #[test]
    fn a_missing_named_file_is_a_fault() {
        assert!(load(Raw::default(), Some(Path::new("/nowhere/c.toml")), &BTreeMap::new()).is_err());
    }

    #[test]
    fn an_external_command_is_split_at_blanks_outside_quotes() {
        let mut faults = Vec::new();
        let words = split_command(r#"/opt/vs dbg --x "a b" '' c'd'"#, &mut faults);
        assert_eq!(words, ["/opt/vs", "dbg", "--x", "a b", "", "cd"]);
        assert!(faults.is_empty());
    }
}
