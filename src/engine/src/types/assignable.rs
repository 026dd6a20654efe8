//! Whether an object may stand where a type is declared. The runtime stores any address that it is given, so a wrong one breaks the program.

use std::sync::Arc;

use clr_csharp::types::INTERFACES_OF_ARRAYS;
use clr_metadata::{Assembly, Primitive, TypeId, TypeName, TypeSig, col};

use super::text;
use crate::target::Target;

/// Arrays of arrays, arguments of arguments.
const DEPTH: u32 = 16;
/// More bases and interfaces than any real type has.
const MAX_BASES: usize = 512;

/// Whether a value of that type is one of the other, as it is or in a box. What is not known is not.
pub fn is_assignable(target: &Target, from: &TypeSig, to: &TypeSig) -> bool {
    Types { target }.converts(from, to, DEPTH)
}

/// Those that the program has loaded.
struct Types<'t> {
    target: &'t Target,
}

impl Types<'_> {
    fn converts(&self, from: &TypeSig, to: &TypeSig, depth: u32) -> bool {
        let (from, to) = (plain(from), plain(to));
        if depth == 0 || !self.is_known(&from) || !self.is_known(&to) {
            return false;
        }
        if let (TypeSig::Array(from), TypeSig::Array(to)) = (&from, &to)
            && self.varies(from, to, depth)
        {
            return true;
        }
        self.bases(from).iter().any(|base| self.stands_for(base, &to, depth))
    }

    /// The same, or the same but for arguments that vary.
    fn stands_for(&self, from: &TypeSig, to: &TypeSig, depth: u32) -> bool {
        if text(from) == text(to) {
            return true;
        }
        let (TypeSig::Named(from), TypeSig::Named(to)) = (from, to) else { return false };
        if from.full_name != to.full_name || from.arguments.len() != to.arguments.len() {
            return false;
        }
        let Some((assembly, id)) = self.find(&from.full_name) else { return false };
        let variances = variances(&assembly, id);
        from.arguments.iter().zip(&to.arguments).enumerate().all(|(at, (from, to))| {
            text(&plain(from)) == text(&plain(to))
                || match variances.get(at) {
                    Some(1) => self.varies(from, to, depth),
                    Some(2) => self.varies(to, from, depth),
                    _ => false,
                }
        })
    }

    /// Without a change of what lies in memory.
    fn varies(&self, from: &TypeSig, to: &TypeSig, depth: u32) -> bool {
        self.is_reference(&plain(from)) && self.converts(from, to, depth - 1)
    }

    /// The type itself, its bases, and the interfaces of all of them.
    fn bases(&self, type_: TypeSig) -> Vec<TypeSig> {
        let mut bases = vec![type_];
        let mut at = 0;
        while let Some(type_) = bases.get(at)
            && bases.len() < MAX_BASES
        {
            for base in self.parents(type_) {
                if !bases.contains(&base) {
                    bases.push(base);
                }
            }
            at += 1;
        }
        // an interface has no base
        bases.push(TypeSig::Primitive(Primitive::Object));
        bases
    }

    fn parents(&self, type_: &TypeSig) -> Vec<TypeSig> {
        let named = |full_name: &str, arguments: Vec<TypeSig>| {
            TypeSig::Named(TypeName { full_name: full_name.to_owned(), arguments, is_value_type: false })
        };
        let (full_name, arguments) = match type_ {
            TypeSig::Primitive(primitive) => (primitive.full_name(), [].as_slice()),
            TypeSig::Named(name) => (name.full_name.as_str(), name.arguments.as_slice()),
            TypeSig::MultiArray { .. } => return vec![named("System.Array", Vec::new())],
            TypeSig::Array(element) => {
                let of_arrays = INTERFACES_OF_ARRAYS.iter().map(|name| named(name, vec![(**element).clone()]));
                return of_arrays.chain([named("System.Array", Vec::new())]).collect();
            }
            _ => return Vec::new(),
        };
        let Some((assembly, id)) = self.find(full_name) else { return Vec::new() };
        let view = assembly.type_(id);
        let parents = view.base().into_iter().chain(view.interfaces());
        parents.map(|parent| plain(&TypeSig::Named(parent).substitute(arguments, &[]))).collect()
    }

    /// Whether every name in it means one type.
    fn is_known(&self, type_: &TypeSig) -> bool {
        match type_ {
            TypeSig::Primitive(_) => true,
            TypeSig::Named(name) => {
                self.find(&name.full_name).is_some() && name.arguments.iter().all(|it| self.is_known(&plain(it)))
            }
            TypeSig::Array(inner) | TypeSig::MultiArray { element: inner, .. } => self.is_known(&plain(inner)),
            _ => false,
        }
    }

    fn is_reference(&self, type_: &TypeSig) -> bool {
        match type_ {
            TypeSig::Primitive(primitive) => matches!(primitive, Primitive::String | Primitive::Object),
            TypeSig::Named(name) => {
                self.find(&name.full_name).is_some_and(|(assembly, id)| !assembly.type_(id).is_value_type())
            }
            TypeSig::Array(_) | TypeSig::MultiArray { .. } => true,
            _ => false,
        }
    }

    /// `None` also where two modules have a type of that name.
    fn find(&self, full_name: &str) -> Option<(Arc<Assembly>, TypeId)> {
        let modules = self.target.modules.all();
        let mut found = modules.iter().filter_map(|module| {
            let assembly = module.assembly()?;
            Some((assembly.clone(), assembly.find_definition(full_name)?))
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

/// What is declared `ref`, `volatile` or pinned holds the type itself; what has a keyword is that.
pub fn plain(type_: &TypeSig) -> TypeSig {
    match type_ {
        TypeSig::ByRef(inner) | TypeSig::Pinned(inner) | TypeSig::Modified { inner, .. } => plain(inner),
        TypeSig::Named(name) => match Primitive::from_name(&name.full_name) {
            Some(primitive) => TypeSig::Primitive(primitive),
            None => type_.clone(),
        },
        other => other.clone(),
    }
}

/// Of each parameter of a type: 1 covariant, 2 contravariant, 0 neither (ECMA-335 II.23.1.7).
fn variances(assembly: &Assembly, id: TypeId) -> Vec<u32> {
    let metadata = assembly.metadata();
    let rows = metadata.rows_of(col::GenericParam::Owner, id.token());
    rows.map(|row| metadata.cell(row, col::GenericParam::Flags).unwrap_or(0) & 3).collect()
}
