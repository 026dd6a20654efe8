//! Custom attributes (ECMA-335 II.22.10, II.23.3): whose, of which type, with which fixed arguments.

use super::bytes::Reader;
use super::error::Flaw;
use super::schema::{Table, col};
use super::signatures::{Decoder, MethodSig, Primitive, TypeSig};
use super::tables::Metadata;
use super::tokens::Token;

/// On what source does not have.
pub(crate) const COMPILER_GENERATED: &str = "System.Runtime.CompilerServices.CompilerGeneratedAttribute";

/// One attribute on one owner; everything is read when asked for.
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    metadata: &'a Metadata,
    row: u32,
}

/// All that is written behind the name of an attribute.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttributeArguments {
    pub fixed: Vec<AttributeValue>,
    /// Fields and properties, in the order they were written.
    pub named: Vec<(String, AttributeValue)>,
}

/// A fixed argument of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    Bool(bool),
    Char(char),
    /// All integers; an enum's value too.
    Int(i128),
    Float(f64),
    /// `None` is null.
    String(Option<String>),
    /// The reflection name of a type: `Ns.Outer+Inner, Assembly`.
    Type(Option<String>),
    Array(Option<Vec<AttributeValue>>),
}

impl Metadata {
    /// The attributes of a type, method, field, property, parameter, the assembly or the module.
    pub fn attributes(&self, owner: impl Into<Token>) -> impl Iterator<Item = Attribute<'_>> {
        self.rows_of(col::CustomAttribute::Parent, owner.into()).map(|row| Attribute { metadata: self, row })
    }

    /// Every attribute of the file, in file order.
    pub fn all_attributes(&self) -> impl Iterator<Item = Attribute<'_>> {
        self.rows(Table::CustomAttribute).map(|row| Attribute { metadata: self, row })
    }

    /// `full_name` as in `System.FlagsAttribute`.
    pub fn attribute(&self, owner: impl Into<Token>, full_name: &str) -> Option<Attribute<'_>> {
        self.attributes(owner).find(|attribute| attribute.is(full_name))
    }

    pub fn has_attribute(&self, owner: impl Into<Token>, full_name: &str) -> bool {
        self.attribute(owner, full_name).is_some()
    }
}

impl<'a> Attribute<'a> {
    /// What it stands on.
    pub fn owner(&self) -> Result<Token, Flaw> {
        self.metadata.token(self.row, col::CustomAttribute::Parent)
    }

    /// The token of its type: a TypeRef, a TypeDef, or (generic attributes) a TypeSpec.
    pub fn type_token(&self) -> Result<Token, Flaw> {
        let constructor = self.constructor()?;
        match constructor.table() {
            Some(Table::MemberRef) => self.metadata.token(constructor.row(), col::MemberRef::Class),
            _ => self
                .metadata
                .owner(col::TypeDef::MethodList, constructor.row())
                .map(|row| Token::new(Table::TypeDef, row))
                .ok_or_else(|| {
                    Flaw::new(0, "an attribute's constructor has no type").in_row(Table::CustomAttribute, self.row)
                }),
        }
    }

    /// A MethodDef or MemberRef.
    pub fn constructor(&self) -> Result<Token, Flaw> {
        self.metadata.token(self.row, col::CustomAttribute::Type)
    }

    pub fn full_name(&self) -> Result<String, Flaw> {
        self.metadata.type_full_name(self.type_token()?)
    }

    pub fn is(&self, full_name: &str) -> bool {
        self.type_token().is_ok_and(|token| self.metadata.is_type(token, full_name))
    }

