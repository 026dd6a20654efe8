//! Whether a type can be meant where a name stands.

use super::Scope;
use crate::code::navigate::symbol::Symbol;
use crate::code::navigate::syntax::{NodeId, Role, Syntax};

/// What the grammar lets a name be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::code::navigate) enum Standing {
    Type,
    /// Before a dot and this name: a type, unless a value is called so (then, if the type has such a static member).
    Before(NodeId),
    /// A type, unless a value is called so.
    Open,
    Neither,
}

impl Syntax {
    pub(in crate::code::navigate) fn standing(&self, identifier: NodeId, role: Role) -> Standing {
        if matches!(role, Role::Declaration | Role::ArgumentName | Role::Call | Role::Write(_)) {
            return Standing::Neither;
        }
        let name = match self.parent(identifier) {
            Some(around) if self.kind(around) == "generic_name" => around,
            _ => identifier,
        };
        let mut whole = name;
        // Up to where it is no longer the last name of a path.
        while let Some(around) = self.parent(whole) {
            let is_path =
                matches!(self.kind(around), "member_access_expression" | "qualified_name" | "alias_qualified_name");
            if !is_path || self.field(whole) != Some("name") {
                break;
            }
            whole = around;
        }
        let Some(around) = self.parent(whole) else { return Standing::Open };
        if matches!(role, Role::New | Role::TypeOf | Role::Base | Role::Attribute) {
            return Standing::Type;
        }
        let field = self.field(whole);
        match self.kind(around) {
            "member_access_expression" if field == Some("expression") && self.is_in_pattern(around) => {
                Standing::Neither
            }
            "member_access_expression" if field == Some("expression") => match self.child(around, "name") {
                Some(behind) => Standing::Before(self.last_identifier(behind).unwrap_or(behind)),
                None => Standing::Open,
            },
            "qualified_name" => Standing::Type,
            "using_directive" => match self.has_child(around, "static") || self.has_child(around, "=") {
                true => Standing::Type,
                false => Standing::Neither,
            },
            // `{ Items = { 1, 2 } }` is read.
            "assignment_expression" if field == Some("left") => Standing::Neither,
            "subpattern"
            | "name_colon"
            | "name_equals"
            | "labeled_statement"
            | "goto_statement"
            | "conditional_access_expression"
            | "member_binding_expression" => Standing::Neither,
            "namespace_declaration" | "file_scoped_namespace_declaration" => Standing::Neither,
            "type_argument_list"
            | "base_list"
            | "primary_constructor_base_type"
            | "array_type"
            | "nullable_type"
            | "pointer_type"
            | "ref_type"
            | "scoped_type"
            | "typeof_expression"
            | "sizeof_expression"
            | "explicit_interface_specifier"
            | "type_parameter_constraint"
            | "tuple_type"
            | "type_pattern"
            | "function_pointer_parameter" => Standing::Type,
            _ if matches!(field, Some("type" | "returns")) => Standing::Type,
            "as_expression" | "is_expression" if field == Some("right") => Standing::Type,
            _ => Standing::Open,
        }
    }

    /// Whether a name is, or is part of, the type that a variable is declared with.
    pub(in crate::code::navigate) fn is_declared_with(&self, identifier: NodeId) -> bool {
        let mut type_ = identifier;
        while let Some(around) = self.parent(type_) {
            match self.kind(around) {
                "variable_declaration" | "declaration_expression" => return self.field(type_) == Some("type"),
                "array_type" | "nullable_type" | "pointer_type" | "ref_type" | "scoped_type" | "tuple_type"
                | "tuple_element" | "generic_name" | "type_argument_list" | "qualified_name" => type_ = around,
                _ => return false,
            }
        }
        false
    }

