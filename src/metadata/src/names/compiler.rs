//! The names that Roslyn generates: `<` source name `>` kind letter, then a suffix.

/// What a compiler-generated method was in source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method<'a> {
    /// A name of the source itself; `<Main>$` (top-level statements) and `<Clone>$` count as `Main` and `Clone`.
    Plain(&'a str),
    /// The wrapper around an async `Main`, which the runtime calls.
    EntryWrapper(&'a str),
    /// Which method the lambda stands in (itself possibly generated).
    Lambda {
        within: &'a str,
    },
    LocalFunction {
        within: &'a str,
        name: &'a str,
    },
}

/// `(within, letter, suffix)` of `<within>x…`.
fn generated(raw: &str) -> Option<(&str, char, &str)> {
    let mut depth = 0usize;
    for (index, byte) in raw.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            let within = raw.get(1..index)?;
            let behind = raw.get(index + 1..)?;
            let letter = behind.chars().next()?;
            return Some((within, letter, behind.get(letter.len_utf8()..)?));
        }
    }
    None
}

pub(crate) fn method_origin(raw: &str) -> Method<'_> {
    if !raw.starts_with('<') {
        return Method::Plain(raw);
    }
    match generated(raw) {
        Some((within, 'b', _)) => Method::Lambda { within },
        Some((within, 'g', suffix)) => {
            // `__Local|0_2`; the name itself may be `_`
            let name = suffix.strip_prefix("__").unwrap_or(suffix);
            let name = name.split_once('|').map_or(name, |(name, _)| name);
            Method::LocalFunction { within, name }
        }
        Some((within, '$', "")) => Method::Plain(within),
        // Nothing behind the bracket: `<Main>`.
        None if raw.ends_with('>') => Method::EntryWrapper(raw.get(1..raw.len() - 1).unwrap_or(raw)),
        _ => Method::Plain(raw),
    }
}

/// A method's name as debuggers for C# show it: `Main.AnonymousMethod__0_0` of the lambda `<Main>b__0_0`, `Main.Local` of a local
/// function. A name of the source stays as it is.
pub fn method_for_people(raw: &str) -> String {
    match method_origin(raw) {
        Method::Plain(name) => name.to_owned(),
        Method::EntryWrapper(_) => raw.to_owned(),
        Method::Lambda { within } => {
            let suffix = generated(raw).map_or("", |(.., suffix)| suffix);
            format!("{}.AnonymousMethod{suffix}", method_for_people(within))
        }
        Method::LocalFunction { within, name } => format!("{}.{name}", method_for_people(within)),
    }
}

/// The method whose state machine a type is: `<FetchAsync>d__3` → `FetchAsync`, `<<Main>$>b__0_2>d` → `<Main>$>b__0_2`'s full
/// name `<<Main>$>b__0_2`.
pub(crate) fn state_machine_of(type_name: &str) -> Option<&str> {
    match generated(type_name)? {
        (within, 'd', _) if !within.is_empty() => Some(within),
        _ => None,
    }
}

/// Whether a type is the state machine of a method, a lambda or a local function, by its name alone or with its namespace.
pub fn is_state_machine(type_name: &str) -> bool {
    type_name.rsplit('+').next().and_then(state_machine_of).is_some()
}

/// `<>c`, `<>c__DisplayClass2_0`: where lambdas and captured variables live.
pub(crate) fn is_closure(type_name: &str) -> bool {
    matches!(generated(type_name), Some(("", 'c', suffix)) if suffix.is_empty() || suffix.starts_with("__"))
}

