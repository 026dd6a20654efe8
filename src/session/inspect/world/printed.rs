//! What the program would print of a number: in its culture, which one number shows.

use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::floating;
use clr_csharp::types::MethodRef;
use clr_csharp::value::Value;

use super::handle::Handle;
use super::passed::literal;
use super::program::Program;
use crate::session::error::Code;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::number_format;

/// Signs of a culture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signs {
    minus: String,
    point: String,
}

impl Program<'_> {
    /// `ToString` of a number, with a format or without; `None`: it is another method, or of something else.
    pub(super) fn number_text(
        &self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &[Value<Handle>],
    ) -> Result<Option<String>, EvalError> {
        let (Some(Value::Constant(Constant::Scalar(scalar))), "ToString") = (this, method.method.name.as_str()) else {
            return Ok(None);
        };
        let format = match arguments {
            [] => None,
            [Value::Constant(Constant::Text(format))]
            | [Value::Constant(Constant::Text(format)), Value::Constant(Constant::Null)] => {
                Some(String::from_utf16_lossy(format))
            }
            _ => return Ok(None),
        };
        let invariant = match (&format, scalar) {
            (None, Scalar::Bool(value)) => return Ok(Some(if *value { "True" } else { "False" }.to_owned())),
            (None, Scalar::Char(unit)) => return Ok(Some(String::from_utf16_lossy(&[*unit]))),
            (None, Scalar::Int(_, number)) => number.to_string(),
            (None, Scalar::Single(number)) if number.is_finite() => floating::single(*number).unwrap_or_default(),
            (None, Scalar::Double(number)) if number.is_finite() => floating::double(*number).unwrap_or_default(),
            (None, Scalar::Decimal(number)) => number.to_string(),
            (None, _) => return Ok(None),
            (Some(format), scalar) => {
                // digits in groups have a sign of their own
                let is_grouped = format.starts_with(['N', 'n', 'C', 'c', 'P', 'p']) || format.contains(',');
                match number_format::apply(&literal(scalar), format).filter(|_| !is_grouped) {
                    Some(text) => text,
                    None => return Ok(None),
                }
            }
        };
        let signs = self.signs()?;
        let text: String = invariant
            .chars()
            .map(|c| match c {
                '-' if !invariant.contains("E-") => signs.minus.clone(),
                '.' => signs.point.clone(),
                c => c.to_string(),
            })
            .collect();
        Ok(Some(text))
    }

    fn signs(&self) -> Result<Signs, EvalError> {
        if let Some(known) = self.signs.get() {
            return Ok(known.clone());
        }
        let shown = self.ask("\"\" + (-0.5)")?;
        let Raw::Text(text) = shown.parsed() else {
            return Err(EvalError::certain(Code::EvaluationFailed, "the program's culture is not known here"));
        };
        let found = text.strip_suffix('5').and_then(|signs| signs.split_once('0'));
        let Some((minus, point)) = found else {
            return Err(EvalError::certain(Code::EvaluationFailed, "the program's culture is not known here"));
        };
        let signs = Signs { minus: minus.to_owned(), point: point.to_owned() };
        Ok(self.signs.get_or_init(|| signs).clone())
    }
}
