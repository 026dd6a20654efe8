//! Parameters of methods and generic parameters.

use super::Context;
use super::literals::literal;
use crate::metadata::assembly::Assembly;
use crate::metadata::methods::MethodView;
use crate::metadata::schema::{Table, col};
use crate::metadata::signatures::{Decoder, ParameterNames, TypeSig};
use crate::metadata::tokens::Token;

const IN: u32 = 0x1;
const OUT: u32 = 0x2;

const PARAMS: [&str; 2] = ["System.ParamArrayAttribute", "System.Runtime.CompilerServices.ParamCollectionAttribute"];
const EXTENSION: &str = "System.Runtime.CompilerServices.ExtensionAttribute";

/// Names of an owner's generic parameters.
pub(super) fn generic_names(assembly: &Assembly, owner: Token) -> Vec<String> {
    let metadata = &assembly.metadata;
    let rows = metadata.rows_of(col::GenericParam::Owner, owner);
    rows.map(|row| metadata.string(row, col::GenericParam::Name).unwrap_or_default().to_owned()).collect()
}

/// The same as an interface or delegate declares them, `in T, out TResult`, less the first `skipped`.
pub(super) fn declared_names(assembly: &Assembly, owner: Token, skipped: usize) -> Vec<String> {
    let metadata = &assembly.metadata;
    let rows = metadata.rows_of(col::GenericParam::Owner, owner).skip(skipped);
    rows.map(|row| {
        let variance = match metadata.cell(row, col::GenericParam::Flags).unwrap_or(0) & 3 {
            1 => "out ",
            2 => "in ",
            _ => "",
        };
        format!("{variance}{}", metadata.string(row, col::GenericParam::Name).unwrap_or_default())
    })
    .collect()
}

/// ` where T : class, IDisposable, new()` for each parameter that has constraints, less the first `skipped`.
pub(super) fn constraints(assembly: &Assembly, owner: Token, names: &ParameterNames, skipped: usize) -> String {
    const CLASS: u32 = 0x4;
    const STRUCT: u32 = 0x8;
    const CONSTRUCTOR: u32 = 0x10;
    const BY_REF_LIKE: u32 = 0x20;
    let metadata = &assembly.metadata;
    let mut text = String::new();
    for row in metadata.rows_of(col::GenericParam::Owner, owner).skip(skipped) {
        let flags = metadata.cell(row, col::GenericParam::Flags).unwrap_or(0);
        let parameter = Token::new(Table::GenericParam, row);
        let is_unmanaged = metadata.has_attribute(parameter, "System.Runtime.CompilerServices.IsUnmanagedAttribute");
        let mut words = Vec::new();
        if flags & CLASS != 0 {
            words.push("class".to_owned());
        }
        if flags & STRUCT != 0 {
            words.push(if is_unmanaged { "unmanaged" } else { "struct" }.to_owned());
        }
        for constraint in metadata.rows_of(col::GenericParamConstraint::Owner, parameter) {
            let token = metadata.token(constraint, col::GenericParamConstraint::Constraint);
            let Ok(type_) = token.and_then(|token| Decoder::new(metadata).token(token)) else { continue };
            // What `struct` stands for.
            if type_.full_name() != Some("System.ValueType") {
                words.push(type_.short_with(names));
            }
        }
        if flags & CONSTRUCTOR != 0 && flags & STRUCT == 0 {
            words.push("new()".to_owned());
        }
        if flags & BY_REF_LIKE != 0 {
            words.push("allows ref struct".to_owned());
        }
        if !words.is_empty() {
            let name = metadata.string(row, col::GenericParam::Name).unwrap_or_default();
            text.push_str(&format!(" where {name} : {}", words.join(", ")));
        }
    }
    text
}

impl MethodView<'_> {
    /// `this IEnumerable<T> source, out int count, params string[] names, int start = 0`.
    pub(super) fn parameter_list(&self, types: &[TypeSig], context: &Context, names: &ParameterNames) -> String {
        let mut texts: Vec<String> = Vec::with_capacity(types.len());
        let rows = self.parameter_rows(types.len());
        for (index, (type_, row)) in types.iter().zip(rows).enumerate() {
            let is_receiver = index == 0 && self.is_static() && self.has_attribute(EXTENSION);
            let mut text = String::from(if is_receiver { "this " } else { "" });
            text.push_str(&self.parameter(type_, row, context, names));
            texts.push(text);
        }
        texts.join(", ")
    }

    /// The Param row of each parameter, where it has one.
    fn parameter_rows(&self, count: usize) -> Vec<Option<u32>> {
        let metadata = self.assembly().metadata();
        let mut rows = vec![None; count];
        for row in metadata.list(self.id().row(), col::MethodDef::ParamList) {
            let sequence = metadata.cell(row, col::Param::Sequence).unwrap_or(0) as usize;
            // 0 is the return value.
            if let Some(place) = sequence.checked_sub(1).and_then(|index| rows.get_mut(index)) {
                *place = Some(row);
            }
        }
        rows
    }

    fn parameter(&self, type_: &TypeSig, row: Option<u32>, context: &Context, names: &ParameterNames) -> String {
        let metadata = self.assembly().metadata();
        let token = row.map(|row| Token::new(Table::Param, row));
        let has = |attribute: &str| token.is_some_and(|token| metadata.has_attribute(token, attribute));
        let flags = row.and_then(|row| metadata.cell(row, col::Param::Flags).ok()).unwrap_or(0);
        let mut text = String::new();
        match unmodified(type_) {
            TypeSig::ByRef(inner) => {
                text.push_str(if flags & OUT != 0 && flags & IN == 0 {
                    "out "
                } else if has("System.Runtime.CompilerServices.RequiresLocationAttribute") {
                    "ref readonly "
                } else if has("System.Runtime.CompilerServices.IsReadOnlyAttribute") {
                    "in "
                } else {
                    "ref "
                });
                text.push_str(&context.text(inner, names));
            }
            plain => {
                text.push_str(if PARAMS.iter().any(|attribute| has(attribute)) { "params " } else { "" });
                text.push_str(&context.text(plain, names));
            }
        }
        let name = row.and_then(|row| metadata.string(row, col::Param::Name).ok()).unwrap_or_default();
        if !name.is_empty() {
            text.push(' ');
            text.push_str(name);
        }
        if let Some(value) = token.and_then(|token| self.assembly().constant(token)) {
            text.push_str(" = ");
            text.push_str(&literal(&value, type_));
        }
        text
    }
}

/// Without `modreq` and `modopt`.
pub(super) fn unmodified(signature: &TypeSig) -> &TypeSig {
    match signature {
        TypeSig::Modified { inner, .. } => unmodified(inner),
        other => other,
    }
}

/// Whether a `modreq` of that name stands anywhere before the type itself.
pub(super) fn has_modifier(signature: &TypeSig, full_name: &str) -> bool {
    match signature {
        TypeSig::Modified { modifier, inner, .. } => modifier.full_name == full_name || has_modifier(inner, full_name),
        TypeSig::ByRef(inner) => has_modifier(inner, full_name),
        _ => false,
    }
}
