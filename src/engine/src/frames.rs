//! Threads and their frames: which method, where in it, and under which name.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Rc;

use clr_metadata::{MethodId, SequencePoint, TypeName, TypeSig};

use crate::call_sites::CallSites;
use crate::com::{self, Interface as _};
use crate::modules::Module;
use crate::stopped::{FrameData, MOST_FRAMES, Stopped};
use crate::values::Value;

/// A managed thread.
pub struct Thread<'s> {
    stopped: &'s Stopped,
    pub com: com::Thread,
    /// The system's.
    pub id: u32,
}

/// One frame of a stop.
pub struct Frame<'s> {
    pub index: usize,
    stack: Rc<Vec<FrameData>>,
    /// The runtime's objects in the stack are as old as its stop.
    stop: PhantomData<&'s Stopped>,
}

/// Where in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    pub path: String,
    pub point: SequencePoint,
}

/// Moves a frame that something runs on top of from behind its call to the call. One that was interrupted stays where it is.
fn move_to_call(sites: &mut CallSites, pid: u32, data: &mut FrameData) {
    if data.is_within || !data.module.has_source() {
        return;
    }
    let native = data.il.cast::<com::NativeFrame>().ok();
    if let Some(offset) = native.and_then(|native| sites.of(pid, &native)) {
        (data.offset, data.is_exact) = (offset, false);
    }
}

impl Stopped {
    pub fn threads(&self) -> com::Result<Vec<Thread<'_>>> {
        let all = self.target().process()?.threads()?.rest::<com::Thread>();
        Ok(all.into_iter().filter_map(|com| Some(Thread { stopped: self, id: com.id().ok()?, com })).collect())
    }

    /// # Errors
    /// No managed thread has that id.
    pub fn thread(&self, id: u32) -> com::Result<Thread<'_>> {
        Ok(Thread { stopped: self, com: self.target().process()?.thread(id)?, id })
    }
}

impl<'s> Thread<'s> {
    /// The name that the program gave it.
    pub fn name(&self) -> Option<String> {
        let object = self.stopped.value(self.com.object().ok()?);
        let name = object.object()?.field("_name")?;
        name.text()
    }

    /// The frames of managed code, innermost first, up to [`MOST_FRAMES`].
    pub fn stack(&self) -> com::Result<Vec<Frame<'s>>> {
        let known = self.stopped.stacks.borrow().get(&self.id).cloned();
        let stack = match known {
            Some(stack) => stack,
            None => {
                let stack = Rc::new(self.walk(MOST_FRAMES, |_| false)?);
                self.stopped.stacks.borrow_mut().insert(self.id, stack.clone());
                stack
            }
        };
        Ok((0..stack.len()).map(|index| Frame::new(stack.clone(), index)).collect())
    }

    pub fn frame(&self, index: usize) -> com::Result<Frame<'s>> {
        // a walk over all frames takes a millisecond and more, which a condition cannot afford at each hit
        if index == 0
            && !self.stopped.stacks.borrow().contains_key(&self.id)
            && let Ok(top) = self.top()
        {
            return Ok(top);
        }
        self.stack()?.into_iter().nth(index).ok_or(com::HResult::INVALID_ARGUMENT)
    }

    /// The innermost frame of managed code, without a walk over the whole stack, as `GetActiveFrame` makes one.
    pub fn top(&self) -> com::Result<Frame<'s>> {
        let data = self.walk(1, |_| false)?.pop().ok_or(com::HResult::INVALID_ARGUMENT)?;
        Ok(Frame::new(Rc::new(vec![data]), 0))
    }

    /// The frame that called the innermost one, without a walk over those behind it.
    pub fn caller(&self) -> com::Result<Frame<'s>> {
        let frames = Rc::new(self.walk(2, |_| false)?);
        let has_caller = frames.len() == 2;
        has_caller.then(|| Frame::new(frames, 1)).ok_or(com::HResult::INVALID_ARGUMENT)
    }

    /// The innermost frame that is looked for, without a walk over those behind it.
    pub fn innermost(&self, is_it: impl Fn(&FrameData) -> bool) -> Option<FrameData> {
        let innermost = self.walk(MOST_FRAMES, &is_it).ok()?.pop();
        innermost.filter(is_it)
    }

    /// At most so many frames, innermost first, and none behind the last one.
    fn walk(&self, most: usize, is_last: impl Fn(&FrameData) -> bool) -> com::Result<Vec<FrameData>> {
        let walk = self.com.cast::<com::Thread3>()?.stack_walk()?;
        let (mut frames, mut handler) = (Vec::<FrameData>::new(), None::<com::NativeFrame2>);
        // the blocks that catch, with where the frames begin that the exception left
        let mut catching: Vec<(usize, com::NativeFrame2)> = Vec::new();
        // a stack may have 100,000 frames of one method
        let (mut kinds, mut sites) = (HashMap::new(), CallSites::default());
        // what runs on top of the next one is a call of it, unless it interrupts that
        let mut is_covered = false;
        loop {
            let mut is_over = false;
            // transitions and native frames have none
            if let Ok(frame) = walk.frame()
                && let Some(mut data) = FrameData::read(self.stopped.target(), &frame)
            {
                if is_covered {
                    move_to_call(&mut sites, self.stopped.target().pid, &mut data);
                }
                let native = || frame.cast::<com::NativeFrame2>().ok();
                let is_parent = handler.take().is_some_and(|handler| {
                    native().is_some_and(|native| handler.is_matching_parent_frame(&native) == Ok(true))
                });
                // a `finally` is a frame of its own above that of its method, which is the same activation
                if !is_parent {
                    let place = (data.module.id, data.method, data.offset);
                    let (is_finally, is_catch) =
                        *kinds.entry(place).or_insert_with(|| (data.is_in_finally(), data.is_in_catch()));
                    if is_finally {
                        handler = native().filter(|native| native.is_child() == Ok(true));
                    }
                    let is_end = |(_, handler): &(usize, com::NativeFrame2)| {
                        native().is_some_and(|native| handler.is_matching_parent_frame(&native) == Ok(true))
                    };
                    if let Some((from, _)) = catching.pop_if(|block| is_end(block)) {
                        data.is_left = true;
                        frames.iter_mut().skip(from).for_each(|frame: &mut FrameData| frame.is_left = true);
                    } else if is_catch && let Some(native) = native().filter(|native| native.is_child() == Ok(true)) {
                        catching.push((frames.len() + 1, native));
                    }
                    is_over = is_last(&data);
                    frames.push(data);
                }
            }
            is_covered = true;
            if is_over || frames.len() >= most || !matches!(walk.next(), Ok(0)) {
                return Ok(frames);
            }
        }
    }

    /// What is thrown, or was caught by the handler that runs.
    pub fn exception(&self) -> Option<Value<'s>> {
        let value = self.stopped.value(self.com.current_exception().ok()?);
        (!value.is_null()).then_some(value)
    }
}

impl<'s> Frame<'s> {
    fn new(stack: Rc<Vec<FrameData>>, index: usize) -> Self {
        Self { index, stack, stop: PhantomData }
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
        self.data().type_arguments()
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
