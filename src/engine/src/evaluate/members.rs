//! Members and elements: fields and what only loads one from memory, other properties by a call.

use clr_metadata::{AttributeValue, FieldId, MethodId, Primitive, TypeSig};

use super::operators::Operand;
use super::{EvalError, Evaluation, NULL, kept, no_name};
use crate::calls::{Argument, CallError, What};
use crate::com;
use crate::types::{self, Definition};
use crate::values::{Content, Place, Root, Scalar, Step, field_named};

fn int(number: u32) -> Operand {
    Operand::Scalar(Scalar::Int(Primitive::I4, number.into()))
}

/// What a name means in a type.
enum Found {
    Field(FieldId),
    Getter(com::Function),
}

/// Of one type, not of its bases.
fn find(definition: &Definition, name: &str, is_static: bool) -> Option<Found> {
    let view = definition.view();
    if let Some(field) = field_named(definition, name) {
        use clr_metadata::col;
        let flags = definition.assembly.metadata().cell(field.row(), col::Field::Flags).unwrap_or(0);
        if (flags & 0x10 != 0) == is_static {
            return Some(Found::Field(field));
        }
    }
    let property = view
        .properties()
        .into_iter()
        .find(|property| property.name == name && property.is_static == is_static && !property.is_indexer)?;
    if let Some(field) = property.access.field().and_then(|field| field_named(definition, field)) {
        return Some(Found::Field(field));
    }
    let getter = property.getter?;
    definition.module.function(getter.token().0).ok().map(Found::Getter)
}

/// Whether a type, not its bases, declares the member, and what another type may put in its place.
fn declares(definition: &Definition, name: &str) -> Option<bool> {
    let is_it =
        |property: &clr_metadata::Property| property.name == name && !property.is_static && !property.is_indexer;
    match definition.view().properties().into_iter().find(is_it) {
        Some(property) => Some(property.getter.is_some_and(|getter| definition.assembly.method(getter).is_virtual())),
        None => field_named(definition, name).map(|_| false),
    }
}

