//! Local variables and parameters: only the text has their names and scopes.

use std::sync::Arc;

use super::syntax::{Form, NodeId, Role, Syntax};

/// A local variable or parameter: IL has no lasting name for it.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) file: usize,
    pub(super) syntax: Arc<Syntax>,
    pub(super) name: String,
    /// Of a local function with what it stands in: `Shop.Program.Main.Compute`. Else the name.
    pub(super) shown: String,
    pub(super) declared: NodeId,
    /// The code that sees it.
    pub(super) scope: NodeId,
}

impl Syntax {
    /// Declaration and scope of the local variable or parameter that an identifier names.
    pub(super) fn local(&self, name: NodeId) -> Option<(NodeId, NodeId)> {
        if !self.may_be_local(name) {
            return None;
        }
        let at = self.range(name).start;
        let declared = self.locals(self.text(name)).into_iter();
        let seen = declared.filter(|(_, scope)| self.range(*scope).contains(&at));
        seen.min_by_key(|(_, scope)| self.range(*scope).len())
    }

    /// Declarations of local variables and parameters of that name, each with its scope.
    pub(super) fn locals(&self, name: &str) -> Vec<(NodeId, NodeId)> {
        let named = self.occurrences(name).into_iter();
        named.filter_map(|it| Some((it.node, self.scope_of_local(it.node)?))).collect()
    }

    pub(super) fn may_be_local(&self, name: NodeId) -> bool {
        let is_member = self.qualifier(name).is_some()
            || match self.role(name) {
                Role::ArgumentName | Role::New | Role::Base | Role::Attribute => true,
                // Of an object: of a variable's own declaration the parent is the declarator.
                Role::Write(Form::Initializer) => {
                    self.parent(name).is_none_or(|it| self.kind(it) != "variable_declarator")
                }
                _ => false,
            };
        self.kind(name) == "identifier" && !is_member
    }

    /// The scope that a declaration of a local opens; `None` where the identifier declares none.
    fn scope_of_local(&self, name: NodeId) -> Option<NodeId> {
        let around = self.parent(name)?;
        let declares = match self.kind(around) {
            // Behind the sign stands a value.
            "variable_declarator" if self.field(name) != Some("name") => false,
            "variable_declarator" => {
                let owner = self.parent(around).and_then(|it| self.parent(it))?;
                !matches!(self.kind(owner), "field_declaration" | "event_field_declaration")
            }
            // A `params` parameter has no node of its own.
            "local_function_statement" if self.field(name) == Some("name") => {
                return self.scope_around(around).filter(|_| self.is_local_function(around));
            }
            "parameter" | "parameter_list" => self.field(name) == Some("name"),
            "catch_declaration"
            | "declaration_expression"
            | "declaration_pattern"
            | "recursive_pattern"
            | "var_pattern"
            | "tuple_pattern"
            | "parenthesized_variable_designation" => self.field(name) != Some("type"),
            // `into g`
            "query_expression" | "join_into_clause" => true,
            "from_clause" | "let_clause" | "join_clause" => self.first_name(around) == Some(name),
            "foreach_statement" => self.field(name) == Some("left"),
            "lambda_expression" => self.field(name) == Some("parameters"),
            _ => false,
        };
        if !declares || self.is_record_parameter(around) {
            return None;
        }
        self.scope_around(name)
    }

    /// How a local gets a value just where it is declared, where no `=` behind its name says so: from the call it is passed to, the loop,
    /// the pattern, the clause, or a tuple that is taken apart.
    pub(super) fn given(&self, declared: NodeId) -> Option<Form> {
        let around = self.parent(declared)?;
        match self.kind(around) {
            "declaration_expression" => {
                let is_out = self.parent(around).is_some_and(|argument| self.has_child(argument, "out"));
                Some(if is_out { Form::Out } else { Form::Initializer })
            }
            "foreach_statement"
            | "tuple_pattern"
            | "declaration_pattern"
            | "recursive_pattern"
            | "var_pattern"
            | "parenthesized_variable_designation"
            | "catch_declaration"
            | "from_clause"
            | "let_clause"
            | "join_clause"
            | "join_into_clause"
            | "query_expression" => Some(Form::Initializer),
            _ => None,
        }
    }

    /// A member of an `extension` block, which the grammar does not know, looks like one.
    pub(super) fn is_local_function(&self, id: NodeId) -> bool {
        let mut modifiers = self.children(id).filter(|&child| self.kind(child) == "modifier");
        let is_of_member = |id| matches!(self.text(id), "public" | "internal" | "protected" | "private");
        self.kind(id) == "local_function_statement" && !modifiers.any(is_of_member)
    }

    fn scope_around(&self, declared: NodeId) -> Option<NodeId> {
        let is_scope = |id: &NodeId| {
            matches!(
                self.kind(*id),
                "block"
                    | "for_statement"
                    | "foreach_statement"
                    | "using_statement"
                    | "switch_section"
                    | "catch_clause"
                    | "lambda_expression"
                    | "anonymous_method_expression"
                    | "local_function_statement"
                    | "query_expression"
                    | "compilation_unit"
            ) || self.kind(*id).ends_with("_declaration")
                && self.kind(*id) != "catch_declaration"
                && self.kind(*id) != "variable_declaration"
        };
        self.ancestors(declared).find(is_scope)
    }

    fn is_record_parameter(&self, parameter: NodeId) -> bool {
        let owner = self.parent(parameter).and_then(|list| self.parent(list));
        self.kind(parameter) == "parameter" && owner.is_some_and(|it| self.kind(it).starts_with("record"))
    }
}
