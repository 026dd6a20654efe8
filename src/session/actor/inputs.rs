//! What comes in: adapter messages, the program's output, finished jobs; and where each goes.

use std::sync::Arc;

use tokio::time::Instant;

use super::done::Done;
use super::{Actor, Piece};
use crate::dap::message::{self, Message};
use crate::dap::{self};
use crate::session::ids::ThreadId;
use crate::session::output_log::Stream;
use crate::session::startup::{self, Method};
use crate::session::state::Input;
use crate::session::stopped::AdapterHits;
use crate::session::view::Event;
use crate::transport::Incoming;

/// What follows an edit of the adapter's breakpoints.
pub(super) type Then = Box<dyn FnOnce(&mut Actor) + Send>;

impl Actor {
    pub(super) fn on_done(&mut self, run: u32, done: Done) {
        if run != self.start.number() {
            return;
        }
        match done {
            Done::Prepared(result) => self.on_prepared(*result),
            Done::Opened(opened) => self.on_opened(opened.0, opened.1),
            Done::Configured(result) => self.on_configured(*result),
            Done::Decided(epoch, decided) => self.on_decided(epoch, *decided),
            Done::Resumed(from, result) => self.on_resume_answered(*from, result),
            Done::Paused(asked, result) => self.on_pause_answered(&asked, result),
            Done::Inspected => self.stop.end_reading(),
            Done::Set(locals) => self.was_set(&locals),
            Done::Synced(result) => self.on_synced(result),
            Done::ExceptionsSet(result, setting) => self.on_exceptions_set(result, setting),
            Done::Counted => self.program.end.counted(),
            Done::AdapterExited(status) => self.on_adapter_exited(status),
            Done::ProgramExited(status) => self.on_program_exited(status),
            Done::TornDown(thrown, let_go) => self.on_torn_down(thrown, let_go),
            Done::Panicked => self.on_panicked(),
            Done::Nothing => {}
        }
    }

