//! Cut, damaged and foreign files: an error that names its place, never a panic.

use clrbridge::metadata::{Assembly, MemberName, MetadataError, Names, Pdb, SymbolName, Table, Token, TypeKey};

use super::{FIXTURES, data};

/// Everything that a session would ask of an assembly.
fn ask_everything(assembly: &Assembly) {
    assembly.verify();
    let _ =
        (assembly.name(), assembly.mvid(), assembly.references(), assembly.is_debug_build(), assembly.entry_point());
    for attribute in assembly.metadata().attributes(Token::new(Table::Assembly, 1)) {
        let _ = (attribute.arguments(), attribute.named_arguments());
    }
    for type_ in assembly.types().take(50) {
        let full_name = type_.full_name();
        let _ = (assembly.find_type(&full_name), type_.short_name(), type_.interfaces(), type_.enum_members());
        for method in type_.methods().take(50) {
            let view = assembly.method(method);
            let _ = (view.parameter_names(), view.local_types(), view.state_machine_kind(), view.code_method());
            let _ = (view.is_stepped_over(), assembly.kickoff_of(method), assembly.first_sequence_point(method));
            assembly.locals_in_scope(method, 10);
        }
    }
    ask_usages(assembly);
    assembly.describe_frame("AsyncFlow.Downloader.<FetchAsync>d__3.MoveNext()");
}

/// Who uses its first members, its own and those it refers to.
fn ask_usages(assembly: &Assembly) {
    let key = |full_name: String| TypeKey { assembly: assembly.name().to_owned(), full_name, homonyms: Vec::new() };
    let mut wanted = Vec::new();
    for type_ in assembly.types().take(8) {
        let methods = type_.methods().take(2).map(|method| assembly.method(method));
        let methods = methods.filter_map(|it| Some(MemberName::Method(it.name().to_owned(), it.signature()?)));
        let fields = type_.fields().into_iter().map(|field| MemberName::Field(field.name));
        let members = methods.chain(fields).map(Some).chain([None]);
        wanted.extend(members.map(|member| SymbolName { type_: key(type_.full_name()), member }));
    }
    for row in assembly.metadata().rows(Table::MemberRef).take(50) {
        let class = Token::new(Table::TypeRef, row);
        let _ = (assembly.scope_of(class), assembly.type_signature(class));
        let member = assembly.member_reference(row);
        wanted.push(SymbolName { type_: key("System.Object".to_owned()), member });
    }
    assembly.each_usage(&Names::of(assembly, &wanted), |_| {});
}

fn ask_pdb(pdb: &Pdb) {
    pdb.verify();
    for document in pdb.documents() {
        let _ = (pdb.executable_lines(document.id), document.matches(b""), pdb.embedded_source(document.id));
        pdb.nearest_lines(document.id, 10, 4);
    }
    for row in pdb_methods(pdb) {
        let method = clrbridge::metadata::MethodId(row);
        let _ = (pdb.async_info(method), pdb.locals_in_scope(method, 3), pdb.constants_in_scope(method, 3));
    }
}

fn pdb_methods(pdb: &Pdb) -> std::ops::Range<u32> {
    let rows = pdb.metadata().rows(Table::MethodDebugInformation);
    rows.start..rows.end.min(200)
}

fn ask(bytes: Vec<u8>, is_pdb: bool) {
    if is_pdb {
        if let Ok(pdb) = Pdb::from_bytes(bytes) {
            ask_pdb(&pdb);
        }
    } else if let Ok(assembly) = Assembly::from_bytes("/nowhere/Broken.dll", bytes) {
        ask_everything(&assembly);
    }
}

#[test]
fn a_file_cut_anywhere_is_an_error_or_readable() {
    for name in FIXTURES {
        for extension in ["dll", "pdb"] {
            let bytes = std::fs::read(data(&format!("{name}.{extension}"))).unwrap();
            for length in (0..bytes.len()).step_by(1024).chain([1, 2, 63, 64, 300]) {
                ask(bytes[..length.min(bytes.len())].to_vec(), extension == "pdb");
            }
        }
    }
}

