//! Attributes for debuggers, of `System.Diagnostics`.

use clr_metadata::{AttributeArguments, AttributeValue, Table, Token};

use super::{Level, Presenter, Seen};
use crate::types::Definition;

/// What `[DebuggerBrowsable]` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Browsable {
    Yes,
    Never,
    /// Its members in place of itself.
    RootHidden,
}

pub(super) const DISPLAY: &str = "System.Diagnostics.DebuggerDisplayAttribute";

const NEVER: i128 = 0;
const ROOT_HIDDEN: i128 = 3;

pub(super) fn browsable(definition: &Definition, member: Token) -> Browsable {
    let attribute = definition.assembly.metadata().attribute(member, "System.Diagnostics.DebuggerBrowsableAttribute");
    match attribute.and_then(|it| it.arguments().ok()?.into_iter().next()) {
        Some(AttributeValue::Int(NEVER)) => Browsable::Never,
        Some(AttributeValue::Int(ROOT_HIDDEN)) => Browsable::RootHidden,
        _ => Browsable::Yes,
    }
}

/// What the `[DebuggerDisplay]` of a member shows in the places of its value, its name and its type.
pub(super) struct Display {
    pub value: String,
    pub name: Option<String>,
    pub type_name: Option<String>,
}

impl Display {
    pub(super) fn of(definition: &Definition, member: Token) -> Option<Self> {
        let attribute = definition.assembly.metadata().attribute(member, DISPLAY)?;
        let arguments = attribute.decode(&|_| None).ok()?;
        let part = |name| named(&arguments, name).map(str::to_owned);
        Some(Self { value: first(&arguments)?.to_owned(), name: part("Name"), type_name: part("Type") })
    }
}

impl Presenter<'_> {
    /// The attribute of the nearest of an object's types that has it, itself or from an assembly of the program's.
    pub(super) fn attribute<'s>(&self, seen: &'s Seen, full_name: &str) -> Option<(&'s Level, AttributeArguments)> {
        seen.levels.iter().find_map(|level| {
            let Definition { assembly, id, .. } = &level.definition;
            let own = assembly.metadata().attribute(id.token(), full_name).and_then(|it| it.decode(&|_| None).ok());
            Some((level, own.or_else(|| self.attribute_elsewhere(level, full_name))?))
        })
    }

    /// `[assembly: DebuggerDisplay("{Id}", Target = typeof(Order))]`
    fn attribute_elsewhere(&self, level: &Level, full_name: &str) -> Option<AttributeArguments> {
        let name = level.definition.view().full_name();
        let modules = self.evaluation.stopped.target().modules.all();
        modules.iter().filter(|module| !module.is_framework).find_map(|module| {
            let metadata = module.assembly()?.metadata();
            let all = metadata.attributes(Token::new(Table::Assembly, 1)).filter(|it| it.is(full_name));
            let mut read = all.filter_map(|it| it.decode(&|_| None).ok());
            read.find(|it| target(it).is_some_and(|target| type_name(target) == name))
        })
    }
}

fn target(arguments: &AttributeArguments) -> Option<&str> {
    named(arguments, "Target").or_else(|| named(arguments, "TargetTypeName"))
}

/// A text, or the name of a type, that is set by name.
pub(super) fn named<'a>(arguments: &'a AttributeArguments, name: &str) -> Option<&'a str> {
    let (_, value) = arguments.named.iter().find(|(other, _)| other == name)?;
    text(value)
}

/// The first argument of the constructor, where it is a text or a type.
pub(super) fn first(arguments: &AttributeArguments) -> Option<&str> {
    text(arguments.fixed.first()?)
}

fn text(value: &AttributeValue) -> Option<&str> {
    match value {
        AttributeValue::String(text) | AttributeValue::Type(text) => text.as_deref(),
        _ => None,
    }
}

/// ``Ns.Outer+Inner`1`` of ``Ns.Outer+Inner`1[[System.Int32]], Assembly``.
pub(super) fn type_name(reflected: &str) -> &str {
    reflected.split([',', '[']).next().unwrap_or(reflected).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_known_by_its_name_alone() {
        for (reflected, expected) in [
            ("Ns.Outer+Inner, Assembly, Version=1.0.0.0", "Ns.Outer+Inner"),
            ("System.Collections.Generic.List`1[[System.Int32]], mscorlib", "System.Collections.Generic.List`1"),
            ("Plain", "Plain"),
        ] {
            assert_eq!(type_name(reflected), expected);
        }
    }
}
