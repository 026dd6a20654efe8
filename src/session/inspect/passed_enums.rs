//! Enums and boxed values among the arguments of calls. What a member's name or a call gives lies in a box, as does what an `object` holds,
//! and some adapters pass the box's address for the number (vendor-notes.md): the call would run, with a value that nobody asked for.

use std::sync::Arc;

use clr_metadata::{Primitive, TypeSig, TypeUniverse, names};

use super::effects::parse::{Kind, Part, parse};
use super::evaluate::EvalError;
use super::expression::is_path;
use super::reader::{Access, RawValue, ReadError, Reader};
use super::{enums, preview};
use crate::session::error::Code;

/// Refuses a call that would get another number than the expression says.
pub async fn check(reader: &Reader, expression: &str) -> Result<(), EvalError> {
    if reader.quirks.passes_computed_enums || !expression.contains(['(', '[']) {
        return Ok(());
    }
    let Some(part) = parse(expression) else { return Ok(()) };
    let mut arguments = Vec::new();
    gather(&part, &mut arguments);
    if arguments.is_empty() {
        return Ok(());
    }
    let known = Known::of(reader).await?;
    for argument in arguments {
        if enums::member(reader, &argument.text).await.is_some() || known.is_computed_enum(argument) {
            let words = format!(
                "the adapter cannot pass the enum `{}` as an argument; pass a variable, field or array element of that type",
                argument.text
            );
            return Err(EvalError::certain(Code::EvaluationFailed, words));
        }
        if let Some(boxed) = known.boxed(argument).await {
            let words = format!(
                "the adapter cannot pass `{}`, a boxed {boxed}, as an argument: evaluate it alone",
                argument.text
            );
            return Err(EvalError::certain(Code::EvaluationFailed, words));
        }
    }
    Ok(())
}

/// Whether an expression calls anything with a value that may lie in a box; of what type that is takes a frame to say.
pub fn may_pass_computed(expression: &str) -> bool {
    let Some(part) = parse(expression) else { return false };
    let mut arguments = Vec::new();
    gather(&part, &mut arguments);
    !arguments.is_empty()
}

/// The arguments of all calls that are no plain literals.
fn gather<'p>(part: &'p Part, found: &mut Vec<&'p Part>) {
    if let Kind::Call(_, _, arguments) | Kind::Index(_, arguments) = &part.kind {
        found.extend(arguments.iter().filter(|it| !matches!(it.kind, Kind::Harmless(_))));
    }
    part.inner().into_iter().for_each(|part| gather(part, found));
}

/// What declarations say of the parts of an expression; nothing runs for it.
pub(super) struct Known<'r> {
    reader: &'r Reader,
    variables: Vec<RawValue>,
    pub(super) universe: Arc<TypeUniverse>,
}

impl<'r> Known<'r> {
    /// # Errors
    /// The adapter is gone. A frame whose variables it refuses has none.
    pub(super) async fn of(reader: &'r Reader) -> Result<Self, ReadError> {
        let variables = match reader.variables().await {
            Ok(variables) => variables,
            Err(ReadError::Refused(_)) => Vec::new(),
            Err(other) => return Err(other),
        };
        Ok(Self { reader, variables, universe: reader.modules.universe() })
    }

    /// The types that may have the method which a call names.
    pub(super) fn called_on(&self, receiver: Option<&Part>) -> Vec<String> {
        match receiver {
            Some(receiver) => self.owners(receiver),
            None => self.this().into_iter().chain(self.reader.types_around()).collect(),
        }
    }

    /// The type of an argument as it is declared; `None` where several are possible, or none is known.
    pub(super) fn argument(&self, part: &Part) -> Option<TypeSig> {
        match self.types(part).as_slice() {
            [only] => Some(only.type_.clone()),
            _ => None,
        }
    }

