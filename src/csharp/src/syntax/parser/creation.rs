//! `new`, and initializers (ECMA-334, 12.8.17).

use super::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::tree::{Element, Expr, ExprKind, Field, Initializer, Name, TypeKind, TypeName};

impl Parser<'_> {
    /// What stands behind `new`.
    pub(super) fn creation(&mut self) -> Result<ExprKind, SyntaxError> {
        if self.takes("{") {
            return Ok(ExprKind::Anonymous(self.bracketed(Self::anonymous)?));
        }
        if let Some(rank) = self.rank() {
            let elements = Some(self.array_elements()?);
            return Ok(ExprKind::NewArray { element: None, sizes: Vec::new(), rank, elements });
        }
        if self.is_sign(0, "(") && !self.is_tuple_of_creation() {
            self.skip();
            let arguments = self.arguments(")")?;
            return Ok(ExprKind::New { type_: None, arguments, initializer: self.initializer()? });
        }
        let type_ = self.simple_type(|_| true)?;
        if self.is_sign(0, "[") {
            return self.array(type_);
        }
        let has_arguments = self.takes("(");
        let arguments = if has_arguments { self.arguments(")")? } else { Vec::new() };
        let initializer = self.initializer()?;
        if !has_arguments && initializer.is_none() {
            return Err(self.error("CS1526", "A new expression requires an argument list or (), [], or {} after type"));
        }
        Ok(ExprKind::New { type_: Some(Box::new(type_)), arguments, initializer })
    }

    /// Whether a tuple's type stands here, with what must follow one (`new (int, string)[3]`).
    fn is_tuple_of_creation(&mut self) -> bool {
        let start = self.at;
        let is_type = self.simple_type(|_| false).is_ok();
        let is_followed = ["[", "?", "("].iter().any(|sign| self.is_sign(0, sign));
        self.at = start;
        is_type && is_followed
    }

    fn array(&mut self, of: TypeName) -> Result<ExprKind, SyntaxError> {
        let mut sizes = Vec::new();
        let rank = match self.rank() {
            Some(rank) => rank,
            None => {
                self.skip();
                sizes = self.indices()?.into_iter().map(|argument| argument.value).collect();
                sizes.len()
            }
        };
        let mut ranks = Vec::new();
        while let Some(rank) = self.rank() {
            ranks.push(rank);
        }
        let element = ranks.into_iter().rev().fold(of, |of, rank| {
            let span = of.span.clone();
            TypeName { kind: TypeKind::Array { of: Box::new(of), rank }, span }
        });
        let elements = if self.is_sign(0, "{") { Some(self.array_elements()?) } else { None };
        if sizes.is_empty() && elements.is_none() {
            return Err(self.error("CS1586", "Array creation must have array size or array initializer"));
        }
        Ok(ExprKind::NewArray { element: Some(Box::new(element)), sizes, rank, elements })
    }

    /// `a.Name, Total = 3`, with the closing brace.
    fn anonymous(&mut self) -> Result<Vec<(Option<String>, Expr)>, SyntaxError> {
        let mut members = Vec::new();
        while !self.takes("}") {
            if !members.is_empty() {
                self.needs(",")?;
                if self.takes("}") {
                    break;
                }
            }
            let name = match self.name_ahead(0) {
                Some(name) if self.is_sign(1, "=") => {
                    self.at += 2;
                    Some(name.to_owned())
                }
                _ => None,
            };
            members.push((name, self.expression()?));
        }
        Ok(members)
    }

    fn initializer(&mut self) -> Result<Option<Box<Initializer>>, SyntaxError> {
        if !self.is_sign(0, "{") {
            return Ok(None);
        }
        match self.begins_fields() {
            true => {
                self.skip();
                self.bracketed(Self::fields).map(|fields| Some(Box::new(Initializer::Object(fields))))
            }
            false => self.array_elements().map(|elements| Some(Box::new(Initializer::Collection(elements)))),
        }
    }

    /// Whether the braces there hold `Name = …` or `[index] = …`.
    fn begins_fields(&self) -> bool {
        let assigned = match self.is_sign(1, "[") {
            true => self.closing(1).map(|end| end + 1),
            false => self.name_ahead(1).map(|_| 2),
        };
        self.is_sign(1, "}") || assigned.is_some_and(|at| self.is_sign(at, "="))
    }

    /// Of an object initializer or behind `with`, with the closing brace.
    pub(super) fn fields(&mut self) -> Result<Vec<Field>, SyntaxError> {
        let mut fields = Vec::new();
        while !self.takes("}") {
            if !fields.is_empty() {
                self.needs(",")?;
                if self.takes("}") {
                    break;
                }
            }
            let start = self.start();
            let kind = if self.takes("[") {
                let of = Box::new(Expr { kind: ExprKind::Receiver, span: start..start });
                ExprKind::ElementAccess { of, arguments: self.indices()? }
            } else {
                ExprKind::Name { alias: None, name: Name { text: self.identifier()?, types: Vec::new() } }
            };
            let target = Expr { kind, span: self.since(start) };
            self.needs("=")?;
            fields.push(Field { target, value: self.element()? });
        }
        Ok(fields)
    }

    fn array_elements(&mut self) -> Result<Vec<Element>, SyntaxError> {
        self.needs("{")?;
        self.bracketed(|parser| {
            let mut elements = Vec::new();
            while !parser.takes("}") {
                if !elements.is_empty() {
                    parser.needs(",")?;
                    if parser.takes("}") {
                        break;
                    }
                }
                elements.push(parser.element()?);
            }
            Ok(elements)
        })
    }

    fn element(&mut self) -> Result<Element, SyntaxError> {
        if !self.is_sign(0, "{") {
            return self.expression().map(Element::Value);
        }
        self.nested(|parser| match parser.begins_fields() && !parser.is_sign(1, "}") {
            true => {
                parser.skip();
                parser.bracketed(Self::fields).map(Element::Object)
            }
            false => parser.array_elements().map(Element::List),
        })
    }
}
