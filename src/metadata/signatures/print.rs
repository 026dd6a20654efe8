//! Signatures in C#: full (`System.Collections.Generic.List<Basics.OrderLine>`, through `Display`) or short
//! (`List<OrderLine>`, `int?`, `(int, string)`, `int[][,]`).

use std::fmt::{self, Write};

use super::{MethodSig, TypeName, TypeSig};

/// The names of generic parameters in scope. Without a name they print as in IL: `!0`, `!!0`.
#[derive(Debug, Clone, Default)]
pub struct ParameterNames {
    pub of_type: Vec<String>,
    pub of_method: Vec<String>,
}

impl fmt::Display for TypeSig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer::new(f, false, &ParameterNames::default()).signature(self)
    }
}

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer::new(f, false, &ParameterNames::default()).named(self)
    }
}

impl TypeSig {
    /// C# without namespaces.
    pub fn short(&self) -> String {
        self.short_with(&ParameterNames::default())
    }

    pub fn short_with(&self, names: &ParameterNames) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = Printer::new(&mut text, true, names).signature(self);
        text
    }

    pub fn full_with(&self, names: &ParameterNames) -> String {
        let mut text = String::new();
        let _ = Printer::new(&mut text, false, names).signature(self);
        text
    }
}

impl TypeName {
    /// C# without namespaces.
    pub fn short(&self) -> String {
        let mut text = String::new();
        let _ = Printer::new(&mut text, true, &ParameterNames::default()).named(self);
        text
    }
}

struct Printer<'a, W> {
    out: W,
    short: bool,
    names: &'a ParameterNames,
}

impl<'a, W: Write> Printer<'a, W> {
    fn new(out: W, short: bool, names: &'a ParameterNames) -> Self {
        Self { out, short, names }
    }

    fn signature(&mut self, signature: &TypeSig) -> fmt::Result {
        match signature {
            TypeSig::Primitive(primitive) => {
                let keyword = primitive.keyword();
                self.out.write_str(if self.short { without_namespace(keyword) } else { keyword })
            }
            TypeSig::Named(name) => self.named(name),
            TypeSig::Array(_) | TypeSig::MultiArray { .. } => self.array(signature),
            TypeSig::Pointer(inner) => {
                self.signature(inner)?;
                self.out.write_char('*')
            }
            TypeSig::ByRef(inner) => {
                self.out.write_str("ref ")?;
                self.signature(inner)
            }
            TypeSig::Pinned(inner) | TypeSig::Modified { inner, .. } => self.signature(inner),
            TypeSig::TypeParameter(number) => self.parameter(&self.names.of_type, *number, "!"),
            TypeSig::MethodParameter(number) => self.parameter(&self.names.of_method, *number, "!!"),
            TypeSig::FunctionPointer(method) => self.function_pointer(method),
        }
    }

    fn parameter(&mut self, names: &'a [String], number: u32, sigil: &str) -> fmt::Result {
        match names.get(number as usize) {
            Some(name) => self.out.write_str(name),
            None => write!(self.out, "{sigil}{number}"),
        }
    }

    /// C# writes the outermost rank first: an array of `int[,]` is `int[][,]`.
    fn array(&mut self, signature: &TypeSig) -> fmt::Result {
        let mut ranks = String::new();
        let mut element = signature;
        loop {
            element = match element {
                TypeSig::Array(inner) => {
                    ranks.push_str("[]");
                    inner
                }
                TypeSig::MultiArray { element: inner, shape } => {
                    ranks.push('[');
                    match shape.rank {
                        1 => ranks.push('*'),
                        rank => (1..rank).for_each(|_| ranks.push(',')),
                    }
                    ranks.push(']');
                    inner
                }
                _ => break,
            };
        }
        self.signature(element)?;
        self.out.write_str(&ranks)
    }

    fn named(&mut self, name: &TypeName) -> fmt::Result {
        match (name.full_name.as_str(), name.arguments.as_slice()) {
            ("System.Nullable`1", [inner]) => {
                self.signature(inner)?;
                self.out.write_char('?')
            }
            ("System.Decimal", []) => self.out.write_str("decimal"),
            (full_name, arguments) if is_tuple(full_name, arguments) => {
                self.out.write_char('(')?;
                self.tuple(arguments)?;
                self.out.write_char(')')
            }
            (full_name, arguments) => self.generic(full_name, arguments),
        }
    }

    /// The eighth argument of a long tuple holds the rest.
    fn tuple(&mut self, arguments: &[TypeSig]) -> fmt::Result {
        for (index, argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.out.write_str(", ")?;
            }
            match argument {
                TypeSig::Named(rest) if index == 7 && rest.full_name.starts_with("System.ValueTuple`") => {
                    self.tuple(&rest.arguments)?;
                }
                _ => self.signature(argument)?,
            }
        }
        Ok(())
    }

    /// ``Ns.Outer`1+Inner`1`` has the arguments of both levels in one list.
    fn generic(&mut self, full_name: &str, arguments: &[TypeSig]) -> fmt::Result {
        let mut arguments = arguments.iter();
        for (level, segment) in full_name.split('+').enumerate() {
            let segment = match (level, self.short) {
                (0, true) => without_namespace(segment),
                _ => segment,
            };
            if level > 0 {
                self.out.write_char('.')?;
            }
            let (name, arity) = split_arity(segment);
            self.out.write_str(name)?;
            if arity == 0 {
                continue;
            }
            self.out.write_char('<')?;
            for index in 0..arity {
                match arguments.next() {
                    Some(argument) => {
                        if index > 0 {
                            self.out.write_str(", ")?;
                        }
                        self.signature(argument)?;
                    }
                    // An unbound type: `List<>`, `Dictionary<,>`.
                    None if index > 0 => self.out.write_char(',')?,
                    None => {}
                }
            }
            self.out.write_char('>')?;
        }
        Ok(())
    }

    fn function_pointer(&mut self, method: &MethodSig) -> fmt::Result {
        let convention = if method.calling_convention == 0 { "" } else { " unmanaged" };
        write!(self.out, "delegate*{convention}<")?;
        for parameter in &method.parameters {
            self.signature(parameter)?;
            self.out.write_str(", ")?;
        }
        self.signature(&method.return_type)?;
        self.out.write_char('>')
    }
}

fn is_tuple(full_name: &str, arguments: &[TypeSig]) -> bool {
    full_name.starts_with("System.ValueTuple`") && (2..=8).contains(&arguments.len())
}

/// ``List`1`` → (`List`, 1). More parameters than a type can have count as none.
pub(crate) fn split_arity(name: &str) -> (&str, usize) {
    match name.rsplit_once('`') {
        Some((stem, digits)) => match digits.parse() {
            Ok(arity) if arity <= 1024 => (stem, arity),
            _ => (name, 0),
        },
        None => (name, 0),
    }
}

/// Cuts the namespace off the name of a type that is not nested. Dots within `<…>` belong to a compiler's name.
pub(crate) fn without_namespace(name: &str) -> &str {
    let end = name.find('<').unwrap_or(name.len());
    match name.get(..end).and_then(|head| head.rfind('.')) {
        Some(dot) => name.get(dot + 1..).unwrap_or(name),
        None => name,
    }
}
