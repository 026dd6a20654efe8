//! A method as the stack traces of .NET write it (`System.Diagnostics.StackTrace.ToString`, .NET 8 to 10).

use super::attributes::COMPILER_GENERATED;
use super::methods::{MethodView, StateMachineKind};
use super::signatures::{ParameterNames, TypeSig};
use super::types::TypeView;

const HIDDEN: &str = "System.Diagnostics.StackTraceHiddenAttribute";
/// MethodImplAttributes.AggressiveInlining
const INLINED: u32 = 0x100;

/// A method in a stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedMethod {
    /// ``Ns.Outer.Gen`1.M[U](T t, Int32& n)``; of the `MoveNext` of a state machine the method that was written.
    pub text: String,
    /// It is the code of an async method: no line marks where an exception was thrown on from it.
    pub is_async: bool,
}

impl MethodView<'_> {
    /// Whether traces leave it out, unless it is the last one.
    pub fn is_hidden_in_traces(&self) -> bool {
        self.impl_flags() & INLINED != 0
            || self.has_attribute(HIDDEN)
            || self.declaring_type().is_some_and(|type_| type_.has_attribute(HIDDEN))
    }

    pub fn in_trace(&self) -> TracedMethod {
        let owner = self.declaring_type();
        let is = |type_: &TypeView<'_>, interface: &str| type_.implements(interface);
        let machine = owner.filter(|type_| type_.has_attribute(COMPILER_GENERATED));
        let is_async = machine.is_some_and(|it| is(&it, "System.Runtime.CompilerServices.IAsyncStateMachine"));
        let machine = machine.filter(|it| is_async || is(it, "System.Collections.IEnumerator"));
        let Some(written) = machine.and_then(|machine| written(&machine)) else {
            return TracedMethod { text: plain(self), is_async };
        };
        let mut text = plain(&written);
        if written.attribute_kind() != Some(StateMachineKind::Async) {
            text.push_str(&format!("+{}()", self.name()));
        }
        TracedMethod { text, is_async }
    }
}

/// The method beside a state machine that it was made of.
fn written<'a>(machine: &TypeView<'a>) -> Option<MethodView<'a>> {
    let mut methods = machine.declaring_type()?.methods().map(|method| machine.assembly().method(method));
    methods.find(|method| method.state_machine() == Some(machine.id()))
}

fn plain(method: &MethodView<'_>) -> String {
    let owner = method.declaring_type().filter(|owner| owner.name() != "<Module>");
    let names = owner.map(|owner| owner.parameter_names(Some(method.id()))).unwrap_or_default();
    let owner = owner.map(|owner| owner.full_name().replace('+', ".") + ".").unwrap_or_default();
    let generic = match names.of_method.as_slice() {
        [] => String::new(),
        names => format!("[{}]", names.join(",")),
    };
    let types = method.signature().map(|signature| signature.parameters).unwrap_or_default();
    let parameters = types.iter().zip(method.parameter_names()).map(|(type_, name)| {
        let type_ = type_name(type_, &names);
        if name.is_empty() { type_ } else { format!("{type_} {name}") }
    });
    format!("{owner}{}{generic}({})", method.name(), parameters.collect::<Vec<_>>().join(", "))
}

/// `System.Type.Name`
fn type_name(type_: &TypeSig, names: &ParameterNames) -> String {
    let parameter = |names: &[String], at: u32| names.get(at as usize).cloned().unwrap_or_default();
    match type_ {
        TypeSig::Primitive(primitive) => primitive.full_name().trim_start_matches("System.").to_owned(),
        TypeSig::Named(name) => {
            let name = name.full_name.as_str();
            let nested = name.rsplit_once('+').map(|(_, nested)| nested);
            nested.unwrap_or_else(|| name.rsplit('.').next().unwrap_or(name)).to_owned()
        }
        TypeSig::Array(element) => format!("{}[]", type_name(element, names)),
        TypeSig::MultiArray { element, shape } => {
            let commas = if shape.rank < 2 { "*".to_owned() } else { ",".repeat(shape.rank as usize - 1) };
            format!("{}[{commas}]", type_name(element, names))
        }
        TypeSig::Pointer(of) => format!("{}*", type_name(of, names)),
        TypeSig::ByRef(of) => format!("{}&", type_name(of, names)),
        TypeSig::Pinned(inner) | TypeSig::Modified { inner, .. } => type_name(inner, names),
        TypeSig::TypeParameter(at) => parameter(&names.of_type, *at),
        TypeSig::MethodParameter(at) => parameter(&names.of_method, *at),
        // it has no name
        TypeSig::FunctionPointer(_) => String::new(),
    }
}
