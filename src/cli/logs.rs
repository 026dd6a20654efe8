//! Logs to stderr, written by a thread of their own: a client that starts the server and never reads its stderr fills the pipe, and whoever
//! wrote there would wait for ever. What finds no place is dropped, and how much that was is said once there is place again.

use std::fs::File;
use std::io::{IsTerminal as _, Write};
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::LogOptions;
use crate::redaction::Redaction;

/// Events that wait to be written, at most.
const WAITING: usize = 1_024;
/// How long the end of the process waits for them.
const LAST_WORDS: Duration = Duration::from_millis(500);

enum Message {
    Event(Vec<u8>),
    /// Answered once all before it is written.
    Flush(SyncSender<()>),
}

/// Where events go, without secrets. Cheap to clone; writing never waits and never fails: a closed stderr must not fail whoever logs.
#[derive(Clone)]
pub struct Logs {
    waiting: SyncSender<Message>,
    lost: Arc<AtomicU64>,
    redaction: Redaction,
}

impl Logs {
    /// Logs of the whole process, panics too, go to stderr from now on.
    ///
    /// # Errors
    /// No thread or no descriptor is left.
    pub fn begin(options: &LogOptions, redaction: Redaction) -> std::io::Result<Self> {
        // its own descriptor: whoever holds the lock of `std::io::stderr()` would hold up others that write a word there
        let stderr = File::from(std::io::stderr().as_fd().try_clone_to_owned()?);
        let logs = Self::over(stderr, redaction)?;
        let writer = logs.clone();
        // rmcp warns of every error that it answers with.
        let quiet = if options.level.contains("rmcp") { "" } else { ",rmcp=error" };
        let events = tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new(format!("{}{quiet}", options.level)))
            .with_ansi(std::io::stderr().is_terminal())
            .with_writer(move || writer.clone());
        let redacts = logs.redaction.is_on();
        let shown = filter_fn(move |event| !(redacts && holds_messages(event)));
        match options.json {
            true => events.json().finish().with(shown).init(),
            false => events.finish().with(shown).init(),
        }
        std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
        Ok(logs)
    }

    fn over(to: impl Write + Send + 'static, redaction: Redaction) -> std::io::Result<Self> {
        let (waiting, events) = sync_channel(WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let known = Arc::clone(&lost);
        std::thread::Builder::new().name("logs".into()).spawn(move || write_all(&events, to, &known))?;
        Ok(Self { waiting, lost, redaction })
    }

    /// Waits until all is written, where somebody reads.
    pub fn finish(self) {
        let (flushed, is_flushed) = sync_channel(1);
        if self.waiting.try_send(Message::Flush(flushed)).is_ok() {
            // Nobody is left to report a stderr that nobody reads to.
            let _ = is_flushed.recv_timeout(LAST_WORDS);
        }
    }
}

/// rmcp writes whole messages of clients at these levels, as Rust shows them: no rule finds all secrets in that.
fn holds_messages(event: &Metadata) -> bool {
    event.target().starts_with("rmcp") && *event.level() > Level::INFO
}

impl Write for Logs {
    /// Takes one whole event.
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let shown = self.redaction.text(&text).into_owned().into_bytes();
        if self.waiting.try_send(Message::Event(shown)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(event.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Until nobody logs any more. What cannot be written is gone: stderr is closed.
fn write_all(events: &Receiver<Message>, mut to: impl Write, lost: &AtomicU64) {
    for message in events {
        match message {
            Message::Event(event) => {
                let _ = to.write_all(&event);
            }
            Message::Flush(done) => {
                let _ = done.try_send(());
            }
        }
        match lost.swap(0, Ordering::Relaxed) {
            0 => {}
            lost => drop(writeln!(to, "clrbridge: {lost} log events were dropped: stderr was not read")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Condvar, Mutex};

    use super::*;

    /// A pipe that takes nothing until it is opened.
    #[derive(Clone, Default)]
    struct Pipe(Arc<Inside>);

    #[derive(Default)]
    struct Inside {
        /// Whether it is open, and what came out.
        state: Mutex<(bool, Vec<u8>)>,
        opened: Condvar,
    }

    impl Pipe {
        fn open(&self) {
            self.0.state.lock().unwrap().0 = true;
            self.0.opened.notify_all();
        }

        fn text(&self) -> String {
            String::from_utf8(self.0.state.lock().unwrap().1.clone()).unwrap()
        }
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let mut state = self.0.opened.wait_while(self.0.state.lock().unwrap(), |state| !state.0).unwrap();
            state.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_pipe_that_is_not_read_holds_nobody_up_and_what_was_dropped_is_counted() {
        let pipe = Pipe::default();
        let mut logs = Logs::over(pipe.clone(), Redaction::default()).unwrap();
        for number in 0..3 * WAITING {
            logs.write_all(format!("event {number} with Password=hunter2;\n").as_bytes()).unwrap();
        }
        let lost = logs.lost.load(Ordering::Relaxed);
        assert!((WAITING as u64..=2 * WAITING as u64).contains(&lost), "{lost}");
        pipe.open();
        // the first of these may still find no place
        let (flushed, is_flushed) = sync_channel(1);
        logs.waiting.send(Message::Flush(flushed)).unwrap();
        is_flushed.recv().unwrap();
        let text = pipe.text();
        assert!(text.starts_with("event 0 with Password=••• (redacted, 7 characters"), "{text}");
        assert!(text.contains(&format!("clrbridge: {lost} log events were dropped")), "{text}");
        assert!(!text.contains("hunter2"));
    }
}
