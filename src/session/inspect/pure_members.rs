//! Getters that may run although nobody asked for them: those that change nothing.

use super::Reader;
use super::shape::{Form, MemberKind, Shape};

impl Reader {
    /// Which getters of a type's objects change nothing, for a listing that runs them all.
    pub async fn pure_members(&self, type_name: &str, shape: &Shape) -> PureMembers {
        if self.read_only {
            let allow_listing = !self.quirks.variables_run_getters || shape.all_safe();
            return PureMembers { allow_listing, ..PureMembers::default() };
        }
        let (purity, type_name) = (self.modules.purity(), type_name.trim_end_matches('?').to_owned());
        let computed = shape.members.iter().filter(|member| member.kind == MemberKind::Computed);
        let computed: Vec<String> = computed.map(|member| member.name.clone()).collect();
        let is_known = !matches!(shape.form, Form::Unknown);
        let ask = move || {
            let is_pure = |name: &String| purity.read(&type_name, name).is_some_and(|judged| judged.is_ok());
            let (names, others): (Vec<_>, Vec<_>) = computed.into_iter().partition(is_pure);
            PureMembers {
                allow_listing: is_known && others.is_empty(),
                allow_statics: purity.statics_are_pure(&type_name),
                names,
            }
        };
        tokio::task::spawn_blocking(ask).await.unwrap_or_default()
    }

    /// Those of some properties whose getters change nothing; none where nothing may run.
    pub async fn pure_among(&self, type_name: &str, mut names: Vec<String>) -> Vec<String> {
        if self.read_only {
            return Vec::new();
        }
        let (purity, type_name) = (self.modules.purity(), type_name.trim_end_matches('?').to_owned());
        let ask = move || {
            names.retain(|name| purity.read(&type_name, name).is_some_and(|judged| judged.is_ok()));
            names
        };
        tokio::task::spawn_blocking(ask).await.unwrap_or_default()
    }
}

/// What may be read of the objects of a type by running its getters.
#[derive(Debug, Clone, Default)]
pub struct PureMembers {
    /// All of its getters.
    pub allow_listing: bool,
    /// All of its static ones.
    pub allow_statics: bool,
    names: Vec<String>,
}

impl PureMembers {
    pub fn has(&self, member: &str) -> bool {
        self.names.iter().any(|name| name == member)
    }
}
