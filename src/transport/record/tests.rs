use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::*;

const LONG: Duration = Duration::from_secs(20);

fn header() -> RecordingHeader {
    RecordingHeader { adapter: "netcoredbg".to_owned(), scenario: "test".to_owned(), ..RecordingHeader::default() }
}

/// What is in the file after these calls.
fn recorded(calls: impl FnOnce(&Tap)) -> Vec<Value> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("talk.jsonl");
    let tap = Tap::create(&path, header(), Places::default(), None).unwrap();
    calls(&tap);
    assert!(tap.flush(LONG));
    assert_eq!(tap.problem(), None);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// Lines as they are.
fn plain() -> writer::Shown {
    writer::Shown { places: Places::default(), redactor: None }
}

#[test]
fn the_first_line_says_what_was_recorded() {
    let lines = recorded(|_| {});
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["recording"]["adapter"], "netcoredbg");
    assert_eq!(lines[0]["recording"]["note"], "");
}

#[test]
fn every_kind_of_line_is_written_as_the_format_says() {
    let lines = recorded(|tap| {
        tap.client(&Bytes::from_static(b"{\"seq\":1}"));
        tap.adapter(&Bytes::from_static(b"{\r\n  \"seq\": 2\r\n}"));
        tap.stderr("oh\nno");
        tap.closed_stdin();
        tap.closed_stdin();
        tap.exit(-11);
    });
    let lines: Vec<Value> = lines.into_iter().skip(1).collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert_eq!((&lines[0]["dir"], &lines[0]["message"]["seq"]), (&"client".into(), &1.into()));
    assert_eq!((&lines[1]["dir"], &lines[1]["message"]["seq"]), (&"adapter".into(), &2.into()));
    assert_eq!((&lines[2]["dir"], &lines[2]["text"]), (&"stderr".into(), &"oh\nno".into()));
    assert_eq!((&lines[3]["dir"], &lines[3]["close"]), (&"client".into(), &"stdin".into()));
    assert_eq!((&lines[4]["dir"], &lines[4]["code"]), (&"exit".into(), &(-11).into()));
    assert!(lines.iter().all(|line| line["at_ms"].is_number()));
}

#[test]
fn bodies_that_are_no_text_or_no_json_are_kept_to_the_byte() {
    let bodies: [&'static [u8]; 3] = [b"{\"a\":\"\xff\"}", b"{\"a\":", b""];
    let lines = recorded(|tap| bodies.iter().for_each(|body| tap.adapter(&Bytes::from_static(body))));
    for (line, body) in lines.iter().skip(1).zip(bodies) {
        assert_eq!(BASE64_STANDARD.decode(line["raw_base64"].as_str().unwrap()).unwrap(), body);
    }
    assert_eq!(lines[1]["message"]["a"], "\u{fffd}");
    assert_eq!(lines[2]["message"], Value::Null);
}

#[test]
fn what_a_tap_writes_can_be_replayed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("talk.jsonl");
    let tap = Tap::create(&path, header(), Places::default(), None).unwrap();
    let raw = Bytes::from_static(b"{\"type\":\"event\",\"event\":\"output\",\"body\":{\"output\":\"\xc3\"}}");
    tap.client(&Bytes::from_static(br#"{"seq":1,"type":"request","command":"threads"}"#));
    tap.adapter(&raw);
    tap.exit(0);
    assert!(tap.flush(LONG));
    let recording = crate::transport::replay::Recording::load(&path, &[]).unwrap();
    assert_eq!(recording.header(), &header());
    assert_eq!(recording.requests().count(), 1);
    assert_eq!(recording.adapter_bodies().collect::<Vec<_>>(), [&raw]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_recording_and_is_reported() {
    // The header is refused at once: nobody believes to be recording.
    assert!(Tap::create("/dev/full", header(), Places::default(), None).is_err());
    let state = Arc::new(State::default());
    let (queue, orders) = mpsc::channel();
    let file = OpenOptions::new().write(true).open("/dev/full").unwrap();
    queue.send(Order::Write(Line { at: Duration::ZERO, what: What::Stderr("x".to_owned()) })).unwrap();
    drop(queue);
    writer::write_until_ordered(std::io::BufWriter::new(file), &orders, &mut plain(), &state);
    drop(orders);
    assert!(state.problem().unwrap().contains("space"), "{:?}", state.problem());
}

#[test]
fn a_tap_whose_writer_stopped_swallows_what_it_is_reported() {
    let (queue, orders) = mpsc::channel();
    let state = Arc::new(State::default());
    let shared = Shared {
        started: Instant::now(),
        queue,
        state,
        stdin_closed: AtomicBool::new(false),
        is_problem_reported: AtomicBool::new(false),
    };
    let tap = Tap { shared: Arc::new(shared) };
    assert_eq!(tap.unreported_problem(), None);
    tap.shared.state.set_problem("full".to_owned());
    assert_eq!((tap.unreported_problem().as_deref(), tap.unreported_problem()), (Some("full"), None));
    drop(orders);
    tap.client(&Bytes::from_static(b"{}"));
    assert!(!tap.flush(LONG));
}

#[test]
fn what_a_slow_disk_cannot_take_is_dropped_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("talk.jsonl");
    let (queue, orders) = mpsc::channel();
    let state = Arc::new(State::default());
    let shared = Shared {
        started: Instant::now(),
        queue,
        state: Arc::clone(&state),
        stdin_closed: AtomicBool::new(false),
        is_problem_reported: AtomicBool::new(false),
    };
    let tap = Tap { shared: Arc::new(shared) };
    // Nobody writes yet. The megabytes are one allocation that is shared.
    let megabyte = Bytes::from(vec![b' '; 1024 * 1024]);
    for _ in 0..70 {
        tap.adapter(&megabyte);
    }
    drop(tap);
    let mut kept = 0;
    let (short, short_orders) = mpsc::channel();
    for order in orders {
        kept += 1;
        if let Order::Write(line) = &order {
            state.queued_bytes.fetch_sub(line.what.len(), Ordering::Relaxed);
        }
    }
    drop(short);
    assert_eq!(kept, 64);
    assert_eq!(state.queued_bytes.load(Ordering::Relaxed), 0);
    let file = std::fs::File::create(&path).unwrap();
    writer::write_until_ordered(std::io::BufWriter::new(file), &short_orders, &mut plain(), &state);
    let last: Value = serde_json::from_str(std::fs::read_to_string(path).unwrap().lines().last().unwrap()).unwrap();
    assert_eq!(last["dropped_messages"], 6);
    assert_eq!(last["dropped_bytes"], 6 * 1024 * 1024);
}
