//! An object in one line: as its type's author wants it, else as debuggers for C# show it.

use clr_csharp::specifiers::Specifier;
use clr_csharp::template::{self, Piece};
use clr_csharp::types::Type;
use clr_csharp::value::Value;

use super::attributes::{DISPLAY, first, named};
use super::{DEEPEST, Level, Presenter, Seen, format};
use crate::evaluate::{Answer, EvalError, Evaluated, Opened};
use crate::exceptions;
use crate::values::{Content, Place, Shown};

/// Characters of a text that code makes.
const LONGEST: usize = 1_000;
/// Where `ToString` says no more than the type.
const SAY_NOTHING: [&str; 4] = ["System.Object", "System.ValueType", "System.Enum", "System.Delegate"];

/// A value in one line.
pub(super) struct Summary {
    pub shown: Shown,
    /// What `[DebuggerDisplay(Name = …)]` puts in the place of the name.
    pub name: Option<String>,
}

impl From<Shown> for Summary {
    fn from(shown: Shown) -> Self {
        Self { shown, name: None }
    }
}

impl Presenter<'_> {
    /// Of what is in a place.
    pub(super) fn summary(&mut self, place: &Place, plain: Shown, depth: u32) -> Summary {
        let plain = match self.boxed(place, &plain) {
            Some(text) => Shown { text, ..plain },
            None => plain,
        };
        let plain = format::written(plain, self.view.numbers);
        // a long array has more objects than there is time for
        if self.view.is_raw || depth >= DEEPEST || plain.elements.is_some() || !may_be_shown(&plain) || self.is_late() {
            return plain.into();
        }
        let Some(seen) = self.seen(place) else { return plain.into() };
        if !plain.opens {
            return self.displayed(&seen, &plain, depth).unwrap_or_else(|| plain.into());
        }
        // where memory says more than the type: the method of a delegate
        let type_name = seen.own().map(|own| crate::types::text(&own.type_.sig()));
        if type_name.is_none_or(|name| plain.text != format!("{{{name}}}")) {
            return plain.into();
        }
        if let Some(summary) = self.displayed(&seen, &plain, depth) {
            return summary;
        }
        let text = self.known(&seen, depth).or_else(|| self.stringified(&seen));
        Shown { text: text.unwrap_or(plain.text), ..plain }.into()
    }

    /// Of what an expression gave.
    pub(super) fn answer_summary(&mut self, answer: &Answer, depth: u32) -> (Summary, Option<Opened>) {
        let (shown, opened) = self.evaluation.show(answer);
        match &opened {
            Some(Opened::Place(place)) => (self.summary(&place.clone(), shown, depth), opened),
            _ => (format::written(shown, self.view.numbers).into(), opened),
        }
    }

    /// The number in a box, which has no name of its own to ask for.
    fn boxed(&self, place: &Place, plain: &Shown) -> Option<String> {
        if plain.opens || !plain.text.starts_with('{') {
            return None;
        }
        match place.read(self.evaluation.stopped).ok()?.content() {
            Ok(Content::Scalar(scalar)) => Some(scalar.to_string()),
            _ => None,
        }
    }

    fn text_at(&mut self, place: &Place, depth: u32) -> String {
        let shown = match place.read(self.evaluation.stopped) {
            Ok(value) => value.show(),
            Err(error) => return format!("<error: {error}>"),
        };
        self.summary(place, shown, depth + 1).shown.text
    }

    /// By `[DebuggerDisplay]`, where all that its holes run is pure.
    fn displayed(&mut self, seen: &Seen, plain: &Shown, depth: u32) -> Option<Summary> {
        let (level, arguments) = self.attribute(seen, DISPLAY)?;
        let text = self.filled(seen, level, first(&arguments).unwrap_or_default(), depth)?;
        let mut part = |name: &str| self.filled(seen, level, named(&arguments, name)?, depth);
        let (name, type_name) = (part("Name"), part("Type"));
        let type_name = type_name.unwrap_or_else(|| plain.type_name.clone());
        Some(Summary { shown: Shown { text, type_name, ..plain.clone() }, name })
    }

    pub(super) fn filled(&mut self, seen: &Seen, level: &Level, template: &str, depth: u32) -> Option<String> {
        let mut text = String::new();
        for piece in template::pieces(template) {
            match piece {
                Piece::Text(plain) => text.push_str(&plain),
                Piece::Hole { expression, specifiers } => {
                    let evaluated = self.ask(Some(&seen.place), &level.type_, &expression);
                    // nobody can mend what this evaluator lacks for a type of the framework
                    if level.definition.module.is_framework && matches!(evaluated, Err(EvalError::Failed(_))) {
                        return None;
                    }
                    text.push_str(&self.hole(evaluated, &specifiers, depth)?);
                }
            }
        }
        Some(cut(&text))
    }

    /// `None`: it takes code that may change something.
    fn hole(
        &mut self,
        evaluated: Result<Evaluated, EvalError>,
        specifiers: &[Specifier],
        depth: u32,
    ) -> Option<String> {
        match evaluated {
            Ok(Evaluated::Value(answer)) => {
                if specifiers.contains(&Specifier::NoQuotes)
                    && let Some(text) = self.evaluation.string(&answer)
                {
                    return Some(text);
                }
                let (summary, _) = self.answer_summary(&answer, depth + 1);
                let written = specifiers.iter().fold(summary.shown, |shown, it| format::written(shown, *it));
                Some(written.text)
            }
            Ok(Evaluated::Threw(exception)) => Some(self.threw(&exception)),
            Err(EvalError::NeedsCall | EvalError::SideEffects { .. } | EvalError::Call(_)) => None,
            Err(EvalError::Failed(words)) => Some(format!("<error: {words}>")),
        }
    }

    /// In place of the value that a getter gives.
    pub(super) fn threw(&self, exception: &crate::com::Value) -> String {
        let exception = self.evaluation.stopped.value(exception.clone());
        let message = exceptions::message(&exception).unwrap_or_else(|| exceptions::OWN_MESSAGE.to_owned());
        format!("<threw {}: {}>", exception.type_name(), one_line(&message))
    }

    /// Of types that C# or every debugger writes in a way of its own.
    fn known(&mut self, seen: &Seen, depth: u32) -> Option<String> {
        let own = seen.own()?;
        let name = own.definition.view().full_name();
        let is_framework = own.definition.module.is_framework;
        if is_framework && (name.starts_with("System.ValueTuple`") || name.starts_with("System.Tuple`")) {
            return Some(format!("({})", self.items(&seen.place, own.type_.arguments().len(), depth).join(", ")));
        }
        if is_framework && name == "System.Collections.Generic.KeyValuePair`2" {
            let mut part = |name| Some(self.text_at(&self.evaluation.part(&seen.place, name).ok()?, depth));
            return Some(format!("{{[{}, {}]}}", part("key")?, part("value")?));
        }
        seen.is_of("System.Exception").is_some().then(|| self.exception(seen, own.type_.clone()))
    }

    /// Of a tuple; from the eighth on they are in one of their own.
    fn items(&mut self, tuple: &Place, count: usize, depth: u32) -> Vec<String> {
        const FIRST: usize = 7;
        let part = |evaluation: &crate::evaluate::Evaluation<'_>, name: &str| {
            let found = evaluation.part(tuple, name).or_else(|_| evaluation.part(tuple, &format!("m_{name}")));
            found.ok()
        };
        let mut items = Vec::new();
        for at in 1..=count.min(FIRST) {
            let place = part(&self.evaluation, &format!("Item{at}"));
            items.push(place.map_or_else(|| "…".to_owned(), |place| self.text_at(&place, depth)));
        }
        if count > FIRST
            && let Some(rest) = part(&self.evaluation, "Rest")
        {
            let count = self.seen(&rest).and_then(|seen| Some(seen.own()?.type_.arguments().len()));
            items.extend(self.items(&rest, count.unwrap_or(0), depth));
        }
        items
    }

    fn exception(&mut self, seen: &Seen, type_: Type) -> String {
        let type_name = crate::types::text(&type_.sig());
        let read = seen.place.read(self.evaluation.stopped).ok();
        let stored = read.as_ref().and_then(exceptions::message);
        // what its constructor was given is null where nobody gave it a message
        let overrides = read.as_ref().is_some_and(exceptions::overrides_message);
        drop(read);
        let message = match stored {
            None => match self.ask(Some(&seen.place), &type_, "this.Message") {
                Ok(Evaluated::Value(answer)) => self.evaluation.string(&answer),
                _ => None,
            },
            stored => stored,
        };
        match message {
            Some(message) => format!("{{{type_name}: {}}}", cut(&one_line(&message))),
            None if overrides => format!("{{{type_name}: {}}}", exceptions::OWN_MESSAGE),
            None => format!("{{{type_name}}}"),
        }
    }

    /// By its `ToString`, where that is its type's own and pure.
    fn stringified(&mut self, seen: &Seen) -> Option<String> {
        let own = seen.own().filter(|_| self.view.strings)?;
        let speaks = seen.levels.iter().find(|level| {
            let view = level.definition.view();
            let assembly = &level.definition.assembly;
            view.methods().map(|id| assembly.method(id)).any(|method| {
                let is_plain = || method.signature().is_some_and(|it| it.has_this && it.parameters.is_empty());
                method.name() == "ToString" && method.is_virtual() && is_plain()
            })
        })?;
        let name = speaks.definition.view().full_name();
        if SAY_NOTHING.contains(&name.as_str()) {
            return None;
        }
        match self.ask(Some(&seen.place), &own.type_, "this.ToString()").ok()? {
            Evaluated::Value(answer) if !matches!(answer.value, Value::Void) => {
                Some(format!("{{{}}}", cut(&one_line(&self.evaluation.string(&answer)?))))
            }
            _ => None,
        }
    }
}

/// Whether its type's author can have a say: of an object, or a value of an enum.
fn may_be_shown(plain: &Shown) -> bool {
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || "-\"'".contains(c));
    plain.opens || !(is_number(&plain.text) || matches!(plain.text.as_str(), "null" | "true" | "false" | ""))
}

fn one_line(text: &str) -> String {
    text.split(['\r', '\n']).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_of_bounded_length() {
        assert_eq!(one_line("a\r\nb\n"), "a b");
        assert_eq!(cut(&"é".repeat(LONGEST)), "é".repeat(LONGEST));
        assert_eq!(cut(&"é".repeat(LONGEST + 1)), format!("{}…", "é".repeat(LONGEST)));
    }
}
