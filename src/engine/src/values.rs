//! Values, read from memory: nothing here runs code of the program.

mod children;
mod declared;
mod elements;
mod layout;
mod lost;
mod place;
mod reflected;
mod scalar;
mod statics;
mod text;
mod thread_statics;
mod write;

use clr_metadata::{FieldId, TypeSig};

pub use children::{Child, Page};
pub use layout::{field_named, members};
pub use place::{Located, Place, Referred, Root, Step};
pub use scalar::{Scalar, of_bits};
pub use statics::{is_initialized, own_statics, statics};
pub use text::{Shown, quote};
pub use thread_statics::{OF_THREADS, is_misread};
pub use write::WriteError;

use crate::com::{self, Interface as _, element};
use crate::stopped::Stopped;
use crate::types::{self, Definition};

/// In place of what [`Value::is_unassigned`].
pub const UNASSIGNED: &str = "not assigned yet: this `ref` variable refers to nothing";

/// A place that holds something: a variable, a field, an element, a result.
#[derive(Clone)]
pub struct Value<'s> {
    stopped: &'s Stopped,
    com: com::Value,
}

/// What a value is, references followed and boxes opened.
pub enum Content<'s> {
    Null,
    Scalar(Scalar),
    /// UTF-16 units, which may be no text.
    Text(Vec<u16>),
    Array(Array<'s>),
    Object(Object<'s>),
    Pointer(u64),
}

/// A class's or struct's instance.
pub struct Object<'s> {
    stopped: &'s Stopped,
    com: com::ObjectValue,
    type_: com::Type,
}

pub struct Array<'s> {
    stopped: &'s Stopped,
    com: com::ArrayValue,
    type_: com::Type,
    pub dimensions: Vec<u32>,
    pub bases: Vec<u32>,
}

impl Stopped {
    pub fn value(&self, com: com::Value) -> Value<'_> {
        Value { stopped: self, com }
    }
}

impl<'s> Value<'s> {
    pub fn com(&self) -> &com::Value {
        &self.com
    }

