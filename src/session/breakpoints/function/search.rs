//! Looks for the methods that a name means, and for the first statement of each.

use super::{MethodPlace, Methods, Missing, file_name};
use crate::session::breakpoints::attributes::hiding_attribute;
use crate::session::breakpoints::similar_names::{Similar, nearest};
use crate::session::breakpoints::{adapter_name, function_name};
use crate::session::modules::Surveyed;
use crate::session::sources::Sources;
use clr_metadata::{Assembly, FunctionEntry, MethodId, MethodQuery, SequencePoint};

/// Methods that one name binds. More are counted.
const MOST: usize = 256;

/// The places in user code; where there are none, all others.
pub(super) fn search(query: &MethodQuery, all: &[Surveyed], sources: &Sources) -> Methods {
    let (mut users, mut others, mut missing) = (Vec::new(), Vec::new(), None);
    let mut has_type_arguments = false;
    for known in all {
        let assembly = &known.assembly;
        for method in assembly.methods_called(query) {
            has_type_arguments |= query.has_type_arguments(assembly, method);
            if let Some(mut place) = place_of(known, method, all) {
                place.begins_others &= query.any_overload().is_some();
                let list = if sources.is_users(&place.path) { &mut users } else { &mut others };
                if !list.contains(&place) {
                    list.push(place);
                }
                continue;
            }
            let found = match known.fault() {
                Some(fault) => Missing::Symbols { module: file_name(assembly), loaded: known.loaded, fault },
                None => Missing::Code { method: function_name::describe(assembly, method) },
            };
            missing.get_or_insert(found);
        }
    }
    let mut places = if users.is_empty() { others } else { users };
    share_lines(&mut places);
    let unbound = places.len().saturating_sub(MOST);
    places.truncate(MOST);
    let with_symbols = || all.iter().filter(|known| known.assembly.pdb().is_some());
    let unknown = places.is_empty() && missing.is_none() && !all.is_empty();
    let overloads = if unknown { overloads(query, all) } else { Vec::new() };
    let missing = match unknown {
        true if !overloads.is_empty() => Some(Missing::Overload { overloads }),
        true => Some(Missing::Name { nearest: nearest(query, with_symbols()), searched: with_symbols().count() }),
        false => missing,
    };
    Methods { places, unbound, missing, has_type_arguments, ..Methods::default() }
}

/// The names in some assemblies that are like the wanted one, and how many of them have symbols; `None` where one has that very name.
pub(super) fn unlike(query: &MethodQuery, all: &[Surveyed]) -> Option<(Similar, usize)> {
    let has = |query: &MethodQuery| all.iter().any(|known| !known.assembly.methods_called(query).is_empty());
    if has(query) || query.any_overload().is_some_and(|query| has(&query)) {
        return None;
    }
    let with_symbols = || all.iter().filter(|known| known.assembly.pdb().is_some());
    Some((nearest(query, with_symbols()), with_symbols().count()))
}

/// Methods of the wanted name with other parameters than were said.
fn overloads(query: &MethodQuery, all: &[Surveyed]) -> Vec<String> {
    let Some(query) = query.any_overload() else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for assembly in all.iter().map(|known| &known.assembly) {
        for method in assembly.methods_called(&query) {
            let overload = function_name::describe(assembly, method) + &assembly.parameter_types(method);
            if !found.contains(&overload) {
                found.push(overload);
            }
        }
    }
    found
}

/// Of overloads that one name binds an adapter says the line of one alone.
fn share_lines(places: &mut [MethodPlace]) {
    let named: Vec<(String, u32)> =
        places.iter().filter_map(|place| Some((place.by_name.clone()?, place.line))).collect();
    for place in places {
        let others = named.iter().filter(|(name, _)| Some(name) == place.by_name.as_ref()).map(|(_, line)| *line);
        place.lines.extend(others);
    }
}

fn place_of(known: &Surveyed, method: MethodId, all: &[Surveyed]) -> Option<MethodPlace> {
    // what the adapter has no symbols of it cannot bind
    if known.refused && known.fault().is_some() {
        return None;
    }
    let assembly = &known.assembly;
    let FunctionEntry { point, has_copy, is_initializer } = assembly.function_entry(method)?;
    let document = assembly.pdb()?.document(point.document)?;
    let others = others_on_line(assembly, method, &point);
    // a line breakpoint binds the method alone that begins furthest left (both adapters)
    let is_behind = others.iter().any(|column| *column < point.column);
    let is_elsewhere = is_behind
        || has_copy
        || has_overload_there(assembly, method, &point)
        || adapter_name::binds_elsewhere(assembly, method, &point);
    let by_name = is_elsewhere.then(|| adapter_name::of(assembly, method, all)).flatten();
    // what begins behind other code on the line is never bound by the line, by no adapter
    let by_name = by_name.or_else(|| (is_behind && !has_copy).then(|| adapter_name::in_source(assembly, method)));
    let first = assembly.first_point(method).map(|first| first.line).filter(|line| *line != point.line);
    Some(MethodPlace {
        behind: first.filter(|_| assembly.method(method).name() == ".ctor"),
        path: document.path.clone(),
        line: point.line,
        lines: vec![point.line],
        column: point.column,
        end_column: point.end_column,
        method: function_name::describe(assembly, method),
        module: file_name(assembly),
        loaded: known.loaded,
        is_optimized: !assembly.is_debug_build(),
        hidden_by: hiding_attribute(assembly, method),
        verified: false,
        begins_others: is_initializer && others.contains(&point.column),
        is_shared: !others.is_empty(),
        is_hidden_by_copy: has_copy && by_name.is_none(),
        by_name,
        moved_to: None,
    })
}

/// Whether a method of the same name begins on its line: of several only the one furthest left has the line, and the name of the
/// others binds that one too, which would stop twice for one call (netcoredbg). Constructors begin elsewhere by their name.
fn has_overload_there(assembly: &Assembly, method: MethodId, first: &SequencePoint) -> bool {
    let Some(pdb) = assembly.pdb() else { return false };
    let own = assembly.method(method);
    let is_overload = |other: MethodId| {
        let other = assembly.method(other);
        other.id() != method
            && other.name() == own.name()
            && other.declaring_type().map(|it| it.id()) == own.declaring_type().map(|it| it.id())
    };
    let on_line = pdb.line_to_methods(first.document, first.line);
    !own.name().starts_with('.') && on_line.into_iter().any(|(other, _)| is_overload(other))
}

/// Columns where code of other methods begins on the line of a method's first statement.
fn others_on_line(assembly: &Assembly, method: MethodId, first: &SequencePoint) -> Vec<u32> {
    let Some(pdb) = assembly.pdb() else { return Vec::new() };
    let own = assembly.method(method).code_method();
    let on_line = pdb.line_to_methods(first.document, first.line);
    let others = on_line.into_iter().map(|(other, _)| other).filter(|other| *other != own);
    let points = others.flat_map(|other| pdb.sequence_points(other));
    let here = points.filter(|point| !point.is_hidden && point.document == first.document && point.line == first.line);
    here.map(|point| point.column).collect()
}
