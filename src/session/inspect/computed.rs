//! An expression of operators, computed: operands are read side by side with what C# needs to know of them.

use super::evaluate::{EvalError, Evaluated, operand};
use super::expression::is_path;
use super::operators::integers::IntType;
use super::operators::{Expr, Fault, Known, Operand, binary, lifted};
use super::reader::{Access, RawValue, ReadError, Reader, join};
use super::{bounds, enums, hidden, identity, preview, text, type_tests};
use crate::session::error::Code;

/// The value of `expr` in the reader's frame.
pub async fn evaluate(reader: &Reader, expr: &Expr, side_effects: bool) -> Result<Evaluated, EvalError> {
    let result = compute(reader, expr, side_effects).await?;
    Ok(Evaluated { load_path: result.text.clone(), value: result.into_raw() })
}

pub(super) async fn compute(reader: &Reader, expr: &Expr, run: bool) -> Result<Operand, EvalError> {
    match expr {
        Expr::Constant(constant) => Ok(constant.clone()),
        Expr::Operand(text) => read(reader, text, run).await,
        Expr::Unary(sign, inner) => {
            let inner = Box::pin(compute(reader, inner, run)).await?;
            match binary::unary(sign, &inner).map_err(fault)? {
                Some(result) => Ok(result),
                None => by_adapter(reader, format!("{sign}{}", lifted::unlifted(&inner)), run).await,
            }
        }
        Expr::Cast(name, inner) => {
            let inner = Box::pin(compute(reader, inner, run)).await?;
            let is_boxed = inner.read.as_ref().is_some_and(preview::is_boxed);
            let is_ours = is_keyword(name) || is_boxed && name == "bool";
            if !is_ours {
                let to = enums::named(reader, name);
                if let Some(result) = to.and_then(|to| binary::cast_to_enum(&to, &inner)) {
                    return Ok(result);
                }
                return match type_tests::converted(reader, name, &inner).await {
                    Some(result) => result,
                    None => by_adapter(reader, format!("({name}){}", inner.text), run).await,
                };
            }
            let inner = match is_boxed {
                true => unboxed(reader, name, &inner).await?,
                false => inner,
            };
            binary::cast(name, &inner).map_err(fault)?.ok_or_else(|| {
                failed(format!("`{}` of type {} cannot be cast to {name} here", inner.text, inner.type_name()))
            })
        }
        Expr::Is { inner, type_, holds } => {
            let inner = Box::pin(compute(reader, inner, run)).await?;
            Ok(Operand::computed(Known::Bool(type_tests::is(reader, &inner, type_).await? == *holds)))
        }
        Expr::As(inner, type_) => {
            let inner = Box::pin(compute(reader, inner, run)).await?;
            type_tests::as_type(reader, inner, type_).await
        }
        Expr::Conditional(test, then, otherwise) => {
            let test = Box::pin(compute(reader, test, run)).await?;
            let Known::Bool(holds) = test.known else {
                return Err(failed(format!("`?:` needs a bool, not {}", test.type_name())));
            };
            let (chosen, other) = if holds { (then, otherwise) } else { (otherwise, then) };
            let result = Box::pin(compute(reader, chosen, run)).await?;
            match result.known {
                Known::Int(kind, number) => widened(reader, (kind, number), other).await.map(|it| it.unwrap_or(result)),
                _ => Ok(result),
            }
        }
        Expr::Binary(left, sign @ ("&&" | "||"), right) => {
            // as C# does: the right side only where the left one leaves it open
            let first = Box::pin(compute(reader, left, run)).await?;
            let first_holds = condition(&first, sign)?;
            if first_holds == (*sign == "||") {
                return Ok(Operand::computed(Known::Bool(first_holds)));
            }
            let second = Box::pin(compute(reader, right, run)).await?;
            Ok(Operand::computed(Known::Bool(condition(&second, sign)?)))
        }
        Expr::Binary(left, "??", right) => {
            let first = Box::pin(compute(reader, left, run)).await?;
            match first.known {
                Known::Null => Box::pin(compute(reader, right, run)).await,
                _ => Ok(first),
            }
        }
        Expr::Binary(left, sign @ ("==" | "!="), right) if boxes(left) || boxes(right) => {
            compare_with_box(reader, (left, sign, right), run).await
        }
        Expr::Binary(left, sign, right) => {
            let may_be_objects =
                matches!((&**left, &**right), (Expr::Operand(one), Expr::Operand(other)) if one != other);
            let (left, right) = match (&**left, *sign, &**right) {
                (Expr::Operand(text), "==" | "!=", Expr::Constant(literal)) => {
                    (compared(reader, text, literal, run).await?, literal.clone())
                }
                (Expr::Constant(literal), "==" | "!=", Expr::Operand(text)) => {
                    (literal.clone(), compared(reader, text, literal, run).await?)
                }
                (left, _, right) => {
                    let left = Box::pin(compute(reader, left, run)).await?;
                    (left, Box::pin(compute(reader, right, run)).await?)
                }
            };
            if let (true, "==" | "!=", Known::Text(one), Known::Text(other)) =
                (may_be_objects, *sign, &left.known, &right.known)
                && one == other
                && (hidden::is_object(reader, &left.text) || hidden::is_object(reader, &right.text))
            {
                return Err(failed(identity::equal_texts(&left.text, &right.text)));
            }
            if matches!(*sign, "==" | "!=")
                && let Some(type_) = equality_with_null(reader, &left, &right)
            {
                return by_operator(reader, &type_, (&left, sign, &right), run).await;
            }
            match binary::binary(&left, sign, &right).map_err(fault)? {
                Some(result) => Ok(lifted::typed(result, &left, sign, &right)),
                None => not_ours(reader, (&left, sign, &right), run).await,
            }
        }
    }
}