    pub(super) fn on_incoming(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Body(bytes) => match message::parse(&bytes) {
                Ok(Message::Response(response)) => self.on_response(response),
                Ok(Message::Event(event)) => self.on_event(event),
                Ok(Message::Request(request)) => {
                    if let Some(link) = &self.link {
                        link.client.refuse(&request);
                    }
                }
                // one bad body in a whole frame costs that message
                Err(error) => tracing::warn!(session = %self.id, %error, "unreadable adapter message"),
            },
            Incoming::Closed(error) => {
                if let Some(error) = error {
                    tracing::warn!(session = %self.id, %error, "the connection to the adapter failed");
                }
                self.incoming = None;
                self.on_adapter_closed();
            }
        }
    }

    fn on_response(&mut self, response: dap::Response) {
        let Some(link) = &mut self.link else { return };
        let words = link.quirks.deaf_after_words.filter(|_| !response.success);
        let gave_up = words.is_some_and(|words| response.message.as_deref().is_some_and(|it| it.contains(words)));
        link.heard = Instant::now();
        link.gave_up_on = if gave_up { link.client.asked(response.request_seq) } else { None };
        link.client.resolve(response);
        if link.gave_up_on.is_some() {
            // it answers this at once, or it is deaf
            let sign = link.client.request::<dap::request::Threads>(());
            self.job(async move {
                drop(sign.await);
                Done::Nothing
            });
        }
    }

    fn on_event(&mut self, event: dap::Event) {
        match event {
            dap::Event::Initialized => {
                if let Some(link) = &self.link {
                    link.initialized.send_replace(true);
                }
            }
            dap::Event::Stopped(stopped) => self.on_stopped_event(stopped),
            dap::Event::Exited { exit_code } => {
                self.program.exit_code = Some(exit_code);
                self.on_adapter_says_ended();
            }
            dap::Event::Terminated => self.on_adapter_says_ended(),
            dap::Event::Module(event) => self.on_module(*event),
            dap::Event::Output(output) => self.on_adapter_output(*output),
            dap::Event::Hits(event) => self.were_counted(&event.counts),
            dap::Event::Traces(event) => self.were_read(&event.hits),
            dap::Event::Breakpoint(event) => self.adapter_breakpoints.on_event(event.breakpoint),
            dap::Event::Process(process) => {
                if self.program.pid.is_none() {
                    self.program.pid = process.system_process_id.and_then(|pid| u32::try_from(pid).ok());
                    if let (Some(link), Some(pid)) = (&mut self.link, self.program.pid)
                        && link.method == Method::Adapter
                    {
                        link.claim = startup::claim_own(pid);
                    }
                }
            }
            dap::Event::Thread(thread) => {
                let type_name = match thread.reason {
                    dap::ThreadReason::Exited => "thread_exited",
                    _ => "thread_started",
                };
                self.note_event(Event {
                    type_name,
                    stream: "threads",
                    thread: Some(ThreadId(thread.thread_id)),
                    ..Event::default()
                });
            }
            // our own resume has said so already
            dap::Event::Continued(_) => {}
            dap::Event::Capabilities(capabilities) => {
                if let Some(link) = &mut self.link {
                    link.capabilities = Arc::from(capabilities);
                }
            }
            dap::Event::Other { name, .. } => tracing::debug!(session = %self.id, name, "unknown event"),
        }
    }

    fn on_stopped_event(&mut self, stopped: dap::StoppedEvent) {
        self.program.watchdog = None;
        let reason = stopped.reason.as_str();
        let thread = ThreadId(stopped.thread_id.unwrap_or(0));
        let stop = Event {
            type_name: "stopped",
            stream: "execution",
            reason: Some(reason.to_owned()),
            thread: Some(thread),
            ..Event::default()
        };
        let seq = self.log.push_stop(stop, stopped.reason == dap::StopReason::Exception);
        let dap::StoppedEvent { reason, hit_breakpoint_ids: ids, counted, text, returned, has_more_returned, .. } =
            stopped;
        let returned = std::sync::Arc::new((returned, has_more_returned));
        self.were_counted(&counted);
        let hit = Arc::new(AdapterHits { ids, counted });
        self.apply(Input::Stopped { seq, thread, reason, hit, text, returned });
    }

    fn on_module(&mut self, event: dap::ModuleEvent) {
        if event.reason == dap::ModuleReason::Removed {
            self.modules.remove(&event.module.id);
            return;
        }
        self.program.watchdog = None;
        let has_documents = self.modules.add(&event.module);
        self.note_event(Event {
            type_name: "module_loaded",
            stream: "modules",
            text: Some(event.module.name.clone()),
            ..Event::default()
        });
        if has_documents {
            self.place_again();
        } else if self.table.misses_methods() {
            self.look_for_methods(&event.module);
        }
    }

    /// Output that the adapter hands on: the program's where the adapter started it, else a debugger message.
    fn on_adapter_output(&mut self, output: dap::OutputEvent) {
        let own = self.link.as_ref().is_some_and(|link| matches!(link.method, Method::Adapter | Method::Replay));
        let stream = match output.category {
            Some(dap::OutputCategory::Stdout) if output.source.is_none() => Some(Stream::Stdout),
            Some(dap::OutputCategory::Stderr) if output.source.is_none() => Some(Stream::Stderr),
            _ => None,
        };
        let words = output.output.as_str();
        let debuggers =
            words.starts_with("Breakpoint error:") || words.starts_with("You are debugging a Release build of");
        match stream {
            Some(stream) if own && !debuggers => self.on_output(stream, words.as_bytes()),
            _ => {
                self.note_event(Event {
                    type_name: "debug_message",
                    stream: "output",
                    text: Some(crate::session::sources::Sources::shorten(words.trim_end())),
                    ..Event::default()
                });
            }
        }
    }

    pub(super) fn on_piece(&mut self, (run, stream, bytes): Piece) {
        if run != self.start.number() {
            return;
        }
        match bytes {
            Some(bytes) => {
                if let Some(tap) = self.link.as_ref().and_then(|link| link.tap.as_ref()) {
                    tap.program_output(stream.name(), &bytes);
                }
                self.on_output(stream, &bytes);
            }
            None => self.program.end.pipe_ended(),
        }
    }

    fn on_output(&mut self, stream: Stream, bytes: &[u8]) {
        self.program.watchdog = None;
        self.output.push(stream, bytes);
        self.program.end.heard(Instant::now());
        self.ready.hear(stream, bytes);
    }
}
