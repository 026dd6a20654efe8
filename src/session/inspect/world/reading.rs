//! From what an adapter says to values: fields, and what is in a box.

use clr_csharp::Decimal;
use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::types::{FieldRef, Type};
use clr_csharp::value::Value;
use clr_csharp::world::{Evaluated, Failure};
use clr_metadata::{Primitive, names};

use super::handle::{Handle, Place};
use super::program::Program;
use crate::backend::quirks::MembersOf;
use crate::session::error::Code;
use crate::session::expression::join;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::literal::{self, Raw};
use crate::session::inspect::object::NO_POINTERS;
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;
use crate::session::inspect::{exact, halves, nullable, shared_code, wide_enums};
use crate::session::modules::THREAD_STATIC;
use crate::session::type_names;

type Done<T> = Result<T, Failure<EvalError>>;

pub(super) fn failed<T>(words: impl Into<String>) -> Result<T, EvalError> {
    Err(EvalError::certain(Code::EvaluationFailed, words))
}

impl Program<'_> {
    /// What the adapter says of a value; it is asked once.
    pub(super) fn raw<'h>(&self, of: &'h Handle) -> Result<&'h RawValue, EvalError> {
        if let Some(read) = of.read.get() {
            return Ok(read);
        }
        let text = self.spelled(of)?;
        let raw = match self.ask(&text) {
            // adapters do not find those with `[DebuggerBrowsable(Never)]`
            Err(error) if of.is_property && error.code == Code::EvaluationFailed && !self.reader.read_only => {
                let Some((before, name)) = text.rsplit_once('.') else { return Err(error) };
                match self.held_by(before, name)? {
                    Some(held) => held,
                    None => self.ask(&format!("{before}.get_{name}()")).map_err(|_| error)?,
                }
            }
            raw => raw?,
        };
        let may_throw = match &of.place {
            Place::Call { .. } => true,
            Place::Path(_) => of.is_property,
            Place::Listed => false,
        };
        if may_throw {
            self.refuse_thrown(&raw, of.declared.as_ref().filter(|it| !it.is_void()))?;
        }
        let _ = of.acts.set(self.acts.len());
        Ok(of.read.get_or_init(|| raw))
    }

    /// What a property holds, by the listing of its object: where no getter can run an adapter may still show the compiler's fields.
    fn held_by(&self, object: &str, property: &str) -> Result<Option<RawValue>, EvalError> {
        if !self.reader.has_hidden_fields() {
            return Ok(None);
        }
        let (object, field) = (object.to_owned(), format!("<{property}>k__BackingField"));
        self.asks.ask(async move |reader| {
            let opened = reader.open(&object).await.ok().filter(|opened| opened.reference != 0)?;
            let children = reader.children(opened.reference, None).await.ok()?;
            children.into_iter().find(|child| child.name == field && child.is_read())
        })
    }

    /// A value, read.
    pub(super) fn value(&self, of: Handle) -> Evaluated<Self> {
        let raw = self.raw(&of)?;
        let is_object = of.declared.as_ref().is_some_and(|it| self.types.is_reference_type(it) && *it != Type::Late);
        Ok(match raw.parsed() {
            Raw::Null => Value::NULL,
            Raw::Unreadable(words) => return Err(Failure::Unsupported(words)),
            _ if raw.is_boxed() => Value::Object(of),
            _ if nullable::is_struct(raw) => self.inside(&of)?,
            Raw::Literal(_) | Raw::Enum(_) => match self.constant(&of, raw)? {
                // the box has an identity
                Some(_) if is_object => Value::Object(of),
                Some(constant) => {
                    // what is declared as another type, the adapter takes for that
                    let is_declared = of.declared.as_ref() == Some(&constant.type_());
                    if let Some(path) = of.path().filter(|_| is_declared && !of.is_property) {
                        self.numbers.borrow_mut().push((constant.clone(), path.to_owned()));
                    }
                    Value::Constant(constant)
                }
                None => Value::Object(of),
            },
            _ => Value::Object(of),
        })
    }

    /// What a `T?` holds that is not null.
    fn inside(&self, of: &Handle) -> Evaluated<Self> {
        let declared = of.declared.as_ref().map(|it| it.without_nullable().clone());
        let is_enum = declared.as_ref().is_some_and(|it| self.types.is_enum(it));
        let path = join(&self.spelled(of)?, "GetValueOrDefault()");
        let inside = Handle::new(Place::Path(path), declared);
        if is_enum { self.value(inside) } else { Ok(Value::Object(inside)) }
    }

    /// A number as it is printed, with all of its digits.
    fn constant(&self, of: &Handle, raw: &RawValue) -> Result<Option<Constant>, EvalError> {
        if let Raw::Enum(printed) = raw.parsed() {
            let type_name = raw.type_name.trim_end_matches('?');
            let Some(enum_type) = self.reader.modules.enum_type(type_name) else { return Ok(None) };
            let Some(type_) = self.reader.modules.type_printed(type_name) else { return Ok(None) };
            let is_cut = wide_enums::is_cut(&self.reader, &enum_type);
            let number = if is_cut { None } else { enum_type.number(&printed) };
            let number = match number {
                Some(number) => number,
                None => {
                    let raw = self.ask(&join(&self.spelled(of)?, wide_enums::FIELD))?;
                    match raw.value.parse() {
                        Ok(number) => number,
                        Err(_) => return failed(format!("`{}` is not a valid {type_name}", raw.value)),
                    }
                }
            };
            return Ok(Some(Constant::Enum(type_, number)));
        }
        if halves::is_half(raw) {
            return failed("this adapter shows only the low 32 bits of a native integer".to_owned());
        }
        let mut raw = raw.clone();
        if raw.short_type().trim_end_matches('?') == "double"
            && let Ok(path) = self.spelled(of)
        {
            raw = self.asks.ask(async move |reader| exact::read_again(&reader, raw, &path).await)?;
        }
        Ok(scalar(&raw).map(Constant::Scalar))
    }

    pub(super) fn in_box(&self, of: &Handle) -> Result<Option<Constant>, EvalError> {
        let raw = self.raw(of)?;
        if raw.is_boxed() {
            let inner = self.ask(&join(&self.spelled(of)?, "m_value"))?;
            return Ok(scalar(&inner).map(Constant::Scalar));
        }
        match raw.parsed() {
            Raw::Literal(_) | Raw::Enum(_) => self.constant(of, raw),
            _ => Ok(None),
        }
    }

    /// The type of the object, which is asked for where the declaration leaves it open.
    pub(super) fn type_at(&self, of: &Handle) -> Result<Type, EvalError> {
        if let Some(known) = of.type_.get() {
            return Ok(known.clone());
        }
        let declared = of.declared.as_ref();
        if let Some(declared) = declared.filter(|it| !matches!(it, Type::Late) && self.types.is_sealed(it)) {
            return Ok(declared.clone());
        }
        let raw = self.raw(of)?;
        let printed = raw.type_name.trim_end_matches('?');
        let is_open = shared_code::is_open(printed);
        let found = match declared {
            // shared code is that of any class
            Some(declared)
                if is_open && type_names::definition(&declared.to_string()) == type_names::definition(printed) =>
            {
                Some(declared.clone())
            }
            _ if is_open => self.reader.modules.type_printed(&shared_code::of_any_class(printed)),
            _ => self.reader.modules.type_printed(printed),
        };
        let Some(found) = found else { return failed(format!("the type `{printed}` is not known")) };
        Ok(of.type_.get_or_init(|| found).clone())
    }

    pub(super) fn field_at(&self, of: Option<&Handle>, field: &FieldRef) -> Done<Handle> {
        let declared = Some(field.type_());
        let name = written(&field.field.name);
        let Some(of) = of else {
            if field.owner == Type::STRING && name == "Empty" {
                return Ok(Handle::read(
                    Place::Path("\"\"".into()),
                    declared,
                    RawValue { type_name: "string".into(), value: "\"\"".into(), ..RawValue::default() },
                    self.acts.len(),
                ));
            }
            self.refuse_unused(field)?;
            let path = self.static_member(&field.owner, &name)?;
            // a number is passed by its name, whoever gives it
            let is_struct = declared.as_ref().is_some_and(|it| self.reader.modules.struct_size(&it.sig()).is_some());
            let is_number = declared.as_ref().is_some_and(|it| self.types.is_enum(it) || it.is_decimal());
            let is_property = is_struct && !is_number && field.field.name.ends_with(">k__BackingField");
            let handle = Handle::new(Place::Path(path), declared);
            return Ok(if is_property { handle.of_property() } else { handle });
        };
        if name.starts_with('<') {
            return Err(Failure::Unsupported(format!("`{name}` is a compiler-generated field")));
        }
        self.refuse_hidden(of, &field.owner, &name, false)?;
        if self.reader.quirks.follows_pointers && matches!(field.type_(), Type::Pointer(_)) {
            return Err(Failure::Unsupported(NO_POINTERS.into()));
        }
        // of `this` an adapter may show it as a variable of the frame (dncdbg 1.1.0)
        if field.field.name.ends_with(">P") && of.path() == Some("this") {
            return Ok(Handle::new(Place::Path(name), declared));
        }
        let child = self.child(of, &name, &format!(".{name}"), declared)?;
        Ok(if field.field.name.ends_with(">k__BackingField") { child.of_property() } else { child })
    }

    /// A field that the thread may not have used yet, where one that cannot be read is for the adapter a name that it does not find.
    fn refuse_unused(&self, field: &FieldRef) -> Done<()> {
        let is_global =
            || self.known.scope.enclosing.first().and_then(Type::name).is_some_and(|name| !name.contains('.'));
        let is_of_thread = || field.field.assembly.metadata().attribute(field.field.id, THREAD_STATIC).is_some();
        if self.reader.quirks.unknown_names_kill && is_global() && is_of_thread() {
            let words = format!("this adapter cannot read `{}` here: each thread has its own", field.field.name);
            return Err(Failure::Unsupported(words));
        }
        Ok(())
    }

    /// A member or an element, by the path to it, or from the listing of what has none.
    pub(super) fn child(&self, of: &Handle, name: &str, access: &str, declared: Option<Type>) -> Done<Handle> {
        let is_named = match &of.place {
            Place::Path(_) => true,
            Place::Call { .. } => !of.is_read() || self.may_repeat(of),
            Place::Listed => false,
        };
        if is_named {
            let place = match of.call() {
                Some(call) => Place::Call { text: format!("{}{access}", self.spelled(of)?), call: call.clone() },
                None => Place::Path(format!("{}{access}", self.spelled(of)?)),
            };
            return Ok(Handle::new(place, declared));
        }
        let raw = self.raw(of)?.clone();
        let wanted = name.to_owned();
        let found = self.asks.ask(async move |reader| listed_child(&reader, &raw, &wanted).await)?;
        match found {
            Some(found) => Ok(Handle::read(Place::Listed, declared, found, self.acts.len())),
            None => Err(Failure::Unsupported(format!(
                "the adapter does not list `{name}` of the call's result, and calling again may change something: evaluate the call on its own"
            ))),
        }
    }

    /// Refuses a member that the adapter would read of another type than C# does.
    pub(super) fn refuse_hidden(
        &self,
        of: &Handle,
        owner: &Type,
        member: &str,
        is_call: bool,
    ) -> Result<(), EvalError> {
        let members_of = self.reader.quirks.members_of;
        let is_declared = !is_call && of.path() != Some("this");
        if members_of == MembersOf::DeclaredType
            || members_of == MembersOf::DeclaredTypeOfVariables && is_declared
            || self.types.is_sealed(owner)
        {
            return Ok(());
        }
        let owner_name = owner.to_string();
        if !self.reader.modules.is_hidden_below(&owner_name, member) {
            return Ok(());
        }
        let object = self.raw(of)?;
        if !self.reader.modules.universe().hides(&object.type_name, &owner_name, member) {
            return Ok(());
        }
        let (declared, own) = (owner.short(), object.short_type());
        let receiver = self.spelled(of)?;
        failed(format!(
            "`{receiver}` is declared as {declared}, whose `{member}` is hidden by {own}: this adapter cannot read the hidden one; (({own}){receiver}).{member} reads that of {own}"
        ))
    }
}

