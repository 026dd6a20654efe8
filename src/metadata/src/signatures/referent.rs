//! What C# writes beside a type and metadata within it: `ref`, `in`, `out`, `volatile`, `init`.

use super::{TypeName, TypeSig};

/// What a parameter, a return value or a field is once `ref`, `in`, `out` and `volatile` are taken off.
pub(crate) struct Referent<'a> {
    pub(crate) type_: &'a TypeSig,
    pub(crate) is_by_ref: bool,
    /// Outermost first.
    pub(crate) modifiers: Vec<&'a TypeName>,
}

impl Referent<'_> {
    /// `full_name` as in `System.Runtime.InteropServices.InAttribute`.
    pub(crate) fn has_modifier(&self, full_name: &str) -> bool {
        self.modifiers.iter().any(|modifier| modifier.full_name == full_name)
    }
}

pub(crate) const IN_MODIFIER: &str = "System.Runtime.InteropServices.InAttribute";
pub(super) const OUT_MODIFIER: &str = "System.Runtime.InteropServices.OutAttribute";

impl TypeSig {
    /// `ref readonly`, as a method returns it.
    pub fn is_read_only_ref(&self) -> bool {
        let referent = self.referent();
        referent.is_by_ref && referent.has_modifier(IN_MODIFIER)
    }

    /// The type without a by-ref and what modifies it.
    pub(crate) fn referent(&self) -> Referent<'_> {
        let mut referent = Referent { type_: self, is_by_ref: false, modifiers: Vec::new() };
        loop {
            match referent.type_ {
                TypeSig::Modified { modifier, inner, .. } => {
                    referent.modifiers.push(modifier);
                    referent.type_ = inner;
                }
                TypeSig::ByRef(inner) => {
                    referent.is_by_ref = true;
                    referent.type_ = inner;
                }
                _ => return referent,
            }
        }
    }
}