    fn is_computed_enum(&self, part: &Part) -> bool {
        let given = self.types(part);
        given.iter().any(|given| given.is_computed && self.reader.modules.enum_type(&given.type_.to_string()).is_some())
    }

    /// The type of what lies in the box that a variable or a member holds.
    async fn boxed(&self, part: &Part) -> Option<String> {
        let is_object = |given: &Given| matches!(given.type_, TypeSig::Primitive(Primitive::Object));
        let value = match &part.kind {
            Kind::Name(name) if let Some(variable) = self.variables.iter().find(|it| it.name == *name) => {
                variable.clone()
            }
            Kind::Name(_) | Kind::Member(..) if is_path(&part.text) && self.types(part).iter().any(is_object) => {
                self.reader.evaluate(&part.text, Access::Load).await.ok()?
            }
            _ => return None,
        };
        let is_member = !matches!(&part.kind, Kind::Name(name) if self.variables.iter().any(|it| it.name == *name));
        let is_struct = || is_member && self.reader.modules.shape(&value.type_name).is_value_type;
        (preview::is_boxed(&value) || is_struct()).then(|| value.short_type())
    }

    /// Of the frame: what its methods and properties belong to.
    fn this(&self) -> Option<String> {
        self.variables.iter().find(|variable| variable.name == "this").map(|this| this.type_name.clone())
    }

    /// The types that a part may have by its declaration; nothing runs for it.
    fn types(&self, part: &Part) -> Vec<Given> {
        match &part.kind {
            Kind::Harmless(_) if part.text == "this" => {
                self.this().and_then(|this| Given::read(&this)).into_iter().collect()
            }
            Kind::Name(name) => match self.variables.iter().find(|variable| variable.name == *name) {
                Some(variable) => Given::read(&variable.type_name).into_iter().collect(),
                None => self.this().map(|this| self.members(&this, name)).unwrap_or_default(),
            },
            Kind::Member(receiver, name) => {
                self.owners(receiver).iter().flat_map(|it| self.members(it, name)).collect()
            }
            Kind::Call(receiver, name, _) => {
                let owners = match receiver {
                    Some(receiver) => self.owners(receiver),
                    None => self.this().into_iter().collect(),
                };
                owners.iter().flat_map(|it| self.results(it, name)).collect()
            }
            Kind::Index(receiver, _) => {
                let elements = self.types(receiver).into_iter().flat_map(|of| match of.type_ {
                    TypeSig::Array(element) | TypeSig::MultiArray { element, .. } => {
                        vec![Given { type_: *element, is_computed: false }]
                    }
                    other => self.results(&other.to_string(), "get_Item"),
                });
                elements.collect()
            }
            Kind::Conditional(_, yes, no) => self.types(yes).into_iter().chain(self.types(no)).collect(),
            Kind::Maybe(_, then) => self.types(then),
            _ => Vec::new(),
        }
    }

    fn owners(&self, receiver: &Part) -> Vec<String> {
        let values: Vec<String> = self.types(receiver).into_iter().map(|given| given.type_.to_string()).collect();
        if values.is_empty() { self.reader.modules.purity().types_named(&receiver.text) } else { values }
    }

    fn members(&self, owner: &str, name: &str) -> Vec<Given> {
        let members = self.universe.members(owner).into_iter().chain(self.universe.static_members(owner));
        let named = members.filter(|member| member.name == name);
        named.map(|member| Given { type_: member.type_, is_computed: member.is_property }).collect()
    }

    fn results(&self, owner: &str, method: &str) -> Vec<Given> {
        let results = self.universe.results(owner, method).into_iter();
        results.map(|type_| Given { type_, is_computed: true }).collect()
    }
}

struct Given {
    type_: TypeSig,
    /// By code that the adapter calls.
    is_computed: bool,
}

impl Given {
    fn read(type_name: &str) -> Option<Self> {
        names::parse_type(type_name).map(|type_| Self { type_, is_computed: false })
    }
}
