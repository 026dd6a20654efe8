//! Expressions that are evaluated at every stop: the client's watches, and what a condition compares.

use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::specifiers::Specified;
use crate::session::inspect::{Reader, literal, locals};
use crate::session::report::{Content, Variable};

/// Watches under their expressions.
pub(crate) async fn watch_values(reader: &Reader, watches: &[String]) -> Vec<Variable> {
    let mut values = Vec::new();
    let deadline = tokio::time::Instant::now() + locals::BUDGET;
    for expression in watches {
        let reading = async {
            let shown = async {
                let asked = Specified::read(expression)?;
                let found = asked.evaluate(reader, false).await?;
                Ok::<_, EvalError>(asked.shown(reader, &found, literal::SHORT).await)
            };
            let error =
                |error: EvalError| Variable { content: Content::Error(error.to_string()), ..Variable::default() };
            shown.await.unwrap_or_else(error)
        };
        // a stop is reported in time, whatever a watch does
        let mut value = tokio::time::timeout_at(deadline, reading).await.unwrap_or_else(|_| Variable {
            content: Content::Error("evaluation_timeout: not evaluated within the 2 s allowed per stop".into()),
            ..Variable::default()
        });
        value.name.clone_from(expression);
        values.push(value);
    }
    values
}
