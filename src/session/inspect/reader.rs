//! One frame of one stop, as the adapter lets us read it.

mod names;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;

use super::access::{Access, ReadError};
use super::budget::{Budget, Turn};
use super::evaluated::EvalError;
use super::forced::Forced;
use super::known_frames::KnownFrames;
use super::raw_value::RawValue;
use super::run_time_type::{run_time_type, type_by_fields};
use super::shape::{Form, KnownShapes, Shape};
use super::side_by_side;
use super::stack_frame::StackFrame;
use super::walks::Walks;
use super::{captured, halves, spelling, wide_enums};
use crate::backend::Quirks;
use crate::backend::quirks::VariablesRun;
use crate::dap::{self, Client};
use crate::redaction::Redaction;
use crate::session::expression::join;
use crate::session::modules::{DeclaredVariables, Modules};
use crate::session::sources::Sources;
use crate::session::type_names;

/// A statement's begin in the document of a PDB; from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct FramePlace {
    pub path: String,
    pub line: u32,
    pub column: u32,
}

/// The end of the words where a reading call had no time for a value.
pub const OUT_OF_TIME: &str = "limit of this call was reached";

/// Assigns a value to what a path names, both as C# writes them.
pub type Assign = fn(Reader, String, String) -> BoxFuture<'static, Result<(), EvalError>>;

/// Cheap to clone; valid until the next resume.
#[derive(Clone)]
pub struct Reader {
    pub client: Client,
    pub quirks: Arc<Quirks>,
    pub capabilities: Arc<dap::Capabilities>,
    pub modules: Modules,
    pub shapes: KnownShapes,
    pub sources: Sources,
    /// The adapter's id of the frame.
    pub frame_id: i64,
    /// The frame's call is over: an exception was thrown there.
    pub is_gone: bool,
    /// The stop is at an exception.
    pub at_throw: bool,
    /// Where that frame is in source, if anywhere.
    pub place: Option<Arc<FramePlace>>,
    /// The caller asked for values and may wait for code of the framework (never in a stop report).
    pub asked: bool,
    /// What gave the value may have changed something: nothing evaluates it again.
    pub ran: bool,
    /// `--read-only`: nothing that may run code of the program is evaluated, whoever asks.
    pub read_only: bool,
    /// Spent, everything else stays unread.
    pub budget: Budget,
    /// What an evaluation may take; `None`: as long as the adapter lets it.
    pub time_limit: Option<Duration>,
    /// What ran already, and what must not be listed by whoever may not run code.
    pub forced: Forced,
    /// What may be asked for in which frame.
    pub frames: KnownFrames,
    /// How far nodes of collections were walked.
    pub walks: Walks,
    /// How an expression assigns, where it may.
    pub assign: Option<Assign>,
    /// For what is put into words here, as lines of tracepoints: their values are not distinguished later.
    pub redaction: Redaction,
}

impl Reader {
    /// The same stop, another frame.
    pub fn at(&self, frame: &StackFrame) -> Self {
        let (line, column) = (frame.line, frame.column);
        let place = frame.path.clone().map(|path| Arc::new(FramePlace { path, line, column }));
        Self { frame_id: frame.id, is_gone: frame.is_gone, place, ..self.clone() }
    }

    /// The variables of the frame as the source declares them.
    pub fn declared(&self) -> DeclaredVariables {
        let place = self.place.as_deref();
        place.map(|it| self.modules.declared_at(&it.path, it.line, Some(it.column))).unwrap_or_default()
    }

    /// Whether there are symbols for the code of the frame.
    pub fn has_code(&self) -> bool {
        self.place.as_deref().is_some_and(|it| self.modules.code_at(&it.path, (it.line, it.column)).is_some())
    }

    /// What metadata says of a type, by the name that adapters print.
    pub fn shape(&self, type_name: &str) -> Arc<Shape> {
        let shape = self.shapes.of(&self.modules, type_name);
        match self.capabilities.supports_csharp_expressions || shape.members.iter().all(|it| it.owner.is_none()) {
            true => shape,
            false => Arc::new(shape.by_names()),
        }
    }

    /// The same frame for a caller who asked for values.
    pub fn asked(&self) -> Self {
        Self { asked: true, ..self.clone() }
    }

    /// The same frame for a call that has only so much time.
    pub fn within(&self, budget: Budget) -> Self {
        Self { budget, ..self.clone() }
    }

    /// Asks the adapter for an expression. With [`Access::Load`] the caller vouches that it only loads, behind getters that ran.
    pub async fn evaluate(&self, expression: &str, access: Access) -> Result<RawValue, ReadError> {
        match self.asks(expression, self.spell(expression, access)).await {
            Err(ReadError::Refused(_))
                if access == Access::Load && self.forced.is_behind(self.frame_id, expression.trim()) =>
            {
                self.asks(expression, self.spell(expression, Access::Run)).await
            }
            answer => answer,
        }
    }

