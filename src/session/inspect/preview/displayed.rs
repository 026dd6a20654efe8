//! An object as `[DebuggerDisplay]` of its type has it.

use super::line::WIDTH;
use super::{member_text, object};
use crate::session::inspect::display::Piece;
use crate::session::inspect::evaluated::Evaluated;
use crate::session::inspect::literal::{self, Raw};
use crate::session::inspect::path;
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;
use crate::session::inspect::shape::Form;
use crate::session::inspect::side_by_side;

/// What the type's author wants to be seen, where it only loads.
pub(super) async fn displayed(reader: &Reader, value: &RawValue, path: &str, pieces: &[Piece]) -> Option<String> {
    let at = Evaluated { value: value.clone(), load_path: path.to_owned() };
    let reads = pieces.iter().map(|piece| {
        let at = at.clone();
        async move {
            match piece {
                Piece::Text(text) => Some(text.clone()),
                Piece::Hole { path, bare } => {
                    let found = path::follow(reader, at, path).await.ok()?;
                    match found.value.parsed() {
                        Raw::Text(text) if *bare => Some(text),
                        _ => hole(reader, &found.value, &found.load_path).await,
                    }
                }
            }
        }
    });
    let text: String = side_by_side(reads).await.into_iter().collect::<Option<Vec<_>>>()?.concat();
    // one line, however long its parts are
    let quoted = literal::quote_cut(&text, WIDTH).0;
    Some(format!("{{{}}}", quoted.strip_prefix('"')?.strip_suffix('"')?.replace("\\\"", "\"")))
}

/// What a hole shows: an object by its members, as its type says nothing of it.
async fn hole(reader: &Reader, value: &RawValue, path: &str) -> Option<String> {
    let is_object = value.parsed() == Raw::Object && !value.is_boxed() && value.made.is_none();
    let shape = reader.shape(&value.type_name);
    match shape.form {
        // two types may show each other
        Form::Object if is_object && shape.display.is_none() => Some(object(reader, value, path, &shape).await.0),
        _ => member_text(reader, value, path).await,
    }
}
