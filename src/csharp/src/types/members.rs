//! Members of a type as the compiler looks them up.

use std::sync::Arc;

use clr_metadata::names::{is_display_class, local_function};
use clr_metadata::{
    Assembly, AttributeValue, FieldId, GetterKind, MethodId, MethodView, ParameterDirection, PropertyId, Token, TypeSig,
};

use super::{Definition, Type};
use crate::Decimal;
use crate::syntax::Pass;

#[derive(Debug)]
pub struct Field {
    pub assembly: Arc<Assembly>,
    pub id: FieldId,
    pub name: String,
    pub type_: Type,
    pub is_static: bool,
    pub is_read_only: bool,
    /// Of a `const`.
    pub constant: Option<AttributeValue>,
}

#[derive(Debug)]
pub struct Property {
    pub id: PropertyId,
    pub name: String,
    pub type_: Type,
    pub is_static: bool,
    pub getter: Option<Arc<Method>>,
    pub setter: Option<Arc<Method>>,
    /// The field that its getter returns, and no more.
    pub field: Option<String>,
}

impl Property {
    pub fn accessor(&self) -> Option<&Arc<Method>> {
        self.getter.as_ref().or(self.setter.as_ref())
    }

    pub fn is_indexer(&self) -> bool {
        self.getter.as_ref().is_some_and(|getter| !getter.parameters.is_empty())
            || self.setter.as_ref().is_some_and(|setter| setter.parameters.len() > 1)
    }
}

/// A method of a type.
#[derive(Debug, Clone)]
pub struct Method {
    pub assembly: Arc<Assembly>,
    pub id: MethodId,
    /// As in metadata: `Add`, `get_Count`, `.ctor`, `op_Addition`.
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub returns: Type,
    /// Type parameters of its own.
    pub generic: usize,
    pub is_static: bool,
    pub is_virtual: bool,
    /// Puts itself in the place of one of a base type.
    pub is_override: bool,
    pub is_extension: bool,
    /// Of `OverloadResolutionPriority`: only the highest counts.
    pub priority: i32,
    /// What the arguments of its own type parameters must be.
    pub constraints: Vec<Constraints>,
    /// Flags of ECMA-335 II.23.1.10.
    pub flags: u32,
}

/// Of a type parameter.
#[derive(Debug, Clone)]
pub struct Constraints {
    pub name: String,
    /// Of ECMA-335 II.23.1.7.
    pub flags: u32,
    /// What an argument must convert to.
    pub bounds: Vec<Type>,
}

#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: String,
    /// Without the `ref`.
    pub type_: Type,
    pub pass: Pass,
    pub default: Option<Default>,
    /// May be left out.
    pub is_optional: bool,
    /// The compiler computes the argument from the call site where it is omitted.
    pub is_of_caller: bool,
    /// Takes any number of arguments.
    pub is_params: bool,
}

/// What a parameter gets that nothing is given for.
#[derive(Debug, Clone)]
pub enum Default {
    Value(AttributeValue),
    Decimal(Decimal),
}

/// A method with the type whose it is, and its own type arguments.
#[derive(Debug, Clone)]
pub struct MethodRef {
    pub owner: Type,
    pub method: Arc<Method>,
    pub arguments: Vec<Type>,
}

impl MethodRef {
    pub fn parameter_type(&self, at: usize) -> Option<Type> {
        let parameter = self.method.parameters.get(at)?;
        Some(parameter.type_.substitute(self.owner.arguments(), &self.arguments))
    }

    pub fn returns(&self) -> Type {
        self.method.returns.substitute(self.owner.arguments(), &self.arguments)
    }

    /// `Order.Add`
    pub fn text(&self) -> String {
        match local_function(&self.method.name) {
            Some(name) => name.to_owned(),
            None => format!("{}.{}", self.owner.short(), self.method.name),
        }
    }
}

#[derive(Debug, Clone)]
pub struct FieldRef {
    pub owner: Type,
    pub field: Arc<Field>,
}

