//! Values as people read them in an editor: by the attributes that types have for debuggers, by elements of collections, with computed
//! properties beside fields.
//!
//! Of the program's code only what is known to change nothing runs, and only for a time: what is not shown by then keeps the plain text
//! that memory gives. A property whose getter may do more is listed, and runs when the client opens it.

mod attributes;
mod elements;
mod format;
mod members;
mod proxies;
mod rows;
mod statics;
mod summary;
mod view;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

use clr_csharp::types::Type;

pub use format::written;
pub use rows::{Access, Opens, Row};
pub use view::{Runs, View};

use crate::calls::CallError;
use crate::evaluate::{EvalError, Evaluated, Evaluation};
use crate::types::{self, Definition};
use crate::values::{Content, Place, Scalar, Step};

/// How long one answer may run code to show its values better.
const PER_ANSWER: Duration = Duration::from_secs(2);
/// And one call of that code.
pub const PER_CALL: Duration = Duration::from_millis(250);
/// Refusals of one expression, after which nobody asks it of further objects of an answer.
const FUTILE: u32 = 3;
/// Values within the text of a value.
const DEEPEST: u32 = 3;

/// Expressions that took too long, by their type and text: nobody waits for them again. All clones are one.
#[derive(Clone, Default)]
pub struct Slow(Rc<RefCell<HashSet<(String, String)>>>);

/// Shows the values of one answer.
pub struct Presenter<'a> {
    evaluation: Evaluation<'a>,
    /// Since the first value that takes time.
    until: Option<Instant>,
    slow: Slow,
    /// How often an expression about a type's objects was refused.
    refused: HashMap<(String, String), u32>,
    view: View,
}

/// One of the types that an object has: its own, or a base.
struct Level {
    type_: Type,
    definition: Definition,
}

/// An object, boxes and `T?` opened; or a value of an enum.
struct Seen {
    place: Place,
    /// Its own type first.
    levels: Vec<Level>,
}

impl Seen {
    /// Where it is of a type of the framework, by its full metadata name: that with its arguments.
    fn is_of(&self, full_name: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.definition.module.is_framework && level.type_.is(full_name))
    }

    fn own(&self) -> Option<&Level> {
        self.levels.first()
    }
}

impl<'a> Presenter<'a> {
    /// With an evaluation that may make calls.
    pub fn new(mut evaluation: Evaluation<'a>, slow: Slow, view: View) -> Self {
        evaluation.is_pure = view.runs != Runs::Anything;
        if view.runs == Runs::Nothing {
            evaluation.calls = None;
        }
        // once for the modules of the program, not for this answer
        evaluation.prepare();
        Self { evaluation, until: None, slow, refused: HashMap::new(), view }
    }

    pub fn evaluation(&mut self) -> &mut Evaluation<'a> {
        &mut self.evaluation
    }

    /// Whether the time of this answer is up.
    fn is_late(&mut self) -> bool {
        self.left().is_zero()
    }

    fn left(&mut self) -> Duration {
        let now = Instant::now();
        self.until.get_or_insert(now + PER_ANSWER).saturating_duration_since(now)
    }

    /// The value of an expression about an object or a type, where the code that it runs is allowed and there is time.
    fn ask(&mut self, of: Option<&Place>, type_: &Type, text: &str) -> Result<Evaluated, EvalError> {
        let left = self.left();
        let known = (type_.to_string(), text.to_owned());
        let is_futile = self.refused.get(&known).is_some_and(|refused| *refused >= FUTILE);
        if left.is_zero() || is_futile || self.slow.0.borrow().contains(&known) {
            return Err(EvalError::NeedsCall);
        }
        self.evaluation.limit = left;
        let answer = self.evaluation.within(of, type_, text);
        match &answer {
            Err(EvalError::NeedsCall | EvalError::SideEffects { .. }) => *self.refused.entry(known).or_default() += 1,
            Err(EvalError::Call(CallError::TimedOut | CallError::Stuck | CallError::Uninterruptible(_))) => {
                self.slow.0.borrow_mut().insert(known);
                self.until = Some(Instant::now());
            }
            _ => {}
        }
        answer
    }

    /// `None`: it is no object, and of no enum.
    fn seen(&self, place: &Place) -> Option<Seen> {
        let stopped = &*self.evaluation.stopped;
        let value = place.read(stopped).ok()?;
        let object = match value.content() {
            Ok(Content::Object(object)) => object,
            Ok(Content::Scalar(Scalar::Enum(definition, _))) => {
                let type_ = Type::named(&definition.view().full_name(), Vec::new());
                return Some(Seen { place: place.clone(), levels: vec![Level { type_, definition }] });
            }
            _ => return None,
        };
        let target = stopped.target();
        let level = |type_: &crate::com::Type| {
            let definition = types::definition(target, type_)?;
            Some(Level { type_: Type::of(&types::signature(target, type_)), definition })
        };
        let levels = types::chain(target, object.type_()).iter().filter_map(level).collect();
        let is_nullable = value.target().ok().flatten().is_some_and(|target| target.is_nullable());
        let place = if is_nullable { place.then(Step::Inside) } else { place.clone() };
        Some(Seen { place, levels })
    }
}
