//! The name of a stack frame as adapters print it, brought back to source: `Type.Method` and what kind of method it is.

use super::compiler::{Method, is_closure, method_origin, state_machine_of};
use super::path::{self, Segment};

/// A frame's name for people.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrameName {
    /// `Type.Method`, without namespace and generic arguments. A lambda is named by the method it stands in, a local function by
    /// its own name.
    pub function: String,
    /// `async`, `iterator`, `lambda`, `local function`, in this order with a blank between; empty for an ordinary method.
    pub kind: String,
    /// The compiler wrote the body (the wrapper around an async `Main`): no line of it is the user's.
    pub is_generated: bool,
}

/// What kinds a method is, all at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kinds {
    pub(crate) is_async: bool,
    pub(crate) iterator: bool,
    pub(crate) lambda: bool,
    pub(crate) local_function: bool,
}

impl Kinds {
    pub(crate) fn words(self) -> String {
        let words = [
            (self.is_async, "async"),
            (self.iterator, "iterator"),
            (self.lambda, "lambda"),
            (self.local_function, "local function"),
        ];
        words.iter().filter(|word| word.0).map(|word| word.1).collect::<Vec<_>>().join(" ")
    }
}

/// A printed frame name, taken apart but not yet undone.
#[derive(Debug, Clone)]
pub(crate) struct RawFrame<'a> {
    /// Namespace and types.
    pub(crate) path: Vec<Segment<'a>>,
    pub(crate) method: Segment<'a>,
    /// What stands between the parentheses.
    pub(crate) parameters: &'a str,
}

impl<'a> RawFrame<'a> {
    /// `None` for `[Native Frames]`, `[External Code]` and what is no dotted name.
    pub(crate) fn parse(raw: &'a str) -> Option<Self> {
        // dncdbg marks the frame that threw: `[Exception] Ns.Type.Method()`.
        let raw = raw.strip_prefix("[Exception] ").unwrap_or(raw).trim();
        let (mut path, rest) = path::split(raw)?;
        let method = path.pop()?;
        let parameters = match rest.strip_prefix('(') {
            Some(inside) => inside.strip_suffix(')').unwrap_or(inside),
            None if rest.is_empty() => "",
            None => return None,
        };
        Some(Self { path, method, parameters })
    }

    /// What the name alone shows. It does not distinguish async from iterator.
    pub(crate) fn undo(&self) -> Undone<'a> {
        let (path, method) = self.source_method();
        let is_machine = path.len() < self.path.len();
        let mut undone = Undone {
            owner: path.iter().rev().map(|segment| segment.name).find(|name| !is_closure(name)),
            method: if is_machine { behind_interface(clean_method(method)) } else { clean_method(method) },
            kinds: Kinds::default(),
            is_generated: false,
        };
        match method_origin(method) {
            Method::Plain(_) => {}
            Method::EntryWrapper(_) => undone.is_generated = true,
            Method::Lambda { .. } => undone.kinds.lambda = true,
            Method::LocalFunction { .. } => undone.kinds.local_function = true,
        }
        undone
    }

    /// Steps from a state machine to the method it runs: its path without the machine, and the method's raw name.
    fn source_method(&self) -> (&[Segment<'a>], &'a str) {
        if (self.method.name == "MoveNext" || is_finally(self.method.name))
            && let Some((machine, path)) = self.path.split_last()
            && let Some(kickoff) = state_machine_of(machine.name)
        {
            return (path, kickoff);
        }
        (&self.path, self.method.name)
    }
}

/// The `finally` of an iterator: also who gives up the iterator runs it.
pub(crate) fn is_finally(method: &str) -> bool {
    method.starts_with("<>m__Finally")
}

/// A frame's name in source, in parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Undone<'a> {
    /// The innermost type that is not the compiler's.
    pub(crate) owner: Option<&'a str>,
    pub(crate) method: &'a str,
    pub(crate) kinds: Kinds,
    pub(crate) is_generated: bool,
}

impl Undone<'_> {
    pub(crate) fn into_name(self) -> FrameName {
        FrameName {
            function: match self.owner {
                Some(owner) => format!("{}.{}", clean_type(owner), self.method),
                None => self.method.to_owned(),
            },
            kind: self.kinds.words(),
            is_generated: self.is_generated,
        }
    }
}

/// The last name of a method: the one within `<Main>$`, and `Dispose` of an explicit `System.IDisposable.Dispose`.
pub(crate) fn clean_method(raw: &str) -> &str {
    let name = match method_origin(raw) {
        Method::Plain(name) | Method::EntryWrapper(name) => name,
        Method::Lambda { within } => return clean_method(within),
        Method::LocalFunction { name, .. } => name,
    };
    if name.starts_with('.') {
        return name;
    }
    match name.rfind(['.', '>']) {
        Some(end) if name.as_bytes().get(end) == Some(&b'.') => name.get(end + 1..).unwrap_or(name),
        _ => name,
    }
}

