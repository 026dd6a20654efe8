//! The role of a name at its position.

use super::{NodeId, Syntax};

/// How a value is assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    Simple,
    /// `+=`, `??=`, `-=` of an event.
    Compound,
    /// `++`, `--`.
    Increment,
    Out,
    Ref,
    /// With the declaration, in an object initializer, or behind `with`.
    Initializer,
}

impl Form {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Compound => "compound",
            Self::Increment => "increment",
            Self::Out => "out",
            Self::Ref => "ref",
            Self::Initializer => "initializer",
        }
    }
}

/// What an identifier is to the code around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::code::navigate) enum Role {
    Declaration,
    Write(Form),
    Read,
    /// The function of an invocation.
    Call,
    /// The type of an object creation.
    New,
    TypeOf,
    NameOf,
    /// In a list of bases.
    Base,
    Attribute,
    /// The name of an argument: it belongs to the called method.
    ArgumentName,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::code::navigate) struct Occurrence {
    pub(in crate::code::navigate) node: NodeId,
    pub(in crate::code::navigate) role: Role,
}

impl Syntax {
    /// The identifiers of that name, in the order of the text.
    pub(in crate::code::navigate) fn occurrences(&self, name: &str) -> Vec<Occurrence> {
        let named = |&id: &NodeId| self.kind(id) == "identifier" && self.text(id).trim_start_matches('@') == name;
        self.all().filter(named).map(|node| Occurrence { node, role: self.role(node) }).collect()
    }

    /// The `a[i]` of the text, as uses of an indexer.
    pub(in crate::code::navigate) fn element_accesses(&self) -> Vec<Occurrence> {
        let is_access = |&id: &NodeId| {
            matches!(
                self.kind(id),
                "element_access_expression" | "element_binding_expression" | "implicit_element_access"
            )
        };
        self.all().filter(is_access).map(|node| Occurrence { node, role: self.role(node) }).collect()
    }

    /// The `new T(…)`, `new(…)`, `: base(…)` and `: this(…)`, as uses of a constructor of `type_name`. A `new()` does not say its type.
    pub(in crate::code::navigate) fn creations(&self, type_name: &str) -> Vec<Occurrence> {
        let role = |id: NodeId| match self.kind(id) {
            "implicit_object_creation_expression" => Some(Role::New),
            "constructor_initializer" => Some(Role::Call),
            "object_creation_expression" => {
                let last = self.child(id, "type").and_then(|type_| self.last_identifier(type_));
                last.filter(|&last| self.text(last) == type_name).map(|_| Role::New)
            }
            _ => None,
        };
        self.all().filter_map(|node| Some(Occurrence { node, role: role(node)? })).collect()
    }

    /// `List` of `System.Collections.Generic.List<int>`.
    pub(in crate::code::navigate) fn last_identifier(&self, id: NodeId) -> Option<NodeId> {
        let mut id = id;
        loop {
            id = match self.kind(id) {
                "identifier" => return Some(id),
                "generic_name" => self.children(id).find(|&child| self.kind(child) == "identifier")?,
                "nullable_type" | "array_type" => self.child(id, "type")?,
                "this" | "base" => return Some(id),
                _ => self.child(id, "name")?,
            };
        }
    }

    /// What stands before the dot.
    pub(in crate::code::navigate) fn qualifier(&self, identifier: NodeId) -> Option<NodeId> {
        let mut name = identifier;
        let mut around = self.parent(name)?;
        if self.kind(around) == "generic_name" {
            name = around;
            around = self.parent(name)?;
        }
        let before = match (self.kind(around), self.field(name)) {
            ("member_access_expression", Some("name")) => self.child(around, "expression"),
            ("qualified_name", Some("name")) => self.child(around, "qualifier"),
            ("member_binding_expression", _) => Some(around),
            _ => None,
        };
        before.filter(|&before| before != name)
    }

    /// The whole expression that an identifier names: `a.b.Name`, `Name<int>`, `Name!`.
    pub(in crate::code::navigate) fn whole(&self, identifier: NodeId) -> NodeId {
        let mut id = identifier;
        while let Some(around) = self.parent(id) {
            let widens = match self.kind(around) {
                "generic_name" | "member_binding_expression" | "parenthesized_expression" | "ref_type" => true,
                "member_access_expression" | "qualified_name" | "alias_qualified_name" => {
                    self.field(id) == Some("name")
                }
                "conditional_access_expression" => self.field(id) != Some("condition"),
                "postfix_unary_expression" => self.has_child(around, "!"),
                _ => false,
            };
            if !widens {
                break;
            }
            id = around;
        }
        id
    }

