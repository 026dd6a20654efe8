//! variables_get, object_inspect, evaluate.

use clr_csharp::syntax::{self, ExprKind, UnaryOp};
use regex::Regex;

use super::finished::Finished;
use super::numbered::{self, Numbered};
use super::resolved::resolve;
use super::{evaluation_failed, references, setting};
use crate::session::context::{StopContext, adapter_words};
use crate::session::error::{Code, SessionError};
use crate::session::expression::{as_receiver, is_path};
use crate::session::inspect::evaluate;
use crate::session::inspect::evaluated::{EvalError, Evaluated};
use crate::session::inspect::reader::Assign;
use crate::session::inspect::specifiers::{Specified, Specifier};
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::inspect::{Budget, Reader, expand, listing, literal, locals, missing, preview, stale_keys};
use crate::session::report::{Content, Variable};
use crate::session::spec::{EvaluateQuery, ObjectQuery, Scope, VariablesQuery};
use crate::session::view::{EvaluateView, VariablesView};

/// Elements that object_inspect shows unless the caller says otherwise.
const SAMPLE: u64 = 5;

pub(super) async fn variables(
    context: &StopContext,
    query: &VariablesQuery,
    numbered: &Numbered,
) -> Result<VariablesView, SessionError> {
    let filter = query.filter.as_deref().map(Regex::new).transpose();
    let filter = filter.map_err(|error| SessionError::pattern("filter", &error))?;
    let (_, _, frame) = context.frame(query.at).await?;
    let reader = context.reader.at(&frame).asked().within(Budget::of(query.timeout));
    let Some(path) = query.path.as_deref().map(str::trim).filter(|path| !path.is_empty()) else {
        return of_frame(context, &reader, query, filter.as_ref(), &frame).await;
    };
    let (path, specified, found) = read(&reader, path, (numbered, context)).await?;
    let asked = listing::Query {
        path: &path,
        specified: &specified,
        depth: query.depth.max(1),
        start: query.start,
        count: query.count,
        filter: filter.as_ref(),
        inspect: false,
    };
    listing::list(&reader, &found, &asked).await.map_err(|error| adapter_words(&error))
}

/// What a path leads to: the path as the caller goes on with it, what is evaluated, with the specifiers behind it, and the value.
async fn read(
    reader: &Reader,
    path: &str,
    (numbered, context): (&Numbered, &StopContext),
) -> Result<(String, Specified, Evaluated), SessionError> {
    // a key that C# does not write so may have a comma in it
    let mut specified = match is_path(path) {
        true => Specified::plain(path),
        false => Specified::read(path).map_err(|error| evaluation_failed(path, &error, false))?,
    };
    let path = written(specified.expression.trim())?;
    specified.expression = numbered.resolved(specified.expression.trim(), (context, reader.frame_id))?;
    let found = match specified.specifiers.contains(&Specifier::Results) {
        true => specified.evaluate(reader, false).await.map_err(|error| evaluation_failed(&path, &error, false))?,
        false => resolve(reader, &specified.expression, false).await?,
    };
    Ok((path, specified, found))
}

/// A path as its members can be named behind it. Any expression is one whose value can be read.
///
/// # Errors
/// `invalid_path` for what is not an expression either.
fn written(path: &str) -> Result<String, SessionError> {
    if is_path(path) {
        return Ok(path.to_owned());
    }
    syntax::parse(path).map(|expr| as_receiver(path, &expr)).map_err(|error| {
        SessionError::new(
            Code::InvalidPath,
            format!("`{path}` is not a path or an expression: {error}"),
            "a path consists of names, .members and [indices]: order.items[3].Price",
        )
    })
}