    /// What a load gives of a path of which nobody knows whether it is one.
    pub async fn load(&self, expression: &str) -> Result<RawValue, ReadError> {
        self.asks(expression, self.spell(expression, Access::Load)).await
    }

    /// Whether [`Self::open`] shows more than any other way to a value.
    pub fn has_hidden_fields(&self) -> bool {
        self.quirks.hidden_fields_suffix.is_some()
    }

    /// The same value, opened so that its children include the compiler's fields where the adapter can do that. Only loads.
    pub async fn open(&self, path: &str) -> Result<RawValue, ReadError> {
        let mut asked = self.spell(path, Access::Load);
        asked.push_str(self.quirks.hidden_fields_suffix.unwrap_or_default());
        self.asks(path, asked).await
    }

    /// What the adapter takes for `this`, opened likewise.
    pub(super) async fn open_this(&self) -> Result<RawValue, ReadError> {
        let suffix = self.quirks.hidden_fields_suffix.unwrap_or_default();
        self.request("this", format!("this{suffix}"), None).await
    }

    /// What an adapter that evaluates C# makes of an expression as it is written.
    pub(super) async fn evaluate_csharp(&self, expression: &str, may_run: dap::MayRun) -> Result<RawValue, ReadError> {
        self.request(expression, expression.to_owned(), Some(may_run)).await
    }

    pub(super) async fn asks(&self, expression: &str, asked: String) -> Result<RawValue, ReadError> {
        if let Some(name) = self.unreadable_name(expression) {
            return self.listed_variable(expression, name).await;
        }
        if let Some(answer) = captured::evaluate(self, expression, &asked).await {
            return answer;
        }
        if self.forced.is_run(self.frame_id, expression) {
            return Err(ReadError::Refused(
                "not read: reading it would repeat a call that was already made".to_owned(),
            ));
        }
        self.refuse_unknown_names(expression).await?;
        self.request(expression, asked, None).await
    }

    async fn request(
        &self,
        expression: &str,
        asked: String,
        may_run: Option<dap::MayRun>,
    ) -> Result<RawValue, ReadError> {
        let turn = self.turn().await?;
        let is_forced = self.quirks.force_evaluation_suffix.as_ref().is_some_and(|suffix| asked.ends_with(*suffix));
        let began = tokio::time::Instant::now();
        // who may choose what runs (`may_run`) keeps to a time limit, too
        let time = may_run.and(self.time_limit);
        let arguments = dap::EvaluateArguments {
            expression: asked,
            frame_id: Some(self.frame_id),
            context: None,
            may_run,
            time_limit: time.and_then(|limit| limit.as_millis().try_into().ok()),
            ..dap::EvaluateArguments::default()
        };
        let answer = self
            .client
            .request_within::<dap::request::Evaluate>(arguments, time.unwrap_or_default())
            .await
            .map_err(|error| self.aborted(expression, error.into(), began.elapsed()))?;
        drop(turn);
        if is_forced {
            self.forced.add(self.frame_id, expression.trim(), answer.variables_reference);
        }
        let value = self.settled(RawValue::answered(expression, answer));
        Ok(self.identified(value).await)
    }

    /// A refusal that came late is the end of an evaluation that did not return, whatever it says.
    fn aborted(&self, expression: &str, error: ReadError, took: Duration) -> ReadError {
        if let ReadError::Refused(words) = &error {
            self.forced.note_end(expression, words);
        }
        match error {
            ReadError::Refused(words)
                if words.contains("timed out")
                    || self.quirks.aborts_evaluations_after.is_some_and(|limit| took >= limit) =>
            {
                ReadError::Aborted(words)
            }
            error => error,
        }
    }

    /// A `ref object` whose run-time type hides behind a DebuggerDisplay: a collection is known by its fields.
    async fn identified(&self, value: RawValue) -> RawValue {
        if value.type_name != "object" || value.value != "{object}" || value.reference == 0 {
            return value;
        }
        let listed = self
            .client
            .request::<dap::request::Variables>(dap::VariablesArguments {
                variables_reference: value.reference,
                ..Default::default()
            })
            .await;
        let fields: Vec<RawValue> =
            listed.map(|listed| listed.variables.into_iter().map(RawValue::from).collect()).unwrap_or_default();
        match type_by_fields(&fields) {
            Some(type_name) => RawValue { value: format!("{{{type_name}}}"), type_name, ..value },
            None => value,
        }
    }

