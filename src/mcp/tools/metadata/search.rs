//! modules_search.

use super::scope::{Asked, Chosen, Folders, Opened};
use crate::answers::report::{AssemblyMatches, MemberEntry, NamespaceTypes, SearchReport, TypeMethods};
use crate::session::{Code, SessionError};
use clr_metadata::{MethodId, NamePattern, NameStyle, Rank, Searched, TypeId};

pub(super) struct Query {
    pub(super) pattern: String,
    pub(super) searched: Searched,
    pub(super) max_results: usize,
}

/// A match, before anything of it is put into words.
#[derive(Clone, Copy)]
struct Match {
    rank: Rank,
    /// User modules first, in each what is public.
    is_system: bool,
    is_hidden: bool,
    module: usize,
    item: Item,
}

#[derive(Clone, Copy)]
enum Item {
    Type(TypeId),
    Method(MethodId),
}

pub(super) fn pattern(text: &str, argument: &str) -> Result<NamePattern, SessionError> {
    NamePattern::parse(text).map_err(|reason| {
        let hint = "pass part of a name, or a pattern with * and ?: Order, Order*, Basics.Order.Add";
        SessionError::new(Code::InvalidPattern, format!("`{argument}` {reason}"), hint)
    })
}

pub(super) fn search(asked: Asked, query: &Query) -> Result<SearchReport, SessionError> {
    let pattern = pattern(&query.pattern, "pattern")?;
    let chosen = asked.open(Folders::Allowed)?;
    let mut report = SearchReport { root: chosen.shown_root(), ..SearchReport::default() };
    let (mut generated, mut unreadable) = (0, 0);
    let mut found: Vec<Match> = Vec::new();
    // Only assemblies with matches stay open.
    let mut opened: Vec<Option<Opened>> = Vec::with_capacity(chosen.len());
    for (module, assembly) in chosen.assemblies().enumerate() {
        let Some(assembly) = assembly else {
            unreadable += 1;
            opened.push(None);
            continue;
        };
        let matches = assembly.assembly.search(&pattern, query.searched);
        generated += matches.compiler_generated;
        let is_system = !assembly.is_user;
        let is_hit = !matches.types.is_empty() || !matches.methods.is_empty();
        let inside = &assembly.assembly;
        let types = matches.types.into_iter().map(|(rank, id)| (rank, Item::Type(id), inside.type_(id).is_public()));
        let methods = matches.methods.into_iter();
        let methods = methods.map(|(rank, id)| (rank, Item::Method(id), inside.method(id).visibility() == "public"));
        found.extend(types.chain(methods).map(|(rank, item, is_public)| Match {
            rank,
            is_system,
            is_hidden: !is_public,
            module,
            item,
        }));
        opened.push(is_hit.then_some(assembly));
    }
    report.count = found.len() as u64;
    // The sort is stable: equal matches stay in the order of modules and files.
    found.sort_by_key(|found| (found.rank, found.is_system, found.is_hidden));
    report.more_matches = found.len().checked_sub(query.max_results).filter(|more| *more > 0);
    found.truncate(query.max_results);
    report.assemblies = matches_of(&chosen, &found, &opened);
    report.compiler_generated = Some(generated).filter(|count| *count > 0);
    report.unreadable = Some(unreadable).filter(|count| *count > 0);
    if report.count == 0 {
        report.looked_in = Some(chosen.counted());
        report.hint = Some(nothing(&chosen, query, generated));
    }
    Ok(report)
}

/// What was not searched, and how it can be.
fn nothing(chosen: &Chosen, query: &Query, generated: usize) -> String {
    let mut words = Vec::new();
    match query.searched {
        Searched { types: true, methods: false } => words.push("`kind` excluded methods".to_owned()),
        Searched { types: false, methods: true } => words.push("`kind` excluded types".to_owned()),
        _ => {}
    }
    if generated > 0 {
        words.push("compiler-generated members are omitted".into());
    }
    words.push("fields, properties and events are not searched: members_get lists those of a type".into());
    if chosen.is_loaded() {
        words.push("assemblies that are not loaded yet are not searched: pass their folder as `assembly`".into());
    }
    words.join("; ")
}

/// Grouped by module, namespace and type, each group where its best match stands.
fn matches_of(chosen: &Chosen, found: &[Match], opened: &[Option<Opened>]) -> Vec<AssemblyMatches> {
    let mut groups: Vec<(usize, AssemblyMatches)> = Vec::new();
    for Match { module, item, .. } in found {
        let Some(Some(Opened { name, assembly, .. })) = opened.get(*module) else { continue };
        let at = groups.iter().position(|(number, _)| number == module).unwrap_or_else(|| {
            groups.push((*module, AssemblyMatches { module: name.clone(), ..AssemblyMatches::default() }));
            groups.len() - 1
        });
        let Some((_, group)) = groups.get_mut(at) else { continue };
        match item {
            Item::Type(id) => {
                let type_ = assembly.type_(*id);
                push_type(&mut group.namespaces, type_.namespace(), type_.listed());
            }
            Item::Method(id) => {
                let method = assembly.method(*id);
                let Some(owner) = method.declaring_type() else { continue };
                let Some(signature) = method.declaration(NameStyle::Short) else { continue };
                let entry = MemberEntry { signature, at: chosen.place(assembly, *id) };
                let type_name = owner.source_name();
                match group.methods_of.iter_mut().find(|methods| methods.type_name == type_name) {
                    Some(methods) => methods.methods.push(entry),
                    None => group.methods_of.push(TypeMethods { type_name, methods: vec![entry] }),
                }
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Into the group of its namespace.
pub(super) fn push_type(groups: &mut Vec<NamespaceTypes>, namespace: &str, type_: String) {
    let namespace = Some(namespace.to_owned()).filter(|namespace| !namespace.is_empty());
    match groups.iter_mut().find(|group| group.namespace == namespace) {
        Some(group) => group.types.push(type_),
        None => groups.push(NamespaceTypes { namespace, types: vec![type_] }),
    }
}
