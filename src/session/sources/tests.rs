use super::*;

#[test]
fn only_files_are_read() {
    assert_eq!(read(Path::new("/dev/zero")), None);
    assert_eq!(read(Path::new(env!("CARGO_MANIFEST_DIR"))), None);
    assert!(read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))).is_some());
}

#[test]
fn the_root_is_what_all_documents_share() {
    let root = |paths: &[&str]| common_root(paths.iter().copied());
    assert_eq!(root(&["/src/a/Program.cs", "/src/a/obj/x.cs"]), Some(PathBuf::from("/src/a")));
    assert_eq!(root(&["/src/a/Program.cs", "/src/b/Lib.cs"]), Some(PathBuf::from("/src")));
    assert_eq!(root(&["/_/src/Lib.cs"]), None);
    assert_eq!(root(&["/a/x.cs", "/b/y.cs"]), None);
}

#[test]
fn a_document_of_another_machine_is_found_below_the_base_by_its_bytes() {
    let base = tempfile::tempdir().unwrap();
    std::fs::create_dir(base.path().join("a")).unwrap();
    std::fs::write(base.path().join("Program.cs"), "another program").unwrap();
    std::fs::write(base.path().join("a/Program.cs"), "one\ntwo").unwrap();
    let sources = Sources::below(roots(base.path()));
    assert_eq!(sources.line("/_/src/a/Program.cs", 2), None);
    sources.look_below(
        base.path().to_owned(),
        Arc::new(|path, bytes| path.starts_with("/_/src/a/").then_some(bytes == b"one\ntwo")),
    );
    assert_eq!(sources.line("/_/src/a/Program.cs", 2).as_deref(), Some("two"));
    assert_eq!(sources.line("/_/src/b/Program.cs", 1), None);
    std::fs::write(base.path().join("a/Program.cs"), "one").unwrap();
    let shown = sources.shown("/_/src/a/Program.cs");
    assert_eq!(Path::new(&shown), base.path().join("a/Program.cs"), "edited since: the file stays the file");
}

/// With a time of its own: two writes may fall into one tick of the clock.
fn write(path: &Path, text: &str, second: u64) {
    std::fs::write(path, text).unwrap();
    let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(second);
    std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn a_line_is_reported_as_it_was_compiled_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("A.cs");
    let name = path.to_string_lossy().into_owned();
    let sources = Sources::below(roots(folder.path()));
    let known = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_known = known.clone();
    let judge =
        move |_: &str, bytes: &[u8]| is_known.load(std::sync::atomic::Ordering::Relaxed).then_some(bytes == b"old");
    sources.look_below(folder.path().to_owned(), Arc::new(judge.clone()));
    write(&path, "edited before", 1);
    assert_eq!(sources.line(&name, 1).as_deref(), Some("edited before"), "nothing is known of a build yet");
    known.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(sources.line(&name, 1), None);
    write(&path, "old", 2);
    assert_eq!(sources.line(&name, 1).as_deref(), Some("old"));
    write(&path, "new\nold", 3);
    assert_eq!(sources.line(&name, 1).as_deref(), Some("old"));
    assert_eq!(*sources.lines(&path).unwrap(), ["new", "old"], "where the next build has it");
    sources.end_run();
    assert_eq!(sources.line(&name, 1).as_deref(), Some("new"), "no program runs the old one");
    sources.look_below(folder.path().to_owned(), Arc::new(judge));
    assert_eq!(sources.line(&name, 1), None, "another start, which saw the file only as it is now");
}

fn roots(folder: &Path) -> Roots {
    let roots = Roots::default();
    roots.add(folder);
    roots
}

