//! Type names as people write them: no namespaces, C# keywords.

use clr_metadata::{Primitive, names};

/// `System.Collections.Generic.List<Basics.OrderLine>` -> `List<OrderLine>`, `System.ValueTuple<int, string>` -> `(int, string)`,
/// `System.Nullable<int>` -> `int?`.
pub fn short(full: &str) -> String {
    if let Some((result, _)) = async_box(full) {
        return if result.ends_with("VoidTaskResult") { "Task".into() } else { format!("Task<{}>", short(result)) };
    }
    // what `ToLookup` makes since .NET 10, which is a `Lookup`
    if let Some(arguments) = full.strip_prefix("System.Linq.CollectionLookup<") {
        return short(&format!("System.Linq.Lookup<{arguments}"));
    }
    let mut parser = Parser { rest: full.trim() };
    let short = parser.type_name();
    if parser.rest.is_empty() { short } else { format!("{short}{}", parser.rest) }
}

/// The result type and the state machine of an async method's task, whose real type is
/// `…AsyncTaskMethodBuilder<int>.AsyncStateMachineBox<Shop.Order.<LoadAsync>d__3>` (AsyncTaskMethodBuilderT.cs).
pub fn async_box(full: &str) -> Option<(&str, &str)> {
    let (builder, machine) = full.split_once(".AsyncStateMachineBox<")?;
    let (_, result) = builder.split_once("AsyncTaskMethodBuilder<")?;
    Some((result.strip_suffix('>')?, machine.strip_suffix('>')?))
}

/// `Order.LoadAsync` of the task of an async method.
pub fn async_method(full: &str) -> Option<String> {
    let (_, machine) = async_box(full)?;
    Some(names::describe(&format!("{machine}.MoveNext()")).function)
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn type_name(&mut self) -> String {
        let mut out = String::new();
        if self.rest.starts_with('(') {
            out = self.tuple();
            return self.suffix(out);
        }
        loop {
            let begin = self.mangled();
            let behind = self.rest.get(begin..).unwrap_or("");
            let end =
                behind.find(['.', '+', '<', '>', ',', '[', '?', '*', '&', ' ', ')']).unwrap_or(behind.len()) + begin;
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest;
            let arguments = if self.rest.starts_with('<') && !name.is_empty() { self.arguments() } else { Vec::new() };
            out = with_arguments(name, &arguments, &out);
            match self.rest.strip_prefix(['.', '+']) {
                // `Dictionary<K, V>.KeyCollection` keeps its outer type, a namespace goes
                Some(rest) => {
                    self.rest = rest;
                    if arguments.is_empty() {
                        out.clear();
                    } else {
                        out.push('.');
                    }
                }
                None => break,
            }
        }
        self.suffix(out)
    }

    /// `(Shop.Order, int Count)`, as C# writes it.
    fn tuple(&mut self) -> String {
        let mut elements = Vec::new();
        self.rest = self.rest.strip_prefix('(').unwrap_or(self.rest);
        while !self.rest.is_empty() && !self.rest.starts_with(')') {
            let before = self.rest.len();
            let type_ = self.type_name();
            let end = self.rest.find([',', ')']).unwrap_or(self.rest.len());
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest.trim_start_matches([',', ' ']);
            elements.push(format!("{type_}{name}"));
            if self.rest.len() == before {
                break;
            }
        }
        self.rest = self.rest.strip_prefix(')').unwrap_or(self.rest);
        format!("({})", elements.join(", "))
    }

    /// How long the angle brackets are that a name of the compiler's begins with (`<>f__AnonymousType0`, `<Main>d__3`).
    fn mangled(&self) -> usize {
        let mut depth = 0_usize;
        for (at, c) in self.rest.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return if at == 0 { 0 } else { at + c.len_utf8() };
            }
        }
        0
    }

    fn arguments(&mut self) -> Vec<String> {
        let mut list = Vec::new();
        self.rest = self.rest.strip_prefix('<').unwrap_or(self.rest);
        while !self.rest.is_empty() && !self.rest.starts_with('>') {
            let before = self.rest.len();
            list.push(self.type_name());
            self.rest = self.rest.trim_start_matches([',', ' ']);
            if self.rest.len() == before {
                break;
            }
        }
        self.rest = self.rest.strip_prefix('>').unwrap_or(self.rest);
        list
    }

    fn suffix(&mut self, mut out: String) -> String {
        while let Some(c) = self.rest.chars().next() {
            match c {
                '?' | '*' | '&' => {
                    out.push(c);
                    self.rest = self.rest.get(1..).unwrap_or("");
                }
                '[' => {
                    let end = self.rest.find(']').map_or(self.rest.len(), |at| at + 1);
                    let (rank, rest) = self.rest.split_at(end);
                    out.push_str(rank);
                    self.rest = rest;
                }
                _ => break,
            }
        }
        out
    }
}

