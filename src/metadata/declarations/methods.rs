//! Methods, constructors, operators.

use super::parameters::{constraints, generic_names, has_modifier, unmodified};
use super::{Context, Visibility, push_word};
use crate::metadata::methods::{MethodView, StateMachineKind};
use crate::metadata::names::{clean_method, parse_type};
use crate::metadata::search::source_method_name;
use crate::metadata::signatures::{MethodSig, ParameterNames, TypeSig};

const FINAL: u32 = 0x20;
const NEW_SLOT: u32 = 0x100;
const PINVOKE: u32 = 0x2000;
const IN_ATTRIBUTE: &str = "System.Runtime.InteropServices.InAttribute";

/// The methods behind operators (C# standard, annex on operators; Roslyn's `WellKnownMemberNames`).
const OPERATORS: &[(&str, &str)] = &[
    ("op_Addition", "+"),
    ("op_BitwiseAnd", "&"),
    ("op_BitwiseOr", "|"),
    ("op_Decrement", "--"),
    ("op_Division", "/"),
    ("op_Equality", "=="),
    ("op_ExclusiveOr", "^"),
    ("op_False", "false"),
    ("op_GreaterThan", ">"),
    ("op_GreaterThanOrEqual", ">="),
    ("op_Increment", "++"),
    ("op_Inequality", "!="),
    ("op_LeftShift", "<<"),
    ("op_LessThan", "<"),
    ("op_LessThanOrEqual", "<="),
    ("op_LogicalNot", "!"),
    ("op_Modulus", "%"),
    ("op_Multiply", "*"),
    ("op_OnesComplement", "~"),
    ("op_RightShift", ">>"),
    ("op_Subtraction", "-"),
    ("op_True", "true"),
    ("op_UnaryNegation", "-"),
    ("op_UnaryPlus", "+"),
    ("op_UnsignedRightShift", ">>>"),
];

