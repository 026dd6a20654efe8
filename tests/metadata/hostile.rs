//! Cut, damaged and foreign files: an error that names its place, never a panic.

use clr_metadata::{Assembly, MetadataError, MethodId, NameStyle, Pdb, Table, Token, col};

use super::asking::{ask_assembly, ask_bytes};
use super::data;

#[test]
fn a_file_cut_anywhere_is_an_error_or_readable() {
    for entry in std::fs::read_dir(data("")).unwrap() {
        let path = entry.unwrap().path();
        let is_pdb = path.extension().is_some_and(|extension| extension == "pdb");
        let bytes = std::fs::read(&path).unwrap();
        for length in (0..bytes.len()).step_by(1024).chain([1, 2, 63, 64, 300]) {
            ask_bytes(bytes[..length.min(bytes.len())].to_vec(), is_pdb);
        }
    }
}

#[test]
fn what_is_no_assembly_is_reported_in_words() {
    let message = |bytes: &[u8]| Assembly::from_bytes("/nowhere/X.dll", bytes.to_vec()).unwrap_err().to_string();
    assert_eq!(message(b""), "/nowhere/X.dll: not a .NET assembly: not a PE file");
    // A program of this machine, whatever its format.
    let native = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    assert!(message(&native[..1 << 16]).starts_with("/nowhere/X.dll: not a .NET assembly: "));
    assert_eq!(message(b"\x7fELF"), "/nowhere/X.dll: not a .NET assembly: not a PE file");
    assert_eq!(message(b"MZ"), "/nowhere/X.dll: an offset is past the end of the file at offset 0x3c");
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
    assert_eq!(message(&native), "/nowhere/X.dll: not a .NET assembly: a native PE file");
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
    let message = Assembly::from_bytes("/nowhere/X.dll", bytes.clone()).unwrap_err().to_string();
    assert!(message.contains("TypeRef row 16777215") && message.contains("offset 0x"), "{message}");
    bytes[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let message = Assembly::from_bytes("/nowhere/X.dll", bytes).unwrap_err().to_string();
    assert!(message.contains("more rows than a token can address"), "{message}");
}

#[test]
fn types_that_enclose_each_other_end() {
    let path = data("Generics.dll");
    let intact = super::fixture("Generics");
    let row = 1;
    let mut bytes = std::fs::read(path).unwrap();
    // Nested.Enclosing of the first NestedClass row becomes the nested type itself.
    let nested = intact.metadata().cell(row, clr_metadata::col::NestedClass::Nested).unwrap();
    let enclosing = intact.metadata().cell(row, clr_metadata::col::NestedClass::Enclosing).unwrap();
    let next_nested = intact.metadata().cell(row + 1, clr_metadata::col::NestedClass::Nested).unwrap();
    let pattern: Vec<u8> =
        [nested, enclosing, next_nested].iter().flat_map(|&value| (value as u16).to_le_bytes()).collect();
    let at = bytes.windows(6).position(|window| window == pattern).unwrap();
    bytes.copy_within(at..at + 2, at + 2);
    let broken = Assembly::from_bytes("/nowhere/X.dll", bytes).unwrap();
    let flaws = broken.verify();
    assert!(
        flaws
            .iter()
            .any(|flaw| flaw.to_string().contains("nesting of types is cyclic")
                && flaw.to_string().contains("TypeDef row")),
        "{flaws:?}"
    );
    ask_assembly(&broken);
}

/// Generics.dll with other bytes in the place of `found`.
fn patched(found: &[u8], replacement: &[u8]) -> std::sync::Arc<Assembly> {
    let mut bytes = std::fs::read(data("Generics.dll")).unwrap();
    let at = bytes.windows(found.len()).position(|window| window == found).unwrap();
    bytes[at..at + replacement.len()].copy_from_slice(replacement);
    Assembly::from_bytes("/nowhere/X.dll", bytes).unwrap()
}

#[test]
fn a_signature_that_names_itself_is_reported_with_its_row() {
    let intact = super::fixture("Generics");
    let mut blob = intact.metadata().blob(1, col::TypeSpec::Signature).unwrap();
    let (at, length) = (blob.offset(), blob.remaining());
    let original = blob.take(length).unwrap();
    let mut bytes = std::fs::read(data("Generics.dll")).unwrap();
    assert_eq!(&bytes[at..at + length], original);
    // An array of class TypeSpec 1, which is an array of class TypeSpec 1, …
    bytes[at..at + 3].copy_from_slice(&[0x1d, 0x12, 1 << 2 | 2]);
    let broken = Assembly::from_bytes("/nowhere/X.dll", bytes).unwrap();
    let flaw = broken.metadata().decode_type(Token::new(Table::TypeSpec, 1)).unwrap_err().to_string();
    assert!(flaw.contains("nested too deeply") && flaw.contains("TypeSpec row 1"), "{flaw}");
    ask_assembly(&broken);
}

#[test]
fn heaps_that_overlap_are_read_as_they_lie() {
    let mut bytes = std::fs::read(data("Generics.dll")).unwrap();
    let header = |name: &[u8]| {
        let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
        (at - 8, bytes[at - 8..at].to_vec())
    };
    let (_, strings) = header(b"#Strings\0");
    let (blobs, _) = header(b"#Blob\0");
    bytes[blobs..blobs + 8].copy_from_slice(&strings);
    let broken = Assembly::from_bytes("/nowhere/X.dll", bytes.clone()).unwrap();
    assert!(broken.find_type("Generics.Box`1").is_some());
    assert!(!broken.verify().is_empty());
    ask_assembly(&broken);
    // One that reaches beyond the metadata is refused with its place.
    bytes[blobs + 4..blobs + 8].copy_from_slice(&u32::MAX.to_le_bytes());
    let message = Assembly::from_bytes("/nowhere/X.dll", bytes).unwrap_err().to_string();
    assert!(message.contains(&format!("a stream is outside the metadata at offset 0x{blobs:x}")), "{message}");
}

#[test]
fn names_that_would_act_on_a_terminal_are_escaped() {
    // The right-to-left override takes three bytes.
    let broken = patched(b"Describe\0", b"\x1b[2J\n\xe2\x80\xae\0");
    let methods = broken.types().flat_map(|type_| type_.methods().collect::<Vec<_>>());
    let named: Vec<_> = methods.filter(|&method| broken.method(method).name().starts_with('\x1b')).collect();
    assert!(!named.is_empty());
    for method in named {
        let text = broken.method(method).declaration(NameStyle::Short).unwrap();
        assert!(text.contains("\\u001b[2J\\u000a\\u202e"), "{text}");
    }
    // No text at all: one replacement character, and everything else as it was.
    let broken = patched(b"Describe\0", b"\xff\xfe\xfdribe\0");
    let methods = broken.types().flat_map(|type_| type_.methods().collect::<Vec<_>>());
    assert!(methods.into_iter().any(|method| broken.method(method).name() == "\u{fffd}"));
    ask_assembly(&broken);
}

#[test]
fn obfuscated_names_stay_apart_by_their_rows() {
    // Two types of one name: the first is found, both are reported.
    let broken = patched(b"Square\0", b"Money\0\0");
    let named = broken.types().filter(|type_| type_.full_name() == "Generics.Money");
    let found: Vec<_> = named.map(|type_| type_.id()).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(broken.find_type("Generics.Money"), Some(found[0]));
    assert_eq!(broken.find_types_by_short_name("Money"), found);
}

#[test]
fn a_type_that_is_its_own_base_ends() {
    let intact = super::fixture("Generics");
    let square = intact.find_type("Generics.Square").unwrap();
    let cell = |column| intact.metadata().cell(square.row(), column).unwrap();
    // Flags, name, namespace, then the base: TypeDefOrRef with the tag of a TypeDef.
    let mut found = cell(col::TypeDef::Flags).to_le_bytes().to_vec();
    for value in [cell(col::TypeDef::Name), cell(col::TypeDef::Namespace), cell(col::TypeDef::Extends)] {
        found.extend((value as u16).to_le_bytes());
    }
    let mut replacement = found.clone();
    replacement[8..].copy_from_slice(&((square.row() << 2) as u16).to_le_bytes());
    let broken = patched(&found, &replacement);
    assert_eq!(broken.type_(square).base().unwrap().full_name, "Generics.Square");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Generics.dll");
    std::fs::write(&path, broken.metadata().bytes()).unwrap();
    let universe = clr_metadata::TypeUniverse::new();
    universe.add(path, true);
    assert_eq!(universe.base_chain("Generics.Square"), ["Generics.Square"]);
    ask_assembly(&broken);
}

/// Case 934,405 of a million of `scripts/fuzz`: closures that refer to each other by several fields took two minutes.
#[test]
fn closures_in_circles_are_followed_only_so_far() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/damaged/circular-closures.dll");
    let assembly = Assembly::open(file).unwrap();
    let most =
        assembly.metadata().rows(Table::MethodDef).map(|row| assembly.variables_at(MethodId(row), 0).len()).max();
    assert!(most.unwrap() < 100, "{most:?}");
    ask_assembly(&assembly);
}
