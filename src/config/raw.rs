//! One layer of settings as given, before validation: flags, environment and file have the same shape.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;

use super::adapter_paths::AdapterPaths;
use super::patterns::Patterns;
use crate::backend;

/// The settings of one layer. All are strings, so every layer is checked in one place and every fault is reported at once.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct Raw {
    #[arg(long, global = true, value_name = "NAME", help_heading = "Debug adapter", help = backend_help())]
    pub backend: Option<String>,
    #[command(flatten)]
    pub adapter_paths: AdapterPaths,
    /// Command line of any other DAP adapter, for --backend external
    #[arg(long, global = true, value_name = "CMD ARGS", help_heading = "Debug adapter")]
    pub external: Option<String>,
    /// Record the adapter traffic to a file (replay it with --backend replay:FILE)
    #[arg(long, global = true, value_name = "FILE", help_heading = "Debug adapter")]
    pub record: Option<String>,
    /// Tools to list: core, default, all, session, execution, breakpoints, inspection, io, metadata, heap, code, telemetry, or several, separated by commas [default: default]
    #[arg(long, global = true, value_name = "SETS", help_heading = "Tools")]
    pub toolsets: Option<String>,
    /// List only tools that read files: nothing is built, run or debugged
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Tools")]
    pub read_only: Option<String>,
    /// Ask the user, if the client supports it, before a program is started, attached to, written to or changed
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Tools")]
    pub confirm: Option<String>,
    /// Show files and start programs only in these folders and below, separated by colons [default: files in the client's folders, the working directory and the folders of launched programs; programs in any folder]
    #[arg(long, global = true, value_name = "FOLDERS", help_heading = "Tools")]
    pub roots: Option<String>,
    /// Send results as text, structured, both, or auto (by client) [default: auto]
    #[arg(long, global = true, value_name = "MODE", help_heading = "Answers")]
    pub results: Option<String>,
    /// Format of the text content: markdown (terse text) or json [default: markdown]
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Answers")]
    pub response_format: Option<String>,
    /// Maximum characters per answer, 1000 to 200000 [default: 50000]
    #[arg(long, global = true, value_name = "N", help_heading = "Answers")]
    pub max_response_chars: Option<String>,
    /// Show values that look like secrets (passwords, tokens, keys) instead of their lengths
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Answers")]
    pub no_redact: Option<String>,
    #[command(flatten)]
    pub redact: Patterns,
    /// Program output to keep in a temporary file, beyond the last 4 MiB in memory: bytes, or with K, M or G [default: 256M]
    #[arg(long, global = true, value_name = "SIZE", help_heading = "Debug adapter")]
    pub max_output: Option<String>,
    /// Serve a dashboard of sessions and calls at a local address, which the first debug_launch returns (`serve` always has it)
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dashboard")]
    pub dashboard: Option<String>,
    /// Let a person set breakpoints, pause, continue and step in the dashboard; implies --dashboard
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dashboard")]
    pub dashboard_control: Option<String>,
    /// Log level: error, warn, info, debug, trace, or tracing directives [default: warn]
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Logs (stderr)")]
    pub log_level: Option<String>,
    /// Log format: text or json [default: text]
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Logs (stderr)")]
    pub log_format: Option<String>,
}

fn backend_help() -> String {
    let names: Vec<&str> = backend::names().collect();
    format!("Debug adapter: auto, {}, external or replay:FILE [default: auto]", names.join(", "))
}

impl Raw {
    /// Each setting's long flag with its value. Environment, file and merging all use this list.
    pub(super) fn fields(&mut self) -> Vec<(&'static str, &mut Option<String>)> {
        let mut fields = vec![
            ("backend", &mut self.backend),
            ("external", &mut self.external),
            ("record", &mut self.record),
            ("toolsets", &mut self.toolsets),
            ("read-only", &mut self.read_only),
            ("confirm", &mut self.confirm),
            ("roots", &mut self.roots),
            ("results", &mut self.results),
            ("response-format", &mut self.response_format),
            ("max-response-chars", &mut self.max_response_chars),
            ("no-redact", &mut self.no_redact),
            ("redact", &mut self.redact.0),
            ("max-output", &mut self.max_output),
            ("dashboard", &mut self.dashboard),
            ("dashboard-control", &mut self.dashboard_control),
            ("log-level", &mut self.log_level),
            ("log-format", &mut self.log_format),
        ];
        fields.extend(self.adapter_paths.0.iter_mut().map(|(name, path)| (*name, path)));
        fields
    }

    /// `CLRBRIDGE_READ_ONLY` and so on; the adapters' paths also under their common names.
    pub(super) fn from_environment(variables: &BTreeMap<String, String>) -> Self {
        let mut raw = Self::default();
        for (flag, value) in raw.fields() {
            let name = format!("CLRBRIDGE_{}", flag.replace('-', "_").to_uppercase());
            let common = backend::installed().find(|(adapter, _)| *adapter == flag).map(|(_, variable)| variable);
            let found = variables.get(&name).or_else(|| variables.get(common?));
            *value = found.filter(|text| !text.is_empty()).cloned();
        }
        raw
    }

    /// The keys of the file are the long flags.
    pub(super) fn from_file(path: &Path, faults: &mut Vec<String>) -> Self {
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                faults.push(format!("{shown}: {error}"));
                return Self::default();
            }
        };
        let mut table = match text.parse::<toml::Table>() {
            Ok(table) => table,
            Err(error) => {
                faults.push(format!("{shown}: {}", error.message()));
                return Self::default();
            }
        };
        let mut raw = Self::default();
        for (flag, value) in raw.fields() {
            *value = match table.remove(flag) {
                None => None,
                Some(toml::Value::String(text)) => Some(text),
                Some(toml::Value::Integer(number)) => Some(number.to_string()),
                Some(toml::Value::Boolean(flag)) => Some(flag.to_string()),
                Some(other) => {
                    faults
                        .push(format!("{shown}: {flag} must be a string, number or boolean, not {}", other.type_str()));
                    None
                }
            };
        }
        faults.extend(table.keys().map(|key| format!("{shown}: unknown setting `{key}`")));
        raw
    }

    /// Fills what this layer leaves open from a weaker one.
    pub(super) fn or(mut self, mut weaker: Self) -> Self {
        for ((_, value), (_, default)) in self.fields().into_iter().zip(weaker.fields()) {
            if value.is_none() {
                *value = default.take();
            }
        }
        self
    }
}
