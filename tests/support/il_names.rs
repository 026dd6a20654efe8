//! The symbols that instructions name, put together for a question; and the same question answered without any shortcut.

use clr_metadata::il::{Instruction, Operand};
use clr_metadata::{Assembly, MemberName, MethodId, Names, SymbolName, Table, TypeKey};

pub fn type_key(assembly: &Assembly, full_name: &str) -> TypeKey {
    TypeKey { assembly: assembly.name().to_owned(), full_name: full_name.to_owned(), homonyms: Vec::new() }
}

/// The method of that name with so many parameters.
pub fn method(home: &Assembly, type_: &str, name: &str, parameters: usize) -> SymbolName {
    let methods = home.type_(home.find_type(type_).unwrap()).methods();
    let mut signatures = methods.filter(|&id| home.method(id).name() == name);
    let signature =
        signatures.find_map(|id| home.method(id).signature().filter(|it| it.parameters.len() == parameters));
    let member = MemberName::Method(name.to_owned(), signature.unwrap());
    SymbolName { type_: type_key(home, type_), member: Some(member) }
}

/// Every instruction that names one of them, without any shortcut.
pub fn decoded(assembly: &Assembly, names: &Names<'_>) -> usize {
    let methods = assembly.metadata().rows(Table::MethodDef).map(MethodId);
    let bodies = methods.filter_map(|method| assembly.body(method).unwrap());
    let named = |instruction: &Instruction<'_>| match instruction.operand {
        Operand::Token(token) => names.find(token).is_some(),
        _ => false,
    };
    bodies.map(|body| body.instructions().map(Result::unwrap).filter(named).count()).sum()
}