    /// Leave to ask the adapter something.
    async fn turn(&self) -> Result<Turn<'_>, ReadError> {
        let turn = self.budget.turn().await;
        if let Some(words) = self.forced.stuck() {
            return Err(ReadError::Refused(words));
        }
        turn.ok_or_else(|| ReadError::Refused(format!("not read: the {} {OUT_OF_TIME}", self.budget.shown())))
    }

    /// A `ref` or `out` variable comes with its declared type and `{RunTime.Type}` for a value (both adapters, 2026-11-22).
    fn settled(&self, mut value: RawValue) -> RawValue {
        if let Some(real) = run_time_type(&value)
            && self.may_be(&value.type_name, &real)
            && (real.ends_with(']')
                || type_names::is_primitive(&type_names::short(&real))
                || !matches!(self.shape(&real).form, Form::Unknown))
        {
            let type_name = type_names::with_element_names(&real, &value.type_name).unwrap_or(real);
            value.declared_type = Some(std::mem::replace(&mut value.type_name, type_name));
        }
        if self.quirks.native_integers_are_cut
            && let Some(half) = halves::of(&value)
        {
            value.value = half;
        }
        self.without_display(value)
    }

    /// Whether an object of type `real` may be in what is declared as the other: text in braces may also be what a DebuggerDisplay
    /// shows of a member.
    fn may_be(&self, declared: &str, real: &str) -> bool {
        if declared == "object" {
            return true;
        }
        let universe = self.modules.universe();
        let is_class = universe.base_chain(declared).last().is_some_and(|root| root == "System.Object");
        let (wanted, bases) = (type_names::definition(declared), universe.base_chain(real));
        !is_class || bases.is_empty() || bases.iter().any(|base| type_names::definition(base) == wanted)
    }

    /// An object's text may be its DebuggerDisplay (`Count = 3`, or anything), which must not be taken for a literal.
    fn without_display(&self, mut value: RawValue) -> RawValue {
        let displays = self.quirks.variables_run_code == VariablesRun::AllValues;
        let is_object = value.reference != 0 && !value.value.starts_with('{') && value.value != "null";
        if displays && is_object && !type_names::is_primitive(&value.short_type()) {
            value.value = format!("{{{}}}", value.type_name);
        }
        value
    }

    /// A getter that only loads a field still is a call for an adapter that was asked not to make calls by itself.
    pub async fn evaluate_getter(&self, expression: &str) -> Result<RawValue, ReadError> {
        self.evaluate(expression, Access::Run).await
    }

    fn spell(&self, expression: &str, access: Access) -> String {
        // dncdbg cannot parse leading or trailing blanks (vendor-notes.md)
        let trimmed = expression.trim();
        // a path that goes through a call that the caller vouches for still is a call
        let access = if trimmed.contains('(') { Access::Run } else { access };
        let expression = spelling::spell(trimmed, &self.quirks, access == Access::Run);
        match (&self.quirks.force_evaluation_suffix, access) {
            (Some(suffix), Access::Run) => format!("{expression}{suffix}"),
            _ => expression,
        }
    }

    /// Children of a reference; `range` = (start, count), honored by us where the adapter ignores it.
    pub async fn children(&self, reference: i64, range: Option<(u64, u64)>) -> Result<Vec<RawValue>, ReadError> {
        let turn = self.turn().await?;
        let paged = range.filter(|_| self.quirks.paging);
        let answer = self
            .client
            .request::<dap::request::Variables>(dap::VariablesArguments {
                variables_reference: reference,
                filter: None,
                start: paged.map(|(start, _)| start.try_into().unwrap_or(i64::MAX)),
                count: paged.map(|(_, count)| count.try_into().unwrap_or(i64::MAX)),
                ..dap::VariablesArguments::default()
            })
            .await?;
        drop(turn);
        let children = answer.variables.iter();
        let children =
            children.map(|child| (child.evaluate_name.as_deref().unwrap_or_default(), child.variables_reference));
        self.forced.inherit(self.frame_id, reference, children);
        let mut children = Vec::with_capacity(answer.variables.len());
        for child in answer.variables {
            let child = self.settled(child.into());
            let path = child.path.clone();
            children.push(match path {
                Some(path) => wide_enums::whole(self, child, &path).await,
                None => child,
            });
        }
        Ok(children)
    }

    /// What one request returns of an object's fields; nothing where that would run getters.
    pub async fn listed(&self, value: &RawValue) -> Vec<RawValue> {
        let runs_getters = self.quirks.variables_run_getters || self.forced.has(value.reference);
        match value.reference != 0 && !runs_getters {
            true => self.children(value.reference, None).await.unwrap_or_default(),
            false => Vec::new(),
        }
    }

    /// Fields of `value`, an object at `path`, in the order of `names`: one listing where that runs nothing, else one request
    /// each (dncdbg takes 1 ms for a listing and 7 for each evaluation, 2026-11-22).
    pub async fn fields<const N: usize>(
        &self,
        value: &RawValue,
        path: &str,
        names: [&str; N],
    ) -> [Result<RawValue, ReadError>; N] {
        let listed = self.listed(value).await;
        let reads = names.map(|name| {
            let found = listed.iter().find(|child| child.name == name && child.is_read()).cloned();
            async move {
                match found {
                    Some(found) => Ok(found),
                    None => self.evaluate(&join(path, name), Access::Load).await,
                }
            }
        });
        let mut reads = side_by_side(reads).await.into_iter();
        std::array::from_fn(|_| reads.next().unwrap_or_else(|| Err(ReadError::Refused("not read".into()))))
    }

    /// The variables of the frame: arguments, locals and `this`. Never the exception of the stop, nor what adapters list in every `catch`
    /// block, but the one that the engine finds where a block awaits.
    pub async fn variables(&self) -> Result<Vec<RawValue>, ReadError> {
        let turn = self.turn().await?;
        let scopes =
            self.client.request::<dap::request::Scopes>(dap::ScopesArguments { frame_id: self.frame_id }).await?;
        drop(turn);
        let mut all = Vec::new();
        for scope in scopes.scopes.iter().filter(|scope| scope.variables_reference != 0) {
            all.extend(self.children(scope.variables_reference, None).await?);
        }
        if let Some(at) = all.iter().position(|variable| variable.name == "this" && is_closure(&variable.type_name)) {
            let closure = all.remove(at);
            if closure.reference != 0 {
                all.extend(self.children(closure.reference, None).await?);
                all.extend(captured::this_of_closure(self).await);
            }
        }
        captured::add(self, &mut all).await;
        let lists_exception = self.capabilities.supports_csharp_expressions && !self.at_throw;
        all.retain(|variable| match variable.name.as_str() {
            "$exception" => lists_exception,
            name => name != "Static members" && !name.starts_with('<'),
        });
        self.frames.add_variables(self.frame_id, all.iter().map(|variable| variable.name.as_str()));
        for variable in &mut all {
            *variable = self.identified(std::mem::take(variable)).await;
        }
        Ok(all)
    }
}

