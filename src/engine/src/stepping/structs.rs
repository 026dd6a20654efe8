//! A struct that a call has just returned, from where the calling convention of x64 (System V) has it: up to 16 bytes are in one or two
//! registers.
//!
//! What is not certain is not read: fields that overlap, bytes that belong to no field (inline arrays), vectors, and what is larger.

use clr_metadata::{FieldId, Primitive, Token};

use crate::com::{self, Interface as _, ReturnRegisters, TypeId, element};
use crate::stopped::Stopped;
use crate::types;
use crate::values::{Scalar, Value, members, of_bits};

/// Structs within structs; real ones stay far below.
const DEPTH: u32 = 16;
/// Their types are in registers of their own.
const OF_VECTORS: [&str; 2] = ["System.Numerics", "System.Runtime.Intrinsics"];
/// What one register holds.
const WORD: u32 = 8;

/// A struct as it was returned.
pub struct Struct {
    pub bytes: Vec<u8>,
    pub text: String,
}

struct Layout {
    size: u32,
    align: u32,
    shape: Shape,
}

enum Shape {
    Number(Primitive),
    Reference,
    Struct { type_: Option<com::Type>, fields: Vec<Field> },
}

struct Field {
    name: String,
    offset: u32,
    layout: Layout,
}

impl Field {
    /// Its bytes within those of the struct.
    fn of<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        bytes.get(self.offset as usize..)?.get(..self.layout.size as usize)
    }
}

/// `like` has its type.
pub fn returned(like: &Value<'_>, thread: u32) -> Option<Struct> {
    let stopped = like.stopped();
    let process = stopped.target().process().ok()?;
    let reader = Reader { stopped, process: process.cast().ok()? };
    let id = like.type_().ok()?.cast::<com::Type2>().ok()?.id().ok()?;
    let layout = reader.layout(id, element::VALUETYPE, DEPTH)?;
    if like.com().size().ok()? != layout.size {
        return None;
    }
    let registers = process.return_registers(thread).ok()?;
    let bytes = in_registers(&classes(&layout)?, layout.size, &registers);
    let text = reader.text(&layout, &bytes, false)?;
    Some(Struct { bytes, text })
}

/// Which kind of register a word is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer,
    Float,
}

/// Those of the words; `None` for a struct that is in memory.
fn classes(layout: &Layout) -> Option<Vec<Class>> {
    let mut words = vec![None; layout.size.div_ceil(WORD) as usize];
    if words.len() > 2 {
        return None;
    }
    classify(layout, 0, &mut words);
    words.into_iter().collect()
}

fn classify(layout: &Layout, at: u32, words: &mut [Option<Class>]) {
    let class = match &layout.shape {
        Shape::Number(Primitive::R4 | Primitive::R8) => Class::Float,
        Shape::Number(_) | Shape::Reference => Class::Integer,
        Shape::Struct { fields, .. } => {
            return fields.iter().for_each(|field| classify(&field.layout, at + field.offset, words));
        }
    };
    if let Some(word) = words.get_mut((at / WORD) as usize)
        && *word != Some(Class::Integer)
    {
        *word = Some(class);
    }
}

fn in_registers(classes: &[Class], size: u32, registers: &ReturnRegisters) -> Vec<u8> {
    let (mut integers, mut floats) = (registers.integers.iter(), registers.floats.iter());
    let mut bytes = Vec::new();
    for class in classes {
        let word = match class {
            Class::Integer => integers.next(),
            Class::Float => floats.next(),
        };
        bytes.extend(word.copied().unwrap_or_default().to_le_bytes());
    }
    bytes.truncate(size as usize);
    bytes
}

struct Reader<'s> {
    stopped: &'s Stopped,
    process: com::Process5,
}

