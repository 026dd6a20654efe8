//! Real assemblies and PDBs, damaged in every way that a seed leads to, and asked everything. A thousand cases that are the same
//! each time; `CLRBRIDGE_CASES` says how many else, `CLRBRIDGE_SEED` where to begin: `scripts/fuzz` runs a million.

mod mutation;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mutation::Random;

const CASES: u64 = 1_000;
/// A case takes milliseconds; what takes this long does not end for practical purposes.
const HANG: Duration = Duration::from_secs(20);
/// The largest file has 45 KB; an embedded PDB may inflate, names may be shared by many rows.
const MEMORY: u64 = 2 << 30;

fn asked_for(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

fn files() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
        .collect()
}

/// The most memory the process ever had, in bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[test]
fn damaged_files_are_answered_for() {
    let files = files();
    assert!(files.len() > 15);
    let cases = asked_for("CLRBRIDGE_CASES").unwrap_or(CASES);
    let first = asked_for("CLRBRIDGE_SEED").unwrap_or(1);
    let next = AtomicU64::new(first);
    let failures: Mutex<Vec<String>> = Mutex::default();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + cases || failures.lock().unwrap().len() >= 10 {
                return;
            }
            let mut random = Random::new(seed);
            let (name, intact) = &files[random.below(files.len())];
            let damaged = mutation::damage(intact, &mut random);
            let begun = Instant::now();
            let asked = catch_unwind(AssertUnwindSafe(|| crate::asking::ask_bytes(damaged, name.ends_with(".pdb"))));
            let failure = match asked {
                Err(_) => "panicked",
                Ok(()) if begun.elapsed() > HANG => "hung",
                Ok(()) => continue,
            };
            failures.lock().unwrap().push(format!("CLRBRIDGE_SEED={seed} CLRBRIDGE_CASES=1: {name} {failure}"));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    println!("{cases} cases, peak memory {} MB", peak_memory().unwrap_or(0) >> 20);
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(peak_memory().is_none_or(|peak| peak < MEMORY), "{:?}", peak_memory());
}
