//! The program as expressions see it through an adapter.

use std::cell::RefCell;
use std::sync::Arc;

use clr_csharp::constant::Constant;
use clr_csharp::types::{FieldRef, MethodRef, Type, TypeSystem};
use clr_csharp::value::Value;
use clr_csharp::world::{Evaluated, Failure, World};
use clr_metadata::{Assembly, MethodId, Purity};

use super::asks::{Asks, asked};
use super::handle::{Act, Handle, Place};
use super::scope::Known;
use crate::session::error::Code;
use crate::session::inspect::access::Access;
use crate::session::inspect::budget::Budget;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::literal::{self, Raw};
use crate::session::inspect::reader::Reader;
use crate::session::inspect::{missing, spelling};

type Done<T> = Result<T, Failure<EvalError>>;

impl From<EvalError> for Failure<EvalError> {
    fn from(error: EvalError) -> Self {
        Self::World(error)
    }
}

/// One evaluation in one frame.
pub(super) struct Program<'a> {
    pub(super) asks: Asks,
    pub(super) reader: Reader,
    pub(super) known: &'a Known,
    pub(super) types: &'a TypeSystem,
    pub(super) purity: Arc<Purity>,
    /// Calls are made only where they are pure, whatever that takes.
    pub(super) is_judged: bool,
    /// What was called and written.
    pub(super) acts: Vec<Act>,
    /// For reading collections: all their elements, or none.
    pub(super) budget: Budget,
    /// Where numbers were read: adapters take no other values of most types.
    pub(super) numbers: RefCell<Vec<(Constant, String)>>,
    /// What the program's culture has for the signs of the invariant one.
    pub(super) signs: RefCell<Vec<(char, String)>>,
}

impl<'a> Program<'a> {
    pub(super) fn new(
        asks: Asks,
        reader: Reader,
        known: &'a Known,
        types: &'a TypeSystem,
        (budget, is_judged): (Budget, bool),
    ) -> Self {
        let purity = reader.modules.purity();
        Self {
            asks,
            reader,
            known,
            types,
            purity,
            budget,
            is_judged,
            acts: Vec::new(),
            numbers: RefCell::default(),
            signs: RefCell::default(),
        }
    }

    fn variable_at(&self, position: usize) -> Done<Handle> {
        let Some((name, declared)) = self.known.name(position) else {
            return Err(Failure::Unsupported("the variable is not readable".into()));
        };
        if let Some(words) = self.known.gone(name).filter(|_| name != "$exception") {
            return Err(Failure::Unsupported(words));
        }
        let is_word = spelling::is_word(name, &self.reader.quirks);
        let path = if is_word { format!("@{name}") } else { name.to_owned() };
        Ok(Handle::new(Place::Path(path), declared.cloned()))
    }

    pub(super) fn element_at(&self, of: &Handle, position: usize) -> Done<Handle> {
        if let Some((first, element, _)) = self.inline_array(of)? {
            return match position {
                0 => self.child(of, &first, &format!(".{first}"), Some(element)),
                _ => Err(Failure::Unsupported(
                    "the elements of an inline array cannot be read here, except the first".into(),
                )),
            };
        }
        let element = match &of.declared {
            Some(Type::Array { of, .. }) => Some((**of).clone()),
            _ => None,
        };
        let bounds = match of.is_read() {
            true => literal::bounds(&self.raw(of)?.value),
            false => Vec::new(),
        };
        let mut indices = vec![position.to_string()];
        if !bounds.is_empty() {
            let mut rest = position as u64;
            let index = |(first, length): &(i64, u64)| {
                let index = *first + (rest % *length.max(&1)) as i64;
                rest /= *length.max(&1);
                index.to_string()
            };
            indices = bounds.iter().rev().map(index).collect();
            indices.reverse();
        }
        let name = format!("[{}]", indices.join(", "));
        self.child(of, &name, &name, element)
    }
}