fn with_arguments(name: &str, arguments: &[String], outer: &str) -> String {
    // the arity mark of a metadata name
    let name = names::clean_type(name.split('`').next().unwrap_or(name));
    match (name, arguments) {
        // one of the program, and one that an expression makes
        (name, _) if name.starts_with("<>f__AnonymousType") || name == "<>AnonymousType" => {
            "<anonymous type>".to_owned()
        }
        (_, []) => format!("{outer}{}", keyword(name)),
        ("Nullable", [inner]) => format!("{inner}?"),
        // from the eighth item on they are in a tuple of their own
        ("ValueTuple", [first @ .., rest]) if first.len() == 7 && rest.starts_with('(') => {
            format!("({}, {}", first.join(", "), rest.trim_start_matches('('))
        }
        ("ValueTuple", items) if items.len() > 1 => format!("({})", items.join(", ")),
        (_, items) => format!("{outer}{name}<{}>", items.join(", ")),
    }
}

/// `int` of `Int32`.
fn keyword(name: &str) -> &str {
    match name {
        "Decimal" => "decimal",
        "TypedReference" => name,
        _ => match Primitive::from_name(&format!("System.{name}")) {
            Some(primitive) => primitive.keyword(),
            None => name,
        },
    }
}

/// Whether C# writes values of this (short) type so that the literal shows the type.
pub fn literal_shows_type(short: &str) -> bool {
    matches!(short, "int" | "long" | "uint" | "ulong" | "decimal" | "double" | "float" | "bool" | "char" | "string")
}

/// Whether a value of this short type, or of its `?`, is a literal.
pub fn is_primitive(short: &str) -> bool {
    let base = short.strip_suffix('?').unwrap_or(short);
    literal_shows_type(base) || matches!(base, "byte" | "sbyte" | "short" | "ushort" | "nint" | "nuint")
}

/// The arguments of the outermost generic: `Dictionary<string, List<int>>` -> `["string", "List<int>"]`.
/// Those of a tuple are its elements, however it is written.
pub fn generic_arguments(name: &str) -> Vec<String> {
    if name.starts_with('(') {
        return elements(name).into_iter().map(|(type_, _)| type_.to_owned()).collect();
    }
    let Some(open) = name.find('<') else { return Vec::new() };
    let inner = name.get(open + 1..name.rfind('>').unwrap_or(name.len())).unwrap_or("");
    listed(inner).into_iter().map(str::to_owned).collect()
}

/// The types of the elements of a tuple as C# writes it, `(int Left, string)`, and their names.
pub fn elements(name: &str) -> Vec<(&str, Option<&str>)> {
    let inner = name.strip_prefix('(').and_then(|rest| rest.get(..rest.rfind(')')?));
    listed(inner.unwrap_or_default()).into_iter().map(labelled).collect()
}

/// `int Left`: the type and the name.
fn labelled(element: &str) -> (&str, Option<&str>) {
    let mut depth = 0usize;
    for (at, c) in element.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => return (element.get(..at).unwrap_or(element), element.get(at + 1..)),
            _ => {}
        }
    }
    (element, None)
}

/// What an adapter prints of a type, as the source declares it, with the names of the elements of tuples. `None`: it is another type, or
/// there is no tuple in it.
pub fn with_element_names(printed: &str, declared: &str) -> Option<String> {
    let is_it =
        declared.contains('(') && printed != declared && names::parse_type(printed)? == names::parse_type(declared)?;
    is_it.then(|| declared.to_owned())
}