    pub fn stopped(&self) -> &'s Stopped {
        self.stopped
    }

    pub fn is_null(&self) -> bool {
        self.com.cast::<com::ReferenceValue>().is_ok_and(|reference| reference.is_null().unwrap_or(false))
    }

    /// Whether it is a `ref` variable that refers to nothing, as before its assignment. C# knows no null for one.
    pub fn is_unassigned(&self) -> bool {
        self.com.kind().is_ok_and(|kind| kind == element::BYREF) && self.is_null()
    }

    /// The thing itself; `None` for null.
    pub fn target(&self) -> com::Result<Option<Self>> {
        let mut com = self.com.clone();
        // a reference to a reference (`ref`), a box: never deeper
        for _ in 0..8 {
            if let Ok(reference) = com.cast::<com::ReferenceValue>() {
                if reference.is_null()? {
                    return Ok(None);
                }
                if com.kind().is_ok_and(|kind| kind == element::PTR || kind == element::FNPTR) {
                    break;
                }
                com = reference.dereference()?;
            } else if let Ok(boxed) = com.cast::<com::BoxValue>() {
                com = boxed.object()?.cast()?;
            } else {
                break;
            }
        }
        Ok(Some(Self { stopped: self.stopped, com }))
    }

    /// Of the thing itself: the declared type where it is null.
    pub fn type_(&self) -> com::Result<com::Type> {
        let target = self.target().ok().flatten();
        target.as_ref().unwrap_or(self).com.cast::<com::Value2>()?.exact_type()
    }

    /// Whether it is a variable that refers to a boxed value.
    pub fn is_boxed(&self) -> bool {
        let is_boxed = || {
            // the struct that a call gave comes boxed, too
            if self.com.cast::<com::HandleValue>().is_ok() || self.com.kind().ok()? == element::BYREF {
                return None;
            }
            let reference = self.com.cast::<com::ReferenceValue>().ok().filter(|it| it.is_null() == Ok(false))?;
            reference.dereference().ok()?.cast::<com::BoxValue>().ok()
        };
        is_boxed().is_some()
    }

    /// Whether its bytes are in the place itself, not in an object that it refers to.
    pub fn is_unboxed(&self) -> bool {
        // that of a variable that refers to another, as `this` of a struct does, is there
        let Ok(Self { com, .. }) = self.settled() else { return false };
        // an object of the heap may be at hand without a reference to it
        com.cast::<com::ReferenceValue>().is_err()
            && com.cast::<com::ObjectValue>().is_ok()
            && com.cast::<com::HeapValue2>().is_err()
    }

    /// As C# writes its type.
    pub fn type_name(&self) -> String {
        self.signature().map(|signature| types::text(&signature)).unwrap_or_default()
    }

    pub fn signature(&self) -> com::Result<TypeSig> {
        let signature = types::signature(self.stopped.target(), &self.type_()?);
        // a variable that refers to another reads as that one
        Ok(if let TypeSig::ByRef(inner) = signature { *inner } else { signature })
    }

    /// # Errors
    /// It has no home here, or its memory cannot be read.
    pub fn content(&self) -> com::Result<Content<'s>> {
        let Some(target) = self.target()? else { return Ok(Content::Null) };
        let kind = target.com.kind()?;
        if matches!(kind, element::PTR | element::FNPTR) {
            return Ok(Content::Pointer(target.com.cast::<com::ReferenceValue>()?.target_address()?));
        }
        if kind == element::STRING {
            return Ok(Content::Text(target.com.cast::<com::StringValue>()?.units()?));
        }
        if matches!(kind, element::SZARRAY | element::ARRAY) {
            let com: com::ArrayValue = target.com.cast()?;
            let dimensions = com.dimensions()?;
            let bases = if kind == element::ARRAY { com.base_indices().unwrap_or_default() } else { Vec::new() };
            return Ok(Content::Array(Array { stopped: self.stopped, type_: target.type_()?, com, dimensions, bases }));
        }
        if let Some(scalar) = scalar::read(&target.com, kind)? {
            return Ok(Content::Scalar(scalar));
        }
        let com: com::ObjectValue = target.com.cast()?;
        let object = Object { stopped: self.stopped, type_: target.type_()?, com };
        // `Nullable<T>` never boxes as itself
        if object.definition().is_some_and(|definition| definition.is("System.Nullable`1")) {
            return match object.nullable()? {
                Some(inner) => inner.content(),
                None => Ok(Content::Null),
            };
        }
        Ok(match object.scalar() {
            Some(scalar) => Content::Scalar(scalar),
            None => Content::Object(object),
        })
    }

    /// The struct itself, where [`Value::content`] would make a number of it.
    pub fn raw_object(&self) -> Option<Object<'s>> {
        Some(Object { stopped: self.stopped, com: self.com.cast().ok()?, type_: self.type_().ok()? })
    }

    pub fn object(&self) -> Option<Object<'s>> {
        match self.content() {
            Ok(Content::Object(object)) => Some(object),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<String> {
        match self.content() {
            Ok(Content::Text(units)) => Some(String::from_utf16_lossy(&units)),
            _ => None,
        }
    }

    /// An integer of any width.
    pub fn integer(&self) -> Option<i128> {
        match self.content() {
            Ok(Content::Scalar(Scalar::Int(_, number))) => Some(number),
            Ok(Content::Scalar(Scalar::Enum(_, number))) => Some(number),
            _ => None,
        }
    }

    /// Where the object lies now; a collection may move it when the program goes on.
    pub fn address(&self) -> Option<u64> {
        self.target().ok()??.com.address().ok().filter(|&address| address != 0)
    }
}

impl<'s> Object<'s> {
    pub fn type_(&self) -> &com::Type {
        &self.type_
    }

    pub fn definition(&self) -> Option<Definition> {
        types::definition(self.stopped.target(), &self.type_)
    }

