//! Groups of objects of the heap: what the objects of each have in common.

use clr_csharp::syntax::{self, Expr, ExprKind};

use crate::dap;
use crate::session::inspect::{Reader, evaluate, literal, locals, preview};
use crate::session::report::Variable;
use crate::session::view::HeapGroup;

/// What the object is called in the expression.
const IT: &str = "it";

pub(super) async fn shown(reader: &Reader, group: dap::HeapGroup) -> HeapGroup {
    let dap::HeapGroup { value, count, bytes, example } = group;
    let (name, object) = (value.name.clone(), value.evaluate_name.clone());
    // an object is named, as it can be read and compared by that
    let expression = object.clone().or_else(|| of_example(&name, &example.name));
    let evaluated = match &expression {
        Some(expression) => evaluate::evaluate(reader, expression, false).await.ok(),
        None => None,
    };
    let shown = match evaluated {
        Some(found) => preview::variable(reader, &found.value, &found.load_path, literal::SHORT).await,
        None => locals::previews(reader, &[value.into()]).await.into_iter().next().unwrap_or_default(),
    };
    HeapGroup { value: Variable { name, path: object, ..shown }, count, bytes, example: example.name }
}

/// An expression over `it` as one over an object with a name.
fn of_example(expression: &str, name: &str) -> Option<String> {
    let mut places = Vec::new();
    find(&syntax::parse(expression).ok()?, &mut places)?;
    places.sort_unstable_by_key(|place| place.start);
    let (mut text, mut end) = (String::new(), 0);
    for place in places {
        // what is in a text has places of its own
        (expression.get(place.clone())? == IT).then_some(())?;
        text.push_str(expression.get(end..place.start)?);
        text.push_str(name);
        end = place.end;
    }
    text.push_str(expression.get(end..)?);
    Some(text)
}

/// Where an expression has the object; `None` where the name may stand for something else.
fn find(expr: &Expr, places: &mut Vec<std::ops::Range<usize>>) -> Option<()> {
    match &expr.kind {
        ExprKind::Name { alias: None, name } if name.text == IT => places.push(expr.span.clone()),
        ExprKind::Lambda(lambda) if lambda.parameters.iter().any(|parameter| parameter.name == IT) => return None,
        _ => {}
    }
    expr.children().into_iter().try_for_each(|child| find(child, places))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_is_replaced_by_its_name() {
        for (expression, expected) in [
            ("it.Carrier", Some("@7.Carrier")),
            ("(it.Carrier, it.Id % 2)", Some("(@7.Carrier, @7.Id % 2)")),
            ("it.Items.Count(x => x == it)", Some("@7.Items.Count(x => x == @7)")),
            ("order.it + \"it\"", Some("order.it + \"it\"")),
            ("it.Items.Count(it => it > 1)", None),
            ("it.", None),
        ] {
            assert_eq!(of_example(expression, "@7").as_deref(), expected, "{expression}");
        }
    }
}