    pub(in crate::code::navigate) fn role(&self, identifier: NodeId) -> Role {
        let whole = self.whole(identifier);
        let Some(around) = self.parent(whole) else {
            return Role::Read;
        };
        let field = self.field(whole);
        if self.is_in_nameof(whole) {
            return Role::NameOf;
        }
        match self.kind(around) {
            // `{ Items = { 1, 2 } }` adds to what is there.
            "assignment_expression" if field == Some("left") && self.is_filled(around) => Role::Read,
            "assignment_expression" if field == Some("left") => self.assignment(around),
            "argument" if field == Some("name") => Role::ArgumentName,
            "argument" => self.argument(around),
            "attribute_argument" if self.has_child(around, "=") && self.is_first(around, whole) => Role::ArgumentName,
            "name_colon" | "name_equals" => Role::ArgumentName,
            "postfix_unary_expression" | "prefix_unary_expression"
                if self.has_child(around, "++") || self.has_child(around, "--") =>
            {
                Role::Write(Form::Increment)
            }
            "ref_expression" if self.is_read_only(around) => Role::Read,
            "ref_expression" => Role::Write(Form::Ref),
            "with_initializer" if self.is_first(around, whole) => Role::Write(Form::Initializer),
            "variable_declarator" if field == Some("name") => match self.has_child(around, "=") {
                true => Role::Write(Form::Initializer),
                false => Role::Declaration,
            },
            "property_declaration" if field == Some("name") => match self.has_child(around, "=") {
                true => Role::Write(Form::Initializer),
                false => Role::Declaration,
            },
            "foreach_statement" if field == Some("left") => Role::Declaration,
            // The one of a lambda without brackets, the parts of `var (a, b)`, `into g`.
            "lambda_expression" if field == Some("parameters") => Role::Declaration,
            "tuple_pattern" | "query_expression" | "join_into_clause" => Role::Declaration,
            "let_clause" | "join_clause" if self.first_name(around) == Some(whole) => Role::Declaration,
            kind if field == Some("name") && declares(kind) => Role::Declaration,
            "invocation_expression" if field == Some("function") => Role::Call,
            "object_creation_expression" if field == Some("type") => Role::New,
            "typeof_expression" => Role::TypeOf,
            "base_list" | "primary_constructor_base_type" => Role::Base,
            "attribute" if field == Some("name") => Role::Attribute,
            _ => Role::Read,
        }
    }

    /// Whether nothing can be written through the reference: the local that takes it, or the member that returns it, is `ref readonly`.
    fn is_read_only(&self, reference: NodeId) -> bool {
        let is_part = |&id: &NodeId| {
            matches!(self.kind(id), "ref_expression" | "conditional_expression" | "parenthesized_expression")
        };
        let Some(taker) = self.ancestors(reference).find(|id| !is_part(id)) else { return false };
        let declares = match self.kind(taker) {
            "variable_declarator" => self.parent(taker),
            "arrow_expression_clause" | "return_statement" => self.ancestors(taker).find(|&id| returns(self.kind(id))),
            _ => None,
        };
        let type_ = declares.and_then(|id| self.child(id, "type").or_else(|| self.child(id, "returns")));
        type_.is_some_and(|type_| self.kind(type_) == "ref_type" && self.has_child(type_, "readonly"))
    }

    /// The role of a name together with up to `depth` brackets behind it, `a[i]`, where the elements lie in the value itself.
    pub(in crate::code::navigate) fn role_of_elements(&self, name: NodeId, depth: usize) -> Role {
        let (mut at, mut role) = (name, self.role(name));
        for _ in 0..depth {
            let whole = self.whole(at);
            let access = self.parent(whole).filter(|&id| self.kind(id) == "element_access_expression");
            let Some(access) = access.filter(|&id| self.child(id, "expression") == Some(whole)) else { break };
            (at, role) = (access, self.role(access));
        }
        role
    }

    fn is_first(&self, parent: NodeId, child: NodeId) -> bool {
        self.children(parent).next() == Some(child)
    }

    /// Of a clause: the variable that it declares.
    pub(in crate::code::navigate) fn first_name(&self, clause: NodeId) -> Option<NodeId> {
        self.children(clause).find(|&child| self.kind(child) == "identifier" && self.field(child) != Some("type"))
    }

    fn is_filled(&self, assignment: NodeId) -> bool {
        self.child(assignment, "right").is_some_and(|right| self.kind(right) == "initializer_expression")
    }

    fn assignment(&self, assignment: NodeId) -> Role {
        let is_plain = self.has_child(assignment, "=");
        let around = self.parent(assignment).map(|around| self.kind(around));
        Role::Write(match (is_plain, around) {
            (true, Some("initializer_expression")) => Form::Initializer,
            (true, _) => Form::Simple,
            (false, _) => Form::Compound,
        })
    }

