//! A value as an adapter prints it.

use std::sync::Arc;

use super::literal::{self, Raw};
use super::made::Made;
use crate::dap;
use crate::session::type_names;

/// What an adapter says of a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawValue {
    pub name: String,
    pub type_name: String,
    pub value: String,
    /// 0 = nothing to expand.
    pub reference: i64,
    /// An expression that gives this value again.
    pub path: Option<String>,
    /// Where the expression made it, and no adapter knows it.
    pub made: Option<Arc<Made>>,
}

impl From<dap::Variable> for RawValue {
    fn from(variable: dap::Variable) -> Self {
        Self {
            name: variable.name,
            type_name: variable.type_name.unwrap_or_default(),
            value: variable.value,
            reference: variable.variables_reference,
            path: variable.evaluate_name.filter(|path| !path.is_empty()),
            made: None,
        }
    }
}

impl RawValue {
    /// `value` read by its type.
    pub fn parsed(&self) -> Raw {
        literal::parse(&self.type_name, &self.value)
    }

    pub fn short_type(&self) -> String {
        type_names::short(&self.type_name)
    }

    /// Whether a listing could read it.
    pub fn is_read(&self) -> bool {
        !self.type_name.is_empty() && !self.value.starts_with("<error")
    }
}
