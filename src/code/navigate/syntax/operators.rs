//! Operators: declared and used by their signs.

use super::{NodeId, Occurrence, Role, Syntax};
use crate::code::navigate::query::{type_text, with_keywords};

impl Syntax {
    /// `operator +`, `implicit operator Money`: as a symbol of metadata is called, but for blanks. `None` of other declarations.
    pub(in crate::code::navigate) fn operator_name(&self, declaration: NodeId) -> Option<String> {
        let checked = if self.has_child(declaration, "checked") { "checked " } else { "" };
        match self.kind(declaration) {
            "operator_declaration" => {
                let sign = self.child(declaration, "operator")?;
                Some(format!("operator {checked}{}", self.text(sign)))
            }
            "conversion_operator_declaration" => {
                let how = if self.has_child(declaration, "implicit") { "implicit" } else { "explicit" };
                let type_ = with_keywords(&type_text(self.text(self.child(declaration, "type")?)));
                Some(format!("{how} operator {checked}{type_}"))
            }
            _ => None,
        }
    }

    /// The signs of the text that may be an operator, given as `operator +`; a compound assignment is one too.
    pub(in crate::code::navigate) fn operations(&self, operator: &str) -> Vec<Occurrence> {
        let Some(sign) = operator.strip_prefix("operator ") else { return Vec::new() };
        let sign = sign.strip_prefix("checked ").unwrap_or(sign);
        let compound = format!("{sign}=");
        let is_operation = |&id: &NodeId| {
            let kind = self.kind(id);
            let around = self.parent(id).map(|it| self.kind(it));
            let is_expression = around.is_some_and(|it| it.ends_with("_expression"));
            is_expression && (kind == sign || kind == compound && around == Some("assignment_expression"))
        };
        self.all().filter(is_operation).map(|node| Occurrence { node, role: Role::Call }).collect()
    }
}
