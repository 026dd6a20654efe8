//! Source around a stop: the current line, breakpoints, and the values of locals beside the lines that name them.

use maud::{Markup, html};

use super::control::hidden_fields;
use super::highlight::{Piece, pieces};
use super::values::{content, cut, shown};
use crate::http::Token;
use crate::session::{Breakpoint, SourceView, Variable};

/// Values beside one line, and characters of each.
const BESIDE: usize = 4;
const VALUE: usize = 60;

/// `frame`: the one whose source this is, where it is not the one that stopped. `form`: what a form that acts carries, and the session's key; `None`: breakpoints are only shown.
pub(super) fn view(
    source: &SourceView,
    frame: Option<usize>,
    breakpoints: &[Breakpoint],
    locals: &[Variable],
    form: Option<(&Token, &str)>,
) -> Markup {
    // the values are those of the frame that stopped
    let locals = if frame.is_some() { &[] } else { locals };
    let table = table(source, frame, breakpoints, locals, form.is_some());
    let Some((form, session)) = form else { return table };
    html! {
        form.plain method="post" action="/act" aria-label="Breakpoints in this file" {
            (hidden_fields(form, session))
            input type="hidden" name="file" value=(source.file);
            (table)
        }
    }
}

fn table(
    source: &SourceView,
    frame: Option<usize>,
    breakpoints: &[Breakpoint],
    locals: &[Variable],
    acts: bool,
) -> Markup {
    let numbered = || (source.start_line..).zip(pieces(&source.lines));
    let beside = beside(source, locals);
    html! {
        table.source {
            caption { (shown(&source.file)) @if let Some(frame) = frame { ", frame " (frame) } @if source.is_edited { " (edited since the build: line numbers are those of the build)" } }
            tbody {
                @for ((line, pieces), values) in numbered().zip(&beside) {
                    @let is_current = source.current_line == Some(line);
                    tr.current[is_current] aria-current=[is_current.then_some("true")] {
                        td.mark {
                            @let here = || breakpoints.iter().filter(|it| is_at(it, &source.file, line));
                            @for breakpoint in here() { (mark(breakpoint, acts)) }
                            @if acts && here().next().is_none() {
                                button.set name="act" value={ "set " (line) } aria-label={ "Set a breakpoint at line " (line) } { "○" }
                            }
                            @if is_current {
                                @match frame {
                                    None => span.arrow { "▶" span.unseen { " current line" } },
                                    Some(_) => span.arrow { "▷" span.unseen { " line of this frame" } },
                                }
                            }
                        }
                        th scope="row" { (line) }
                        td.code {
                            code { @for piece in &pieces { (colored(*piece)) } }
                            @for (name, value) in values { " " span.beside { (shown(name)) " = " (value) } }
                        }
                    }
                }
            }
        }
    }
}

fn colored((kind, text): Piece) -> Markup {
    html! {
        @match kind {
            Some(kind) => span class=(kind.class()) { (shown(text)) },
            None => (shown(text)),
        }
    }
}

fn mark(breakpoint: &Breakpoint, acts: bool) -> Markup {
    let is_off = breakpoint.disabled || !breakpoint.verified;
    html! {
        @if acts {
            button.breakpoint.off[is_off] name="act" value={ "remove " (breakpoint.id) }
                aria-label={ "Remove breakpoint " (breakpoint.id) } { "●" }
        } @else {
            span.breakpoint.off[is_off] title={ "breakpoint " (breakpoint.id) } {
                "●" span.unseen { " breakpoint " (breakpoint.id) }
            }
        }
    }
}

fn is_at(breakpoint: &Breakpoint, file: &str, line: u32) -> bool {
    breakpoint.line == Some(line)
        && breakpoint.file.as_deref().is_some_and(|of| of == file || of.ends_with(file) || file.ends_with(of))
}

/// For each line, the locals that stand beside it: each at the last line up to the current one that names it.
fn beside<'a>(source: &SourceView, locals: &'a [Variable]) -> Vec<Vec<(&'a str, String)>> {
    let mut lines: Vec<Vec<(&str, String)>> = vec![Vec::new(); source.lines.len()];
    let Some(current) = source.current_line else { return lines };
    let upto = current.saturating_sub(source.start_line) as usize + 1;
    for local in locals {
        let naming = source.lines.iter().take(upto).rposition(|text| names(text, &local.name));
        if let Some(line) = naming.and_then(|at| lines.get_mut(at)).filter(|line| line.len() < BESIDE) {
            line.push((&local.name, cut(&content(local), VALUE)));
        }
    }
    lines
}

/// Whether a line has the name as a word.
fn names(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(|c| is_word(c) || c == '.') && !after.is_some_and(is_word)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Content;

    fn local(name: &str, value: &str) -> Variable {
        Variable { name: name.into(), content: Content::Value(value.into()), ..Variable::default() }
    }

    #[test]
    fn a_value_stands_beside_the_last_line_that_names_it_up_to_the_current_one() {
        let source = SourceView {
            file: "A.cs".into(),
            start_line: 10,
            lines: ["int i = 0;", "total += i;", "Use(total, this.i);", "i++;"].map(str::to_owned).to_vec(),
            current_line: Some(12),
            is_edited: false,
        };
        let locals = [local("i", "3"), local("total", "7"), local("unused", "1")];
        let beside = beside(&source, &locals);
        assert_eq!(beside, [vec![], vec![("i", "3".to_owned())], vec![("total", "7".to_owned())], vec![]]);
    }

    #[test]
    fn lines_of_source_are_escaped_and_marked_in_words() {
        let source = SourceView {
            file: "A.cs".into(),
            start_line: 1,
            lines: vec!["var x = \"</code><script>alert(1)</script>\";".into()],
            current_line: Some(1),
            is_edited: false,
        };
        let breakpoint =
            Breakpoint { id: 7, verified: true, file: Some("A.cs".into()), line: Some(1), ..Breakpoint::default() };
        let locals = [local("x", "\"<b>\"")];
        let html = view(&source, None, std::slice::from_ref(&breakpoint), &locals, None).into_string();
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        assert!(html.contains("breakpoint 7") && html.contains("current line"), "{html}");
        assert!(html.contains("<span class=\"keyword\">var</span>") && html.contains("class=\"beside\""), "{html}");
        let below = view(&source, Some(2), &[breakpoint], &locals, None).into_string();
        assert!(below.contains("frame 2") && !below.contains("class=\"beside\""), "{below}");
    }
}
