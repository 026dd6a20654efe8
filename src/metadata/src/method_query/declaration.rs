//! Names that were copied from elsewhere: a declaration in source (`public int Order.Add(int)`), a disassembler's
//! (`int32 Order::Add(int32)`), or a line of a stack trace (`at Order.Add(Int32 line) in Order.cs:line 7`).

use crate::names;
use crate::signatures::TypeSig;

/// Without `at` before and the place behind.
pub(super) fn of_trace(text: &str) -> &str {
    let text = text.strip_prefix("at ").map_or(text, str::trim_start);
    match text.find(") in ") {
        Some(end) => text.get(..=end).unwrap_or(text),
        None => text,
    }
}

/// The type that a declaration returns, and the name. `None` for two words that are no declaration: those have parameters.
pub(super) fn split_return(text: &str, has_parameters: bool) -> Option<(Option<TypeSig>, &str)> {
    let mut name = text.trim();
    let mut returns = None;
    while let Some((word, rest)) = split_word(name) {
        name = rest;
        if is_modifier(word) {
            continue;
        }
        if !has_parameters || returns.is_some() {
            return None;
        }
        returns = Some(parse_type(word)?);
    }
    Some((returns, name))
}

/// Up to the first space outside brackets, and what follows. Spaces around a comma, a dot or a bracket end no word.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth -= 1,
            ' ' if depth == 0 => {
                let (word, rest) = (text.get(..at)?, text.get(at..)?.trim_start());
                let goes_on = word.ends_with(['.', '+']) || rest.starts_with(['.', '+', '<', '[', ',']);
                if !goes_on {
                    return Some((word, rest));
                }
            }
            _ => {}
        }
    }
    None
}

fn is_modifier(word: &str) -> bool {
    let of_csharp = [
        "public",
        "private",
        "protected",
        "internal",
        "static",
        "async",
        "virtual",
        "override",
        "abstract",
        "sealed",
        "new",
        "unsafe",
        "extern",
        "partial",
        "readonly",
        "ref",
    ];
    let of_disassembly = ["instance", "class", "valuetype"];
    of_csharp.contains(&word) || of_disassembly.contains(&word)
}

/// A type, in a disassembler's words too.
pub(super) fn parse_type(text: &str) -> Option<TypeSig> {
    let (name, suffix) = text.split_at(text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len()));
    let keyword = match name {
        "int8" => "sbyte",
        "int16" => "short",
        "int32" => "int",
        "int64" => "long",
        "uint8" => "byte",
        "uint16" => "ushort",
        "uint32" => "uint",
        "uint64" => "ulong",
        "float32" => "float",
        "float64" => "double",
        _ => return names::parse_type(text),
    };
    names::parse_type(&format!("{keyword}{suffix}"))
}
