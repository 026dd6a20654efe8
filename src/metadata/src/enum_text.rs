//! The name that `Enum.ToString` prints for a number, also where several members have it.

/// Up to so many members .NET looks for the first that has the number; among more it halves the list (Enum.cs, `FindDefinedIndex`).
const MOST_SEARCHED: usize = 32;

/// The members of an enum, in the order of their declaration, that .NET names for a number: several only for `[Flags]`, the least first.
/// `None`: it prints the number.
pub fn names_of(number: i128, members: &[(String, i128)], is_flags: bool) -> Option<Vec<&str>> {
    // a negative value has all bits above those of its type, as a greater one of its unsigned type would
    let wanted = number as u64;
    let mut sorted: Vec<(u64, &str)> = members.iter().map(|(name, value)| (*value as u64, name.as_str())).collect();
    sorted.sort_by_key(|(value, _)| *value);
    if !is_flags || wanted == 0 {
        let found = match sorted.len() {
            ..=MOST_SEARCHED => sorted.iter().position(|(value, _)| *value == wanted),
            _ => halved(&sorted, wanted),
        };
        return found.and_then(|at| sorted.get(at)).map(|(_, name)| vec![*name]);
    }
    if let Some((_, name)) = sorted.iter().rev().find(|(value, _)| *value == wanted) {
        return Some(vec![name]);
    }
    let (mut left, mut names) = (wanted, Vec::new());
    for (value, name) in sorted.into_iter().rev() {
        if value != 0 && left & value == value {
            left -= value;
            names.push(name);
        }
    }
    names.reverse();
    (left == 0).then_some(names)
}

/// As `MemoryExtensions.BinarySearch` halves it.
fn halved(sorted: &[(u64, &str)], wanted: u64) -> Option<usize> {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low + (high - 1 - low) / 2;
        match sorted.get(middle)?.0.cmp(&wanted) {
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What .NET 8 and .NET 10 print.
    #[test]
    fn of_several_members_with_one_number_the_one_that_dotnet_prints_is_named() {
        let members = |list: &[(&str, i128)]| list.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let small: Vec<_> = members(&[("Two", 2), ("A", 1), ("B", 1), ("C", 3), ("D", 3)]);
        let negative: Vec<_> = members(&[("M", -1), ("A", 1), ("N", -1), ("B", 1)]);
        let flags: Vec<_> =
            members(&[("None", 0), ("A", 1), ("A2", 1), ("B", 2), ("B2", 2), ("All", 3), ("All2", 3), ("C", 4)]);
        for (members, is_flags, rows) in [
            (&small, false, &[(1, "A"), (3, "C"), (4, "")][..]),
            (&negative, false, &[(-1, "M"), (1, "A")]),
            (&flags, true, &[(0, "None"), (1, "A2"), (2, "B2"), (3, "All2"), (5, "A2, C"), (7, "All2, C"), (8, "")]),
        ] {
            for (number, expected) in rows {
                let names = names_of(*number, members, is_flags).unwrap_or_default();
                assert_eq!(names.join(", "), *expected, "{number}");
            }
        }
        let many: Vec<_> = (0..20).flat_map(|at| [(format!("A{at}"), at), (format!("B{at}"), at)]).collect();
        let printed: Vec<_> = (0..20).filter_map(|at| names_of(at, &many, false)).flatten().collect();
        let expected = "B0 A1 A2 A3 B4 B5 A6 A7 A8 B9 B10 A11 A12 A13 B14 B15 A16 A17 B18 A19";
        assert_eq!(printed.join(" "), expected);
    }
}