async fn of_frame(
    context: &StopContext,
    reader: &Reader,
    query: &VariablesQuery,
    filter: Option<&Regex>,
    frame: &StackFrame,
) -> Result<VariablesView, SessionError> {
    if frame.is_gone {
        return Ok(VariablesView { note: Some(missing::GONE.to_owned()), ..VariablesView::default() });
    }
    let mut raw = reader.variables().await.map_err(|error| adapter_words(&error))?;
    if raw.is_empty() {
        return Ok(VariablesView { note: why_none(context, frame), ..VariablesView::default() });
    }
    raw.sort_by_key(|variable| variable.name != "this");
    let arguments = match query.scope {
        Scope::Arguments | Scope::Locals => context.reader.modules.parameters(&frame.raw_name),
        Scope::All | Scope::This => None,
    };
    raw.retain(|variable| {
        let is_argument = || arguments.as_ref().is_some_and(|names| names.contains(&variable.name));
        match query.scope {
            Scope::All => true,
            Scope::This => variable.name == "this",
            Scope::Arguments => is_argument(),
            Scope::Locals => variable.name != "this" && !is_argument(),
        }
    });
    let all = raw.len() as u64;
    raw.retain(|variable| filter.is_none_or(|filter| filter.is_match(&variable.name)));
    let total = raw.len() as u64;
    let count = query.count.unwrap_or(100);
    let page: Vec<_> = raw
        .into_iter()
        .skip(usize::try_from(query.start).unwrap_or(usize::MAX))
        .take(usize::try_from(count).unwrap_or(usize::MAX))
        .collect();
    let next = query.start.saturating_add(page.len() as u64);
    let variables = if query.depth > 1 {
        let mut list = Vec::new();
        for value in &locals::declared(reader, page.clone()) {
            list.push(expand::expanded(reader, value, query.depth - 1).await);
        }
        list
    } else {
        locals::previews(reader, &page).await
    };
    Ok(VariablesView {
        variables,
        start: query.start,
        next_start: (next < total && !page.is_empty()).then_some(next),
        searched: filter.filter(|_| total == 0).map(|_| all),
        note: listing::unread(reader),
        ..VariablesView::default()
    })
}

/// Why a frame has no variables, where that is known, and what may help.
fn why_none(context: &StopContext, frame: &StackFrame) -> Option<String> {
    let modules = &context.reader.modules;
    let parameters = modules.parameters(&frame.raw_name).unwrap_or_default().join(", ");
    let unread = || {
        format!(
            "the adapter could not read the variables of this frame, though its method has parameters ({parameters})"
        )
    };
    match frame.path.as_deref() {
        None => {
            Some("this frame has no symbols (PDB), so its variables are unknown; choose a frame with source".to_owned())
        }
        Some(_) if parameters.is_empty() => None,
        Some(path) if modules.is_optimized(path) => {
            Some(format!("{}: its code is optimized; build it with configuration Debug", unread()))
        }
        Some(_) => Some(format!("{}; choose another frame, or stop before the exception", unread())),
    }
}

pub(super) async fn object(
    context: &StopContext,
    query: &ObjectQuery,
    numbered: &Numbered,
) -> Result<VariablesView, SessionError> {
    let reader = context.reader_at(query.at).await?.asked().within(Budget::of(query.timeout));
    let (path, specified, found) = read(&reader, query.path.trim(), (numbered, context)).await?;
    let plain_elements = matches!(found.value.parsed(), literal::Raw::Array(_))
        || matches!(reader.shape(&found.value.type_name).form, crate::session::inspect::shape::Form::Collection(_));
    let asked = listing::Query {
        path: &path,
        specified: &specified,
        depth: query.depth.max(1),
        start: 0,
        count: query.max_members.or(plain_elements.then_some(SAMPLE)),
        filter: None,
        inspect: true,
    };
    let mut view = listing::list(&reader, &found, &asked).await.map_err(|error| adapter_words(&error))?;
    view.object = references::place(&reader, &found.load_path).await;
    if let Some(stale) = stale_keys::note(&reader, &specified.expression, &found.value.type_name).await {
        view.note = Some(view.note.iter().chain([&stale]).map(String::as_str).collect::<Vec<_>>().join("; "));
    }
    Ok(view)
}

