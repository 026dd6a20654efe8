//! The variables of the source at a place in code, and where their values live: what a debugger shows, found without its help.
//!
//! A variable may be an argument of the running method, a slot of its frame, or a field of an object that the compiler made:
//! what lambdas capture lives in closures, what lives across an `await` or `yield` in the state machine. Closures and machines
//! refer to each other, so a place is a path of fields.

use super::annotations::DynamicParts;
use super::assembly::Assembly;
use super::methods::ParameterDirection;
use super::names::{
    FieldOrigin, anonymous_property, closure_slot, field_origin, index_key, is_closure, is_transparent_identifier,
    state_machine_of,
};
use super::pdb::LocalPlace;
use super::schema::col;
use super::signatures::TypeSig;
use super::tokens::{FieldId, MethodId, TypeId};
use super::tuples::ElementNames;

/// A variable as the source names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// `this` for the object that the method as written belongs to.
    pub name: String,
    pub kind: VariableKind,
    pub place: VariablePlace,
    /// In terms of the generic parameters of where it is declared: the running method, or the type of the last field.
    pub type_: TypeSig,
    /// Of the elements of the tuples in it.
    pub element_names: ElementNames,
    /// What is `dynamic` of its type.
    pub dynamic: DynamicParts,
    /// Code must leave it as it is: an `in` or `ref readonly` parameter, `this` of a method with `readonly`.
    pub is_read_only: bool,
}

/// An object that the compiler made, or a struct, which holds what lambdas and local functions capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closure {
    pub type_: TypeId,
    pub place: VariablePlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariableKind {
    This,
    Parameter,
    /// Captured parameters too: a closure does not distinguish them from locals.
    Local,
}

/// Begin at the root, then load the fields one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariablePlace {
    pub root: VariableRoot,
    pub fields: Vec<FieldId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariableRoot {
    /// Number of an argument; 0 is the object in an instance method.
    Argument(u16),
    /// Slot of a local.
    Slot(u16),
}

const READ_ONLY: &str = "System.Runtime.CompilerServices.IsReadOnlyAttribute";
/// Closures within closures, as deep as blocks of source nest. A path that is longer is a circle.
const MAX_PATH: usize = 16;
/// A method that captures more was not written by hand.
const MAX_VARIABLES: usize = 4096;
/// Closures and machines that one place reaches. Damaged types that refer to each other by several fields have paths without end.
const MAX_OBJECTS: usize = 1024;

impl Assembly {
    /// The variables in scope at an IL offset of a method as compiled, the innermost first; one that another hides is left out.
    /// Without symbols: the arguments, and what a closure or state machine holds.
    pub fn variables_at(&self, method: MethodId, il_offset: u32) -> Vec<Variable> {
        let mut search = Search::at(self, method, il_offset);
        // a state machine holds the object before its locals, which hide what the object's constructor captured
        for (name, place, declared) in std::mem::take(&mut search.captured) {
            search.add(name, VariableKind::Parameter, place, declared);
        }
        search.found
    }

    /// The closures in scope at an IL offset of a method as compiled, the innermost first.
    pub fn closures_at(&self, method: MethodId, il_offset: u32) -> Vec<Closure> {
        Search::at(self, method, il_offset).closures
    }
}

/// Its type, the names of tuple elements in that, and what of it is `dynamic`.
type Declared = (TypeSig, ElementNames, DynamicParts);

struct Search<'a> {
    assembly: &'a Assembly,
    method: MethodId,
    il_offset: u32,
    found: Vec<Variable>,
    /// Parameters of a primary constructor: the outermost scope.
    captured: Vec<(&'a str, VariablePlace, Declared)>,
    closures: Vec<Closure>,
    /// Expanded until now.
    objects: usize,
}

impl<'a> Search<'a> {
    fn at(assembly: &'a Assembly, method: MethodId, il_offset: u32) -> Self {
        let (found, captured, closures, objects) = Default::default();
        let mut search = Self { assembly, method, il_offset, found, captured, closures, objects };
        search.slots();
        search.arguments();
        search
    }

    fn slots(&mut self) {
        let Some(pdb) = self.assembly.pdb() else {
            return;
        };
        let types = self.assembly.method(self.method).local_types();
        // Those of inner scopes last.
        for local in pdb.locals_in_scope(self.method, self.il_offset).into_iter().rev() {
            let Some((slot, type_)) = local.slot().and_then(|slot| Some((slot, types.get(usize::from(slot))?))) else {
                continue;
            };
            if self.is_of_other_clause(LocalPlace::Slot(slot)) {
                continue;
            }
            let place = VariablePlace { root: VariableRoot::Slot(slot), fields: Vec::new() };
            match self.closure(type_) {
                Some(closure) => self.expand(closure, &place),
                None if local.is_hidden => {}
                None => {
                    self.add(
                        &local.name,
                        VariableKind::Local,
                        place,
                        (type_.clone(), local.element_names, of_parts(local.dynamic, type_)),
                    );
                }
            }
        }
    }

