//! The types and members that a source declares.

use super::{NodeId, Syntax};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::code::navigate) enum DeclarationKind {
    Type,
    Method,
    Constructor,
    Property,
    Indexer,
    Event,
    Field,
    EnumMember,
    /// Also a conversion; see [`Syntax::operator_name`].
    Operator,
    /// A parameter of a record, which is a property too.
    RecordParameter,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::code::navigate) struct Declaration {
    pub(in crate::code::navigate) kind: DeclarationKind,
    /// The identifier (of an indexer, `this`; of an operator, its sign; of a conversion, its type).
    pub(in crate::code::navigate) name: NodeId,
    /// All of it.
    pub(in crate::code::navigate) node: NodeId,
    /// Namespace and types around it, joined by dots, without type parameters.
    pub(in crate::code::navigate) owner: String,
    /// Type parameters of a type or method.
    pub(in crate::code::navigate) arity: usize,
    /// Types of the parameters as written, behind `ref`, `out` or `in`.
    pub(in crate::code::navigate) parameters: Vec<String>,
}

impl Syntax {
    /// In the order of the text.
    pub(in crate::code::navigate) fn declarations(&self) -> Vec<Declaration> {
        let file_scope = self.children(0).find(|&child| self.kind(child) == "file_scoped_namespace_declaration");
        let file_scope =
            file_scope.and_then(|it| self.child(it, "name")).map(|name| self.text(name)).unwrap_or_default();
        let mut found = Vec::new();
        // Owners by node: the path of a type is that of the one around it, and its name.
        let mut paths: Vec<(NodeId, String)> = vec![(0, file_scope.to_owned())];
        for id in self.all() {
            while paths.len() > 1 && paths.last().is_some_and(|(open, _)| !self.within(*open).contains(&id)) {
                paths.pop();
            }
            let owner = paths.last().map(|(_, path)| path.as_str()).unwrap_or_default();
            if self.kind(id) == "namespace_declaration" {
                let name = self.child(id, "name").map(|name| self.text(name)).unwrap_or_default();
                let path = join(owner, name);
                paths.push((id, path));
                continue;
            }
            let Some((kind, name)) = self.declared(id) else {
                continue;
            };
            if owner.len() > 4096 {
                // Nested without end: no compiler takes it.
                continue;
            }
            let declaration = Declaration {
                kind,
                name,
                node: id,
                owner: owner.to_owned(),
                arity: self.arity(id),
                parameters: self.parameter_types(id),
            };
            if kind == DeclarationKind::Type {
                let path = join(owner, self.text(name));
                paths.push((id, path));
            }
            found.push(declaration);
        }
        found
    }

