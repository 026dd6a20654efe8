//! Type names as reflection gives them, with the assembly of each argument.
//! Grammar: <https://learn.microsoft.com/dotnet/fundamentals/reflection/specifying-fully-qualified-type-names>.

use crate::signatures::{ArrayShape, Primitive, TypeName, TypeSig};

const MAX_DEPTH: u32 = 64;

/// What `typeof` takes in C# for `Type.FullName`: `System.Collections.Generic.List<int>[]`, `System.Collections.Generic.List<>`.
/// `None`: it is not a name of reflection.
pub fn from_reflection(name: &str) -> Option<String> {
    let mut reader = Reader { rest: name };
    let type_ = reader.type_(0)?;
    match &type_ {
        _ if !reader.rest.is_empty() => None,
        TypeSig::Named(TypeName { full_name, arguments, .. }) if arguments.is_empty() => Some(open(full_name)),
        _ => Some(type_.to_string()),
    }
}

/// A definition: ``Ns.Outer`1+Inner`` is `Ns.Outer<>.Inner`.
fn open(full_name: &str) -> String {
    let mut text = String::new();
    for (at, segment) in full_name.split('+').enumerate() {
        if at > 0 {
            text.push('.');
        }
        let (name, arity) = segment.split_once('`').unwrap_or((segment, ""));
        text.push_str(name);
        if let Ok(arity @ 1..) = arity.parse::<usize>() {
            text.extend(["<", &",".repeat(arity - 1), ">"]);
        }
    }
    text
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn type_(&mut self, depth: u32) -> Option<TypeSig> {
        if depth > MAX_DEPTH {
            return None;
        }
        let end = self.rest.find(['[', ']', ',', '*', '&']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
        self.rest = rest;
        let arguments = self.arguments(depth)?;
        let mut type_ = match Primitive::from_name(name) {
            Some(primitive) => TypeSig::Primitive(primitive),
            None => TypeSig::Named(TypeName { full_name: name.to_owned(), arguments, is_value_type: false }),
        };
        for _ in 0..MAX_DEPTH {
            type_ = match () {
                () if self.take("[]") => TypeSig::Array(Box::new(type_)),
                () if self.take("[*]") => TypeSig::Array(Box::new(type_)),
                () if self.take("[,") => {
                    let rank = 2 + self.commas();
                    if !self.take("]") {
                        return None;
                    }
                    let shape = ArrayShape { rank, ..ArrayShape::default() };
                    TypeSig::MultiArray { element: Box::new(type_), shape }
                }
                () if self.take("*") => TypeSig::Pointer(Box::new(type_)),
                () if self.take("&") => TypeSig::ByRef(Box::new(type_)),
                () => break,
            };
        }
        Some(type_)
    }

    /// `[[System.Int32, System.Private.CoreLib, Version=…],[…]]`, or nothing.
    fn arguments(&mut self, depth: u32) -> Option<Vec<TypeSig>> {
        let mut arguments = Vec::new();
        if !self.rest.starts_with("[[") {
            return Some(arguments);
        }
        self.take("[");
        while self.take("[") {
            arguments.push(self.type_(depth + 1)?);
            // its assembly
            let end = self.rest.find(']')?;
            self.rest = self.rest.get(end + 1..)?;
            self.take(",");
        }
        self.take("]").then_some(arguments)
    }

    fn commas(&mut self) -> u32 {
        let mut count = 0;
        while self.take(",") {
            count += 1;
        }
        count
    }

    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_reflection_becomes_what_typeof_takes() {
        for (name, expected) in [
            ("System.String", Some("string")),
            ("Shop.Order", Some("Shop.Order")),
            ("Shop.Outer`1+Inner", Some("Shop.Outer<>.Inner")),
            ("System.Collections.Generic.Dictionary`2", Some("System.Collections.Generic.Dictionary<,>")),
            ("System.Int32[][,]&", Some("ref int[,][]")),
            (
                "System.Collections.Generic.Dictionary`2[[System.String, System.Private.CoreLib, Version=10.0.0.0],[System.Collections.Generic.List`1[[System.Int32[], System.Private.CoreLib]], System.Private.CoreLib]][]",
                Some("System.Collections.Generic.Dictionary<string, System.Collections.Generic.List<int[]>>[]"),
            ),
            (
                "System.Collections.Generic.Dictionary`2+KeyCollection[[System.String, L],[System.Int32, L]]",
                Some("System.Collections.Generic.Dictionary<string, int>.KeyCollection"),
            ),
            ("System.Nullable`1[[System.Int32, L]]", Some("int?")),
            ("List`1[[System.Int32", None),
            ("", None),
        ] {
            assert_eq!(from_reflection(name).as_deref(), expected, "{name}");
        }
    }
}
