//! `Length` of an array, for which IL has an instruction that names no member (`ldlen`, ECMA-335 III.4.12).

use super::NavigateError;
use super::references::external;
use super::statement::{covers, place_of};
use super::symbol::Symbol;
use super::syntax::{NodeId, Syntax};
use clr_metadata::il::op;
use clr_metadata::{Assembly, MemberName, MethodId, MethodSig, Primitive, Table, Token, TypeSig, col};

/// The property, where a name may mean it: the statement has the instruction.
pub(super) fn length_at(assembly: &Assembly, syntax: &Syntax, (method, name): (MethodId, NodeId)) -> Option<Symbol> {
    if syntax.text(name) != "Length" || syntax.qualifier(name).is_none() {
        return None;
    }
    let (start, body) = (place_of(syntax, name).start, assembly.body(method).ok()??);
    let points = assembly.pdb()?.sequence_points(method);
    let mut ahead = points.iter().peekable();
    let mut is_within = false;
    let is_there = body.instructions().map_while(Result::ok).any(|instruction| {
        while let Some(point) = ahead.next_if(|point| point.il_offset <= instruction.offset) {
            is_within = if point.is_hidden { is_within } else { covers(syntax, point, start) };
        }
        is_within && instruction.opcode == op::LDLEN
    });
    is_there.then(|| length(assembly))
}

fn length(assembly: &Assembly) -> Symbol {
    let metadata = assembly.metadata();
    let object = metadata.rows(Table::TypeRef).find(|&row| metadata.string(row, col::TypeRef::Name) == Ok("Object"));
    let scope = object.and_then(|row| assembly.scope_of(Token::new(Table::TypeRef, row)));
    let getter = MethodSig {
        has_this: true,
        explicit_this: false,
        calling_convention: 0,
        generic_parameters: 0,
        return_type: TypeSig::Primitive(Primitive::I4),
        parameters: Vec::new(),
        sentinel: None,
    };
    let member = MemberName::Method("get_Length".to_owned(), getter);
    external(scope.as_deref().unwrap_or("System.Runtime"), ARRAY, Some(member))
}

const ARRAY: &str = "System.Array";

/// # Errors
/// Of the property: its uses cannot be found.
pub(super) fn refuse_uses_of_length(symbols: &[Symbol]) -> Result<(), NavigateError> {
    match symbols.iter().any(|it| it.type_name == ARRAY && it.simple == "Length") {
        true => Err(NavigateError::InvalidArgument {
            argument: "name",
            message: "uses of an array's Length are not searched: IL has an instruction for it, which names no member"
                .to_owned(),
            hint: "ask for the variable, field or property that holds the array".to_owned(),
        }),
        false => Ok(()),
    }
}

impl Syntax {
    /// Whether a member's name stands behind a local that is declared as an array. `None`: behind what says no type.
    pub(super) fn is_of_array(&self, name: NodeId) -> Option<bool> {
        let before = self.qualifier(name).filter(|&before| self.kind(before) == "identifier")?;
        let around = self.parent(self.local(before)?.0)?;
        let type_ = self.child(around, "type").or_else(|| self.child(self.parent(around)?, "type"))?;
        match self.kind(type_) {
            "implicit_type" => None,
            kind => Some(kind == "array_type"),
        }
    }
}
