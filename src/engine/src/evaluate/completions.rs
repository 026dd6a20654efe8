//! What may complete a partial expression: the members of what stands before the dot, or the names of the
//! frame. Nothing runs for it.

use clr_csharp::run;
use clr_csharp::syntax;
use clr_csharp::types::{Definition, Type, TypeSystem};
use clr_csharp::value::Value;
use clr_csharp::world::Scope;

use clr_metadata::names::is_display_class;

use super::{Evaluated, Evaluation};

/// A name that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub name: String,
    /// `variable`, `field`, `property` or `method`.
    pub kind: &'static str,
    /// The type of a value, the parameters of a method; empty if unknown.
    pub detail: String,
}

/// Names that are given, at most.
const MOST: usize = 500;

/// The name that a text ends with, perhaps an empty one.
pub fn begun_name(text: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$');
    let from = text.rfind(|c| !is_name(c)).map_or(0, |at| text.ceil_char_boundary(at + 1));
    text.get(from..).unwrap_or("")
}

/// What stands before the dot that the text ends with; `None` without one.
fn receiver(text: &str) -> Option<&str> {
    let rest = text.trim_end().strip_suffix('.')?;
    let rest = rest.strip_suffix('?').unwrap_or(rest).trim_end();
    let mut depth = 0_u32;
    let mut in_text = false;
    let mut from = rest.len();
    for (at, c) in rest.char_indices().rev() {
        match c {
            '"' => in_text = !in_text,
            _ if in_text => {}
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 0 => break,
            '(' | '[' => depth -= 1,
            _ if depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | '.' | '?' | '!') => {}
            _ => break,
        }
        from = at;
    }
    rest.get(from..).map(|receiver| receiver.trim_start_matches('!')).filter(|receiver| !receiver.is_empty())
}

impl Evaluation<'_> {
    /// The names with which `text` may go on, its last name completed.
    pub fn completions(&mut self, text: &str) -> Vec<Candidate> {
        let begun = begun_name(text).to_lowercase();
        let before = text.get(..text.len() - begun_name(text).len()).unwrap_or("");
        let all = match receiver(before) {
            Some(receiver) => self.members_of(receiver),
            None if before.trim_end().ends_with('.') => Vec::new(),
            None => self.names_in_scope(),
        };
        let mut found: Vec<Candidate> = Vec::new();
        for candidate in all {
            let fits = candidate.name.to_lowercase().starts_with(&begun);
            if fits && found.len() < MOST && !found.iter().any(|known| known.name == candidate.name) {
                found.push(candidate);
            }
        }
        found
    }

    fn members_of(&mut self, receiver: &str) -> Vec<Candidate> {
        // what the value is, where it can be read, shows more than what it is declared as
        let calls = self.calls.take();
        let value = self.text(receiver);
        self.calls = calls;
        let known = match value {
            Ok(Evaluated::Value(answer)) => match &answer.value {
                Value::Object(place) => {
                    let exact = place.read(self.stopped).ok().filter(|value| !value.is_null());
                    Some(exact.and_then(|value| value.signature().ok()).map_or(answer.type_, |exact| Type::of(&exact)))
                }
                _ => Some(answer.type_),
            },
            _ => None,
        };
        let (loaded, scope) = self.names(receiver);
        let types = &loaded.types;
        let declared = || run::type_of(types, &scope, &syntax::parse(receiver).ok()?).ok();
        let found = match known.or_else(declared) {
            Some(type_) => members(types, &type_, false),
            None => named(types, &scope, receiver).map(|type_| members(types, &type_, true)).unwrap_or_default(),
        };
        self.stopped.target().keep_types(loaded);
        found
    }

    fn names_in_scope(&mut self) -> Vec<Candidate> {
        let (loaded, scope) = self.names_where("", &|_| true);
        let candidate = |name: &str, type_: Option<&Type>| Candidate {
            name: name.to_owned(),
            kind: "variable",
            detail: type_.map(Type::short).unwrap_or_default(),
        };
        let named = scope.variables.iter().filter(|variable| !is_display_class(&variable.name));
        let mut found: Vec<Candidate> =
            named.map(|variable| candidate(&variable.name, variable.type_.as_ref())).collect();
        found.extend(scope.constants.iter().map(|(name, type_, _)| candidate(name, Some(type_))));
        let has_this = scope.variables.iter().any(|variable| variable.name == "this");
        for (at, type_) in scope.enclosing.iter().enumerate() {
            found.extend(members(&loaded.types, type_, at > 0 || !has_this));
            if at == 0 && has_this {
                found.extend(members(&loaded.types, type_, true));
            }
        }
        self.stopped.target().keep_types(loaded);
        found
    }
}

