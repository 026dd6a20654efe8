//! Signatures in C#: full (`System.Collections.Generic.List<Basics.OrderLine>`, through `Display`) or short
//! (`List<OrderLine>`, `int?`, `(int, string)`, `int[][,]`).

mod given;

use std::fmt::{self, Write};

use super::referent::{IN_MODIFIER, OUT_MODIFIER, Referent};
use super::{MethodSig, Primitive, TypeName, TypeSig};
use crate::annotations::Annotations;
use crate::names::clean_type;

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

    /// With what attributes say of its parts: `?`, `dynamic`, names of tuple elements. `arguments` stand in place of the type's
    /// parameters; the attributes say nothing of their parts.
    pub(crate) fn annotated(
        &self,
        short: bool,
        names: &ParameterNames,
        arguments: &[TypeSig],
        flags: Annotations,
    ) -> String {
        let mut text = String::new();
        let _ = Printer { flags, arguments, ..Printer::new(&mut text, short, names) }.signature(self);
        text
    }
}

const CONVENTION_MODIFIER: &str = "System.Runtime.CompilerServices.CallConv";

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
    arguments: &'a [TypeSig],
    flags: Annotations,
}

impl<'a, W: Write> Printer<'a, W> {
    fn new(out: W, short: bool, names: &'a ParameterNames) -> Self {
        Self { out, short, names, arguments: &[], flags: Annotations::default() }
    }

    fn signature(&mut self, signature: &TypeSig) -> fmt::Result {
        let is_dynamic = self.flags.next_is_dynamic();
        match signature {
            TypeSig::Primitive(primitive) => {
                let keyword = match primitive {
                    Primitive::Object if is_dynamic => "dynamic",
                    _ => primitive.keyword(),
                };
                self.out.write_str(if self.short { without_namespace(keyword) } else { keyword })?;
                let is_reference = matches!(primitive, Primitive::String | Primitive::Object);
                let is_nullable = is_reference && self.flags.next_is_nullable();
                self.question_mark(is_nullable)
            }
            TypeSig::Named(name) => self.named(name),
            TypeSig::Array(_) | TypeSig::MultiArray { .. } => {
                let is_nullable = self.flags.next_is_nullable();
                self.array(signature, is_nullable)
            }
            TypeSig::Pointer(inner) => {
                // Pointers have a flag that says nothing.
                self.flags.next_is_nullable();
                self.signature(inner)?;
                self.out.write_char('*')
            }
            TypeSig::ByRef(inner) => {
                self.out.write_str("ref ")?;
                self.signature(inner)
            }
            TypeSig::Pinned(inner) | TypeSig::Modified { inner, .. } => self.signature(inner),
            TypeSig::TypeParameter(number) => match self.argument(*number) {
                Some(argument) => self.given(argument),
                None => self.parameter(&self.names.of_type, *number, "!"),
            },
            TypeSig::MethodParameter(number) => self.parameter(&self.names.of_method, *number, "!!"),
            TypeSig::FunctionPointer(method) => {
                self.flags.next_is_nullable();
                self.function_pointer(method)
            }
        }
    }

    fn parameter(&mut self, names: &'a [String], number: u32, sigil: &str) -> fmt::Result {
        match names.get(number as usize) {
            Some(name) => self.out.write_str(name)?,
            None => write!(self.out, "{sigil}{number}")?,
        }
        let is_nullable = self.flags.next_is_nullable();
        self.question_mark(is_nullable)
    }

    fn question_mark(&mut self, is_nullable: bool) -> fmt::Result {
        if is_nullable { self.out.write_char('?') } else { Ok(()) }
    }

