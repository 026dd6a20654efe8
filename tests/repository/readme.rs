//! The README says what the program does: its table of tools, its flags. `UPDATE=1` rewrites the table.

use std::path::PathBuf;
use std::process::Command;

const BEGIN: &str = "<!-- tools: written by UPDATE=1 cargo test --test repository -->\n";
const END: &str = "<!-- /tools -->";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn readme() -> String {
    std::fs::read_to_string(path()).unwrap()
}

#[test]
fn the_table_of_tools_is_the_servers_own() {
    let readme = readme();
    let (before, rest) = readme.split_once(BEGIN).expect("the mark before the table");
    let (table, after) = rest.split_once(END).expect("the mark behind the table");
    let right = clrbridge::mcp::markdown_table();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path(), format!("{before}{BEGIN}{right}{END}{after}")).unwrap();
        return;
    }
    assert!(table == right, "the tools changed: UPDATE=1 cargo test --test repository");
}

#[test]
fn the_help_of_the_adapter_lists_no_setting_that_it_ignores() {
    let help = Command::new(env!("CARGO_BIN_EXE_clrbridge")).args(["adapter", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("Usage: clrbridge adapter\n") && !help.contains("--"), "{help}");
}

#[test]
fn every_flag_of_the_help_is_in_the_table_of_settings_and_no_other() {
    let help = Command::new(env!("CARGO_BIN_EXE_clrbridge")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let flags = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("--"))
        .map(|line| line.split([' ', '[', '=']).next().unwrap().to_owned())
        .filter(|flag| flag != "config");
    let readme = readme();
    let mut listed: Vec<&str> =
        readme.lines().filter_map(|line| line.strip_prefix("| `--")?.split('`').next()).collect();
    let mut there: Vec<String> = flags.collect();
    listed.sort_unstable();
    there.sort_unstable();
    assert_eq!(listed, there);
}
