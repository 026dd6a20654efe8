//! Which installed version a program gets when it asks for one: the host's roll-forward rules
//! (<https://learn.microsoft.com/dotnet/core/versions/selection>).

use std::cmp::Ordering;
use std::fmt;

/// `10.0.12` or `11.0.0-preview.1`; a prerelease sorts before its release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
    /// Empty for a release.
    pub prerelease: String,
}

impl Version {
    /// `None` unless it has three numbers (`10.0` is taken as `10.0.0`).
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.split_once('+').map_or(text, |(version, _)| version);
        let (numbers, prerelease) = text.split_once('-').unwrap_or((text, ""));
        let mut numbers = numbers.split('.');
        let (major, minor) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        let patch = numbers.next().map_or(Some(0), |patch| patch.parse().ok())?;
        numbers.next().is_none().then(|| Self { major, minor, patch, prerelease: prerelease.into() })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if self.prerelease.is_empty() { Ok(()) } else { write!(f, "-{}", self.prerelease) }
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |v: &Self| (v.major, v.minor, v.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| match (self.prerelease.as_str(), other.prerelease.as_str()) {
            ("", "") => Ordering::Equal,
            ("", _) => Ordering::Greater,
            (_, "") => Ordering::Less,
            (a, b) => compare_prerelease(a, b),
        })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `preview.10` comes after `preview.9`: numbers as numbers, the rest by letter (SemVer 2, 11.4).
fn compare_prerelease(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) => match (x.parse::<u64>(), y.parse::<u64>()) {
                (Ok(x), Ok(y)) => x.cmp(&y),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => x.cmp(y),
            },
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The `rollForward` setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RollForward {
    Disable,
    LatestPatch,
    #[default]
    Minor,
    LatestMinor,
    Major,
    LatestMajor,
}

impl RollForward {
    /// The host reads it without regard to case.
    pub fn parse(text: &str) -> Option<Self> {
        let all = [
            ("disable", Self::Disable),
            ("latestpatch", Self::LatestPatch),
            ("minor", Self::Minor),
            ("latestminor", Self::LatestMinor),
            ("major", Self::Major),
            ("latestmajor", Self::LatestMajor),
        ];
        all.into_iter().find(|(name, _)| text.eq_ignore_ascii_case(name)).map(|(_, setting)| setting)
    }
}

/// The installed version that the host would take for `wanted`, `None` when it would refuse to start.
///
/// `prereleases`: `DOTNET_ROLL_FORWARD_TO_PRERELEASE=1`. Without it a release rolls to a prerelease only where no release fits.
pub fn choose(wanted: &Version, rule: RollForward, prereleases: bool, installed: &[Version]) -> Option<Version> {
    let fits = |v: &&Version| match rule {
        RollForward::Disable => *v == wanted,
        RollForward::LatestPatch => *v >= wanted && (v.major, v.minor) == (wanted.major, wanted.minor),
        RollForward::Minor | RollForward::LatestMinor => *v >= wanted && v.major == wanted.major,
        RollForward::Major | RollForward::LatestMajor => *v >= wanted,
    };
    let fitting: Vec<&Version> = installed.iter().filter(fits).collect();
    let releases: Vec<&Version> = fitting.iter().copied().filter(|v| v.prerelease.is_empty()).collect();
    let only_releases = wanted.prerelease.is_empty() && !prereleases && !releases.is_empty();
    let candidates = if only_releases { releases } else { fitting };
    // The nearest line first; within it always the newest patch, which "latest" settings stretch further.
    let nearest = candidates.iter().min_by_key(|v| (v.major, v.minor)).map(|v| (v.major, v.minor))?;
    let in_reach = |v: &&&Version| match rule {
        RollForward::Disable | RollForward::LatestPatch | RollForward::Minor | RollForward::Major => {
            (v.major, v.minor) == nearest
        }
        RollForward::LatestMinor | RollForward::LatestMajor => true,
    };
    candidates.iter().filter(in_reach).max().map(|v| (*v).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(text: &str) -> Vec<Version> {
        text.split_whitespace().map(|v| Version::parse(v).unwrap()).collect()
    }

    #[test]
    fn the_host_rules_choose() {
        use RollForward::*;
        let cases = [
            ("8.0.0", Minor, "8.0.33 10.0.12", "8.0.33"),
            ("10.0.0", Minor, "8.0.33 10.0.9 10.0.12", "10.0.12"),
            ("9.0.0", Minor, "8.0.33 10.0.12", ""),
            ("10.0.13", Minor, "10.0.12", ""),
            ("3.0.0", Minor, "3.1.2 3.2.1", "3.1.2"),
            ("3.0.0", LatestMinor, "3.1.2 3.2.1 4.0.0", "3.2.1"),
            ("9.0.0", Major, "8.0.33 10.0.12 10.1.0 11.0.0", "10.0.12"),
            ("8.0.0", Major, "8.0.33 10.0.12", "8.0.33"),
            ("8.0.0", LatestMajor, "8.0.33 10.0.12", "10.0.12"),
            ("8.0.0", LatestPatch, "8.1.0", ""),
            ("8.0.2", LatestPatch, "8.0.1 8.0.4 8.0.3", "8.0.4"),
            ("8.0.2", Disable, "8.0.3", ""),
            ("8.0.2", Disable, "8.0.2 8.0.3", "8.0.2"),
            ("10.0.0", Minor, "10.0.1-preview.1", "10.0.1-preview.1"),
            ("10.0.0", Minor, "10.0.0 10.0.1-preview.1", "10.0.0"),
            ("10.0.0-rc.1", Minor, "10.0.0-rc.1 10.0.0-rc.2", "10.0.0-rc.2"),
            ("10.0.0", Minor, "10.0.0-rc.2", ""),
        ];
        for (wanted, rule, installed, expected) in cases {
            let chosen = choose(&Version::parse(wanted).unwrap(), rule, false, &versions(installed));
            let chosen = chosen.map(|v| v.to_string()).unwrap_or_default();
            assert_eq!(chosen, expected, "{wanted} {rule:?} of {installed}");
        }
    }

    #[test]
    fn prereleases_count_when_asked_for() {
        let installed = versions("10.0.0 10.0.1-preview.1");
        let chosen = choose(&Version::parse("10.0.0").unwrap(), RollForward::Minor, true, &installed).unwrap();
        assert_eq!(chosen.to_string(), "10.0.1-preview.1");
    }

    #[test]
    fn versions_sort_by_number_and_prereleases_before_their_release() {
        let sorted = versions("8.0.9 8.0.33 10.0.0-preview.9 10.0.0-preview.10 10.0.0-rc.1 10.0.0");
        let mut shuffled = sorted.clone();
        shuffled.reverse();
        shuffled.sort();
        assert_eq!(shuffled, sorted);
        for text in ["", "10", "x.y.z", "10.0.0.1", "10.0.x", "-1.0.0"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }
}