/// What a field was in source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldOrigin<'a> {
    /// As written.
    Plain(&'a str),
    /// `<Total>k__BackingField`.
    BackingOf(&'a str),
    /// `<label>5__2` of a state machine: a local, and the number that keys its scope (from 1).
    HoistedLocal { name: &'a str, slot: u32 },
    /// `<>4__this`.
    This,
    /// `<>8__1`, `CS$<>8__locals1`: another closure, whose fields are captured variables.
    Closure,
    /// `<customer>P`: a captured primary constructor parameter.
    PrimaryParameter(&'a str),
    /// State, builder, awaiters, temporaries: nothing that the source knows.
    Generated,
}

pub fn field_origin(raw: &str) -> FieldOrigin<'_> {
    if raw.starts_with("CS$<>8__locals") {
        return FieldOrigin::Closure;
    }
    if !raw.starts_with('<') {
        return if raw.starts_with("CS$") { FieldOrigin::Generated } else { FieldOrigin::Plain(raw) };
    }
    match generated(raw) {
        Some((property, 'k', "__BackingField")) => FieldOrigin::BackingOf(property),
        Some(("", '4', "__this")) => FieldOrigin::This,
        Some(("", '8', _)) => FieldOrigin::Closure,
        Some((name, '5', suffix)) if !name.is_empty() => match suffix.trim_start_matches('_').parse() {
            Ok(slot) => FieldOrigin::HoistedLocal { name, slot },
            Err(_) => FieldOrigin::Generated,
        },
        // `<>3__count` keeps an iterator's parameter for the next enumeration.
        Some((name, 'P', "")) if !name.is_empty() => FieldOrigin::PrimaryParameter(name),
        _ => FieldOrigin::Generated,
    }
}

/// The method that the code of a lambda or a local function is written in, as its name in metadata has it; of any other the name itself.
pub fn written_in(raw: &str) -> &str {
    match method_origin(raw) {
        Method::Lambda { within } | Method::LocalFunction { within, .. } => within,
        _ => raw,
    }
}

/// The name in source of a local function.
pub fn local_function(raw: &str) -> Option<&str> {
    match method_origin(raw) {
        Method::LocalFunction { name, .. } => Some(name),
        _ => None,
    }
}

/// Whether a type holds what lambdas and local functions capture: by its name in metadata, alone or with its namespace.
pub fn is_display_class(type_name: &str) -> bool {
    type_name.rsplit('+').next().is_some_and(|last| last.starts_with("<>c__DisplayClass"))
}

/// The number among the hoisted locals of a machine of a closure in it: `<>8__3`.
pub fn closure_slot(field: &str) -> Option<u32> {
    field.strip_prefix("<>8__")?.parse().ok()
}

/// The property of an anonymous type that a field holds: `<part>i__Field`.
pub fn anonymous_property(field: &str) -> Option<&str> {
    field.strip_prefix('<')?.strip_suffix(">i__Field")
}

/// What holds the range variables of a query from its second clause on, in objects of anonymous types.
pub fn is_transparent_identifier(name: &str) -> bool {
    name.starts_with("<>h__TransparentIdentifier")
}

/// The name in source of a generated field, local or method; plain names come back as they are.
/// `None` for what has no name in source.
pub fn source_name(raw: &str) -> Option<&str> {
    match field_origin(raw) {
        FieldOrigin::Plain(name) | FieldOrigin::BackingOf(name) | FieldOrigin::PrimaryParameter(name) => Some(name),
        FieldOrigin::HoistedLocal { name, .. } => Some(name),
        FieldOrigin::This => Some("this"),
        FieldOrigin::Closure => None,
        FieldOrigin::Generated => match method_origin(raw) {
            Method::Plain(name) | Method::EntryWrapper(name) if name != raw => Some(name),
            Method::LocalFunction { name, .. } => Some(name),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_shown_by_where_its_code_is_written() {
        for (raw, expected) in [
            ("Add", "Add"),
            (".ctor", ".ctor"),
            ("<Main>$", "Main"),
            ("<Main>", "<Main>"),
            ("<Main>b__0_1", "Main.AnonymousMethod__0_1"),
            ("<<Main>$>b__0_2", "Main.AnonymousMethod__0_2"),
            ("<Main>g__Local|2_0", "Main.Local"),
            ("<<Main>g__Local|2_0>b__1", "Main.Local.AnonymousMethod__1"),
        ] {
            assert_eq!(method_for_people(raw), expected);
        }
    }

    #[test]
    fn methods_are_traced_to_their_source() {
        for (raw, origin) in [
            ("Add", Method::Plain("Add")),
            ("<Main>$", Method::Plain("Main")),
            ("<Clone>$", Method::Plain("Clone")),
            ("<Main>", Method::EntryWrapper("Main")),
            ("<Meet>b__1", Method::Lambda { within: "Meet" }),
            ("<<Main>$>b__0_1", Method::Lambda { within: "<Main>$" }),
            ("<Main>g__Local|2", Method::LocalFunction { within: "Main", name: "Local" }),
            ("<DistinctBy>g___|0_0", Method::LocalFunction { within: "DistinctBy", name: "_" }),
            ("<<Main>$>g__Helper|0_3", Method::LocalFunction { within: "<Main>$", name: "Helper" }),
        ] {
            assert_eq!(method_origin(raw), origin, "{raw}");
        }
        assert_eq!(state_machine_of("<FetchAsync>d__3"), Some("FetchAsync"));
        assert_eq!(state_machine_of("<<<Main>$>b__0_2>d"), Some("<<Main>$>b__0_2"));
        assert_eq!(state_machine_of("<>c"), None);
        assert_eq!(state_machine_of("Downloader"), None);
        assert!(is_closure("<>c") && is_closure("<>c__DisplayClass2_0") && !is_closure("<FetchAsync>d__3"));
    }

    #[test]
    fn fields_are_traced_to_their_source() {
        for (raw, origin) in [
            ("_count", FieldOrigin::Plain("_count")),
            ("<Total>k__BackingField", FieldOrigin::BackingOf("Total")),
            ("<label>5__2", FieldOrigin::HoistedLocal { name: "label", slot: 2 }),
            ("<>4__this", FieldOrigin::This),
            ("<>8__1", FieldOrigin::Closure),
            ("CS$<>8__locals1", FieldOrigin::Closure),
            ("<name>P", FieldOrigin::PrimaryParameter("name")),
            ("<>1__state", FieldOrigin::Generated),
            ("<>u__1", FieldOrigin::Generated),
            ("<>3__count", FieldOrigin::Generated),
            ("<>", FieldOrigin::Generated),
            ("<", FieldOrigin::Generated),
        ] {
            assert_eq!(field_origin(raw), origin, "{raw}");
        }
    }
}
