//! Calls for which an adapter finds no method: what those of that name take, and how the arguments are written to be taken. Adapters
//! compare types exactly and convert nothing; C# would take an `int` for a `long`.

use clr_metadata::{TypeSig, names};

use super::effects::parse::{Kind, Part, parse};
use super::operators::constant;
use super::passed_enums::Known;
use super::reader::Reader;
use super::type_names;

/// Overloads that are listed.
const LISTED: usize = 5;

/// Why no method was found for the call that `expression` is; `None` where no method of that name is known.
pub async fn mismatch(reader: &Reader, expression: &str) -> Option<String> {
    let part = parse(expression)?;
    let Kind::Call(receiver, name, arguments) = &part.kind else { return None };
    let known = Known::of(reader).await.ok()?;
    let (owner, overloads) = known.called_on(receiver.as_deref()).into_iter().find_map(|owner| {
        let overloads = known.universe.parameters(&owner, name);
        (!overloads.is_empty()).then_some((owner, overloads))
    })?;
    let given: Vec<Option<TypeSig>> = arguments.iter().map(|argument| type_of(&known, argument)).collect();
    // then it is not the types that the adapter refuses
    let is_exact = |overload: &Vec<TypeSig>| overload.iter().map(Some).eq(given.iter().map(Option::as_ref));
    if overloads.iter().any(is_exact) {
        return None;
    }
    let texts = |types: &[TypeSig]| types.iter().map(short).collect::<Vec<_>>().join(", ");
    let taken: Vec<String> =
        overloads.iter().take(LISTED).map(|overload| format!("{name}({})", texts(overload))).collect();
    let more = match overloads.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let types: Vec<String> = given.iter().map(|type_| type_.as_ref().map_or_else(|| "?".to_owned(), short)).collect();
    let begin = format!(
        "no overload of {}.{name} takes ({}): it has {}{more}",
        type_names::short(&owner),
        types.join(", "),
        taken.join(", ")
    );
    let written = overloads.iter().find_map(|overload| written(arguments, &given, overload));
    let advice = match written {
        Some(arguments) => {
            let receiver = receiver.as_ref().map(|it| format!("{}.", it.text)).unwrap_or_default();
            format!("write {receiver}{name}({arguments})")
        }
        None => "pass values of exactly these types".to_owned(),
    };
    Some(format!("{begin}; the adapter converts no arguments: {advice}"))
}

fn short(type_: &TypeSig) -> String {
    type_names::short(&type_.to_string())
}

fn type_of(known: &Known<'_>, argument: &Part) -> Option<TypeSig> {
    match &argument.kind {
        Kind::Harmless(_) if argument.text != "this" => names::parse_type(&constant(&argument.text)?.type_name()),
        _ => known.argument(argument),
    }
}

/// The arguments as literals of the types that an overload takes; `None` where one is no literal, or none of that type.
fn written(arguments: &[Part], given: &[Option<TypeSig>], overload: &[TypeSig]) -> Option<String> {
    if arguments.len() != overload.len() {
        return None;
    }
    let texts = arguments.iter().zip(given).zip(overload).map(|((argument, given), wanted)| {
        if given.as_ref() == Some(wanted) {
            return Some(argument.text.clone());
        }
        let is_digits = !argument.text.is_empty() && argument.text.bytes().all(|byte| byte.is_ascii_digit());
        let suffix = match short(wanted).as_str() {
            _ if !is_digits => return None,
            "long" => "L",
            "uint" => "U",
            "ulong" => "UL",
            "double" => ".0",
            "float" => "f",
            "decimal" => "m",
            _ => return None,
        };
        Some(format!("{}{suffix}", argument.text))
    });
    texts.collect::<Option<Vec<_>>>().map(|texts| texts.join(", "))
}
