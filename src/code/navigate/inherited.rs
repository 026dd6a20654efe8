//! Interface members that a type implements by what it inherits (ECMA-335 II.12.2): neither the method nor its type says so.
//!
//! A compiler that sees the base's source marks its method as virtual. Of another assembly's it leaves the method alone, and writes one
//! into the type below that only forwards to it: then the method that is called is the one that implements.

use super::Navigator;
use super::ancestors::{Ancestor, Located, substituted as substituted_name};
use super::hierarchy::{Slot, substituted};
use super::symbol::Home;
use clr_metadata::il::{Operand, op};
use clr_metadata::{MemberName, MethodId, MethodSig, Table, Token, TypeId, TypeSig, col};

/// A longer chain comes from a circle.
const MOST_BASES: usize = 64;

/// A member of an interface, and the inherited method that a type below takes it by.
pub(super) struct Inherited {
    pub(super) slot: Slot,
    pub(super) by: Home,
}

/// A member of an interface, as a type that implements it sees it.
struct Wanted<'a> {
    of: &'a Ancestor,
    name: String,
    /// In terms of the interface.
    declared: MethodSig,
    /// In terms of the type.
    signature: MethodSig,
}

impl Navigator {
    /// By methods of those names, of all types of the workspace.
    pub(super) fn inherited(&self, names: &[&str]) -> Vec<Inherited> {
        let mut found = Vec::new();
        // a static member's: the bases of all types need not be looked for
        if names.is_empty() {
            return found;
        }
        for (index, assembly) in self.assemblies.iter().enumerate() {
            let metadata = assembly.metadata();
            let rows = metadata.rows(Table::InterfaceImpl);
            let mut types: Vec<u32> =
                rows.filter_map(|row| metadata.cell(row, col::InterfaceImpl::Class).ok()).collect();
            types.dedup();
            for type_ in types.into_iter().map(TypeId) {
                let heir = Located { assembly: assembly.clone(), own: Some(index), type_ };
                let bases = self.own_bases(&heir);
                if bases.iter().any(|base| base.at.has_method_of(names)) {
                    found.extend(self.inherited_by(&heir, &bases, names));
                }
            }
        }
        found
    }

    fn inherited_by(&self, heir: &Located, bases: &[Ancestor], names: &[&str]) -> Vec<Inherited> {
        let Some(index) = heir.own else { return Vec::new() };
        let ancestors = self.ancestors(index, heir.type_);
        let mut found = Vec::new();
        for of in ancestors.iter().filter(|it| it.is_interface && !it.needs_override) {
            let interface = &of.at.assembly;
            for method in interface.type_(of.at.type_).methods() {
                let view = interface.method(method);
                let Some(declared) = view.signature().filter(|_| view.is_virtual() && names.contains(&view.name()))
                else {
                    continue;
                };
                let signature = substituted(&declared, &of.arguments);
                let wanted = Wanted { of, name: view.name().to_owned(), declared, signature };
                let slot = Slot { of: of.at.clone(), method, is_interface: true };
                found.extend(self.implemented_by(heir, bases, &wanted).map(|by| Inherited { slot, by }));
            }
        }
        found
    }

    /// The inherited method, unless the type or a nearer base has one of its own.
    fn implemented_by(&self, heir: &Located, bases: &[Ancestor], wanted: &Wanted<'_>) -> Option<Home> {
        let called = match explicit(heir, &[], wanted) {
            Some(body) => Some(self.forwarded(heir, body)?),
            None if taking(heir, &[], wanted).is_some() => return None,
            None => None,
        };
        for Ancestor { at, arguments, .. } in bases {
            if let Some(method) = taking(at, arguments, wanted) {
                let by = Home { assembly: at.own?, token: method.token() };
                let is_virtual = at.assembly.method(method).is_virtual();
                return Some(by).filter(|_| is_virtual || called.is_some_and(|called| self.is_same(called, by)));
            }
            if explicit(at, arguments, wanted).is_some() {
                return None;
            }
        }
        None
    }

