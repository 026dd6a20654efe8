//! A sequence of what an expression composed (`items.Select(x => new { x.Id, x.Name })`) has more in it than a line shows.

use super::element_text;
use crate::session::inspect::made::{Made, Shape};
use crate::session::inspect::reader::Reader;
use crate::session::inspect::side_by_side;
use crate::session::report::{Content, Variable};

/// Elements that a line shows.
const LINE: usize = 2;

/// The elements by their members, all of the same names. `None`: a line is enough, or they have no members in common.
pub async fn rows(reader: &Reader, made: &Made) -> Option<Vec<Variable>> {
    if made.shape != Shape::Sequence || made.parts.len() <= LINE {
        return None;
    }
    let mut columns: Option<Vec<&str>> = None;
    let mut rows = Vec::new();
    for element in &made.parts {
        let of = element.value.made.as_ref().filter(|it| matches!(it.shape, Shape::Members | Shape::Tuple))?;
        let names: Vec<&str> = of.parts.iter().map(|part| part.name.as_str()).collect();
        if *columns.get_or_insert_with(|| names.clone()) != names {
            return None;
        }
        let texts = of.parts.iter().map(|part| element_text(reader, &part.value, &part.load_path));
        let texts = side_by_side(texts).await;
        let cells = names.iter().zip(texts).map(|(name, text)| Variable {
            name: (*name).to_owned(),
            content: Content::Value(text),
            ..Variable::default()
        });
        let content = Content::Members(cells.collect());
        rows.push(Variable { name: element.name.clone(), content, ..Variable::default() });
    }
    Some(rows)
}
