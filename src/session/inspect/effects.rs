//! What an expression would run, judged before it runs: names, fields and members that are known to be pure go through, the first
//! part that is not is named. The adapter evaluates parts on the way, for the types that decide; a part is asked for only when it
//! has been judged itself.

mod calls;
mod held;
pub(super) mod parse;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use futures::future::BoxFuture;
use tokio::sync::OnceCell;

use super::evaluate::{EvalError, Evaluated, evaluate};
use super::literal::Raw;
use super::reader::{RawValue, Reader};
use super::shape::MemberKind;
use super::{missing, refusal, shared_code, type_names};
use crate::backend::quirks::Constructs;
use crate::session::error::Code;
use clr_metadata::{Judged, Primitive, Purity, TypeSig, names};
use parse::{Kind, Part};

/// Evaluates what changes nothing; refuses the rest by name.
pub async fn evaluate_pure(reader: &Reader, expression: &str) -> Result<Evaluated, EvalError> {
    let Some(part) = parse::parse(expression) else {
        let message =
            format!("`{expression}` is not recognized as a single C# expression, so side effects cannot be ruled out");
        return Err(EvalError::new(Code::EvaluationFailed, message));
    };
    let judge = Judge { reader, variables: OnceCell::new(), known: Mutex::default() };
    if let Some(type_) = judge.as_types(&part).await.and_then(|types| types.into_iter().next()) {
        let message = missing::of_type(&part.text, &reader.modules.static_names(&type_));
        return Err(EvalError::certain(Code::EvaluationFailed, message));
    }
    judge.run(&part).await
}

struct Judge<'a> {
    reader: &'a Reader,
    /// Of the frame; read when they decide something.
    variables: OnceCell<Vec<RawValue>>,
    /// Parts that were run, by their text: what stands behind one asks for its type again.
    known: Mutex<HashMap<String, Evaluated>>,
}

/// A part's value as far as it decides what is called on it.
enum Operand {
    Null,
    /// As the adapter prints it.
    Of(String),
}

impl Operand {
    fn type_(&self) -> Option<TypeSig> {
        match self {
            // calls nothing, as text does not
            Self::Null => Some(TypeSig::Primitive(Primitive::String)),
            Self::Of(name) => names::parse_type(name),
        }
    }
}

