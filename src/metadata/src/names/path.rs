//! Taking apart the names that debuggers and people write: `Ns.Outer<int>.Inner`, ``Ns.Outer`1+Inner``,
//! `AsyncFlow.Program.<Main>d__0.MoveNext`.
//!
//! A `<` that begins a segment belongs to a compiler's name (`<Main>d__0`), one behind a name opens generic arguments.

/// One part of a dotted name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Segment<'a> {
    /// Without arity and generic arguments.
    pub(crate) name: &'a str,
    /// As written: `int`, `List<string>`; empty texts in `Dictionary<,>`.
    pub(crate) arguments: Vec<&'a str>,
    /// From the arguments, or from a backtick.
    pub(crate) arity: usize,
    /// Certainly within the type before it: behind a `+`, or behind a generic name.
    pub(crate) is_nested: bool,
}

impl Segment<'_> {
    /// As in metadata: ``List`1``.
    pub(crate) fn push_metadata_name(&self, out: &mut String) {
        out.push_str(self.name);
        if self.arity > 0 {
            out.push('`');
            out.push_str(&self.arity.to_string());
        }
    }
}

/// Splits a dotted name; the second value is what follows it (`[]`, `?`, `(int size)`).
pub(crate) fn split(text: &str) -> Option<(Vec<Segment<'_>>, &str)> {
    let mut segments = Vec::new();
    let mut rest = text;
    let mut is_nested = false;
    loop {
        let (mut segment, after) = segment(rest)?;
        segment.is_nested = is_nested;
        is_nested = segment.arity > 0 || after.starts_with(['+', '/']);
        segments.push(segment);
        match after.strip_prefix(['.', '+', '/']) {
            Some(next) => rest = next,
            None => return Some((segments, after)),
        }
    }
}

fn segment(text: &str) -> Option<(Segment<'_>, &str)> {
    // `.ctor` and `.cctor` begin with a dot of their own.
    let generated = match text.as_bytes().first()? {
        b'<' => balanced(text)?,
        b'.' => 1,
        _ => 0,
    };
    let behind = text.get(generated..)?;
    let length = behind
        .find(['.', '+', '/', '<', '`', '(', ')', '[', ']', ',', '>', '?', '*', '&', ' '])
        .unwrap_or(behind.len());
    let (name, mut rest) = text.split_at_checked(generated + length)?;
    if name.is_empty() {
        return None;
    }
    let mut segment = Segment { name, ..Segment::default() };
    if let Some(digits) = rest.strip_prefix('`') {
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (number, after) = digits.split_at_checked(length)?;
        segment.arity = number.parse().ok()?;
        rest = after;
    }
    if rest.starts_with('<') {
        let end = balanced(rest)?;
        segment.arguments = arguments(rest.get(1..end - 1)?);
        segment.arity = segment.arguments.len();
        rest = rest.get(end..)?;
    }
    Some((segment, rest))
}

/// Length of the bracketed part that `text` begins with.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Splits at the commas that lie within no bracket.
pub(crate) fn arguments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'[' | b'(' => depth += 1,
            b'>' | b']' | b')' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text.get(start..index).unwrap_or_default().trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_names_and_generic_arguments_are_distinguished() {
        for (text, names, rest) in [
            ("Basics.Order", &["Basics", "Order"][..], ""),
            ("System.Collections.Generic.List<Basics.OrderLine>", &["System", "Collections", "Generic", "List`1"], ""),
            ("Ns.Box<int>.Nested<string>.Describe()", &["Ns", "Box`1", "Nested`1", "Describe"], "()"),
            ("A.Downloader.<FetchAsync>d__3.MoveNext()", &["A", "Downloader", "<FetchAsync>d__3", "MoveNext"], "()"),
            ("Program.<>c.<<Main>$>b__0_1", &["Program", "<>c", "<<Main>$>b__0_1"], ""),
            ("P.<<<Main>$>b__0_2>d.MoveNext", &["P", "<<<Main>$>b__0_2>d", "MoveNext"], ""),
            ("P.<>c__DisplayClass1_0<TOut>.<Map>b__0", &["P", "<>c__DisplayClass1_0`1", "<Map>b__0"], ""),
            ("P.<System.IDisposable.Dispose>d__1.MoveNext", &["P", "<System.IDisposable.Dispose>d__1", "MoveNext"], ""),
            ("Basics.OrderLine..ctor()", &["Basics", "OrderLine", ".ctor"], "()"),
            ("Box<A.P.<Main>d__0>.MoveNext()", &["Box`1", "MoveNext"], "()"),
            ("Ns.Outer`2+Inner", &["Ns", "Outer`2", "Inner"], ""),
            ("Dictionary<,>", &["Dictionary`2"], ""),
            ("int[,]", &["int"], "[,]"),
        ] {
            let (segments, after) = split(text).unwrap();
            let split: Vec<String> = segments
                .iter()
                .map(|segment| {
                    let mut name = String::new();
                    segment.push_metadata_name(&mut name);
                    name
                })
                .collect();
            assert_eq!(split, names, "{text}");
            assert_eq!(after, rest, "{text}");
        }
    }

    #[test]
    fn broken_names_are_refused() {
        for text in ["", "a.", "<a", "List<int", "List<<int>", "a`x"] {
            assert_eq!(split(text).filter(|(_, rest)| rest.is_empty()), None, "{text}");
        }
    }
}
