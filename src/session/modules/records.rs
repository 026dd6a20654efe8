//! Constructors of positional records: the one that is written and the one that copies begin at the same place of the source.
//!
//! Of such a line netcoredbg binds the copying constructor alone, which it takes for one that is nested in the other (3.1.2-1,
//! `AddMethodData` in modules_sources.cpp and `ResolveBreakPoints` in SymbolReader.cs; 2026-11-23). By name it binds both.

use clr_metadata::MethodId;

use super::Modules;

/// A line where a record's constructors begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RecordLine {
    /// The name by which adapters bind these two constructors, each at this line.
    Named(String),
    /// No name binds them there alone. The constructor begins at this line, where that is another one.
    Unnamed(Option<u32>),
}

impl Modules {
    /// What a line is to a record's constructors; `None` where no record begins.
    pub(crate) fn record_at(&self, path: &str, line: u32) -> Option<RecordLine> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let on_line = assembly.pdb()?.line_to_methods(document.id, line).into_iter().map(|(method, _)| method);
        let begins_here = |method: &MethodId| assembly.breakpoint_point(*method).is_some_and(|it| it.line == line);
        let constructor = on_line.filter(begins_here).find(|method| assembly.has_copy(*method))?;
        let begin = assembly.first_point(constructor)?.line;
        let full_name = assembly.method(constructor).declaring_type()?.full_name();
        if begin == line && assembly.constructors(constructor).count() == 2 && !full_name.contains('`') {
            return Some(RecordLine::Named(format!("{}..ctor", full_name.replace('+', "."))));
        }
        Some(RecordLine::Unnamed((begin != line).then_some(begin)))
    }
}
