//! Types as values need them.

use std::sync::Arc;

use super::Modules;
use crate::session::inspect::display;
use crate::session::inspect::shape::{Form, Member, MemberKind, Shape, framework_form};
use crate::session::inspect::type_names;
use crate::session::inspect::wellknown::Known;
use clr_metadata::names::{FieldOrigin, field_origin};
use clr_metadata::{NameStyle, TypeUniverse, is_framework};

impl Modules {
    /// The shape of a type by the name that adapters print. Unknown types have [`Form::Unknown`].
    pub fn shape(&self, type_name: &str) -> Arc<Shape> {
        let name = type_name.trim_end_matches('?');
        let (universe, known) = {
            let inner = self.lock();
            (inner.universe.clone(), inner.shapes.get(name).cloned())
        };
        if let Some(known) = known {
            return known;
        }
        let shape = Arc::new(read(&universe, name));
        let mut inner = self.lock();
        if inner.shapes.len() > 10_000 {
            inner.shapes.clear();
        }
        inner.shapes.insert(name.to_owned(), shape.clone());
        shape
    }

    /// Names of the fields and properties of a type and its bases, those of the framework's insides too; its static ones last.
    pub fn member_names(&self, type_name: &str) -> Vec<String> {
        let universe = self.lock().universe.clone();
        let name = type_name.trim_end_matches('?');
        let all = universe.members(name).into_iter().chain(universe.static_members(name));
        let written = all.map(|member| captured(&member.name).unwrap_or(&member.name).to_owned());
        written.filter(|name| !name.starts_with('<') && !name.contains('.')).collect()
    }

    /// Names of the static fields and properties of a type.
    pub fn static_names(&self, type_name: &str) -> Vec<String> {
        let universe = self.lock().universe.clone();
        let type_name = type_name.trim_end_matches('?');
        let fields =
            universe.find_type(type_name).map(|(assembly, id)| assembly.type_(id).fields()).unwrap_or_default();
        let constants = fields.into_iter().filter(|field| field.is_literal).map(|field| field.name);
        let all = universe.static_members(type_name).into_iter().map(|member| member.name).chain(constants);
        all.filter(|name| !name.starts_with('<') && !name.contains('.')).collect()
    }

    /// Whether objects of a type have the hash code that the runtime gave them: neither it nor a base overrides `GetHashCode`.
    pub(crate) fn has_identity_hash(&self, type_name: &str) -> bool {
        let universe = self.lock().universe.clone();
        let Some((assembly, id)) = universe.find_type(type_name) else { return false };
        let overrides = |base: &String| {
            base != "System.Object"
                && universe.find_type(base).is_none_or(|(assembly, id)| {
                    assembly.type_(id).methods().any(|method| assembly.method(method).name() == "GetHashCode")
                })
        };
        let own = type_name.to_owned();
        let is_class = !assembly.type_(id).is_value_type() && !assembly.type_(id).is_interface();
        is_class && !std::iter::once(&own).chain(&universe.base_chain(type_name)).any(overrides)
    }

    /// Whether a type of that name, or of that end of a name, has a static property.
    pub(crate) fn has_static_property(&self, type_name: &str, property: &str) -> bool {
        let universe = self.lock().universe.clone();
        universe
            .find_types_by_short_name(type_name)
            .iter()
            .any(|(assembly, id)| assembly.type_(*id).properties().iter().any(|it| it.name == property && it.is_static))
    }

    /// The declared type of a static property.
    pub(crate) fn static_property(&self, type_name: &str, property: &str) -> Option<String> {
        let universe = self.lock().universe.clone();
        let mut all = universe.static_members(type_name.trim_end_matches('?')).into_iter();
        all.find(|member| member.is_property && member.name == property).map(|member| member.type_.to_string())
    }

    /// The accessors of a property of a type or its bases, as C# declares them: `{ get; init; }`.
    pub(crate) fn accessors(&self, type_name: &str, name: &str) -> Option<String> {
        let universe = self.lock().universe.clone();
        universe.base_chain(type_name.trim_end_matches('?')).into_iter().find_map(|type_name| {
            let (assembly, id) = universe.find_type(&type_name)?;
            let type_ = assembly.type_(id);
            let property = type_.properties().into_iter().find(|property| property.name == name)?;
            let declared = type_.property_declaration(property.id, NameStyle::Short)?;
            declared.find('{').and_then(|at| declared.get(at..)).map(str::to_owned)
        })
    }

    /// Whether an exception type is one of `wanted` (full or short names), or derives from one.
    pub fn is_one_of(&self, type_name: &str, wanted: &[&str], subtypes: bool) -> bool {
        let universe = self.lock().universe.clone();
        wanted.iter().any(|wanted| {
            *wanted == "*"
                || names_type(type_name, wanted)
                || (subtypes && universe.base_chain(type_name).iter().any(|base| names_type(base, wanted)))
        })
    }
}

fn names_type(full: &str, wanted: &str) -> bool {
    full == wanted || (!wanted.contains('.') && full.rsplit(['.', '+']).next() == Some(wanted))
}

