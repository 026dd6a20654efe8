//! The object that mscordbi calls: ICorDebugManagedCallback 1 to 4 as four faces of one [`Handler`].
//!
//! Calls come on mscordbi's own thread, one at a time, with the target stopped. No panic may unwind into C++: it ends this process,
//! which serves one target only.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};

use super::guid::Guid;
use super::interfaces::{Breakpoint, Eval, Frame, FunctionBreakpoint, Module, Process, Stepper, Thread, Unknown};
use super::pointer::{HResult, Interface, Pointer, Raw};
use super::structures::{ExceptionStage, StepReason};

/// What the runtime reports.
pub enum Event {
    Breakpoint(Thread, FunctionBreakpoint),
    /// Which stepper completed, to distinguish an old one from the current one.
    Step(Thread, Stepper, StepReason),
    /// `Debugger.Break()`.
    Break(Thread),
    EvalComplete(Eval),
    EvalException(Eval),
    CreateProcess(Process),
    ExitProcess,
    CreateThread(Thread),
    ExitThread(Thread),
    LoadModule(Module),
    UnloadModule(Module),
    /// The frame is where it was thrown, or where it will be caught.
    /// With the frame of it, and the IL offset there: of a handler that was found, where that begins.
    Exception(Thread, Option<Frame>, u32, ExceptionStage),
    /// The message of `Debugger.Log`.
    Log(String),
    Error(HResult),
    /// Anything that nobody here waits for.
    Other,
}

/// Takes what comes. It must see to it that the target goes on, now or later.
pub trait Handler: Send + Sync {
    fn on(&self, event: Event);
}

#[repr(C)]
struct Face {
    table: *const c_void,
    object: *const Object,
}

#[repr(C)]
struct Object {
    faces: [Face; 4],
    references: AtomicU32,
    handler: Box<dyn Handler>,
}

const FACES: [Guid; 4] = [
    Guid::new(0x3d6f5f60_7538_11d3_8d5b_00104b35e7ef),
    Guid::new(0x250e5eea_db5c_4c76_b6f3_8c46f12e3203),
    Guid::new(0x264ea0fc_2591_49aa_868e_835e6515323f),
    Guid::new(0x322911ae_16a5_49ba_84a3_ed69678138a3),
];

/// A COM object that passes every callback to `handler`.
pub fn object(handler: Box<dyn Handler>) -> Unknown {
    let face = |table: *const c_void| Face { table, object: std::ptr::null() };
    let tables =
        [(&raw const V1.0).cast(), (&raw const V2.0).cast(), (&raw const V3.0).cast(), (&raw const V4.0).cast()];
    let object = Box::leak(Box::new(Object { faces: tables.map(face), references: AtomicU32::new(1), handler }));
    let address: *const Object = object;
    for face in &mut object.faces {
        face.object = address;
    }
    // SAFETY: a live object of ours that begins with a face, and whose one reference passes to the pointer.
    Unknown::wrap(unsafe { Pointer::owned(std::ptr::from_mut(object).cast()) })
}

/// # Safety
/// `this` is a face of a live [`Object`].
unsafe fn of<'a>(this: Raw) -> &'a Object {
    // SAFETY: every face knows its object, which lives while somebody holds a reference.
    unsafe { &*(*this.cast::<Face>()).object }
}

/// # Safety
/// As [`of`].
unsafe fn deliver(this: Raw, event: impl FnOnce() -> Event) -> i32 {
    // SAFETY: the caller's promise.
    let object = unsafe { of(this) };
    let handled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| object.handler.on(event())));
    if handled.is_err() {
        std::process::abort();
    }
    0
}

unsafe extern "C" fn query(this: Raw, iid: *const Guid, found: *mut Raw) -> i32 {
    // SAFETY: QueryInterface's contract: a live object, a readable id, a writable slot.
    unsafe {
        let object = of(this);
        let wanted = *iid;
        let face = if wanted == Guid::UNKNOWN { Some(0) } else { FACES.iter().position(|face| *face == wanted) };
        match face.and_then(|face| object.faces.get(face)) {
            Some(face) => {
                object.references.fetch_add(1, Ordering::Relaxed);
                *found = std::ptr::from_ref(face).cast_mut().cast();
                0
            }
            None => {
                *found = std::ptr::null_mut();
                HResult::NO_INTERFACE.0.cast_signed()
            }
        }
    }
}

unsafe extern "C" fn add_reference(this: Raw) -> u32 {
    // SAFETY: called on a live object.
    unsafe { of(this) }.references.fetch_add(1, Ordering::Relaxed) + 1
}

unsafe extern "C" fn release(this: Raw) -> u32 {
    // SAFETY: called on a live object.
    let object = unsafe { of(this) };
    let left = object.references.fetch_sub(1, Ordering::AcqRel) - 1;
    if left == 0 {
        // SAFETY: made by `Box::leak` in `object`, and this was the last reference.
        drop(unsafe { Box::from_raw(std::ptr::from_ref(object).cast_mut()) });
    }
    left
}

macro_rules! callbacks {
    ($($name:ident($($argument:ident),*) => $event:expr;)*) => { $(
        unsafe extern "C" fn $name(this: Raw $(, $argument: Raw)*) -> i32 {
            $(let _ = $argument;)*
            // SAFETY: `this` is one of our faces; the objects passed are alive during the call and are kept by a reference of our own.
            #[allow(unused_unsafe, reason = "some events carry nothing")]
            unsafe { deliver(this, || unsafe { $event }) }
        }
    )* };
}