/// A type by the name that a receiver may be.
fn named(types: &TypeSystem, scope: &Scope, receiver: &str) -> Option<Type> {
    let is_type = |name: &str| types.find(name).map(|_| Type::named(name, Vec::new()));
    let within = scope.enclosing.iter().filter_map(Type::name).flat_map(|around| {
        // nested in a type around the code, or beside it in a namespace
        around.match_indices('.').map(|(at, _)| around.get(..at).unwrap_or("")).chain([around])
    });
    let imported = scope.imports.iter().flat_map(|imports| imports.namespaces.iter().map(String::as_str));
    is_type(receiver).or_else(|| within.chain(imported).find_map(|around| is_type(&format!("{around}.{receiver}"))))
}

/// Fields, properties and methods that code can name, those of the type itself first.
fn members(types: &TypeSystem, type_: &Type, is_static: bool) -> Vec<Candidate> {
    let mut chain = types.chain(type_);
    if chain.is_empty() {
        chain.push(type_.clone());
    }
    let mut found = Vec::new();
    for definition in chain.iter().filter_map(|type_| types.definition(type_)) {
        let fields = types.fields(&definition);
        let fields = fields.iter().filter(|field| field.is_static == is_static && is_plain(&field.name));
        found.extend(fields.map(|field| of(&field.name, "field", field.type_.short())));
        let properties = types.properties(&definition);
        let properties = properties.iter().filter(|it| it.is_static == is_static && !it.is_indexer());
        found.extend(properties.filter(|it| is_plain(&it.name)).map(|it| of(&it.name, "property", it.type_.short())));
        found.extend(methods(types, &definition, is_static));
    }
    found
}

fn methods(types: &TypeSystem, definition: &Definition, is_static: bool) -> Vec<Candidate> {
    const SPECIAL_NAME: u32 = 0x800;
    let mut names: Vec<&str> = Vec::new();
    for method in definition.view().methods() {
        let method = definition.assembly.method(method);
        let name = method.name();
        if is_plain(name) && method.flags() & SPECIAL_NAME == 0 && !names.contains(&name) {
            names.push(name);
        }
    }
    let overloads = |name: &&str| {
        let overloads = types.methods(definition, name);
        let first = overloads.iter().find(|it| it.is_static == is_static)?;
        let parameters: Vec<String> = first.parameters.iter().map(|it| it.type_.short()).collect();
        let more = match overloads.iter().filter(|it| it.is_static == is_static).count() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        Some(of(name, "method", format!("({}){more}", parameters.join(", "))))
    };
    names.iter().filter_map(overloads).collect()
}

fn of(name: &str, kind: &'static str, detail: String) -> Candidate {
    Candidate { name: name.to_owned(), kind, detail }
}

/// Neither the compiler's nor an explicit implementation.
fn is_plain(name: &str) -> bool {
    !name.contains(['<', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operand_before_the_cursor_is_found() {
        for (text, expected_receiver, name) in [
            ("ord", None, "ord"),
            ("order.", Some("order"), ""),
            ("1 + order.Total", Some("order"), "Total"),
            ("orders[i + 1].Items.Co", Some("orders[i + 1].Items"), "Co"),
            ("f(a.B, order?.Na", Some("order"), "Na"),
            ("Find(\"a.b(\", x).", Some("Find(\"a.b(\", x)"), ""),
            ("!flags.Is", Some("flags"), "Is"),
            ("größe.", Some("größe"), ""),
            ("(a + b).", Some("(a + b)"), ""),
        ] {
            let before = &text[..text.len() - begun_name(text).len()];
            assert_eq!((receiver(before), begun_name(text)), (expected_receiver, name), "{text}");
        }
    }
}
