//! From the file to what the placing needs: sizes of field types, through bases and nested structs, across assemblies.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::placing::{Need, NeedKind, Placed, auto, explicit, sequential};
use super::{LayoutError, PlacedField, Placement};
use crate::assembly::Assembly;
use crate::schema::col;
use crate::signatures::{Primitive, TypeName, TypeSig};
use crate::tokens::TypeId;
use crate::types::{Field, TypeView};
use crate::universe::TypeUniverse;

/// Structs within structs, and bases: deeper is a circle.
const MAX_DEPTH: u32 = 64;
/// Fields of one answer, those of nested structs too; the runtime takes as many for one type.
const MAX_FIELDS: usize = 65_535;

const POINTER: u32 = 8;

/// A type as a base or a field.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) placement: Placement,
    pub(super) is_value_type: bool,
    pub(super) bytes: u32,
    pub(super) alignment: u32,
    pub(super) has_references: bool,
    /// The layout hangs on this assembly alone, bases and nested structs included; `None`: on several.
    pub(super) home: Option<PathBuf>,
    pub(super) fields: Vec<PlacedField>,
}

pub(super) struct Reading<'a> {
    pub(super) universe: &'a TypeUniverse,
    /// Structs that were measured already, less their fields.
    pub(super) known: HashMap<TypeName, Read>,
    pub(super) fields: usize,
    pub(super) estimated: Vec<String>,
}

