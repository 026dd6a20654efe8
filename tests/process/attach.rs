//! What is no .NET program is refused before an adapter is asked.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clrbridge::dotnet::DotnetError;
use clrbridge::dotnet::attach::check;

#[tokio::test]
async fn processes_that_are_no_dotnet_programs_are_refused() {
    let ours = std::process::id();
    let error = check(ours, &std::env::temp_dir()).await.unwrap_err();
    assert!(matches!(error, DotnetError::NotManaged { .. }), "{error}");
    assert!(error.to_string().ends_with("has not loaded CoreCLR"), "{error}");
    for pid in [0, u32::MAX, 4_194_305] {
        let error = check(pid, &std::env::temp_dir()).await.unwrap_err();
        assert_eq!(error.to_string(), format!("no process {pid}"));
    }
}

#[tokio::test]
async fn a_thread_and_a_zombie_are_no_processes() {
    let (tx, rx) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        let ours = std::fs::read_link("/proc/thread-self").unwrap();
        tx.send(ours.file_name().unwrap().to_str().unwrap().parse().unwrap()).unwrap();
        let _ = ended.recv();
    });
    let error = check(rx.recv().unwrap(), &std::env::temp_dir()).await.unwrap_err();
    assert!(error.to_string().contains("is a thread of process"), "{error}");
    drop(end);
    thread.join().unwrap();

    let mut child = Command::new("/bin/true").stdout(Stdio::piped()).spawn().unwrap();
    // Its end of the pipe is closed when it has ended.
    child.stdout.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
    let start = Instant::now();
    let error = loop {
        match check(child.id(), &std::env::temp_dir()).await {
            Err(error @ DotnetError::ProcessNotFound { .. }) => break error,
            other => assert!(start.elapsed() < Duration::from_secs(60), "{other:?}"),
        }
    };
    assert!(error.to_string().contains("has exited; its parent"), "{error}");
    child.wait().unwrap();
}
