//! By which tokens an assembly can name a definition, its own or another assembly's.

use super::filter::Filter;
use super::references::Types;
use super::symbol::{MemberName, SymbolName};
use crate::assembly::Assembly;
use crate::schema::{Table, col};
use crate::signatures::{Decoder, MethodSig};
use crate::tokens::{Token, TypeId};

/// The tokens by which one assembly names what is wanted.
#[derive(Debug)]
pub struct Names<'a> {
    wanted: &'a [SymbolName],
    /// Sorted; the number is a position in `wanted`.
    tokens: Vec<(Token, usize)>,
    /// Bit n: one of the tokens ends in the six bits n. Most tokens of the code are refused by it.
    last_bits: u64,
}

impl<'a> Names<'a> {
    /// Looks through the reference tables of `assembly`; of rows that are damaged nothing is known.
    pub fn of(assembly: &Assembly, wanted: &'a [SymbolName]) -> Self {
        let mut names = Self { wanted, tokens: Vec::new(), last_bits: u64::MAX };
        let types = Types::of(assembly, wanted);
        names.add_types(assembly, &types);
        names.add_own_members(assembly, &types);
        names.add_member_references(assembly, &types);
        names.tokens.sort_unstable();
        names.add_method_instances(assembly);
        names.tokens.sort_unstable();
        names.tokens.dedup();
        names.last_bits = names.tokens.iter().fold(0, |bits, (token, _)| bits | 1 << (token.0 & 63));
        names
    }

    /// Whether the assembly cannot name any of them.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    pub(super) fn filter(&self) -> Filter {
        Filter::new(self.tokens.iter().map(|(token, _)| *token))
    }

    /// What a token of the assembly names: its position in what was wanted, and its name.
    #[inline]
    pub fn find(&self, token: Token) -> Option<(usize, &'a SymbolName)> {
        if self.last_bits >> (token.0 & 63) & 1 == 0 {
            return None;
        }
        let at = self.tokens.partition_point(|(known, _)| *known < token);
        let &(known, wanted) = self.tokens.get(at)?;
        if known != token {
            return None;
        }
        Some((wanted, self.wanted.get(wanted)?))
    }

    fn add_types(&mut self, assembly: &Assembly, types: &Types) {
        let wanted = self.wanted;
        let whole = |at: usize| wanted.get(at).is_some_and(|name| name.member.is_none());
        self.tokens.extend(types.tokens.iter().copied().filter(|(_, at)| whole(*at)));
        if !wanted.iter().any(|name| name.member.is_none()) {
            return;
        }
        for row in assembly.metadata.rows(Table::TypeSpec) {
            let spec = Token::new(Table::TypeSpec, row);
            let named = types.named(assembly, spec).filter(|at| whole(*at));
            self.tokens.extend(named.map(|at| (spec, at)));
        }
    }

    fn add_own_members(&mut self, assembly: &Assembly, types: &Types) {
        for &(token, at) in &types.tokens {
            let (Some(row), Some(member)) = (token.row_of(Table::TypeDef), self.wanted.get(at)) else {
                continue;
            };
            let type_ = assembly.type_(TypeId(row));
            match &member.member {
                Some(MemberName::Field(name)) => {
                    let metadata = &assembly.metadata;
                    let named =
                        |id: &crate::FieldId| metadata.string(id.row(), col::Field::Name).is_ok_and(|it| it == name);
                    self.tokens.extend(type_.field_ids().filter(named).map(|id| (id.token(), at)));
                }
                Some(MemberName::Method(name, signature)) => {
                    let methods = type_.methods().filter(|&id| {
                        let method = assembly.method(id);
                        method.name() == name && method.signature().is_some_and(|it| same(&it, signature))
                    });
                    self.tokens.extend(methods.map(|id| (id.token(), at)));
                }
                None => {}
            }
        }
    }

    fn add_member_references(&mut self, assembly: &Assembly, types: &Types) {
        let metadata = &assembly.metadata;
        if types.tokens.is_empty() || self.wanted.iter().all(|name| name.member.is_none()) {
            return;
        }
        for row in metadata.rows(Table::MemberRef) {
            // Few rows are of the types, so their names need not be looked at.
            let class = metadata.token(row, col::MemberRef::Class).unwrap_or(Token(0));
            let Some(class) = types.of_wanted(assembly, class) else { continue };
            for (at, wanted) in self.wanted.iter().enumerate() {
                let Some(member) = wanted.member.as_ref().filter(|_| types.is(class, at)) else {
                    continue;
                };
                if metadata.is_called(row, col::MemberRef::Name, member.name()) && has_signature(assembly, row, member)
                {
                    self.tokens.push((Token::new(Table::MemberRef, row), at));
                }
            }
        }
    }

    /// Needs the sorted tokens of the methods.
    fn add_method_instances(&mut self, assembly: &Assembly) {
        let metadata = &assembly.metadata;
        let mut instances = Vec::new();
        for row in metadata.rows(Table::MethodSpec) {
            let method = metadata.token(row, col::MethodSpec::Method).unwrap_or(Token(0));
            if let Some((at, _)) = self.find(method) {
                instances.push((Token::new(Table::MethodSpec, row), at));
            }
        }
        self.tokens.extend(instances);
    }
}

fn has_signature(assembly: &Assembly, row: u32, member: &MemberName) -> bool {
    let Ok(blob) = assembly.metadata.blob(row, col::MemberRef::Signature) else {
        return false;
    };
    match member {
        // FieldSig, II.23.2.4: a type has one field of a name.
        MemberName::Field(_) => blob.clone().u8().is_ok_and(|first| first & 0xf == 6),
        MemberName::Method(_, signature) => {
            Decoder::new(&assembly.metadata).method(blob).is_ok_and(|it| same(&it, signature))
        }
    }
}

/// Equal but for the variable arguments of a call.
fn same(reference: &MethodSig, definition: &MethodSig) -> bool {
    if reference.sentinel.is_none() {
        return reference == definition;
    }
    let fixed = reference.sentinel.and_then(|count| reference.parameters.get(..count));
    fixed == Some(&definition.parameters) && reference.return_type == definition.return_type
}
