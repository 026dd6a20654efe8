//! Every reason that can be seen from outside why an attach to a process would fail or hang, in the order of what
//! the later ones need.

use std::path::{Path, PathBuf};

use super::running::{DEBUGGING, RUNTIME, command_line, display_name, executable_name, runtime_version};
use super::{Target, blocking};
use crate::dotnet::DotnetError;
use crate::dotnet::procfs::{Proc, Status, entry_assembly, temporary_folder, user_name};
use crate::process::{Claim, Unclaimed, start_time};

/// The runtime's own, which comes with its debugger (measured with 8.0 and 10.0).
const DEBUGGER_THREAD: &str = ".NET Debugger";

/// Refuses what an adapter would refuse or hang on. `our_tmpdir` is what the adapter would inherit.
///
/// Claims the process first: what is seen of it then stays so as far as we are concerned.
pub(super) async fn take(pid: u32, our_tmpdir: PathBuf) -> Result<(Target, Option<Claim>), DotnetError> {
    let claim = match start_time(pid) {
        Some(started) => Some(Claim::take(pid, started).await),
        None => None,
    };
    blocking(move || {
        let claim = match claim {
            Some(Ok(claim)) => Some(claim),
            Some(Err(Unclaimed::Held { by })) => return Err(claimed(pid, by)),
            Some(Err(Unclaimed::System(error))) => {
                tracing::warn!(pid, %error, "another clrbridge could attach at the same time");
                None
            }
            None => None,
        };
        Ok((check(pid, &our_tmpdir)?, claim))
    })
    .await
}

fn claimed(pid: u32, by: Option<u32>) -> DotnetError {
    let process = Proc::new(pid);
    let status = process.status().ok();
    let name = status.as_ref().map_or_else(|| "?".into(), |status| display_name(&process, status));
    // an adapter that is to let go of it cannot before it continues
    let subject = status.as_ref().map(|status| Subject { process: &process, status, name: name.clone() });
    if let Some(Err(other)) = subject.map(|subject| subject.has_its_debugger().and_then(|()| subject.can_answer())) {
        return other;
    }
    let (by_name, detaches) = match by {
        Some(by) if by == std::process::id() => ("this server".into(), false),
        Some(by) => match server_name(&Proc::new(by)) {
            Some(name) => (name, false),
            None => ("the adapter of a clrbridge that has ended".into(), true),
        },
        None => ("another clrbridge".into(), false),
    };
    DotnetError::AlreadyDebugged { pid, name, by, by_name, detaches }
}

/// `clrbridge, started by node 77`: whose session to end. `None`: it has ended.
fn server_name(server: &Proc) -> Option<String> {
    let status = server.status().ok()?;
    let client = Proc::new(status.parent);
    let by = client.status().map(|client| format!(", started by {} {}", client.comm, status.parent));
    Some(format!("{}{}", executable_name(server).unwrap_or(status.comm), by.unwrap_or_default()))
}

pub(super) fn check(pid: u32, our_tmpdir: &Path) -> Result<Target, DotnetError> {
    let process = Proc::new(pid);
    if !Path::new("/proc/self/stat").exists() {
        return Ok(Target {
            pid,
            name: pid.to_string(),
            command_line: String::new(),
            assembly: None,
            runtime_version: None,
            tmpdir: None,
            start_time: 0,
        });
    }
    let Ok(status) = process.status() else {
        return Err(not_found(format!("no process {pid}")));
    };
    if status.thread_group != pid {
        let group = status.thread_group;
        return Err(DotnetError::ProcessNotFound {
            message: format!("{pid} is a thread of process {group} ({}), not a process", status.comm),
            hint: format!("debug_attach {{pid: {group}}}"),
        });
    }
    if matches!(status.state, 'Z' | 'X') {
        return Err(not_found(format!(
            "process {pid} ({}) has exited; its parent {} has not reaped it yet",
            status.comm, status.parent
        )));
    }
    let subject = Subject { process: &process, status: &status, name: display_name(&process, &status) };
    let tmpdir = subject.tmpdir()?;
    subject.has_runtime(&tmpdir)?;
    subject.is_no_debugger()?;
    subject.has_its_debugger()?;
    subject.can_answer()?;
    subject.has_pipes(&tmpdir)?;
    subject.is_free(&tmpdir)?;
    let ours: PathBuf = our_tmpdir.components().collect();
    Ok(Target {
        pid,
        command_line: command_line(&process),
        assembly: entry_assembly(&process).filter(|dll| dll.is_file()),
        runtime_version: process.mapped(RUNTIME).ok().flatten().as_deref().and_then(runtime_version),
        tmpdir: (tmpdir != ours).then_some(tmpdir),
        start_time: status.start_time,
        name: subject.name,
    })
}

fn not_found(message: String) -> DotnetError {
    DotnetError::ProcessNotFound { message, hint: "debug_attach with process_name finds one by name".into() }
}

