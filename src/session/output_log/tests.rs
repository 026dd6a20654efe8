use super::*;

fn log() -> OutputLog {
    OutputLog::new(SPILLED)
}

fn read(log: &OutputLog, wanted: &Selection) -> OutputTail {
    log.excerpt(wanted).read(wanted).unwrap()
}

fn all() -> Selection {
    Selection { stdout: true, stderr: true, since: 0, max_lines: None, tail: None, search: None, max_size: 1 << 20 }
}

#[test]
fn a_character_split_over_two_writes_is_joined() {
    let mut log = log();
    log.push(Stream::Stdout, b"e=\xc3");
    log.push(Stream::Stderr, b"x\n");
    log.push(Stream::Stdout, b"\xa9\n");
    let read = read(&log, &all());
    assert_eq!((read.stdout.as_str(), read.stderr.as_str(), read.cursor), ("e=é\n", "x\n", Some(7)));
}

#[test]
fn a_report_shows_the_last_lines_and_shows_what_it_leaves_out() {
    let mut log = log();
    for n in 0..100 {
        log.push(Stream::Stdout, format!("line {n}\n").as_bytes());
    }
    let tail = log.report(0);
    assert_eq!(tail.stdout.lines().count(), 10);
    assert!(tail.stdout.ends_with("line 99\n"));
    assert_eq!(tail.omitted_bytes + tail.stdout.len() as u64, log.end());
    assert_eq!(tail.cursor, Some(0));
    assert_eq!(log.report(log.end()), OutputTail::default());
}

#[test]
fn a_page_has_lines_of_one_run() {
    let mut log = log();
    let wanted = |since| Selection { since, ..all() };
    log.push(Stream::Stdout, b"first\nnot ended");
    assert_eq!(read(&log, &all()).run, None, "there is only one");
    log.begin_run();
    assert_eq!((log.latest_run(), read(&log, &wanted(15)).run), (15, Some(2)));
    log.begin_run();
    log.push(Stream::Stdout, b"third\n");
    log.push(Stream::Stderr, b"more\n");
    let first = read(&log, &all());
    assert_eq!((first.stdout.as_str(), first.stderr.as_str()), ("first\nnot ended", ""));
    assert_eq!((first.run, first.cursor), (Some(1), Some(15)));
    assert_eq!(first.note.as_deref(), Some("the output of run 3 begins at the cursor"));
    let third = read(&log, &wanted(15));
    assert_eq!((third.stdout.as_str(), third.stderr.as_str(), third.note), ("third\n", "more\n", None));
    assert_eq!((third.run, third.cursor), (Some(3), Some(26)));
    // a search goes on to the run that has such a line
    let found = read(&log, &Selection { search: Some(regex::Regex::new("more|third").unwrap()), ..all() });
    assert_eq!((found.stdout.as_str(), found.run, found.omitted_bytes), ("third\n", Some(3), 0));
    // the last lines are of the latest run, however few it has
    let last = read(&log, &Selection { tail: Some(9), ..all() });
    assert_eq!((last.stdout.as_str(), last.run, last.omitted_bytes), ("third\n", Some(3), 15));
    let one = read(&log, &Selection { max_lines: Some(1), ..all() });
    assert_eq!((one.stdout.as_str(), one.note), ("first\n", None), "there is more of this run");
}

#[test]
fn runs_are_distinguished_in_the_file_too() {
    let mut log = log();
    log.push(Stream::Stdout, b"not ended");
    log.begin_run();
    much(&mut log);
    let first = read(&log, &all());
    assert_eq!((first.stdout.as_str(), first.run, first.cursor), ("not ended", Some(1), Some(9)));
    let second = read(&log, &Selection { since: 9, max_lines: Some(1), ..all() });
    assert_eq!((second.stderr.len(), second.run), (100, Some(2)));
}

#[test]
fn what_is_not_longer_than_a_note_of_it_is_shown() {
    let mut log = log();
    log.push(Stream::Stdout, b"a short line\n");
    log.push(Stream::Stdout, &[b"x".repeat(TAIL_BYTES - 3), b"\n".to_vec()].concat());
    assert_eq!((log.report(0).omitted_bytes, log.report(0).stdout.lines().count()), (0, 2));
    log.push(Stream::Stdout, b"and one more, so that more than a note would be missing\n");
    assert!(log.report(0).omitted_bytes > NOTE as u64);
    let mut log = OutputLog::new(SPILLED);
    log.push(Stream::Stdout, &vec![b'x'; TAIL_BYTES + NOTE]);
    assert_eq!(log.report(0).omitted_bytes, 0);
}

#[test]
fn one_endless_line_is_cut_at_its_front() {
    let mut log = log();
    log.push(Stream::Stdout, &vec![b'a'; 10_000]);
    let tail = log.report(0);
    assert_eq!(tail.stdout.len(), TAIL_BYTES);
    assert_eq!(tail.omitted_bytes, 10_000 - TAIL_BYTES as u64);
}

#[test]
fn what_a_report_does_not_look_at_is_counted_as_omitted() {
    let mut log = log();
    log.push(Stream::Stderr, b"not ended");
    much(&mut log);
    let tail = log.report(9);
    assert_eq!((tail.stdout.lines().count() + tail.stderr.lines().count(), tail.omitted_bytes), (6, 10_000_000 - 600));
    log.push(Stream::Stdout, &vec![b'a'; 3 * LOOKED_AT as usize]);
    let tail = log.report(9);
    assert_eq!((tail.stdout.len(), tail.stderr.len()), (TAIL_BYTES, 0));
    assert_eq!(tail.omitted_bytes + TAIL_BYTES as u64, log.end() - 9);
}