impl Reading<'_> {
    /// Which arguments are value types, people do not say, and often no namespaces either.
    pub(super) fn settled(
        &self,
        of: &TypeView<'_>,
        from: &Arc<Assembly>,
        argument: &TypeSig,
    ) -> Result<TypeSig, LayoutError> {
        let inner = |inner: &TypeSig| self.settled(of, from, inner).map(Box::new);
        Ok(match argument {
            TypeSig::Named(name) => {
                let (assembly, id) = match self.meant(from, name) {
                    Ok(found) => found,
                    Err(error) => {
                        let own = of.type_parameters().iter().position(|parameter| *parameter == name.full_name);
                        let own = own.and_then(|number| u32::try_from(number).ok());
                        return own.map(TypeSig::TypeParameter).ok_or(error);
                    }
                };
                let view = assembly.type_(id);
                let arguments = name.arguments.iter().map(|argument| self.settled(of, from, argument));
                TypeSig::Named(TypeName {
                    full_name: view.full_name(),
                    arguments: arguments.collect::<Result<_, _>>()?,
                    is_value_type: view.is_value_type(),
                })
            }
            TypeSig::Array(element) => TypeSig::Array(inner(element)?),
            TypeSig::MultiArray { element, shape } => {
                TypeSig::MultiArray { element: inner(element)?, shape: shape.clone() }
            }
            other => other.clone(),
        })
    }

    fn meant(&self, from: &Arc<Assembly>, name: &TypeName) -> Result<(Arc<Assembly>, TypeId), LayoutError> {
        if let Some(found) = self.universe.resolve(from, &name.full_name) {
            return Ok(found);
        }
        let found = self.universe.types_called(name);
        let mut names: Vec<String> = found.iter().map(|(assembly, id)| assembly.type_(*id).source_name()).collect();
        names.sort();
        names.dedup();
        let text = || TypeSig::Named(name.clone()).to_string();
        match found.into_iter().next() {
            Some(first) if names.len() == 1 => Ok(first),
            Some(_) => Err(LayoutError::AmbiguousArgument(text(), names)),
            None => Err(LayoutError::UnknownArgument(text())),
        }
    }

    pub(super) fn type_(
        &mut self,
        assembly: &Arc<Assembly>,
        id: TypeId,
        name: &TypeName,
        depth: u32,
    ) -> Result<Read, LayoutError> {
        if depth > MAX_DEPTH {
            return Err(LayoutError::Circle(name.full_name.clone()));
        }
        let view = assembly.type_(id);
        let is_value_type = view.is_value_type();
        let base = if is_value_type { None } else { self.base(assembly, &view, name, depth)? };
        let start = base.as_ref().map_or(0, |base| start_behind(assembly, base));
        let mut home = Some(assembly.path().to_owned());
        if base.as_ref().is_some_and(|base| base.home != home) {
            home = None;
        }
        let mut fields: Vec<Field> = view.fields();
        fields.retain(|field| !field.is_static);
        self.fields += fields.len();
        if self.fields > MAX_FIELDS {
            return Err(LayoutError::TooLarge(name.full_name.clone()));
        }
        let types: Vec<TypeSig> = fields.iter().map(|field| field.type_.substitute(&name.arguments, &[])).collect();
        let mut needs = Vec::with_capacity(fields.len());
        let mut is_sequential =
            base.as_ref().is_none_or(|base| base.placement == Placement::Sequential || base.bytes == 0);
        for type_ in &types {
            let Needed { need, keeps_order, elsewhere } = self.need(assembly, type_, depth)?;
            is_sequential &= keeps_order;
            home = home.filter(|_| !elsewhere);
            needs.push(need);
        }
        let too_large = || LayoutError::TooLarge(name.full_name.clone());
        let (packing, size) = class_layout(&view);
        let (placement, mut placed) = match view.flags() & 0x18 {
            0x10 => {
                let offsets = offsets(&view, &fields, name)?;
                let needs: Vec<(Need, u32)> = needs.iter().copied().zip(offsets).collect();
                (Placement::Explicit, explicit(&needs, start, packing, size, is_value_type).ok_or_else(too_large)?)
            }
            0x08 if is_sequential => {
                let placed = sequential(&needs, start, packing, size, is_value_type).ok_or_else(too_large)?;
                (Placement::Sequential, placed)
            }
            _ => (Placement::Auto, auto(&needs, start, is_value_type).ok_or_else(too_large)?),
        };
        let elements = view.inline_array_length();
        if let Some(length) = elements {
            placed.bytes = placed.bytes.checked_mul(length).filter(|bytes| *bytes < 1 << 27).ok_or_else(too_large)?;
        }
        self.special(&name.full_name, &mut placed);
        let names = view.parameter_names(None);
        let has_own_references = needs.iter().any(|need| need.has_references());
        let mut all = base.map_or_else(Vec::new, |base| base.fields);
        let own = fields.into_iter().zip(types).zip(needs.iter().zip(&placed.offsets));
        all.extend(own.map(|((field, type_), (need, offset))| PlacedField {
            offset: *offset,
            size: need.size * elements.unwrap_or(1),
            elements,
            name: field.backing_of.unwrap_or(field.name),
            type_text: type_.short_with(&names),
            declaring_type: name.full_name.clone(),
        }));
        Ok(Read {
            placement,
            is_value_type,
            bytes: placed.bytes,
            alignment: placed.alignment,
            has_references: has_own_references,
            home,
            fields: all,
        })
    }

    fn base(
        &mut self,
        assembly: &Arc<Assembly>,
        view: &TypeView<'_>,
        name: &TypeName,
        depth: u32,
    ) -> Result<Option<Read>, LayoutError> {
        // An object alone has no fields.
        let Some(base) = view.base().filter(|base| base.full_name != "System.Object") else { return Ok(None) };
        let base = match TypeSig::Named(base.clone()).substitute(&name.arguments, &[]) {
            TypeSig::Named(base) => base,
            _ => base,
        };
        match self.universe.resolve(assembly, &base.full_name) {
            Some((assembly, id)) => self.type_(&assembly, id, &base, depth + 1).map(Some),
            None => {
                self.estimated.push(format!("the base type {} is unknown: its fields are missing", base.full_name));
                Ok(None)
            }
        }
    }

    fn need(&mut self, from: &Arc<Assembly>, type_: &TypeSig, depth: u32) -> Result<Needed, LayoutError> {
        let reference = Needed::new(POINTER, POINTER, NeedKind::Reference);
        let number = |size| Needed::new(size, size, NeedKind::Primitive);
        Ok(match type_ {
            TypeSig::Modified { inner, .. } | TypeSig::Pinned(inner) => return self.need(from, inner, depth),
            TypeSig::Primitive(primitive) => match size_of(*primitive) {
                Some(size) => number(size),
                None if *primitive == Primitive::TypedReference => {
                    Needed::new(2 * POINTER, POINTER, NeedKind::Struct { has_references: true })
                }
                None => reference,
            },
            // A reference to a variable lives on the stack only: nothing in the heap moves for it.
            TypeSig::Pointer(_) | TypeSig::FunctionPointer(_) | TypeSig::ByRef(_) => number(POINTER),
            TypeSig::Named(name) if name.is_value_type => return self.value(from, name, depth),
            TypeSig::TypeParameter(_) | TypeSig::MethodParameter(_) => {
                self.estimated
                    .push("a type parameter is assumed to be a reference: pass type arguments, as in Box<int>".into());
                reference
            }
            _ => reference,
        })
    }

    fn value(&mut self, from: &Arc<Assembly>, name: &TypeName, depth: u32) -> Result<Needed, LayoutError> {
        let Some((assembly, id)) = self.universe.resolve(from, &name.full_name) else {
            self.estimated.push(format!("{} is unknown: assumed to be 8 bytes", name.full_name));
            return Ok(Needed::new(POINTER, POINTER, NeedKind::Primitive));
        };
        let view = assembly.type_(id);
        if let Some(size) = view.enum_underlying().filter(|_| view.is_enum()).and_then(size_of) {
            return Ok(Needed::new(size, size, NeedKind::Primitive));
        }
        let read = match self.known.get(name) {
            Some(read) => read.clone(),
            None => {
                let read = Read { fields: Vec::new(), ..self.type_(&assembly, id, name, depth + 1)? };
                self.known.insert(name.clone(), read.clone());
                read
            }
        };
        let kind = NeedKind::Struct { has_references: read.has_references };
        let elsewhere = read.home.as_deref() != Some(from.path());
        Ok(Needed { elsewhere, ..Needed::new(read.bytes, read.alignment, kind) })
    }

    /// Types that the runtime knows by name.
    fn special(&mut self, full_name: &str, placed: &mut Placed) {
        match full_name {
            "System.Int128" | "System.UInt128" | "System.Runtime.Intrinsics.Vector128`1" => placed.alignment = 16,
            "System.Runtime.Intrinsics.Vector256`1" => placed.alignment = 32,
            "System.Runtime.Intrinsics.Vector512`1" => placed.alignment = 64,
            "System.Numerics.Vector`1" => {
                self.estimated.push("Vector<T> is as large as the processor's vectors".into())
            }
            "System.String" => self.estimated.push("a string stores its characters after the last field".into()),
            "System.Array" => self.estimated.push("an array stores its elements after the last field".into()),
            _ => {}
        }
    }
}

