//! What a call's token means.

use std::sync::Arc;

use super::Question;
use super::hierarchy::answers_to;
use super::values::referent;
use crate::assembly::Assembly;
use crate::schema::{Table, col};
use crate::signatures::{Decoder, MethodSig, TypeSig};
use crate::tokens::{MethodId, Token, TypeId};

/// The method that an instruction names, with the generic arguments of the place.
#[derive(Debug, Clone)]
pub(super) struct Callee {
    pub type_: TypeSig,
    pub name: String,
    pub signature: MethodSig,
    pub type_arguments: Vec<TypeSig>,
    pub method_arguments: Vec<TypeSig>,
    pub target: Target,
}

#[derive(Debug, Clone)]
pub(super) enum Target {
    /// Of the program: judged by its IL.
    Own(Arc<Assembly>, MethodId),
    Framework,
    /// `Get`, `Set`, `Address` of arrays with several dimensions.
    Array,
}

impl Callee {
    /// The type of the result as the place sees it.
    pub(super) fn result(&self) -> TypeSig {
        self.signature.return_type.substitute(&self.type_arguments, &self.method_arguments)
    }
}

impl Question<'_> {
    /// `None`: a token that means no method that is known.
    pub(super) fn callee(&self, from: &Arc<Assembly>, token: Token) -> Option<Callee> {
        let metadata = &from.metadata;
        match token.table()? {
            Table::MethodDef => {
                let method = MethodId::from_token(token)?;
                let view = from.method(method);
                Some(Callee {
                    type_: view.declaring_type()?.self_type(),
                    name: view.name().to_owned(),
                    signature: view.signature()?,
                    type_arguments: Vec::new(),
                    method_arguments: Vec::new(),
                    target: Target::Own(from.clone(), method),
                })
            }
            Table::MemberRef => {
                let class = metadata.token(token.row(), col::MemberRef::Class).ok()?;
                if !matches!(class.table()?, Table::TypeDef | Table::TypeRef | Table::TypeSpec) {
                    return None;
                }
                let type_ = Decoder::new(metadata).token(class).ok()?;
                let name = metadata.string(token.row(), col::MemberRef::Name).ok()?.to_owned();
                let signature = metadata.blob(token.row(), col::MemberRef::Signature).ok()?;
                let signature = Decoder::new(metadata).method(signature).ok()?;
                let target = match referent(&type_) {
                    TypeSig::MultiArray { .. } => Target::Array,
                    _ => self.target(from, &type_, &name, &signature)?,
                };
                let type_arguments = match &type_ {
                    TypeSig::Named(named) => named.arguments.clone(),
                    _ => Vec::new(),
                };
                Some(Callee { type_, name, signature, type_arguments, method_arguments: Vec::new(), target })
            }
            Table::MethodSpec => {
                let method = metadata.token(token.row(), col::MethodSpec::Method).ok()?;
                let blob = metadata.blob(token.row(), col::MethodSpec::Instantiation).ok()?;
                let method_arguments = Decoder::new(metadata).instantiation(blob).ok()?;
                (method.table()? != Table::MethodSpec).then_some(())?;
                Some(Callee { method_arguments, ..self.callee(from, method)? })
            }
            _ => None,
        }
    }

    /// The method that a call on a value type runs, by that type.
    pub(super) fn constrained(&self, from: &Arc<Assembly>, type_: &TypeSig, callee: &Callee) -> Option<Callee> {
        let full_name = type_.full_name()?;
        let TypeSig::Named(named) = type_ else { return None };
        let target = match self.own_type(from, full_name) {
            Some((assembly, id)) => {
                let view = assembly.type_(id);
                view.is_value_type().then_some(())?;
                let wanted = callee.signature.parameters.iter();
                let wanted: Vec<TypeSig> =
                    wanted.map(|it| it.substitute(&callee.type_arguments, &callee.method_arguments)).collect();
                let wanted = MethodSig { parameters: wanted, ..callee.signature.clone() };
                let mut methods = view.methods().filter(|&id| {
                    let view = assembly.method(id);
                    !view.is_static()
                        && answers_to(&assembly, id, &|name| name == callee.name)
                        && view.signature().is_some_and(|own| {
                            own.parameters.len() == wanted.parameters.len()
                                && own.generic_parameters == wanted.generic_parameters
                                && may_implement(Some(&wanted), Some(&own))
                        })
                });
                // of several nobody can tell by names which one it is
                let method = methods.next().filter(|_| methods.next().is_none())?;
                Target::Own(assembly.clone(), method)
            }
            None => {
                super::framework::has(full_name, &callee.name).then_some(())?;
                Target::Framework
            }
        };
        Some(Callee { type_: type_.clone(), type_arguments: named.arguments.clone(), target, ..callee.clone() })
    }

    fn target(&self, from: &Arc<Assembly>, type_: &TypeSig, name: &str, signature: &MethodSig) -> Option<Target> {
        let full_name = type_.full_name()?;
        let Some((assembly, id)) = self.own_type(from, full_name) else { return Some(Target::Framework) };
        let mut at = Some((assembly, id));
        for _ in 0..64 {
            let (assembly, id) = at?;
            if let Some(method) = named(&assembly, id, name, signature) {
                return Some(Target::Own(assembly, method));
            }
            // a reference may name a type that only inherits the method
            let base = assembly.type_(id).base()?;
            at = self.own_type(&assembly, &base.full_name);
            if at.is_none() {
                return Some(Target::Framework);
            }
        }
        None
    }

    /// A type of the program; `None` for the framework's, and for one that nobody knows.
    pub(super) fn own_type(&self, from: &Arc<Assembly>, full_name: &str) -> Option<(Arc<Assembly>, TypeId)> {
        let found = self.purity.universe.resolve(from, full_name)?;
        (!super::is_framework(found.0.path())).then_some(found)
    }
}

fn named(assembly: &Assembly, type_: TypeId, name: &str, signature: &MethodSig) -> Option<MethodId> {
    let candidates = assembly.type_(type_).methods().filter(|&id| assembly.method(id).name() == name);
    let signed: Vec<(MethodId, MethodSig)> =
        candidates.filter_map(|id| Some((id, assembly.method(id).signature()?))).collect();
    let is_same = |it: &&(MethodId, MethodSig)| {
        it.1.parameters == signature.parameters && it.1.generic_parameters == signature.generic_parameters
    };
    signed.iter().find(is_same).map(|(id, _)| *id)
}

/// Whether a method can implement one of its name: their parameters are the same, as far as they depend on no generic argument.
pub(super) fn may_implement(declared: Option<&MethodSig>, other: Option<&MethodSig>) -> bool {
    let (Some(declared), Some(other)) = (declared, other) else { return true };
    let is_fixed = |type_: &TypeSig| match type_ {
        TypeSig::Primitive(_) => true,
        TypeSig::Named(named) => named.arguments.is_empty(),
        _ => false,
    };
    let mut pairs = declared.parameters.iter().zip(&other.parameters);
    pairs.all(|(one, other)| match (one, other) {
        // whatever their arguments are
        (TypeSig::Named(one), TypeSig::Named(other)) if one.full_name != other.full_name => false,
        (TypeSig::Named(_), TypeSig::Primitive(_)) | (TypeSig::Primitive(_), TypeSig::Named(_)) => false,
        _ => one == other || !is_fixed(one) || !is_fixed(other),
    })
}
