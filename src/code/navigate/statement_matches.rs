//! The names in a statement that mean the symbol: the text says where and in which form, the instructions say whether.

use std::collections::BTreeSet;

use super::statement::{Does, Statement, is_in_lambda, is_of_other_pattern, place_of};
use super::symbol::{Symbol, SymbolKind};
use super::syntax::{Form, NodeId, Occurrence, Role, Syntax};
use super::turns::Turns;
use super::usage::{Usage, UsageKind};

/// Where the text could mean the symbol. `depth`: so many brackets behind its name lead to elements within its own value.
pub(super) fn candidates(syntax: &Syntax, symbol: &Symbol, depth: usize) -> Vec<Occurrence> {
    match symbol.kind {
        SymbolKind::Field if depth > 0 => {
            let named = syntax.occurrences(&symbol.simple).into_iter();
            named.map(|it| Occurrence { role: syntax.role_of_elements(it.node, depth), ..it }).collect()
        }
        SymbolKind::Constructor => syntax.creations(&symbol.simple),
        SymbolKind::Indexer => syntax.element_accesses(),
        _ if symbol.simple.contains("operator ") => syntax.operations(&symbol.simple),
        _ => syntax.occurrences(&symbol.simple),
    }
}

/// The uses of one statement: the names whose turn it is, else every name that does what the instructions do, else the statement itself.
pub(super) fn usages_in(
    syntax: &Syntax,
    statement: &Statement,
    (symbol, turns): (&Symbol, &Turns<'_>),
    candidates: &[Occurrence],
    taken: &mut BTreeSet<NodeId>,
    usages: &mut Vec<Usage>,
) {
    let point = statement.point;
    let span = syntax.byte_at(point.line, point.column).zip(syntax.byte_at(point.end_line, point.end_column));
    let Some((start, end)) = span else { return };
    let mut is_found = false;
    let named = turns.named(syntax, statement, &(start..end), candidates);
    for (&node, does) in named.iter().flatten() {
        let role = candidates.iter().find(|it| it.node == node).map_or(Role::Call, |it| it.role);
        let Some((kind, form)) = agreed(symbol, role, *does) else { continue };
        is_found = true;
        taken.insert(node);
        usages.push(usage(syntax, statement, syntax.position(syntax.range(node).start), kind, form));
    }
    if is_found {
        return;
    }
    // a lambda that is an expression tree has no statements of its own: this one names what is in it by tokens
    let makes_tree = statement.does.token && symbol.kind != SymbolKind::Type;
    let mut agreeing: Vec<(NodeId, Usage)> = Vec::new();
    for candidate in candidates {
        let place = place_of(syntax, candidate.node);
        let is_apart = !makes_tree && is_in_lambda(syntax, candidate.node, start, end);
        if place.start < start || place.end > end || is_apart {
            continue;
        }
        let Some((kind, form)) = agreed(symbol, candidate.role, statement.does) else { continue };
        let at = syntax.position(syntax.range(candidate.node).start);
        agreeing.push((candidate.node, usage(syntax, statement, at, kind, form)));
    }
    if symbol.kind == SymbolKind::Type {
        // `Foo[] a = new Foo[3]`: no instruction comes of the type that a variable is declared with, unless nothing else names it.
        let made = zeroed(syntax, statement, symbol, start..end);
        if !made.is_empty() || agreeing.iter().any(|(node, _)| !syntax.is_declared_with(*node)) {
            agreeing.retain(|(node, _)| !syntax.is_declared_with(*node));
        }
        is_found = !made.is_empty();
        usages.extend(made);
    }
    is_found |= !agreeing.is_empty();
    taken.extend(agreeing.iter().map(|(node, _)| *node));
    if agreeing.len() > statement.uses.len() {
        agreeing.retain(|(node, _)| !is_of_other_pattern(syntax, *node, symbol));
        // Not all of them mean it: of those on a line, one.
        let mut seen = BTreeSet::new();
        agreeing.retain(|(_, it)| seen.insert((it.line, it.kind, it.form)));
        if agreeing.len() > 1 && symbol.simple.contains("operator ") {
            // Signs of all types look the same.
            agreeing.clear();
            is_found = false;
        }
    }
    usages.extend(agreeing.into_iter().map(|(_, usage)| usage));
    if is_found {
        if symbol.kind == SymbolKind::Type {
            usages.extend(made_besides(syntax, statement, candidates, start..end));
        }
        return;
    }
    if symbol.kind == SymbolKind::Type {
        usages.extend(unnamed_type(syntax, statement, symbol, start..end));
        return;
    }
    // Not named there: `foreach`, a collection's initializer, the value of a property's declaration.
    let declared = declared_around(syntax, start..end);
    if declared == Some("record_declaration") {
        // The record's own parameter: its declaration.
        return;
    }
    let at = (point.line, point.column);
    let does = statement.does;
    let form = match declared {
        Some(_) => Form::Initializer,
        None if does.out => Form::Out,
        None if does.read => Form::Compound,
        None if does.by_ref => Form::Ref,
        None => Form::Simple,
    };
    for (is, kind, form) in [
        (does.read && !does.write, UsageKind::Read, None),
        (does.write || does.out || does.by_ref, UsageKind::Write, Some(form)),
        (does.call || makes_tree && symbol.kind == SymbolKind::Method, UsageKind::Call, None),
        (makes_tree && symbol.kind == SymbolKind::Field && !does.read, UsageKind::Read, None),
        (does.new, UsageKind::New, None),
        (does.token && !makes_tree, UsageKind::TypeOf, None),
    ] {
        if is {
            usages.push(usage(syntax, statement, at, kind, form));
        }
    }
}

/// The `new()` of a statement that also names the type, where as many objects more are made as there are such.
fn made_besides(
    syntax: &Syntax,
    statement: &Statement,
    candidates: &[Occurrence],
    span: std::ops::Range<usize>,
) -> Vec<Usage> {
    let made = statement.uses.iter().filter(|(_, does)| does.new).count();
    let is_named = |it: &&Occurrence| it.role == Role::New && is_in_statement(syntax, it.node, &span);
    let unnamed: Vec<NodeId> = unnamed_creations(syntax, &span).collect();
    match made == candidates.iter().filter(is_named).count() + unnamed.len() {
        true => unnamed.into_iter().map(|id| creation(syntax, statement, id)).collect(),
        false => Vec::new(),
    }
}

/// The `new()` of a struct without a constructor: its instruction names the type alone, as that of `default` does.
fn zeroed(syntax: &Syntax, statement: &Statement, symbol: &Symbol, span: std::ops::Range<usize>) -> Vec<Usage> {
    if !symbol.signature.starts_with("struct ") || statement.does.new {
        return Vec::new();
    }
    let unnamed: Vec<NodeId> = unnamed_creations(syntax, &span).collect();
    match unnamed.len() == statement.uses.len() {
        true => unnamed.into_iter().map(|id| creation(syntax, statement, id)).collect(),
        false => Vec::new(),
    }
}

fn is_in_statement(syntax: &Syntax, id: NodeId, span: &std::ops::Range<usize>) -> bool {
    let range = syntax.range(id);
    range.start >= span.start && range.end <= span.end && !is_in_lambda(syntax, id, span.start, span.end)
}

/// `new()`
fn unnamed_creations<'a>(syntax: &'a Syntax, span: &'a std::ops::Range<usize>) -> impl Iterator<Item = NodeId> + 'a {
    let is_unnamed = |id: &NodeId| syntax.kind(*id) == "implicit_object_creation_expression";
    syntax.all().filter(is_unnamed).filter(|&id| is_in_statement(syntax, id, span))
}

fn creation(syntax: &Syntax, statement: &Statement, id: NodeId) -> Usage {
    usage(syntax, statement, syntax.position(syntax.range(id).start), UsageKind::New, None)
}

/// A type that a statement works with and does not name: only what is made of it is a use. Boxing, and a lambda that becomes a delegate,
/// are none.
fn unnamed_type(
    syntax: &Syntax,
    statement: &Statement,
    symbol: &Symbol,
    span: std::ops::Range<usize>,
) -> Option<Usage> {
    if !statement.does.new || symbol.signature.starts_with("delegate ") {
        return None;
    }
    let made = unnamed_creations(syntax, &span).next();
    let at = match made {
        Some(made) => syntax.position(syntax.range(made).start),
        None => (statement.point.line, statement.point.column),
    };
    Some(usage(syntax, statement, at, UsageKind::New, None))
}

/// What a name's place in the text says, where the instructions agree.
fn agreed(symbol: &Symbol, role: Role, does: Does) -> Option<(UsageKind, Option<Form>)> {
    // What a getter returns by reference may be written to.
    let gives_place = does.read && symbol.signature.starts_with("ref ") && !symbol.is_read_only_ref;
    let writes = does.write || does.out || does.by_ref || gives_place;
    let (kind, form, is) = match (symbol.kind, role) {
        (_, Role::NameOf | Role::Declaration | Role::ArgumentName) => return None,
        (SymbolKind::Constructor, Role::New) => (UsageKind::New, None, does.new),
        (SymbolKind::Constructor, _) => (UsageKind::Call, None, does.call),
        (SymbolKind::Type, Role::TypeOf) => (UsageKind::TypeOf, None, does.token),
        // Of a struct without such a constructor the instruction names the type alone.
        (SymbolKind::Type, Role::New) => (UsageKind::New, None, does.new || does.read),
        (SymbolKind::Type, _) => (UsageKind::Read, None, does.read && role == Role::Read),
        (SymbolKind::Method, Role::Call) => (UsageKind::Call, None, does.call || does.token),
        (SymbolKind::Method, _) => (UsageKind::Read, None, does.read || does.token),
        (_, Role::Write(Form::Ref)) if symbol.is_read_only_ref => (UsageKind::Read, None, does.read),
        // The address of a field may go anywhere.
        (_, Role::Write(Form::Ref)) => (UsageKind::Write, Some(Form::Ref), writes || does.address),
        (_, Role::Write(form)) => (UsageKind::Write, Some(form), writes),
        (_, _) => (UsageKind::Read, None, does.read || does.by_ref || does.token),
    };
    is.then_some((kind, form))
}

fn usage(syntax: &Syntax, statement: &Statement, at: (u32, u32), kind: UsageKind, form: Option<Form>) -> Usage {
    Usage {
        line: at.0,
        column: at.1,
        more_columns: Vec::new(),
        kind,
        form,
        function: Some(statement.function.clone()),
        function_kind: Some(statement.function_kind.clone()).filter(|kind| !kind.is_empty()),
        via: statement.via.clone(),
        from_syntax: false,
        source: syntax.line(at.0).to_owned(),
    }
}

/// The declaration whose value a stretch of code is, if it stands in no body.
fn declared_around(syntax: &Syntax, span: std::ops::Range<usize>) -> Option<&'static str> {
    let innermost = syntax.innermost(&span);
    // A lambda may be the value itself.
    let own = Some(innermost).filter(|&id| syntax.range(id) != span);
    let kinds = own.into_iter().chain(syntax.ancestors(innermost)).map(|id| syntax.kind(id));
    for kind in kinds {
        match kind {
            "block" | "arrow_expression_clause" | "lambda_expression" | "accessor_list" => return None,
            "field_declaration" | "property_declaration" | "event_field_declaration" => return Some(kind),
            "record_declaration" | "record_struct_declaration" => return Some("record_declaration"),
            _ => {}
        }
    }
    None
}