/// 10 MB in lines of 100 bytes that contain their position.
fn much(log: &mut OutputLog) {
    for n in 0..100_000 {
        log.push(if n % 7 == 0 { Stream::Stderr } else { Stream::Stdout }, format!("{n:099}\n").as_bytes());
    }
}

#[test]
fn memory_is_bounded_and_every_byte_is_read_by_cursor() {
    let mut log = log();
    much(&mut log);
    assert!(log.kept <= KEPT + SLACK && log.end() == 10_000_000);
    let (mut since, mut seen, mut pages) = (0, vec![false; 100_000], 0);
    while since < log.end() {
        let read = read(&log, &Selection { since, max_size: 48 * 1024, ..all() });
        assert_eq!((read.omitted_bytes, &read.note), (0, &None));
        for line in read.stdout.lines().chain(read.stderr.lines()) {
            assert!(!std::mem::replace(&mut seen[line.parse::<usize>().unwrap()], true), "{line} twice");
        }
        assert!(read.cursor.unwrap() > since);
        since = read.cursor.unwrap();
        pages += 1;
    }
    assert!(seen.iter().all(|seen| *seen) && pages > 200);
}

#[test]
fn a_search_looks_through_all_of_it_and_the_last_lines_are_counted_from_its_start() {
    let mut log = log();
    much(&mut log);
    let search = regex::Regex::new("^0+(17|50000|99999)$").unwrap();
    let found = read(&log, &Selection { search: Some(search), ..all() });
    let numbers: Vec<u32> = found.stdout.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(numbers, [17, 50_000, 99_999]);
    let last = read(&log, &Selection { tail: Some(1), ..all() });
    assert_eq!(last.omitted_bytes, log.end() - 100);
}

#[test]
fn the_last_lines_are_shown_to_their_end_even_where_they_are_longer_than_an_answer() {
    let mut log = log();
    log.push(Stream::Stdout, b"first\n");
    log.push(Stream::Stdout, &[b"x".repeat(5_000_000), b"END\n".to_vec()].concat());
    log.push(Stream::Stdout, b"last\n");
    let read = read(&log, &Selection { tail: Some(2), max_size: 100, ..all() });
    assert!(read.stdout.ends_with("xEND\nlast\n"), "{}", read.stdout);
    // a line's end has two characters in JSON
    assert_eq!((read.stdout.len(), read.cursor), (98, Some(log.end())));
    assert_eq!(read.omitted_bytes, log.end() - 98);
}

/// What is longer as JSON than the answer may be would be cut there, and the cursor would be behind it.
#[test]
fn no_page_is_longer_as_json_than_an_answer() {
    let mut log = log();
    let text: String = (0..2_000).map(|at| format!("{at}\t\"äö\" \\ \u{7} \u{202e}x\n")).collect();
    log.push(Stream::Stdout, text.as_bytes());
    let (mut since, mut all_of_it) = (0, String::new());
    while since < log.end() {
        let page = read(&log, &Selection { since, max_size: 1_000, ..all() });
        let shown = page.stdout.replace('\u{202e}', "\\u202e").replace('\u{7}', "\\u0007");
        assert!(serde_json::to_string(&shown).unwrap().len() <= 1_002, "{shown}");
        all_of_it.push_str(&page.stdout);
        since = page.cursor.unwrap();
    }
    assert_eq!(all_of_it, text);
}

#[test]
fn what_the_limit_loses_is_counted_and_said_once() {
    let mut log = OutputLog::new(1_000_000);
    much(&mut log);
    let trouble = log.unreported_trouble().unwrap();
    assert!(trouble.contains("bytes of output were lost") && trouble.contains("--max-output"), "{trouble}");
    log.trouble_is_reported();
    assert_eq!(log.unreported_trouble(), None);
    let (mut since, mut bytes, mut lost) = (0, 0, 0);
    while since < log.end() {
        let read = read(&log, &Selection { since, ..all() });
        bytes += (read.stdout.len() + read.stderr.len()) as u64;
        if read.omitted_bytes > 0 {
            assert!(read.note.as_deref().is_some_and(|note| note.contains("lost")));
            lost = read.omitted_bytes;
        }
        since = read.cursor.unwrap();
    }
    assert!(lost > 0 && bytes + lost == log.end(), "{bytes} {lost}");
}

#[test]
fn reading_goes_on_at_the_cursor_and_loses_nothing() {
    let mut log = log();
    for n in 0..50 {
        log.push(if n % 3 == 0 { Stream::Stderr } else { Stream::Stdout }, format!("line {n}\n").as_bytes());
    }
    let (mut since, mut seen) = (0, String::new());
    loop {
        let read = read(&log, &Selection { since, max_lines: Some(7), ..all() });
        if read.stdout.is_empty() && read.stderr.is_empty() {
            break;
        }
        seen.push_str(&read.stdout);
        seen.push_str(&read.stderr);
        since = read.cursor.unwrap();
    }
    assert_eq!(seen.lines().count(), 50);
}