    fn argument(&self, argument: NodeId) -> Role {
        for (keyword, role) in [("out", Role::Write(Form::Out)), ("ref", Role::Write(Form::Ref))] {
            if self.has_child(argument, keyword) {
                return role;
            }
        }
        // `(a, b) = …`: each part of the tuple is assigned.
        let mut part = argument;
        while let Some(tuple) = self.parent(part).filter(|&around| self.kind(around) == "tuple_expression") {
            match self.parent(tuple) {
                Some(around) if self.kind(around) == "argument" => part = around,
                Some(around) if self.kind(around) == "assignment_expression" && self.field(tuple) == Some("left") => {
                    return Role::Write(Form::Simple);
                }
                _ => break,
            }
        }
        Role::Read
    }

    fn is_in_nameof(&self, id: NodeId) -> bool {
        // nameof takes one name: only names and dots stand between.
        let argument = self.ancestors(id).take(16).find(|&around| self.kind(around) == "argument");
        let call = argument.and_then(|it| self.parent(it)).and_then(|list| self.parent(list));
        let function =
            call.filter(|&it| self.kind(it) == "invocation_expression").and_then(|it| self.child(it, "function"));
        function.is_some_and(|it| self.kind(it) == "identifier" && self.text(it) == "nameof")
    }
}

fn returns(kind: &str) -> bool {
    matches!(
        kind,
        "property_declaration"
            | "indexer_declaration"
            | "method_declaration"
            | "local_function_statement"
            | "lambda_expression"
            | "anonymous_method_expression"
    )
}

fn declares(kind: &str) -> bool {
    kind.ends_with("_declaration")
        || matches!(
            kind,
            "parameter"
                | "type_parameter"
                | "local_function_statement"
                | "declaration_expression"
                | "declaration_pattern"
                | "recursive_pattern"
                | "var_pattern"
                | "from_clause"
                | "tuple_element"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_by_what_stands_around_it() {
        for (code, roles) in [
            ("x = 1; y = x;", &[Role::Write(Form::Simple), Role::Read][..]),
            ("a.b.x += 1; this.x ??= 2;", &[Role::Write(Form::Compound), Role::Write(Form::Compound)]),
            ("x++; --a.x;", &[Role::Write(Form::Increment), Role::Write(Form::Increment)]),
            ("F(out x, ref a.x, in x, x);", &[Role::Write(Form::Out), Role::Write(Form::Ref), Role::Read, Role::Read]),
            ("(a, (x, b.x)) = c;", &[Role::Write(Form::Simple), Role::Write(Form::Simple)]),
            ("var o = new A { x = x };", &[Role::Write(Form::Initializer), Role::Read]),
            ("var o = new A { x = { 1 }, y = { x = 2 } };", &[Role::Read, Role::Write(Form::Initializer)]),
            ("var o = b with { x = 3 };", &[Role::Write(Form::Initializer)]),
            ("x(); a.x<int>(); a?.x();", &[Role::Call, Role::Call, Role::Call]),
            ("new x(); new A.x<int>();", &[Role::New, Role::New]),
            ("_ = nameof(x) + nameof(a.x);", &[Role::NameOf, Role::NameOf]),
            ("_ = typeof(x);", &[Role::TypeOf]),
            ("F(x: 1);", &[Role::ArgumentName]),
            ("int x = 1; int y, x;", &[Role::Write(Form::Initializer), Role::Declaration]),
            ("ref int y = ref x;", &[Role::Write(Form::Ref)]),
            ("ref readonly int y = ref x;", &[Role::Read]),
            ("ref readonly int y = ref b ? ref x : ref a.x;", &[Role::Read, Role::Read]),
            ("ref readonly int F() => ref x; ref int G() { return ref x; }", &[Role::Read, Role::Write(Form::Ref)]),
            ("foreach (var x in x) { }", &[Role::Declaration, Role::Read]),
            ("foreach (var (a, (x, _)) in x) { }", &[Role::Declaration, Role::Read]),
            ("var (x, y) = x;", &[Role::Declaration, Role::Read]),
            ("F(x => x); F(async x => { });", &[Role::Declaration, Role::Read, Role::Declaration]),
            ("F(from a in x let x = a select x);", &[Role::Read, Role::Declaration, Role::Read]),
            ("F(from a in b join x in x on a equals x select a);", &[Role::Declaration, Role::Read, Role::Read]),
            ("x[0] = 1; a[x] = 2;", &[Role::Read, Role::Read]),
        ] {
            let syntax = Syntax::parse(format!("class A {{ void M() {{ {code} }} }}")).unwrap();
            let actual: Vec<Role> = syntax.occurrences("x").iter().map(|found| found.role).collect();
            assert_eq!(actual, roles, "{code}");
        }
    }

    #[test]
    fn an_indexer_is_used_by_brackets() {
        let syntax = Syntax::parse("class A { void M() { b[0] = c[1]; d[2]++; } }".to_owned()).unwrap();
        let actual: Vec<Role> = syntax.element_accesses().iter().map(|found| found.role).collect();
        assert_eq!(actual, [Role::Write(Form::Simple), Role::Read, Role::Write(Form::Increment)]);
    }
}