/// An integer as the type that it shares with the branch of a `?:` that is not taken (ECMA-334, 12.18); `None` where it keeps its own.
/// That branch runs only what changes nothing, and may well fail: its value is nobody's.
async fn widened(reader: &Reader, (kind, number): (IntType, i128), other: &Expr) -> Result<Option<Operand>, EvalError> {
    let Ok(other) = Box::pin(compute(reader, other, false)).await else { return Ok(None) };
    Ok(match other.known {
        Known::Int(wider, _) if kind.converts_to(wider) => Some(Operand::computed(Known::Int(wider, number))),
        Known::Decimal(_) => Some(Operand::computed(Known::Decimal(number.into()))),
        Known::Floating("double") => Some(by_adapter(reader, format!("{number}.0"), true).await?),
        Known::Floating("float") => Some(by_adapter(reader, format!("{number}.0f"), true).await?),
        _ => None,
    })
}

/// `(object)x`, which makes a box of a value.
fn boxes(expr: &Expr) -> bool {
    matches!(expr, Expr::Cast(name, _) if matches!(name.as_str(), "object" | "System.Object" | "dynamic"))
}

/// A new box is no object that is there already, nor another new one.
async fn compare_with_box(
    reader: &Reader,
    (left, sign, right): (&Expr, &str, &Expr),
    run: bool,
) -> Result<Operand, EvalError> {
    let (one, other) = (object(reader, left, run).await?, object(reader, right, run).await?);
    let is_new = |(expr, operand): &(&Expr, &Operand)| boxes(expr) && is_value(reader, operand);
    let sides = [(left, &one), (right, &other)];
    if sides.iter().any(is_new) {
        let is_number = |(expr, operand): &(&Expr, &Operand)| !boxes(expr) && is_value(reader, operand);
        if let Some((_, number)) = sides.iter().find(|side| is_number(side)) {
            let words = format!(
                "operator '{sign}' cannot be applied to operands of type 'object' and '{}'",
                number.type_name()
            );
            return Err(failed(words));
        }
        return Ok(Operand::computed(Known::Bool(sign == "!=")));
    }
    match binary::binary(&one, sign, &other).map_err(fault)? {
        Some(result) if !matches!((&one.known, &other.known), (Known::Text(_), Known::Text(_))) => Ok(result),
        _ => not_ours(reader, (&one, sign, &other), run).await,
    }
}

/// What is seen as an object, itself.
async fn object(reader: &Reader, expr: &Expr, run: bool) -> Result<Operand, EvalError> {
    match expr {
        Expr::Cast(_, inner) if boxes(expr) => Box::pin(compute(reader, inner, run)).await,
        _ => Box::pin(compute(reader, expr, run)).await,
    }
}

/// It is a number, or a struct, that lies in no box.
fn is_value(reader: &Reader, operand: &Operand) -> bool {
    let is_struct = |read: &RawValue| reader.modules.shape(&read.type_name).is_value_type;
    match &operand.known {
        Known::Null | Known::Text(_) => false,
        _ if operand.read.as_ref().is_some_and(preview::is_boxed) => false,
        Known::Other(_) => operand.read.as_ref().is_some_and(is_struct),
        _ => true,
    }
}