fn read(universe: &TypeUniverse, name: &str) -> Shape {
    let definition = type_names::definition(name);
    let arguments = type_names::generic_arguments(name);
    let mut shape = Shape::default();
    let known = framework_form(&definition, &arguments);
    if let Some(form) = known.clone().filter(|form| !matches!(form, Form::Wellknown(known) if is_exception(known))) {
        shape.form = form;
        shape.is_value_type = true;
        return shape;
    }
    let Some((assembly, id)) = universe.find_type(name) else { return shape };
    let view = assembly.type_(id);
    shape.is_enum = view.is_enum();
    shape.is_value_type = view.is_value_type();
    let bases = universe.base_chain(name);
    shape.is_exception = definition == "System.Exception" || bases.iter().any(|base| base == "System.Exception");
    if view.is_delegate() {
        shape.form = Form::Delegate;
        return shape;
    }
    let framework = is_framework(assembly.path());
    let mut forms = bases.iter().filter_map(|base| framework_form(&type_names::definition(base), &[]));
    // a class of the user's that is a List is shown as one; what else its base shows is only part of it
    let inherited = forms.find_map(|form| match form {
        Form::Wellknown(known) if is_exception(known) => {
            shape.exception.get_or_insert(known);
            None
        }
        Form::Collection(_) => Some(form),
        Form::Wellknown(_) if framework => Some(form),
        _ => None,
    });
    if let Some(form) = inherited {
        shape.form = form;
        return shape;
    }
    shape.form = if framework && !shape.is_exception { Form::Opaque } else { Form::Object };
    shape.members = members(universe, name, framework, shape.is_exception);
    if !framework {
        shape.display = display_of(universe, &bases);
    }
    shape
}

/// The template of the type or of its nearest base, where all its holes are paths.
fn display_of(universe: &TypeUniverse, bases: &[String]) -> Option<Vec<display::Piece>> {
    let templates = bases.iter().filter_map(|base| {
        let (assembly, id) = universe.find_type(base)?;
        assembly.type_(id).debugger_display()
    });
    display::pieces(&{ templates }.next()?)
}

/// `name` of a field `<name>P`.
fn captured(field: &str) -> Option<&str> {
    match field_origin(field) {
        FieldOrigin::PrimaryParameter(name) => Some(name),
        _ => None,
    }
}

/// Exceptions whose members a report has in places of their own: message, inner exceptions.
const TOLD_APART: [&str; 2] = ["System.Exception", "System.AggregateException"];

/// Exceptions have members of their own beside what all have.
fn is_exception(known: &Known) -> bool {
    known.name.ends_with("Exception")
}

fn members(universe: &TypeUniverse, name: &str, framework: bool, exception: bool) -> Vec<Member> {
    let all = universe.members(name);
    let mut own: Vec<_> = all
        .iter()
        .filter(|member| !member.is_static && member.name != "EqualityContract")
        // what all exceptions have, and the inner ones, are told beside their members
        .filter(|member| !(exception && TOLD_APART.contains(&member.declaring_type.as_str())))
        // the insides of framework types are not for people
        .filter(|member| !framework || member.is_property)
        .filter(|member| member.declaring_type != "System.Object" && member.declaring_type != "System.ValueType")
        .collect();
    own.sort_by_key(|member| member.is_property);
    own.iter()
        .map(|member| {
            let declared = member.type_.to_string();
            let loaded_elsewhere = !member.is_property
                && own.iter().any(|other| other.is_property && other.safe_field.as_deref() == Some(&member.name));
            let captured = captured(&member.name);
            Member {
                name: captured.unwrap_or(&member.name).to_owned(),
                kind: match (member.is_property, member.is_safe()) {
                    (false, _) if captured.is_some() => MemberKind::Captured,
                    (false, _) => MemberKind::Field,
                    (true, true) => MemberKind::Loads,
                    (true, false) => MemberKind::Computed,
                },
                field: member.safe_field.clone().filter(|field| is_its_own(&all, member, field)),
                simple: is_simple(universe, &declared),
                declared,
                // the compiler hides the fields of captured parameters, which the source shows as names
                hidden: member.is_hidden && captured.is_none(),
                repeats: loaded_elsewhere,
            }
        })
        .collect()
}

/// Whether the field that a member loads is what an expression with its name finds, and not one of a derived type.
fn is_its_own(all: &[clr_metadata::Member], member: &clr_metadata::Member, field: &str) -> bool {
    all.iter()
        .find(|other| !other.is_property && other.name == field)
        .is_none_or(|other| other.declaring_type == member.declaring_type)
}

fn is_simple(universe: &TypeUniverse, declared: &str) -> bool {
    let short = type_names::short(declared);
    let short = short.trim_end_matches('?');
    type_names::literal_tells(short)
        || matches!(short, "byte" | "sbyte" | "short" | "ushort" | "nint" | "nuint" | "DateTime" | "TimeSpan" | "Guid")
        || universe.find_type(declared.trim_end_matches('?')).is_some_and(|(assembly, id)| assembly.type_(id).is_enum())
}