    /// Whether a path is the member of a property pattern: `{ A.B: 1 }`.
    fn is_in_pattern(&self, path: NodeId) -> bool {
        let is_path = |id: &NodeId| self.kind(*id) == "member_access_expression";
        let whole = self.ancestors(path).take_while(is_path).last().unwrap_or(path);
        let around = self.parent(whole);
        around.is_some_and(|around| self.kind(around) == "subpattern" && self.children(around).next() == Some(whole))
    }

    /// The names of the path that an identifier ends, `global` for `global::`; `None` where it is not one of names only.
    pub(in crate::code::navigate) fn path_to(&self, identifier: NodeId) -> Option<Vec<&str>> {
        const MOST: usize = 64;
        let mut names = vec![self.text(identifier).trim_start_matches('@')];
        let mut last = identifier;
        loop {
            let whole = match self.parent(last) {
                Some(around) if self.kind(around) == "generic_name" => around,
                _ => last,
            };
            let around = self.parent(whole)?;
            let before = match (self.kind(around), self.field(whole)) {
                ("member_access_expression", Some("name")) => self.child(around, "expression")?,
                ("qualified_name", Some("name")) => self.child(around, "qualifier")?,
                ("alias_qualified_name", Some("name")) => self.child(around, "alias")?,
                ("member_binding_expression", _) => return None,
                _ => break,
            };
            last = match self.kind(before) {
                "identifier"
                | "generic_name"
                | "qualified_name"
                | "member_access_expression"
                | "alias_qualified_name" => self.last_identifier(before)?,
                // The grammar's word for `global`.
                "global" => {
                    names.push("global");
                    break;
                }
                _ => return None,
            };
            if names.len() > MOST || self.kind(last) != "identifier" {
                return None;
            }
            names.push(self.text(last).trim_start_matches('@'));
        }
        names.reverse();
        Some(names)
    }

    /// How many type arguments a name has.
    pub(in crate::code::navigate) fn arguments(&self, identifier: NodeId) -> usize {
        let generic = self.parent(identifier).filter(|&around| self.kind(around) == "generic_name");
        let list = generic.and_then(|id| self.children(id).find(|&child| self.kind(child) == "type_argument_list"));
        let Some(list) = list else { return 0 };
        match self.children(list).filter(|&child| !matches!(self.kind(child), "<" | ">" | ",")).count() {
            // `Box<,>` names none of them.
            0 => self.text(list).matches(',').count() + 1,
            count => count,
        }
    }

    /// Whether a declaration around the place has a type parameter of that name.
    pub(super) fn is_type_parameter(&self, name: &str, at: NodeId) -> bool {
        std::iter::once(at).chain(self.ancestors(at)).any(|around| {
            let mut lists = self.children(around).filter(|&child| self.kind(child) == "type_parameter_list");
            lists.any(|list| {
                self.children(list).any(|it| {
                    self.kind(it) == "type_parameter"
                        && self
                            .child(it, "name")
                            .or_else(|| self.children(it).last())
                            .is_some_and(|it| self.text(it) == name)
                })
            })
        })
    }
}

