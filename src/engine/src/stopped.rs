//! The program while it stands still: the only way to its threads, frames ([`frames`](crate::frames)) and values
//! ([`values`](crate::values)).
//!
//! All that is read borrows from a [`Stopped`], and going on takes it, so nothing that was read can be used afterwards. A call in
//! the program borrows it for change: the runtime's objects for frames and values do not outlive a call either.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clr_metadata::il::RegionKind;
use clr_metadata::{MethodId, Token};

use crate::breakpoints::Homes;
use crate::com::{self, Interface as _};
use crate::modules::Module;
use crate::pins::Pins;
use crate::target::{Returned, Target};

pub struct Stopped {
    target: Arc<Target>,
    /// By thread, once read.
    pub(crate) stacks: RefCell<HashMap<u32, Rc<Vec<FrameData>>>>,
    /// Where evaluations found what they read.
    pub(crate) homes: RefCell<Homes>,
    /// What spans of evaluations refer to.
    pub(crate) pins: RefCell<Pins>,
    /// Where the runtime keeps what calls at this stop gave: handles of ours, that no code of the program knows.
    pub(crate) results: RefCell<Vec<u64>>,
    /// What the calls of the step that ended here returned.
    pub(crate) returned: Vec<Returned>,
    era: u64,
}

/// Frames of a thread that are read: half a second's work. One that overflowed its stack may have millions (.NET 10: 4 us each).
pub const MOST_FRAMES: usize = 100_000;

/// What was read of a frame; the runtime's objects in it are as old as its stop.
pub struct FrameData {
    pub il: com::ILFrame,
    pub module: Arc<Module>,
    pub method: MethodId,
    pub offset: u32,
    /// The code at the offset is still to run; otherwise it is under way.
    pub is_exact: bool,
    /// It stands in the midst of what the offset is of, not at the border to another piece.
    pub is_within: bool,
    /// An exception left it, and the handler that runs further up is called on top of it.
    pub is_left: bool,
}

impl FrameData {
    /// `None` for frames that are no managed code of a module.
    pub fn read(target: &Target, frame: &com::Frame) -> Option<Self> {
        let il = frame.cast::<com::ILFrame>().ok()?;
        let function = il.function().ok()?;
        let module = target.modules.of(&function.module().ok()?)?;
        let method = MethodId::from_token(Token(function.token().ok()?))?;
        let (offset, mapping) = il.ip().unwrap_or((0, com::mapping::EXACT));
        let (is_exact, is_within) = (mapping & com::mapping::EXACT != 0, mapping & com::mapping::APPROXIMATE != 0);
        Some(Self { il, module, method, offset, is_exact, is_within, is_left: false })
    }

    /// Where its stack ends, toward its caller.
    pub fn stack_end(&self) -> com::Result<u64> {
        self.il.cast::<com::NativeFrame>()?.stack_end()
    }

    /// Whether it is the code of a static initializer.
    pub fn is_initializer(&self) -> bool {
        self.module.assembly().is_some_and(|assembly| assembly.method(self.method).name() == ".cctor")
    }

    /// The generic arguments of its type, then of the method.
    pub fn type_arguments(&self) -> Vec<com::Type> {
        let parameters = self.il.cast::<com::ILFrame2>().and_then(|frame| frame.type_parameters());
        parameters.map(|list| list.rest()).unwrap_or_default()
    }

    /// Whether it is the code of an async method of the user.
    pub fn is_of_machine(&self) -> bool {
        self.module.is_user() && self.module.symbols().is_some_and(|it| it.async_info(self.method).is_some())
    }

    /// What runs before a class is used: no line calls it.
    pub fn is_static_constructor(&self) -> bool {
        self.module.assembly().is_some_and(|assembly| assembly.method(self.method).name() == ".cctor")
    }

    /// Whether it is a part of its method that the runtime has called: a handler, a filter, a `finally`. What runs of the same method
    /// behind it is the same activation.
    pub fn is_of_handler(&self) -> bool {
        self.il.cast::<com::NativeFrame2>().and_then(|native| native.is_child()) == Ok(true)
    }

    /// Whether it stands in what its method runs at the end of a `try`, come what may.
    pub fn is_in_finally(&self) -> bool {
        self.handlers().iter().any(|kind| matches!(kind, RegionKind::Finally | RegionKind::Fault))
    }

    /// Whether it stands in a `catch` block, and in no other handler within that.
    pub fn is_in_catch(&self) -> bool {
        self.handlers().first().is_some_and(|kind| matches!(kind, RegionKind::Catch(_) | RegionKind::Filter(_)))
    }

    /// The kinds of the handlers that it stands in: inner ones come first (ECMA-335 II.19).
    fn handlers(&self) -> Vec<RegionKind> {
        let body = self.module.assembly().and_then(|assembly| assembly.method(self.method).body());
        let regions = body.map(|body| body.regions).unwrap_or_default();
        let around = regions.iter().filter(|region| (region.handler_start..region.handler_end).contains(&self.offset));
        around.map(|region| region.kind).collect()
    }
}

/// No two stops have one.
fn next_era() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Stopped {
    /// The caller knows that it stands still, and keeps it so as long as this lives.
    pub fn new(target: Arc<Target>) -> Self {
        Self {
            target,
            stacks: RefCell::default(),
            homes: RefCell::default(),
            pins: RefCell::default(),
            results: RefCell::default(),
            returned: Vec::new(),
            era: next_era(),
        }
    }

    pub fn target(&self) -> &Arc<Target> {
        &self.target
    }

    /// The time since the stop or the last call, in which objects stay where they are.
    pub fn era(&self) -> u64 {
        self.era
    }

    /// Lets the program run.
    pub fn go_on(self) {
        self.target.go_on();
    }

    /// Whether a thread has more frames than are read.
    pub fn is_overflowed(&self, thread: u32) -> bool {
        self.stacks.borrow().get(&thread).is_some_and(|stack| stack.len() >= MOST_FRAMES)
    }

    /// After a call in the program: what was read of stacks holds no more.
    pub fn forget(&mut self) {
        self.era = next_era();
        self.stacks.borrow_mut().clear();
    }
}