impl World for Program<'_> {
    type Handle = Handle;
    type Error = EvalError;

    fn variable(&mut self, position: usize) -> Evaluated<Self> {
        let handle = self.variable_at(position)?;
        self.value(handle)
    }

    fn variable_on_the_way(&mut self, position: usize) -> Evaluated<Self> {
        self.variable_at(position).map(Value::Object)
    }

    fn set_variable(&mut self, position: usize, value: &Value<Handle>) -> Done<()> {
        let place = self.variable_at(position)?;
        self.assign(&place, value)
    }

    fn field(&mut self, of: Option<&Handle>, field: &FieldRef) -> Evaluated<Self> {
        let handle = self.field_at(of, field)?;
        let captured = field.field.name.strip_prefix('<').and_then(|it| it.strip_suffix(">P"));
        match (self.value(handle), captured) {
            (Err(Failure::World(error)), Some(name)) if error.code == Code::EvaluationFailed => {
                Err(EvalError::certain(error.code, missing::captured(name)).into())
            }
            (value, _) => value,
        }
    }

    fn field_on_the_way(&mut self, of: Option<&Handle>, field: &FieldRef) -> Evaluated<Self> {
        self.field_at(of, field).map(Value::Object)
    }

    fn set_field(&mut self, of: Option<&Handle>, field: &FieldRef, value: &Value<Handle>) -> Done<()> {
        let place = self.field_at(of, field)?;
        self.assign(&place, value)
    }

    fn element(&mut self, of: &Handle, position: usize) -> Evaluated<Self> {
        let handle = self.element_at(of, position)?;
        self.value(handle)
    }

    fn element_on_the_way(&mut self, of: &Handle, position: usize) -> Evaluated<Self> {
        self.element_at(of, position).map(Value::Object)
    }

    fn set_element(&mut self, of: &Handle, position: usize, value: &Value<Handle>) -> Done<()> {
        let place = self.element_at(of, position)?;
        self.assign(&place, value)
    }

    fn is_unread(&self, of: &Handle) -> bool {
        (!of.is_read() || of.is_null()) && matches!(of.place, Place::Path(_))
    }

    fn dimensions(&mut self, of: &Handle) -> Done<Option<Vec<(i32, usize)>>> {
        if let Some((_, _, length)) = self.inline_array(of)? {
            return Ok(Some(vec![(0, length)]));
        }
        let raw = self.raw(of)?;
        let Raw::Array(_) = raw.parsed() else { return Ok(None) };
        let number =
            |(first, length)| (i32::try_from(first).unwrap_or(i32::MAX), usize::try_from(length).unwrap_or(usize::MAX));
        Ok(Some(literal::bounds(&raw.value).into_iter().map(number).collect()))
    }

    fn text(&mut self, of: &Handle) -> Done<Option<Arc<[u16]>>> {
        Ok(self.whole_text(of)?)
    }

    fn is_text(&mut self, of: &Handle, text: &[u16]) -> Done<Option<bool>> {
        Ok(self.begins_otherwise(of, text)?.then_some(false))
    }

    fn type_of(&mut self, of: &Handle) -> Done<Type> {
        Ok(self.type_at(of)?)
    }

    fn unboxed(&mut self, of: &Handle) -> Done<Option<Constant>> {
        Ok(self.in_box(of)?)
    }

    fn is_same(&mut self, one: &Handle, other: &Handle) -> Done<bool> {
        Ok(self.are_one(one, other)?)
    }

    fn has_begun(&mut self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool {
        self.known.has_begun(assembly, initializer)
    }

    fn elements(&mut self, of: &Handle, limit: usize) -> Done<Option<Vec<Value<Handle>>>> {
        Ok(self.elements_of(of, limit)?)
    }

    fn count(&mut self, of: &Handle) -> Done<Option<usize>> {
        Ok(self.count_of(of)?)
    }

    fn call(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &mut [Value<Handle>],
    ) -> Evaluated<Self> {
        if matches!(this, Some(Value::Object(receiver)) if receiver.is_null()) {
            return Err(null_reference());
        }
        if let Some(property) = method.method.name.strip_prefix("set_") {
            return self.set_property(method, property, this, arguments).map(|()| Value::Void);
        }
        if let Some(known) = self.without_call(method, this, arguments)? {
            return Ok(known);
        }
        if let Some(known) = self.under_key(method, this, arguments)? {
            return Ok(known);
        }
        let handle = self.call_at(method, this, arguments)?;
        self.called(handle, method)
    }

    fn reflected(&mut self, get_type: &MethodRef, name: &str) -> Evaluated<Self> {
        let handle = self.call_at(get_type, None, &[Value::text(name)])?;
        if let Some(call) = handle.call() {
            // of a type that is there it may be asked as often as it takes
            let _ = call.is_pure.set(true);
        }
        self.called(handle, get_type)
    }

    fn call_on_the_way(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &mut [Value<Handle>],
    ) -> Evaluated<Self> {
        if let Some(known) = self.without_call(method, this, arguments)? {
            return Ok(known);
        }
        if let Some(known) = self.under_key(method, this, arguments)? {
            return Ok(known);
        }
        self.call_at(method, this, arguments).map(Value::Object)
    }

    fn new_object(
        &mut self,
        type_: &Type,
        constructor: Option<&MethodRef>,
        arguments: &[Value<Handle>],
    ) -> Evaluated<Self> {
        self.made(type_, constructor, arguments)
    }

    fn keeps_new(&self) -> bool {
        false
    }

    fn copy(&mut self, of: &Value<Handle>) -> Evaluated<Self> {
        // it is only read, and nothing is written before
        Ok(of.clone())
    }

    fn new_array(&mut self, element: &Type, _: &[Value<Handle>]) -> Evaluated<Self> {
        Err(Failure::Unsupported(format!(
            "this adapter cannot create arrays, and `{}[]` is needed here",
            element.short()
        )))
    }
}

impl Program<'_> {
    /// What an adapter says of an expression.
    pub(super) fn ask(&self, text: &str) -> Result<crate::session::inspect::RawValue, EvalError> {
        let access = if self.reader.read_only { Access::Load } else { Access::Run };
        let text = text.to_owned();
        self.asks.ask(async move |reader| asked(&reader, &text, access).await)?
    }
}

/// Adapters call a method of null, and say what became of that.
fn null_reference() -> Failure<EvalError> {
    let message = "Object reference not set to an instance of an object.".to_owned();
    Failure::Threw { type_name: "System.NullReferenceException", message }
}