/// What a field takes, and what it means for the type around it.
struct Needed {
    need: Need,
    /// A struct around it can keep its fields in order: it has no references.
    keeps_order: bool,
    /// A struct whose layout hangs on another assembly.
    elsewhere: bool,
}

impl Needed {
    fn new(size: u32, alignment: u32, kind: NeedKind) -> Self {
        let need = Need { size, alignment, kind };
        Self { need, keeps_order: !need.has_references(), elsewhere: false }
    }
}

/// Precompiled code must survive a base that changes with another assembly: fields then begin at the next pointer
/// (`NeedsAlignedBaseOffset`).
fn start_behind(assembly: &Assembly, base: &Read) -> u32 {
    if assembly.is_ready_to_run() && base.home.as_deref() != Some(assembly.path()) {
        base.bytes.next_multiple_of(POINTER)
    } else {
        base.bytes
    }
}

/// Of a number; `None` for references.
pub(super) fn size_of(primitive: Primitive) -> Option<u32> {
    Some(match primitive {
        Primitive::Boolean | Primitive::I1 | Primitive::U1 => 1,
        Primitive::Char | Primitive::I2 | Primitive::U2 => 2,
        Primitive::I4 | Primitive::U4 | Primitive::R4 => 4,
        Primitive::I8 | Primitive::U8 | Primitive::R8 | Primitive::IntPtr | Primitive::UIntPtr => 8,
        Primitive::Void | Primitive::String | Primitive::Object | Primitive::TypedReference => return None,
    })
}

/// Packing and size that source asks for; 0 = none (ECMA-335 II.22.8).
pub(super) fn class_layout(view: &TypeView<'_>) -> (u32, u32) {
    let metadata = view.assembly().metadata();
    let row = metadata.rows_of(col::ClassLayout::Parent, view.id().token()).next();
    let cell = row.map(|row| {
        (metadata.cell(row, col::ClassLayout::PackingSize), metadata.cell(row, col::ClassLayout::ClassSize))
    });
    cell.map_or((0, 0), |(packing, size)| (packing.unwrap_or(0), size.unwrap_or(0)))
}

/// ECMA-335 II.22.16.
fn offsets(view: &TypeView<'_>, fields: &[Field], name: &TypeName) -> Result<Vec<u32>, LayoutError> {
    let metadata = view.assembly().metadata();
    let offset = |field: &Field| {
        let row = metadata.rows_of(col::FieldLayout::Field, field.id.token()).next()?;
        metadata.cell(row, col::FieldLayout::Offset).ok()
    };
    let missing = |field: &Field| LayoutError::NoOffset(name.full_name.clone(), field.name.clone());
    fields.iter().map(|field| offset(field).ok_or_else(|| missing(field))).collect()
}
