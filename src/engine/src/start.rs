//! The start and the end of debugging: a program started and held before its first instruction, or a running one; detach; the end of
//! either side.

mod program;
mod runtime;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use program::{Program, ProgramSpec};
pub use runtime::{Runtime, runs_code};

use crate::callbacks::Callbacks;
use crate::com::library::{self, LibraryError};
use crate::com::{self, HResult, Interface as _, callback, system};
use crate::stepping;
use crate::target::{StopError, Target, interrupting};

/// Why nothing is debugged.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Unsupported(#[from] system::Unsupported),
    #[error("{} does not exist", .0.display())]
    NoProgram(PathBuf),
    #[error("the working folder {} does not exist", .0.display())]
    NoFolder(PathBuf),
    #[error("{what} cannot be started: {error}")]
    Spawn { what: String, error: std::io::Error },
    #[error("the program exited with code {0} before its .NET runtime started")]
    EndedEarly(i32),
    #[error("no .NET runtime started in the program within {} s", .0.as_secs())]
    NoRuntimeInTime(Duration),
    #[error("process {0} does not exist")]
    NoProcess(u32),
    #[error(
        "process {pid} has no .NET runtime ({runtime}): not a .NET program, single-file, or native AOT",
        pid = .0,
        runtime = library::file_name("coreclr")
    )]
    NoRuntime(u32),
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("the runtime refused the debugger: {0}")]
    Refused(#[from] HResult),
}

impl StartError {
    /// As other adapters number it, so that a client's words fit.
    pub fn code(&self) -> HResult {
        match self {
            Self::Unsupported(_) => HResult::NOT_IMPLEMENTED,
            Self::NoProgram(_) | Self::NoFolder(_) => HResult(0x8007_0002),
            Self::NoRuntime(_) | Self::NoProcess(_) => HResult::INVALID_ARGUMENT,
            Self::Library(_) => HResult(0x8013_1c3c),
            Self::Refused(code) => *code,
            Self::Spawn { .. } | Self::EndedEarly(_) | Self::NoRuntimeInTime(_) => HResult(0x8000_4005),
        }
    }
}

/// A program under our control.
pub struct Debugging {
    pub target: Arc<Target>,
    debugger: com::CorDebug,
    /// The process that we started, if we did.
    pub program: Option<Program>,
}

/// The runtime of a started program posts within 15 ms; on a machine under siege it takes seconds.
const RUNTIME: Duration = Duration::from_secs(20);

/// Starts a program and holds it until a debugger is there. `make` receives its pid.
///
/// # Errors
/// [`StartError`]; the program is ended then.
pub fn launch(spec: &ProgramSpec, make: impl FnOnce(u32) -> Arc<Target>) -> Result<Debugging, StartError> {
    system::support()?;
    let (program, gate) = program::start(spec, RUNTIME)?;
    let attached = attach(program.pid, make);
    gate.open();
    match attached {
        Ok(debugging) => Ok(Debugging { program: Some(program), ..debugging }),
        Err(error) => {
            program.kill();
            Err(error)
        }
    }
}

/// Attaches to a program that runs, or is held.
///
/// # Errors
/// [`StartError`]
pub fn attach(pid: u32, make: impl FnOnce(u32) -> Arc<Target>) -> Result<Debugging, StartError> {
    system::support()?;
    let runtime = Runtime::of(pid)?;
    // the pipes to the runtime lie there
    if let Some(folder) = system::variable(pid, "TMPDIR") {
        system::set_variable("TMPDIR", &folder);
    }
    let debugger = library::open(&runtime.folder, pid, runtime.base)?;
    let target = make(pid);
    target.modules.set_runtime(&runtime.folder);
    debugger.initialize()?;
    debugger.set_managed_handler(&callback::object(Box::new(Callbacks(target.clone()))))?;
    // where the debugger before was gone in the midst of a stop, the runtime is still at that, and answers after it
    let process = interrupting(pid, || debugger.debug_active_process(pid, false))?;
    target.set_process(process);
    Ok(Debugging { target, debugger, program: None })
}

/// How long a program runs without breakpoints and reports of exceptions before it is left.
const LEAVING: Duration = Duration::from_millis(50);

/// Threads report faster than one can look: so many times they are answered before they are left.
const REPORTS: usize = 50;

impl Debugging {
    /// Lets the program run without us.
    ///
    /// # Errors
    /// [`StopError::Uninterruptible`]: not now, and it must be asked for again; what was asked of the runtime comes some time, and if
    /// nobody is there then to undo it the program stands for ever. Else the runtime does not let go.
    pub fn detach(&self) -> Result<(), StopError> {
        let process = self.target.process()?;
        // also where a hit is being decided, behind which it would go on
        self.target.stop()?;
        {
            // until that is decided: detaching destroys the frames and values that it uses, and the program dies of a hit that nobody answered
            let _undisturbed = self.target.undisturbed();
            self.target.let_go();
            stepping::cancel(&self.target);
            self.target.breakpoints().disarm_all();
            self.report_no_exceptions(process);
        }
        // a thread that is left while it reports an exception deadlocks with the runtime's own, and one that is at the instruction behind a
        // breakpoint's may go on where that was: they have left both long before this is over
        self.target.go_on();
        std::thread::sleep(LEAVING);
        self.target.stop()?;
        for _ in 0..REPORTS {
            if !self.target.has_more_to_report() {
                break;
            }
            self.target.go_on();
            self.target.stop()?;
        }
        // as the next debugger expects it
        let _ = process.cast::<com::Process8>().and_then(|process| process.set_exceptions_outside_of_my_code(true));
        let undisturbed = self.target.undisturbed();
        process.detach()?;
        self.target.set_finished();
        // the library waits for callbacks before it ends
        drop(undisturbed);
        self.finish();
        Ok(())
    }

    /// Exceptions in code that is not the user's are not reported any more, and then no code is the user's. A runtime that refuses either
    /// reports them still, and is left all the same.
    fn report_no_exceptions(&self, process: &com::Process) {
        for module in self.target.modules.all() {
            let _ = module.com.cast::<com::Module2>().and_then(|module| module.set_my_code(false));
        }
        let _ = process.cast::<com::Process8>().and_then(|process| process.set_exceptions_outside_of_my_code(false));
    }

    /// Whether it is suspended: nothing that is asked of it is answered before it continues.
    pub fn is_suspended(&self) -> bool {
        system::is_suspended(self.target.pid)
    }

    /// A program that is not ours: waits for its end, on a thread of its own. The runtime's own watch takes a process for alive until its
    /// parent has asked for its status.
    pub fn watch_end(&self, ended: impl FnOnce(Option<i32>) + Send + 'static) {
        let pid = self.target.pid;
        std::thread::spawn(move || {
            if let Some(code) = system::await_end(pid) {
                ended(code);
            }
        });
    }

    /// Ends the program.
    pub fn kill(&self) {
        match &self.program {
            Some(program) => program.kill(),
            None => system::kill(self.target.pid),
        }
    }

    /// After the program's end, or when it is let go.
    pub fn finish(&self) {
        self.target.set_finished();
        let _ = self.debugger.terminate();
    }
}
