//! A program that is suspended from outside: it does nothing, and whatever is asked of it waits until it continues.

use crate::process;

/// What to say of it; `None` where it is not.
pub(super) fn words(pid: u32) -> Option<String> {
    process::is_suspended(pid).then(|| {
        format!(
            "process {pid} is suspended (by a signal, or a native debugger) until it continues (`kill -CONT {pid}`)"
        )
    })
}