impl Reader<'_> {
    fn layout(&self, id: TypeId, kind: u32, depth: u32) -> Option<Layout> {
        let plain = |size, shape| Some(Layout { size, align: size, shape });
        match kind {
            element::VALUETYPE => self.layout_of_struct(id, depth.checked_sub(1)?),
            element::CLASS | element::OBJECT | element::STRING | element::ARRAY | element::SZARRAY => {
                plain(WORD, Shape::Reference)
            }
            _ => {
                let primitive = u8::try_from(kind).ok().and_then(Primitive::from_code)?;
                plain(size(primitive)?, Shape::Number(primitive))
            }
        }
    }

    fn layout_of_struct(&self, id: TypeId, depth: u32) -> Option<Layout> {
        let type_ = self.process.type_of(id).ok()?;
        let definition = types::definition(self.stopped.target(), &type_)?;
        if OF_VECTORS.contains(&definition.view().namespace()) {
            return None;
        }
        let names = members(&definition);
        let count = self.process.type_layout(id).ok()?.fields;
        let mut fields = Vec::new();
        for field in self.process.type_fields(id, count).ok()? {
            let id = FieldId::from_token(Token(field.token))?;
            let name = names.iter().find(|member| member.id == id)?.name.clone();
            fields.push(Field { name, offset: field.offset, layout: self.layout(field.type_, field.kind, depth)? });
        }
        laid_out(Some(type_), fields)
    }

    /// `is_part`: of another struct, where no type stands beside it.
    fn text(&self, layout: &Layout, bytes: &[u8], is_part: bool) -> Option<String> {
        let (type_, fields) = match &layout.shape {
            Shape::Number(primitive) => {
                let scalar = of_bits(*primitive, word(bytes)?)?;
                return Some(if is_part { literal(&scalar) } else { scalar.to_string() });
            }
            Shape::Reference => return self.object(word(bytes)?),
            Shape::Struct { type_, fields } => (type_.as_ref()?, fields),
        };
        let named = |name: &str| fields.iter().find(|field| field.name == name);
        let number = |name: &str| named(name).and_then(|field| integer(&field.layout, field.of(bytes)?));
        let definition = types::definition(self.stopped.target(), type_)?;
        if definition.view().is_enum() {
            return Some(Scalar::Enum(definition, number("value__")?).to_string());
        }
        if definition.is("System.Decimal") {
            let scalar = Scalar::decimal(number("_flags")?, number("_hi32")?, number("_lo64")?);
            return Some(if is_part { literal(&scalar) } else { scalar.to_string() });
        }
        if definition.is("System.Nullable`1") {
            let (has_value, value) = (named("hasValue")?.of(bytes)?, named("value")?);
            let text = || self.text(&value.layout, value.of(bytes)?, is_part);
            return if has_value == [0] { Some("null".into()) } else { text() };
        }
        let is_tuple = definition.view().full_name().starts_with("System.ValueTuple`");
        let mut parts = Vec::new();
        let mut in_order: Vec<&Field> = fields.iter().collect();
        let declared = members(&definition);
        in_order.sort_by_key(|field| declared.iter().position(|member| member.name == field.name));
        for field in in_order {
            let text = self.text(&field.layout, field.of(bytes)?, true)?;
            parts.push(if is_tuple { text } else { format!("{}={text}", field.name) });
        }
        let parts = parts.join(", ");
        Some(if is_tuple { format!("({parts})") } else { format!("{{{parts}}}") })
    }

    fn object(&self, address: u64) -> Option<String> {
        if address == 0 {
            return Some("null".into());
        }
        // the runtime hands out a string, or an array, as one only through a reference
        let handle =
            self.process.object(address).ok()?.cast::<com::HeapValue2>().ok()?.create_handle(com::WEAK).ok()?;
        let text = self.stopped.value(handle.cast().ok()?).show().text;
        if let Ok(handle) = handle.cast::<com::HandleValue>() {
            let _ = handle.dispose();
        }
        Some(text)
    }
}

/// A number as C# writes it.
fn literal(scalar: &Scalar) -> String {
    let text = scalar.to_string();
    let is_finite = text.ends_with(|c: char| c.is_ascii_digit());
    match scalar {
        Scalar::Int(Primitive::I8, _) => text + "L",
        Scalar::Int(Primitive::U4, _) => text + "U",
        Scalar::Int(Primitive::U8, _) => text + "UL",
        Scalar::Decimal(_) => text + "m",
        Scalar::Single(_) if is_finite => text + "f",
        Scalar::Double(_) if is_finite && !text.contains(['.', 'E', 'e']) => text + ".0",
        // `120 'x'`
        Scalar::Char(_) => text.split_once(' ').map_or(text.clone(), |(_, quoted)| quoted.to_owned()),
        _ => text,
    }
}