/// Why a process of user `owner` shows nothing of itself, and what to do.
fn refusal(owner: u32, ours: Option<u32>) -> (String, String) {
    if ours == Some(owner) {
        // threads of the kernel, processes that made themselves undumpable, those of an outer namespace
        let reason =
            "cannot be inspected: the kernel denies access to it, so it is unknown whether it runs .NET".into();
        return (reason, "process_list shows the .NET processes that can be attached to".into());
    }
    let ours = ours.map(user_name).unwrap_or_default();
    let reason = format!("belongs to {}, but clrbridge runs as {ours}", user_name(owner));
    (reason, "run clrbridge as that user".into())
}

struct Subject<'a> {
    process: &'a Proc,
    status: &'a Status,
    name: String,
}

impl Subject<'_> {
    fn not_managed(&self, reason: impl Into<String>, hint: impl Into<String>) -> DotnetError {
        DotnetError::NotManaged {
            pid: self.process.pid,
            name: self.name.clone(),
            reason: reason.into(),
            hint: hint.into(),
        }
    }

    fn not_attachable(&self, reason: impl Into<String>, hint: impl Into<String>) -> DotnetError {
        DotnetError::NotAttachable {
            pid: self.process.pid,
            name: self.name.clone(),
            reason: reason.into(),
            hint: hint.into(),
        }
    }

    fn denied(&self) -> DotnetError {
        let ours = Proc::new(std::process::id()).status().ok().map(|status| status.uid);
        let (reason, hint) = refusal(self.status.uid, ours);
        DotnetError::PermissionDenied { pid: self.process.pid, name: self.name.clone(), reason, hint }
    }

    /// Also the first thing that another user's process refuses.
    fn tmpdir(&self) -> Result<PathBuf, DotnetError> {
        let value = self.process.variable("TMPDIR").map_err(|_| self.denied())?;
        Ok(temporary_folder(value.map(Into::into)))
    }

    fn has_runtime(&self, tmpdir: &Path) -> Result<(), DotnetError> {
        if self.process.maps(RUNTIME).map_err(|_| self.denied())? {
            return Ok(());
        }
        if self.pipes(tmpdir).iter().any(|pipe| self.process.inside(pipe).exists())
            || self.process.inside(&self.socket(tmpdir)).exists()
        {
            return Err(self.not_managed(
                "is a self-contained single-file program, which debug adapters cannot attach to",
                "publish it without PublishSingleFile, or framework-dependent",
            ));
        }
        let starting = executable_name(self.process).as_deref() == Some("dotnet");
        let hint = if starting {
            "if it is just starting, call debug_attach again"
        } else {
            "debug_attach with process_name finds a .NET program by name"
        };
        Err(self.not_managed(format!("has not loaded CoreCLR{}", if starting { " yet" } else { "" }), hint))
    }

    /// An adapter that hosts .NET itself would be frozen in the middle of its work, and with it the session that it serves.
    fn is_no_debugger(&self) -> Result<(), DotnetError> {
        match self.process.maps(DEBUGGING) {
            Ok(true) => {
                Err(self
                    .not_attachable("is itself a debugger", "process_list shows the programs that can be attached to"))
            }
            _ => Ok(()),
        }
    }

    /// Nothing outside of it shows that it had one (threads, pipes and descriptors are as after a detach).
    fn has_its_debugger(&self) -> Result<(), DotnetError> {
        let pid = self.process.pid;
        match Claim::is_forfeited(pid, self.status.start_time) {
            true => Err(self.not_attachable(
                "lost the adapter that was attached to it, and the runtime accepts no other",
                format!("end it with `kill -9 {pid}` and start it again"),
            )),
            false => Ok(()),
        }
    }

    /// The runtime's debugger thread must be able to run, and its pipes to carry the number that we know.
    fn can_answer(&self) -> Result<(), DotnetError> {
        let pid = self.process.pid;
        match self.status.state {
            'T' => Err(self.not_attachable(
                "is stopped by a signal (SIGSTOP), and so is its debugger thread",
                format!("kill -CONT {pid}, then debug_attach again"),
            )),
            't' => {
                let tracer = self.status.tracer;
                Err(self.not_attachable(
                    format!("is being debugged by the native debugger with pid {tracer}"),
                    format!("detach debugger {tracer}, or continue the program in it; then debug_attach again"),
                ))
            }
            _ => match self.status.inner_pid {
                Some(inner) => Err(self.not_attachable(
                    format!("runs in its own container (as process {inner})"),
                    "run clrbridge inside that container",
                )),
                None => Ok(()),
            },
        }
    }

    fn pipes(&self, tmpdir: &Path) -> [PathBuf; 2] {
        let pipe =
            |end: &str| tmpdir.join(format!("clr-debug-pipe-{}-{}-{end}", self.process.pid, self.status.start_time));
        [pipe("in"), pipe("out")]
    }

    fn socket(&self, tmpdir: &Path) -> PathBuf {
        tmpdir.join(format!("dotnet-diagnostic-{}-{}-socket", self.process.pid, self.status.start_time))
    }

    /// Why the pipes of the debugger transport are missing, if they are.
    fn has_pipes(&self, tmpdir: &Path) -> Result<(), DotnetError> {
        let pipes = self.pipes(tmpdir);
        if pipes.iter().all(|pipe| pipe.exists()) {
            return Ok(());
        }
        if pipes.iter().all(|pipe| self.process.inside(pipe).exists()) {
            return Err(self.not_attachable(
                format!("has its own {} (a container, or systemd's PrivateTmp)", tmpdir.display()),
                "run clrbridge inside that container, or turn PrivateTmp off",
            ));
        }
        let off = ["EnableDiagnostics", "EnableDiagnostics_Debugger"]
            .into_iter()
            .flat_map(|name| [format!("DOTNET_{name}"), format!("COMPlus_{name}")]);
        let off = off.into_iter().find(|name| {
            self.process.variable(name).ok().flatten().is_some_and(|value| value.trim_start_matches('0').is_empty())
        });
        if let Some(name) = off {
            return Err(self.not_managed(
                format!("was started with {name}=0, which disables debugging"),
                format!("start it again without {name}"),
            ));
        }
        // The runtime that has this thread made its pipes.
        if self.process.has_thread(DEBUGGER_THREAD) {
            return Err(self.not_attachable(
                format!(
                    "has lost its debugger pipes: they were removed from {} (two debuggers attached at once, an attached one was killed, or the folder was cleaned)",
                    tmpdir.display()
                ),
                "no debugger can attach to it any more; restart the program",
            ));
        }
        if !self.process.inside(tmpdir).is_dir() {
            return Err(self.not_managed(
                format!("has no debugger pipes: its TMPDIR {} does not exist", tmpdir.display()),
                "start it again with an existing TMPDIR",
            ));
        }
        if self.process.inside(&self.socket(tmpdir)).exists() {
            return Err(self.not_attachable(
                "is suspended at startup by a diagnostic port, or debugging is disabled in it",
                "resume it through its diagnostic port, or start it again without DOTNET_DiagnosticPorts and DOTNET_DefaultDiagnosticPortSuspend; then debug_attach again",
            ));
        }
        Err(self.not_managed(
            format!(
                "has no debugger pipes in {}: it is still starting, its diagnostics are disabled, or the files were removed",
                tmpdir.display()
            ),
            "call debug_attach again, or start the program with debug_launch",
        ))
    }

    /// The runtime opens its pipes when a debugger connects and removes them when that leaves (measured with 10.0.12).
    fn is_free(&self, tmpdir: &Path) -> Result<(), DotnetError> {
        let pipes = self.pipes(tmpdir);
        if !self.process.has_open(&pipes) {
            return Ok(());
        }
        let pid = self.process.pid;
        // as an attach names it; our own claim says nothing of who has the pipes
        let server = Claim::holder(pid, self.status.start_time).filter(|server| *server != std::process::id());
        if server.is_some() {
            return Err(claimed(pid, server));
        }
        // Children of the program may have inherited its ends.
        let holders = Proc::all().filter(|other| other.pid != pid && other.has_open(&pipes));
        let parent = |other: &Proc| other.status().map_or(0, |status| status.parent);
        let Some(by) = holders.into_iter().find(|other| parent(other) != pid) else {
            return Err(self.not_attachable(
                "already has a debugger, which is not visible from here",
                "end that debugger; if it was killed, restart the program",
            ));
        };
        let by_name = executable_name(&by).unwrap_or_else(|| "?".into());
        Err(DotnetError::AlreadyDebugged { pid, name: self.name.clone(), by: Some(by.pid), by_name, detaches: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_user_is_named_only_where_it_is_another() {
        let (reason, _) = refusal(0, Some(4_294_967_290));
        assert!(reason.starts_with("belongs to root, but clrbridge runs as "), "{reason}");
        assert!(refusal(0, Some(0)).0.contains("the kernel denies access"));
    }

    #[test]
    fn the_adapter_of_a_server_that_has_ended_detaches_by_itself() {
        // above the kernel's limit: no process ever has it
        let error = claimed(std::process::id(), Some(5_000_000));
        let says = "is already being debugged by process 5000000 (the adapter of a clrbridge that has ended)";
        assert!(error.to_string().ends_with(says), "{error}");
        assert!(error.hint().contains("call debug_attach again in a few seconds"), "{}", error.hint());
        let error = claimed(std::process::id(), Some(std::process::id()));
        assert!(error.hint().starts_with("end that debugger first"), "{}", error.hint());
    }
}
