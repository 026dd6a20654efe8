//! What the calls of a statement return while a step passes over them, and what the method returns that a step leaves.
//!
//! The runtime has a returned value only right behind the call: a breakpoint in the native code there reads it, if the activation is the
//! step's own. It says of most structs neither where that is nor what: they are read from where the calling convention has them
//! (`structs`), or from the variable that the statement ends with storing them in. A value that cannot be read is reported as that; of
//! optimized code nothing is reported.

use std::sync::Arc;

use super::structs;
use super::watched::{all_calls, calls, has_return};
use crate::com::{self, Interface as _, StepRange, element};
use crate::frames::{Frame, Thread};
use crate::stopped::{FrameData, Stopped};
use crate::target::{Behind, Kept, Kind, ReturnSite, Returned, Returns, Step, Target, WatchedCall};
use crate::types;
use crate::values::Value;

/// Values of one step, and calls of one statement that are watched: each costs messages to the runtime.
const MOST: usize = 20;
/// Hits of other activations and threads that a step bears, at about a millisecond each: recursion makes millions.
const STRANGERS: u32 = 50;
/// What delegates are called by.
const INVOKE: &str = "Invoke";
/// In place of a value.
pub const UNREADABLE: &str = "<error: not readable>";
/// The same, with the reason.
pub const OF_STRUCT: &str = "<error: not readable: the runtime hands out this struct only from a local variable that the statement stores it in>";
/// E_FAIL: there is no call at that place in the native code.
const NO_CALL: com::HResult = com::HResult(0x8000_4005);

impl WatchedCall {
    /// What is known of it without its value.
    fn unread(self, stack_end: u64, has_returned: bool, text: &str) -> Returned {
        let Self { il_offset, function, type_name, stored_in, is_stored_last, ends_at, .. } = self;
        let slot = stored_in.filter(|_| is_stored_last);
        let kept = Some(Kept::Unread { slot, stack_end, ends_at, has_returned });
        Returned { function, il_offset, text: text.to_owned(), type_name, kept, behind: None }
    }
}

/// Takes the value that a call has returned, if the hit is of a place behind one.
pub fn returned(target: &Arc<Target>, thread: &com::Thread, hit: &com::FunctionBreakpoint) -> bool {
    let mut current = target.step();
    let Some(step) = current.as_mut() else { return false };
    let Some(at) = step.returns.sites.iter().position(|site| site.breakpoint.is(hit)) else { return false };
    let stopped = Stopped::new(target.clone());
    step.returns.take(&stopped, thread, at);
    true
}

impl Returns {
    /// Hits that are under way still come.
    pub fn disarm(&mut self) {
        for site in self.sites.drain(..) {
            let _ = site.breakpoint.activate(false);
        }
    }

    fn take(&mut self, stopped: &Stopped, thread: &com::Thread, at: usize) -> Option<()> {
        let site = self.sites.get(at)?;
        let thread = thread.id().and_then(|id| stopped.thread(id)).ok()?;
        let top = thread.top().ok()?;
        if thread.id != site.thread || stack_end(&top) != Some(site.stack_end) {
            self.strangers += 1;
            if self.strangers > STRANGERS {
                self.disarm();
            }
            return None;
        }
        if self.found.len() >= MOST {
            self.is_cut = true;
            self.disarm();
            return None;
        }
        let call = site.call.clone();
        let il = &top.data().il;
        let value = il.cast::<com::ILFrame3>().and_then(|frame| frame.return_value(call.il_offset));
        let is_struct = value.as_ref().map_or(true, |value| value.kind() == Ok(element::VALUETYPE));
        let read = match value.map(|value| stopped.value(value)) {
            Ok(value) => read(&value, site).map(|read| (read, value.type_name())),
            // of a struct that the runtime does not hand out, the variable that will have it has the type
            Err(_) => call.stored_in.and_then(|slot| {
                let like = stopped.value(il.local(slot.into()).ok()?);
                let is_struct = like.com().kind() == Ok(element::VALUETYPE) && !is_enum(&like);
                Some((read_struct(&like, site).filter(|_| is_struct)?, like.type_name()))
            }),
        };
        let returned = match read {
            Some(((text, kept), type_name)) => {
                let WatchedCall { function, il_offset, .. } = call;
                Returned { function, il_offset, text, type_name, kept, behind: None }
            }
            None => call.unread(site.stack_end, true, if is_struct { OF_STRUCT } else { UNREADABLE }),
        };
        let behind = Behind { stack_end: site.stack_end, place: site.offset, il_offset: returned.il_offset };
        self.found.push(Returned { behind: Some(behind), ..returned });
        Some(())
    }

