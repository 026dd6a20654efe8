//! Values as an adapter is given them: paths, literals, calls that make what no literal is.

use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::types::Type;
use clr_csharp::value::Value;
use clr_metadata::Primitive;

use super::handle::{Act, Call, Handle, Place};
use super::program::Program;
use crate::session::error::Code;
use crate::session::inspect::evaluated::EvalError;

fn refused<T>(words: impl Into<String>) -> Result<T, EvalError> {
    Err(EvalError::certain(Code::EvaluationFailed, words))
}

/// An argument, and the type that the adapter takes it for.
pub(super) struct Passed {
    pub(super) text: String,
    /// `None`: of null.
    pub(super) type_: Option<Type>,
}

impl Program<'_> {
    /// The expression that gives a value again.
    pub(super) fn spelled(&self, of: &Handle) -> Result<String, EvalError> {
        match &of.place {
            Place::Path(text) => {
                if self.has_changed_since(of) {
                    return refused(format!(
                        "`{text}` was read before code ran that may have changed it, and this adapter cannot keep a reference to it: evaluate the calls one by one"
                    ));
                }
                Ok(text.clone())
            }
            Place::Call { text, .. } if !of.is_read() || self.may_repeat(of) => Ok(text.clone()),
            Place::Call { text, .. } => refused(format!(
                "this adapter cannot keep the result of `{text}`, and calling it again may change something: evaluate it alone"
            )),
            Place::Listed => refused("this adapter cannot use a member or element of a call's result in another call"),
        }
    }

    /// Whether what is named may be something else by now than what was read. A variable is changed only by an assignment to it.
    pub(super) fn has_changed_since(&self, of: &Handle) -> bool {
        let (Some(before), Some(path)) = (of.acts.get(), of.path()) else { return false };
        let is_bare = !path.contains(['.', '[', '(']);
        self.acts.get(*before..).unwrap_or_default().iter().any(|act| match act {
            Act::Call(call) => !is_bare && !self.is_pure(call),
            Act::Write(written) => !is_bare || written == path,
        })
    }

    /// Whether what a call gave may be had by calling again.
    pub(super) fn may_repeat(&self, of: &Handle) -> bool {
        of.call().is_some_and(|call| self.is_pure(call))
    }

    pub(super) fn is_pure(&self, call: &Call) -> bool {
        let own = call.is_pure.get_or_init(|| self.changes_nothing(call));
        *own && call.before.as_ref().is_none_or(|before| self.is_pure(before))
    }

    /// What a parameter of that type gets.
    pub(super) fn passed(&self, value: &Value<Handle>, wanted: &Type) -> Result<Passed, EvalError> {
        let (text, type_) = match value {
            Value::Constant(constant) => return self.passed_constant(constant),
            Value::Object(handle) => {
                // by its name the adapter would pass the box
                if self.types.is_value_type(wanted)
                    && let Some(constant) = self.in_box(handle)?
                {
                    return self.passed_constant(&constant);
                }
                let type_ = self.type_at(handle)?;
                self.refuse_miscopied(handle, &type_, wanted)?;
                (self.spelled(handle)?, Some(type_))
            }
            Value::Made(made) => {
                return refused(format!(
                    "this adapter cannot pass a '{}' that the expression creates",
                    made.type_.short()
                ));
            }
            Value::Void => return refused("the call returns nothing"),
        };
        Ok(Passed { text, type_ })
    }

    /// The runtime takes a small struct that is not of 1, 2, 4 or 8 bytes for one that is passed by its address, as none is on these systems
    /// (`GetFuncEvalArgValue`). What a call gave is in a box, and what is in one it passes rightly.
    fn refuse_miscopied(&self, of: &Handle, type_: &Type, wanted: &Type) -> Result<(), EvalError> {
        let is_such_system = cfg!(all(target_arch = "x86_64", not(windows)));
        let is_boxed = of.declared.as_ref().is_some_and(|it| self.types.is_reference_type(it));
        if !is_such_system || is_boxed || of.is_property || of.is_given_by_call() {
            return Ok(());
        }
        let wanted = if self.types.is_value_type(wanted) { wanted } else { type_ };
        match self.reader.modules.struct_size(&wanted.sig()) {
            Some(size @ (3 | 5..=7)) => refused(format!(
                "this adapter passes a struct of {size} bytes wrongly, and '{}' is one: only what a property, a method or `new` returns arrives",
                wanted.short()
            )),
            _ => Ok(()),
        }
    }

    fn passed_constant(&self, constant: &Constant) -> Result<Passed, EvalError> {
        let known = || {
            let numbers = self.numbers.borrow();
            numbers.iter().rev().find(|(known, _)| known == constant).map(|(_, path)| path.clone())
        };
        let of = |text: String, type_: Type| Ok(Passed { text, type_: Some(type_) });
        match constant {
            Constant::Null => Ok(Passed { text: "null".into(), type_: None }),
            Constant::Text(units) => of(quoted(units), Type::STRING),
            Constant::Scalar(scalar) => of(literal(scalar), scalar.type_()),
            Constant::Enum(type_, number) => {
                if let Some(path) = known() {
                    return of(path, type_.clone());
                }
                let name = type_.to_string();
                let enum_type = self.reader.modules.enum_type(&name);
                let member = enum_type.as_ref().and_then(|it| it.members.iter().find(|(_, value)| value == number));
                match member.filter(|_| self.reader.quirks.passes_computed_enums) {
                    Some((member, _)) => of(format!("{name}.{member}"), type_.clone()),
                    None => refused(format!(
                        "this adapter can pass an enum value only from a variable: it would pass the wrong number for `{}`",
                        member.map_or_else(
                            || format!("({}){number}", type_.short()),
                            |(member, _)| format!("{}.{member}", type_.short())
                        )
                    )),
                }
            }
        }
    }

    /// What a method of a number or a text is called on.
    pub(super) fn receiver(&self, value: &Value<Handle>) -> Result<Passed, EvalError> {
        if let Value::Constant(constant @ (Constant::Scalar(_) | Constant::Enum(..))) = value {
            let numbers = self.numbers.borrow();
            let path = numbers.iter().rev().find(|(known, _)| known == constant).map(|(_, path)| path.clone());
            let type_ = match constant {
                Constant::Enum(type_, _) => type_.clone(),
                Constant::Scalar(scalar) => scalar.type_(),
                _ => Type::OBJECT,
            };
            return match path {
                Some(text) => Ok(Passed { text, type_: Some(type_) }),
                None => refused(format!("this adapter calls methods of a '{}' only on a variable", type_.short())),
            };
        }
        match value {
            Value::Object(handle) => Ok(Passed { text: self.spelled(handle)?, type_: None }),
            other => self.passed(other, &Type::OBJECT),
        }
    }

    /// A static member by the name of its type.
    pub(super) fn static_member(&self, owner: &Type, name: &str) -> Result<String, EvalError> {
        let enclosing = &self.known.scope.enclosing;
        let own_name = name.split(['(', '<']).next().unwrap_or(name);
        // another instance of the same generic type has static fields of its own
        let is_own = enclosing.first().is_some_and(|it| it == owner)
            && !self.reader.frames.is_generated(self.reader.frame_id)
            && !self.known.scope.variables.iter().any(|variable| variable.name == own_name);
        // no adapter finds such a type by its name from everywhere
        let is_global = owner.name().is_some_and(|name| !name.contains('.')) || !owner.arguments().is_empty();
        let is_around = enclosing.contains(owner);
        // there a static member that cannot be read is a name that does not exist, which kills dncdbg
        let must_be_full = self.reader.quirks.unknown_names_kill
            && is_global
            && self.reader.frames.is_below_external(self.reader.frame_id);
        if (is_own || is_around && is_global) && !must_be_full {
            return Ok(name.to_owned());
        }
        Ok(format!("{owner}.{name}"))
    }
}

