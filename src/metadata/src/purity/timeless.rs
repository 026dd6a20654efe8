//! Whether a static initializer makes the same whenever it runs: a debugger that has it run runs it before the program does, and once for
//! all. What it reads must not be there only later, and an exception of it stays.

use super::values::{Value, referent};
use super::{Impurity, Judged, Question, short, shown};
use crate::assembly::Assembly;
use crate::schema::col;
use crate::signatures::TypeSig;
use crate::tokens::{FieldId, TypeId};

/// `readonly` (ECMA-335 II.23.1.5).
const INIT_ONLY: u32 = 0x20;

/// What of the framework answers something else another time, `*`: all of a type.
const TIMELY: &[(&str, &[&str])] = &[
    ("System.DateTime", &["get_Now", "get_UtcNow", "get_Today"]),
    ("System.DateTimeOffset", &["get_Now", "get_UtcNow"]),
    ("System.Guid", &["NewGuid", "CreateVersion7"]),
    ("System.Diagnostics.Stopwatch", &["*"]),
    ("System.Environment", &["GetEnvironmentVariable", "get_TickCount", "get_TickCount64", "get_CurrentDirectory"]),
    ("System.Environment", &["get_CurrentManagedThreadId"]),
    ("System.Threading.Thread", &["*"]),
    ("System.Threading.AsyncLocal`1", &["get_Value"]),
    ("System.Threading.ThreadLocal`1", &["*"]),
    ("System.Threading.Volatile", &["Read"]),
    (
        "System.Globalization.CultureInfo",
        &["get_CurrentCulture", "get_CurrentUICulture", "get_DefaultThreadCurrentCulture"],
    ),
    ("System.WeakReference", &["*"]),
    ("System.WeakReference`1", &["*"]),
    ("System.AppContext", &["*"]),
];

/// Collections that are not changed once they are made, and what compares.
const LASTING: [&str; 4] = ["Immutable.", "Frozen.", "Generic.EqualityComparer`1", "Generic.Comparer`1"];

impl Question<'_> {
    fn untimely<T>(what: &str) -> Result<T, Impurity> {
        Err(Impurity(format!("a static initializer would run before the program runs it, and {what}")))
    }

    /// Of a static field of another type.
    pub(super) fn lasts(&self, assembly: &Assembly, field: FieldId, owner: TypeId, name: &str) -> Judged {
        let initializes_itself = || {
            let is_of_owner = |open: &super::Key| {
                Some(open.module) == assembly.mvid()
                    && assembly.method(open.method).name() == ".cctor"
                    && assembly.method(open.method).declaring_type().is_some_and(|type_| type_.id() == owner)
            };
            self.path.iter().any(is_of_owner)
        };
        match !self.is_initializing || is_init_only(assembly, field) || initializes_itself() {
            true => Ok(()),
            false => Self::untimely(&format!("reads {name}, which may change")),
        }
    }

    /// Of a field of an object.
    pub(super) fn lasts_in(&self, of: &Value, field: Option<(&Assembly, FieldId)>, name: &str) -> Judged {
        let is_lasting = |(assembly, field): (&Assembly, FieldId)| is_init_only(assembly, field);
        match !self.is_initializing || of.owned || field.is_none_or(is_lasting) {
            true => Ok(()),
            false => Self::untimely(&format!("reads {name}, which may change")),
        }
    }

    /// Of what a method of the framework answers.
    pub(super) fn lasts_from(&self, type_: &str, method: &str, this: Option<&Value>) -> Judged {
        if !self.is_initializing {
            return Ok(());
        }
        let is_timely = |(owner, methods): &(&str, &[&str])| {
            type_ == *owner && (methods.contains(&"*") || methods.contains(&method))
        };
        let receiver = this.filter(|this| !this.owned).and_then(|this| referent_name(this.type_()?));
        let is_filled = receiver
            .and_then(|name| name.strip_prefix("System.Collections."))
            .is_some_and(|rest| !LASTING.iter().any(|lasting| rest.starts_with(lasting)));
        match TIMELY.iter().any(is_timely) || is_filled || receiver == Some("System.Text.StringBuilder") {
            true => Self::untimely(&format!(
                "calls {}.{}, which may answer something else then",
                short(type_),
                shown(method)
            )),
            false => Ok(()),
        }
    }
}

fn referent_name(type_: &TypeSig) -> Option<&str> {
    referent(type_).full_name()
}

fn is_init_only(assembly: &Assembly, field: FieldId) -> bool {
    assembly.metadata.cell(field.row(), col::Field::Flags).is_ok_and(|flags| flags & INIT_ONLY != 0)
}