    /// A field of the type or of its bases, the most derived first.
    pub fn field(&self, name: &str) -> Option<Value<'s>> {
        types::chain(self.stopped.target(), &self.type_).iter().find_map(|type_| {
            let definition = types::definition(self.stopped.target(), type_)?;
            let field = layout::field_named(&definition, name)?;
            self.field_of(&definition.class, field).ok()
        })
    }

    /// The field that has what a member of the source is.
    pub fn field_of_member(&self, definition: &Definition, member: &layout::Member) -> FieldId {
        let kept = definition.view().name().starts_with('<').then(|| layout::kept_parameter(definition, &member.name));
        kept.flatten().filter(|_| self.is_not_begun()).unwrap_or(member.id)
    }

    /// Whether it is an iterator that nobody has asked for an element.
    fn is_not_begun(&self) -> bool {
        const NOT_BEGUN: i128 = -2;
        self.field("<>1__state").and_then(|state| state.integer()) == Some(NOT_BEGUN)
    }

    /// All that it holds, what its bases declare behind its own.
    pub fn fields(&self) -> Vec<Value<'s>> {
        let chain = types::chain(self.stopped.target(), &self.type_);
        let definitions = chain.iter().filter_map(|type_| types::definition(self.stopped.target(), type_));
        let of_one = |definition: Definition| {
            let fields = layout::instance_fields(&definition).into_iter();
            fields.filter_map(|field| self.field_of(&definition.class, field).ok()).collect::<Vec<_>>()
        };
        definitions.flat_map(of_one).collect()
    }

    pub fn field_of(&self, class: &com::Class, field: FieldId) -> com::Result<Value<'s>> {
        Ok(self.stopped.value(self.com.field(class, field.token().0)?))
    }

    fn nullable(&self) -> com::Result<Option<Value<'s>>> {
        let missing = com::HResult::INVALID_ARGUMENT;
        let has_value = self.field("hasValue").ok_or(missing)?;
        match has_value.content()? {
            Content::Scalar(Scalar::Bool(true)) => self.field("value").ok_or(missing).map(Some),
            _ => Ok(None),
        }
    }

    /// The number of an enum, the value of a boxed primitive, a decimal.
    fn scalar(&self) -> Option<Scalar> {
        let definition = self.definition()?;
        let view = definition.view();
        if view.is_enum() {
            let value = self.field("value__")?.integer()?;
            return Some(Scalar::Enum(definition.clone(), value));
        }
        if view.namespace() != "System" || !view.is_value_type() {
            return None;
        }
        if clr_metadata::Primitive::from_name(&view.full_name()).is_some() {
            let inner = self.field("m_value").or_else(|| self.field("_value"))?;
            return match inner.content() {
                Ok(Content::Scalar(scalar)) => Some(scalar),
                _ => None,
            };
        }
        if view.name() == "Decimal" {
            let part = |name: &str| self.field(name)?.integer();
            return Some(Scalar::decimal(part("_flags")?, part("_hi32")?, part("_lo64")?));
        }
        None
    }
}

impl<'s> Array<'s> {
    pub fn count(&self) -> u32 {
        self.com.count().unwrap_or(0)
    }

    /// By its position, counted through all dimensions.
    pub fn at(&self, position: u32) -> com::Result<Value<'s>> {
        Ok(self.stopped.value(self.com.element_at(position)?))
    }

    /// `[1, 2]` of a position.
    pub fn index_text(&self, position: u32) -> String {
        if self.dimensions.len() == 1 && self.bases.is_empty() {
            return format!("[{position}]");
        }
        let mut rest = position;
        let mut parts = Vec::with_capacity(self.dimensions.len());
        for (at, &length) in self.dimensions.iter().enumerate().rev() {
            let base = self.bases.get(at).copied().unwrap_or(0);
            parts.push((rest.checked_rem(length).unwrap_or(0) + base).cast_signed().to_string());
            rest = rest.checked_div(length).unwrap_or(0);
        }
        parts.reverse();
        format!("[{}]", parts.join(", "))
    }
}
