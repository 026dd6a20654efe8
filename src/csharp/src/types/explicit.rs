//! Explicit implementations of what interfaces declare: their names carry those of the interfaces, as C# writes them.

use clr_metadata::names;

use super::{Definition, Named, Type, TypeSystem};

impl TypeSystem {
    /// The explicit implementation of an interface's property or methods: in which type, and by what name.
    pub fn explicit(&self, type_: &Type, interface: &Type, member: &str) -> Option<(Type, String)> {
        self.chain(type_).into_iter().find_map(|place| {
            let definition = self.definition(&place)?;
            let assembly = &definition.assembly;
            let methods = definition.view().methods().map(|id| assembly.method(id).name().to_owned());
            let properties = self.properties(&definition);
            let mut all = methods.chain(properties.iter().map(|it| it.name.clone()));
            let name = all.find(|name| is_explicit(name, (interface, member), (&place, &definition)))?;
            Some((place, name))
        })
    }
}

/// Whether that is the name of an explicit one for the interface's member, with what the type's parameters in it stand for:
/// `ICollection<T>.IsReadOnly` in a `List<int>` is that of `ICollection<int>`.
pub fn is_explicit(name: &str, (owner, member): (&Type, &str), (type_, definition): (&Type, &Definition)) -> bool {
    let Some((interface, own)) = name.rsplit_once('.') else { return false };
    if own != member {
        return false;
    }
    let parameters = definition.view().parameter_names(None).of_type;
    let interface = names::parse_type(interface).map(|sig| filled(Type::of(&sig), &parameters, type_.arguments()));
    interface.is_some_and(|interface| interface == *owner)
}

/// With arguments in the place of parameters, which are names as those of types are.
fn filled(type_: Type, parameters: &[String], arguments: &[Type]) -> Type {
    match type_ {
        Type::Named(Named { name, arguments: own, names, parameter }) => {
            let at = parameters.iter().position(|parameter| **parameter == *name).filter(|_| own.is_empty());
            if let Some(argument) = at.and_then(|at| arguments.get(at)) {
                return argument.clone();
            }
            let own = own.into_iter().map(|it| filled(it, parameters, arguments)).collect();
            Type::Named(Named { name, arguments: own, names, parameter })
        }
        Type::Array { of, rank } => Type::Array { of: Box::new(filled(*of, parameters, arguments)), rank },
        other => other,
    }
}