#[test]
fn a_file_is_read_below_a_root_or_where_a_pdb_has_its_hash() {
    let dir = tempfile::tempdir().unwrap();
    let (root, outside) = (dir.path().join("root"), dir.path().join("outside"));
    for folder in [&root, &outside] {
        std::fs::create_dir(folder).unwrap();
    }
    std::fs::write(root.join("In.cs"), "text").unwrap();
    std::fs::write(outside.join("A.cs"), "text").unwrap();
    std::fs::write(outside.join("Unhashed.cs"), "text").unwrap();
    let sources = Sources::below(roots(&root));
    let line = |path: &Path| sources.line(&path.to_string_lossy(), 1);
    assert_eq!(line(&root.join("In.cs")).as_deref(), Some("text"));
    let (there, missing, unhashed) = (outside.join("A.cs"), outside.join("B.cs"), outside.join("Unhashed.cs"));
    let secret = outside.join("secret");
    std::fs::write(&secret, "text").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, outside.join("Link.cs")).unwrap();
    assert_eq!(line(&there), None);
    assert!(!sources.allow(&there) && !sources.allow(&missing), "nobody learns which of them exists");
    assert_eq!(sources.bytes(&there.to_string_lossy()), None);
    let document = outside.clone();
    sources.set_documents(Arc::new(move |path| Path::new(path).starts_with(&document)));
    assert!(!sources.allow(&there), "a PDB may name any file");
    let judge = |path: &str, bytes: &[u8]| (!path.ends_with("Unhashed.cs")).then_some(bytes == b"text");
    sources.look_below(root.clone(), Arc::new(judge));
    assert_eq!(line(&there).as_deref(), Some("text"));
    assert!(!sources.allow(&missing) && !sources.allow(&unhashed));
    assert!(
        !sources.allow(&outside.join("Link.cs")) && !sources.allow(&secret),
        "compilers record the hash of whatever #line names"
    );
    assert_eq!(line(&unhashed), None);
    std::fs::write(&there, "changed").unwrap();
    assert!(!sources.allow(&there));
    assert_eq!((line(&there), sources.lines(&there)), (None, None));
    let error = sources.not_allowed("A.cs", &there);
    assert_eq!(error.code, Code::PathNotAllowed);
    assert!(
        error.message.contains("no PDB of the program has its hash") && error.hint.contains(&*root.to_string_lossy()),
        "{error:?}"
    );
    let stranger = sources.not_allowed("/etc/shadow", Path::new("/etc/shadow"));
    assert!(stranger.message.contains("neither a source file"), "{stranger:?}");
}

#[test]
fn the_folder_that_documents_share_lets_nobody_read_what_lies_in_it() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("A.cs"), "text").unwrap();
    let sources = Sources::default();
    sources.set_root(Some(dir.path().to_owned()));
    assert!(!sources.allow(&dir.path().join("A.cs")));
    sources.add_folder(dir.path());
    assert!(sources.allow(&dir.path().join("A.cs")));
}

#[test]
fn paths_are_reported_relative_to_the_root() {
    let sources = Sources::default();
    assert_eq!(sources.relative("/src/a/Program.cs"), "/src/a/Program.cs");
    sources.set_root(Some("/src/a".into()));
    assert_eq!(sources.relative("/src/a/Program.cs"), "Program.cs");
    assert_eq!(sources.relative("/src/ab/Program.cs"), "/src/ab/Program.cs");
}

#[test]
fn a_copied_project_shows_its_own_files() {
    let dir = tempfile::tempdir().unwrap();
    let (original, copy) = (dir.path().join("first"), dir.path().join("second"));
    for folder in [&original, &copy] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("A.cs"), "text").unwrap();
        std::fs::write(folder.join("B.cs"), "text").unwrap();
    }
    std::fs::write(copy.join("B.cs"), "edited").unwrap();
    let sources = Sources::below(roots(dir.path()));
    sources.look_below(dir.path().to_owned(), Arc::new(|_, bytes| Some(bytes == b"text")));
    let document = |name: &str| original.join(name).display().to_string();
    let documents = [document("A.cs"), document("B.cs")];
    sources.look_in_copy(&copy, &documents);
    assert_eq!(sources.root_of(&documents), Some(copy.clone()));
    sources.set_root(Some(copy.clone()));
    assert_eq!(sources.relative(&documents[0]), "A.cs");
    assert_eq!(sources.shown(&documents[0]), copy.join("A.cs").display().to_string());
    assert_eq!(sources.relative(&documents[1]), documents[1], "compiled from the first folder's file alone");
    assert_eq!(sources.line(&documents[1], 1).as_deref(), Some("text"));
}
