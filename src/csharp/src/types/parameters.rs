//! What type parameters stand for, as an object of a declared type shows.

use super::{Type, TypeSystem};

impl Type {
    pub fn is_parameter(&self) -> bool {
        matches!(self, Self::TypeParameter(_) | Self::MethodParameter(_))
    }

    /// Whether a type parameter is a part of it.
    pub fn has_parameters(&self) -> bool {
        match self {
            _ if self.is_parameter() => true,
            Self::Array { of, .. } | Self::Pointer(of) | Self::ByRef(of) => of.has_parameters(),
            other => other.arguments().iter().any(Self::has_parameters),
        }
    }

    /// With the names that tuples in a declaration of the same form have for their elements.
    #[must_use]
    pub fn with_names_of(&self, declared: &Self) -> Self {
        match (self, declared) {
            (Self::Named(own), Self::Named(other)) if own.name == other.name => {
                let pairs = own.arguments.iter().zip(&other.arguments);
                let arguments = pairs.map(|(own, other)| own.with_names_of(other)).collect();
                Self::Named(super::Named { arguments, names: other.names.clone(), ..own.clone() })
            }
            (Self::Array { of, rank }, Self::Array { of: other, .. }) => {
                Self::Array { of: Box::new(of.with_names_of(other)), rank: *rank }
            }
            _ => self.clone(),
        }
    }
}

/// The arguments of type parameters, those of the type and those of the method, as far as they were found.
#[derive(Debug, Default)]
pub struct Arguments {
    pub of_type: Vec<Option<Type>>,
    pub of_method: Vec<Option<Type>>,
}

impl Arguments {
    /// From an object that a variable of a declared type holds. Only the arguments of a class or a struct are surely those of the
    /// declaration: an interface or a delegate may vary in them, and what is declared as a parameter itself may hold an object of any
    /// class below.
    pub fn find(&mut self, types: &TypeSystem, declared: &Type, object: &Type) {
        let is_certain = matches!(declared, Type::Named(_)) && types.variances(declared).iter().all(|it| *it == 0);
        if !is_certain || types.is_interface(declared) {
            return;
        }
        if let Some(same) = types.chain(object).into_iter().find(|base| base.name() == declared.name()) {
            self.unify(declared, &same);
        }
    }

    /// Of two types that are one.
    fn unify(&mut self, declared: &Type, same: &Type) {
        let (list, number) = match (declared, same) {
            (Type::TypeParameter(number), _) => (&mut self.of_type, *number as usize),
            (Type::MethodParameter(number), _) => (&mut self.of_method, *number as usize),
            (Type::Named(declared), Type::Named(same)) => {
                let pairs = declared.arguments.iter().zip(&same.arguments);
                return pairs.for_each(|(declared, same)| self.unify(declared, same));
            }
            (Type::Array { of, .. }, Type::Array { of: same, .. }) => return self.unify(of, same),
            _ => return,
        };
        if list.len() <= number {
            list.resize(number + 1, None);
        }
        if let Some(slot) = list.get_mut(number)
            && !same.has_parameters()
        {
            *slot = Some(same.clone());
        }
    }

    /// Those of parameters that are bound to something are known as such.
    pub fn stand_for(&mut self, bounds: &[(Type, Vec<Type>)]) {
        for (position, (parameter, _)) in bounds.iter().enumerate() {
            let found = match parameter {
                Type::TypeParameter(number) => self.of_type.get_mut(*number as usize),
                Type::MethodParameter(number) => self.of_method.get_mut(*number as usize),
                _ => None,
            };
            if let Some(found) = found {
                *found = found.take().map(|argument| argument.of_parameter(position));
            }
        }
    }

    /// What is known of a type with that.
    pub fn applied(&self, type_: &Type) -> Type {
        let known = |list: &[Option<Type>], open: fn(u32) -> Type| -> Vec<Type> {
            (0..).zip(list).map(|(number, found)| found.clone().unwrap_or_else(|| open(number))).collect()
        };
        type_.substitute(&known(&self.of_type, Type::TypeParameter), &known(&self.of_method, Type::MethodParameter))
    }
}