    fn arguments(&mut self) {
        let view = self.assembly.method(self.method);
        let (Some(signature), Some(owner)) = (view.signature(), view.declaring_type()) else {
            return;
        };
        let first = u16::from(signature.has_this);
        let names = view.parameter_names().into_iter().zip(view.parameter_element_names());
        let directions = view.parameter_directions();
        for ((type_, (name, elements)), number) in signature.parameters.into_iter().zip(names).zip(first..) {
            let place = VariablePlace { root: VariableRoot::Argument(number), fields: Vec::new() };
            match self.closure(&type_) {
                // A local function gets the closures that it uses, without a name.
                Some(closure) => self.expand(closure, &place),
                None if name.is_empty() => {}
                None if is_transparent_identifier(&name) => self.range_variables(&type_, &place),
                None => {
                    let at = usize::from(number - first);
                    let dynamic = view.dynamic_parts(at, &type_);
                    let is_read_only =
                        type_.referent().is_by_ref && directions.get(at) == Some(&ParameterDirection::In);
                    let added = self.add(&name, VariableKind::Parameter, place, (type_, elements, dynamic));
                    added.into_iter().for_each(|it| it.is_read_only = is_read_only);
                }
            }
        }
        if signature.has_this {
            let place = VariablePlace { root: VariableRoot::Argument(0), fields: Vec::new() };
            match is_generated(owner.name()) {
                true => self.expand(owner.id(), &place),
                false => {
                    let this = self.this(owner.id(), place, owner.self_type());
                    this.into_iter().for_each(|it| it.is_read_only = view.has_attribute(READ_ONLY));
                }
            }
        }
    }

    /// The variables in an object of the compiler.
    fn expand(&mut self, type_: TypeId, place: &VariablePlace) {
        self.objects += 1;
        if place.fields.len() >= MAX_PATH || self.objects > MAX_OBJECTS {
            return;
        }
        let machine = state_machine_of(self.assembly.type_(type_).name()).is_some();
        if !machine {
            self.closures.push(Closure { type_, place: place.clone() });
        }
        let fields = self.assembly.type_(type_).field_ids();
        let mut fields: Vec<_> = fields.filter_map(|it| Some((it, self.instance_field(it)?))).collect();
        // The inner hides the outer. A parameter that a lambda captures lives in a closure: the machine keeps what it was at the call.
        fields.sort_by_key(|(_, (name, _))| match field_origin(name) {
            FieldOrigin::This => 3,
            FieldOrigin::Closure if machine => 0,
            FieldOrigin::Plain(_) if machine => 1,
            FieldOrigin::Closure => 2,
            _ => 0,
        });
        for (field, (raw, type_)) in fields {
            let elements = || self.assembly.element_names(field.into());
            let dynamic = || self.assembly.dynamic_parts(field, &type_);
            let mut inner = place.clone();
            inner.fields.push(field);
            match field_origin(raw) {
                FieldOrigin::Plain(name) if machine => {
                    let declared = (type_.clone(), elements(), dynamic());
                    self.add(name, VariableKind::Parameter, inner, declared);
                }
                FieldOrigin::Plain(name) => {
                    let declared = (type_.clone(), elements(), dynamic());
                    self.add(name, VariableKind::Local, inner, declared);
                }
                FieldOrigin::HoistedLocal { .. } | FieldOrigin::Closure
                    if machine && self.is_of_other_clause(LocalPlace::Field(raw.to_owned())) => {}
                FieldOrigin::HoistedLocal { name, slot } if self.holds(slot) => {
                    let declared = (type_.clone(), elements(), dynamic());
                    self.add(name, VariableKind::Local, inner, declared);
                }
                FieldOrigin::Closure if machine && !self.holds_closure(raw) => {}
                FieldOrigin::This | FieldOrigin::Closure => match (self.closure(&type_), self.defined(&type_)) {
                    (Some(closure), _) => self.expand(closure, &inner),
                    (None, Some(object)) => {
                        self.this(object, inner, type_);
                    }
                    (None, None) => {}
                },
                _ if is_transparent_identifier(raw) => self.range_variables(&type_, &inner),
                _ => {}
            }
        }
    }

