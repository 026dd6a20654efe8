//! What keeps objects alive by itself: static fields, variables of stack frames, handles, stack memory, literals in code.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use clr_metadata::{FieldId, Primitive, TypeSig, TypeView};

use super::graph::{Graph, Reached};
use super::own_handles::OwnHandles;
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
    /// Of a static field: where the runtime has its value, which is an element of an array of its own.
    pub slot: Option<u64>,
}

#[derive(Default)]
pub struct Roots {
    /// Those with names of the source first.
    pub list: Vec<Root>,
    /// Key and value of each dependent handle.
    pub dependent: Vec<(u64, u64)>,
    /// Thread and slot of each field that is static for a thread, and of which the thread has a value.
    of_threads: Vec<(u32, u64)>,
    pub cut: Option<Cut>,
}

impl Roots {
    /// The statics that hold an object, and the array of the runtime that each is in.
    pub fn statics<'r>(&'r self, graph: &'r Graph, object: u32) -> impl Iterator<Item = (&'r Root, u32)> {
        let of_object =
            self.list.iter().filter(move |root| root.slot.is_some() && graph.at(root.address) == Some(object));
        of_object.filter_map(|root| Some((root, graph.around(root.slot?)?)))
    }

    /// What is reached from them, and of each root that it may begin with the place in the list.
    pub fn reach(&self, graph: &Graph) -> (Vec<usize>, Reached) {
        let object = |(number, root): (usize, &Root)| Some((number, (root.rank, graph.around(root.address)?)));
        let (numbers, ranked): (Vec<_>, Vec<_>) = self.list.iter().enumerate().filter_map(object).unzip();
        let mut dependent: HashMap<u32, Vec<u32>> = HashMap::new();
        for (key, value) in &self.dependent {
            if let (Some(key), Some(value)) = (graph.at(*key), graph.at(*value)) {
                dependent.entry(key).or_default().push(value);
            }
        }
        (numbers, Reached::from(graph, &ranked, &dependent))
    }
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
            self.statics(module, &mut roots);
        }
        self.generic_statics(&mut roots);
        self.variables(&mut roots.list);
        for module in others {
            roots.cut = roots.cut.or_else(&mut *pace);
            if roots.cut.is_none() {
                self.statics(module, &mut roots);
            }
        }
        self.handles(&mut roots)?;
        self.stacks(graph, &mut roots.list);
        self.frozen(graph, &mut roots)?;
        self.storage(graph, &mut roots);
        roots.list.sort_by_key(|root| root.rank);
        Ok(roots)
    }

    /// Objects that are never collected: code refers to them.
    fn frozen(&self, graph: &Graph, roots: &mut Roots) -> Result<(), HeapError> {
        let regions = self.process.heap_regions()?.all()?;
        for frozen in regions.iter().filter(|it| it.generation == region::FROZEN) {
            let root = |address| Root { name: "literal or other frozen object".into(), address, rank: 3, slot: None };
            roots.list.extend(graph.within(frozen.start, frozen.end).iter().map(|found| root(found.address)));
        }
        Ok(())
    }

    /// .NET 9 and later keep what is static for a thread in arrays, one for each type, and those in another that only the thread's own
    /// memory refers to. That one is known by what it holds: the slots of fields that can be read, beside those of generic types.
    fn storage(&self, graph: &Graph, roots: &mut Roots) {
        let of_types: HashMap<u32, u32> =
            roots.of_threads.iter().filter_map(|(thread, slot)| Some((graph.around(*slot)?, *thread))).collect();
        let is_array = |of: &dyn Fn(&str) -> bool| -> Vec<bool> {
            (0..self.types.count()).map(|type_| of(&self.types.name(type_ as u32))).collect()
        };
        let (objects, blocks) =
            (is_array(&|name| name == "object[]"), is_array(&|name| ["object[]", "sbyte[]", "byte[]"].contains(&name)));
        let is = |of: &[bool], object: u32| {
            graph.object(object).is_some_and(|found| of.get(found.type_ as usize) == Some(&true))
        };
        let (mut unknown, mut threads) = (Vec::new(), HashSet::new());
        for (number, found) in (0_u32..).zip(&graph.objects) {
            let holds = graph.targets(number);
            if !is(&objects, number) || holds.is_empty() || !holds.iter().all(|block| is(&blocks, *block)) {
                continue;
            }
            let root = |name: Cow<'static, str>, rank| Root { name, address: found.address, rank, slot: None };
            match holds.iter().find_map(|block| of_types.get(block)) {
                Some(thread) => {
                    threads.insert(*thread);
                    roots.list.push(root(format!("thread-static storage (thread {thread})").into(), 1));
                }
                None => unknown.push(root("object[] (possibly thread-static storage)".into(), 4)),
            }
        }
        // none at all: the runtime is older, and has handles for them
        let has_all = self.stopped.threads().unwrap_or_default().iter().all(|thread| threads.contains(&thread.id));
        if !has_all && !threads.is_empty() {
            roots.list.append(&mut unknown);
        }
    }

    fn handles(&self, roots: &mut Roots) -> Result<(), HeapError> {
        let kinds = [
            (handle_kind::STRONG | handle_kind::SIZED, "handle"),
            (handle_kind::PINNED | handle_kind::ASYNC_PINNED, "pinned handle"),
            (handle_kind::REF_COUNTED, "reference-counted handle"),
        ];
        let all = kinds.iter().fold(handle_kind::DEPENDENT, |all, (kind, _)| all | kind);
        let handles = self.process.handles(all)?;
        let mut own = OwnHandles::of(self.stopped);
        loop {
            let some = handles.next()?;
            if some.is_empty() {
                return Ok(());
            }
            for handle in some {
                if handle.kind == handle_kind::DEPENDENT {
                    roots.dependent.push((handle.address, handle.extra));
                } else if let Some((_, name)) = kinds.iter().find(|(kind, _)| kind & handle.kind != 0)
                    && !own.takes(handle.address)
                {
                    roots.list.push(Root { name: (*name).into(), address: handle.address, rank: 1, slot: None });
                }
            }
        }
    }

    fn stacks(&self, graph: &Graph, roots: &mut Vec<Root>) {
        for thread in self.stopped.threads().unwrap_or_default() {
            let name = format!("stack memory (thread {})", thread.id);
            let referred = stacks::referred(self.stopped.target().pid, thread.id, graph);
            let root = |address| Root { name: name.clone().into(), address, rank: 2, slot: None };
            roots.extend(referred.into_iter().map(root));
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
                            slot: None,
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

    /// Static fields of the types of a module, generic ones excepted.
    fn statics(&self, module: &Module, roots: &mut Roots) {
        let Some(assembly) = module.assembly() else { return };
        for view in assembly.types().filter(|view| view.type_parameters().is_empty()) {
            self.statics_of(module, &view, &[], &view.full_name().replace('+', "."), roots);
        }
    }

    /// Those of generic types, as far as the heap shows which there are.
    fn generic_statics(&self, roots: &mut Roots) {
        for (name, it) in self.types.instantiations() {
            let Some(assembly) = it.module.assembly() else { continue };
            self.statics_of(&it.module, &assembly.type_(it.id), &it.arguments, &name, roots);
        }
    }

    fn statics_of(&self, module: &Module, view: &TypeView<'_>, of: &[com::Type], type_name: &str, roots: &mut Roots) {
        let metadata = view.assembly().metadata();
        let flags = |field: FieldId| metadata.cell(field.row(), clr_metadata::col::Field::Flags).unwrap_or(0);
        if !view.field_ids().any(|field| flags(field) & (STATIC | LITERAL) == STATIC) {
            return;
        }
        let mut type_ = None;
        for declared in view.fields() {
            let field = declared.id;
            if flags(field) & (STATIC | LITERAL) != STATIC || !may_hold(&declared.type_) {
                continue;
            }
            let type_ = type_.get_or_insert_with(|| {
                let class: com::Class2 = module.class(view.id()).ok()?.cast().ok()?;
                class.with_arguments(if view.is_value_type() { element::VALUETYPE } else { element::CLASS }, of).ok()
            });
            let Some(type_) = type_ else { break };
            let name = || format!("static {type_name}.{}", source_name(&declared.name));
            match type_.static_field(field.token().0, None) {
                Ok(value) => roots.list.extend(static_root(name, &value)),
                // one for each thread
                Err(com::HResult::INVALID_ARGUMENT) => {
                    for thread in &self.stopped.threads().unwrap_or_default() {
                        let root = PlaceRoot::Static { thread: thread.id, type_: type_.clone(), field };
                        let Ok(value) = Place::of(root).read(self.stopped) else { continue };
                        roots.of_threads.extend(slot(value.com()).map(|slot| (thread.id, slot)));
                        let name = || format!("thread-{} (thread {})", name(), thread.id);
                        roots.list.extend(static_root(name, value.com()));
                    }
                }
                Err(_) => {}
            }
        }
    }
}

/// By the object that a static field holds: of a struct the box that it is kept in.
fn static_root(name: impl Fn() -> String, value: &com::Value) -> Option<Root> {
    let address = match value.cast::<com::ReferenceValue>() {
        Ok(reference) => reference.target_address(),
        Err(_) => value.address(),
    };
    let address = address.ok().filter(|address| *address != 0)?;
    Some(Root { name: name().into(), address, rank: 0, slot: slot(value) })
}

/// Where a static field has its reference.
fn slot(value: &com::Value) -> Option<u64> {
    value.cast::<com::ReferenceValue>().ok()?;
    value.address().ok().filter(|address| *address != 0)
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