impl Judge<'_> {
    /// What C# would not evaluate is neither judged nor run: `a != null && a.Total > 3`.
    fn run<'a>(&'a self, part: &'a Part) -> BoxFuture<'a, Result<Evaluated, EvalError>> {
        Box::pin(async move {
            if let Some(known) = self.known(part) {
                return Ok(known);
            }
            let found = self.run_anew(part).await?;
            // of these a part may be left that nobody has judged
            let is_partial = matches!(part.kind, Kind::Binary("&&" | "||" | "??", ..) | Kind::Conditional(..));
            if !is_partial {
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                known.insert(part.text.clone(), found.clone());
            }
            Ok(found)
        })
    }

    fn known(&self, part: &Part) -> Option<Evaluated> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&part.text).cloned()
    }

    fn run_anew<'a>(&'a self, part: &'a Part) -> BoxFuture<'a, Result<Evaluated, EvalError>> {
        Box::pin(async move {
            match &part.kind {
                Kind::Binary(operator @ ("&&" | "||"), left, right) => {
                    let first = self.run(left).await?;
                    if (first.value.value == "true") == (*operator == "||") { Ok(first) } else { self.run(right).await }
                }
                Kind::Binary("??", left, right) => {
                    let first = self.run(left).await?;
                    if first.value.parsed() == Raw::Null { self.run(right).await } else { Ok(first) }
                }
                // what stands behind a `?.` is what adapters evaluate without it
                Kind::Maybe(receiver, then) => match (self.run(receiver).await?.value.parsed(), &then.kind) {
                    (Raw::Null, Kind::Call(_, name, _)) => {
                        let type_name = if name == "ToString" { "string" } else { "object" }.to_owned();
                        let value = RawValue { type_name, value: "null".to_owned(), ..RawValue::default() };
                        Ok(Evaluated { value, load_path: "null".to_owned() })
                    }
                    (Raw::Null, _) => evaluate(self.reader, &part.text, true).await,
                    _ => self.run(then).await,
                },
                Kind::Conditional(condition, yes, no) => {
                    let holds = self.run(condition).await?.value.value == "true";
                    let (chosen, other) = if holds { (yes, no) } else { (no, yes) };
                    let result = self.run(chosen).await?;
                    // of two numbers both have the type to which both convert
                    if is_plain(&result.value.type_name) && self.judge(other).await.is_ok() {
                        return Ok(evaluate(self.reader, &part.text, true).await.unwrap_or(result));
                    }
                    Ok(result)
                }
                _ => {
                    self.judge(part).await?;
                    evaluate(self.reader, &part.text, true).await
                }
            }
        })
    }

    fn judge<'a>(&'a self, part: &'a Part) -> BoxFuture<'a, Result<(), EvalError>> {
        Box::pin(async move {
            if self.known(part).is_some() {
                return Ok(());
            }
            match &part.kind {
                Kind::Harmless(_) => Ok(()),
                Kind::Refused(what) => Err(self.unknown(part, what)),
                Kind::Name(name) => self.name(part, name).await,
                Kind::Member(receiver, name) => self.member(part, receiver, name).await,
                Kind::Index(receiver, arguments) => {
                    self.judge(receiver).await?;
                    self.judge_all(arguments).await?;
                    let Operand::Of(type_) = self.operand(receiver).await? else { return Ok(()) };
                    if type_.ends_with(']') {
                        return Ok(());
                    }
                    let types = self.types(arguments).await?;
                    let getter =
                        if matches!(type_.as_str(), "string" | "System.String") { "get_Chars" } else { "get_Item" };
                    if getter == "get_Item" && !self.reader.modules.may_have_indexer(&type_) {
                        let message = missing::no_indexer(&type_names::short(&type_));
                        return Err(EvalError::certain(Code::EvaluationFailed, message));
                    }
                    let judged = self.ask_of(receiver, type_, getter, types).await?;
                    self.decide(part, "its indexer", move |_| judged).await
                }
                Kind::Call(receiver, name, arguments) => self.call(part, receiver.as_deref(), name, arguments).await,
                Kind::Unary(inner) => {
                    self.judge(inner).await?;
                    self.operators(part, &UNARY, &[inner]).await
                }
                Kind::Binary("&&" | "||" | "??", left, right) => {
                    self.judge(left).await?;
                    self.judge(right).await
                }
                Kind::Binary(operator, left, right) => self.binary(part, operator, left, right).await,
                Kind::Conditional(condition, yes, no) => {
                    self.judge(condition).await?;
                    self.judge(yes).await?;
                    self.judge(no).await
                }
                Kind::Test(inner) => self.judge(inner).await,
                Kind::Cast(type_, inner) => {
                    self.judge(inner).await?;
                    self.operators(part, &CONVERSIONS, &[inner]).await?;
                    // neither a number nor a text is made by what it declares itself
                    if is_plain(type_) {
                        return Ok(());
                    }
                    let type_ = type_.clone();
                    self.no_worse(part, move |purity| {
                        let named = purity.types_named(&type_);
                        let all = named
                            .iter()
                            .flat_map(|type_| CONVERSIONS.map(|name| purity.static_call(type_, name, &[None])));
                        all.flatten().find(Result::is_err)
                    })
                    .await
                }
                Kind::Maybe(receiver, then) => {
                    self.judge(receiver).await?;
                    match self.operand(receiver).await? {
                        Operand::Null => Ok(()),
                        Operand::Of(_) => self.judge(then).await,
                    }
                }
            }
        })
    }

    /// What is no member, call or operator: most adapters have nothing more, whatever is allowed.
    fn unknown(&self, part: &Part, what: &str) -> EvalError {
        let is_evaluated = match self.reader.quirks.constructs {
            Constructs::No => false,
            Constructs::New => refusal::is_new(&part.text),
            Constructs::Some => true,
        };
        match is_evaluated {
            true => refused(&part.text, what),
            false => EvalError::certain(Code::EvaluationFailed, refusal::unsupported(&part.text)),
        }
    }

    async fn judge_all(&self, parts: &[Part]) -> Result<(), EvalError> {
        for part in parts {
            self.judge(part).await?;
        }
        Ok(())
    }

    async fn variable(&self, name: &str) -> Option<&RawValue> {
        let read = || async { self.reader.variables().await.unwrap_or_default() };
        self.variables.get_or_init(read).await.iter().find(|variable| variable.name == name)
    }

    async fn this_type(&self) -> Option<String> {
        self.variable("this").await.map(|this| this.type_name.clone())
    }

    async fn name(&self, part: &Part, name: &str) -> Result<(), EvalError> {
        let name = name.to_owned();
        let getter = format!("get_{name}");
        let is_property = self.ask(move |purity| purity.has_method(&getter)).await.unwrap_or(true);
        // a field of the frame's own type: looking up any name may initialise that one in netcoredbg and dncdbg
        if !is_property || name.starts_with('$') || self.variable(&name).await.is_some() {
            return Ok(());
        }
        let this = self.this_type().await;
        // which type the frame's method is of is not known: all static properties of that name have to be pure
        self.no_worse(part, move |purity| {
            let own = this.and_then(|this| purity.read(&this, &name).or_else(|| purity.static_read(&this, &name)));
            own.filter(Result::is_err)
                .or_else(|| purity.any_static_call(&format!("get_{name}"), 0).filter(Result::is_err))
        })
        .await
    }

    async fn member(&self, part: &Part, receiver: &Part, name: &str) -> Result<(), EvalError> {
        let name = name.to_owned();
        if let Some(types) = self.as_types(receiver).await {
            if let [only] = types.as_slice()
                && let names = self.reader.modules.static_names(only)
                && !names.is_empty()
                && !names.contains(&name)
            {
                let message = missing::no_static(&type_names::short(only), &name, &names);
                return Err(EvalError::new(Code::EvaluationFailed, message));
            }
            if let [only] = types.as_slice()
                && self.reader.modules.method_names(only, true).contains(&name)
                && !self.reader.modules.static_names(only).contains(&name)
            {
                return Err(EvalError::certain(Code::EvaluationFailed, missing::is_method(&part.text)));
            }
            return self
                .decide(part, &name.clone(), move |purity| {
                    all(types.iter().map(|type_| purity.static_read(type_, &name)))
                })
                .await;
        }
        self.judge(receiver).await?;
        let Operand::Of(type_) = self.operand(receiver).await? else { return Ok(()) };
        if type_.ends_with(']') && ["Length", "Rank", "LongLength"].contains(&name.as_str()) {
            return Ok(());
        }
        let members = &self.reader.modules.shape(&type_).members;
        if members.iter().any(|member| member.kind == MemberKind::Captured && member.name == name) {
            return Ok(());
        }
        let names = self.reader.modules.member_names(&type_);
        if !names.contains(&name) && self.reader.modules.method_names(&type_, false).contains(&name) {
            return Err(EvalError::certain(Code::EvaluationFailed, missing::is_method(&part.text)));
        }
        let (called, owner) = (name.clone(), type_.clone());
        let judged = self.ask(move |purity| purity.read(&owner, &called)).await.flatten();
        if judged.is_none() && !names.is_empty() && !names.contains(&name) {
            let message = missing::no_member(&type_names::short(&type_), &name, &names);
            return Err(EvalError::new(Code::EvaluationFailed, message));
        }
        self.decide(part, &name, move |_| judged).await
    }

    async fn binary(&self, part: &Part, operator: &str, left: &Part, right: &Part) -> Result<(), EvalError> {
        self.judge(left).await?;
        self.judge(right).await?;
        let Some((_, method)) = BINARY.iter().find(|(sign, _)| *sign == operator) else {
            return Err(refused(&part.text, &format!("the operator {operator} is not known")));
        };
        if left.is_null() || right.is_null() {
            return Ok(());
        }
        self.operators(part, &[method, "op_Implicit"], &[left, right]).await?;
        if operator != "+" {
            return Ok(());
        }
        // text takes in the text of what is added to it
        let types = [self.operand(left).await?, self.operand(right).await?];
        if !types.iter().any(|type_| matches!(type_, Operand::Of(name) if name == "string")) {
            return Ok(());
        }
        for (operand, type_) in [left, right].into_iter().zip(types) {
            let Operand::Of(type_) = type_ else { continue };
            let judged = self.ask_of(operand, type_, "ToString", Vec::new()).await?;
            self.no_worse(part, move |_| judged.filter(Result::is_err)).await?;
        }
        Ok(())
    }

    /// The operators that the types of the operands declare, where they declare any.
    async fn operators(&self, part: &Part, names: &[&'static str], operands: &[&Part]) -> Result<(), EvalError> {
        let mut types = Vec::new();
        for operand in operands {
            types.push(self.operand(operand).await?);
        }
        let arguments: Vec<Option<TypeSig>> = types.iter().map(Operand::type_).collect();
        let owners: Vec<String> = types
            .into_iter()
            .filter_map(|type_| match type_ {
                Operand::Of(name) if !is_plain(&name) => Some(name),
                _ => None,
            })
            .collect();
        if owners.is_empty() {
            return Ok(());
        }
        let names = names.to_vec();
        self.no_worse(part, move |purity| {
            let calls = owners.iter().flat_map(|owner| {
                let one = arguments.get(..1).unwrap_or_default();
                names
                    .iter()
                    .flat_map(|name| {
                        [purity.static_call(owner, name, &arguments), purity.static_call(owner, name, one)]
                    })
                    .collect::<Vec<_>>()
            });
            calls.flatten().find(Result::is_err)
        })
        .await
    }

    /// The types that a dotted name can mean, where it begins with no variable or member.
    async fn as_types(&self, part: &Part) -> Option<Vec<String>> {
        let (first, text) = (part.first_name()?.to_owned(), part.text.clone());
        let types = self.ask(move |purity| purity.types_named(&text)).await.filter(|types| !types.is_empty())?;
        if self.variable(&first).await.is_some() {
            return None;
        }
        let (this, around) = (self.this_type().await, self.reader.types_around());
        let is_value = move |purity: &Purity| {
            let is_static = match around.as_slice() {
                [] => purity.is_static_field(&first) || purity.any_static_call(&format!("get_{first}"), 0).is_some(),
                around => around.iter().any(|type_| purity.static_read(type_, &first).is_some()),
            };
            is_static || this.is_some_and(|this| purity.read(&this, &first).is_some())
        };
        (!self.ask(is_value).await?).then_some(types)
    }

    /// The value of a part that was judged.
    async fn operand(&self, part: &Part) -> Result<Operand, EvalError> {
        match &part.kind {
            Kind::Harmless(Some(type_)) => return Ok(Operand::Of((*type_).to_owned())),
            _ if part.is_null() => return Ok(Operand::Null),
            Kind::Test(_) | Kind::Binary("&&" | "||" | "<" | ">" | "<=" | ">=" | "==" | "!=", ..) => {
                return Ok(Operand::Of("bool".to_owned()));
            }
            _ => {}
        }
        Ok(operand_of(&self.run(part).await?.value))
    }

    async fn types(&self, arguments: &[Part]) -> Result<Vec<Option<TypeSig>>, EvalError> {
        let mut types = Vec::new();
        for argument in arguments {
            types.push(self.operand(argument).await?.type_());
        }
        Ok(types)
    }

    /// Asks the metadata, off the one thread that serves.
    async fn ask<T: Send + 'static>(&self, question: impl FnOnce(&Purity) -> T + Send + 'static) -> Option<T> {
        let purity = self.reader.modules.purity();
        tokio::task::spawn_blocking(move || question(&purity)).await.ok()
    }

    /// Only what is known to be pure.
    async fn decide(
        &self,
        part: &Part,
        called: &str,
        question: impl FnOnce(&Purity) -> Option<Judged> + Send + 'static,
    ) -> Result<(), EvalError> {
        match self.ask(question).await.flatten() {
            Some(Ok(())) => Ok(()),
            Some(Err(why)) => Err(refused(&part.text, &why.to_string())),
            None => Err(refused(&part.text, &format!("{called} is not known to be pure"))),
        }
    }

    /// `question` answers what is not pure; where there is nothing of the kind, nothing runs.
    async fn no_worse(
        &self,
        part: &Part,
        question: impl FnOnce(&Purity) -> Option<Judged> + Send + 'static,
    ) -> Result<(), EvalError> {
        match self.ask(question).await {
            Some(Some(Err(why))) => Err(refused(&part.text, &why.to_string())),
            Some(_) => Ok(()),
            None => Err(refused(&part.text, "its code could not be analyzed")),
        }
    }
}

