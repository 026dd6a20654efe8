//! What stands behind an object that only the runtime can open: the type of a `System.Type`, the method of a delegate.

use std::sync::Arc;

use clr_metadata::{Assembly, MethodId, Token};

use super::{Content, Object, Scalar};
use crate::com::{self, Interface as _};
use crate::types;

/// A handle of the runtime with this bit is no type of its own (a pointer, a type parameter): corinfo.h, typehandle.h.
const TYPE_DESCRIPTION: u64 = 2;

/// `typeof(System.Collections.Generic.List<int>)`, or `{Method = Program.Main lambda}` of a delegate with one.
pub fn text(object: &Object) -> Option<String> {
    let definition = types::definition(object.stopped.target(), &object.type_)?;
    if definition.module.is_framework && definition.view().full_name() == "System.RuntimeType" {
        return type_of(object);
    }
    let base = types::base(object.stopped.target(), &object.type_)
        .and_then(|base| types::definition(object.stopped.target(), &base))?;
    (base.view().full_name() == "System.MulticastDelegate").then(|| method_of(object)).flatten()
}

fn type_of(object: &Object) -> Option<String> {
    let definition = types::definition(object.stopped.target(), &object.type_)?;
    let field = super::field_named(&definition, "m_handle")?;
    let handle = object.com.field(&definition.class, field.token().0).ok()?;
    let Ok(Content::Scalar(Scalar::Int(_, handle))) = object.stopped.value(handle).content() else { return None };
    let method_table = u64::try_from(handle).ok().filter(|handle| handle & TYPE_DESCRIPTION == 0)?;
    let process: com::Process5 = object.stopped.target().process().ok()?.cast().ok()?;
    let type_ = process.type_of(com::TypeId { token1: method_table, token2: 0 }).ok()?;
    Some(format!("typeof({})", types::name(object.stopped.target(), &type_)))
}

impl Object<'_> {
    /// The method that it calls, if it is a delegate; the last one of several.
    pub fn delegate_target(&self) -> Option<(Arc<Assembly>, MethodId)> {
        let function = self.com.cast::<com::DelegateObjectValue>().ok()?.function().ok()?;
        let module = self.stopped.target().modules.of(&function.module().ok()?)?;
        let method = MethodId::from_token(Token(function.token().ok()?))?;
        Some((module.assembly()?.clone(), method))
    }
}

fn method_of(object: &Object) -> Option<String> {
    let (assembly, method) = object.delegate_target()?;
    let described = assembly.describe_method(method)?;
    Some(format!("{{Method = {}}}", format!("{} {}", described.function, described.kind).trim_end()))
}
