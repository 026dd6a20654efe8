//! members_get, and the search for the type that a call means.

use std::collections::HashSet;
use std::sync::Arc;

use super::scope::{Asked, Chosen, Folders, LONGEST, module_name};
use super::types::is_visible;
use crate::answers::report::{MemberEntry, MemberGroup, MembersReport};
use crate::session::{Code, SessionError};
use clr_metadata::{Assembly, Declaration, Fit, MemberKind, NameStyle, Naming, TypeId, TypeName, TypeQuery, TypeSig};

/// Members of one answer; kinds and visibility narrow it.
const MOST: usize = 400;

/// A type with its arguments, in bytes.
const LONGEST_TYPE: usize = 4_096;

pub(super) struct Query {
    pub(super) type_name: String,
    pub(super) include_inherited: bool,
    /// None = all.
    pub(super) kinds: Vec<MemberKind>,
    pub(super) visibility: Option<&'static str>,
    pub(super) statics: bool,
    pub(super) instances: bool,
}

impl Query {
    fn wants(&self, member: &Declaration) -> bool {
        let side = if member.is_static { self.statics } else { self.instances };
        // A nested type is of neither side.
        (side || member.kind == MemberKind::NestedType)
            && (self.kinds.is_empty() || self.kinds.contains(&member.kind))
            && is_visible(member.visibility, self.visibility)
    }
}

/// The type that was meant, with the arguments that were given.
pub(super) struct Found {
    pub(super) assembly: Arc<Assembly>,
    pub(super) id: TypeId,
    pub(super) name: TypeName,
}

pub(super) fn members(asked: Asked, query: &Query) -> Result<MembersReport, SessionError> {
    let chosen = asked.open(Folders::Refused)?;
    let found = find(&chosen, &query.type_name)?;
    let view = found.assembly.type_(found.id);
    let names = if found.name.arguments.is_empty() { view.type_parameters() } else { Vec::new() };
    let declaration = view.declaration(NameStyle::Short);
    let mut report = MembersReport { declaration, root: chosen.shown_root(), ..MembersReport::default() };
    let mut seen = HashSet::new();
    let mut generated = 0;
    let naming = Naming { style: NameStyle::Short, arguments: &found.name.arguments, names: &names };
    let own = view.declarations(naming);
    let own = unhidden(own.into_iter().filter(|member| query.wants(member)), &mut seen);
    let own_name = match found.name.arguments.is_empty() {
        true => view.source_name(),
        false => TypeSig::Named(TypeName { full_name: view.full_name(), ..found.name.clone() }).to_string(),
    };
    let mut groups = vec![group(&chosen, &found.assembly, own_name, own, &mut generated)];
    if query.include_inherited {
        // The bases' arguments are given in terms of the type's own parameters.
        let own = (0..view.type_parameters().len() as u32).map(TypeSig::TypeParameter);
        let arguments = if found.name.arguments.is_empty() { own.collect() } else { found.name.arguments.clone() };
        let name = TypeName { full_name: view.full_name(), arguments, is_value_type: false };
        for base in chosen.surroundings().bases(&found.assembly, found.id, &name) {
            let text = TypeSig::Named(base.name.clone()).full_with(&view.parameter_names(None));
            let Some((assembly, id)) = base.found else {
                report.unknown_bases.push(text);
                continue;
            };
            let naming = Naming { arguments: &base.name.arguments, ..naming };
            let inherited = assembly.type_(id).declarations(naming).into_iter().filter(|member| {
                let is_inherited = !matches!(member.kind, MemberKind::Constructor | MemberKind::NestedType)
                    && member.visibility != "private";
                is_inherited && query.wants(member)
            });
            let inherited = unhidden(inherited, &mut seen);
            let inherited = group(&chosen, &assembly, text, inherited, &mut generated);
            groups.extend(Some(inherited).filter(|group| count(group) > 0));
        }
    }
    report.more_members = bound(&mut groups);
    report.groups = groups;
    report.compiler_generated = Some(generated).filter(|count| *count > 0);
    Ok(report)
}

/// The members of one type but those that one of a `seen` type hides. They do not hide each other.
fn unhidden(members: impl Iterator<Item = Declaration>, seen: &mut HashSet<String>) -> Vec<Declaration> {
    let members: Vec<Declaration> = members.filter(|member| !seen.contains(&member.key)).collect();
    seen.extend(members.iter().map(|member| member.key.clone()));
    members
}

fn group(
    chosen: &Chosen,
    assembly: &Assembly,
    type_name: String,
    members: Vec<Declaration>,
    generated: &mut usize,
) -> MemberGroup {
    let mut group = MemberGroup { type_name, module: module_name(assembly), ..MemberGroup::default() };
    for member in members {
        if member.is_generated {
            *generated += 1;
            continue;
        }
        let entry = || MemberEntry {
            at: member.method.and_then(|method| chosen.place(assembly, method)),
            signature: member.text.clone(),
        };
        match member.kind {
            MemberKind::Constructor => group.constructors.push(entry()),
            MemberKind::Property => group.properties.push(entry()),
            MemberKind::Method => group.methods.push(entry()),
            MemberKind::Event => group.event_members.push(entry()),
            MemberKind::Field => group.fields.push(member.text),
            MemberKind::NestedType => group.nested_types.push(member.text),
        }
    }
    group
}

