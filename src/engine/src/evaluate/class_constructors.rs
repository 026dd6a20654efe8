//! Static initializers, run as the program's own first look at the type would run them.

use clr_csharp::types::Type;

use super::{EvalError, Evaluation};
use crate::calls::{Argument, CallError, What};
use crate::com::{self, HResult, Interface as _};
use crate::types::Definition;
use crate::values::Scalar;

const HELPERS: &str = "System.Runtime.CompilerServices.RuntimeHelpers";

impl Evaluation<'_> {
    /// By a handle made of the type's address (.NET 7 and later), so that no object of the type is left for the tools that list the heap.
    /// An older runtime has to make one.
    pub(super) fn run_class_constructor(&mut self, type_: &com::Type, definition: Definition) -> Result<(), EvalError> {
        let Ok(of_address) = self.of_framework("System.RuntimeTypeHandle", "FromIntPtr", |_| true) else {
            let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
            return self.run(What::Bare { class: definition.class, types }).map(drop);
        };
        let address = Scalar::Int(clr_metadata::Primitive::IntPtr, self.address_of_type(type_)?.into());
        let arguments = vec![Argument::Scalar(address)];
        let missing = EvalError::Call(CallError::Refused(HResult::POINTER));
        let handle = self.run(What::Function { function: of_address, types: Vec::new(), arguments })?.ok_or(missing)?;
        let takes_handle = |it: &clr_csharp::types::Method| match it.parameters.as_slice() {
            [only] => only.type_ == Type::named("System.RuntimeTypeHandle", Vec::new()),
            _ => false,
        };
        let function = self.of_framework(HELPERS, "RunClassConstructor", takes_handle)?;
        let arguments = vec![Argument::Unboxed(handle)];
        self.run(What::Function { function, types: Vec::new(), arguments }).map(drop)
    }

    /// Where the runtime keeps what it knows of a type, which it loads first where nothing has used it yet.
    fn address_of_type(&mut self, type_: &com::Type) -> Result<u64, EvalError> {
        let address = |type_: &com::Type| type_.cast::<com::Type2>()?.id().map(|id| id.token1);
        if let Ok(address) = address(type_) {
            return Ok(address);
        }
        let function = self.of_framework(HELPERS, "IsReferenceOrContainsReferences", |_| true)?;
        self.run(What::Function { function, types: vec![type_.clone()], arguments: Vec::new() })?;
        address(type_).map_err(|error| EvalError::Call(CallError::Refused(error)))
    }
}