impl Scope<'_> {
    /// Whether an identifier means the type.
    pub(in crate::code::navigate) fn is_type(&self, identifier: NodeId, role: Role, type_: &Symbol) -> bool {
        let syntax = self.syntax;
        let Some(mut path) = syntax.path_to(identifier) else { return false };
        let arity = syntax.arguments(identifier);
        let suffixed = format!("{}Attribute", path.last().copied().unwrap_or_default());
        if role == Role::Attribute
            && suffixed.trim_end_matches("Attribute") != suffixed
            && type_.simple == suffixed
            && let Some(last) = path.last_mut()
        {
            *last = &suffixed;
        }
        let fits = |path: &[&str]| self.means_type(path, arity, identifier, type_);
        let has_static = |type_: &Symbol, member: &str| {
            let home = type_.home.and_then(|home| Some((home.assembly, clr_metadata::TypeId::from_token(home.token)?)));
            home.is_none_or(|home| self.has_static(home, member))
        };
        let name = syntax.text(identifier);
        let is_alone = path.len() == 1;
        match syntax.standing(identifier, role) {
            Standing::Neither => false,
            Standing::Type => fits(&path),
            Standing::Open => !(is_alone && self.is_value(name, identifier)) && fits(&path),
            Standing::Before(member) => {
                fits(&path)
                    && (!(is_alone && self.is_value(name, identifier)) || has_static(type_, syntax.text(member)))
            }
        }
    }

    /// A static member, a constant or a type within.
    pub(super) fn has_static(&self, (assembly, type_): (usize, clr_metadata::TypeId), name: &str) -> bool {
        let Some(assembly) = self.binding.navigator.assembly(assembly) else { return true };
        let view = assembly.type_(type_);
        let method = |id| {
            let it = assembly.method(id);
            let is_named = it.name() == name || it.name().strip_prefix("get_") == Some(name);
            is_named && it.is_static()
        };
        view.fields().iter().any(|it| it.name == name && (it.is_static || it.is_literal))
            || view.methods().any(method)
            || view.nested_types().into_iter().any(|id| assembly.type_(id).name().split('`').next() == Some(name))
    }

    /// Whether the value of an expression before a dot is of one of the types whose paths `is_wanted` takes; `None`: not known here.
    pub(in crate::code::navigate) fn value_is_of(
        &self,
        identifier: NodeId,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Option<bool> {
        let (declared, _) = self.syntax.local(identifier)?;
        let around = self.syntax.parent(declared)?;
        let written =
            self.syntax.child(around, "type").or_else(|| self.syntax.child(self.syntax.parent(around)?, "type"))?;
        let last = self.syntax.last_identifier(written)?;
        let path = self.syntax.path_to(last)?;
        (path != ["var"]).then(|| self.means(&path, self.syntax.arguments(last), last, is_wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_says_where_a_type_can_stand() {
        for (code, standing) in [
            ("X a;", "Type"),
            ("x = new X();", "Type"),
            ("x = (X)y;", "Type"),
            ("x = y as X;", "Type"),
            ("var z = y is X;", "Open"),
            ("List<X> a;", "Type"),
            ("X.Y();", "Before"),
            ("A.X.Y();", "Before"),
            ("F(X);", "Open"),
            ("X();", "Neither"),
            ("X = 1;", "Neither"),
            ("F(X: 1);", "Neither"),
            ("_ = new A { X = { 1 } };", "Neither"),
            ("a?.X.Y();", "Neither"),
            ("_ = a is { X.Y: 1 };", "Neither"),
            ("_ = a is { Z: X.Y };", "Before"),
        ] {
            let syntax = Syntax::parse(format!("class A {{ void M() {{ {code} }} }}")).unwrap();
            let found = syntax.occurrences("X");
            let actual = format!("{:?}", syntax.standing(found[0].node, found[0].role));
            assert!(actual.starts_with(standing), "{code}: {actual}");
        }
    }

    #[test]
    fn a_path_is_made_of_names_only() {
        for (code, path) in [
            ("A.B.X.Y();", Some(vec!["A", "B", "X"])),
            ("A<int>.X a;", Some(vec!["A", "X"])),
            ("X a;", Some(vec!["X"])),
            ("F().X.Y();", None),
            ("global::A.X a;", Some(vec!["global", "A", "X"])),
        ] {
            let syntax = Syntax::parse(format!("class K {{ void M() {{ {code} }} }}")).unwrap();
            assert_eq!(syntax.path_to(syntax.occurrences("X")[0].node), path, "{code}");
        }
    }

    #[test]
    fn type_arguments_are_counted() {
        for (code, count) in [("X a;", 0), ("X<int> a;", 1), ("X<int, A<int, int>> a;", 2), ("F(typeof(X<,>));", 2)] {
            let syntax = Syntax::parse(format!("class K {{ void M() {{ {code} }} }}")).unwrap();
            assert_eq!(syntax.arguments(syntax.occurrences("X")[0].node), count, "{code}");
        }
    }
}
