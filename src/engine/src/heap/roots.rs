//! What keeps objects alive by itself: static fields, variables of stack frames, handles, the finalizer queue.

use clr_metadata::{FieldId, Primitive, TypeSig};

use super::{Cut, Heap, HeapError, Pace};
use crate::com::{self, Interface as _, element, gc_reference};
use crate::evaluate::variables;
use crate::modules::Module;
use crate::values::{Place, Root as PlaceRoot};

/// A root, and the object that it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// `static Shop.Clock.s_timer`, `handle`.
    pub name: String,
    pub address: u64,
    /// A root that tells more comes first: one of the source, a handle, a register or stack slot, the finalizer queue.
    pub rank: u32,
}

#[derive(Default)]
pub struct Roots {
    /// Those with names of the source first.
    pub list: Vec<Root>,
    /// Key and value of each dependent handle.
    pub dependent: Vec<(u64, u64)>,
    pub cut: Option<Cut>,
}

const STATIC: u32 = 0x10;
const LITERAL: u32 = 0x40;

impl Heap<'_> {
    /// # Errors
    /// [`HeapError`]
    pub fn roots(&self, pace: Pace<'_>) -> Result<Roots, HeapError> {
        let mut roots = Roots::default();
        let modules = self.stopped.target().modules.all();
        let (own, others): (Vec<_>, Vec<_>) = modules.iter().partition(|module| !module.is_framework);
        for module in own {
            self.statics(module, &mut roots.list);
        }
        self.variables(&mut roots.list);
        for module in others {
            roots.cut = roots.cut.or_else(&mut *pace);
            if roots.cut.is_none() {
                self.statics(module, &mut roots.list);
            }
        }
        self.reported(&mut roots)?;
        Ok(roots)
    }

    /// What the runtime reports, without names.
    fn reported(&self, roots: &mut Roots) -> Result<(), HeapError> {
        let references = self.process.gc_references(false)?;
        while let Some(reference) = references.next()? {
            let (rank, name) = match reference.kind {
                gc_reference::DEPENDENT => {
                    roots.dependent.push((reference.address, reference.extra));
                    continue;
                }
                gc_reference::STRONG | gc_reference::SIZED => (1, "handle"),
                gc_reference::PINNED | gc_reference::ASYNC_PINNED => (1, "pinned handle"),
                gc_reference::REF_COUNTED => (1, "reference-counted handle"),
                gc_reference::STACK => (2, "stack"),
                gc_reference::FINALIZER => (3, "finalizer queue"),
                _ => continue,
            };
            roots.list.push(Root { name: name.into(), address: reference.address, rank });
        }
        roots.list.sort_by_key(|root| root.rank);
        Ok(())
    }

    /// Variables of all frames that hold objects.
    fn variables(&self, roots: &mut Vec<Root>) {
        for thread in self.stopped.threads().unwrap_or_default() {
            for frame in thread.stack().unwrap_or_default() {
                for (name, place) in variables(self.stopped, thread.id, frame.index).unwrap_or_default() {
                    if let Some(address) = self.held(&place) {
                        let method = frame.name();
                        let method = method.split_once('(').map_or(method.as_str(), |(name, _)| name);
                        roots.push(Root {
                            name: format!("stack {method} {name} (thread {})", thread.id),
                            address,
                            rank: 0,
                        });
                    }
                }
            }
        }
    }

    /// The object that a place refers to.
    fn held(&self, place: &Place) -> Option<u64> {
        let value = place.read(self.stopped).ok()?;
        let reference = value.com().cast::<com::ReferenceValue>().ok()?;
        if value.com().kind().is_ok_and(|kind| matches!(kind, element::PTR | element::FNPTR | element::BYREF)) {
            return None;
        }
        reference.target_address().ok().filter(|address| *address != 0)
    }

    /// Static fields of the types of a module, generic ones excepted, which the runtime does not list.
    fn statics(&self, module: &Module, roots: &mut Vec<Root>) {
        let Some(assembly) = module.assembly() else { return };
        let metadata = assembly.metadata();
        let threads = if module.is_framework { Vec::new() } else { self.stopped.threads().unwrap_or_default() };
        for view in assembly.types() {
            let id = view.id();
            if !view.type_parameters().is_empty() {
                continue;
            }
            let flags = |field: FieldId| metadata.cell(field.row(), clr_metadata::col::Field::Flags).unwrap_or(0);
            if !view.field_ids().any(|field| flags(field) & (STATIC | LITERAL) == STATIC) {
                continue;
            }
            let mut type_ = None;
            for declared in view.fields() {
                let field = declared.id;
                if flags(field) & (STATIC | LITERAL) != STATIC || !may_hold(&declared.type_) {
                    continue;
                }
                let type_ = type_.get_or_insert_with(|| {
                    let class: com::Class2 = module.class(id).ok()?.cast().ok()?;
                    class
                        .with_arguments(if view.is_value_type() { element::VALUETYPE } else { element::CLASS }, &[])
                        .ok()
                });
                let Some(type_) = type_ else { break };
                let name = || format!("static {}.{}", view.full_name().replace('+', "."), source_name(&declared.name));
                match type_.static_field(field.token().0, None) {
                    Ok(value) => roots.extend(address(&value).map(|address| Root { name: name(), address, rank: 0 })),
                    // one for each thread
                    Err(com::HResult::INVALID_ARGUMENT) => {
                        for thread in &threads {
                            let root = PlaceRoot::Static { thread: thread.id, type_: type_.clone(), field };
                            let held = Place::of(root).read(self.stopped).ok().and_then(|value| address(value.com()));
                            let name = || format!("thread-{} (thread {})", name(), thread.id);
                            roots.extend(held.map(|address| Root { name: name(), address, rank: 0 }));
                        }
                    }
                    Err(_) => {}
                }
            }
        }
    }
}

/// The object that a static field holds: of a struct the box that it is kept in.
fn address(value: &com::Value) -> Option<u64> {
    let address = match value.cast::<com::ReferenceValue>() {
        Ok(reference) => reference.target_address(),
        Err(_) => value.address(),
    };
    address.ok().filter(|address| *address != 0)
}

/// A number alone holds no object.
fn may_hold(type_: &TypeSig) -> bool {
    match type_ {
        TypeSig::Primitive(primitive) => matches!(primitive, Primitive::String | Primitive::Object),
        TypeSig::Pointer(_) | TypeSig::ByRef(_) => false,
        _ => true,
    }
}

fn source_name(name: &str) -> &str {
    use clr_metadata::names::{FieldOrigin, field_origin};
    match field_origin(name) {
        FieldOrigin::BackingOf(name) | FieldOrigin::PrimaryParameter(name) => name,
        _ => name,
    }
}