/// An operator that is not computed here, of operands as adapters take them.
async fn not_ours(
    reader: &Reader,
    (left, sign, right): (&Operand, &str, &Operand),
    run: bool,
) -> Result<Operand, EvalError> {
    if let ("+", Known::Text(_) | Known::Decimal(_), Known::Text(_) | Known::Decimal(_)) =
        (sign, &left.known, &right.known)
    {
        let (left, right) = (in_text(reader, left, run).await?, in_text(reader, right, run).await?);
        return Ok(Operand::computed(Known::Text(left + &right)));
    }
    let asked = format!("{} {sign} {}", lifted::unlifted(left), divisor(left, sign, right));
    let refused = match by_adapter(reader, asked, run).await {
        Err(error) if error.code == Code::EvaluationFailed => error,
        answer => return answer,
    };
    match identity::same_object(reader, left, right).await {
        Some(same) if matches!(sign, "==" | "!=") => {
            same.map(|same| Operand::computed(Known::Bool(same == (sign == "=="))))
        }
        _ => Err(refused),
    }
}

/// What `+` with a text makes of an operand: a decimal has the signs of the program's culture, which a number shows.
async fn in_text(reader: &Reader, operand: &Operand, run: bool) -> Result<String, EvalError> {
    let decimal = match &operand.known {
        Known::Text(text) => return Ok(text.clone()),
        Known::Decimal(decimal) => decimal.to_string(),
        _ => return Err(failed(format!("`{}` cannot be added to a text here", operand.text))),
    };
    let shown = by_adapter(reader, "\"\" + (-0.5)".to_owned(), run).await?;
    let Known::Text(shown) = shown.known else { return Ok(decimal) };
    match shown.strip_suffix('5').and_then(|signs| signs.split_once('0')) {
        Some((minus, point)) => Ok(decimal.replace('.', point).replace('-', minus)),
        None => Ok(decimal),
    }
}

/// The right operand as the adapter takes it: an integer zero behind a floating number is one of that type.
fn divisor(left: &Operand, sign: &str, right: &Operand) -> String {
    match (&left.known, &right.known) {
        (Known::Floating("double"), Known::Int(_, 0)) if matches!(sign, "/" | "%") => "0.0".to_owned(),
        (Known::Floating("float"), Known::Int(_, 0)) if matches!(sign, "/" | "%") => "0.0f".to_owned(),
        _ => lifted::unlifted(right),
    }
}

/// The type whose `==` compares an object with a null.
fn equality_with_null(reader: &Reader, left: &Operand, right: &Operand) -> Option<String> {
    let (one, other) = match (&left.known, &right.known) {
        (Known::Null, Known::Null | Known::Other(_)) => (right, left),
        (Known::Other(_), Known::Null) => (left, right),
        _ => return None,
    };
    let declared = |operand: &Operand| reader.modules.equality_operator(&operand.read.as_ref()?.type_name);
    declared(one).or_else(|| declared(other))
}

/// What the operator of a type says of an object and a null, where it may run and the adapter can pass a null.
async fn by_operator(
    reader: &Reader,
    type_: &str,
    (left, sign, right): (&Operand, &str, &Operand),
    run: bool,
) -> Result<Operand, EvalError> {
    let name = if sign == "==" { "op_Equality" } else { "op_Inequality" };
    let text = format!("{} {sign} {}", left.text, right.text);
    if !run {
        let (purity, owner) = (reader.modules.purity(), type_.to_owned());
        let judge = move || {
            let argument = clr_metadata::names::parse_type(&owner);
            purity.static_call(&owner, name, &[argument.clone(), argument])
        };
        let why = match tokio::task::spawn_blocking(judge).await.ok().flatten() {
            Some(Ok(())) => None,
            Some(Err(why)) => Some(why.to_string()),
            None => Some(format!("{name} is not known to be pure")),
        };
        if let Some(why) = why {
            return Err(EvalError::new(Code::SideEffects, format!("`{text}` may have side effects: {why}")));
        }
    }
    let call = format!("{type_}.{name}({}, {})", left.text, right.text);
    match reader.evaluate(&call, Access::Run).await {
        Ok(value) if value.type_name == "bool" => Ok(Operand::read(RawValue { path: None, ..value }, &call)),
        Ok(value) => Err(match super::evaluate::thrown(reader, &call, &value).await {
            Some(message) => EvalError::new(Code::EvaluationThrew, message),
            None => failed(format!("`{text}` gave a {}", value.short_type())),
        }),
        Err(ReadError::Refused(_)) => {
            let short = super::type_names::short(type_);
            let tests = if sign == "==" { "is null" } else { "is not null" };
            Err(EvalError::certain(
                Code::EvaluationFailed,
                format!(
                    "{short} defines {sign}, which the adapter cannot call with null; `{tests}` compares references"
                ),
            ))
        }
        Err(other) => Err(other.into()),
    }
}