/// As C# writes it; what no literal says by a call that gives it.
pub(super) fn literal(scalar: &Scalar) -> String {
    let converted = |method: &str, number: &i128| format!("System.Convert.{method}({number})");
    match scalar {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Char(unit) => match char::from_u32(u32::from(*unit)) {
            Some(c) if !c.is_control() && !matches!(c, '\'' | '\\') => format!("'{c}'"),
            _ => format!("System.Convert.ToChar({unit})"),
        },
        Scalar::Int(primitive, number) => match primitive {
            Primitive::U4 => format!("{number}U"),
            // a sign in front of the number that no such type has
            Primitive::I4 if *number == i128::from(i32::MIN) => format!("({} - 1)", number + 1),
            Primitive::I8 if *number == i128::from(i64::MIN) => format!("({}L - 1L)", number + 1),
            Primitive::I8 => format!("{number}L"),
            Primitive::U8 => format!("{number}UL"),
            Primitive::I1 => converted("ToSByte", number),
            Primitive::U1 => converted("ToByte", number),
            Primitive::I2 => converted("ToInt16", number),
            Primitive::U2 => converted("ToUInt16", number),
            _ => number.to_string(),
        },
        Scalar::Single(number) if number.is_finite() => format!("{number:?}f"),
        Scalar::Double(number) if number.is_finite() => format!("{number:?}"),
        Scalar::Single(number) => special("System.Single", f64::from(*number)),
        Scalar::Double(number) => special("System.Double", *number),
        Scalar::Decimal(number) => format!("{number}m"),
    }
}

fn special(type_: &str, number: f64) -> String {
    let name = match number {
        _ if number.is_nan() => "NaN",
        _ if number < 0.0 => "NegativeInfinity",
        _ => "PositiveInfinity",
    };
    format!("{type_}.{name}")
}

/// A literal of UTF-16 units.
pub(super) fn quoted(units: &[u16]) -> String {
    let mut text = String::from("\"");
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(c) if c == '"' || c == '\\' => text.extend(['\\', c]),
            Ok(c) if c.is_control() => text.push_str(&format!("\\u{:04x}", c as u32)),
            Ok(c) => text.push(c),
            Err(lone) => text.push_str(&format!("\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    text.push('"');
    text
}