    /// The raw value, with its prolog.
    pub fn blob(&self) -> Result<Reader<'a>, Flaw> {
        self.metadata.blob(self.row, col::CustomAttribute::Value)
    }

    /// The arguments of the constructor. An enum of another file is taken for an `int`, which nearly all are;
    /// `decode` takes a function that knows better.
    pub fn arguments(&self) -> Result<Vec<AttributeValue>, Flaw> {
        self.read_fixed(&|_| None).map(|(arguments, _)| arguments)
    }

    /// The fields and properties that are set by name, in the order they were written.
    pub fn named_arguments(&self) -> Result<Vec<(String, AttributeValue)>, Flaw> {
        self.decode(&|_| None).map(|arguments| arguments.named)
    }

    /// The arguments of the constructor, and those set by name. `enums` knows the integer type of an enum that another file
    /// defines, by its metadata name.
    pub fn decode(&self, enums: &dyn Fn(&str) -> Option<Primitive>) -> Result<AttributeArguments, Flaw> {
        let (fixed, mut blob) = self.read_fixed(enums)?;
        let values = Values { metadata: self.metadata, enums };
        let count = blob.u16()?;
        let named: Result<_, Flaw> = (0..count)
            .map(|_| {
                let start = blob;
                if !matches!(blob.u8()?, 0x53 | 0x54) {
                    return Err(start.flaw("a named argument is neither a field nor a property"));
                }
                let type_ = ValueType::read(&mut blob, 0)?;
                let name = blob.ser_string()?.unwrap_or_default().to_owned();
                Ok((name, values.value(&type_, &mut blob, 0)?))
            })
            .collect();
        Ok(AttributeArguments { fixed, named: named? })
    }

    /// The constructor's arguments, and what follows them.
    fn read_fixed(&self, enums: &dyn Fn(&str) -> Option<Primitive>) -> Result<(Vec<AttributeValue>, Reader<'a>), Flaw> {
        let constructor = self.constructor()?;
        let signature = match constructor.table() {
            Some(Table::MemberRef) => self.metadata.blob(constructor.row(), col::MemberRef::Signature)?,
            _ => self.metadata.blob(constructor.row(), col::MethodDef::Signature)?,
        };
        let MethodSig { mut parameters, .. } = Decoder::new(self.metadata).method(signature)?;
        // Of `[Attribute<int>]`, a parameter may be a `T`.
        if parameters.iter().any(|parameter| matches!(parameter, TypeSig::TypeParameter(_) | TypeSig::Array(_)))
            && let Some(Table::TypeSpec) = self.type_token()?.table()
            && let TypeSig::Named(generic) = Decoder::new(self.metadata).token(self.type_token()?)?
        {
            parameters.iter_mut().for_each(|parameter| *parameter = parameter.substitute(&generic.arguments, &[]));
        }
        let mut blob = self.blob()?;
        if blob.u16()? != 1 {
            let flaw = blob.flaw("an attribute's value has no prolog");
            return Err(flaw.in_row(Table::CustomAttribute, self.row));
        }
        let values = Values { metadata: self.metadata, enums };
        let fixed = parameters.iter().map(|parameter| values.value(&ValueType::of(parameter), &mut blob, 0));
        let fixed = fixed.collect::<Result<_, _>>()?;
        Ok((fixed, blob))
    }

    pub(crate) fn int_argument(&self, index: usize) -> Option<i128> {
        match self.arguments().ok()?.get(index)? {
            AttributeValue::Int(value) => Some(*value),
            AttributeValue::Bool(value) => Some(i128::from(*value)),
            _ => None,
        }
    }
}

/// How a value is stored (FieldOrPropType, II.23.3).
enum ValueType {
    Primitive(Primitive),
    String,
    Type,
    /// By metadata name.
    Enum(String),
    /// An `object`: the value carries its own type.
    Boxed,
    Array(Box<ValueType>),
}

/// Deeper than `object[]` in `object` in an array nothing real goes.
const MAX_DEPTH: u32 = 8;

impl ValueType {
    /// As a constructor's parameter says.
    fn of(parameter: &TypeSig) -> Self {
        match parameter {
            TypeSig::Primitive(Primitive::String) => Self::String,
            TypeSig::Primitive(Primitive::Object) => Self::Boxed,
            TypeSig::Primitive(primitive) => Self::Primitive(*primitive),
            TypeSig::Named(name) if name.full_name == "System.Type" => Self::Type,
            TypeSig::Array(element) => Self::Array(Box::new(Self::of(element))),
            TypeSig::Named(name) => Self::Enum(name.full_name.clone()),
            _ => Self::Enum(String::new()),
        }
    }