/// # Safety
/// `raw` is a live object of that interface.
unsafe fn kept<T: Interface>(raw: Raw) -> T {
    // SAFETY: the caller's promise.
    T::wrap(unsafe { Pointer::borrowed(raw) })
}

/// # Safety
/// `raw` is null or a UTF-16 text that ends with a zero.
unsafe fn text(raw: Raw) -> String {
    let units: *const u16 = raw.cast_const().cast();
    if units.is_null() {
        return String::new();
    }
    let mut length = 0;
    // SAFETY: no unit behind the zero is read.
    let units = unsafe {
        while *units.add(length) != 0 {
            length += 1;
        }
        std::slice::from_raw_parts(units, length)
    };
    String::from_utf16_lossy(units)
}

callbacks! {
    step_complete(_domain, thread, stepper, reason) => Event::Step(kept(thread), kept(stepper), StepReason::from_code(reason as usize as u32));
    break_(_domain, thread) => Event::Break(kept(thread));
    eval_complete(_domain, _thread, eval) => Event::EvalComplete(kept(eval));
    eval_exception(_domain, _thread, eval) => Event::EvalException(kept(eval));
    create_process(process) => Event::CreateProcess(kept(process));
    exit_process(_process) => Event::ExitProcess;
    create_thread(_domain, thread) => Event::CreateThread(kept(thread));
    exit_thread(_domain, thread) => Event::ExitThread(kept(thread));
    load_module(_domain, module) => Event::LoadModule(kept(module));
    unload_module(_domain, module) => Event::UnloadModule(kept(module));
    debugger_error(_process, code, _number) => Event::Error(HResult(code as usize as u32));
    log_message(_domain, _thread, _level, _category, message) => Event::Log(text(message));
    // all that ends in a `Continue` alone, whatever it carries: the arguments are not looked at
    other() => Event::Other;
}

unsafe extern "C" fn breakpoint(this: Raw, _domain: Raw, thread: Raw, breakpoint: Raw) -> i32 {
    // SAFETY: as for the others.
    unsafe {
        deliver(this, || match kept::<Breakpoint>(breakpoint).cast::<FunctionBreakpoint>() {
            Ok(breakpoint) => Event::Breakpoint(kept(thread), breakpoint),
            Err(_) => Event::Other,
        })
    }
}

unsafe extern "C" fn exception(
    this: Raw,
    _domain: Raw,
    thread: Raw,
    frame: Raw,
    offset: u32,
    stage: u32,
    _flags: u32,
) -> i32 {
    // SAFETY: as for the others.
    unsafe {
        deliver(this, || match ExceptionStage::from_code(stage) {
            Some(stage) => Event::Exception(kept(thread), (!frame.is_null()).then(|| kept(frame)), offset, stage),
            None => Event::Other,
        })
    }
}

#[repr(C)]
struct Table<const N: usize>([*const c_void; N]);

// SAFETY: never written, and points to functions.
unsafe impl<const N: usize> Sync for Table<N> {}

macro_rules! table {
    ($name:ident: $count:literal = $($function:ident)*) => {
        static $name: Table<$count> = Table([$($function as *const c_void),*]);
    };
}

// In the order of cordebug.h. System V and AArch64 callees may take fewer arguments than are passed.
table!(V1: 29 = query add_reference release
    breakpoint step_complete break_ other eval_complete eval_exception create_process exit_process create_thread exit_thread
    load_module unload_module other other debugger_error log_message other other other
    other other other other other other other);
table!(V2: 11 = query add_reference release other other other other exception other other other);
table!(V3: 4 = query add_reference release other);
table!(V4: 6 = query add_reference release other other other);

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    struct Notes(Arc<Mutex<Vec<&'static str>>>);

    impl Handler for Notes {
        fn on(&self, event: Event) {
            let name = match event {
                Event::ExitProcess => "exit",
                Event::Error(code) if code == HResult::TIMEOUT => "timeout",
                _ => "other",
            };
            self.0.lock().unwrap().push(name);
        }
    }

    #[test]
    fn each_face_is_found_by_its_id_and_passes_on_what_it_is_reported() {
        let notes = Arc::new(Mutex::new(Vec::new()));
        let object = object(Box::new(Notes(notes.clone())));
        let faces: Vec<Pointer> = FACES.iter().map(|iid| object.pointer().query(iid).unwrap()).collect();
        assert_eq!(object.pointer().query(&Guid::new(7)).err(), Some(HResult::NO_INTERFACE));
        type OfOne = unsafe extern "C" fn(Raw, Raw) -> i32;
        type OfThree = unsafe extern "C" fn(Raw, Raw, usize, u32) -> i32;
        // SAFETY: slots 10 and 17 of the first face are ExitProcess and DebuggerError, slot 3 of the third CustomNotification.
        unsafe {
            faces[0].method::<OfOne>(10)(faces[0].raw(), std::ptr::null_mut());
            let code = HResult::TIMEOUT.0 as usize;
            faces[0].method::<OfThree>(17)(faces[0].raw(), std::ptr::null_mut(), code, 0);
            faces[2].method::<OfOne>(3)(faces[2].raw(), std::ptr::null_mut());
        }
        assert_eq!(*notes.lock().unwrap(), ["exit", "timeout", "other"]);
        drop(faces);
        drop(object);
        // the last reference took the handler with it
        assert_eq!(Arc::strong_count(&notes), 1);
    }
}
