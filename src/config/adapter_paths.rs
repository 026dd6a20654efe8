//! A flag for the path of each adapter that is an executable of its own.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::backend;

/// By adapter name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterPaths(pub(super) BTreeMap<&'static str, Option<String>>);

impl Default for AdapterPaths {
    fn default() -> Self {
        Self(backend::installed().map(|(name, _)| (name, None)).collect())
    }
}

impl Args for AdapterPaths {
    fn augment_args(command: Command) -> Command {
        backend::installed().fold(command, |command, (name, variable)| {
            let flag = Arg::new(name).long(name).global(true).value_name("PATH").help_heading("Debug adapter");
            command.arg(flag.help(format!("Path to {name} [also: {variable}]")))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for AdapterPaths {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut paths = Self::default();
        paths.update_from_arg_matches(matches)?;
        Ok(paths)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for (name, path) in &mut self.0 {
            *path = matches.get_one::<String>(name).cloned();
        }
        Ok(())
    }
}