    /// As the value itself says.
    fn read(blob: &mut Reader<'_>, depth: u32) -> Result<Self, Flaw> {
        let start = *blob;
        Ok(match blob.u8()? {
            0x0e => Self::String,
            0x50 => Self::Type,
            0x51 => Self::Boxed,
            0x55 => {
                // `Ns.Outer+Inner, Assembly`, with `\` before special characters.
                let name = blob.ser_string()?.unwrap_or_default();
                Self::Enum(name.split(',').next().unwrap_or_default().replace('\\', "").trim().to_owned())
            }
            0x1d if depth < MAX_DEPTH => Self::Array(Box::new(Self::read(blob, depth + 1)?)),
            code => match Primitive::from_code(code) {
                Some(primitive) => Self::Primitive(primitive),
                None => return Err(start.flaw("unknown type of an attribute's value")),
            },
        })
    }
}

/// Reads values; knows what is behind an enum.
struct Values<'a> {
    metadata: &'a Metadata,
    enums: &'a dyn Fn(&str) -> Option<Primitive>,
}

impl Values<'_> {
    fn value(&self, type_: &ValueType, blob: &mut Reader<'_>, depth: u32) -> Result<AttributeValue, Flaw> {
        if depth > MAX_DEPTH {
            return Err(blob.flaw("an attribute's value is nested too deeply"));
        }
        Ok(match type_ {
            ValueType::Primitive(primitive) => return constant(blob, *primitive),
            ValueType::String => AttributeValue::String(blob.ser_string()?.map(str::to_owned)),
            ValueType::Type => AttributeValue::Type(blob.ser_string()?.map(str::to_owned)),
            ValueType::Enum(name) => {
                let underlying = self.metadata.enum_type(name).or_else(|| (self.enums)(name));
                return constant(blob, underlying.unwrap_or(Primitive::I4));
            }
            ValueType::Boxed => return self.value(&ValueType::read(blob, depth)?, blob, depth + 1),
            ValueType::Array(element) => {
                let start = *blob;
                let count = blob.u32()?;
                if count == u32::MAX {
                    return Ok(AttributeValue::Array(None));
                }
                // Each element takes at least a byte.
                if count as usize > blob.remaining() {
                    return Err(start.flaw("an attribute declares more elements than it has"));
                }
                let elements = (0..count).map(|_| self.value(element, blob, depth + 1)).collect::<Result<_, _>>()?;
                AttributeValue::Array(Some(elements))
            }
        })
    }
}

/// A primitive value in little-endian bytes: attributes and constants alike.
pub(crate) fn constant(blob: &mut Reader<'_>, primitive: Primitive) -> Result<AttributeValue, Flaw> {
    use AttributeValue::{Bool, Char, Float, Int};
    Ok(match primitive {
        Primitive::Boolean => Bool(blob.u8()? != 0),
        Primitive::Char => Char(char::from_u32(u32::from(blob.u16()?)).unwrap_or('\u{fffd}')),
        Primitive::I1 => Int(i128::from(blob.u8()? as i8)),
        Primitive::U1 => Int(i128::from(blob.u8()?)),
        Primitive::I2 => Int(i128::from(blob.u16()? as i16)),
        Primitive::U2 => Int(i128::from(blob.u16()?)),
        Primitive::I4 => Int(i128::from(blob.i32()?)),
        Primitive::U4 => Int(i128::from(blob.u32()?)),
        Primitive::I8 => Int(i128::from(blob.u64()? as i64)),
        Primitive::U8 => Int(i128::from(blob.u64()?)),
        Primitive::R4 => Float(f64::from(f32::from_bits(blob.u32()?))),
        Primitive::R8 => Float(f64::from_bits(blob.u64()?)),
        _ => return Err(blob.flaw("a value of this type cannot be a constant")),
    })
}