fn count(group: &MemberGroup) -> usize {
    let placed = [&group.constructors, &group.properties, &group.methods, &group.event_members];
    let placed: usize = placed.iter().map(|members| members.len()).sum();
    placed + group.fields.len() + group.nested_types.len()
}

/// Cuts what is too much off the end; how much that was.
fn bound(groups: &mut Vec<MemberGroup>) -> Option<usize> {
    let all: usize = groups.iter().map(count).sum();
    let mut left = MOST;
    for group in groups.iter_mut() {
        let mut keep = |length: usize| {
            let kept = length.min(left);
            left -= kept;
            kept
        };
        let kept = keep(group.constructors.len());
        group.constructors.truncate(kept);
        let kept = keep(group.fields.len());
        group.fields.truncate(kept);
        for members in [&mut group.properties, &mut group.methods, &mut group.event_members] {
            let kept = keep(members.len());
            members.truncate(kept);
        }
        let kept = keep(group.nested_types.len());
        group.nested_types.truncate(kept);
    }
    let kept: usize = groups.iter().map(count).sum();
    let mut is_first = true;
    groups.retain(|group| std::mem::take(&mut is_first) || count(group) > 0);
    Some(all - kept).filter(|more| *more > 0)
}

/// The type of that name in what was chosen: the best fit, user modules before the framework's, of the framework public types before
/// others, and of several that which the code at the stop means.
pub(super) fn find(chosen: &Chosen, type_name: &str) -> Result<Found, SessionError> {
    let query = Some(type_name.trim()).filter(|name| name.len() <= LONGEST_TYPE).and_then(TypeQuery::parse);
    let Some(query) = query else {
        let type_name: String = type_name.chars().take(LONGEST).collect();
        let message = format!("`{type_name}` is not a valid type name");
        return Err(SessionError::argument("type", message, "write a C# type name: Basics.Order, List<int>"));
    };
    let mut candidates: Vec<(Fit, bool, bool, Arc<Assembly>, TypeId)> = Vec::new();
    for opened in chosen.assemblies().flatten() {
        for (fit, id) in opened.assembly.types_called(&query) {
            let is_public = opened.assembly.type_(id).visibility() == "public";
            // a person who debugs a program knows its own types, whoever may use them
            let is_hidden = !opened.is_user && !is_public;
            candidates.push((fit, !opened.is_user, is_hidden, opened.assembly.clone(), id));
        }
    }
    candidates.sort_by_key(|candidate| (candidate.0, candidate.1, candidate.2));
    let Some((fit, is_system, is_hidden, ..)) = candidates.first().map(|it| (it.0, it.1, it.2)) else {
        return Err(not_found(chosen, &query, type_name));
    };
    candidates.retain(|it| (it.0, it.1, it.2) == (fit, is_system, is_hidden));
    let full: Vec<String> = candidates.iter().map(|it| it.3.type_(it.4).full_name()).collect();
    let full: Vec<&str> = full.iter().map(String::as_str).collect();
    let has_several = full.iter().any(|name| Some(name) != full.first());
    if let Some(meant) = chosen.meant(type_name, &full).filter(|_| has_several) {
        candidates = candidates.get(meant).cloned().into_iter().collect();
    }
    let mut names: Vec<String> = candidates.iter().map(|it| it.3.type_(it.4).source_name()).collect();
    names.sort();
    names.dedup();
    match (candidates.into_iter().next(), names.as_slice()) {
        (Some((.., assembly, id)), [_]) => {
            // Arguments that are not as many as the parameters would be put in the wrong places.
            let arity = assembly.type_(id).type_parameters().len();
            let arguments = Some(query.name.arguments).filter(|given| given.len() == arity).unwrap_or_default();
            Ok(Found { name: TypeName { arguments, ..query.name }, assembly, id })
        }
        _ => {
            let listed = names.get(..4).unwrap_or(&names).join(", ");
            let more = names.len().saturating_sub(4);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let message = format!("{} types are named {type_name}: {listed}{more}", names.len());
            Err(SessionError::new(Code::TypeNotFound, message, "pass the full name, with arity if generic"))
        }
    }
}

fn not_found(chosen: &Chosen, query: &TypeQuery, type_name: &str) -> SessionError {
    const LISTED: usize = 4;
    const MOST_NEAR: usize = 1_000;
    let wanted: String = query.short().to_lowercase().chars().take(LONGEST).collect();
    let mut near: Vec<(u64, String)> = Vec::new();
    for opened in chosen.assemblies().flatten() {
        for type_ in opened.assembly.types().skip(1) {
            let short = type_.name().split('`').next().unwrap_or_default().to_lowercase();
            if short.len() > LONGEST {
                continue;
            }
            let closeness = (strsim::jaro_winkler(&wanted, &short) * 1000.0) as u64;
            if closeness > 800 && near.len() < MOST_NEAR && !type_.is_generated() {
                near.push((closeness, type_.source_name()));
            }
        }
    }
    near.sort_by(|a, b| (b.0, &a.1).cmp(&(a.0, &b.1)));
    near.dedup();
    let names: Vec<&str> = near.iter().take(LISTED).map(|(_, name)| name.as_str()).collect();
    let hint = match names.as_slice() {
        [] => format!("modules_search {{\"pattern\": \"{}\"}} searches by part of a name", query.short()),
        names => format!("did you mean {}?", names.join(", ")),
    };
    SessionError::new(Code::TypeNotFound, format!("no type {type_name} in {}", chosen.words()), hint)
}
