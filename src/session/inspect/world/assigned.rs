//! Assignments, which adapters make by requests of their own, to what a path names.

use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::types::{MethodRef, Type};
use clr_csharp::value::Value;
use clr_csharp::world::Failure;

use super::handle::{Act, Handle};
use super::passed::{literal, quoted};
use super::program::Program;
use super::shown::INSIDE;
use crate::session::error::Code;
use crate::session::inspect::evaluated::EvalError;

type Done<T> = Result<T, Failure<EvalError>>;

fn refused<T>(words: impl Into<String>) -> Result<T, EvalError> {
    Err(EvalError::certain(Code::EvaluationFailed, words))
}

impl Program<'_> {
    pub(super) fn assign(&mut self, place: &Handle, value: &Value<Handle>) -> Done<()> {
        let text = self.assignable(value)?;
        self.write(self.named(place)?, text)
    }

    /// By the property's name, or by the index; with the setter's last argument.
    pub(super) fn set_property(
        &mut self,
        setter: &MethodRef,
        property: &str,
        this: Option<&Value<Handle>>,
        arguments: &[Value<Handle>],
    ) -> Done<()> {
        let Some((value, indices)) = arguments.split_last() else {
            return Err(Failure::Unsupported(format!("`{}` takes no value", setter.text())));
        };
        let text = self.assignable(value)?;
        let owner = match this {
            Some(Value::Object(owner)) => Some(self.named(owner)?),
            Some(_) => {
                return Err(Failure::Unsupported(
                    "this adapter can assign only to a path (names, members and indices)".into(),
                ));
            }
            None => None,
        };
        let mut passed = Vec::with_capacity(indices.len());
        for (at, index) in indices.iter().enumerate() {
            passed.push(self.passed(index, &setter.parameter_type(at).unwrap_or(Type::OBJECT))?.text);
        }
        let path = match owner {
            Some(owner) if passed.is_empty() => format!("{owner}.{property}"),
            Some(owner) => format!("{owner}[{}]", passed.join(", ")),
            None => self.static_member(&setter.owner, property)?,
        };
        self.write(path, text)
    }

    fn write(&mut self, path: String, value: String) -> Done<()> {
        let Some(assign) = self.reader.assign else {
            return Err(Failure::Unsupported("assignments are not possible here: use variable_set".into()));
        };
        let to = path.clone();
        self.asks.ask(async move |reader| assign(reader, to, value).await)??;
        self.acts.push(Act::Write(path));
        // what was read where may be elsewhere now
        self.numbers.borrow_mut().clear();
        Ok(())
    }

    fn named(&self, place: &Handle) -> Result<String, EvalError> {
        let text = self.spelled(place)?;
        match place.path() {
            Some(path) if !path.ends_with(INSIDE) => Ok(text),
            _ => refused(format!(
                "this adapter can assign only to a path (names, members and indices); `{text}` contains a call"
            )),
        }
    }

    /// As variable_set takes it, which knows the type of the place.
    fn assignable(&self, value: &Value<Handle>) -> Result<String, EvalError> {
        match value {
            Value::Constant(constant) => Ok(match constant {
                Constant::Null => "null".to_owned(),
                Constant::Text(units) => quoted(units),
                Constant::Scalar(Scalar::Int(_, number)) => number.to_string(),
                Constant::Scalar(Scalar::Char(unit)) => format!("'\\u{unit:04x}'"),
                Constant::Scalar(scalar) => literal(scalar),
                Constant::Enum(type_, _) => self.passed(value, type_)?.text,
            }),
            // of a nullable that has a value the adapter copies the whole
            Value::Object(handle) => Ok(self.spelled(handle)?.trim_end_matches(INSIDE).to_owned()),
            Value::Made(made) => {
                refused(format!("this adapter cannot assign a '{}' that the expression creates", made.type_.short()))
            }
            Value::Void => refused("the call returns nothing"),
        }
    }
}