/// A number, a `bool` or a `char` as it is printed.
fn scalar(raw: &RawValue) -> Option<Scalar> {
    let short = raw.short_type();
    let base = short.trim_end_matches('?');
    let floating = |text: &str| match text.trim_start_matches(['-', '+']) {
        "nan" | "NaN" => Some(f64::NAN),
        "inf" | "Infinity" | "∞" if text.starts_with('-') => Some(f64::NEG_INFINITY),
        "inf" | "Infinity" | "∞" => Some(f64::INFINITY),
        _ => literal::printed_double(text),
    };
    Some(match base {
        "bool" => Scalar::Bool(raw.value == "true"),
        "char" => Scalar::Char(raw.value.split(' ').next()?.parse().ok()?),
        "double" => Scalar::Double(floating(&raw.value)?),
        "float" => match raw.value.parse() {
            Ok(number) => Scalar::Single(number),
            Err(_) => Scalar::Single(floating(&raw.value)? as f32),
        },
        "decimal" => Scalar::Decimal(Decimal::parse(&raw.value)?),
        name => Scalar::Int(
            Primitive::from_name(name).or_else(|| keyword(name))?,
            raw.value.split(' ').next()?.parse().ok()?,
        ),
    })
}

fn keyword(name: &str) -> Option<Primitive> {
    match Type::of(&names::parse_type(name)?) {
        Type::Primitive(primitive) => Some(primitive),
        _ => None,
    }
}

/// The name that the source gives a field: a property's, or a captured parameter's.
fn written(name: &str) -> String {
    let inside = |end: &str| name.strip_prefix('<').and_then(|it| it.strip_suffix(end));
    inside(">k__BackingField").or_else(|| inside(">P")).unwrap_or(name).to_owned()
}

/// A child of what cannot be named again, where listing it runs nothing that is not pure.
async fn listed_child(reader: &Reader, of: &RawValue, name: &str) -> Option<RawValue> {
    if of.reference == 0 {
        return None;
    }
    let shape = reader.shape(&of.type_name);
    let is_array = matches!(of.parsed(), Raw::Array(_));
    if !is_array && !reader.pure_members(&of.type_name, &shape).await.allow_listing {
        return None;
    }
    let position = name.trim_matches(['[', ']']).parse::<u64>().ok().filter(|_| is_array);
    let children = reader.children(of.reference, position.map(|at| (at, 1))).await.ok()?;
    children.into_iter().find(|child| child.name == name && child.is_read())
}
