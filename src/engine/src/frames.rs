//! Frames: which method, where in it, and under which name.

use std::rc::Rc;
use std::sync::Arc;

use clr_metadata::{MethodId, SequencePoint, Token, TypeName, TypeSig};

use crate::com::{self, Interface as _};
use crate::modules::Module;
use crate::stopped::Stopped;
use crate::target::Target;

/// What was read of a frame; the runtime's objects in it are as old as its stop.
pub struct FrameData {
    pub il: com::ILFrame,
    pub module: Arc<Module>,
    pub method: MethodId,
    pub offset: u32,
    pub mapping: u32,
}

impl FrameData {
    /// `None` for frames that are no managed code of a module.
    pub fn read(target: &Target, frame: &com::Frame) -> Option<Self> {
        let il = frame.cast::<com::ILFrame>().ok()?;
        let function = il.function().ok()?;
        let module = target.modules.of(&function.module().ok()?)?;
        let method = MethodId::from_token(Token(function.token().ok()?))?;
        let (offset, mapping) = il.ip().unwrap_or((0, com::mapping::NO_INFO));
        Some(Self { il, module, method, offset, mapping })
    }
}

/// One frame of a stop.
pub struct Frame<'s> {
    pub stopped: &'s Stopped,
    pub thread: u32,
    pub index: usize,
    stack: Rc<Vec<FrameData>>,
}

/// Where in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    pub path: String,
    pub point: SequencePoint,
}

impl<'s> Frame<'s> {
    pub(crate) fn new(stopped: &'s Stopped, thread: u32, stack: Rc<Vec<FrameData>>, index: usize) -> Self {
        Self { stopped, thread, index, stack }
    }

    #[expect(clippy::indexing_slicing, reason = "made with an index within the stack, which never changes")]
    pub fn data(&self) -> &FrameData {
        &self.stack[self.index]
    }

    pub fn location(&self) -> Option<Location> {
        location(&self.data().module, self.data().method, self.data().offset)
    }

    /// As metadata names it: `Shop.Order.<Total>d__3.MoveNext()`.
    pub fn name(&self) -> String {
        method_name(&self.data().module, self.data().method)
    }

    /// The object that the method runs on.
    pub fn this(&self) -> com::Result<com::Value> {
        self.data().il.argument(0)
    }

    /// The generic arguments of its type, then of the method.
    pub fn type_arguments(&self) -> Vec<com::Type> {
        let parameters = self.data().il.cast::<com::ILFrame2>().and_then(|frame| frame.type_parameters());
        parameters.map(|list| list.rest()).unwrap_or_default()
    }
}

/// The source of an IL offset: the last visible point at or before it.
pub fn location(module: &Module, method: MethodId, offset: u32) -> Option<Location> {
    if module.is_framework {
        return None;
    }
    let symbols = module.symbols()?;
    let point = symbols.point_at(method, offset)?;
    Some(Location { path: symbols.document(point.document)?.path.clone(), point })
}

/// `Ns.Type<T>.Method(int, string)`
pub fn method_name(module: &Module, method: MethodId) -> String {
    let Some(assembly) = module.assembly() else { return format!("0x{:08x}", method.token().0) };
    let view = assembly.method(method);
    let Some(owner) = view.declaring_type() else { return view.name().to_owned() };
    let names = owner.parameter_names(Some(method));
    let of_type = (0..u32::try_from(names.of_type.len()).unwrap_or(0)).map(TypeSig::TypeParameter).collect();
    let type_ = TypeSig::Named(TypeName { full_name: owner.full_name(), arguments: of_type, is_value_type: false });
    let parameters = view.signature().map(|signature| signature.parameters).unwrap_or_default();
    let parameters: Vec<String> = parameters.iter().map(|parameter| parameter.short_with(&names)).collect();
    let generic = match names.of_method.as_slice() {
        [] => String::new(),
        names => format!("<{}>", names.join(", ")),
    };
    format!("{}.{}{generic}({})", type_.full_with(&names), view.name(), parameters.join(", "))
}