    fn declared(&self, id: NodeId) -> Option<(DeclarationKind, NodeId)> {
        use DeclarationKind as Kind;
        let kind = match self.kind(id) {
            "class_declaration"
            | "struct_declaration"
            | "interface_declaration"
            | "record_declaration"
            | "record_struct_declaration"
            | "enum_declaration"
            | "delegate_declaration" => Kind::Type,
            "method_declaration" => Kind::Method,
            "constructor_declaration" => Kind::Constructor,
            "property_declaration" => Kind::Property,
            "event_declaration" => Kind::Event,
            "enum_member_declaration" => Kind::EnumMember,
            "operator_declaration" => return Some((Kind::Operator, self.child(id, "operator")?)),
            "conversion_operator_declaration" => return Some((Kind::Operator, self.child(id, "type")?)),
            "indexer_declaration" => {
                let this = self.children(id).find(|&child| self.kind(child) == "this")?;
                return Some((Kind::Indexer, this));
            }
            "parameter" => {
                let record = self.parent(id).and_then(|list| self.parent(list))?;
                matches!(self.kind(record), "record_declaration" | "record_struct_declaration")
                    .then_some(Kind::RecordParameter)?
            }
            "variable_declarator" => {
                let owner = self.parent(id).and_then(|declaration| self.parent(declaration))?;
                match self.kind(owner) {
                    "field_declaration" => Kind::Field,
                    "event_field_declaration" => Kind::Event,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some((kind, self.child(id, "name")?))
    }

    /// Of each type around a member, the outermost first: how many type parameters it has.
    pub(in crate::code::navigate) fn arities_around(&self, member: NodeId) -> Vec<usize> {
        let is_type = |id: &NodeId| matches!(self.declared(*id), Some((DeclarationKind::Type, _)));
        let mut found: Vec<usize> = self.ancestors(member).filter(is_type).map(|id| self.arity(id)).collect();
        found.reverse();
        found
    }

    /// As [`Self::arities_around`], with the place itself if it is a type.
    pub(in crate::code::navigate) fn arities_at(&self, place: NodeId) -> Vec<usize> {
        let mut found = self.arities_around(place);
        let own = self.declared(place).filter(|(kind, _)| *kind == DeclarationKind::Type);
        found.extend(own.map(|_| self.arity(place)));
        found
    }

    pub(super) fn arity(&self, id: NodeId) -> usize {
        let list = self.children(id).find(|&child| self.kind(child) == "type_parameter_list");
        list.map_or(0, |list| self.children(list).filter(|&child| self.kind(child) == "type_parameter").count())
    }

    pub(in crate::code::navigate) fn parameter_types(&self, id: NodeId) -> Vec<String> {
        let is_list = |&child: &NodeId| matches!(self.kind(child), "parameter_list" | "bracketed_parameter_list");
        let Some(list) = self.children(id).find(is_list) else {
            return Vec::new();
        };
        // Of a `params` parameter the grammar makes no node: its type stands in the list.
        let types = self.children(list).filter_map(|child| match (self.kind(child), self.field(child)) {
            ("parameter", _) => {
                let type_ = self.child(child, "type").map(|type_| self.text(type_)).unwrap_or_default();
                let how = self.children(child).map(|it| self.text(it)).find(|it| matches!(*it, "ref" | "out" | "in"));
                Some(how.map_or_else(|| type_.to_owned(), |how| format!("{how} {type_}")))
            }
            (_, Some("type")) => Some(self.text(child).to_owned()),
            _ => None,
        });
        types.collect()
    }
}

fn join(owner: &str, name: &str) -> String {
    if owner.is_empty() { name.to_owned() } else { format!("{owner}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_know_their_owner() {
        let code = "namespace A.B; class C<T> { int x = 1, y; event E e; void M<U>(ref int a, List<T> b, params int[] c) { int z; } C(string s) { }
            int P { get; } = 1; int this[int i] => i; public static C operator +(C a, C b) => a; public static implicit operator int(C a) => 0; struct D { } void I.M() { } } enum F { G } record H(int J);";
        let syntax = Syntax::parse(code.to_owned()).unwrap();
        let actual: Vec<String> = syntax
            .declarations()
            .iter()
            .map(|it| {
                format!("{:?} {}.{}`{}({})", it.kind, it.owner, syntax.text(it.name), it.arity, it.parameters.join(","))
            })
            .collect();
        assert_eq!(
            actual,
            [
                "Type A.B.C`1()",
                "Field A.B.C.x`0()",
                "Field A.B.C.y`0()",
                "Event A.B.C.e`0()",
                "Method A.B.C.M`1(ref int,List<T>,int[])",
                "Constructor A.B.C.C`0(string)",
                "Property A.B.C.P`0()",
                "Indexer A.B.C.this`0(int)",
                "Operator A.B.C.+`0(C,C)",
                "Operator A.B.C.int`0(C)",
                "Type A.B.C.D`0()",
                "Method A.B.C.M`0()",
                "Type A.B.F`0()",
                "EnumMember A.B.F.G`0()",
                "Type A.B.H`0(int)",
                "RecordParameter A.B.H.J`0()",
            ]
        );
    }
}