#[test]
fn a_damaged_file_is_never_a_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    // Set CLRBRIDGE_MUTATIONS for a longer hunt.
    let rounds = std::env::var("CLRBRIDGE_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    for (name, extension) in [("AsyncFlow", "dll"), ("Generics", "dll"), ("AsyncFlow", "pdb"), ("Web", "pdb")] {
        let bytes = std::fs::read(data(&format!("{name}.{extension}"))).unwrap();
        for _ in 0..rounds {
            let mut damaged = bytes.clone();
            for _ in 0..1 + random() % 6 {
                let at = random() % damaged.len();
                damaged[at] = [random() as u8, 0, 0xff, 0x7f][random() % 4];
            }
            ask(damaged, extension == "pdb");
        }
    }
}

#[test]
fn what_is_no_assembly_is_told_in_words() {
    let told = |bytes: &[u8]| Assembly::from_bytes("/nowhere/X.dll", bytes.to_vec()).unwrap_err().to_string();
    assert_eq!(told(b""), "/nowhere/X.dll: not a .NET assembly: no PE file");
    assert_eq!(told(b"\x7fELF"), "/nowhere/X.dll: not a .NET assembly: no PE file");
    assert_eq!(told(b"MZ"), "/nowhere/X.dll: an offset lies behind the end of the file at offset 0x3c");
    let missing = Assembly::open("/nowhere/X.dll").unwrap_err();
    assert!(matches!(missing, MetadataError::Io { .. }), "{missing}");
    let pdb = Pdb::open(data("Basics.dll")).unwrap_err().to_string();
    assert!(pdb.ends_with("Basics.dll: not a Portable PDB"), "{pdb}");
    // A native dll: no CLR directory.
    let mut native = std::fs::read(data("Basics.dll")).unwrap();
    let header = u32::from_le_bytes(native[0x3c..0x40].try_into().unwrap()) as usize;
    let optional = header + 24;
    let directories = optional + if native[optional + 1] == 2 { 112 } else { 96 };
    native[directories + 14 * 8..directories + 14 * 8 + 8].fill(0);
    assert_eq!(told(&native), "/nowhere/X.dll: not a .NET assembly: a native PE file");
}

#[test]
fn a_count_of_rows_that_the_file_cannot_hold_is_refused_with_its_table() {
    let mut bytes = std::fs::read(data("Basics.dll")).unwrap();
    let root = bytes.windows(4).position(|window| window == b"BSJB").unwrap();
    let name = bytes.windows(4).position(|window| window == b"#~\0\0").unwrap();
    let offset = u32::from_le_bytes(bytes[name - 8..name - 4].try_into().unwrap()) as usize;
    // The counts begin behind 24 bytes; the second is that of TypeRef.
    let count = root + offset + 24 + 4;
    bytes[count..count + 4].copy_from_slice(&0x00ff_ffff_u32.to_le_bytes());
    let told = Assembly::from_bytes("/nowhere/X.dll", bytes.clone()).unwrap_err().to_string();
    assert!(told.contains("TypeRef row 16777215") && told.contains("offset 0x"), "{told}");
    bytes[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let told = Assembly::from_bytes("/nowhere/X.dll", bytes).unwrap_err().to_string();
    assert!(told.contains("more rows than a token can name"), "{told}");
}

#[test]
fn types_that_enclose_each_other_end() {
    let path = data("Generics.dll");
    let intact = super::fixture("Generics");
    let row = 1;
    let mut bytes = std::fs::read(path).unwrap();
    // Nested.Enclosing of the first NestedClass row becomes the nested type itself.
    let nested = intact.metadata().cell(row, clrbridge::metadata::col::NestedClass::Nested).unwrap();
    let enclosing = intact.metadata().cell(row, clrbridge::metadata::col::NestedClass::Enclosing).unwrap();
    let next_nested = intact.metadata().cell(row + 1, clrbridge::metadata::col::NestedClass::Nested).unwrap();
    let pattern: Vec<u8> =
        [nested, enclosing, next_nested].iter().flat_map(|&value| (value as u16).to_le_bytes()).collect();
    let at = bytes.windows(6).position(|window| window == pattern).unwrap();
    bytes.copy_within(at..at + 2, at + 2);
    let broken = Assembly::from_bytes("/nowhere/X.dll", bytes).unwrap();
    let flaws = broken.verify();
    assert!(
        flaws
            .iter()
            .any(|flaw| flaw.to_string().contains("enclose each other") && flaw.to_string().contains("TypeDef row")),
        "{flaws:?}"
    );
    ask_everything(&broken);
}