    /// What a method without source calls, if that is all it does.
    fn forwarded(&self, at: &Located, method: MethodId) -> Option<Home> {
        let assembly = &at.assembly;
        let body = assembly.body(method).ok()??;
        if assembly.first_point(method).is_some() {
            return None;
        }
        let mut code = body.instructions().map_while(Result::ok);
        let call = code.find(|it| !is_argument(it.opcode)).filter(|it| it.opcode == op::CALL)?;
        let Operand::Token(callee) = call.operand else { return None };
        let is_all = code.next()?.opcode == op::RET;
        is_all.then_some(Home { assembly: at.own?, token: callee })
    }

    /// Whether tokens, perhaps of two assemblies, name one member.
    fn is_same(&self, a: Home, b: Home) -> bool {
        let member = |it: Home| self.of_token(it.assembly, it.token)?.home;
        member(a).is_some_and(|a| member(b) == Some(a))
    }

    /// Bases in the workspace, the nearest first.
    fn own_bases(&self, heir: &Located) -> Vec<Ancestor> {
        let mut bases: Vec<Ancestor> = Vec::new();
        while bases.len() < MOST_BASES {
            let (below, arguments) = bases.last().map_or((heir, [].as_slice()), |it| (&it.at, &it.arguments));
            let name = below.assembly.type_(below.type_).base().map(|name| substituted_name(name, arguments));
            let found = name.and_then(|name| Some((self.resolve_own(below, &name.full_name)?, name.arguments)));
            let Some((at, arguments)) = found else { break };
            bases.push(Ancestor { at, arguments, is_interface: false, needs_override: true });
        }
        bases
    }
}

/// The public method of a type that takes the member by name and signature.
fn taking(at: &Located, arguments: &[TypeSig], wanted: &Wanted<'_>) -> Option<MethodId> {
    let mut methods = at.assembly.type_(at.type_).methods();
    methods.find(|&method| {
        let view = at.assembly.method(method);
        let fits = view.name() == wanted.name && view.visibility() == "public";
        fits && view.signature().is_some_and(|it| substituted(&it, arguments) == wanted.signature)
    })
}

/// The method of a type that the MethodImpl table (II.22.27) gives to the member.
fn explicit(at: &Located, arguments: &[TypeSig], wanted: &Wanted<'_>) -> Option<MethodId> {
    let metadata = at.assembly.metadata();
    let mut rows = metadata.rows_of(col::MethodImpl::Class, at.type_.token());
    let row = rows.find(|&row| {
        let declared = metadata.token(row, col::MethodImpl::Declaration).unwrap_or(Token(0));
        is_declared(at, declared, arguments, wanted).unwrap_or(false)
    })?;
    MethodId::from_token(metadata.token(row, col::MethodImpl::Body).ok()?)
}

fn is_declared(at: &Located, declared: Token, arguments: &[TypeSig], wanted: &Wanted<'_>) -> Option<bool> {
    let assembly = &at.assembly;
    let (interface, member) = match declared.table()? {
        Table::MethodDef => {
            let view = assembly.method(MethodId::from_token(declared)?);
            let member = MemberName::Method(view.name().to_owned(), view.signature()?);
            (view.declaring_type()?.id().token(), member)
        }
        Table::MemberRef => {
            let class = assembly.metadata().token(declared.row(), col::MemberRef::Class).ok()?;
            (class, assembly.member_reference(declared.row())?)
        }
        _ => return None,
    };
    let TypeSig::Named(interface) = assembly.type_signature(interface)? else { return None };
    let interface = substituted_name(interface, arguments);
    let is_it = interface.full_name == wanted.of.at.full_name() && interface.arguments == wanted.of.arguments;
    Some(is_it && member == MemberName::Method(wanted.name.clone(), wanted.declared.clone()))
}

/// `ldarg`, in all its forms.
fn is_argument(opcode: u16) -> bool {
    matches!(opcode, op::LDARG_0..=0x05 | op::LDARG_S | 0xfe09)
}
