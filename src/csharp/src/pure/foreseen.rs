//! What is known of an expression's side effects before it is evaluated, from the types that its parts are declared as.

use std::sync::Arc;

use clr_metadata::{Assembly, ExactCall, Held, MethodId, Purity, TypeSig};

use crate::bind::Binder;
use crate::bound::{BindError, Bound, Kind, Passed};
use crate::run::{half_of, is_exception_of_task};
use crate::syntax::{Expr, Span};
use crate::types::{FieldRef, MethodRef, Type, TypeSystem};
use crate::world::Scope;

/// What can be said before the evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Foreseen {
    /// Whatever its objects turn out to be, it changes nothing.
    Pure,
    /// That depends on the objects.
    Open,
    /// A call in it that is not known to be pure, whatever the objects: where it stands in the text, and why.
    SideEffects { at: Span, why: String },
}

/// Looks ahead. What is never reached counts too: who asks wants to know what may happen. `None`: it has no meaning there.
pub fn foresee(expr: &Expr, (types, scope): (&TypeSystem, &Scope), purity: &Purity) -> Option<Foreseen> {
    let bound = Binder::new(types, scope).bind(expr).ok()?;
    Some(Foresight { types, purity }.of(&bound))
}

/// What the compiler says before the name of a member that is not there.
const DEFINITION: &str = "does not contain a definition for '";

/// Words behind which an expression declares names of its own.
const DECLARING: [&str; 7] = ["is", "switch", "out", "from", "let", "join", "into"];

/// What an expression asks for and nothing known has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// A name that stands alone for a value.
    Value(String),
    /// A member of a known type: its name, and what the compiler says.
    Member { name: String, error: BindError },
}

impl Unknown {
    pub fn name(&self) -> &str {
        match self {
            Self::Value(name) | Self::Member { name, .. } => name,
        }
    }
}

/// A name that nothing known has. What is not loaded yet may have a type or a namespace of that name, so what a member is asked of, or
/// what is called, is not meant.
pub fn unknown(text: &str, expr: &Expr, (types, scope): (&TypeSystem, &Scope)) -> Option<Unknown> {
    let error = match Binder::new(types, scope).bind(expr) {
        Ok(bound) => bound.late_error()?,
        Err(error) => error,
    };
    let BindError::Compiler { code, message, at } = &error else { return None };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: Vec<&str> = text.split(|c| !is_part(c)).collect();
    let is_alone = |name: &str| words.iter().filter(|word| **word == name).count() == 1;
    let declares = text.contains("=>") || words.iter().any(|word| DECLARING.contains(word));
    if declares || !text.is_ascii() {
        return None;
    }
    if matches!(*code, "CS1061" | "CS0117") {
        let name = message.split_once(DEFINITION)?.1.split('\'').next().filter(|name| is_alone(name))?;
        return Some(Unknown::Member { name: name.to_owned(), error: error.clone() });
    }
    let behind = text.get(*at..).filter(|_| *code == "CS0103")?;
    let name = behind.get(..behind.find(|c| !is_part(c)).unwrap_or(behind.len()))?;
    let before = text.get(..*at)?.trim_end().chars().next_back();
    let next = behind.get(name.len()..)?.trim_start().chars().next();
    let is_value = !matches!(before, Some('.' | ':' | '@')) && !matches!(next, Some('.' | ':' | '(' | '!'));
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_it = is_name && is_value && is_alone(name) && !is_contextual(name);
    is_it.then(|| Unknown::Value(name.to_owned()))
}

/// Whether an expression is a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fitness {
    /// It is one, or may be.
    Open,
    /// A name in it means nothing here.
    Elsewhere,
    /// Its type is one of the language's own, which nothing converts to a `bool`.
    Never(BindError),
}

