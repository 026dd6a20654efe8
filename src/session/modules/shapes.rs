//! Types as values need them.

use std::sync::Arc;

use super::{Modules, is_framework};
use crate::session::inspect::shape::{Form, Member, MemberKind, Shape, framework_form};
use crate::session::inspect::type_names;
use clr_metadata::TypeUniverse;

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
    let bare = type_names::bare(name);
    let arguments = type_names::generic_arguments(name).len();
    let mut shape = Shape::default();
    if let Some(form) = framework_form(bare, arguments) {
        shape.form = form;
        shape.is_value_type = true;
        return shape;
    }
    let Some((assembly, id)) = universe.find_type(name) else { return shape };
    let view = assembly.type_(id);
    shape.is_enum = view.is_enum();
    shape.is_value_type = view.is_value_type();
    let bases = universe.base_chain(name);
    shape.is_exception = bare == "System.Exception" || bases.iter().any(|base| base == "System.Exception");
    if view.is_delegate() {
        shape.form = Form::Delegate;
        return shape;
    }
    // a class of the user's that is a List is shown as one
    let inherited = bases.iter().find_map(|base| match framework_form(type_names::bare(base), 0) {
        Some(form @ Form::Collection(_)) => Some(form),
        _ => None,
    });
    if let Some(form) = inherited {
        shape.form = form;
        return shape;
    }
    let framework = is_framework(assembly.path());
    shape.form = if framework && !shape.is_exception { Form::Opaque } else { Form::Object };
    shape.members = members(universe, name, framework, shape.is_exception);
    shape
}

fn members(universe: &TypeUniverse, name: &str, framework: bool, exception: bool) -> Vec<Member> {
    let all = universe.members(name);
    let mut own: Vec<_> = all
        .iter()
        .filter(|member| !member.is_static && member.name != "EqualityContract")
        .filter(|member| !(exception && member.declaring_type == "System.Exception"))
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
            Member {
                name: member.name.clone(),
                kind: match (member.is_property, member.is_safe()) {
                    (false, _) => MemberKind::Field,
                    (true, true) => MemberKind::Loads,
                    (true, false) => MemberKind::Computed,
                },
                simple: is_simple(universe, &declared),
                declared,
                hidden: member.is_hidden,
                repeats: loaded_elsewhere,
            }
        })
        .collect()
}

fn is_simple(universe: &TypeUniverse, declared: &str) -> bool {
    let short = type_names::short(declared);
    let short = short.trim_end_matches('?');
    type_names::literal_tells(short)
        || matches!(short, "byte" | "sbyte" | "short" | "ushort" | "nint" | "nuint" | "DateTime" | "TimeSpan" | "Guid")
        || universe.find_type(declared.trim_end_matches('?')).is_some_and(|(assembly, id)| assembly.type_(id).is_enum())
}
