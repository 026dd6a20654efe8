//! Static fields, once the runtime has initialized their type.

use clr_csharp::types::{FieldRef, Type};
use clr_csharp::value::Value;
use clr_metadata::{MethodId, Primitive};

use super::{EvalError, Evaluation};
use crate::calls::{Argument, CallError, What};
use crate::com;
use crate::types::{self, Definition};
use crate::values::{self, Place, Root, Scalar};

impl Evaluation<'_> {
    /// Whether a field is one of those that each thread has, and this thread has none yet, as nothing of it looked there. What the
    /// initializer of its type gives such a field is for the thread that runs it.
    pub(super) fn is_unused_by_thread(&mut self, field: &FieldRef) -> bool {
        if field.field.assembly.metadata().attribute(field.field.id, values::OF_THREADS).is_none()
            || self.is_misread(field)
        {
            return false;
        }
        let Ok(type_) = self.instance(&field.owner) else { return false };
        let place = Place::of(Root::Static { thread: self.thread, type_: type_.clone(), field: field.field.id });
        matches!(place.read(self.stopped), Err(com::HResult::STATIC_UNAVAILABLE))
            && values::is_initialized(self.stopped, self.thread, &type_)
    }

    /// What a static field holds, without the initializer that a first look would run.
    pub(super) fn as_it_stands(&mut self, field: &FieldRef) -> Result<Option<Value<Place>>, EvalError> {
        let Ok(type_) = self.instance(&field.owner) else { return Ok(None) };
        let place = Place::of(Root::Static { thread: self.thread, type_, field: field.field.id });
        match place.read(self.stopped) {
            Ok(_) => self.held(&place).map(Some),
            Err(com::HResult::NOT_LOADED | com::HResult::STATIC_UNAVAILABLE) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether only the program can read a field: [`values::is_misread`].
    pub(super) fn is_misread(&mut self, field: &FieldRef) -> bool {
        let is_of_threads = field.field.assembly.metadata().attribute(field.field.id, values::OF_THREADS).is_some();
        if !is_of_threads || field.owner.arguments().is_empty() {
            return false;
        }
        self.instance(&field.owner).is_ok_and(|type_| values::is_misread(self.stopped, &type_, field.field.id))
    }

    /// A static field of the thread, as reflection reads it. The type itself is asked of an array, which needs no name for it.
    pub(super) fn reflected(&mut self, field: &FieldRef) -> Result<Value<Place>, EvalError> {
        const ANY: i128 = 2 | 8 | 16 | 32; // declared only, static, public, not public
        self.static_place(field)?;
        let type_ = self.instance(&field.owner)?;
        let array = self.run(What::Array { element: type_, length: 0 })?;
        let of_type = self.asked(("System.Object", "GetType"), array, Vec::new())?;
        let of_type = self.asked(("System.Type", "GetElementType"), of_type, Vec::new())?;
        let name = field.field.name.encode_utf16().collect();
        let flags = Argument::Scalar(Scalar::Int(Primitive::I4, ANY));
        let info = self.asked(("System.Type", "GetField"), of_type, vec![Argument::Text(name), flags])?;
        let value = self.asked(("System.Reflection.FieldInfo", "GetValue"), info, vec![Argument::Null])?;
        let place = Place::of(Root::Kept(value.ok_or(com::HResult::POINTER)?));
        match field.type_() == Type::OBJECT {
            true => self.held(&place),
            false => match self.constant_in(&place)? {
                Some(constant) => Ok(Value::Constant(constant)),
                None => self.held(&place),
            },
        }
    }

    /// What a method of an object of the framework gives.
    fn asked(
        &mut self,
        (type_, name): (&str, &str),
        of: Option<com::Value>,
        mut arguments: Vec<Argument>,
    ) -> Result<Option<com::Value>, EvalError> {
        let function = self.of_framework(type_, name, |it| it.parameters.len() == arguments.len())?;
        arguments.insert(0, Argument::Kept(of.ok_or(com::HResult::POINTER)?));
        self.run(What::Function { function, types: Vec::new(), arguments })
    }

    pub(super) fn static_place(&mut self, field: &FieldRef) -> Result<Place, EvalError> {
        self.loaded(&field.field.assembly)?;
        let type_ = self.instance(&field.owner)?;
        let place = Place::of(Root::Static { thread: self.thread, type_: type_.clone(), field: field.field.id });
        if !self.is_unused_by_thread(field)
            && let Some(definition) = types::definition(self.stopped.target(), &type_)
        {
            self.initialize(&type_, definition, &place)?;
        }
        Ok(place)
    }

    /// An object of a type makes the runtime initialize it, as the program's own first look would; one whose initializer has failed
    /// has no values to read.
    fn initialize(&mut self, type_: &com::Type, definition: Definition, field: &Place) -> Result<(), EvalError> {
        let target = self.stopped.target().clone();
        let is_unread =
            matches!(field.read(self.stopped), Err(com::HResult::NOT_LOADED | com::HResult::STATIC_UNAVAILABLE));
        let initializer = types::initializer(&definition);
        let name = types::name(&target, type_);
        let has_begun = !is_unread && values::is_initialized(self.stopped, self.thread, type_);
        if has_begun && self.calls.is_none() {
            return Ok(());
        }
        let is_known = || target.is_known_initialized(definition.module.id, &name);
        if !is_unread && initializer.is_none_or(|it| is_known() || self.runs(&definition, it)) {
            return Ok(());
        }
        let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
        match self.run(What::Bare { class: definition.class, types }) {
            Ok(_) => target.set_known_initialized(definition.module.id, name),
            // nothing can be called here, or no object be made of it
            Err(EvalError::NeedsCall | EvalError::Call(CallError::Refused(_))) if has_begun => {}
            Err(EvalError::Call(CallError::Refused(_))) => {
                return Err(EvalError::failed(format!(
                    "'{name}' is not initialized yet: its static initializer has not run"
                )));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Whether a thread is in a method.
    fn runs(&self, definition: &Definition, method: MethodId) -> bool {
        let is_in = |thread: &crate::frames::Thread<'_>| {
            let stack = thread.stack().unwrap_or_default();
            stack.iter().any(|frame| frame.data().method == method && frame.data().module.id == definition.module.id)
        };
        self.stopped.threads().unwrap_or_default().iter().any(is_in)
    }
}
