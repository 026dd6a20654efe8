//! Answers of evaluate by number: `$1`, `$2`, … stand for what was evaluated, in the frame and at the stop where it was.
//!
//! An adapter holds no value that nobody names. So a number is evaluated by its expression again, which gives the same while the program
//! stands, unless the expression changes something; and names of objects (`@1`) mean the same at any stop.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use clr_csharp::syntax::{self, Expr, ExprKind};

use crate::session::context::{StopContext, StopMark};
use crate::session::error::{Code, SessionError};
use crate::session::expression::is_path;
use crate::session::ids::StateName;

/// Answers that are kept.
const MOST: usize = 1_000;
/// Characters of a path that is written again as easily as a number.
const SHORT: usize = 16;

/// Those of a session.
#[derive(Clone, Default)]
pub(crate) struct Numbered(Arc<Mutex<Answers>>);

#[derive(Default)]
struct Answers {
    kept: VecDeque<Answer>,
    /// Answers that are kept no more.
    dropped: usize,
}

struct Answer {
    /// Without numbers.
    expression: String,
    stop: StopMark,
    frame: i64,
    /// It ran what may have changed something.
    ran: bool,
}

impl Numbered {
    /// The number of an answer.
    pub(super) fn keep(&self, expression: &str, (context, frame): (&StopContext, i64), ran: bool) -> usize {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ran = ran && !is_path(expression);
        answers.kept.push_back(Answer { expression: expression.trim().to_owned(), stop: context.mark(), frame, ran });
        if answers.kept.len() > MOST {
            answers.kept.pop_front();
            answers.dropped += 1;
        }
        answers.dropped + answers.kept.len()
    }

    /// An expression with what its numbers stand for in their places.
    ///
    /// # Errors
    /// `variable_not_found` for a number that stands for nothing here.
    pub(super) fn resolved(&self, text: &str, at: (&StopContext, i64)) -> Result<String, SessionError> {
        if !text.contains('$') {
            return Ok(text.to_owned());
        }
        let Ok(expr) = syntax::parse(text.trim()) else { return self.begun_with(text, at) };
        let mut names = Vec::new();
        numbers(&expr, &mut names);
        names.sort_unstable();
        let mut resolved = text.trim().to_owned();
        for (start, end, number) in names.into_iter().rev() {
            resolved.replace_range(start..end, &self.of(number, at)?);
        }
        Ok(resolved)
    }

    /// A path that C# does not write so, as listings name keys.
    fn begun_with(&self, text: &str, at: (&StopContext, i64)) -> Result<String, SessionError> {
        let Some(rest) = text.trim().strip_prefix('$') else { return Ok(text.to_owned()) };
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        match (digits.parse(), rest.get(digits.len()..)) {
            (Ok(number), Some(rest)) => Ok(format!("{}{rest}", self.of(number, at)?)),
            _ => Ok(text.to_owned()),
        }
    }

    fn of(&self, number: usize, (context, frame): (&StopContext, i64)) -> Result<String, SessionError> {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wrong = |words: String, hint: String| {
            Err(SessionError::new(Code::VariableNotFound, words, hint).in_state(StateName::Stopped))
        };
        let found = number.checked_sub(answers.dropped + 1).and_then(|at| answers.kept.get(at));
        let Some(answer) = found else {
            let last = answers.dropped + answers.kept.len();
            let (known, hint) = match last {
                0 => (
                    "nothing has been evaluated yet".to_owned(),
                    "call evaluate first: its answers are numbered from $1",
                ),
                last if (1..=answers.dropped).contains(&number) => (
                    format!("the oldest kept is ${}, the last ${last}", answers.dropped + 1),
                    "evaluate the expression again",
                ),
                last => (format!("the last answer is ${last}"), "use the number of an earlier answer"),
            };
            return wrong(format!("no answer ${number}: {known}"), hint.into());
        };
        let written = match is_path(&answer.expression) {
            true => answer.expression.clone(),
            false => format!("({})", answer.expression),
        };
        if names_objects_only(&answer.expression) {
            return Ok(written);
        }
        let again = format!("evaluate `{}` again", answer.expression);
        if !context.is_at(&answer.stop) {
            return wrong(format!("${number} was evaluated at an earlier stop"), again);
        }
        if answer.ran {
            return wrong(
                format!(
                    "${number} came from an expression that may have side effects, so it is not re-run automatically"
                ),
                again,
            );
        }
        if answer.frame != frame {
            return wrong(format!("${number} was evaluated in another frame"), format!("pass that frame, or {again}"));
        }
        Ok(written)
    }
}

/// Whether an answer is better called by its number than by its expression.
pub(super) fn is_worth_a_number(expression: &str) -> bool {
    !is_path(expression) || expression.trim().chars().count() > SHORT
}

/// Where numbers stand, and which.
fn numbers(expr: &Expr, found: &mut Vec<(usize, usize, usize)>) {
    if let ExprKind::Name { alias: None, name } = &expr.kind
        && let Some(number) = name.text.strip_prefix('$').and_then(|digits| digits.parse().ok())
    {
        found.push((expr.span.start, expr.span.end, number));
    }
    expr.children().into_iter().for_each(|child| numbers(child, found));
}

/// Whether its only names are those of objects: `@1.Next`.
fn names_objects_only(expression: &str) -> bool {
    fn holds(expr: &Expr) -> bool {
        let is_own = match &expr.kind {
            ExprKind::Name { name, .. } => name.text.starts_with('@'),
            ExprKind::This | ExprKind::Base => false,
            _ => true,
        };
        is_own && expr.children().into_iter().all(holds)
    }
    expression.contains('@') && syntax::parse(expression).is_ok_and(|expr| holds(&expr))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_names_and_nothing_else() {
        let numbers_of = |text: &str| {
            let mut found = Vec::new();
            numbers(&syntax::parse(text).unwrap(), &mut found);
            found.into_iter().map(|(start, end, number)| (text[start..end].to_owned(), number)).collect::<Vec<_>>()
        };
        assert_eq!(numbers_of("$1.Items[$12] + $exception.Code"), [("$1".into(), 1), ("$12".into(), 12)]);
        assert_eq!(numbers_of("$\"{$3.Name}\" + \"$4\""), [("$3".to_owned(), 3)]);
    }

    #[test]
    fn only_names_of_objects_outlive_a_stop() {
        for (text, expected) in [("@1", true), ("@1.Next == @2", true), ("@1.Next == order", false), ("order", false)] {
            assert_eq!(names_objects_only(text), expected, "{text}");
        }
    }
}
