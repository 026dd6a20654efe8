//! What getters of `System.Exception` give whose code need not run: it would ask the runtime, and wait there for a thread that stands
//! still in the middle of a throw.

use clr_csharp::types::MethodRef;
use clr_csharp::value::Value;

use super::Evaluation;
use crate::exceptions;
use crate::values::Place;

impl Evaluation<'_> {
    /// What a method returns that is such a getter, if memory shows that.
    pub(super) fn of_exception(&self, method: &MethodRef, this: Option<&Value<Place>>) -> Option<Value<Place>> {
        let (true, Some(Value::Object(exception))) = (method.owner.is("System.Exception"), this) else { return None };
        let read = match method.method.name.as_str() {
            "get_StackTrace" => exceptions::stack_trace,
            "get_Source" => exceptions::source,
            _ => return None,
        };
        let text = read(&exception.read(self.stopped).ok()?)?;
        Some(text.map_or(Value::NULL, |text| Value::text(&text)))
    }
}
