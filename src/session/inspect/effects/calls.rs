//! Calls, judged by what is called on what: the methods of an object or a type, extension methods, delegates.

use clr_metadata::{Held, Judged, Purity, TypeSig, names};

use super::parse::Part;
use super::{Judge, Operand, all, held, refused};
use crate::session::error::Code;
use crate::session::inspect::evaluate::EvalError;
use crate::session::inspect::shape::Form;
use crate::session::inspect::{missing, type_names};

impl Judge<'_> {
    pub(super) async fn call(
        &self,
        part: &Part,
        receiver: Option<&Part>,
        name: &str,
        arguments: &[Part],
    ) -> Result<(), EvalError> {
        if receiver.is_none() && name == "nameof" {
            return Ok(());
        }
        let called = name.to_owned();
        let Some(receiver) = receiver else {
            self.judge_all(arguments).await?;
            if let Some(variable) = self.variable(name).await {
                return Err(match self.is_delegate(&variable.type_name) {
                    true => refused(&part.text, "it calls a delegate"),
                    false => {
                        let words = missing::not_called(name, &variable.short_type());
                        EvalError::certain(Code::EvaluationFailed, words)
                    }
                });
            }
            let (this, types) = (self.this_type().await, self.types(arguments).await?);
            if let Some(words) = self.no_method(name, this.clone(), &types).await {
                return Err(EvalError::certain(Code::EvaluationFailed, words));
            }
            return self
                .decide(part, name, move |purity| {
                    let own = this.and_then(|this| purity.call(&this, &called, &types));
                    all([own, purity.any_static_call(&called, types.len())].into_iter())
                })
                .await;
        };
        if let Some(owners) = self.as_types(receiver).await {
            self.judge_all(arguments).await?;
            let types = self.types(arguments).await?;
            if let [only] = owners.as_slice()
                && !self.reader.modules.may_have_method(only, name)
                && !self.reader.modules.static_names(only).contains(&called)
            {
                let methods = self.reader.modules.method_names(only, true);
                let message = missing::no_method_of(&type_names::short(only), name, &methods);
                return Err(EvalError::certain(Code::EvaluationFailed, message));
            }
            let judge = move |purity: &Purity, held| {
                all(owners.iter().map(|owner| purity.static_call_in(owner, &called, &types, held)))
            };
            let first = judge.clone();
            let judged = match self.ask(move |purity| first(purity, Held::default())).await.flatten() {
                Some(Err(_)) => {
                    let held = held::by_thread(self.reader).await;
                    self.ask(move |purity| judge(purity, held)).await.flatten()
                }
                judged => judged,
            };
            return self.decide(part, name, move |_| judged).await;
        }
        self.judge(receiver).await?;
        self.judge_all(arguments).await?;
        let Operand::Of(type_) = self.operand(receiver).await? else { return Ok(()) };
        let types = self.types(arguments).await?;
        if let Some(words) = self.no_method_of(&type_, name).await {
            return Err(EvalError::certain(Code::EvaluationFailed, words));
        }
        if name == "Invoke" && self.is_delegate(&type_) {
            return Err(refused(&part.text, "it calls a delegate"));
        }
        if let Some(own) = self.ask_of(receiver, type_.clone(), &called, types.clone()).await? {
            return self.decide(part, name, move |_| Some(own)).await;
        }
        let (owner, read) = (type_.clone(), called.clone());
        // a delegate in a member, whose code nobody knows
        let is_member = self.ask(move |purity| purity.read(&owner, &read).is_some()).await.unwrap_or(true);
        let may_be_own = self.reader.modules.may_have_method(&type_, name);
        let judged = self.decide(part, name, move |purity| {
            let with_this: Vec<_> = std::iter::once(names::parse_type(&type_)).chain(types).collect();
            let own = purity.any_static_call(&called, with_this.len());
            let extending = [own, purity.static_call("System.Linq.Enumerable", &called, &with_this)];
            if is_member { None } else { all(extending.into_iter()) }
        });
        match judged.await {
            // who may run it cannot either
            Err(_) if !is_member && !may_be_own && !self.reader.quirks.calls_extensions => {
                Err(EvalError::certain(Code::EvaluationFailed, missing::is_extension(name)))
            }
            judged => judged,
        }
    }

    fn is_delegate(&self, type_name: &str) -> bool {
        matches!(self.reader.modules.shape(type_name).form, Form::Delegate)
    }

    /// Whether a method of the receiver is pure; what the types leave open is settled by what the receiver holds.
    pub(super) async fn ask_of(
        &self,
        receiver: &Part,
        type_: String,
        method: &str,
        arguments: Vec<Option<TypeSig>>,
    ) -> Result<Option<Judged>, EvalError> {
        let (owner, called, given) = (type_.clone(), method.to_owned(), arguments.clone());
        let judged = self.ask(move |purity| purity.call(&owner, &called, &given)).await.flatten();
        if !matches!(judged, Some(Err(_))) {
            return Ok(judged);
        }
        let held = held::by(self.reader, &self.run(receiver).await?).await;
        let called = method.to_owned();
        Ok(self.ask(move |purity| purity.call_on(&type_, &called, &arguments, held)).await.flatten())
    }

    /// Why an object has no method of that name; `None` where it may have, or something of that name may extend it.
    async fn no_method_of(&self, type_: &str, name: &str) -> Option<String> {
        let modules = &self.reader.modules;
        if modules.may_have_method(type_, name) {
            return None;
        }
        if let Some(member) = modules.universe().members(type_).into_iter().find(|member| member.name == name) {
            return (!self.is_delegate(&member.type_.to_string()))
                .then(|| missing::no_call(&type_names::short(type_), &member));
        }
        let called = name.to_owned();
        // an extension, or the method of an interface
        if self.ask(move |purity| purity.is_blind() || purity.has_method(&called)).await? {
            return None;
        }
        if modules.may_be_queried(type_, name) {
            return None;
        }
        Some(missing::no_method_of(&type_names::short(type_), name, &modules.method_names(type_, false)))
    }

    /// Why a bare name that is called is no method that an adapter finds; `None` where it may be one.
    async fn no_method(&self, name: &str, this: Option<String>, types: &[Option<TypeSig>]) -> Option<String> {
        let (called, types) = (name.to_owned(), types.to_vec());
        let found = self.ask(move |purity| {
            let own = this.and_then(|this| purity.call(&this, &called, &types).or_else(|| purity.read(&this, &called)));
            (own.is_some() || purity.is_blind() || purity.has_method(&called), purity.has_local_function(&called))
        });
        match found.await {
            Some((false, true)) => Some(missing::is_local_function(name)),
            Some((false, false)) => Some(missing::no_method(name)),
            _ => None,
        }
    }
}