/// Of an expression at one place.
pub fn fitness(expr: &Expr, (types, scope): (&TypeSystem, &Scope)) -> Fitness {
    let bound = match Binder::new(types, scope).bind(expr) {
        Ok(bound) => bound,
        Err(BindError::Compiler { code: "CS0103", .. }) => return Fitness::Elsewhere,
        // what gives nothing is no operand, whatever its types turn out to be
        Err(error @ BindError::Compiler { code: "CS0019", .. }) if error.to_string().contains("'void'") => {
            return Fitness::Never(error);
        }
        Err(_) => return Fitness::Open,
    };
    let type_ = bound.type_.without_nullable();
    let is_own = matches!(type_, Type::Primitive(_)) || *type_ == Type::STRING || type_.is_decimal();
    // some adapters take a `bool?` for one
    if !is_own && !types.is_enum(type_) || *type_ == Type::BOOL {
        return Fitness::Open;
    }
    Binder::new(types, scope).bind_as(expr, &Type::BOOL).map_or_else(Fitness::Never, |_| Fitness::Open)
}

/// Why a value cannot be assigned to a place, by their types, as the compiler says it. `None`: it can, or one of them means nothing.
pub fn mismatch(place: &Expr, value: &Expr, (types, scope): (&TypeSystem, &Scope)) -> Option<BindError> {
    let mut binder = Binder::new(types, scope);
    let place = binder.bind(place).ok()?;
    let error = binder.bind_fitting(value, &place.type_).err()?;
    let is_of_types = matches!(error, BindError::Compiler { code: "CS0029" | "CS0031" | "CS0037" | "CS0266", .. });
    is_of_types.then_some(error)
}

/// What code of an accessor names without a declaration.
fn is_contextual(name: &str) -> bool {
    matches!(name, "field" | "value" | "args" | "this" | "base")
}

struct Foresight<'a> {
    types: &'a TypeSystem,
    purity: &'a Purity,
}