/// What stands between commas that are in no brackets.
fn listed(inner: &str) -> Vec<&str> {
    let (mut depth, mut start, mut list) = (0usize, 0usize, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                list.push(inner.get(start..at).unwrap_or("").trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = inner.get(start..).unwrap_or("").trim();
    if !last.is_empty() {
        list.push(last);
    }
    list
}

/// The name without its generic arguments and rank: `System.Collections.Generic.List<int>` -> `System.Collections.Generic.List`.
pub fn bare(name: &str) -> &str {
    name.split(['<', '[', '?']).next().unwrap_or(name)
}

/// The full name of the definition: without arguments, arity marks and rank, nested types behind a dot.
/// `System.Collections.Generic.Dictionary<string, int>.KeyCollection` -> `System.Collections.Generic.Dictionary.KeyCollection`.
pub fn definition(name: &str) -> String {
    if name.starts_with('(') {
        return "System.ValueTuple".into();
    }
    let mut out = String::with_capacity(name.len());
    let mut depth = 0usize;
    let mut in_arity = false;
    for c in name.chars() {
        in_arity = in_arity && c.is_ascii_digit();
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '[' | '?' if depth == 0 => break,
            '`' if depth == 0 => in_arity = true,
            '+' if depth == 0 => out.push('.'),
            _ if depth == 0 && !in_arity => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened() {
        for (full, expected) in [
            ("int", "int"),
            ("System.Int32", "int"),
            ("Basics.Order", "Order"),
            ("System.Collections.Generic.List<Basics.OrderLine>", "List<OrderLine>"),
            (
                "System.Collections.Generic.Dictionary<string, System.Collections.Generic.List<int>>",
                "Dictionary<string, List<int>>",
            ),
            (
                "System.Collections.Generic.Dictionary<string, int>.KeyCollection",
                "Dictionary<string, int>.KeyCollection",
            ),
            ("System.Collections.Generic.Dictionary<string, int>.Entry[]", "Dictionary<string, int>.Entry[]"),
            ("System.ValueTuple<int, string>", "(int, string)"),
            (
                "System.ValueTuple<int, int, int, int, int, int, int, System.ValueTuple<int, string>>",
                "(int, int, int, int, int, int, int, int, string)",
            ),
            (
                "System.Collections.Generic.List<(Shop.Circuit, System.Collections.Generic.List<Shop.A> Items)>",
                "List<(Circuit, List<A> Items)>",
            ),
            ("(string, Shop.Circuit, int[])[]", "(string, Circuit, int[])[]"),
            ("System.Func<(int A, (Shop.B, int) C)?, bool>", "Func<(int A, (B, int) C)?, bool>"),
            ("System.Nullable<int>", "int?"),
            ("int?", "int?"),
            ("int[,]", "int[,]"),
            ("System.String[][]", "string[][]"),
            ("System.Func<int, System.DateTime>", "Func<int, DateTime>"),
            ("IntPtr", "nint"),
            ("<>f__AnonymousType0<string, int>", "<anonymous type>"),
            ("<>AnonymousType[]", "<anonymous type>[]"),
            ("System.Func<Shop.Order, <>f__AnonymousType0<string, int>>", "Func<Order, <anonymous type>>"),
            ("Shop.Program.<Main>d__3", "<Main>d__3"),
            ("", ""),
        ] {
            assert_eq!(short(full), expected, "{full}");
        }
    }

    #[test]
    fn a_definition_has_no_arguments() {
        for (name, expected) in [
            (
                "System.Collections.Generic.List<System.Collections.Generic.List<int>>",
                "System.Collections.Generic.List",
            ),
            (
                "System.Collections.Generic.Dictionary<string, int>.KeyCollection",
                "System.Collections.Generic.Dictionary.KeyCollection",
            ),
            ("System.Collections.Frozen.FrozenDictionary`2", "System.Collections.Frozen.FrozenDictionary"),
            ("A.Outer`1+Inner`2", "A.Outer.Inner"),
            ("System.DateTime?", "System.DateTime"),
            ("(int Left, string Right)?", "System.ValueTuple"),
        ] {
            assert_eq!(definition(name), expected);
        }
    }

    #[test]
    fn arguments_are_split_at_their_own_commas() {
        assert_eq!(generic_arguments("Dictionary<string, List<(int, int)>>"), ["string", "List<(int, int)>"]);
        assert!(generic_arguments("int").is_empty());
        assert_eq!(generic_arguments("(int Left, List<(int, int)> Right)"), ["int", "List<(int, int)>"]);
    }

    #[test]
    fn elements_of_tuples_have_names_where_the_source_gives_them() {
        let pair = "(int Left, (System.DateTime From, int) Span, string)";
        let found = [("int", Some("Left")), ("(System.DateTime From, int)", Some("Span")), ("string", None)];
        assert_eq!(elements(pair), found);
        assert!(elements("System.ValueTuple<int, int>").is_empty());
        for (printed, declared, is_it) in [
            ("System.ValueTuple<int, string>", "(int Left, string Right)", true),
            (
                "System.Collections.Generic.List<System.ValueTuple<int, string>>",
                "System.Collections.Generic.List<(int Left, string Right)>",
                true,
            ),
            ("System.ValueTuple<int, string>[]", "(int Left, string Right)[]", true),
            ("System.ValueTuple<int, int>", "(int Left, string Right)", false),
            ("System.Collections.Generic.List<int>", "System.Collections.Generic.IEnumerable<(int A, int B)>", false),
            ("int", "int", false),
        ] {
            let named = with_element_names(printed, declared);
            assert_eq!(named.as_deref(), is_it.then_some(declared), "{printed}");
        }
    }
}
