//! Frames of a throw that was handled: a `catch` block runs on top of them, so the physical stack shows what threw as if it had
//! called the handler, and the method of the handler a second time, at the statement that threw or called.

use super::stack_frame::StackFrame;

/// Takes them for frames of the framework. `tried`: of the innermost handler that a frame stands in, the lines of its `try` block.
pub(super) fn fold(frames: &mut [StackFrame], tried: impl Fn(&StackFrame) -> Option<Vec<u32>>) {
    let handled: Vec<Option<Vec<u32>>> = frames.iter().map(|frame| tried(frame).filter(|_| frame.leads)).collect();
    // of each frame, from the bottom up
    let mut ends: Vec<usize> = (0..frames.len()).collect();
    for at in (0..frames.len()).rev() {
        let end = handled.get(at).and_then(Option::as_ref).and_then(|lines| resumed(frames, &ends, at, lines));
        if let (Some(end), Some(known)) = (end, ends.get_mut(at)) {
            *known = end;
        }
    }
    let mut at = 0;
    while let Some(&end) = ends.get(at) {
        frames.get_mut(at + 1..=end).unwrap_or_default().iter_mut().for_each(|frame| frame.is_left = true);
        at = end + 1;
    }
    // those too that the adapter itself knows of: a handler of the framework has no lines
    for frame in frames.iter_mut().filter(|frame| frame.is_left) {
        frame.is_done |= frame.user;
        (frame.user, frame.leads) = (false, false);
    }
}

/// The last frame of the method itself below its handler at `at`: what follows called the method. `ends`: the same of the frames below.
fn resumed(frames: &[StackFrame], ends: &[usize], at: usize, lines: &[u32]) -> Option<usize> {
    let handler = frames.get(at)?;
    let mut next = at + 1;
    while let Some(frame) = frames.get(next) {
        let is_same = frame.raw_name == handler.raw_name && frame.path == handler.path;
        // another handler on the way has its own method below it
        let end = *ends.get(next)?;
        if is_same && lines.contains(&frame.line) {
            return Some(end);
        }
        next = end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines 10 to 12 are tried, with handlers at 20 to 25; the handler tries 21 with a handler at 23.
    fn tried(frame: &StackFrame) -> Option<Vec<u32>> {
        match frame.line {
            23 => Some(vec![21]),
            20..=25 => Some(vec![10, 11, 12]),
            _ => None,
        }
    }

    /// Lines of the callers that are left, for frames of one method `M` and others.
    fn left(stack: &[(&str, u32)]) -> Vec<u32> {
        let mut frames: Vec<StackFrame> = stack
            .iter()
            .enumerate()
            .map(|(index, (name, line))| StackFrame {
                others_await: 0,
                index,
                id: index as i64,
                raw_name: (*name).into(),
                function: (*name).into(),
                kind: None,
                path: Some("/a.cs".into()),
                line: *line,
                column: 5,
                end_column: 9,
                user: *line > 0,
                leads: *line > 0,
                is_gone: false,
                is_left: false,
                is_done: false,
            })
            .collect();
        fold(&mut frames, |frame| tried(frame).filter(|_| frame.raw_name == "M"));
        assert!(frames.iter().all(|frame| frame.is_left != frame.user || frame.line == 0), "{frames:?}");
        frames.iter().filter(|frame| frame.user).map(|frame| frame.line).collect()
    }

    #[test]
    fn what_threw_called_no_handler() {
        for (stack, expected) in [
            (vec![("M", 24), ("Thrower", 61), ("Thrower", 62), ("M", 11), ("Main", 1)], vec![24, 1]),
            (vec![("Helper", 83), ("M", 24), ("[External Code]", 0), ("M", 11), ("Main", 1)], vec![83, 24, 1]),
            (vec![("M", 11), ("M", 12), ("Main", 1)], vec![11, 12, 1]),
            // a handler in a handler
            (vec![("M", 23), ("Thrower", 61), ("M", 21), ("Thrower", 61), ("M", 10), ("Main", 1)], vec![23, 1]),
            // one that handles what a handler of an inner call threw
            (vec![("M", 25), ("M", 24), ("M", 12), ("M", 11), ("M", 11), ("Main", 1)], vec![25, 11, 1]),
            (vec![("M", 24), ("Main", 1)], vec![24, 1]),
        ] {
            assert_eq!(left(&stack), expected, "{stack:?}");
        }
    }
}