impl FieldRef {
    /// Of a `ref` field, the type of what it refers to.
    pub fn type_(&self) -> Type {
        match self.field.type_.substitute(self.owner.arguments(), &[]) {
            Type::ByRef(referent) => *referent,
            type_ => type_,
        }
    }
}

#[derive(Debug, Clone)]
pub struct PropertyRef {
    pub owner: Type,
    pub property: Arc<Property>,
}

impl PropertyRef {
    pub fn type_(&self) -> Type {
        self.property.type_.substitute(self.owner.arguments(), &[])
    }

    pub fn getter(&self) -> Option<MethodRef> {
        let method = self.property.getter.clone()?;
        Some(MethodRef { owner: self.owner.clone(), method, arguments: Vec::new() })
    }

    pub fn setter(&self) -> Option<MethodRef> {
        let method = self.property.setter.clone()?;
        Some(MethodRef { owner: self.owner.clone(), method, arguments: Vec::new() })
    }
}

const EXTENSION: &str = "System.Runtime.CompilerServices.ExtensionAttribute";
/// Attributes of parameters whose arguments come from the call site: the text of another argument, member, line and file.
const OF_CALLER: [&str; 4] = [
    "System.Runtime.CompilerServices.CallerArgumentExpressionAttribute",
    "System.Runtime.CompilerServices.CallerMemberNameAttribute",
    "System.Runtime.CompilerServices.CallerLineNumberAttribute",
    "System.Runtime.CompilerServices.CallerFilePathAttribute",
];
const PARAM_COLLECTION: &str = "System.Runtime.CompilerServices.ParamCollectionAttribute";

/// A type's own methods of that name.
pub(super) fn methods(definition: &Definition, name: &str) -> Vec<Arc<Method>> {
    let view = definition.view();
    let named = view.methods().filter(|&id| definition.assembly.method(id).name() == name);
    named.filter_map(|id| method(&definition.assembly, id)).map(Arc::new).collect()
}

/// A type's own properties.
pub(super) fn properties(definition: &Definition) -> Vec<Arc<Property>> {
    let assembly = &definition.assembly;
    let accessor = |id: Option<MethodId>| method(assembly, id?).map(Arc::new);
    let properties = definition.view().properties().into_iter().map(|property| {
        Arc::new(Property {
            id: property.id,
            type_: declared(assembly, property.id.token(), &property.type_),
            is_static: property.is_static,
            getter: accessor(property.getter),
            setter: accessor(property.setter),
            field: match property.access {
                GetterKind::Auto { field } | GetterKind::LoadsField { field } => Some(field),
                GetterKind::Computed | GetterKind::None => None,
            },
            name: property.name,
        })
    });
    properties.collect()
}

/// A type's own fields.
pub(super) fn fields(definition: &Definition) -> Vec<Arc<Field>> {
    let assembly = &definition.assembly;
    let fields = definition.view().fields().into_iter().map(|field| {
        Arc::new(Field {
            type_: declared(assembly, field.id.token(), &field.type_),
            constant: field.is_literal.then(|| assembly.constant(field.id)).flatten(),
            is_static: field.is_static,
            is_read_only: field.is_init_only,
            id: field.id,
            name: field.name,
            assembly: assembly.clone(),
        })
    });
    fields.collect()
}

fn declared(assembly: &Assembly, owner: Token, type_: &TypeSig) -> Type {
    Type::declared(type_, &assembly.element_names(owner), &assembly.dynamic_parts(owner, type_))
}

