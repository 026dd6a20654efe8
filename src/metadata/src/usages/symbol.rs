//! What is searched for: a type or a member, by names that hold in every assembly.

use crate::signatures::MethodSig;

/// A type, as references of any assembly spell it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypeKey {
    /// Simple name of the assembly that defines it.
    pub assembly: String,
    /// As in metadata: ``Ns.Outer`1+Inner``.
    pub full_name: String,
    /// Assemblies that define another type of that name. A reference to any but these is taken: most name a facade that forwards
    /// (`System.Runtime`), whose file need not be there.
    pub homonyms: Vec<String>,
}

/// A member of a type, or the type itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SymbolName {
    pub type_: TypeKey,
    pub member: Option<MemberName>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MemberName {
    Field(String),
    /// The signature is in terms of the definition's generic parameters, as in any reference to it.
    Method(String, MethodSig),
}

impl MemberName {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Field(name) | Self::Method(name, _) => name,
        }
    }
}

impl SymbolName {
    pub(super) fn is_constructor(&self) -> bool {
        matches!(&self.member, Some(MemberName::Method(name, _)) if name == ".ctor")
    }
}
