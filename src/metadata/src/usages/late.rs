//! Uses of members that the run binds, by their name: those of a `dynamic` value. For each the compiler makes a call site with a binder.

use super::filter::Filter;
use crate::assembly::Assembly;
use crate::il::{Instruction, MethodBody, Operand, op};
use crate::schema::Table;
use crate::tokens::{MethodId, Token};

const BINDER: &str = "Microsoft.CSharp.RuntimeBinder.Binder";
/// Those of its methods that take a name, behind the flags.
const OF_MEMBERS: [&str; 3] = ["InvokeMember", "GetMember", "SetMember"];
const ARGUMENT: &str = "Microsoft.CSharp.RuntimeBinder.CSharpArgumentInfo";

/// A member that is used by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateUse {
    pub method: MethodId,
    pub il_offset: u32,
}

impl Assembly {
    /// Where a member of that name is used through `dynamic`, method by method.
    pub fn late_uses(&self, name: &str) -> Vec<LateUse> {
        let references = || self.metadata().rows(Table::MemberRef).map(|row| Token::new(Table::MemberRef, row));
        let of = |token: Token, type_name: &str, methods: &[&str]| {
            let callee = self.callee(token);
            callee.is_some_and(|it| it.type_name == type_name && methods.contains(&it.method.as_str()))
        };
        let binders: Vec<Token> = references().filter(|token| of(*token, BINDER, &OF_MEMBERS)).collect();
        if binders.is_empty() {
            return Vec::new();
        }
        let arguments: Vec<Token> = references().filter(|token| of(*token, ARGUMENT, &["Create"])).collect();
        let mut found = Vec::new();
        for method in Filter::new(binders.iter().copied()).methods(self) {
            if let Ok(Some(body)) = self.body(method) {
                let sites = self.sites(&body, name, &binders, &arguments);
                found.extend(sites.into_iter().map(|il_offset| LateUse { method, il_offset }));
            }
        }
        found
    }

    /// Where the name of a call site is loaded: right behind the flags. So is that of a named argument, which is made of it at once.
    fn sites(&self, body: &MethodBody<'_>, name: &str, binders: &[Token], arguments: &[Token]) -> Vec<u32> {
        let code: Vec<Instruction<'_>> = body.instructions().map_while(Result::ok).collect();
        let (mut sites, mut last) = (Vec::new(), None);
        for (at, it) in code.iter().enumerate() {
            let Operand::Token(token) = it.operand else { continue };
            match it.opcode {
                op::LDSTR => {
                    let is_number = |it: &Instruction<'_>| (op::LDC_I4_M1..=op::LDC_I4).contains(&it.opcode);
                    let is_behind_flags = at.checked_sub(1).and_then(|at| code.get(at)).is_some_and(is_number);
                    let is_argument = code.get(at + 1).is_some_and(
                        |next| matches!(next.operand, Operand::Token(token) if arguments.contains(&token)),
                    );
                    if is_behind_flags && !is_argument {
                        last = Some((it.offset, token));
                    }
                }
                op::CALL if binders.contains(&token) => {
                    let named = last
                        .take()
                        .filter(|(_, text)| self.metadata().user_string(*text).is_ok_and(|text| text == name));
                    sites.extend(named.map(|(offset, _)| offset));
                }
                _ => {}
            }
        }
        sites
    }
}
