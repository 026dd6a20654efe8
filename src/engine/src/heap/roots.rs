//! What keeps objects alive by itself: static fields, variables of stack frames, handles, stack memory, literals in code.

use std::borrow::Cow;

use clr_metadata::{FieldId, Primitive, TypeSig};

use super::graph::Graph;
use super::{Cut, Heap, HeapError, Pace, stacks};
use crate::com::{self, Interface as _, element, handle_kind, region};
use crate::evaluate::variables;
use crate::modules::Module;
use crate::values::{Place, Root as PlaceRoot};

/// A root, and the object that it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// `static Shop.Clock.s_timer`, `handle`.
    pub name: Cow<'static, str>,
    pub address: u64,
    /// A root that explains more comes first: one of the source, a handle, stack memory, code.
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

/// Frames of a thread whose variables are read, the innermost; what others hold counts as stack memory.
const FRAMES: usize = 500;

const STATIC: u32 = 0x10;
const LITERAL: u32 = 0x40;

impl Heap<'_> {
    /// # Errors
    /// [`HeapError`]
    pub fn roots(&self, graph: &Graph, pace: Pace<'_>) -> Result<Roots, HeapError> {
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
        self.handles(&mut roots)?;
        self.stacks(graph, &mut roots.list);
        self.frozen(graph, &mut roots)?;
        self.storage(graph, &mut roots.list);
        roots.list.sort_by_key(|root| root.rank);
        Ok(roots)
    }

    /// Objects that are never collected: code refers to them.
    fn frozen(&self, graph: &Graph, roots: &mut Roots) -> Result<(), HeapError> {
        let regions = self.process.heap_regions()?.all()?;
        for frozen in regions.iter().filter(|it| it.generation == region::FROZEN) {
            let root = |address| Root { name: "literal or other frozen object".into(), address, rank: 3 };
            roots.list.extend(graph.within(frozen.start, frozen.end).iter().map(|found| root(found.address)));
        }
        Ok(())
    }

    /// .NET 9 and later keep what is static for a thread in arrays that only its own memory refers to. Nothing distinguishes them from others, so
    /// an array of that type is not taken for garbage.
    fn storage(&self, graph: &Graph, roots: &mut Vec<Root>) {
        let is_storage: Vec<bool> =
            (0..self.types.count()).map(|type_| &*self.types.name(type_ as u32) == "object[]").collect();
        let of_type = graph.objects.iter().filter(|found| is_storage.get(found.type_ as usize) == Some(&true));
        let root = |address| Root { name: "object[] (possibly thread-static storage)".into(), address, rank: 4 };
        roots.extend(of_type.map(|found| root(found.address)));
    }

    fn handles(&self, roots: &mut Roots) -> Result<(), HeapError> {
        let kinds = [
            (handle_kind::STRONG | handle_kind::SIZED, "handle"),
            (handle_kind::PINNED | handle_kind::ASYNC_PINNED, "pinned handle"),
            (handle_kind::REF_COUNTED, "reference-counted handle"),
        ];
        let all = kinds.iter().fold(handle_kind::DEPENDENT, |all, (kind, _)| all | kind);
        let handles = self.process.handles(all)?;
        loop {
            let some = handles.next()?;
            if some.is_empty() {
                return Ok(());
            }
            for handle in some {
                if handle.kind == handle_kind::DEPENDENT {
                    roots.dependent.push((handle.address, handle.extra));
                } else if let Some((_, name)) = kinds.iter().find(|(kind, _)| kind & handle.kind != 0) {
                    roots.list.push(Root { name: (*name).into(), address: handle.address, rank: 1 });
                }
            }
        }
    }

    fn stacks(&self, graph: &Graph, roots: &mut Vec<Root>) {
        for thread in self.stopped.threads().unwrap_or_default() {
            let name = format!("stack memory (thread {})", thread.id);
            let referred = stacks::referred(self.stopped.target().pid, thread.id, graph);
            roots.extend(referred.into_iter().map(|address| Root { name: name.clone().into(), address, rank: 2 }));
        }
    }

    /// Variables of all frames that hold objects.
    fn variables(&self, roots: &mut Vec<Root>) {
        for thread in self.stopped.threads().unwrap_or_default() {
            for frame in thread.stack().unwrap_or_default().into_iter().take(FRAMES) {
                for (name, place) in variables(self.stopped, thread.id, frame.index).unwrap_or_default() {
                    if let Some(address) = self.held(&place) {
                        let method = frame.name();
                        let method = method.split_once('(').map_or(method.as_str(), |(name, _)| name);
                        roots.push(Root {
                            name: format!("stack {method} {name} (thread {})", thread.id).into(),
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
        let threads = self.stopped.threads().unwrap_or_default();
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
                    Ok(value) => {
                        roots.extend(address(&value).map(|address| Root { name: name().into(), address, rank: 0 }))
                    }
                    // one for each thread
                    Err(com::HResult::INVALID_ARGUMENT) => {
                        for thread in &threads {
                            let root = PlaceRoot::Static { thread: thread.id, type_: type_.clone(), field };
                            let held = Place::of(root).read(self.stopped).ok().and_then(|value| address(value.com()));
                            let name = || format!("thread-{} (thread {})", name(), thread.id);
                            roots.extend(held.map(|address| Root { name: name().into(), address, rank: 0 }));
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
