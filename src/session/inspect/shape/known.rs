//! Shapes that were read before: every value that is shown asks for one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use clr_metadata::TypeUniverse;

use super::{Form, Shape, read};
use crate::session::modules::Modules;

/// Shapes that are kept.
const KEPT: usize = 10_000;

/// All clones are one. They are those of the modules that it was asked for last.
#[derive(Clone, Default)]
pub struct KnownShapes(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    universe: Option<Arc<TypeUniverse>>,
    version: u64,
    shapes: HashMap<String, Arc<Shape>>,
}

impl KnownShapes {
    /// The shape of a type by the name that adapters print. Unknown types have [`Form::Unknown`].
    pub fn of(&self, modules: &Modules, type_name: &str) -> Arc<Shape> {
        let name = type_name.trim_end_matches('?');
        let (universe, version) = modules.universe_and_version();
        if let Some(known) = self.find(&universe, version, name) {
            return known;
        }
        let shape = Arc::new(read::read(&universe, name));
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.shapes.len() >= KEPT {
            known.shapes.clear();
        }
        known.shapes.insert(name.to_owned(), shape.clone());
        shape
    }

    fn find(&self, universe: &Arc<TypeUniverse>, version: u64, name: &str) -> Option<Arc<Shape>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.universe.as_ref().is_some_and(|of| Arc::ptr_eq(of, universe)) {
            *known = Known { universe: Some(universe.clone()), version, shapes: HashMap::new() };
        } else if known.version != version {
            // a module that came may have what was not found
            known.shapes.retain(|_, shape| shape.form != Form::Unknown);
            known.version = version;
        }
        known.shapes.get(name).cloned()
    }
}
