//! Assemblies of kinds that no project builds by itself (`tests/data/parts`), and those that no C# compiler writes.

use clr_metadata::{Assembly, ExportPlace, MethodId, NameStyle, Table, col};

use super::{data, fixture};

#[test]
fn a_module_without_a_manifest_is_read() {
    let part = Assembly::open(data("Part.netmodule")).unwrap();
    assert_eq!(part.metadata().row_count(Table::Assembly), 0);
    assert_eq!(part.name(), "Part.netmodule");
    assert_eq!(part.verify(), []);
    assert!(!part.is_debug_build());
    let type_ = part.type_(part.find_type("Parts.Part").unwrap());
    assert_eq!(type_.declaration(NameStyle::Full), "public class Parts.Part");
}

#[test]
fn an_assembly_shows_the_types_of_its_other_modules() {
    let whole = fixture("Whole");
    let exported: Vec<_> = whole.exported_types().collect();
    assert_eq!(exported.len(), 1);
    assert_eq!(exported[0].full_name, "Parts.Part");
    assert_eq!(exported[0].place, ExportPlace::File("Part.netmodule".to_owned()));
    // It did not move to another assembly.
    assert_eq!(whole.forwarded_to("Parts.Part"), None);
    assert_eq!(whole.find_type("Parts.Part"), None);
    assert_eq!(whole.verify(), []);
}

#[test]
fn resources_alone_are_an_assembly_without_types() {
    let texts = fixture("Texts.resources");
    assert_eq!(texts.name(), "Texts.resources");
    assert_eq!(texts.types().map(|type_| type_.full_name()).collect::<Vec<_>>(), ["<Module>"]);
    let metadata = texts.metadata();
    assert_eq!(metadata.string(1, col::ManifestResource::Name), Ok("Texts"));
    assert_eq!(texts.verify(), []);
    assert!(texts.entry_point().is_none() && texts.pdb().is_none());
}

#[test]
fn an_image_of_64_bits_is_read_alike() {
    let wide = fixture("Wide");
    let part = Assembly::open(data("Part.netmodule")).unwrap();
    let declarations = |assembly: &Assembly| {
        let type_ = assembly.type_(assembly.find_type("Parts.Part").unwrap());
        type_.methods().map(|method| assembly.method(method).declaration(NameStyle::Full)).collect::<Vec<_>>()
    };
    assert_eq!(declarations(&wide), declarations(&part));
    assert_eq!(wide.verify(), []);
}

/// Offset of the CLR header: found by its size and version, 72 and 2.5.
fn clr_header(bytes: &[u8]) -> usize {
    let beginning = [72, 0, 0, 0, 2, 0, 5, 0];
    bytes.windows(8).position(|window| window == beginning).unwrap()
}

#[test]
fn native_code_of_a_mixed_assembly_is_no_il() {
    let intact = fixture("Basics");
    let method = intact.entry_point().unwrap();
    let mut bytes = std::fs::read(data("Basics.dll")).unwrap();
    // The method's code is native and unmanaged; the entry point is an address.
    let cell = |column| intact.metadata().cell(method.row(), column).unwrap();
    let row = [cell(col::MethodDef::Rva).to_le_bytes(), (cell(col::MethodDef::Flags) << 16).to_le_bytes()].concat();
    let at = bytes.windows(row.len()).position(|window| window == row).unwrap();
    bytes[at + 4] = 1 | 4;
    let flags = clr_header(&bytes) + 16;
    bytes[flags] = bytes[flags] & !1 | 0x10;
    let mixed = Assembly::from_bytes("/nowhere/Mixed.dll", bytes).unwrap();
    assert_eq!(mixed.entry_point(), None);
    assert_eq!(mixed.body(method).map(|body| body.is_some()), Ok(false));
    assert_eq!(intact.body(method).map(|body| body.is_some()), Ok(true));
    assert!(mixed.method(method).local_types().is_empty());
    assert_eq!(mixed.verify(), []);
}

#[test]
fn an_uncompressed_stream_without_order_reads_alike() {
    let intact = fixture("Oddities");
    let mut bytes = std::fs::read(data("Oddities.dll")).unwrap();
    let root = bytes.windows(4).position(|window| window == b"BSJB").unwrap();
    let name = root + bytes[root..].windows(4).position(|window| window == b"#~\0\0").unwrap();
    let stream = root + u32::from_le_bytes(bytes[name - 8..name - 4].try_into().unwrap()) as usize;
    bytes[name + 1] = b'-';
    // No table is sorted: all lookups must search.
    bytes[stream + 16..stream + 24].fill(0);
    let loose = Assembly::from_bytes(data("Oddities.dll"), bytes).unwrap();
    let all = |assembly: &Assembly| {
        let types = assembly.types().map(|type_| type_.declaration(NameStyle::Full));
        let methods = assembly.metadata().rows(Table::MethodDef).map(MethodId);
        let methods = methods.map(|method| assembly.method(method).declaration(NameStyle::Full).unwrap());
        types.chain(methods).collect::<Vec<_>>()
    };
    assert!(all(&intact).len() > 100);
    assert_eq!(all(&loose), all(&intact));
}

#[test]
fn a_pdb_is_known_by_its_checksum_too() {
    for name in super::FIXTURES {
        assert_eq!(fixture(name).pdb_is_intact(), Some(true), "{name}");
    }
    // The same id over other bytes: what rewrites a PDB leaves.
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(data("Basics.dll"), folder.path().join("Basics.dll")).unwrap();
    let mut bytes = std::fs::read(data("Basics.pdb")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(folder.path().join("Basics.pdb"), bytes).unwrap();
    let altered = Assembly::open(folder.path().join("Basics.dll")).unwrap();
    assert!(altered.pdb().is_some());
    assert_eq!(altered.pdb_is_intact(), Some(false));
}