fn method(assembly: &Arc<Assembly>, id: MethodId) -> Option<Method> {
    let view = assembly.method(id);
    let signature = view.signature()?;
    let names = view.parameter_names();
    let defaults = view.parameter_defaults();
    let directions = view.parameter_directions();
    let elements = view.parameter_element_names();
    let count = signature.parameters.iter().take_while(|type_| captured(type_).is_none()).count();
    let takes_any = view.takes_any_number();
    let is_collection = |at: usize| at + 1 == count && (takes_any || view.parameter_has(at, PARAM_COLLECTION));
    let parameters = signature.parameters.iter().enumerate().map(|(at, type_)| {
        let is_reference = is_by_ref(type_);
        let tuples = elements.get(at).map(Vec::as_slice).unwrap_or_default();
        let declared = Type::declared(type_, tuples, &view.dynamic_parts(at, type_));
        let default = defaults.get(at).cloned().flatten().map(Default::Value).or_else(|| decimal_default(&view, at));
        Parameter {
            // unnamed in metadata
            name: match captured(type_) {
                Some(closure) => closure.to_owned(),
                None => names.get(at).cloned().unwrap_or_default(),
            },
            type_: match declared {
                Type::ByRef(inner) => *inner,
                other => other,
            },
            pass: match (is_reference, directions.get(at)) {
                (true, Some(ParameterDirection::Out)) => Pass::Out,
                (true, Some(ParameterDirection::In)) => Pass::In,
                // what a local function captures is where it is
                (true, _) if captured(type_).is_some() => Pass::In,
                (true, _) => Pass::Ref,
                (false, _) => Pass::Value,
            },
            is_of_caller: default.is_some() && OF_CALLER.iter().any(|attribute| view.parameter_has(at, attribute)),
            is_optional: default.is_some() || view.is_optional(at),
            default,
            is_params: is_collection(at),
        }
    });
    let parameters = parameters.collect();
    Some(Method {
        id,
        name: view.name().to_owned(),
        parameters,
        returns: Type::declared(
            &signature.return_type,
            &view.returned_element_names(),
            &view.returned_dynamic_parts(&signature.return_type),
        ),
        priority: priority(assembly, id),
        constraints: constraints(&view),
        generic: signature.generic_parameters as usize,
        is_static: view.is_static(),
        is_virtual: view.is_virtual(),
        is_override: view.is_override(),
        is_extension: view.is_static() && view.has_attribute(EXTENSION),
        flags: view.flags(),
        assembly: assembly.clone(),
    })
}

fn priority(assembly: &Assembly, id: MethodId) -> i32 {
    const PRIORITY: &str = "System.Runtime.CompilerServices.OverloadResolutionPriorityAttribute";
    let attribute = assembly.metadata().attribute(id.token(), PRIORITY);
    match attribute.and_then(|it| it.arguments().ok()?.into_iter().next()) {
        Some(AttributeValue::Int(number)) => i32::try_from(number).unwrap_or(0),
        _ => 0,
    }
}

fn constraints(view: &MethodView<'_>) -> Vec<Constraints> {
    let parameters = view.type_parameters().into_iter();
    parameters
        .map(|it| Constraints { name: it.name, flags: it.flags, bounds: it.bounds.iter().map(Type::of).collect() })
        .collect()
}

/// The compiler writes a `decimal` as its parts: scale, sign, and three times 32 bits.
fn decimal_default(view: &MethodView<'_>, parameter: usize) -> Option<Default> {
    const DECIMAL: &str = "System.Runtime.CompilerServices.DecimalConstantAttribute";
    let arguments = view.parameter_attribute(parameter, DECIMAL)?.arguments().ok()?;
    let numbers: Option<Vec<i128>> = arguments
        .iter()
        .map(|it| match it {
            AttributeValue::Int(number) => Some(*number),
            _ => None,
        })
        .collect();
    let [scale, sign, high, middle, low] = numbers?.try_into().ok()?;
    let bits = |number: i128| number & 0xffff_ffff;
    let digits = (bits(high) << 64 | bits(middle) << 32 | bits(low)).to_string();
    let scale = usize::try_from(scale).ok()?;
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if sign == 0 { "" } else { "-" };
    let point = if scale == 0 { "" } else { "." };
    Decimal::parse(&format!("{sign}{whole}{point}{fraction}")).map(Default::Decimal)
}

fn is_by_ref(type_: &TypeSig) -> bool {
    match type_ {
        TypeSig::ByRef(_) => true,
        TypeSig::Modified { inner, .. } => is_by_ref(inner),
        _ => false,
    }
}

/// The type of what a local function captures, in the parameters that the compiler adds to its own.
fn captured(parameter: &TypeSig) -> Option<&str> {
    let TypeSig::ByRef(inner) = parameter else { return None };
    inner.full_name().filter(|name| is_display_class(name))
}
