//! LINQ without a lambda on collections: `keyed.Any()`. Adapters know extension methods of an interface of one argument at best, and call
//! those of a dictionary with too few (vendor-notes.md); what such a call gives can be read.

use super::collections::Elements;
use super::evaluate::{EvalError, Evaluated, evaluate};
use super::reader::{RawValue, Reader};
use super::shape::Form;
use crate::session::error::Code;

const METHODS: [&str; 8] =
    ["Any", "Count", "First", "FirstOrDefault", "Last", "LastOrDefault", "Single", "SingleOrDefault"];
/// Elements that are walked to reach the last.
const MOST: u64 = 10_000;

/// What an exception says of a call that both adapters made with too few arguments; `None`: it is the program's.
pub(super) fn refused(thrown: &str) -> Option<EvalError> {
    const WORDS: &str = "the adapter cannot call this extension method; members of the object, and variables_get for its elements, work";
    let is_theirs = thrown.starts_with("System.Reflection.TargetParameterCountException");
    is_theirs.then(|| EvalError::certain(Code::EvaluationFailed, WORDS))
}

/// `None`: no such call, or one that the adapter has to make.
pub(super) async fn call(reader: &Reader, expression: &str, run: bool) -> Option<Result<Evaluated, EvalError>> {
    let (receiver, method) = expression.strip_suffix("()")?.rsplit_once('.')?;
    let method = METHODS.into_iter().find(|name| *name == method)?;
    let at = Box::pin(evaluate(reader, receiver, run)).await.ok()?;
    let shape = reader.modules.shape(&at.value.type_name);
    let Form::Collection(collection) = &shape.form else { return None };
    let (purity, type_name) = (reader.modules.purity(), at.value.type_name.clone());
    let has_own = tokio::task::spawn_blocking(move || purity.call(&type_name, method, &[]).is_some());
    if at.value.value == "null" || has_own.await.ok()? {
        return None;
    }
    let elements = Elements::of_collection(reader, collection, &at.value, &at.load_path).await.ok()?;
    let known = |type_name: &str, value: String| Evaluated {
        load_path: value.clone(),
        value: RawValue { type_name: type_name.to_owned(), value, ..RawValue::default() },
    };
    let threw = |words: &str| {
        Some(Err(EvalError::new(
            Code::EvaluationThrew,
            format!("System.InvalidOperationException: Sequence contains {words}"),
        )))
    };
    match (method, elements.count) {
        ("Any", count) => Some(Ok(known("bool", (count > 0).to_string()))),
        ("Count", count) => Some(Ok(known("int", count.to_string()))),
        ("First" | "Last" | "Single", 0) => threw("no elements"),
        ("Single" | "SingleOrDefault", 2..) => threw("more than one element"),
        (_, 0 | MOST..) => None,
        // a pair, or elements in another order than the program meets them
        _ if !elements.is_sequence() || !elements.has_hidden_fields() => None,
        (method, count) => {
            let wanted = if method.starts_with("Last") { count } else { 1 };
            let found = elements.find(reader, 0, wanted, None).await.ok()?.elements.pop()?;
            Some(Ok(Evaluated { value: found.value, load_path: found.load_path }))
        }
    }
}
