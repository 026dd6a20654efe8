//! The request to stop the program: the runtime answers it some time, and knows no way to take it back.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::lock;
use crate::com;

/// What became of the request to stop the program.
#[derive(Default)]
enum State {
    #[default]
    None,
    /// Somebody waits for the answer.
    Wanted,
    /// Nobody does. The runtime knows no way to take it back.
    GivenUp,
    Answered(com::Result<()>),
}

/// How a request was made.
#[derive(Debug, PartialEq, Eq)]
pub enum Made {
    New,
    /// By taking up one that was given up, and is still to be answered.
    Again,
    ByAnother,
}

/// The one request to stop the program that the runtime may be at.
#[derive(Default)]
pub struct StopRequest {
    state: Mutex<State>,
    answered: Condvar,
}

impl StopRequest {
    pub fn make(&self) -> Made {
        let mut state = lock(&self.state);
        let made = match *state {
            State::None => Made::New,
            State::GivenUp => Made::Again,
            State::Wanted | State::Answered(_) => return Made::ByAnother,
        };
        *state = State::Wanted;
        made
    }

    /// Says whether anybody has been waiting for it.
    pub fn answer(&self, answer: com::Result<()>) -> bool {
        let mut state = lock(&self.state);
        let is_wanted = matches!(*state, State::Wanted);
        *state = if is_wanted { State::Answered(answer) } else { State::None };
        self.answered.notify_all();
        is_wanted
    }

    pub fn wait(&self, limit: Duration) -> Option<com::Result<()>> {
        let is_wanted = |state: &mut State| matches!(state, State::Wanted);
        let state = self.answered.wait_timeout_while(lock(&self.state), limit, is_wanted);
        let (mut state, _) = state.unwrap_or_else(PoisonError::into_inner);
        taken(&mut state)
    }

    /// The answer, if it came in the last moment.
    pub fn give_up(&self) -> Option<com::Result<()>> {
        let mut state = lock(&self.state);
        let answer = taken(&mut state);
        if answer.is_none() {
            *state = State::GivenUp;
        }
        answer
    }
}

fn taken(state: &mut State) -> Option<com::Result<()>> {
    let State::Answered(answer) = *state else { return None };
    *state = State::None;
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::com::HResult;

    const NEVER: Duration = Duration::ZERO;

    #[test]
    fn an_answer_belongs_to_who_waits_for_it() {
        let request = StopRequest::default();
        assert_eq!(request.make(), Made::New);
        assert_eq!(request.make(), Made::ByAnother);
        assert!(request.answer(Err(HResult::POINTER)));
        assert_eq!(request.wait(NEVER), Some(Err(HResult::POINTER)));
        assert_eq!(request.make(), Made::New);
        assert!(request.answer(Ok(())));
        assert_eq!(request.give_up(), Some(Ok(())), "it came in the last moment");
    }

    #[test]
    fn a_request_that_was_given_up_is_taken_up_by_the_next() {
        let request = StopRequest::default();
        assert_eq!(request.make(), Made::New);
        assert_eq!((request.wait(NEVER), request.give_up()), (None, None));
        assert_eq!(request.make(), Made::Again);
        assert!(request.answer(Ok(())));
        assert_eq!(request.wait(NEVER), Some(Ok(())));
    }

    #[test]
    fn an_answer_that_nobody_waits_for_is_undone() {
        let request = StopRequest::default();
        request.make();
        request.give_up();
        assert!(!request.answer(Ok(())));
        assert_eq!(request.make(), Made::New);
    }
}