impl Foresight<'_> {
    fn of(&self, bound: &Bound) -> Foreseen {
        let mut is_open = false;
        let mut open = vec![bound];
        while let Some(next) = open.pop() {
            match self.alone(next) {
                Foreseen::Pure => {}
                Foreseen::Open => is_open = true,
                found @ Foreseen::SideEffects { .. } => return found,
            }
            open.extend(next.parts().into_iter().rev());
        }
        if is_open { Foreseen::Open } else { Foreseen::Pure }
    }

    /// Without its parts.
    fn alone(&self, bound: &Bound) -> Foreseen {
        match &bound.kind {
            Kind::Field { of: None, field } => self.static_field(field),
            Kind::Property { of, property, arguments } => {
                let is_virtual = property.property.accessor().is_some_and(|accessor| accessor.is_virtual);
                let is_field = property.property.field.is_some() && arguments.is_empty() && !is_virtual;
                match property.getter() {
                    _ if is_field && of.is_some() => Foreseen::Pure,
                    // read from the object's fields
                    _ if is_exception_of_task(property) || half_of(property).is_some() => Foreseen::Open,
                    Some(getter) => self.call(bound, of.as_deref(), &getter, &arguments.iter().collect::<Vec<_>>()),
                    None => Foreseen::Open,
                }
            }
            Kind::Call { of, method, arguments } => {
                let given: Option<Vec<&Bound>> = arguments.iter().map(value).collect();
                match given {
                    Some(given) => self.call(bound, of.as_deref(), method, &given),
                    None => self.call(bound, of.as_deref(), method, &[]),
                }
            }
            Kind::Operator { method, operands, .. } => {
                self.call(bound, None, method, &operands.iter().collect::<Vec<_>>())
            }
            Kind::Untyped(_)
            | Kind::Invoke { .. }
            | Kind::New { .. }
            | Kind::Default
            | Kind::With { .. }
            | Kind::Interpolated(_)
            | Kind::Assign { .. }
            | Kind::Deconstruct { .. }
            | Kind::Change { .. }
            | Kind::Throw(_)
            | Kind::Late { .. } => Foreseen::Open,
            _ => Foreseen::Pure,
        }
    }

    /// The first use of its type may run that type's initializer.
    fn static_field(&self, field: &FieldRef) -> Foreseen {
        let Some(definition) = self.types.definition(&field.owner) else { return Foreseen::Open };
        let instance = field.owner.sig();
        let mut begun = |_: &Arc<Assembly>, _: MethodId| false;
        match self.purity.initializer(&definition.assembly, (definition.id, &instance), &mut begun) {
            Ok(()) => Foreseen::Pure,
            Err(_) => Foreseen::Open,
        }
    }

    fn call(&self, bound: &Bound, of: Option<&Bound>, method: &MethodRef, arguments: &[&Bound]) -> Foreseen {
        // operators of LINQ, and what takes a lambda or was made by the expression, are computed by the debugger
        let is_query = method.owner.is("System.Linq.Enumerable");
        let is_lambda = |it: &&Bound| matches!(it.kind, Kind::Lambda(_) | Kind::Untyped(_)) || it.is_late();
        let is_made = of.is_some_and(is_made);
        if is_query || is_made || arguments.iter().any(is_lambda) || of.is_some_and(|of| of.type_.is_nullable()) {
            return Foreseen::Open;
        }
        let receiver = of.map(|of| of.type_.sig());
        let is_settled = !method.method.is_virtual || of.is_none_or(|of| self.types.is_sealed(&of.type_));
        if !is_settled {
            return Foreseen::Open;
        }
        let declaring = method.owner.sig();
        let method_arguments: Vec<TypeSig> = method.arguments.iter().map(Type::sig).collect();
        let count = method.method.parameters.len();
        let call = ExactCall {
            assembly: &method.method.assembly,
            method: method.method.id,
            declaring: &declaring,
            method_arguments: &method_arguments,
            receiver: receiver.as_ref(),
            is_exact: of.is_none_or(|of| self.types.is_sealed(&of.type_)),
            owns_receiver: false,
            owned_arguments: 0,
            arguments: &[],
            held: Held::default(),
            contents: &[],
        };
        let known = |it: &&Bound| self.types.is_sealed(&it.type_).then(|| it.type_.sig());
        let declared: Vec<Option<TypeSig>> = arguments.iter().map(known).collect();
        let of_types = ExactCall { arguments: &declared, ..call };
        let mut begun = |_: &Arc<Assembly>, _: MethodId| false;
        if declared.len() == count && self.purity.exact(&of_types, &mut begun).is_ok() {
            return Foreseen::Pure;
        }
        // texts call nothing
        let harmless = vec![Some(Type::STRING.sig()); count];
        let best = Held { framework_comparer: true, framework_culture: true };
        let has_objects = of.is_some() || count > 0;
        let hopeful = ExactCall { arguments: &harmless, held: best, ..call };
        match self.purity.initialized(&hopeful) {
            Ok(()) => Foreseen::Open,
            Err(_) if has_objects && self.purity.may_change_nothing(&hopeful) => Foreseen::Open,
            Err(why) => Foreseen::SideEffects { at: bound.span.clone(), why: why.to_string() },
        }
    }
}

fn value(passed: &Passed) -> Option<&Bound> {
    match passed {
        Passed::Value(bound) => Some(bound),
        Passed::Out(..) | Passed::Ref(_) => None,
    }
}

/// Whether the expression may have made the object that this stands for: it is no variable and nothing in one.
fn is_made(bound: &Bound) -> bool {
    match &bound.kind {
        Kind::Variable(_) | Kind::Field { of: None, .. } | Kind::Constant(_) => false,
        Kind::Field { of: Some(of), .. }
        | Kind::Element { of, .. }
        | Kind::Property { of: Some(of), .. }
        | Kind::Convert { of, .. }
        | Kind::As { of, .. } => is_made(of),
        Kind::Property { of: None, .. } => false,
        _ => true,
    }
}
