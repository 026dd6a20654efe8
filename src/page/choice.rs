//! What the address of a page chooses, and the addresses of pages that choose something else.

use maud::{Markup, html};
use serde::Deserialize;

use super::filter::{Filter, encoded};
use crate::session::EventSeq;

/// As a form or a link sends it: an empty field chooses nothing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    /// `2-s1`.
    pub session: String,
    /// The number of the stop to look at; none: the present.
    pub at: String,
    /// The number of the stop to compare it with.
    pub with: String,
    /// The place of a stop among those that are kept, from 1, as the slider sends it; it is replaced by `at` at once.
    pub nth: String,
    /// `46-2`: the stop and the number of the frame whose source is shown; at any other stop it chooses nothing.
    pub frame: String,
    /// Text that lines of output have to contain.
    pub output: String,
    /// The code of what went wrong with an act.
    pub fault: String,
    /// Of the history.
    #[serde(flatten)]
    pub filter: Filter,
}

impl Choice {
    pub(super) fn at(&self) -> Option<EventSeq> {
        number(&self.at)
    }

    pub(super) fn with(&self) -> Option<EventSeq> {
        number(&self.with)
    }

    pub(super) fn frame(&self) -> Option<(EventSeq, usize)> {
        let (stop, frame) = self.frame.split_once('-')?;
        Some((number(stop)?, frame.parse().ok()?))
    }

    /// The same page with the source of this frame; `None`: of the one that stopped.
    pub(super) fn of_frame(&self, frame: Option<(EventSeq, usize)>) -> Self {
        let frame = frame.map(|(stop, frame)| format!("{stop}-{frame}")).unwrap_or_default();
        Self { frame, ..self.clone() }
    }

    /// The same page about this stop; `None`: about the present.
    pub(super) fn of_stop(&self, at: Option<EventSeq>) -> Self {
        let at = at.map(|seq| seq.to_string()).unwrap_or_default();
        Self { at, nth: String::new(), frame: String::new(), ..self.clone() }
    }

    /// The same page, comparing with this stop.
    pub(super) fn compared(&self, with: Option<EventSeq>) -> Self {
        Self { with: with.map(|seq| seq.to_string()).unwrap_or_default(), ..self.clone() }
    }

    /// The same page with every call of the history.
    pub(super) fn unfiltered(&self) -> Self {
        Self { filter: Filter::default(), ..self.clone() }
    }

    pub(super) fn address(&self) -> String {
        let pairs: Vec<String> = self.pairs().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        if pairs.is_empty() { "/".into() } else { format!("/?{}", pairs.join("&")) }
    }

    /// What a form that chooses `own` carries besides.
    pub(super) fn carried(&self, own: &[&str]) -> Markup {
        html! {
            @for (name, value) in self.pairs().filter(|(name, _)| !own.contains(name)) {
                input type="hidden" name=(name) value=(value);
            }
        }
    }

    /// What stays from one page to the next.
    fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let own = [
            ("session", &self.session),
            ("at", &self.at),
            ("with", &self.with),
            ("frame", &self.frame),
            ("output", &self.output),
        ];
        let own = own.into_iter().map(|(name, value)| (name, value.as_str()));
        own.chain(self.filter.pairs()).filter(|(_, value)| !value.trim().is_empty())
    }
}

fn number(text: &str) -> Option<EventSeq> {
    text.trim().parse().ok().map(EventSeq)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_what_is_chosen_and_escapes_it() {
        let filter = Filter { text: "a b".into(), ..Filter::default() };
        let choice = Choice { session: "2-s1".into(), output: "<x>&y=\"".into(), filter, ..Choice::default() };
        assert_eq!(choice.address(), "/?session=2%2Ds1&output=%3Cx%3E%26y%3D%22&text=a%20b");
        let past = choice.of_stop(Some(EventSeq(46))).compared(Some(EventSeq(12)));
        assert!(past.address().starts_with("/?session=2%2Ds1&at=46&with=12&"), "{}", past.address());
        assert_eq!(past.of_stop(None).compared(None).address(), choice.address());
        let frame = past.of_frame(Some((EventSeq(46), 2)));
        assert!(frame.address().contains("&frame=46%2D2&") && frame.frame() == Some((EventSeq(46), 2)));
        assert_eq!(frame.of_stop(Some(EventSeq(46))).address(), past.address(), "another stop has other frames");
        assert_eq!(frame.of_frame(None).address(), past.address());
        assert_eq!(Choice::default().address(), "/");
        let form = choice.carried(&["text"]).into_string();
        assert!(form.contains("name=\"output\"") && !form.contains("name=\"text\"") && !form.contains("<x>"), "{form}");
    }

    #[test]
    fn what_is_no_number_chooses_no_stop() {
        for (text, expected) in [("46", Some(46)), (" 46 ", Some(46)), ("", None), ("-1", None), ("x", None)] {
            let choice = Choice { at: text.into(), ..Choice::default() };
            assert_eq!(choice.at(), expected.map(EventSeq), "{text:?}");
            for frame in [text.to_owned(), format!("{text}-"), format!("46-{text}x"), format!("-{text}")] {
                assert_eq!(Choice { frame, ..Choice::default() }.frame(), None, "{text:?}");
            }
        }
    }
}
