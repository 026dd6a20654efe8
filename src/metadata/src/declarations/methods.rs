//! Methods: `public static ref readonly T Pick<T>(in Key key, params string[] names) where T : class`.

use super::operators::{conversion, operator};
use super::{Naming, Place, accessibility, printable, when, words};
use crate::methods::MethodView;
use crate::names::clean_type;
use crate::schema::col;
use crate::signatures::{IN_MODIFIER, MethodSig, TypeSig, split_arity};
use crate::tokens::{MethodId, Token};

// ECMA-335 II.23.1.10
const STATIC: u32 = 0x10;
const FINAL: u32 = 0x20;
const VIRTUAL: u32 = 0x40;
const NEW_SLOT: u32 = 0x100;
const ABSTRACT: u32 = 0x400;
const SPECIAL_NAME: u32 = 0x800;
const PLATFORM_INVOKE: u32 = 0x2000;
// II.23.1.13
const IN: u32 = 1;
const OUT: u32 = 2;

const READ_ONLY: &str = "System.Runtime.CompilerServices.IsReadOnlyAttribute";
const REQUIRES_LOCATION: &str = "System.Runtime.CompilerServices.RequiresLocationAttribute";
const SCOPED: &str = "System.Runtime.CompilerServices.ScopedRefAttribute";
const EXTENSION: &str = "System.Runtime.CompilerServices.ExtensionAttribute";
const PARAMS: [&str; 2] = ["System.ParamArrayAttribute", "System.Runtime.CompilerServices.ParamCollectionAttribute"];

impl MethodView<'_> {
    /// `public`, `private protected`, …
    pub fn visibility(&self) -> &'static str {
        accessibility(self.flags())
    }

    /// The head of the method, as C# writes it; `None` where its signature or its type cannot be read.
    pub fn declaration<'n>(&'n self, naming: impl Into<Naming<'n>>) -> Option<String> {
        let type_ = self.declaring_type()?;
        let signature = self.signature()?;
        let place = Place::new(&type_, Some(self.id()), naming.into());
        let type_name = clean_type(split_arity(type_.name()).0);
        let returned = place.returned(self.id(), &signature.return_type);
        let mut text = self.modifiers(type_.is_interface());
        if self.name() == "Finalize" && self.is_override() && signature.parameters.is_empty() {
            return Some(printable(format!("~{type_name}()")));
        }
        match self.name() {
            ".ctor" | ".cctor" => text.push_str(type_name),
            name => match (self.flags() & SPECIAL_NAME != 0, operator(name), conversion(name)) {
                (true, Some(operator), _) => text.push_str(&format!("{returned} operator {operator}")),
                (true, _, Some(kind)) => text.push_str(&format!("{kind} {returned}")),
                _ => text.push_str(&format!("{returned} {name}")),
            },
        }
        text.push_str(&place.generic_list(self.id().token(), 0));
        text.push_str(&parameters(&place, self.id(), &signature));
        text.push_str(&place.constraints(self.id().token(), 0));
        Some(printable(text))
    }

    /// `System.IDisposable.Dispose`, an implementation for one interface only.
    fn is_explicit(&self) -> bool {
        self.visibility() == "private" && !self.name().starts_with(['.', '<']) && self.name().contains('.')
    }

    /// Accessibility and modifiers, with a blank behind each. Static constructors and explicit implementations have no accessibility.
    pub(super) fn modifiers(&self, in_interface: bool) -> String {
        let flags = self.flags();
        let is = |flag: u32| flags & flag != 0;
        let inherited = match (is(STATIC), is(NEW_SLOT)) {
            (true, _) if is(ABSTRACT) => "abstract",
            (true, _) if is(VIRTUAL) => "virtual",
            (false, true) if is(ABSTRACT) => when(!in_interface, "abstract"),
            (false, true) if is(VIRTUAL) && !is(FINAL) => "virtual",
            (false, false) if is(ABSTRACT) => "abstract override",
            (false, false) if is(VIRTUAL) && is(FINAL) => "sealed override",
            (false, false) if is(VIRTUAL) => "override",
            _ => "",
        };
        words(&[
            when(self.name() != ".cctor" && !self.is_explicit(), self.visibility()),
            when(is(STATIC), "static"),
            when(is(PLATFORM_INVOKE), "extern"),
            inherited,
            when(self.has_attribute(READ_ONLY), "readonly"),
        ])
    }
}

impl Place<'_> {
    /// The return type with its `ref` or `ref readonly`.
    pub(super) fn returned(&self, method: MethodId, type_: &TypeSig) -> String {
        let row = self.assembly.parameter_row(method, 0);
        let referent = type_.referent();
        let is_read_only = referent.has_modifier(IN_MODIFIER) || self.has(row, READ_ONLY);
        let prefix = match (referent.is_by_ref, is_read_only) {
            (true, true) => "ref readonly ",
            (true, false) => "ref ",
            (false, _) => "",
        };
        format!("{prefix}{}", self.text(referent.type_, row))
    }

    fn parameter(&self, row: Option<Token>, type_: &TypeSig, is_extended: bool) -> String {
        let metadata = &self.assembly.metadata;
        let referent = type_.referent();
        let flags = row.and_then(|row| metadata.cell(row.row(), col::Param::Flags).ok()).unwrap_or(0);
        let passed = match referent.is_by_ref {
            false => "",
            true if flags & (IN | OUT) == OUT => "out",
            true if self.has(row, REQUIRES_LOCATION) => "ref readonly",
            true if self.has(row, READ_ONLY) => "in",
            true => "ref",
        };
        let is_params = PARAMS.iter().any(|attribute| self.has(row, attribute));
        let mut text = words(&[
            when(is_extended, "this"),
            when(is_params, "params"),
            // A `params` span is implicitly scoped.
            when(self.has(row, SCOPED) && !is_params, "scoped"),
            passed,
        ]);
        text.push_str(&self.text(referent.type_, row));
        let name = row.and_then(|row| metadata.string(row.row(), col::Param::Name).ok()).unwrap_or_default();
        if !name.is_empty() {
            text.push(' ');
            text.push_str(name);
        }
        if let Some(default) = row.and_then(|row| self.constant(row, referent.type_)) {
            text.push_str(" = ");
            text.push_str(&default);
        }
        text
    }

    /// The parameters of a method, or (of an accessor) those of its indexer.
    pub(super) fn parameter_list(&self, method: MethodId, types: &[TypeSig]) -> String {
        let is_extension = self.has(Some(method.token()), EXTENSION);
        let texts = types.iter().enumerate().map(|(index, type_)| {
            let row = self.assembly.parameter_row(method, index as u32 + 1);
            self.parameter(row, type_, is_extension && index == 0)
        });
        texts.collect::<Vec<_>>().join(", ")
    }
}

/// With parentheses; `__arglist` where more may follow.
pub(super) fn parameters(place: &Place<'_>, method: MethodId, signature: &MethodSig) -> String {
    let mut list = place.parameter_list(method, &signature.parameters);
    const VARARG: u8 = 5;
    if signature.calling_convention == VARARG {
        list.push_str(if list.is_empty() { "__arglist" } else { ", __arglist" });
    }
    format!("({list})")
}
