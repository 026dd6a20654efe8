//! Names for objects that outlive a stop: `@1`, `@2`, … for those that a client asked about.
//!
//! A weak handle is behind each, so a name keeps nothing alive, and follows its object when a collection moves it.

use crate::com::{self, Interface as _};

/// Objects with a name, at most: each takes a handle of the program.
const MOST: usize = 10_000;

#[derive(Default)]
pub struct Identities(Vec<com::ReferenceValue>);

/// What a name stands for.
pub enum Named {
    Object(com::ReferenceValue),
    /// The object was collected.
    Collected,
    /// No object has that name.
    Unknown,
}

impl Identities {
    /// The name of the object at an address of this stop, a new one if it has none.
    ///
    /// # Errors
    /// There is no object, or too many have names.
    pub fn name(&mut self, object: &com::ObjectValue, address: u64) -> com::Result<String> {
        let known = self.0.iter().position(|handle| handle.target_address() == Ok(address));
        let at = match known {
            Some(at) => at,
            None if self.0.len() >= MOST => return Err(com::HResult::INVALID_ARGUMENT),
            None => {
                self.0.push(object.cast::<com::HeapValue2>()?.create_handle(com::WEAK)?);
                self.0.len() - 1
            }
        };
        Ok(format!("@{}", at + 1))
    }

    pub fn get(&self, name: &str) -> Named {
        let number = name.strip_prefix('@').and_then(|digits| digits.parse::<usize>().ok());
        let Some(handle) = number.and_then(|number| self.0.get(number.checked_sub(1)?)) else { return Named::Unknown };
        if handle.is_null() == Ok(false) { Named::Object(handle.clone()) } else { Named::Collected }
    }
}

/// The names that an expression may have: `@` and a number.
pub fn names_in(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (_, rest) in text.match_indices('@').filter_map(|(at, _)| text.get(at + 1..).map(|rest| (at, rest))) {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let name = format!("@{digits}");
        if !digits.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::names_in;

    #[test]
    fn names_are_found_wherever_they_stand() {
        assert_eq!(names_in("@12.Next == @3 && @12 != @class"), ["@12", "@3"]);
        assert!(names_in("a@b + @").is_empty());
    }
}