    /// The range variables in a transparent identifier, which may hold another.
    fn range_variables(&mut self, type_: &TypeSig, place: &VariablePlace) {
        self.objects += 1;
        let (TypeSig::Named(named), Some(id)) = (type_, self.defined(type_)) else { return };
        if place.fields.len() >= MAX_PATH || self.objects > MAX_OBJECTS {
            return;
        }
        for field in self.assembly.type_(id).field_ids() {
            let Some((name, type_)) = self.instance_field(field) else { continue };
            let Some(name) = anonymous_property(name) else { continue };
            let type_ = type_.substitute(&named.arguments, &[]);
            let mut inner = place.clone();
            inner.fields.push(field);
            match is_transparent_identifier(name) {
                true => self.range_variables(&type_, &inner),
                false => {
                    self.add(name, VariableKind::Parameter, inner, (type_, Vec::new(), Vec::new()));
                }
            }
        }
    }

    /// The user's object, and what its primary constructor captured.
    fn this(&mut self, object: TypeId, place: VariablePlace, type_: TypeSig) -> Option<&mut Variable> {
        for field in self.assembly.type_(object).field_ids() {
            if let Some((name, type_)) = self.instance_field(field)
                && let FieldOrigin::PrimaryParameter(name) = field_origin(name)
            {
                let mut inner = place.clone();
                inner.fields.push(field);
                let dynamic = self.assembly.dynamic_parts(field, &type_);
                let declared = (type_, self.assembly.element_names(field.into()), dynamic);
                self.captured.push((name, inner, declared));
            }
        }
        self.add("this", VariableKind::This, place, (type_, Vec::new(), Vec::new()))
    }

    /// `None`: another hides it.
    fn add(
        &mut self,
        name: &str,
        kind: VariableKind,
        place: VariablePlace,
        (type_, element_names, dynamic): Declared,
    ) -> Option<&mut Variable> {
        let is_hidden = self.found.iter().any(|variable| variable.name == name);
        if is_hidden || self.found.len() >= MAX_VARIABLES {
            return None;
        }
        self.found.push(Variable {
            name: name.to_owned(),
            kind,
            place,
            type_,
            element_names,
            dynamic,
            is_read_only: false,
        });
        self.found.last_mut()
    }

    fn instance_field(&self, field: FieldId) -> Option<(&'a str, TypeSig)> {
        const STATIC: u32 = 0x10;
        let metadata = self.assembly.metadata();
        if metadata.cell(field.row(), col::Field::Flags).ok()? & STATIC != 0 {
            return None;
        }
        let type_ = metadata.decode_field(metadata.blob(field.row(), col::Field::Signature).ok()?).ok()?;
        Some((metadata.string(field.row(), col::Field::Name).ok()?, type_))
    }

    /// Whether the hoisted local of that slot is in scope. A machine in release code has no scopes: then it always is.
    fn holds(&self, slot: u32) -> bool {
        let scope = self.assembly.pdb().and_then(|pdb| pdb.hoisted_scope(self.method, slot));
        scope.is_none_or(|(start, end)| (start..end).contains(&self.il_offset))
    }

    fn is_of_other_clause(&self, variable: LocalPlace) -> bool {
        self.assembly.is_of_other_clause(self.method, &variable, self.il_offset)
    }

    /// The same of the closure that a machine has in a field. One without a length says nothing.
    fn holds_closure(&self, field: &str) -> bool {
        let scope = closure_slot(field).and_then(|slot| self.assembly.pdb()?.hoisted_scope(self.method, slot));
        scope.is_none_or(|(start, end)| start == end || (start..end).contains(&self.il_offset))
    }

    fn closure(&self, type_: &TypeSig) -> Option<TypeId> {
        self.defined(type_).filter(|&id| is_generated(self.assembly.type_(id).name()))
    }

    /// The type, if this assembly defines it.
    fn defined(&self, type_: &TypeSig) -> Option<TypeId> {
        match type_ {
            TypeSig::Named(name) => self.assembly.find_key(&index_key(&name.full_name)),
            TypeSig::ByRef(inner) => self.defined(inner),
            _ => None,
        }
    }
}

/// A flag for each part; those of a local in symbols go on to the end of a byte.
fn of_parts(mut flags: DynamicParts, type_: &TypeSig) -> DynamicParts {
    if !flags.is_empty() {
        flags.resize(type_.referent().type_.parts(), false);
    }
    flags
}

fn is_generated(type_name: &str) -> bool {
    is_closure(type_name) || state_machine_of(type_name).is_some()
}