impl MethodView<'_> {
    pub fn visibility(&self) -> Visibility {
        Visibility::of_member(self.flags())
    }

    /// Accessibility and modifiers, each with a blank behind it. Explicit implementations have neither.
    pub(super) fn modifiers(&self) -> String {
        let mut line = String::new();
        let in_interface = self.declaring_type().is_some_and(|type_| type_.is_interface());
        let flags = self.flags();
        let is_public_by_default = in_interface && self.visibility() == Visibility::Public;
        if !self.is_explicit() && !is_public_by_default && self.name() != ".cctor" {
            push_word(&mut line, self.visibility().words());
        }
        push_word(&mut line, if self.is_static() { "static" } else { "" });
        push_word(&mut line, if flags & PINVOKE != 0 { "extern" } else { "" });
        let is_new = flags & NEW_SLOT != 0;
        let is_plain = self.is_explicit() || in_interface && !self.is_static();
        let overriding = match (self.is_abstract(), self.is_virtual()) {
            _ if is_plain => "",
            (true, _) if is_new || self.is_static() => "abstract",
            (true, _) => "abstract override",
            (false, true) if is_new && flags & FINAL == 0 || self.is_static() => "virtual",
            // The runtime needs implementations of interfaces to be virtual; source does not say so.
            (false, true) if is_new => "",
            (false, true) if flags & FINAL != 0 => "sealed override",
            (false, true) => "override",
            (false, false) => "",
        };
        push_word(&mut line, overriding);
        if self.declaring_type().is_some_and(|type_| type_.is_value_type()) {
            let is_readonly = self.has_attribute("System.Runtime.CompilerServices.IsReadOnlyAttribute");
            push_word(&mut line, if is_readonly { "readonly" } else { "" });
        }
        let is_async =
            matches!(self.state_machine_kind(), Some(StateMachineKind::Async | StateMachineKind::AsyncIterator));
        push_word(&mut line, if is_async { "async" } else { "" });
        line
    }

    /// `System.IDisposable.Dispose`, the implementation for one interface only.
    pub(super) fn is_explicit(&self) -> bool {
        !self.name().starts_with('.') && self.name().contains('.')
    }

    /// As source declares it: `public static async Task<int> RunAsync<T>(T work, int count = 1) where T : IWork`.
    pub fn declaration(&self, context: &Context) -> String {
        let line = self.modifiers();
        let Some(signature) = self.signature() else { return format!("{line}{}(…)", self.name()) };
        let names = self.names(context);
        let parameters = self.parameter_list(&signature.parameters, context, &names);
        let owner = self.declaring_type();
        let type_name = owner.map(|type_| split_generics(&type_.own_name()).to_owned()).unwrap_or_default();
        match self.name() {
            ".ctor" => format!("{line}{type_name}({parameters})"),
            ".cctor" => format!("static {type_name}()"),
            "Finalize" if signature.parameters.is_empty() && self.is_virtual() && !self.is_static() => {
                format!("~{type_name}()")
            }
            name => match self.operator(name, &signature, context, &names) {
                Some(operator) => format!("{line}{operator}({parameters})"),
                None => format!("{line}{}", self.called_as(&self.generic_name(), context)),
            },
        }
    }

    /// Return type, `name`, parameters and constraints.
    pub(super) fn called_as(&self, name: &str, context: &Context) -> String {
        let Some(signature) = self.signature() else { return format!("{name}(…)") };
        let names = self.names(context);
        let parameters = self.parameter_list(&signature.parameters, context, &names);
        let constraints = constraints(self.assembly(), self.id().token(), &names, 0);
        format!("{} {name}({parameters}){constraints}", return_text(&signature.return_type, context, &names))
    }

    fn names(&self, context: &Context) -> ParameterNames {
        ParameterNames { of_type: context.names.clone(), of_method: generic_names(self.assembly(), self.id().token()) }
    }

    /// `Map<T>`, `IDisposable.Dispose`.
    fn generic_name(&self) -> String {
        let own = generic_names(self.assembly(), self.id().token());
        let name = explicit_name(source_method_name(self.name()));
        if own.is_empty() { name } else { format!("{name}<{}>", own.join(", ")) }
    }

    fn operator(&self, name: &str, signature: &MethodSig, context: &Context, names: &ParameterNames) -> Option<String> {
        let returned = return_text(&signature.return_type, context, names);
        if !self.is_static() {
            return None;
        }
        match clean_method(name) {
            "op_Implicit" => return Some(format!("implicit operator {returned}")),
            "op_Explicit" => return Some(format!("explicit operator {returned}")),
            "op_CheckedExplicit" => return Some(format!("explicit operator checked {returned}")),
            _ => {}
        }
        let last = clean_method(name);
        let (plain, checked) = match last.strip_prefix("op_Checked") {
            Some(rest) => (format!("op_{rest}"), "checked "),
            None => (last.to_owned(), ""),
        };
        let (_, sign) = OPERATORS.iter().find(|(method, _)| *method == plain)?;
        Some(format!("{returned} operator {checked}{sign}"))
    }
}

/// The return type; a readonly reference says so by a `modreq`.
pub(super) fn return_text(signature: &TypeSig, context: &Context, names: &ParameterNames) -> String {
    let plain = unmodified(signature);
    match plain {
        TypeSig::ByRef(inner) if has_modifier(signature, IN_ATTRIBUTE) => {
            format!("ref readonly {}", context.text(inner, names))
        }
        _ => context.text(plain, names),
    }
}

/// `System.Collections.Generic.IList<System.Int32>.Add` → `IList<int>.Add`.
pub(super) fn explicit_name(name: &str) -> String {
    let last = clean_method(name);
    let interface = name.strip_suffix(last).and_then(|head| head.strip_suffix('.')).filter(|head| !head.is_empty());
    match interface.map(|interface| (interface, parse_type(interface))) {
        Some((_, Some(type_))) => format!("{}.{last}", type_.short()),
        Some((interface, None)) => format!("{interface}.{last}"),
        None => name.to_owned(),
    }
}

fn split_generics(name: &str) -> &str {
    name.split_once('<').map_or(name, |(name, _)| name)
}
