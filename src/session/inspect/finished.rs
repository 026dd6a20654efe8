//! Async methods that are over but still on the stack: one that completes runs those who await it from its last statement, so the
//! physical stack shows the awaited method as if it had called the one that awaits it.

use super::frames::StackFrame;

/// What compiled code calls to complete its task (AsyncTaskMethodBuilder, AsyncValueTaskMethodBuilder, AsyncVoidMethodBuilder) or to
/// hand on an element (ManualResetValueTaskSourceCore).
const BUILDERS: [&str; 2] = ["MethodBuilder", "ManualResetValueTaskSourceCore"];
const COMPLETIONS: [&str; 4] = ["SetResult", "SetException", "SetExistingTaskResult", "SignalCompletion"];

/// Takes them for frames of the framework. `is_end`: the frame stands where its method ends, which may be its only statement.
pub(super) fn fold(frames: &mut [StackFrame], is_end: impl Fn(&StackFrame) -> bool) {
    for at in 1..frames.len() {
        let [.., above, frame] = frames.get(..=at).unwrap_or_default() else { continue };
        let is_async = frame.kind.as_deref().is_some_and(|kind| kind.contains("async"));
        if frame.leads
            && is_async
            && !above.leads
            && (completes(&above.raw_name) || is_unnamed(&above.raw_name) && is_end(frame))
            && let Some(frame) = frames.get_mut(at)
        {
            (frame.user, frame.leads) = (false, false);
        }
    }
}

/// Frames that an adapter does not name (`[External Code]`).
fn is_unnamed(call: &str) -> bool {
    call.starts_with('[')
}

fn completes(call: &str) -> bool {
    let call = call.split('(').next().unwrap_or(call);
    let Some((owner, method)) = call.rsplit_once('.') else { return false };
    COMPLETIONS.contains(&method) && BUILDERS.iter().any(|builder| owner.contains(builder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(index: usize, raw_name: &str, kind: Option<&str>, line: u32) -> StackFrame {
        StackFrame {
            index,
            id: index as i64,
            raw_name: raw_name.into(),
            function: String::new(),
            kind: kind.map(str::to_owned),
            path: None,
            line,
            column: 5,
            end_column: 9,
            user: line > 0,
            leads: line > 0,
            is_gone: false,
        }
    }

    #[test]
    fn a_method_that_completes_its_task_is_no_caller() {
        let builder = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<int>.SetExistingTaskResult()";
        for (above, kind, line, expected) in [
            (builder, Some("async"), 14, false),
            (builder, None, 14, true),
            ("[External Code]", Some("async"), 15, false),
            ("[External Code]", Some("async"), 14, true),
            ("System.Collections.Generic.List<int>.ForEach()", Some("async lambda"), 14, true),
            ("A.Called()", Some("async lambda"), 15, true),
            ("System.Threading.Tasks.TaskCompletionSource.SetResult()", Some("async"), 14, true),
        ] {
            let mut frames =
                [frame(0, "A.Main()", Some("async"), 3), frame(1, above, None, 0), frame(2, "A.Fetch()", kind, line)];
            fold(&mut frames, |frame| frame.line == 15);
            assert_eq!(frames[2].user, expected, "{above} {kind:?} {line}");
            assert!(frames[0].user);
        }
    }
}
