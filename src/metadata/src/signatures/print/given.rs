//! Arguments in place of the parameters of a type: a `List<T>` that is a `List<string?>`.

use std::fmt::{self, Write};

use super::Printer;
use crate::signatures::{Primitive, TypeSig};

impl<'a, W: Write> Printer<'a, W> {
    pub(super) fn argument(&self, number: u32) -> Option<&'a TypeSig> {
        self.arguments.get(number as usize)
    }

    /// A `?` behind the parameter says nothing of a value type.
    pub(super) fn given(&mut self, argument: &TypeSig) -> fmt::Result {
        let is_value = match argument {
            TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::String | Primitive::Object),
            TypeSig::Named(name) => name.is_value_type || name.full_name == "System.Nullable`1",
            _ => false,
        };
        let is_nullable = self.flags.next_is_nullable();
        self.apart(|printer| printer.signature(argument))?;
        self.question_mark(is_nullable && !is_value)
    }

    /// Prints what the flags and arguments are not about.
    pub(super) fn apart(&mut self, print: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        let flags = std::mem::take(&mut self.flags);
        let arguments = std::mem::take(&mut self.arguments);
        let printed = print(self);
        (self.flags, self.arguments) = (flags, arguments);
        printed
    }

    /// The ranks of a `T[]` and of a `T` that is an array stand in one row: `T[]` of an `int[,]` is `int[][,]`. Takes the flags of
    /// its parts.
    pub(super) fn array_of_given_arrays(&mut self, signature: &TypeSig) -> Option<TypeSig> {
        let mut ranks = 0;
        let mut element = signature;
        while let TypeSig::Array(inner) | TypeSig::MultiArray { element: inner, .. } = element {
            ranks += 1;
            element = inner;
        }
        let TypeSig::TypeParameter(number) = element else { return None };
        let argument = self.argument(*number)?;
        if !matches!(argument, TypeSig::Array(_) | TypeSig::MultiArray { .. }) {
            return None;
        }
        // That of the outermost array is taken already, the parameter has one too.
        for _ in 0..ranks {
            self.flags.next_is_dynamic();
            self.flags.next_is_nullable();
        }
        Some(signature.substitute(self.arguments, &[]))
    }
}
