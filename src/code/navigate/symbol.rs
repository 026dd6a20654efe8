//! What is asked about: a type or member, and by which names IL refers to it.

mod describer;

pub(super) use describer::Describer;

use clr_metadata::names::clean_type;
use clr_metadata::{MemberName, SymbolName, Token};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    Type,
    Method,
    Constructor,
    Property,
    Indexer,
    Event,
    Field,
    /// A `const` or a member of an enum: IL holds its value, not its name.
    Constant,
}

impl SymbolKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Property => "property",
            Self::Indexer => "indexer",
            Self::Event => "event",
            Self::Field => "field",
            Self::Constant => "constant",
        }
    }
}

/// Which part of a symbol a name in IL stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Getter,
    Setter,
    /// `add` or `remove` of an event.
    Accessor,
    /// A constructor, where the type was asked for.
    Creation,
    /// The field that the compiler made for an auto-property or event.
    Backing,
}

/// Where a symbol is defined: number of the assembly, and its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) assembly: usize,
    pub(super) token: Token,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) kind: SymbolKind,
    /// `Shop.Box<T>.Add(T)`.
    pub(super) display: String,
    /// The name in source; of a constructor, that of its type; `this` of an indexer.
    pub(super) simple: String,
    /// Namespace and types around it, without type parameters: `Shop.Box`.
    pub(super) owner: String,
    /// Short types of the parameters.
    pub(super) parameters: Vec<String>,
    pub(super) signature: String,
    /// A property that returns `ref readonly`: nothing is written through it.
    pub(super) is_read_only_ref: bool,
    /// Full metadata name of the type, or of the type that has it.
    pub(super) type_name: String,
    pub(super) assembly_name: String,
    /// `None`: only referred to (a framework's).
    pub(super) home: Option<Home>,
    pub(super) names: Vec<(SymbolName, Part)>,
}

/// ``Ns.Outer`1+Inner`` → `Ns.Outer.Inner`; of a type of `file` scope without what the compiler put before its name.
pub(super) fn bare_path(full_name: &str) -> String {
    if full_name.contains('<') {
        let parts = full_name.split(['.', '+']).map(clean_type);
        return parts.map(|part| part.split_once('`').map_or(part, |(name, _)| name)).collect::<Vec<_>>().join(".");
    }
    let mut bare = String::with_capacity(full_name.len());
    let mut in_arity = false;
    for character in full_name.chars() {
        match character {
            '`' => in_arity = true,
            c if in_arity && c.is_ascii_digit() => {}
            c => {
                in_arity = false;
                bare.push(if c == '+' { '.' } else { c });
            }
        }
    }
    bare
}

/// `Price` of an explicit `Shop.IPriced.Price`; generic arguments may hold dots.
pub(super) fn last_name(name: &str) -> &str {
    if name.starts_with('.') {
        return name;
    }
    let mut depth = 0usize;
    let mut start = 0;
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b'.' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    name.get(start..).unwrap_or(name)
}

impl Symbol {
    /// What must be in the text of a file that names it.
    pub(super) fn written(&self) -> &str {
        match (self.kind, self.simple.strip_suffix("Attribute")) {
            // `[Obsolete]`
            (SymbolKind::Type | SymbolKind::Constructor, Some(short)) if !short.is_empty() => short,
            _ => &self.simple,
        }
    }

    /// Type parameters of a method's own.
    pub(super) fn method_arity(&self) -> usize {
        let arity = |(name, _): &(SymbolName, Part)| match &name.member {
            Some(MemberName::Method(_, signature)) => Some(signature.generic_parameters as usize),
            _ => None,
        };
        self.names.iter().find_map(arity).unwrap_or(0)
    }

    /// `Book.Take`.
    pub(super) fn short_name(&self) -> String {
        match self.kind {
            SymbolKind::Type => self.simple.clone(),
            _ => format!("{}.{}", last_name(&self.owner), self.simple),
        }
    }
}