impl Evaluation<'_> {
    /// `declared`: the type that the source gives the object, asked for where that decides.
    pub(super) fn member(
        &mut self,
        of: &Operand,
        name: &str,
        declared: impl FnOnce(&Self) -> Option<TypeSig>,
    ) -> Result<Operand, EvalError> {
        let missing = |type_name: String| {
            EvalError::failed(format!("error CS1061: '{type_name}' does not contain a definition for '{name}'"))
        };
        match of {
            Operand::Null(_) => Err(EvalError::failed(NULL)),
            Operand::Text(units) if name == "Length" => Ok(int(units.len() as u32)),
            Operand::Place(place) => match self.member_of(place, name, declared)? {
                Some(found) => Ok(found),
                None => Err(missing(place.read(self.stopped)?.type_name())),
            },
            Operand::Type(type_) => {
                if let Some(found) = self.static_member(&type_.type_.clone(), name)? {
                    return Ok(found);
                }
                let nested = self.find_type(&format!("{}.{name}", type_.text));
                nested.map(Operand::Type).ok_or_else(|| {
                    EvalError::failed(format!(
                        "error CS0117: '{}' does not contain a definition for '{name}'",
                        type_.text
                    ))
                })
            }
            Operand::Namespace(namespace) => {
                let full = format!("{namespace}.{name}");
                if let Some(type_) = self.find_type(&full) {
                    return Ok(Operand::Type(type_));
                }
                if self.is_namespace(&full) { Ok(Operand::Namespace(full)) } else { Err(no_name(&full)) }
            }
            other => Err(missing(other.type_name())),
        }
    }

    /// `None`: the type has no such member.
    pub(super) fn member_of(
        &mut self,
        place: &Place,
        name: &str,
        declared: impl FnOnce(&Self) -> Option<TypeSig>,
    ) -> Result<Option<Operand>, EvalError> {
        let value = place.read(self.stopped)?;
        if value.is_nullable() {
            let has_value = !matches!(value.content()?, Content::Null);
            match name {
                "HasValue" => return Ok(Some(Operand::Scalar(Scalar::Bool(has_value)))),
                "Value" if has_value => return Ok(Some(Operand::Place(place.then(Step::Inside)))),
                "Value" => {
                    return Err(EvalError::failed(
                        "System.InvalidOperationException: Nullable object must have a value.",
                    ));
                }
                _ => {}
            }
        }
        match value.content()? {
            Content::Null => return Err(EvalError::failed(NULL)),
            Content::Text(units) if name == "Length" => return Ok(Some(int(units.len() as u32))),
            Content::Array(array) if matches!(name, "Length" | "LongLength") => return Ok(Some(int(array.count()))),
            Content::Array(array) if name == "Rank" => return Ok(Some(int(array.dimensions.len() as u32))),
            _ => {}
        }
        let place = if value.is_nullable() { place.then(Step::Inside) } else { place.clone() };
        let chain = types::chain(&place.read(self.stopped)?.type_()?);
        let from = self.unhidden(&chain, name, declared);
        for type_ in chain.into_iter().skip(from) {
            let Some(definition) = types::definition(self.stopped.target(), &type_) else { continue };
            match find(&definition, name, false) {
                Some(Found::Field(field)) => {
                    return Ok(Some(Operand::Place(
                        place.then(Step::Field { class: definition.class.clone(), field }),
                    )));
                }
                Some(Found::Getter(function)) => {
                    let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
                    let arguments = vec![Argument::Place(place.clone())];
                    let result = self.call(What::Function { function, types, arguments })?;
                    return Ok(Some(result.map_or(Operand::Null(None), kept)));
                }
                None => {}
            }
        }
        // through an instance, a static one too: forgiving, as other debuggers are
        let type_ = place.read(self.stopped)?.type_()?;
        self.static_member(&type_, name)
    }

    /// Where in an object's types the member is looked for: C# takes the one of the declared type, whatever a type below it calls by
    /// the same name with `new`.
    fn unhidden(&self, chain: &[com::Type], name: &str, declared: impl FnOnce(&Self) -> Option<TypeSig>) -> usize {
        let target = self.stopped.target();
        let of_type = |type_: &com::Type| declares(&types::definition(target, type_)?, name);
        let mut declaring = chain.iter().enumerate().filter_map(|(at, type_)| Some((at, of_type(type_)?)));
        let (Some(first), Some(_)) = (declaring.next(), declaring.next()) else { return 0 };
        let Some(declared) = declared(self) else { return first.0 };
        let Some(start) = chain.iter().position(|type_| types::signature(target, type_) == declared) else { return 0 };
        let is_own = |(at, is_virtual): &(usize, bool)| *at >= start && !is_virtual;
        let mut declaring = chain.iter().enumerate().filter_map(|(at, type_)| Some((at, of_type(type_)?)));
        declaring.find(|(at, _)| *at >= start).filter(is_own).map_or(0, |(at, _)| at)
    }

    pub(super) fn static_member(&mut self, type_: &com::Type, name: &str) -> Result<Option<Operand>, EvalError> {
        for type_ in types::chain(type_) {
            let Some(definition) = types::definition(self.stopped.target(), &type_) else { continue };
            match find(&definition, name, true) {
                Some(Found::Field(field)) => {
                    if let Some(constant) = self.of_constant(&definition, field) {
                        return Ok(Some(constant));
                    }
                    let place = Place::of(Root::Static { thread: self.thread, type_: type_.clone(), field });
                    self.initialise(&type_, definition, &place)?;
                    return Ok(Some(Operand::Place(place)));
                }
                Some(Found::Getter(function)) => {
                    let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
                    let result = self.call(What::Function { function, types, arguments: Vec::new() })?;
                    return Ok(Some(result.map_or(Operand::Null(None), kept)));
                }
                None => {}
            }
        }
        Ok(None)
    }

    /// An object of a type makes the runtime initialise it, as the program's own first look would; one whose initialiser has failed
    /// has no values to read.
    fn initialise(&mut self, type_: &com::Type, definition: Definition, field: &Place) -> Result<(), EvalError> {
        let target = self.stopped.target().clone();
        let is_unread =
            matches!(field.read(self.stopped), Err(com::HResult::NOT_LOADED | com::HResult::STATIC_UNAVAILABLE));
        let initialiser = types::initialiser(&definition);
        let name = types::name(&target, type_);
        let has_begun = !is_unread && types::is_initialised(&target, type_);
        if has_begun && self.calls.is_none() {
            return Ok(());
        }
        let is_known = || target.is_known_initialised(definition.module.id, &name);
        if !is_unread && initialiser.is_none_or(|it| is_known() || self.runs(&definition, it)) {
            return Ok(());
        }
        let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
        match self.call(What::Bare { class: definition.class, types }) {
            Ok(_) => target.set_known_initialised(definition.module.id, name),
            // nothing can be called here, or no object be made of it
            Err(EvalError::NeedsCall | EvalError::Call(CallError::Refused(_))) if has_begun => {}
            Err(EvalError::Call(CallError::Refused(_))) => {
                return Err(EvalError::failed(format!(
                    "'{name}' is not initialised yet: its static initialiser has not run"
                )));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Whether a thread is in a method.
    fn runs(&self, definition: &Definition, method: MethodId) -> bool {
        let is_in = |thread: &crate::stopped::Thread<'_>| {
            let stack = thread.stack().unwrap_or_default();
            stack.iter().any(|frame| frame.data().method == method && frame.data().module.id == definition.module.id)
        };
        self.stopped.threads().unwrap_or_default().iter().any(is_in)
    }

    /// Of a `const` field or an enum's member.
    fn of_constant(&self, definition: &Definition, field: FieldId) -> Option<Operand> {
        let value = definition.assembly.constant(field)?;
        let declared = definition.view().fields().into_iter().find(|other| other.id == field)?.type_;
        Some(match value {
            AttributeValue::Bool(value) => Operand::Scalar(Scalar::Bool(value)),
            AttributeValue::Char(c) => Operand::Scalar(Scalar::Char(u32::from(c) as u16)),
            AttributeValue::Int(number) => Operand::Scalar(match declared {
                TypeSig::Primitive(primitive) => Scalar::Int(primitive, number),
                // nothing else has a constant that is a number
                _ => Scalar::Enum(self.defined(&declared)?, number),
            }),
            AttributeValue::Float(number) => match declared {
                TypeSig::Primitive(Primitive::R4) => Operand::Scalar(Scalar::Single(number as f32)),
                _ => Operand::Scalar(Scalar::Double(number)),
            },
            AttributeValue::String(Some(text)) => Operand::Text(text.encode_utf16().collect()),
            AttributeValue::String(None) => Operand::Null(Some("string".into())),
            _ => return None,
        })
    }

    fn defined(&self, type_: &TypeSig) -> Option<Definition> {
        types::definition(self.stopped.target(), &self.instance(type_)?)
    }

    pub(super) fn index(&mut self, of: &Operand, indices: &[Operand]) -> Result<Operand, EvalError> {
        let wrong = |type_name: String| {
            EvalError::failed(format!(
                "error CS0021: Cannot apply indexing with [] to an expression of type '{type_name}'"
            ))
        };
        let out_of_range =
            || EvalError::failed("System.IndexOutOfRangeException: Index was outside the bounds of the array.");
        let numbers: Option<Vec<i128>> = indices.iter().map(|index| self.integer(index)).collect();
        let place = match of {
            Operand::Null(_) => return Err(EvalError::failed(NULL)),
            Operand::Text(units) => return character(units, numbers.as_deref()).ok_or_else(out_of_range),
            Operand::Place(place) => place,
            other => return Err(wrong(other.type_name())),
        };
        let value = place.read(self.stopped)?;
        match value.content()? {
            Content::Null => Err(EvalError::failed(NULL)),
            Content::Text(units) => character(&units, numbers.as_deref()).ok_or_else(out_of_range),
            Content::Array(array) => {
                let position = numbers.and_then(|numbers| array.position(&numbers)).ok_or_else(out_of_range)?;
                Ok(Operand::Place(place.then(Step::Element(position))))
            }
            Content::Object(object) => {
                let is_list = object.definition().is_some_and(|type_| type_.is("System.Collections.Generic.List`1"));
                if let (true, Some(&[index]), Some(size)) =
                    (is_list, numbers.as_deref(), object.field("_size").and_then(|size| size.integer()))
                {
                    if !(0..size).contains(&index) {
                        return Err(EvalError::failed(
                            "System.ArgumentOutOfRangeException: Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'index')",
                        ));
                    }
                    let type_name = value.type_name();
                    let Some(Operand::Place(items)) = self.member_of(place, "_items", |_| None)? else {
                        return Err(wrong(type_name));
                    };
                    return Ok(Operand::Place(items.then(Step::Element(index as u32))));
                }
                let place = place.clone();
                self.indexer(&place, indices)?
                    .ok_or_else(|| wrong(place.read(self.stopped).map(|value| value.type_name()).unwrap_or_default()))
            }
            _ => Err(wrong(value.type_name())),
        }
    }

    fn integer(&self, operand: &Operand) -> Option<i128> {
        match self.simplified(operand.clone()).ok()? {
            Operand::Scalar(Scalar::Int(_, number)) => Some(number),
            Operand::Scalar(Scalar::Char(unit)) => Some(unit.into()),
            _ => None,
        }
    }
}

fn character(units: &[u16], indices: Option<&[i128]>) -> Option<Operand> {
    let &[index] = indices? else { return None };
    let unit = units.get(usize::try_from(index).ok()?)?;
    Some(Operand::Scalar(Scalar::Char(*unit)))
}
