//! Types whose values are texts or numbers of versions.

use clr_metadata::names::from_reflection;

use super::known::{Named, Part};
use crate::session::inspect::field_values::Fields;
use crate::session::inspect::literal;
use crate::session::type_names;

/// The first field.
pub(super) fn text(fields: &Fields) -> Option<String> {
    fields.text(0)
}

/// Parts that are not given are -1.
pub(super) fn version(fields: &Fields) -> Option<String> {
    let parts = (0..4).map(|at| fields.integer(at)).collect::<Option<Vec<_>>>()?;
    let given = parts.into_iter().filter(|part| *part >= 0);
    Some(given.map(|part| part.to_string()).collect::<Vec<_>>().join("."))
}

/// WebName of the code pages that .NET has without a package, by `_codePage`.
pub(super) fn encoding(fields: &Fields) -> Option<String> {
    Some(match fields.integer(0)? {
        65_001 => "utf-8".to_owned(),
        28_591 => "iso-8859-1".to_owned(),
        20_127 => "us-ascii".to_owned(),
        1_200 => "utf-16".to_owned(),
        1_201 => "utf-16BE".to_owned(),
        12_000 => "utf-32".to_owned(),
        12_001 => "utf-32BE".to_owned(),
        other => format!("code page {other}"),
    })
}

/// A code point.
pub(super) fn rune(fields: &Fields) -> Option<String> {
    let c = char::from_u32(u32::try_from(fields.integer(0)?).ok()?)?;
    let quoted = crate::session::inspect::literal::quote(&c.to_string());
    Some(format!("'{}'", quoted.trim_start_matches('"').trim_end_matches('"')))
}

/// Fields: _a to _k.
pub(super) fn guid(fields: &Fields) -> Option<String> {
    let parts: Option<Vec<i128>> = (0..11).map(|at| fields.integer(at)).collect();
    let [a, b, c, d, e, f, g, h, i, j, k] = <[i128; 11]>::try_from(parts?).ok()?;
    let (a, b, c) = (a as u32, b as u16, c as u16);
    Some(format!("{a:08x}-{b:04x}-{c:04x}-{d:02x}{e:02x}-{f:02x}{g:02x}{h:02x}{i:02x}{j:02x}{k:02x}"))
}

/// Characters of a string that a `Memory<char>` shows. Fields: _object, _index, _length.
pub(super) fn slice(fields: &Fields) -> Option<String> {
    if fields.is_null(0) {
        return Some(String::new());
    }
    let text: Vec<u16> = fields.text(0)?.encode_utf16().collect();
    let start = usize::try_from(fields.integer(1)? & 0x7fff_ffff).ok()?;
    let end = start.checked_add(usize::try_from(fields.integer(2)?).ok()?)?;
    text.get(start..end).map(String::from_utf16_lossy)
}

/// A group of a match, or the match. Fields: _capcount, Text, Index, Length.
pub(super) fn group(fields: &Fields) -> Option<Named> {
    let success = fields.integer(0)? > 0;
    let mut members = vec![("Success", Part::Shown(success.to_string()))];
    if success {
        let units: Vec<u16> = fields.text(1)?.encode_utf16().collect();
        let start = usize::try_from(fields.integer(2)?).ok()?;
        let value = units.get(start..start.checked_add(usize::try_from(fields.integer(3)?).ok()?)?)?;
        members.push(("Value", quoted(&String::from_utf16_lossy(value))));
    }
    Some(members)
}

fn quoted(text: &str) -> Part {
    Part::Shown(literal::quote_cut(text, literal::SHORT).0)
}

/// `{namespace}local`, as its `ToString` has it. Fields: _localName, that of the namespace.
pub(super) fn xml_name(fields: &Fields) -> Option<String> {
    let local = fields.text(0)?;
    Some(match fields.text(1).filter(|namespace| !namespace.is_empty()) {
        Some(namespace) => format!("{{{namespace}}}{local}"),
        None => local,
    })
}

/// Fields: those of its name, content, which is a text, a node or null.
pub(super) fn xml_element(fields: &Fields) -> Option<Named> {
    let mut members = vec![("Name", quoted(&xml_name(fields)?))];
    members.extend(fields.text(2).map(|text| ("Value", quoted(&text))));
    Some(members)
}

/// Fields: those of its name, value.
pub(super) fn xml_attribute(fields: &Fields) -> Option<Named> {
    Some(vec![("Name", quoted(&xml_name(fields)?)), ("Value", quoted(&fields.text(2)?))])
}

/// Fields: _length, _position, _origin.
pub(super) fn memory_stream(fields: &Fields) -> Option<Named> {
    let origin = fields.integer(2)?;
    let part = |at| fields.integer(at).map(|number| Part::Shown((number - origin).to_string()));
    Some(vec![("Length", part(0)?), ("Position", part(1)?)])
}

/// `typeof(Shop.Order)`; the name is computed by the runtime, so it is there only where values were asked for.
pub(super) fn type_of(fields: &Fields) -> Option<String> {
    let name = fields.text(0).or_else(|| fields.text(1))?;
    Some(format!("typeof({})", from_reflection(&name).unwrap_or(name)))
}

/// `Account.Balance`; both names are computed by the runtime, as those of a type.
pub(super) fn member(fields: &Fields) -> Option<String> {
    let name = fields.text(1)?;
    let declaring = fields.text(0).map(|name| type_names::short(&from_reflection(&name).unwrap_or(name)));
    Some(declaring.map_or(name.clone(), |declaring| format!("{declaring}.{name}")))
}
