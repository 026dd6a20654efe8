//! Calls as adapters make them: which method they would take for the one that is meant, and what must not be called at all.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use clr_csharp::constant::Constant;
use clr_csharp::syntax::Pass;
use clr_csharp::types::{MethodRef, Type};
use clr_csharp::value::{Content, Value};
use clr_csharp::world::{Evaluated, Failure};
use clr_metadata::{Assembly, ExactCall, Held, MethodId, TypeSig, is_framework};

use super::handle::{Act, Call, Handle, Place};
use super::overloads::{UNTYPED_NULL, shown};
use super::passed::Passed;
use super::program::Program;
use crate::backend::quirks::Constructs;
use crate::session::counted::counted;
use crate::session::error::Code;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::threw::{self, exception_message};
use crate::session::inspect::{missing, refusal};
use crate::session::modules::EnumType;
use crate::session::type_names;

type Done<T> = Result<T, Failure<EvalError>>;

impl Program<'_> {
    /// What needs no call, or what adapters cannot call.
    pub(super) fn without_call(
        &self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &[Value<Handle>],
    ) -> Done<Option<Value<Handle>>> {
        let name = method.method.name.as_str();
        if let (Some(Value::Constant(Constant::Enum(type_, number))), "ToString") = (this, name)
            && let Some(enum_type) = self.reader.modules.enum_type(&type_.to_string())
            && let Some(text) = enum_text(&enum_type, *number, arguments)
        {
            return Ok(Some(Value::text(&text)));
        }
        if let Some(same) = self.null_compared(method, arguments) {
            return Ok(Some(Value::bool(same)));
        }
        if let Some(same) = self.types_compared(method, this, arguments)? {
            return Ok(Some(Value::bool(same)));
        }
        if let (Some(span), "get_Item", [index]) = (this, name, arguments)
            && matches!(method.owner.name(), Some("System.Span`1" | "System.ReadOnlySpan`1"))
        {
            return self.of_span(span, &method.owner, index).map(Some);
        }
        if let Some(text) = self.number_text(method, this, arguments)? {
            return Ok(Some(Value::text(&text)));
        }
        if let (Some(Value::Object(dictionary)), "get_Item", [key]) = (this, name, arguments)
            && self.is_only_comparable(key)
            && let Some(found) = self.by_key(dictionary, key)?
        {
            return Ok(Some(found));
        }
        Ok(None)
    }

    /// By a copy of it: what its indexer returns is a reference, which adapters do not follow.
    fn of_span(&self, span: &Value<Handle>, owner: &Type, index: &Value<Handle>) -> Evaluated<Self> {
        let to_array = self.types.definition(owner).and_then(|definition| {
            let methods = self.types.methods(&definition, "ToArray");
            let method = methods.iter().find(|it| it.parameters.is_empty())?.clone();
            Some(MethodRef { owner: owner.clone(), method, arguments: Vec::new() })
        });
        let (Some(to_array), Some(index)) = (to_array, index.as_integer()) else {
            return Err(Failure::Unsupported("this adapter cannot index spans".into()));
        };
        let array = self.call_at(&to_array, Some(span), &[])?;
        let Raw::Array(sizes) = self.raw(&array)?.parsed() else {
            return Err(Failure::Unsupported(
                "this adapter cannot index this span: ToArray did not return an array".into(),
            ));
        };
        let count = sizes.first().and_then(|size| usize::try_from(*size).ok()).unwrap_or_default();
        match usize::try_from(index).ok().filter(|index| *index < count) {
            Some(index) => self.value(self.element_at(&array, index)?),
            None => Err(Failure::Threw {
                type_name: "System.IndexOutOfRangeException",
                message: "Index was outside the bounds of the array.".to_owned(),
            }),
        }
    }

    /// A null compared by an operator of the framework, or by that which the compiler makes for a record: both ask whether both are null.
    fn null_compared(&self, method: &MethodRef, arguments: &[Value<Handle>]) -> Option<bool> {
        let is_equal = match method.method.name.as_str() {
            "op_Equality" => true,
            "op_Inequality" => false,
            _ => return None,
        };
        let [one, other] = arguments else { return None };
        if !one.is_null() && !other.is_null() || self.types.is_value_type(&method.owner) {
            return None;
        }
        let is_record = || {
            let definition = self.types.definition(&method.owner);
            definition.is_some_and(|it| !self.types.methods(&it, "<Clone>$").is_empty())
        };
        let is_known = is_framework(method.method.assembly.path()) || is_record();
        is_known.then(|| (one.is_null() && other.is_null()) == is_equal)
    }

    /// A key that no adapter can be given as it is meant.
    fn is_only_comparable(&self, key: &Value<Handle>) -> bool {
        match key {
            Value::Made(_) => true,
            Value::Constant(Constant::Enum(..)) => !self.reader.quirks.passes_computed_enums,
            _ => false,
        }
    }

    /// Of a dictionary, by comparing the keys that are there.
    fn by_key(&self, dictionary: &Handle, key: &Value<Handle>) -> Done<Option<Value<Handle>>> {
        let Some(entries) = self.elements_of(dictionary, usize::MAX)? else { return Ok(None) };
        for entry in &entries {
            let Value::Made(made) = entry else { return Ok(None) };
            let Content::Tuple(parts) = &made.content else { return Ok(None) };
            if let [own, value] = parts.as_slice()
                && self.is_key(own, key)?
            {
                return Ok(Some(value.clone()));
            }
        }
        Err(Failure::Threw {
            type_name: "System.Collections.Generic.KeyNotFoundException",
            message: format!(
                "`{}` has no such key; it has {}",
                self.spelled(dictionary)?,
                counted(entries.len(), "element")
            ),
        })
    }

    /// Whether a key is the one that is wanted, of numbers and texts and tuples of such.
    fn is_key(&self, own: &Value<Handle>, wanted: &Value<Handle>) -> Done<bool> {
        Ok(match (own, wanted) {
            (Value::Constant(own), Value::Constant(wanted)) => own == wanted,
            (Value::Object(own), Value::Constant(Constant::Text(wanted))) => {
                self.whole_text(own)?.is_some_and(|own| own == *wanted)
            }
            (Value::Object(own), Value::Object(wanted)) => {
                let (own, wanted) = (self.whole_text(own)?, self.whole_text(wanted)?);
                own.is_some() && own == wanted
            }
            (Value::Object(own), Value::Made(wanted)) => {
                let Content::Tuple(items) = &wanted.content else { return Ok(false) };
                let types = wanted.type_.elements().unwrap_or_default();
                for (at, (item, type_)) in items.iter().zip(types).enumerate() {
                    let name = format!("Item{}", at + 1);
                    let part = self.child(own, &name, &format!(".{name}"), Some(type_.clone()))?;
                    let part = self.value(part)?;
                    if !self.is_key(&part, item)? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => return Err(Failure::Unsupported("this adapter cannot pass such a key".into())),
        })
    }

    /// The member that an object has itself beside one that it implements explicitly, as an expression.
    fn own_member(&self, of: Option<&Value<Handle>>, name: &str) -> Done<Option<String>> {
        let Some(Value::Object(handle)) = of else { return Ok(None) };
        let (Some(path), type_) = (handle.path(), self.type_at(handle)?) else { return Ok(None) };
        let has = |owner: &Type| {
            self.types.definition(owner).is_some_and(|definition| !self.types.methods(&definition, name).is_empty())
        };
        if !self.types.chain(&type_).iter().any(has) {
            return Ok(None);
        }
        let call = if name.starts_with("get_") { "" } else { "(…)" };
        Ok(Some(format!("(({type_}){path}).{}{call}", name.trim_start_matches("get_"))))
    }

    /// A call, spelled, and not made yet.
    pub(super) fn call_at(
        &self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &[Value<Handle>],
    ) -> Done<Handle> {
        if let Some(other) = self.by_format_alone(method, this, arguments)? {
            return self.call_at(&other, this, arguments.get(..1).unwrap_or_default());
        }
        let name = method.method.name.as_str();
        if self.reader.read_only {
            return Err(Failure::Unsupported(format!("`{}` runs code, and this server is read-only", shown(method))));
        }
        if name == "<Clone>$" {
            return Err(Failure::Unsupported("`with` first copies the record, which this adapter cannot do".into()));
        }
        if name.starts_with('<') {
            return Err(Failure::Unsupported(missing::is_local_function(local_name(name))));
        }
        if let Some((interface, member)) = name.rsplit_once('.').filter(|(interface, _)| !interface.is_empty()) {
            let own = match self.own_member(this, member)? {
                Some(own) => format!("; `{own}` is the object's own member of that name"),
                None => String::new(),
            };
            return Err(Failure::Unsupported(format!(
                "{} implements {}.{} explicitly, and this adapter cannot call explicit interface implementations{own}",
                method.owner.short(),
                type_names::short(interface),
                member.trim_start_matches("get_")
            )));
        }
        if method.method.parameters.iter().any(|it| it.pass != Pass::Value) {
            return Err(Failure::Unsupported(format!(
                "`{}` has by-reference parameters, which this adapter cannot pass",
                shown(method)
            )));
        }
        let receiver = this.map(|value| self.receiver(value)).transpose()?;
        if let Some(Value::Object(handle)) = this {
            let member = name.strip_prefix("get_").unwrap_or(name);
            self.refuse_hidden(handle, &method.owner, member, !name.starts_with("get_"))?;
        }
        let mut passed = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            passed.push(self.passed(argument, &method.parameter_type(at).unwrap_or(Type::OBJECT))?);
        }
        let before = match this {
            Some(Value::Object(handle)) => handle.call().cloned(),
            _ => None,
        };
        let receiver_type = match this {
            Some(Value::Object(handle)) if handle.is_read() => Some(self.type_at(handle)?),
            Some(Value::Constant(_)) => receiver.as_ref().and_then(|it| it.type_.clone()),
            _ => None,
        };
        let call = Rc::new(Call {
            method: method.clone(),
            receiver: receiver_type,
            arguments: passed.iter().map(|it| it.type_.clone().unwrap_or(Type::Null)).collect(),
            is_pure: OnceCell::new(),
            before,
        });
        self.refuse_other_types(method, &passed)?;
        // what is called for the second time must not have been changed by the first
        if let Some(Value::Object(handle)) = this
            && handle.is_read()
            && handle.call().is_some()
            && !self.is_pure(&call)
        {
            return Err(EvalError::certain(
                Code::EvaluationFailed,
                format!(
                    "`{}` may change what the previous call returned, and this adapter cannot keep a reference to it",
                    shown(method)
                ),
            )
            .into());
        }
        let text = self.text_of_call(method, receiver.as_ref(), &passed)?;
        Ok(Handle::new(Place::Call { text, call }, Some(method.returns())))
    }

    /// Whether a call may be made again.
    pub(super) fn changes_nothing(&self, call: &Call) -> bool {
        let method = &call.method;
        let arguments: Vec<Option<TypeSig>> =
            call.arguments.iter().map(|it| if *it == Type::Null { None } else { Some(it.sig()) }).collect();
        let (declaring, receiver) = (method.owner.sig(), call.receiver.as_ref().map(Type::sig));
        let method_arguments: Vec<TypeSig> = method.arguments.iter().map(Type::sig).collect();
        let call = ExactCall {
            assembly: &method.method.assembly,
            method: method.method.id,
            declaring: &declaring,
            method_arguments: &method_arguments,
            receiver: receiver.as_ref(),
            is_exact: false,
            owns_receiver: false,
            owned_arguments: 0,
            arguments: &arguments,
            held: Held { framework_comparer: self.is_judged, framework_culture: self.is_judged },
            contents: &[],
        };
        let mut has_begun =
            |assembly: &Arc<Assembly>, initializer: MethodId| self.known.has_begun(assembly, initializer);
        self.purity.exact(&call, &mut has_begun).is_ok()
    }

    /// Makes a call.
    pub(super) fn called(&mut self, handle: Handle, method: &MethodRef) -> Evaluated<Self> {
        match self.raw(&handle) {
            Err(error) if error.code == Code::EvaluationFailed && !error.is_certain => {
                self.by_getter(&handle, method, error).map_err(|error| not_found(&handle, method, error))?;
            }
            raw => drop(raw?),
        }
        if let Some(call) = handle.call() {
            self.acts.push(Act::Call(call.clone()));
            // it is as it was after its own call
            let _ = handle.acts.set(self.acts.len());
        }
        if handle.declared.as_ref().is_some_and(Type::is_void) {
            return Ok(Value::Void);
        }
        self.value(handle)
    }

    /// A property by its getter's name: adapters do not find those with `[DebuggerBrowsable(Never)]`.
    fn by_getter(&self, handle: &Handle, method: &MethodRef, error: EvalError) -> Result<(), EvalError> {
        let Some(name) = method.method.name.strip_prefix("get_") else { return Err(error) };
        let Place::Call { text, call } = &handle.place else { return Err(error) };
        let is_repeatable = call.before.as_ref().is_none_or(|before| self.is_pure(before));
        let before = text.strip_suffix(name).filter(|_| is_repeatable && method.method.parameters.is_empty());
        let Some(before) = before else { return Err(error) };
        let raw = self.ask(&format!("{before}get_{name}()")).map_err(|_| error)?;
        self.refuse_thrown(&raw, handle.declared.as_ref())?;
        let _ = handle.read.set(raw);
        Ok(())
    }

    /// Adapters answer with the exception as if it were the value.
    pub(super) fn refuse_thrown(
        &self,
        raw: &crate::session::inspect::RawValue,
        declared: Option<&Type>,
    ) -> Result<(), EvalError> {
        if !matches!(raw.parsed(), Raw::Object) || !self.reader.shape(&raw.type_name).is_exception {
            return Ok(());
        }
        let exception = Type::named("System.Exception", Vec::new());
        if declared.is_some_and(|declared| self.types.is_a(declared, &exception) || *declared == exception) {
            return Ok(());
        }
        let exception = raw.clone();
        let message = self.asks.ask(async move |reader| exception_message(&reader, &exception).await)?;
        Err(threw::by_call(&raw.type_name, &message))
    }

    fn text_of_call(
        &self,
        method: &MethodRef,
        receiver: Option<&Passed>,
        passed: &[Passed],
    ) -> Result<String, EvalError> {
        let name = method.method.name.as_str();
        let arguments: Vec<&str> = passed.iter().map(|it| it.text.as_str()).collect();
        let arguments = arguments.join(", ");
        let types: Vec<String> = method.arguments.iter().map(Type::to_string).collect();
        let types = if types.is_empty() { String::new() } else { format!("<{}>", types.join(", ")) };
        let property = name.strip_prefix("get_").filter(|_| passed.is_empty());
        let member = match property {
            Some(property) => property.to_owned(),
            None => format!("{name}{types}({arguments})"),
        };
        match receiver {
            // of `this` dncdbg dies of an indexer with two
            Some(receiver) if name == "get_Item" && passed.len() == 1 => Ok(format!("{}[{arguments}]", receiver.text)),
            Some(receiver) => Ok(format!("{}.{member}", receiver.text)),
            None => self.static_member(&method.owner, &member),
        }
    }

    /// An object, where the adapter makes some.
    pub(super) fn made(
        &mut self,
        type_: &Type,
        constructor: Option<&MethodRef>,
        arguments: &[Value<Handle>],
    ) -> Evaluated<Self> {
        if type_.elements().is_some() && constructor.is_some() {
            return Ok(Value::made(type_.clone(), Content::Tuple(arguments.to_vec())));
        }
        let can = self.reader.quirks.constructs != Constructs::No;
        let Some(constructor) = constructor.filter(|_| can) else {
            return Err(Failure::Unsupported(
                "`new` is not supported here; members, indexers, calls and operators work".into(),
            ));
        };
        // dncdbg dies of one that is in no module
        if !type_.name().is_some_and(|name| self.reader.modules.has_type(name)) {
            return Err(Failure::Unsupported(format!("the program has not loaded '{}' yet", type_.short())));
        }
        let is_new_alone = self.reader.quirks.constructs == Constructs::New;
        if is_new_alone && !type_.arguments().is_empty() && self.types.is_value_type(type_) {
            let words = format!("this adapter cannot create '{}', a generic struct", type_.short());
            return Err(Failure::Unsupported(words));
        }
        let mut passed = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            passed.push(self.passed(argument, &constructor.parameter_type(at).unwrap_or(Type::OBJECT))?);
        }
        self.refuse_other_types(constructor, &passed)?;
        let call = Rc::new(Call {
            method: constructor.clone(),
            receiver: None,
            arguments: passed.iter().map(|it| it.type_.clone().unwrap_or(Type::Null)).collect(),
            is_pure: OnceCell::new(),
            before: None,
        });
        let arguments: Vec<&str> = passed.iter().map(|it| it.text.as_str()).collect();
        let text = format!("new {type_}({})", arguments.join(", "));
        let handle = Handle::new(Place::Call { text, call }, Some(type_.clone()));
        self.called(handle, constructor)
    }
}

/// Of a method that is there, and that the adapter does not find.
fn not_found(handle: &Handle, method: &MethodRef, error: EvalError) -> EvalError {
    let Some(call) = handle.call().filter(|_| error.message == refusal::NO_SUCH) else { return error };
    let why = match call.arguments.contains(&Type::Null) {
        true => UNTYPED_NULL,
        false => "it finds no method that takes exactly these types",
    };
    EvalError::certain(error.code, format!("this adapter cannot call `{}`: {why}", shown(method)))
}

/// What `ToString` of an enum gives, with a format or without; `None`: only the program knows.
fn enum_text(of: &EnumType, number: i128, arguments: &[Value<Handle>]) -> Option<String> {
    match arguments {
        [] => of.formatted(number, "G"),
        [Value::Constant(Constant::Text(format))]
        | [Value::Constant(Constant::Text(format)), Value::Constant(Constant::Null)] => {
            of.formatted(number, &String::from_utf16_lossy(format))
        }
        _ => None,
    }
}

/// `Add` of `<Main>g__Add|0_0`.
fn local_name(name: &str) -> &str {
    let behind = name.split_once(">g__").map_or(name, |(_, behind)| behind);
    behind.split('|').next().unwrap_or(behind)
}
