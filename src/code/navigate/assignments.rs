//! Where a symbol gets its value: its writes, each with its form.

use super::usage::{Found, UsageKind};
use super::{Address, NavigateError, Navigator, SymbolKind, Target};

impl Navigator {
    /// # Errors
    /// As [`Navigator::usages`], and [`NavigateError::InvalidArgument`] for what cannot be assigned.
    pub fn assignments(&self, address: &Address) -> Result<Found, NavigateError> {
        if let Target::Symbols(symbols) = self.one_target(address)?
            && let Some(first) = symbols.first()
            && matches!(first.kind, SymbolKind::Type | SymbolKind::Method | SymbolKind::Constructor)
        {
            let message = format!("{} is a {} and cannot be assigned to", first.display, first.kind.as_str());
            let hint = format!("code_find_usages {{\"name\": \"{}\"}} lists its uses", first.display);
            return Err(NavigateError::InvalidArgument { argument: "name", message, hint });
        }
        self.usages(address, Some(UsageKind::Write))
    }
}
