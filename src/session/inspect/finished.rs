//! Async methods that are over but still on the stack: one that completes runs those who await it from its last statement, so the
//! physical stack shows the awaited method as if it had called the one that awaits it.

use super::stack_frame::StackFrame;

/// What compiled code calls to complete its task (AsyncTaskMethodBuilder, AsyncValueTaskMethodBuilder, AsyncVoidMethodBuilder) or to
/// hand on an element (ManualResetValueTaskSourceCore).
const BUILDERS: [&str; 2] = ["MethodBuilder", "ManualResetValueTaskSourceCore"];
const COMPLETIONS: [&str; 4] = ["SetResult", "SetException", "SetExistingTaskResult", "SignalCompletion"];

/// What runs those who await a task.
const CONTINUATIONS: [&str; 2] = [
    "System.Threading.Tasks.Task.RunContinuations(",
    "System.Threading.Tasks.AwaitTaskContinuation.RunOrScheduleAction(",
];

/// Takes them for frames of the framework. `is_end`: the frame stands where its method ends, which may be its only statement;
/// `is_handler`: it stands in a handler of the source.
pub(super) fn fold(
    frames: &mut [StackFrame],
    is_end: impl Fn(&StackFrame) -> bool,
    is_handler: impl Fn(&StackFrame) -> bool,
) {
    for at in 1..frames.len() {
        let [.., above, frame] = frames.get(..=at).unwrap_or_default() else { continue };
        if !frame.leads || !frame.is_async() || above.leads {
            continue;
        }
        // The compiler's own handler passes an exception on, at no place of the source, as a frame of its own.
        let below = frames.get(at + 1).filter(|below| below.raw_name == frame.raw_name && below.path == frame.path);
        let ends = is_end(frame);
        // what threw is still below the handler, up to the method itself at the place that threw
        let thrown = passes_on(&above.raw_name).then(|| thrower(frames, at)).flatten();
        let is_over = completes(&above.raw_name)
            || resumes(&above.raw_name) && (ends || below.is_some())
            || is_unnamed(&above.raw_name) && (ends || below.is_some() && !is_handler(frame));
        if !is_over {
            continue;
        }
        let last = thrown.unwrap_or(if below.is_some() { at + 1 } else { at });
        for frame in frames.iter_mut().take(last + 1).skip(at) {
            (frame.is_done, frame.user, frame.leads) = (frame.user, false, false);
            if ends && frame.is_iterator() {
                // it hands on an element from there as well, and nothing shows at which `yield return`
                (frame.line, frame.column, frame.end_column) = (0, 0, 0);
            }
        }
    }
}

/// The frame of the method itself below its handler at `at`, where its activation does not begin before that.
fn thrower(frames: &[StackFrame], at: usize) -> Option<usize> {
    let handler = frames.get(at)?;
    let is_same = |frame: &StackFrame| frame.raw_name == handler.raw_name && frame.path == handler.path;
    let begins = |frame: &StackFrame| resumes(&frame.raw_name) || frame.raw_name.contains("MethodBuilderCore.Start<");
    let below = frames.iter().enumerate().skip(at + 1).take_while(|(_, frame)| !begins(frame));
    { below }.find(|(_, frame)| is_same(frame)).map(|(at, _)| at)
}

/// Whether a frame is that of code which goes on with what awaits a task, once that is complete.
pub(super) fn goes_on(call: &str) -> bool {
    resumes(call) || CONTINUATIONS.iter().any(|name| call.starts_with(name))
}

/// What goes on with a method that awaits: compiled code calls none of it, but the framework's optimized code calls it in the
/// place of what completes (`SetResult` leaves no frame then).
fn resumes(call: &str) -> bool {
    let call = call.split('(').next().unwrap_or(call);
    call.rsplit_once('.').is_some_and(|(owner, method)| method == "MoveNext" && owner.contains("StateMachineBox<"))
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

fn passes_on(call: &str) -> bool {
    completes(call) && call.split('(').next().is_some_and(|call| call.ends_with(".SetException"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(index: usize, raw_name: &str, kind: Option<&str>, line: u32) -> StackFrame {
        StackFrame {
            others_await: 0,
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
            is_left: false,
            is_done: false,
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
            fold(&mut frames, |frame| frame.line == 15, |_| false);
            assert_eq!((frames[2].user, frames[2].is_done), (expected, !expected), "{above} {kind:?} {line}");
            assert!(frames[0].user);
        }
    }

    #[test]
    fn a_method_that_passes_an_exception_or_an_element_on_is_no_caller() {
        let resumed =
            "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<int>.AsyncStateMachineBox<A.<Main>d__0>.MoveNext()";
        for (above, line, twice, expected) in [
            (resumed, 15, false, false),
            (resumed, 14, false, true),
            (resumed, 14, true, false),
            ("[External Code]", 14, true, false),
            ("[External Code]", 13, true, true),
            ("System.Collections.Generic.List<int>.ForEach()", 14, true, true),
        ] {
            let iterator = frame(2, "A.<Numbers>d__1.MoveNext()", Some("async iterator"), line);
            let mut frames = vec![frame(0, "A.Main()", Some("async"), 3), frame(1, above, None, 0), iterator.clone()];
            if twice {
                frames.push(StackFrame { index: 3, line: 12, ..iterator });
            }
            fold(&mut frames, |frame| frame.line == 15, |frame| frame.line == 13);
            assert!(frames[0].user);
            assert!(frames[2..].iter().all(|frame| frame.user == expected), "{above} {line} {frames:?}");
            assert_eq!(frames[2].line == 0, line == 15, "the end is also where it yields elements");
        }
    }

    #[test]
    fn what_threw_is_over_as_well_with_what_it_called() {
        let failed = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder.SetException(System.Exception)";
        let machine = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<int>.AsyncStateMachineBox<A.<Fetch>d__0>.MoveNext()";
        let throws = "System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw()";
        for (above, between, last, expected) in [
            (failed, throws, "A.Fetch()", vec![3]),
            (failed, "A.Helper()", "A.Fetch()", vec![3]),
            // another activation
            (failed, machine, "A.Fetch()", vec![3, 14]),
            // it called this one, which completed
            (failed, throws, "A.Other()", vec![3, 14]),
            ("System.Runtime.CompilerServices.AsyncTaskMethodBuilder.SetResult()", throws, "A.Fetch()", vec![3, 14]),
        ] {
            let between = if between == "A.Helper()" { frame(3, between, None, 8) } else { frame(3, between, None, 0) };
            let mut frames = [
                frame(0, "A.Main()", Some("async"), 3),
                frame(1, above, None, 0),
                frame(2, "A.Fetch()", Some("async"), 15),
                between,
                frame(4, last, Some("async"), 14),
            ];
            fold(&mut frames, |frame| frame.line == 15, |_| false);
            let left: Vec<u32> = frames.iter().filter(|frame| frame.user).map(|frame| frame.line).collect();
            assert_eq!(left, expected, "{above} {last}");
        }
    }
}