/// The compiler's object behind a lambda (`Program.<>c__DisplayClass0_0`): its fields are the variables it captured, and
/// both adapters find them by their bare names.
fn is_closure(type_name: &str) -> bool {
    type_name.rsplit(['.', '+']).next().is_some_and(|name| name.starts_with("<>c"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::dap::{Message, message::parse};
    use crate::transport::{Connection, Incoming};

    /// Reads `_size` of a list of three from an adapter of that name: what came, and what the adapter was asked.
    async fn size(adapter: &str) -> (String, Vec<Value>) {
        let (near, mut far) = Connection::memory();
        let client = Client::new(near.outgoing.clone());
        let reader = Reader {
            client: client.clone(),
            quirks: Arc::new(crate::backend::quirks_of(adapter)),
            capabilities: Arc::default(),
            modules: Modules::default(),
            shapes: Default::default(),
            sources: Sources::default(),
            frame_id: 1,
            is_gone: false,
            at_throw: false,
            place: None,
            asked: false,
            ran: false,
            read_only: false,
            time_limit: None,
            budget: Budget::default(),
            forced: Default::default(),
            frames: Default::default(),
            walks: Default::default(),
            assign: None,
            redaction: Default::default(),
        };
        let list = RawValue { reference: 7, ..RawValue::default() };
        let reading = tokio::spawn(async move { reader.fields(&list, "names", ["_size"]).await });
        let mut asked = Vec::new();
        while !reading.is_finished() {
            let Some(Incoming::Body(body)) = far.incoming.recv().await else { panic!("it hung up") };
            let request: Value = serde_json::from_slice(&body).unwrap();
            let size = json!({"name": "_size", "value": "3", "result": "3", "type": "int", "variablesReference": 0});
            let body = if request["command"] == "variables" { json!({"variables": [size]}) } else { size };
            let answer = json!({"type": "response", "request_seq": request["seq"], "success": true, "body": body});
            let Ok(Message::Response(answer)) = parse(answer.to_string().as_bytes()) else { panic!("{answer}") };
            asked.push(json!([request["command"], request["arguments"]]));
            client.resolve(answer);
            tokio::task::yield_now().await;
        }
        let [read] = reading.await.unwrap();
        (read.unwrap().value, asked)
    }

    #[tokio::test]
    async fn fields_are_listed_where_that_runs_nothing_and_evaluated_elsewhere() {
        let listed = json!(["variables", {"variablesReference": 7}]);
        assert_eq!(size("dncdbg").await, ("3".into(), vec![listed]));
        let evaluated = json!(["evaluate", {"expression": "names._size", "frameId": 1}]);
        assert_eq!(size("netcoredbg").await, ("3".into(), vec![evaluated]));
    }
}
