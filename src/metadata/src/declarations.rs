//! Declarations as C# writes them, without their bodies: `public abstract class Box<T> : Base<T?> where T : notnull`,
//! `protected override Task<string?> Find(in Key key, int limit = 10)`, `public int Count { get; private set; }`.
//!
//! What metadata does not keep is not there: `async`, `partial`, `new`, `unsafe`.
//! Names that the compiler made stay as they are in metadata, but for types of `file` scope.

mod generics;
mod listing;
mod literals;
mod members;
mod methods;
mod operators;
mod types;

pub use listing::{Declaration, MemberKind};
pub use operators::operator_name;
pub use types::TypeKind;

use super::assembly::Assembly;
use super::signatures::{ParameterNames, TypeSig};
use super::tokens::{MethodId, Token};
use super::types::TypeView;

/// How types are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameStyle {
    /// `List<OrderLine>`
    Short,
    /// `System.Collections.Generic.List<Basics.OrderLine>`
    Full,
}

/// How a declaration names types; of a style alone, with its own generic parameters.
#[derive(Debug, Clone, Copy)]
pub struct Naming<'a> {
    pub style: NameStyle,
    /// In place of the declaring type's parameters; none = as declared.
    pub arguments: &'a [TypeSig],
    /// Names of the parameters that the arguments are in terms of.
    pub names: &'a [String],
}

impl From<NameStyle> for Naming<'_> {
    fn from(style: NameStyle) -> Self {
        Self { style, arguments: &[], names: &[] }
    }
}

/// Where a declaration stands: what its generic parameters are called, and what is nullable when nothing is said.
struct Place<'a> {
    assembly: &'a Assembly,
    naming: Naming<'a>,
    names: ParameterNames,
    nullable: u8,
}

impl<'a> Place<'a> {
    fn new(type_: &TypeView<'a>, method: Option<MethodId>, naming: Naming<'a>) -> Self {
        let assembly = type_.assembly();
        let mut names = type_.parameter_names(method);
        if !naming.arguments.is_empty() {
            names.of_type = naming.names.to_vec();
        }
        Self { assembly, naming, names, nullable: assembly.nullable_context(type_.id().token(), method) }
    }

    /// A type as the attributes of `owner` say; without an owner, with the nullable flag of the place.
    fn text(&self, type_: &TypeSig, owner: Option<Token>) -> String {
        let owner = owner.unwrap_or(Token(0));
        let annotations = self.assembly.annotations(owner, self.nullable, type_);
        type_.annotated(self.naming.style == NameStyle::Short, &self.names, self.naming.arguments, annotations)
    }

    fn has(&self, owner: Option<Token>, attribute: &str) -> bool {
        owner.is_some_and(|owner| self.assembly.has_attribute(owner, attribute))
    }
}

/// The low three bits of the flags of fields and methods (ECMA-335 II.23.1.5, II.23.1.10).
fn accessibility(flags: u32) -> &'static str {
    match flags & 7 {
        0 => "privatescope",
        1 => "private",
        2 => "private protected",
        3 => "internal",
        4 => "protected",
        5 => "protected internal",
        _ => "public",
    }
}

/// Words with a blank behind each that is there.
fn words(words: &[&str]) -> String {
    let there = words.iter().filter(|word| !word.is_empty());
    there.flat_map(|word| [word, " "]).collect()
}

/// Obfuscators write names with line ends, escape sequences and marks that turn the direction of text: none may reach a terminal.
fn printable(text: String) -> String {
    let is_harmful = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !text.contains(is_harmful) {
        return text;
    }
    let escape = |c: char| if is_harmful(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    text.chars().map(escape).collect()
}

fn when(condition: bool, word: &'static str) -> &'static str {
    if condition { word } else { "" }
}
