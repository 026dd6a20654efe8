//! Where a thread waits for a `System.Threading.Lock`: the compiler gives `lock (x)` on one no place of its own (Roslyn, the lowered
//! form is a `using` of `EnterScope()` without a sequence point), so adapters say the statement before it.

use super::stack_frame::StackFrame;
use crate::session::modules::{Gap, Modules};
use crate::session::sources::Sources;

/// Puts frames that wait for such a lock at their `lock` statement.
pub(super) fn place(frames: &mut [StackFrame], modules: &Modules, sources: &Sources) {
    for at in 1..frames.len() {
        let [.., above, frame] = frames.get(..=at).unwrap_or_default() else { continue };
        let Some(path) = frame.path.as_deref().filter(|_| frame.line > 0) else { continue };
        let called = above.raw_name.as_str();
        // dncdbg folds the framework's frames: there only a statement that calls nothing cannot be where the thread is
        let is_folded = called.starts_with("[External Code]");
        if !is_folded && !called.contains("System.Threading.Lock.Enter") {
            continue;
        }
        let text = |line| sources.line(path, line);
        let Some(gap) = modules.gap_behind(path, frame.line, frame.column) else { continue };
        if is_folded && calls(&text, (frame.line, frame.column), gap.start) {
            continue;
        }
        if let Some((line, column)) = lock_in(&text, gap)
            && let Some(frame) = frames.get_mut(at)
        {
            (frame.line, frame.column) = (line, column);
        }
    }
}

/// Where `lock (` stands in a gap.
fn lock_in(text: &impl Fn(u32) -> Option<String>, gap: Gap) -> Option<(u32, u32)> {
    (gap.start.0..=gap.end.0).find_map(|line| {
        let piece = piece(text, line, gap.start, gap.end)?;
        let at = piece.match_indices("lock").find_map(|(at, word)| {
            let before = piece.get(..at).and_then(|rest| rest.chars().next_back());
            let behind = piece.get(at + word.len()..).map(str::trim_start);
            let is_word = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
            (is_word && behind.is_some_and(|rest| rest.starts_with('('))).then_some(at)
        })?;
        let column = piece.get(..at)?.chars().count() + 1;
        let skipped = if line == gap.start.0 { gap.start.1.saturating_sub(1) } else { 0 };
        Some((line, u32::try_from(column).ok()? + skipped))
    })
}

fn calls(text: &impl Fn(u32) -> Option<String>, start: (u32, u32), end: (u32, u32)) -> bool {
    (start.0..=end.0).any(|line| piece(text, line, start, end).is_none_or(|piece| piece.contains('(')))
}

/// What of a line lies between two places.
fn piece(text: &impl Fn(u32) -> Option<String>, line: u32, start: (u32, u32), end: (u32, u32)) -> Option<String> {
    let whole = text(line)?;
    let from = if line == start.0 { start.1.saturating_sub(1) as usize } else { 0 };
    let to = if line == end.0 { end.1.saturating_sub(1) as usize } else { usize::MAX };
    Some(whole.chars().take(to).skip(from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_statement_is_found_between_two_others() {
        let source = ["n++;", "  lock (gate)", "  {", "block(1); lock(a) { }", "// the lock is (not) here", "{"];
        let text = |line: u32| source.get(line as usize - 1).map(|line| (*line).to_owned());
        let find = |start, end| lock_in(&text, Gap { start, end });
        assert_eq!(find((1, 5), (3, 3)), Some((2, 3)));
        assert_eq!(find((4, 10), (4, 19)), Some((4, 11)));
        assert_eq!(find((4, 1), (4, 9)), None, "the end of another word");
        assert_eq!(find((5, 1), (6, 1)), None);
        assert!(calls(&text, (4, 1), (4, 10)) && !calls(&text, (1, 1), (1, 5)));
    }
}