/// `Dispose` of `System-IDisposable-Dispose`: the name of a type has no dots, so the compiler writes those of an explicit implementation
/// otherwise in that of its state machine.
fn behind_interface(method: &str) -> &str {
    method.rsplit('-').next().unwrap_or(method)
}

/// `<Program>F3A0…__Helper`, a type of `file` scope, is `Helper` in source.
pub fn clean_type(raw: &str) -> &str {
    match raw.strip_prefix('<').and_then(|rest| rest.split_once(">F")) {
        Some((_, suffix)) => suffix.split_once("__").map_or(raw, |(_, name)| name),
        None => raw,
    }
}

/// Undoes a frame's name without metadata; what is no method name comes back as it is.
pub fn describe(raw: &str) -> FrameName {
    match RawFrame::parse(raw) {
        Some(frame) => frame.undo().into_name(),
        None => FrameName { function: raw.to_owned(), ..FrameName::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_frames_are_brought_back_to_source() {
        for (raw, function, kind) in [
            ("AsyncFlow.Downloader.<FetchAsync>d__3.MoveNext()", "Downloader.FetchAsync", ""),
            ("Zip.Factory.<ReadHeaders>d__9.<>m__Finally1()", "Factory.ReadHeaders", ""),
            ("Ns.Program.<>c__DisplayClass2_0.<Run>b__1()", "Program.Run", "lambda"),
            ("Threads.Program.<>c__DisplayClass2_1.<Meet>b__1()", "Program.Meet", "lambda"),
            ("Ns.Program.<Main>g__Local|2()", "Program.Local", "local function"),
            ("AsyncFlow.Program.<>c__DisplayClass0_0.<Main>g__Local|2(int value)", "Program.Local", "local function"),
            ("Program.<Main>$()", "Program.Main", ""),
            ("Program.<<Main>$>d__0.MoveNext()", "Program.Main", ""),
            ("AsyncFlow.Program.<Main>()", "Program.Main", ""),
            ("Generics.Box<int>.Map<string>()", "Box.Map", ""),
            ("Generics.Box<int>.Nested<string>.Describe(int outer, string inner)", "Nested.Describe", ""),
            ("Program.<>c.<<Main>$>b__0_0(int id)", "Program.Main", "lambda"),
            ("Program.<>c.<<<Main>$>b__0_2>d.MoveNext()", "Program.Main", "lambda"),
            ("Program.<<Main>g__Work|0_0>d.MoveNext()", "Program.Work", "local function"),
            ("AsyncFlow.Downloader.FetchAsync(int size)", "Downloader.FetchAsync", ""),
            ("Basics.OrderLine..ctor(string Product)", "OrderLine..ctor", ""),
            ("Generics.Lazily..cctor()", "Lazily..cctor", ""),
            ("[Exception] Exceptions.Program.Main(string[] args)", "Program.Main", ""),
            ("[Native Frames]", "[Native Frames]", ""),
            ("[External Code]", "[External Code]", ""),
            (
                "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<int>.AsyncStateMachineBox<AsyncFlow.Program.<Main>d__0>.MoveNext()",
                "AsyncStateMachineBox.MoveNext",
                "",
            ),
            ("System.Threading.Tasks.Task<System.__Canon>.TrySetResult()", "Task.TrySetResult", ""),
            ("App.<Program>F3A0BC__Helper.Go()", "Helper.Go", ""),
            ("App.Pipe.<System.IDisposable.Dispose>d__4.MoveNext()", "Pipe.Dispose", ""),
            ("App.Pipe.<System-IDisposable-Dispose>d__4.MoveNext()", "Pipe.Dispose", ""),
            ("App.Rule<T>.<App-IRule<System-Int32>-ValidateAsync>d__4.MoveNext()", "Rule.ValidateAsync", ""),
            ("App.Pipe.<<System-IDisposable-Dispose>b__4_0>d.MoveNext()", "Pipe.Dispose", "lambda"),
            ("App.Tests.half-open()", "Tests.half-open", ""),
            ("", "", ""),
            ("(((", "(((", ""),
        ] {
            let described = describe(raw);
            assert_eq!((described.function.as_str(), described.kind.as_str()), (function, kind), "{raw}");
        }
        assert!(describe("AsyncFlow.Program.<Main>()").is_generated);
    }
}