/// A struct of these fields, if they lie where fields with those sizes lie.
fn laid_out(type_: Option<com::Type>, mut fields: Vec<Field>) -> Option<Layout> {
    fields.sort_by_key(|field| field.offset);
    let (mut end, mut align) = (0_u32, 1_u32);
    for field in &fields {
        if field.offset != end.next_multiple_of(field.layout.align) {
            return None;
        }
        end = field.offset.checked_add(field.layout.size)?;
        align = align.max(field.layout.align);
    }
    Some(Layout { size: end.next_multiple_of(align), align, shape: Shape::Struct { type_, fields } })
}

fn size(primitive: Primitive) -> Option<u32> {
    use Primitive::*;
    Some(match primitive {
        Boolean | I1 | U1 => 1,
        Char | I2 | U2 => 2,
        I4 | U4 | R4 => 4,
        I8 | U8 | R8 | IntPtr | UIntPtr => 8,
        Void | String | TypedReference | Object => return None,
    })
}

/// Up to a word.
fn word(bytes: &[u8]) -> Option<u64> {
    let mut word = [0; WORD as usize];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(word))
}

fn integer(layout: &Layout, bytes: &[u8]) -> Option<i128> {
    let Shape::Number(primitive) = layout.shape else { return None };
    match of_bits(primitive, word(bytes)?)? {
        Scalar::Int(_, number) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(primitive: Primitive) -> Layout {
        let size = size(primitive).unwrap();
        Layout { size, align: size, shape: Shape::Number(primitive) }
    }

    fn made_of(fields: Vec<(u32, Layout)>) -> Option<Layout> {
        laid_out(
            None,
            fields.into_iter().map(|(offset, layout)| Field { name: String::new(), offset, layout }).collect(),
        )
    }

    #[test]
    fn words_are_in_registers_by_what_is_in_them() {
        use Class::{Float, Integer};
        use Primitive::*;
        let pair = |one, other| made_of(vec![(0, number(one)), (8, number(other))]).unwrap();
        for (layout, size, expected) in [
            (pair(I8, R8), 16, Some(vec![Integer, Float])),
            (pair(R8, R8), 16, Some(vec![Float, Float])),
            (made_of(vec![(0, number(R4)), (4, number(I4))]).unwrap(), 8, Some(vec![Integer])),
            (made_of(vec![(0, number(R4)), (4, number(R4)), (8, number(R4))]).unwrap(), 12, Some(vec![Float, Float])),
            (made_of(vec![(0, number(Boolean)), (8, pair(I4, R8))]).unwrap(), 24, None),
        ] {
            assert_eq!((layout.size, classes(&layout)), (size, expected));
        }
        let registers = ReturnRegisters { integers: [1, 2], floats: [3, 4] };
        let bytes = in_registers(&[Float, Integer], 12, &registers);
        assert_eq!(bytes, [3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn numbers_are_written_as_in_csharp() {
        for (scalar, expected) in [
            (Scalar::Int(Primitive::I4, 1), "1"),
            (Scalar::Int(Primitive::I8, -1), "-1L"),
            (Scalar::Double(2.0), "2.0"),
            (Scalar::Double(f64::NAN), "NaN"),
            (Scalar::Single(0.5), "0.5f"),
            (Scalar::Char(120), "'x'"),
            (Scalar::Char(32), "' '"),
        ] {
            assert_eq!(literal(&scalar), expected);
        }
    }

    #[test]
    fn what_overlaps_or_is_not_explained_is_not_read() {
        use Primitive::*;
        for fields in
            [vec![(0, number(I4)), (0, number(R4))], vec![(0, number(U1)), (1, number(I4))], vec![(4, number(I4))]]
        {
            assert!(made_of(fields).is_none());
        }
        assert_eq!(made_of(vec![(8, number(U1)), (0, number(I8))]).unwrap().size, 16);
    }
}