const UNARY: [&str; 5] = ["op_UnaryNegation", "op_UnaryPlus", "op_LogicalNot", "op_OnesComplement", "op_Implicit"];
const CONVERSIONS: [&str; 2] = ["op_Implicit", "op_Explicit"];
const BINARY: [(&str, &str); 17] = [
    ("+", "op_Addition"),
    ("-", "op_Subtraction"),
    ("*", "op_Multiply"),
    ("/", "op_Division"),
    ("%", "op_Modulus"),
    ("&", "op_BitwiseAnd"),
    ("|", "op_BitwiseOr"),
    ("^", "op_ExclusiveOr"),
    ("<<", "op_LeftShift"),
    (">>", "op_RightShift"),
    (">>>", "op_UnsignedRightShift"),
    ("==", "op_Equality"),
    ("!=", "op_Inequality"),
    ("<", "op_LessThan"),
    (">", "op_GreaterThan"),
    ("<=", "op_LessThanOrEqual"),
    (">=", "op_GreaterThanOrEqual"),
];

fn operand_of(value: &RawValue) -> Operand {
    match value.parsed() {
        Raw::Null => Operand::Null,
        _ => Operand::Of(shared_code::of_any_class(&value.type_name)),
    }
}

/// Numbers and text: the adapter's own operators.
fn is_plain(type_: &str) -> bool {
    matches!(names::parse_type(type_), Some(TypeSig::Primitive(primitive)) if primitive != Primitive::Object)
}

/// Whether all that is known of several candidates is pure; `None` where there is none.
fn all(judged: impl Iterator<Item = Option<Judged>>) -> Option<Judged> {
    judged.flatten().reduce(|all, one| all.and(one))
}

fn refused(text: &str, why: &str) -> EvalError {
    EvalError::new(Code::SideEffects, format!("`{text}` may have side effects: {why}"))
}
