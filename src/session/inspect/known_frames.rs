//! What was learned of the frames of one stop.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use clr_csharp::world::Scope;

use crate::session::ids::ThreadId;
use crate::session::modules::Modules;

/// By the adapter's id; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct KnownFrames(Arc<Mutex<HashMap<i64, KnownFrame>>>);

#[derive(Debug, Clone, Default)]
struct KnownFrame {
    /// As the adapter prints it.
    function: String,
    /// Its thread, and how many frames are above it.
    place: Option<(ThreadId, usize)>,
    /// Of its variables, once they were listed.
    variables: Option<Arc<HashSet<String>>>,
    /// What expressions may name there, where symbols do not show it.
    scope: Option<Arc<Scope>>,
}

impl KnownFrames {
    pub fn add(&self, id: i64, function: &str, thread: ThreadId, index: usize) {
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = frames.entry(id).or_default();
        (frame.function, frame.place) = (function.to_owned(), Some((thread, index)));
    }

    /// Its function, as the adapter prints it, its thread, and how many frames are above it.
    pub fn place(&self, id: i64) -> Option<(String, ThreadId, usize)> {
        let frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = frames.get(&id)?;
        let (thread, index) = frame.place?;
        Some((frame.function.clone(), thread, index))
    }

    /// Its thread is in code without symbols, where it may be unable to call anything.
    pub fn is_below_external(&self, id: i64) -> bool {
        let frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((thread, index)) = frames.get(&id).and_then(|frame| frame.place) else { return false };
        let top = frames.values().find(|frame| frame.place == Some((thread, 0)));
        index > 0 && top.is_none_or(|top| top.function.starts_with('['))
    }

    /// Its function is one of the compiler's: a lambda or a local function.
    pub fn is_generated(&self, id: i64) -> bool {
        let frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        frames.get(&id).is_some_and(|frame| frame.function.contains(">b__") || frame.function.contains(">g__"))
    }

    pub fn add_variables<'a>(&self, id: i64, names: impl Iterator<Item = &'a str>) {
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        frames.entry(id).or_default().variables = Some(Arc::new(names.map(str::to_owned).collect()));
    }

    pub fn variables(&self, id: i64) -> Option<Arc<HashSet<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id)?.variables.clone()
    }

    pub fn scope(&self, id: i64) -> Option<Arc<Scope>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id)?.scope.clone()
    }

    pub fn keep_scope(&self, id: i64, scope: Arc<Scope>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default().scope = Some(scope);
    }

    /// The types around the frame's method, the outermost first, where that is in no namespace.
    pub fn types_without_namespace(&self, id: i64, modules: &Modules) -> Vec<String> {
        let function = match self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            Some(frame) => frame.function.clone(),
            None => return Vec::new(),
        };
        types_around(&function).into_iter().take_while(|type_| modules.has_type(type_)).collect()
    }

    /// The types around the frame's method, the outermost first.
    pub fn types_around(&self, id: i64, modules: &Modules) -> Vec<String> {
        let function = self.place(id).map(|(function, _, _)| function).unwrap_or_default();
        types_around(&function).into_iter().filter(|type_| modules.has_type(type_)).collect()
    }
}

/// `Shop.Order.Add(int)` -> `Shop`, `Shop.Order`.
fn types_around(function: &str) -> Vec<String> {
    let name = function.split('(').next().unwrap_or(function);
    name.match_indices('.').filter_map(|(at, _)| name.get(..at)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_names_the_types_around_it() {
        assert_eq!(types_around("Program.<Main>$(string[] args)"), ["Program"]);
        assert_eq!(types_around("Shop.Order.Add(System.Int32)"), ["Shop", "Shop.Order"]);
        assert_eq!(types_around("Main"), [""; 0]);
    }
}
