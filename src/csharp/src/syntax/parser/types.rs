//! Types, and where a type may stand instead of an expression.

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Name, TypeKind, TypeName};

/// Keywords that are types.
pub(super) const PREDEFINED: [&str; 16] = [
    "bool", "byte", "char", "decimal", "double", "float", "int", "long", "object", "sbyte", "short", "string", "uint",
    "ulong", "ushort", "void",
];

/// What may stand behind a list of type arguments (ECMA-334, 6.2.5): `f(a < b, c > (d))` is one call.
const BEHIND_TYPE_ARGUMENTS: [&str; 26] = [
    "(", ")", "]", "}", ":", ";", ",", ".", "?", "==", "!=", "|", "^", "&&", "||", "&", "[", "<", "<=", ">=", "::",
    "=>", "..", "??", "{", "!",
];

impl Parser<'_> {
    pub(super) fn type_(&mut self) -> Result<TypeName, SyntaxError> {
        self.type_with(|_| true)
    }

    /// Behind `is` and `as`, where `?` may begin the rest of a conditional expression.
    pub(super) fn type_before_expression(&mut self) -> Result<TypeName, SyntaxError> {
        self.type_with(|parser| match parser.ahead(1) {
            TokenKind::End => true,
            TokenKind::Sign(sign) => {
                !matches!(*sign, "(" | "[" | "+" | "-" | "!" | "~" | "^" | "++" | "--" | "&" | "*" | "..")
            }
            TokenKind::Word { text, is_verbatim: false } => {
                matches!(text.as_str(), "and" | "or" | "when" | "is" | "as")
            }
            _ => false,
        })
    }

    fn type_with(&mut self, is_nullable: impl Fn(&Self) -> bool) -> Result<TypeName, SyntaxError> {
        self.nested(|parser| {
            let start = parser.start();
            let mut type_ = parser.simple_type(&is_nullable)?;
            // the first brackets are the outermost array
            let mut ranks = Vec::new();
            loop {
                let kind = match parser.rank() {
                    Some(rank) => {
                        ranks.push(rank);
                        continue;
                    }
                    None if parser.is_sign(0, "?") && is_nullable(parser) => TypeKind::Nullable,
                    None => break,
                };
                parser.skip();
                let of = in_arrays(type_, &mut ranks);
                type_ = TypeName { kind: kind(Box::new(of)), span: parser.since(start) };
            }
            let mut type_ = in_arrays(type_, &mut ranks);
            type_.span = parser.since(start);
            Ok(type_)
        })
    }

    /// A type without brackets of arrays.
    pub(super) fn simple_type(&mut self, is_nullable: impl Fn(&Self) -> bool) -> Result<TypeName, SyntaxError> {
        let start = self.start();
        let kind = if self.takes("(") {
            TypeKind::Tuple(self.tuple_elements()?)
        } else if let Some(keyword) = self.word_ahead(0).and_then(predefined) {
            self.skip();
            TypeKind::Predefined(keyword)
        } else {
            self.named()?
        };
        let mut type_ = TypeName { kind, span: self.since(start) };
        loop {
            let kind = match self.kind() {
                TokenKind::Sign("?") if is_nullable(self) => TypeKind::Nullable,
                TokenKind::Sign("*") => TypeKind::Pointer,
                _ => return Ok(type_),
            };
            self.skip();
            type_ = TypeName { kind: kind(Box::new(type_)), span: self.since(start) };
        }
    }

    fn tuple_elements(&mut self) -> Result<Vec<(TypeName, Option<String>)>, SyntaxError> {
        let mut elements = Vec::new();
        loop {
            let type_ = self.type_()?;
            let name = if self.name_ahead(0).is_some() { Some(self.identifier()?) } else { None };
            elements.push((type_, name));
            if !self.takes(",") {
                break;
            }
        }
        self.needs(")")?;
        if elements.len() < 2 {
            return Err(self.error("CS8124", "Tuple must contain at least two elements."));
        }
        Ok(elements)
    }

    fn named(&mut self) -> Result<TypeKind, SyntaxError> {
        let alias = self.alias();
        let mut names = vec![self.type_name()?];
        while self.is_sign(0, ".") {
            self.skip();
            names.push(self.type_name()?);
        }
        Ok(TypeKind::Named { alias, names })
    }

    /// `alias::`
    pub(super) fn alias(&mut self) -> Option<String> {
        let alias = self.name_ahead(0).filter(|_| self.is_sign(1, "::"))?.to_owned();
        self.at += 2;
        Some(alias)
    }

    fn type_name(&mut self) -> Result<Name, SyntaxError> {
        let text = self.identifier()?;
        let types = if self.is_sign(0, "<") { self.type_arguments()? } else { Vec::new() };
        Ok(Name { text, types })
    }

    /// A name in an expression: what follows decides whether `<` begins its type arguments.
    pub(super) fn simple_name(&mut self) -> Result<Name, SyntaxError> {
        let text = self.identifier()?;
        let types = self.attempt(|parser| {
            let types = parser.is_sign(0, "<").then(|| parser.type_arguments().ok())??;
            let is_list = match parser.kind() {
                TokenKind::End => true,
                TokenKind::Sign(sign) => BEHIND_TYPE_ARGUMENTS.contains(sign),
                TokenKind::Word { text, is_verbatim: false } => {
                    matches!(text.as_str(), "is" | "as" | "switch")
                }
                _ => false,
            };
            is_list.then_some(types)
        });
        Ok(Name { text, types: types.unwrap_or_default() })
    }

    fn type_arguments(&mut self) -> Result<Vec<TypeName>, SyntaxError> {
        self.needs("<")?;
        let mut types = Vec::new();
        loop {
            let is_omitted = self.is_sign(0, ",") || self.is_sign(0, ">");
            let start = self.start();
            types.push(if is_omitted {
                TypeName { kind: TypeKind::Omitted, span: start..start }
            } else {
                self.type_()?
            });
            if !self.takes(",") {
                break;
            }
        }
        self.needs(">")?;
        let omitted = types.iter().filter(|type_| type_.kind == TypeKind::Omitted).count();
        if omitted > 0 && omitted < types.len() { Err(self.error("CS1031", "Type expected")) } else { Ok(types) }
    }

    /// `[,]`: how many dimensions it has.
    pub(super) fn rank(&mut self) -> Option<usize> {
        self.attempt(|parser| {
            parser.takes("[").then_some(())?;
            let mut rank = 1;
            while parser.takes(",") {
                rank += 1;
            }
            parser.takes("]").then_some(rank)
        })
    }

    /// `(T)` before an operand (ECMA-334, 12.9.8).
    pub(super) fn cast(&mut self) -> Option<TypeName> {
        if !self.is_sign(0, "(") {
            return None;
        }
        self.attempt(|parser| {
            parser.skip();
            let type_ = parser.type_().ok()?;
            parser.takes(")").then_some(())?;
            let is_cast = if is_surely_type(&type_) { parser.begins_operand() } else { parser.goes_on_as_operand() };
            is_cast.then_some(type_)
        })
    }

    /// Whether `(x)` is a cast, by what follows, where `x` may be a value too.
    fn goes_on_as_operand(&self) -> bool {
        match self.kind() {
            TokenKind::Literal(_) | TokenKind::Interpolated(_) => true,
            TokenKind::Word { is_verbatim: true, .. } => true,
            TokenKind::Word { text, .. } => match text.as_str() {
                "is" | "as" | "switch" | "in" => false,
                "and" | "or" | "when" => false,
                "with" => !self.is_sign(1, "{"),
                _ => self.begins_operand(),
            },
            TokenKind::Sign("(" | "~") => true,
            // `(x)!.Name` tells the compiler that `x` is not null
            TokenKind::Sign("!") => {
                !matches!(self.ahead(1), TokenKind::End | TokenKind::Sign("." | ")" | "]" | "," | ";" | "?" | "}"))
            }
            _ => false,
        }
    }
}

/// The keyword itself.
pub(super) fn predefined(word: &str) -> Option<&'static str> {
    PREDEFINED.into_iter().find(|keyword| *keyword == word)
}

/// What cannot be an expression.
pub(super) fn is_surely_type(type_: &TypeName) -> bool {
    match &type_.kind {
        TypeKind::Named { names, .. } => names.iter().any(|name| !name.types.is_empty()),
        _ => true,
    }
}

fn in_arrays(type_: TypeName, ranks: &mut Vec<usize>) -> TypeName {
    ranks.drain(..).rev().fold(type_, |of, rank| {
        let span = of.span.clone();
        TypeName { kind: TypeKind::Array { of: Box::new(of), rank }, span }
    })
}
