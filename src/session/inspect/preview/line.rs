//! The line of a preview: as many parts as fit.

/// Characters of a preview.
pub(super) const WIDTH: usize = 100;

/// What a line does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum More {
    No,
    /// Elements: their count stands before the line.
    Some,
    /// Members in all.
    OfMembers(usize),
}

impl More {
    pub(super) fn of(total: usize, shown: usize) -> Self {
        if total > shown { Self::OfMembers(total) } else { Self::No }
    }
}

/// Parts between brackets, cut to the width; `…` stands for further elements, `+2 more` for members.
pub(super) fn line(open: char, parts: &[String], more: More, close: char) -> String {
    let total = match more {
        More::OfMembers(total) => total,
        More::No | More::Some => parts.len(),
    };
    let rest = |shown: usize| match open {
        '{' if shown < total && shown > 0 => format!("+{} more", total - shown),
        _ if shown < total || more == More::Some => "…".to_owned(),
        _ => String::new(),
    };
    let mut text = String::from(open);
    let mut length = 1;
    let mut shown = 0;
    for part in parts {
        let comma = if shown == 0 { 0 } else { 2 };
        let behind = rest(shown + 1).chars().count();
        let end = 1 + if behind == 0 { 0 } else { behind + 2 };
        let width = comma + part.chars().count();
        if shown > 0 && length + width + end > WIDTH {
            break;
        }
        text.push_str(if comma == 0 { "" } else { ", " });
        text.push_str(part);
        length += width;
        shown += 1;
    }
    let rest = rest(shown);
    if !rest.is_empty() {
        text.push_str(if shown == 0 { "" } else { ", " });
        text.push_str(&rest);
    }
    text.push(close);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_its_width() {
        let parts: Vec<String> = (0..40).map(|n| format!("number {n}")).collect();
        let text = line('[', &parts, More::No, ']');
        assert!(text.chars().count() <= WIDTH, "{text}");
        assert!(text.ends_with(", …]"));
        assert_eq!(line('{', &[], More::OfMembers(3), '}'), "{…}");
        assert_eq!(line('{', &[], More::No, '}'), "{}");
        assert_eq!(line('[', &["1".into(), "2".into()], More::No, ']'), "[1, 2]");
        assert_eq!(line('[', &["1".into(), "2".into()], More::Some, ']'), "[1, 2, …]");
        assert_eq!(line('{', &["a=1".into()], More::OfMembers(4), '}'), "{a=1, +3 more}");
        let members = line('{', &parts, More::OfMembers(42), '}');
        assert!(members.chars().count() <= WIDTH && members.ends_with(", +33 more}"), "{members}");
    }
}