pub(super) async fn evaluate(
    context: &StopContext,
    query: &EvaluateQuery,
    side_effects: bool,
    (numbered, finished): (&Numbered, &Finished),
) -> Result<EvaluateView, SessionError> {
    let at = context.reader_at(query.at).await?.asked();
    let may_assign = side_effects && at.capabilities.supports_set_expression;
    let assign: Option<Assign> = may_assign.then_some(setting::assigned);
    let reader = Reader { ran: side_effects, assign, time_limit: query.timeout, ..at };
    if let (true, [expression]) = (query.single, query.expressions.as_slice()) {
        let failed = |error: EvalError| evaluation_failed(expression, &error, side_effects);
        let mut asked = Specified::read(expression).map_err(failed)?;
        asked.expression = numbered.resolved(&asked.expression, (context, reader.frame_id))?;
        let was = before(&reader, &asked.expression).await;
        let found = asked.evaluate(&reader, side_effects).await.map_err(failed)?;
        // an evaluation takes its time; showing what came of it does not
        let reader = reader.within(Budget::of(None));
        let mut variable = asked.shown(&reader, &found, literal::LONG).await;
        let unquoted = if asked.specifiers.contains(&Specifier::NoQuotes) { ",nq" } else { "" };
        variable.name = format!("{}{unquoted}", asked.expression);
        variable.was = was;
        let number = numbered.keep(&asked.expression, (context, reader.frame_id), side_effects);
        if !side_effects {
            call_by_number(&mut variable, &asked.expression, number);
        }
        if let Some(made) = &found.value.made
            && let Some(rows) = preview::rows(&reader, made).await
        {
            if !side_effects && made.has_more(rows.len()) {
                variable.path.get_or_insert(format!("${number}"));
            }
            variable.content = Content::Members(rows);
        }
        return Ok(EvaluateView::One(without_void(variable)));
    }
    for expression in &query.expressions {
        if finished.is_given_up() {
            break;
        }
        let here = (context, reader.frame_id);
        let (asked, found) = match evaluated(&reader, expression, side_effects, (numbered, here)).await {
            Ok((asked, was, found)) => (asked, Ok((was, found))),
            Err(error) => (Specified::plain(expression), Err(error)),
        };
        // a failure has its number too: who counts counts on
        let number = numbered.keep(&asked.expression, here, side_effects);
        let mut variable = match found {
            Ok((was, found)) => {
                let reader = reader.within(Budget::of(None));
                let mut variable = without_void(asked.shown(&reader, &found, literal::LONG).await);
                variable.was = was;
                if !side_effects {
                    call_by_number(&mut variable, &asked.expression, number);
                }
                variable
            }
            Err(error) if error.code == Code::AdapterLost => {
                return Err(evaluation_failed(expression, &error, side_effects));
            }
            Err(error) => Variable { content: Content::Error(error.to_string()), ..Variable::default() },
        };
        variable.name.clone_from(expression);
        finished.push(variable);
    }
    Ok(EvaluateView::Several(finished.take()))
}

/// One of several: its numbers are resolved.
async fn evaluated(
    reader: &Reader,
    expression: &str,
    side_effects: bool,
    (numbered, here): (&Numbered, (&StopContext, i64)),
) -> Result<(Specified, Option<String>, Evaluated), EvalError> {
    let mut asked = Specified::read(expression)?;
    let resolved = numbered.resolved(&asked.expression, here);
    asked.expression = resolved.map_err(|error| EvalError::certain(error.code, error.message))?;
    let was = before(reader, &asked.expression).await;
    let found = asked.evaluate(reader, side_effects).await?;
    Ok((asked, was, found))
}

/// What is there before an expression assigns to it, where to read that changes nothing. `None`: it does not assign, or gives that itself.
async fn before(reader: &Reader, expression: &str) -> Option<String> {
    reader.assign?;
    let expr = syntax::parse(expression.trim()).ok()?;
    let target = match &expr.kind {
        ExprKind::Assignment { target, .. } => target,
        ExprKind::Unary { operator: UnaryOp::PreIncrement | UnaryOp::PreDecrement, of } => of,
        _ => return None,
    };
    let target = expression.trim().get(target.span.clone())?;
    let found = evaluate::evaluate(reader, target, false).await.ok()?;
    Some(setting::counted(&setting::shown(reader, &found).await))
}

/// What can be opened further, and is long to write, is called by its number.
fn call_by_number(variable: &mut Variable, expression: &str, number: usize) {
    let opens = matches!(&variable.content, Content::Value(text) if text.starts_with(['{', '[']));
    if opens && numbered::is_worth_a_number(expression) {
        variable.path.get_or_insert(format!("${number}"));
    }
}

/// Both adapters answer a call without a result with a sentence.
fn without_void(mut variable: Variable) -> Variable {
    if variable.type_name.as_deref() == Some("void") {
        variable.content = Content::Value("void".into());
        variable.type_name = None;
    }
    variable
}