    /// C# writes the outermost rank first: an array of `int[,]` is `int[][,]`. An element that may be null ends the row of ranks:
    /// an array of `int[,]?` is `int[,]?[]`.
    fn array(&mut self, signature: &TypeSig, is_nullable: bool) -> fmt::Result {
        if let Some(whole) = self.array_of_given_arrays(signature) {
            self.apart(|printer| printer.array(&whole, false))?;
            return self.question_mark(is_nullable);
        }
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
                _ => {
                    self.signature(element)?;
                    break;
                }
            };
            if matches!(element, TypeSig::Array(_) | TypeSig::MultiArray { .. }) {
                self.flags.next_is_dynamic();
                if self.flags.next_is_nullable() {
                    self.array(element, true)?;
                    break;
                }
            }
        }
        self.out.write_str(&ranks)?;
        self.question_mark(is_nullable)
    }

    fn named(&mut self, name: &TypeName) -> fmt::Result {
        if let ("System.Nullable`1", [inner]) = (name.full_name.as_str(), name.arguments.as_slice()) {
            self.signature(inner)?;
            return self.out.write_char('?');
        }
        // A generic value type has a flag too, one that says nothing.
        let has_flag = !name.is_value_type || !name.arguments.is_empty();
        let is_nullable = has_flag && self.flags.next_is_nullable() && !name.is_value_type;
        match (name.full_name.as_str(), name.arguments.as_slice()) {
            ("System.Decimal", []) => self.out.write_str("decimal"),
            (full_name, arguments) if is_tuple(full_name, arguments) => {
                let names = self.flags.tuple_names(tuple_length(arguments));
                self.out.write_char('(')?;
                self.tuple(arguments, &names)?;
                self.out.write_char(')')
            }
            (full_name, arguments) => self.generic(full_name, arguments),
        }?;
        self.question_mark(is_nullable)
    }

    /// The eighth argument of a long tuple holds the rest.
    fn tuple(&mut self, arguments: &[TypeSig], names: &[Option<String>]) -> fmt::Result {
        for (index, argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.out.write_str(", ")?;
            }
            match argument {
                TypeSig::Named(rest) if index == 7 && rest.full_name.starts_with("System.ValueTuple`") => {
                    self.flags.next_is_dynamic();
                    self.flags.next_is_nullable();
                    self.flags.tuple_names(tuple_length(&rest.arguments));
                    self.tuple(&rest.arguments, names.get(7..).unwrap_or_default())?;
                }
                _ => {
                    self.signature(argument)?;
                    if let Some(Some(name)) = names.get(index) {
                        write!(self.out, " {name}")?;
                    }
                }
            }
        }
        Ok(())
    }

    /// ``Ns.Outer`1+Inner`1`` has the arguments of both levels in one list.
    fn generic(&mut self, full_name: &str, arguments: &[TypeSig]) -> fmt::Result {
        let mut arguments = arguments.iter();
        for (level, segment) in full_name.split('+').enumerate() {
            let segment = match (level, self.short) {
                (0, true) => clean_type(without_namespace(segment)),
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

    /// `delegate* unmanaged[Cdecl]<int, ref readonly long>`; the return type stands last.
    fn function_pointer(&mut self, method: &MethodSig) -> fmt::Result {
        let returned = method.return_type.referent();
        let mut conventions = match method.calling_convention {
            0 | 9 => Vec::new(),
            1 => vec!["Cdecl"],
            2 => vec!["Stdcall"],
            3 => vec!["Thiscall"],
            4 => vec!["Fastcall"],
            _ => vec!["Vararg"],
        };
        // What has no number of its own stands as modopt of the return type.
        let modifiers = returned.modifiers.iter().filter(|_| method.calling_convention == 9);
        conventions.extend(modifiers.filter_map(|modifier| modifier.full_name.strip_prefix(CONVENTION_MODIFIER)));
        self.out.write_str("delegate*")?;
        if method.calling_convention != 0 {
            self.out.write_str(" unmanaged")?;
        }
        if !conventions.is_empty() {
            write!(self.out, "[{}]", conventions.join(", "))?;
        }
        self.out.write_char('<')?;
        // The flags stand in the order of the metadata: that of the return type comes first.
        let return_text = self.nested(|printer| {
            printer.pass_over(&returned);
            printer.out.write_str(match (returned.is_by_ref, returned.has_modifier(IN_MODIFIER)) {
                (true, true) => "ref readonly ",
                (true, false) => "ref ",
                (false, _) => "",
            })?;
            printer.signature(returned.type_)
        })?;
        for parameter in &method.parameters {
            let parameter = parameter.referent();
            self.pass_over(&parameter);
            self.out.write_str(match parameter.is_by_ref {
                true if parameter.has_modifier(IN_MODIFIER) => "in ",
                true if parameter.has_modifier(OUT_MODIFIER) => "out ",
                true => "ref ",
                false => "",
            })?;
            self.signature(parameter.type_)?;
            self.out.write_str(", ")?;
        }
        self.out.write_str(&return_text)?;
        self.out.write_char('>')
    }

    /// By-ref and modifiers are parts that only `dynamic` counts.
    fn pass_over(&mut self, referent: &Referent<'_>) {
        for _ in 0..referent.modifiers.len() + usize::from(referent.is_by_ref) {
            self.flags.next_is_dynamic();
        }
    }

    /// What `print` writes, kept for later; the flags that it takes are taken.
    fn nested(
        &mut self,
        print: impl FnOnce(&mut Printer<'a, &mut dyn Write>) -> fmt::Result,
    ) -> Result<String, fmt::Error> {
        let mut text = String::new();
        let flags = std::mem::take(&mut self.flags);
        let (short, names, arguments) = (self.short, self.names, self.arguments);
        let mut printer = Printer { out: &mut text as &mut dyn Write, short, names, arguments, flags };
        let printed = print(&mut printer);
        self.flags = printer.flags;
        printed.map(|()| text)
    }
}

/// Elements, with those of the rest.
pub(crate) fn tuple_length(arguments: &[TypeSig]) -> usize {
    match arguments.get(7) {
        Some(TypeSig::Named(rest)) if rest.full_name.starts_with("System.ValueTuple`") => {
            arguments.len() - 1 + tuple_length(&rest.arguments)
        }
        _ => arguments.len(),
    }
}

pub(crate) fn is_tuple(full_name: &str, arguments: &[TypeSig]) -> bool {
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
