//! Nullable reference types: which of a signature's parts C# lets be null.
//!
//! The compiler numbers the parts of a type (outermost first, arguments in order) and writes one flag for each into a
//! `NullableAttribute`; flags that most members of a type or method share go into a `NullableContextAttribute` around them.
//! <https://github.com/dotnet/roslyn/blob/main/docs/features/nullable-metadata.md>

use super::assembly::Assembly;
use super::attributes::AttributeValue;
use super::schema::{Table, col};
use super::tokens::{MethodId, Token};

const NULLABLE: &str = "System.Runtime.CompilerServices.NullableAttribute";
const CONTEXT: &str = "System.Runtime.CompilerServices.NullableContextAttribute";
/// On a module whose members that nobody outside sees have no flags; its argument: those of the assembly have.
const PUBLIC_ONLY: &str = "System.Runtime.CompilerServices.NullablePublicOnlyAttribute";
/// Of methods and nested types (ECMA-335 II.23.1.10 and 15), what their assembly, and derived types in it, see.
const INTERNAL_METHOD: [u32; 2] = [2, 3];
const INTERNAL_TYPE: [u32; 3] = [0, 5, 6];
/// More than any signature has parts.
const MAX_FLAGS: usize = 4096;
/// Types nest; a chain that is longer is a circle.
const MAX_NESTING: usize = 64;

/// 0 oblivious, 1 not null, 2 may be null.
const MAY_BE_NULL: u8 = 2;

/// The flags of one type, taken one by one; without flags nothing may be null.
#[derive(Debug, Clone, Default)]
pub(crate) struct NullableFlags {
    /// Of every part that `each` does not reach.
    all: u8,
    each: Vec<u8>,
    taken: usize,
}

impl NullableFlags {
    pub(crate) fn next_is_nullable(&mut self) -> bool {
        let flag = self.each.get(self.taken).copied().unwrap_or(self.all);
        self.taken += 1;
        flag == MAY_BE_NULL
    }

    /// That of the whole type.
    pub(crate) fn first(&self) -> u8 {
        self.each.first().copied().unwrap_or(self.all)
    }
}

impl Assembly {
    /// The flags of a parameter, field, property, event, generic parameter, constraint, interface or (its base) type.
    /// `context` holds where nothing is written.
    pub(crate) fn nullable_flags(&self, owner: Token, context: u8) -> NullableFlags {
        let attribute = self.metadata.attribute(owner, NULLABLE).filter(|attribute| {
            // Many rows may share one blob, so its length counts many times.
            attribute.blob().is_ok_and(|blob| blob.remaining() <= MAX_FLAGS)
        });
        let argument = attribute
            .and_then(|attribute| attribute.arguments().ok())
            .and_then(|arguments| arguments.into_iter().next());
        match argument {
            Some(AttributeValue::Int(flag)) => NullableFlags { all: flag as u8, ..NullableFlags::default() },
            Some(AttributeValue::Array(Some(flags))) => {
                NullableFlags { all: 0, each: flags.iter().map(flag).collect(), taken: 0 }
            }
            _ => NullableFlags { all: context, ..NullableFlags::default() },
        }
    }

    /// The flag that holds in a type (and in that method of it) where nothing else is written.
    pub(crate) fn nullable_context(&self, type_: Token, method: Option<MethodId>) -> u8 {
        let of = |owner: Token| {
            let attribute = self.metadata.attribute(owner, CONTEXT)?;
            attribute.int_argument(0).map(|flag| flag as u8)
        };
        if let Some(flag) = method.and_then(|method| of(method.token())) {
            return flag;
        }
        if self.has_no_flags(type_, method) {
            return 0;
        }
        let mut around = Some(type_);
        for _ in 0..MAX_NESTING {
            let Some(type_) = around else { break };
            if let Some(flag) = of(type_) {
                return flag;
            }
            around = self.metadata.enclosing_type(type_);
        }
        of(Token::new(Table::Module, 1)).unwrap_or(0)
    }

    /// Whether the compiler wrote no flags for a type (and that method of it), as nobody outside sees it.
    fn has_no_flags(&self, type_: Token, method: Option<MethodId>) -> bool {
        let Some(attribute) = self.metadata.attribute(Token::new(Table::Module, 1), PUBLIC_ONLY) else { return false };
        let has_internals = attribute.int_argument(0) == Some(1);
        let visibility = |flags: u32| flags & 7;
        if let Some(method) = method.map(|method| visibility(self.method(method).flags()))
            && (method <= 1 || !has_internals && INTERNAL_METHOD.contains(&method))
        {
            return true;
        }
        let mut around = Some(type_);
        for _ in 0..MAX_NESTING {
            let Some(type_) = around else { break };
            let type_flags = visibility(self.metadata.cell(type_.row(), col::TypeDef::Flags).unwrap_or(0));
            if type_flags == 3 || !has_internals && INTERNAL_TYPE.contains(&type_flags) {
                return true;
            }
            around = self.metadata.enclosing_type(type_);
        }
        false
    }

    /// The Param row of a method's parameter; 0 is the return value.
    pub(crate) fn parameter_row(&self, method: MethodId, sequence: u32) -> Option<Token> {
        let mut rows = self.metadata.list(method.row(), col::MethodDef::ParamList);
        let row = rows.find(|&row| self.metadata.cell(row, col::Param::Sequence) == Ok(sequence))?;
        Some(Token::new(Table::Param, row))
    }
}

fn flag(value: &AttributeValue) -> u8 {
    match value {
        AttributeValue::Int(flag) => *flag as u8,
        _ => 0,
    }
}
