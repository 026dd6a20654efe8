//! `--redact`, which may be given several times; the environment and the file have a line for each.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

const FLAG: &str = "redact";

/// A pattern a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patterns(pub(super) Option<String>);

impl Args for Patterns {
    fn augment_args(command: Command) -> Command {
        let flag = Arg::new(FLAG).long(FLAG).global(true).value_name("PATTERN").help_heading("Answers");
        command.arg(flag.action(ArgAction::Append).help(
            "Redact values whose name or text matches this regular expression, in addition to what looks like a secret; repeatable",
        ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Patterns {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = matches.get_many::<String>(FLAG);
        Ok(Self(given.map(|patterns| patterns.map(String::as_str).collect::<Vec<_>>().join("\n"))))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
