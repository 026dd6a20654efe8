//! The thread that writes a recording.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    sync::{Arc, atomic::Ordering, mpsc},
};

use serde_json::json;

use super::{Order, Places, RecordingHeader, Redactor, State};

/// What becomes of a line before it is written.
pub(super) struct Shown {
    pub places: Places,
    pub redactor: Option<Box<dyn Redactor>>,
}

/// Writes the header at once, so that a hopeless place is refused at the start, then the lines as they come.
pub(super) fn spawn(
    file: File,
    header: &RecordingHeader,
    mut shown: Shown,
    state: Arc<State>,
) -> io::Result<mpsc::Sender<Order>> {
    let mut file = BufWriter::new(file);
    writeln!(file, "{}", json!({"recording": header}))?;
    file.flush()?;
    let (queue, orders) = mpsc::channel();
    std::thread::Builder::new()
        .name("recording".to_owned())
        .spawn(move || write_until_ordered(file, &orders, &mut shown, &state))?;
    Ok(queue)
}

/// Writes until nobody can say anything any more, or until writing fails.
pub(super) fn write_until_ordered(
    file: BufWriter<File>,
    orders: &mpsc::Receiver<Order>,
    shown: &mut Shown,
    state: &State,
) {
    if let Err(error) = write_all(file, orders, shown, state) {
        tracing::warn!(%error, "the recording stops here; the session continues");
        state.set_problem(error.to_string());
    }
}

fn write_all(
    mut file: BufWriter<File>,
    orders: &mpsc::Receiver<Order>,
    shown: &mut Shown,
    state: &State,
) -> io::Result<()> {
    loop {
        let order = match orders.try_recv() {
            Ok(order) => order,
            Err(mpsc::TryRecvError::Disconnected) => break,
            Err(mpsc::TryRecvError::Empty) => {
                // Quiet now: what is known should be in the file, whatever happens to us.
                file.flush()?;
                match orders.recv() {
                    Ok(order) => order,
                    Err(mpsc::RecvError) => break,
                }
            }
        };
        match order {
            Order::Write(mut line) => {
                state.queued_bytes.fetch_sub(line.what.len(), Ordering::Relaxed);
                if let Some(redactor) = &mut shown.redactor {
                    line.what.redact(redactor.as_mut());
                }
                writeln!(file, "{}", line.text(&shown.places))?;
            }
            Order::Flush(done) => {
                file.flush()?;
                // Whoever asked may have stopped waiting.
                let _ = done.try_send(());
            }
        }
    }
    let dropped = state.dropped_messages.load(Ordering::Relaxed);
    if dropped > 0 {
        let bytes = state.dropped_bytes.load(Ordering::Relaxed);
        writeln!(file, "{}", json!({"dir": "recorder", "dropped_messages": dropped, "dropped_bytes": bytes}))?;
    }
    file.flush()
}
