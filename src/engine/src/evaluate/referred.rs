//! What a call returns by reference: where that is is known only until the next call of the program's code, whose result the runtime puts
//! in the place of the reference, and before which the garbage collector may move what it refers to.

use clr_csharp::types::{MethodRef, Type};
use clr_csharp::value::Value;

use super::{EvalError, Evaluation};
use crate::calls::What;
use crate::com::{self, HResult, Interface as _, element};
use crate::values::{Place, Referred, Root};

impl Evaluation<'_> {
    /// A box for a copy of the struct that a method returns by reference, made before the call: nothing may run between that and the copy.
    pub(super) fn box_of_returned(&mut self, method: &MethodRef) -> Result<Option<com::Value>, EvalError> {
        let Type::ByRef(type_) = method.returns() else { return Ok(None) };
        if !self.is_struct(&type_) {
            return Ok(None);
        }
        if self.definition(&type_).is_some_and(|it| it.view().is_by_ref_like()) {
            return Err(EvalError::failed(format!(
                "`{}` returns a reference to a '{}', which cannot be kept here",
                method.method.name,
                type_.short()
            )));
        }
        let instance = self.instance(&type_)?;
        // its static constructor would run
        if !crate::values::is_initialized(self.stopped, self.thread, &instance) {
            return Ok(None);
        }
        let types = instance.type_parameters().map(|list| list.rest()).unwrap_or_default();
        self.run(What::Bare { class: instance.class()?, types })
    }

    /// What a call gave, as long as no other is made.
    pub(super) fn returned(
        &self,
        value: Option<com::Value>,
        copy: Option<com::Value>,
    ) -> Result<Value<Place>, EvalError> {
        let Some(value) = value else { return Ok(Value::Void) };
        if value.kind()? != element::BYREF {
            return self.held(&Place::of(Root::Kept(value)));
        }
        let there = self.stopped.value(value).settled()?;
        if let Ok(reference) = there.com().cast::<com::ReferenceValue>() {
            return self.referred(if reference.is_null()? { 0 } else { reference.target_address()? });
        }
        if let Some(copy) = &copy {
            self.stopped.value(copy.clone()).target()?.ok_or(HResult::POINTER)?.write_value(&there)?;
        }
        let referred = Referred { there: there.com().clone(), copy, era: self.stopped.era() };
        self.held(&Place::of(Root::Referred(referred)))
    }

    /// The object at an address.
    pub(super) fn referred(&self, address: u64) -> Result<Value<Place>, EvalError> {
        if address == 0 {
            return Ok(Value::NULL);
        }
        let process: com::Process5 = self.stopped.target().process()?.cast()?;
        // it may move when code of the program runs
        let handle = process.object(address)?.cast::<com::HeapValue2>()?.create_handle(com::WEAK)?;
        self.held(&Place::of(Root::Kept(handle.cast()?)))
    }

    /// That a place can be written to, and is not the copy of what a reference meant.
    pub(super) fn is_in_place(&self, place: &Place) -> Result<(), EvalError> {
        match &place.root {
            Root::Referred(referred) if !referred.is_there(self.stopped) => Err(EvalError::failed(
                "what the call returned by reference may have moved when other code ran: assign a value that needs no call",
            )),
            _ => Ok(()),
        }
    }
}