/// Whether this is a type of numbers.
fn is_keyword(name: &str) -> bool {
    IntType::named(name).is_some() || matches!(name, "double" | "float" | "decimal")
}

/// What an `object` holds, which must be of exactly the type that it is cast to (ECMA-334, 10.3.7).
async fn unboxed(reader: &Reader, to: &str, boxed: &Operand) -> Result<Operand, EvalError> {
    let path = join(&boxed.text, "m_value");
    let inner = Operand::read(reader.evaluate(&path, Access::Load).await?, &path);
    let held = inner.type_name();
    match held == to {
        // the digits of a floating point number are the adapter's
        true => Ok(Operand { read: inner.read.filter(|_| matches!(inner.known, Known::Floating(_))), ..inner }),
        false => Err(fault(Fault::Throws(format!(
            "System.InvalidCastException: the object is of type '{held}', which cannot be unboxed as '{to}'"
        )))),
    }
}

fn condition(operand: &Operand, sign: &str) -> Result<bool, EvalError> {
    match operand.known {
        Known::Bool(holds) => Ok(holds),
        _ => Err(failed(format!("`{sign}` needs a bool on both sides, not {}", operand.type_name()))),
    }
}

/// An operand, with its text whole.
async fn read(reader: &Reader, text: &str, run: bool) -> Result<Operand, EvalError> {
    let found = operand(reader, text, run).await?;
    completed(reader, found, text).await
}

/// An operand that is tested for being equal to a literal. A text that begins otherwise is another one, whatever its length, and of most
/// hits of a rare condition no more has to be asked.
async fn compared(reader: &Reader, text: &str, literal: &Operand, run: bool) -> Result<Operand, EvalError> {
    let found = operand(reader, text, run).await?;
    let operand = Operand::read(found.value.clone(), text);
    match (&operand.known, &literal.known) {
        (Known::Text(shown), Known::Text(literal)) if !text::may_be(shown, literal) => Ok(operand),
        _ => completed(reader, found, text).await,
    }
}

async fn completed(reader: &Reader, found: Evaluated, text: &str) -> Result<Operand, EvalError> {
    let mut operand = Operand::read(found.value, text);
    if let (Known::Text(shown), true) = (&operand.known, is_path(text)) {
        let whole = text::whole(reader, &found.load_path, shown).await.map_err(failed)?;
        if whole != *shown {
            operand = Operand::computed(Known::Text(whole));
        }
    }
    Ok(enums::known(reader, operand))
}

/// Floating point, and operators that the program defines.
async fn by_adapter(reader: &Reader, expression: String, run: bool) -> Result<Operand, EvalError> {
    bounds::refuse_what_kills(&expression)?;
    if !run {
        // an operator that the program defines is code like any other
        let found = super::effects::evaluate_pure(reader, &expression).await?;
        return Ok(Operand::read(RawValue { path: None, ..found.value }, &format!("({expression})")));
    }
    match reader.evaluate(&expression, Access::Run).await {
        Ok(value) => Ok(Operand::read(RawValue { path: None, ..value }, &format!("({expression})"))),
        Err(ReadError::Refused(words)) => {
            Err(EvalError::new(Code::EvaluationFailed, super::refusal::told(reader, &expression, &words).await))
        }
        Err(other) => Err(other.into()),
    }
}

fn fault(fault: Fault) -> EvalError {
    match fault {
        Fault::Compile(words) => EvalError::new(Code::EvaluationFailed, words),
        Fault::Throws(words) => EvalError::new(Code::EvaluationThrew, words),
    }
}

fn failed(message: String) -> EvalError {
    EvalError::new(Code::EvaluationFailed, message)
}