    /// The step goes on at a place: what it may only have come to by the end of a statement has returned.
    fn see_statement_over(&mut self, at: &Frame<'_>) {
        let (offset, here) = (at.data().offset, stack_end(at));
        for unseen in &mut self.unseen {
            if let Some(Kept::Unread { stack_end, ends_at, has_returned, .. }) = &mut unseen.kept {
                *has_returned |= here == Some(*stack_end) && ends_at.contains(&offset);
            }
        }
    }

    /// With the calls that nothing was seen of, each where its statement has it.
    pub fn finish(&mut self) -> (Vec<Returned>, bool) {
        let mut found = std::mem::take(&mut self.found);
        for unseen in self.unseen.drain(..) {
            let before = found.iter().rposition(|it| it.il_offset < unseen.il_offset);
            found.insert(before.map_or(0, |at| at + 1), unseen);
        }
        (found, self.is_cut)
    }

    /// `only`: of these calls the one that returns to that place is meant, and of several that may the one of that name.
    fn arm(
        &mut self,
        thread: u32,
        frame: &Frame<'_>,
        calls: Vec<WatchedCall>,
        only: Option<(u32, &str)>,
    ) -> Option<()> {
        let native = frame.data().il.cast::<com::NativeFrame>().ok()?;
        let code = native.code().ok()?;
        // of optimized code nobody can say which call a place is behind
        let flags = code.cast::<com::Code2>().and_then(|code| code.compiler_flags()).ok()?;
        if flags & com::JIT_DISABLE_OPTIMIZATION != com::JIT_DISABLE_OPTIMIZATION {
            return None;
        }
        let stack_end = native.stack_end().ok()?;
        let places: com::Code3 = code.cast().ok()?;
        self.is_cut |= calls.len() > MOST;
        let placed = |call: WatchedCall| match places.return_value_offsets(call.il_offset) {
            Ok(offsets) => Some((call, Some(offsets))),
            Err(NO_CALL) => None,
            // a struct
            Err(_) => Some((call, None)),
        };
        let mut calls: Vec<_> = calls.into_iter().take(MOST).filter_map(placed).collect();
        let here = native.ip().ok()?;
        if let Some((place, name)) = only {
            calls = the_one(calls, place, name).map(|call| (call, Some(vec![place]))).into_iter().collect();
        }
        // of the calls that come before this place nothing more will be seen
        let behind = self.behind.filter(|behind| (behind.stack_end, behind.place) == (stack_end, here));
        let seen = calls.iter().filter(|(_, places)| places.iter().flatten().any(|place| *place <= here));
        let passed = seen.map(|(call, _)| call.il_offset).chain(behind.map(|behind| behind.il_offset)).max();
        for (call, offsets) in calls {
            let Some(offsets) = offsets else {
                // of one that the statement may pass by, nobody can say whether it was made
                if call.is_certain && passed.is_none_or(|passed| call.il_offset > passed) {
                    self.unseen.push(call.unread(stack_end, false, OF_STRUCT));
                }
                continue;
            };
            for offset in offsets {
                if self.sites.iter().any(|site| (site.offset, site.stack_end) == (offset, stack_end)) {
                    continue;
                }
                let Ok(breakpoint) = code.create_breakpoint(offset) else { continue };
                if breakpoint.activate(true).is_ok() {
                    let call = call.clone();
                    self.sites.push(ReturnSite { breakpoint, offset, thread, stack_end, call });
                }
            }
        }
        Some(())
    }
}

impl Step {
    /// Watches the calls that the thread returns from next: those of the statement, or of a step out the one that it is in.
    pub(super) fn watch_returns(&mut self, target: &Target, thread: &Thread<'_>, kind: Kind, range: Option<StepRange>) {
        if kind == Kind::Out {
            // out of what the step should not be in: the statement's own calls stay watched
            if self.kind == Kind::Out {
                self.returns.disarm();
                self.watch_return_of_method(target, thread);
            }
            return;
        }
        self.returns.disarm();
        let Ok(top) = thread.top() else { return };
        let Some(range) = range else { return };
        self.returns.see_statement_over(&top);
        self.returns.unseen.retain(|it| !(range.start..range.end).contains(&it.il_offset));
        let with_accessors = kind == Kind::Into && target.options.filter_steps;
        let calls = calls(target, top.data(), range, with_accessors);
        if !calls.is_empty() {
            self.returns.arm(thread.id, &top, calls, None);
        }
        // from the end of a method the step goes to the midst of the statement that called it
        if has_return(top.data(), range) {
            self.watch_return_of_method(target, thread);
        }
    }

