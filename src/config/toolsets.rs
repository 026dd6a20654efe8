//! Which tools are listed: `core`, `default`, `all`, or a list of these and of set names.

use std::str::FromStr;

/// A group of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    Session,
    Execution,
    Breakpoints,
    Inspection,
    Io,
    Metadata,
    Heap,
    Code,
    Telemetry,
}

impl Set {
    pub const ALL: &'static [Self] = &[
        Self::Session,
        Self::Execution,
        Self::Breakpoints,
        Self::Inspection,
        Self::Io,
        Self::Metadata,
        Self::Heap,
        Self::Code,
        Self::Telemetry,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Execution => "execution",
            Self::Breakpoints => "breakpoints",
            Self::Inspection => "inspection",
            Self::Io => "io",
            Self::Metadata => "metadata",
            Self::Heap => "heap",
            Self::Code => "code",
            Self::Telemetry => "telemetry",
        }
    }
}

/// Which selection brings a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// In `core`, `default` and `all`.
    Core,
    /// In `default` and `all`.
    Default,
    /// Only in `all`, or with its own set.
    Extra,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selection {
    Core,
    Default,
    All,
    Only(Set),
}

/// A selection of tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolsets(Vec<Selection>);

impl Default for Toolsets {
    fn default() -> Self {
        Self(vec![Selection::Default])
    }
}

impl Toolsets {
    /// Whether a tool of this tier and set is among them.
    pub fn bring(&self, tier: Tier, set: Set) -> bool {
        self.0.iter().any(|selection| match selection {
            Selection::Core => tier == Tier::Core,
            Selection::Default => tier != Tier::Extra,
            Selection::All => true,
            Selection::Only(only) => *only == set,
        })
    }
}

impl FromStr for Toolsets {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
        let selections = words.map(selection).collect::<Result<Vec<_>, _>>()?;
        if selections.is_empty() { Err(format!("it is empty; use {}", known())) } else { Ok(Self(selections)) }
    }
}

fn selection(word: &str) -> Result<Selection, String> {
    match word {
        "core" => Ok(Selection::Core),
        "default" => Ok(Selection::Default),
        "all" => Ok(Selection::All),
        name => match Set::ALL.iter().find(|set| set.as_str() == name) {
            Some(set) => Ok(Selection::Only(*set)),
            None => Err(format!("unknown set `{name}`; use {}", known())),
        },
    }
}

fn known() -> String {
    let sets: Vec<&str> = Set::ALL.iter().map(|set| set.as_str()).collect();
    format!("a comma-separated list of core, default, all, {}", sets.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_bring_tiers_and_sets() {
        for (list, tier, set, brings) in [
            ("core", Tier::Core, Set::Session, true),
            ("core", Tier::Default, Set::Session, false),
            ("default", Tier::Default, Set::Io, true),
            ("default", Tier::Extra, Set::Io, false),
            ("all", Tier::Extra, Set::Code, true),
            ("core,inspection", Tier::Extra, Set::Inspection, true),
            ("inspection", Tier::Core, Set::Session, false),
            ("io, telemetry", Tier::Default, Set::Telemetry, true),
        ] {
            assert_eq!(list.parse::<Toolsets>().unwrap().bring(tier, set), brings, "{list} {tier:?} {set:?}");
        }
        assert!("core,nope".parse::<Toolsets>().unwrap_err().contains("`nope`"));
        assert!(" , ".parse::<Toolsets>().is_err());
    }
}
