//! Enums by the ends of their names, kept: every hit of a condition asks again.

use std::sync::Arc;

use super::Modules;
use crate::session::inspect::operators::enums::EnumType;
use crate::session::inspect::operators::integers::IntType;

/// Names that are kept.
const KEPT: usize = 10_000;

impl Modules {
    /// All enums that `name` may mean: `Color`, `Shop.Color`, `Order.Status`.
    pub(crate) fn enums_named(&self, name: &str) -> Arc<[Arc<EnumType>]> {
        let (universe, known) = {
            let inner = self.lock();
            (inner.universe.clone(), inner.enums.get(name).cloned())
        };
        if let Some(known) = known {
            return known;
        }
        let types = universe.find_types_by_short_name(name).into_iter();
        let found: Arc<[Arc<EnumType>]> = types
            .filter_map(|(assembly, id)| {
                let type_ = assembly.type_(id);
                let underlying = IntType::named(type_.enum_underlying().filter(|_| type_.is_enum())?.keyword())?;
                let (members, is_flags) = (type_.enum_members(), type_.is_flags());
                Some(Arc::new(EnumType { name: type_.full_name(), underlying, members, is_flags }))
            })
            .collect();
        let mut inner = self.lock();
        if inner.enums.len() > KEPT {
            inner.enums.clear();
        }
        inner.enums.insert(name.to_owned(), found.clone());
        found
    }

    /// The enum of exactly that name, as adapters print it.
    pub(crate) fn enum_type(&self, full_name: &str) -> Option<Arc<EnumType>> {
        self.enums_named(full_name).iter().find(|type_| type_.name.replace('+', ".") == full_name).cloned()
    }
}
