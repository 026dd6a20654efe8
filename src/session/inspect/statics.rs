//! Paths that begin with the name of a type: `Store.Items[3]`. A type is no value, so an adapter is not asked for one.

use super::reader::Reader;
use crate::session::expression::Segment;

/// The part of a path that names a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeName {
    /// As it was written.
    pub text: String,
    /// With its namespace; of several types the first.
    pub full_name: String,
    /// Pieces of the path that it takes.
    pub pieces: usize,
}

/// The longest begin of a path that names a type, where its first name is no variable.
pub async fn leading_type(reader: &Reader, pieces: &[Segment]) -> Option<TypeName> {
    let mut texts: Vec<String> = Vec::new();
    for piece in pieces {
        let Segment::Name(name) = piece else { break };
        texts.push(texts.last().map_or_else(|| name.clone(), |before| format!("{before}.{name}")));
    }
    let first = texts.first()?.clone();
    let purity = reader.modules.purity();
    let find = move || {
        let named = |text: &String| Some((text.clone(), purity.types_named(text).into_iter().next()?));
        texts.iter().enumerate().rev().find_map(|(at, text)| named(text).map(|found| (at + 1, found)))
    };
    let (pieces, (text, full_name)) = tokio::task::spawn_blocking(find).await.ok()??;
    let variables = reader.variables().await.ok()?;
    let is_value = |variable: &super::RawValue| {
        variable.name == first
            || (variable.name == "this" && reader.modules.member_names(&variable.type_name).contains(&first))
    };
    (!variables.iter().any(is_value)).then_some(TypeName { text, full_name, pieces })
}
