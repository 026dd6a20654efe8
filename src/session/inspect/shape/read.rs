//! The shape of a type, read from metadata.

use clr_metadata::{DeclaredType, TypeUniverse, TypeView, is_framework};

use super::{Collection, Form, Member, MemberKind, Shadowed, Shape, framework_form};
use crate::session::inspect::display;
use crate::session::inspect::layouts::Scattered;
use crate::session::inspect::wellknown::known::Known;
use crate::session::modules::captured_parameter;
use crate::session::type_names;

/// Of a type by the name that adapters print. Unknown types have [`Form::Unknown`].
pub(super) fn read(universe: &TypeUniverse, name: &str) -> Shape {
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
    shape.overrides_message = shape.is_exception && overrides_message(universe, name);
    if view.is_delegate() {
        shape.form = Form::Delegate;
        return shape;
    }
    if let Some(form) = inline_array(universe, &view, name) {
        shape.form = form;
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
        // its nodes are those of another set, and not all of them
        Form::Collection(_) if definition == "System.Collections.Generic.SortedSet.TreeSubSet" => None,
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
        shape.shadowed = shadowed(universe, name, shape.is_exception);
        shape.display = display_of(universe, &bases);
    }
    shape
}

fn inline_array(universe: &TypeUniverse, view: &TypeView<'_>, name: &str) -> Option<Form> {
    let count = u64::from(view.inline_array_length()?);
    let field = members(universe, name, false, false).into_iter().find(|member| member.kind == MemberKind::Field)?;
    let array = Scattered::InlineArray { first: field.name, type_name: field.declared, count };
    Some(Form::Collection(Collection::Scattered(array)))
}

impl Shape {
    /// For an adapter that looks for a member by its name alone, from the object's own type on.
    pub fn by_names(&self) -> Self {
        let members = self.members.iter().map(|member| Member { owner: None, ..member.clone() });
        Self { members: members.collect(), ..self.clone() }
    }

    /// What an object of a type holds, whatever its values are usually shown as.
    pub fn raw(universe: &TypeUniverse, name: &str) -> Self {
        // an explicit implementation shows a field that is there anyway
        let held = |member: &Member| match member.kind {
            MemberKind::Computed => false,
            MemberKind::Loads => !member.name.contains('.'),
            // no expression can name what the compiler made
            MemberKind::Field => !member.name.starts_with('<'),
            MemberKind::Captured => true,
        };
        let members = members(universe, name, false, false).into_iter().filter(held);
        let members = members.map(|member| Member { hidden: false, ..member }).collect();
        Self { form: Form::Object, members, shadowed: shadowed(universe, name, false), ..Self::default() }
    }
}

/// The template of the type or of its nearest base, where all its holes are paths.
fn display_of(universe: &TypeUniverse, bases: &[String]) -> Option<Vec<display::Piece>> {
    // the compiler's template for an anonymous type only lists the members
    if bases.first().is_some_and(|name| name.starts_with("<>f__AnonymousType")) {
        return None;
    }
    let templates = bases.iter().filter_map(|base| {
        let (assembly, id) = universe.find_type(base)?;
        assembly.type_(id).debugger_display()
    });
    display::pieces(&{ templates }.next()?)
}

/// Exceptions whose members a report has in places of their own: message, inner exceptions.
const TOLD_APART: [&str; 2] = ["System.Exception", "System.AggregateException"];

fn overrides_message(universe: &TypeUniverse, name: &str) -> bool {
    let members = universe.members(name);
    let message = members.iter().find(|member| member.is_property && member.name == "Message");
    let owner = message.and_then(|message| universe.find_type(&message.declaring_type));
    owner.is_some_and(|(assembly, _)| !is_framework(assembly.path()))
}

/// Exceptions have members of their own beside what all have.
fn is_exception(known: &Known) -> bool {
    known.name.ends_with("Exception")
}

fn members(universe: &TypeUniverse, name: &str, framework: bool, exception: bool) -> Vec<Member> {
    let all = universe.members(name);
    // the insides of framework types are not for people
    let mut own: Vec<_> =
        all.iter().filter(|member| is_shown(member, exception) && (!framework || member.is_property)).collect();
    own.sort_by_key(|member| member.is_property);
    let hiding = if framework { Vec::new() } else { universe.hiding(name) };
    own.iter()
        .map(|member| {
            // a field that people name, and one that a base class has with that name, say something of their own
            let is_loaded_by = |other: &&clr_metadata::Member| {
                let loads = other.is_property && other.safe_field.as_deref() == Some(&member.name);
                loads && other.declaring_type == member.declaring_type
            };
            let loaded_elsewhere =
                !member.is_property && !member.is_public_field && own.iter().copied().any(|it| is_loaded_by(&it));
            let read = read_member(universe, member);
            Member {
                field: read.field.filter(|field| is_its_own(&all, member, field)),
                repeats: loaded_elsewhere,
                owner: hiding
                    .iter()
                    .find(|(name, _)| *name == member.name)
                    .map(|(_, owner)| DeclaredType::new(owner.clone(), Vec::new()).to_string()),
                ..read
            }
        })
        .collect()
}

/// What all exceptions have, and the inner ones, are reported beside their members.
fn is_shown(member: &clr_metadata::Member, exception: bool) -> bool {
    let is_told_apart = exception && TOLD_APART.contains(&member.declaring_type.as_str());
    let is_of_root = member.declaring_type == "System.Object" || member.declaring_type == "System.ValueType";
    !member.is_static && member.name != "EqualityContract" && !is_told_apart && !is_of_root
}

fn read_member(universe: &TypeUniverse, member: &clr_metadata::Member) -> Member {
    let declared = DeclaredType::new(member.type_.clone(), member.element_names.clone()).to_string();
    let captured = captured_parameter(&member.name);
    Member {
        name: captured.unwrap_or(&member.name).to_owned(),
        kind: match (member.is_property, member.is_safe()) {
            (false, _) if captured.is_some() => MemberKind::Captured,
            (false, _) => MemberKind::Field,
            (true, true) => MemberKind::Loads,
            (true, false) => MemberKind::Computed,
        },
        field: member.safe_field.clone(),
        simple: is_simple(universe, &declared),
        declared,
        // the compiler hides the fields of captured parameters, which the source shows as names
        hidden: member.is_hidden && captured.is_none(),
        repeats: false,
        owner: None,
    }
}

/// What bases have under the name of a member: no expression names a captured parameter of a base.
fn shadowed(universe: &TypeUniverse, name: &str, exception: bool) -> Vec<Shadowed> {
    let all = universe.shadowed(name).into_iter().filter(|(_, member)| is_shown(member, exception));
    let read = all.map(|(owner, member)| Shadowed {
        member: read_member(universe, &member),
        owner: DeclaredType::new(owner, Vec::new()).to_string(),
    });
    read.filter(|it| it.member.kind != MemberKind::Captured).collect()
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
    type_names::literal_shows_type(short)
        || matches!(short, "byte" | "sbyte" | "short" | "ushort" | "nint" | "nuint" | "DateTime" | "TimeSpan" | "Guid")
        || universe.find_type(declared.trim_end_matches('?')).is_some_and(|(assembly, id)| assembly.type_(id).is_enum())
}