    fn watch_return_of_method(&mut self, target: &Target, thread: &Thread<'_>) -> Option<()> {
        let stack = thread.stack().ok()?;
        let (left, others) = stack.split_first()?;
        // of an iterator it says only whether there is another element
        if is_of_machine(left.data()) {
            return None;
        }
        // what an exception has left does not return, and its handler is called on top of it
        let mut called = left;
        let mut alive = others.iter().filter(|frame| !frame.data().is_left);
        let caller = loop {
            let frame = alive.next()?;
            if frame.location().is_some() {
                break frame;
            }
            called = frame;
        };
        // the runtime's frames are not those of what the caller called where that was compiled into something else
        let is_direct = std::ptr::eq(called, left);
        let called = called.data();
        let called = called.module.assembly()?.method(called.method).name();
        let returns_to = caller.data().il.cast::<com::NativeFrame>().and_then(|frame| frame.ip()).ok()?;
        let range = super::range_at(caller.data())?;
        let calls = match is_direct {
            // whatever it is, somebody asked for it; its own name, not that of the method that it overrides
            true => all_calls(caller.data(), range, &left.name()),
            false => calls(target, caller.data(), range, false),
        };
        self.returns.arm(thread.id, caller, calls, Some((returns_to, called)))
    }
}

/// The call that returns to a place. The runtime does not say where those of structs return to: they are known by their name.
fn the_one(calls: Vec<(WatchedCall, Option<Vec<u32>>)>, place: u32, name: &str) -> Option<WatchedCall> {
    let is_placed =
        |(_, places): &&(WatchedCall, Option<Vec<u32>>)| places.as_ref().is_some_and(|places| places.contains(&place));
    if let Some((call, _)) = calls.iter().find(is_placed) {
        return Some(call.clone());
    }
    // an explicit implementation has the interface in its name
    let name = name.rsplit('.').next().unwrap_or(name);
    let structs: Vec<_> = calls.into_iter().filter(|(_, places)| places.is_none()).map(|(call, _)| call).collect();
    let is_named = structs.iter().any(|call| call.name == name);
    let mut named = structs.into_iter().filter(|call| call.name == if is_named { name } else { INVOKE });
    let first = named.next()?;
    let others: Vec<_> = named.collect();
    if others.iter().any(|other| (&other.function, &other.type_name) != (&first.function, &first.type_name)) {
        return None;
    }
    let stored_in = first.stored_in.filter(|slot| others.iter().all(|other| other.stored_in == Some(*slot)));
    Some(WatchedCall { stored_in, ..first })
}

fn stack_end(frame: &Frame<'_>) -> Option<u64> {
    frame.data().il.cast::<com::NativeFrame>().and_then(|frame| frame.stack_end()).ok()
}

/// Whether a method is one that the compiler made of an iterator or an async method: `MoveNext`, or what takes the result.
fn is_of_machine(at: &FrameData) -> bool {
    let owner = at.module.assembly().and_then(|assembly| assembly.method(at.method).declaring_type());
    owner.is_some_and(|owner| owner.name().starts_with('<') && owner.name().contains(">d"))
}

/// `None` for what the runtime's answer cannot be relied upon: it reads one register, and a struct may be in others.
fn read(value: &Value<'_>, site: &ReturnSite) -> Option<(String, Option<Kept>)> {
    let kind = value.com().kind().ok()?;
    let kept = match kind {
        element::VALUETYPE if !is_enum(value) => return read_struct(value, site),
        element::VALUETYPE => None,
        element::PTR | element::FNPTR | element::BYREF => return None,
        _ => match value.com().cast::<com::GenericValue>() {
            Ok(scalar) if value.com().cast::<com::ReferenceValue>().is_err() => {
                Some(Kept::Scalar { kind, bytes: scalar.bytes().ok()? })
            }
            _ => {
                let object = value.com().cast::<com::ReferenceValue>().and_then(|it| it.dereference());
                let handle = object.and_then(|it| it.cast::<com::HeapValue2>()?.create_handle(1)?.cast());
                handle.ok().map(Kept::Object)
            }
        },
    };
    Some((value.show().text, kept))
}

fn read_struct(like: &Value<'_>, site: &ReturnSite) -> Option<(String, Option<Kept>)> {
    let structs::Struct { bytes, text } = structs::returned(like, site.thread)?;
    let kept = site.call.stored_in.map(|slot| Kept::Struct { slot, stack_end: site.stack_end, bytes });
    Some((text, kept))
}

fn is_enum(value: &Value<'_>) -> bool {
    let definition = value.type_().ok().and_then(|type_| types::definition(value.stopped().target(), &type_));
    definition.is_some_and(|definition| definition.view().is_enum())
}
