//! The code of one method: its lines where its source is here, else its signature and its IL.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::scope::{Asked, Folders, LONGEST, blocking, module_name};
use crate::answers::report::SourceReport;
use crate::mcp::tool::Call;
use crate::session::sources::Sources;
use crate::session::{Code, SessionError, SourceQuery, SourceView};
use clr_metadata::{Assembly, MethodId, MethodQuery, NameStyle};

/// Lines of IL that one answer holds.
const MOST_LINES: usize = 200;
/// Methods of one name that an error lists.
const LISTED: usize = 5;

/// A method by name, and where it is looked for.
pub(in crate::mcp::tools) struct Wanted {
    pub function: String,
    pub module: Option<String>,
    pub assembly: Option<String>,
    /// Lines around the method's own.
    pub context: u32,
    /// Lines of IL before the first that is shown.
    pub start: usize,
}

pub(in crate::mcp::tools) async fn method_code(call: Call, wanted: Wanted) -> Result<SourceReport, SessionError> {
    let asked = Asked::of(&call, wanted.module, wanted.assembly).await?;
    let (function, start) = (wanted.function, wanted.start);
    let (sources, base) = (call.registry.sources(), call.registry.settings().base());
    let is_alone = call.session().is_err();
    let (mut report, lines, view) = blocking(move || {
        let found = find(asked, &function)?;
        let lines = found.lines();
        let alone = lines.as_ref().filter(|_| is_alone);
        let view = alone.and_then(|lines| found.source(lines, wanted.context, &sources, base));
        Ok((found.code(start)?, lines, view))
    })
    .await?;
    if let Some(view) = view {
        return Ok(SourceReport { function: report.function, module: report.module, ..view.into() });
    }
    let (Some(lines), Ok(session)) = (lines, call.session()) else { return Ok(report) };
    let query = SourceQuery {
        line: Some(u32::midpoint(lines.first, lines.last)),
        context: (lines.last - lines.first).div_ceil(2) + wanted.context,
        file: Some(lines.path.clone()),
    };
    match session.source(query).await {
        Ok(view) => Ok(SourceReport { function: report.function, module: report.module, ..view.into() }),
        Err(error) => {
            report.note = Some(format!("its source is not shown: {}", error.message));
            Ok(report)
        }
    }
}

struct Found {
    assembly: Arc<Assembly>,
    method: MethodId,
}

/// The lines of a method's statements; `path` as the PDB has it.
struct Lines {
    path: String,
    first: u32,
    last: u32,
}

fn find(asked: Asked, function: &str) -> Result<Found, SessionError> {
    let query = Some(function).filter(|name| name.len() <= LONGEST).and_then(MethodQuery::parse).ok_or_else(|| {
        let function: String = function.chars().take(LONGEST).collect();
        let message = format!("`{function}` is not a valid method name");
        SessionError::argument("function", message, "write Type.Method, with parameter types if overloaded")
    })?;
    let chosen = asked.open(Folders::Refused)?;
    let (mut own, mut system) = (Vec::new(), Vec::new());
    for opened in chosen.assemblies().flatten() {
        let methods = opened.assembly.methods_called(&query);
        let found = methods.into_iter().map(|method| Found { assembly: opened.assembly.clone(), method });
        if opened.is_user { own.extend(found) } else { system.extend(found) }
    }
    let mut found = if own.is_empty() { system } else { own };
    match (found.len(), found.pop()) {
        (1, Some(found)) => Ok(found),
        (_, None) => Err(SessionError::argument(
            "function",
            format!("no method {function} in {}", chosen.counted()),
            "modules_search finds methods by part of their name",
        )),
        (count, Some(last)) => {
            found.push(last);
            let heads: Vec<String> = found.iter().take(LISTED).map(Found::head).collect();
            let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
            Err(SessionError::argument(
                "function",
                format!("{count} methods are named {function}: {}{more}", heads.join("; ")),
                "add the type, the parameter types, the module or the accessor: Order.Add(int), Order.Total.get",
            ))
        }
    }
}

impl Found {
    fn head(&self) -> String {
        let method = self.assembly.method(self.method);
        method.declaration(NameStyle::Short).unwrap_or_else(|| method.name().to_owned())
    }

    fn lines(&self) -> Option<Lines> {
        let pdb = self.assembly.pdb()?;
        let code = self.assembly.method(self.method).code_method();
        let points: Vec<_> = pdb.sequence_points(code).into_iter().filter(|point| !point.is_hidden).collect();
        let document = points.first()?.document;
        let own = || points.iter().filter(|point| point.document == document);
        Some(Lines {
            path: pdb.document(document)?.path.clone(),
            first: own().map(|point| point.line).min()?,
            last: own().map(|point| point.end_line).max()?,
        })
    }

    /// The lines as they were compiled, from a file in a root or below `base`: no session says that the dll may name others.
    fn source(&self, lines: &Lines, context: u32, sources: &Sources, base: PathBuf) -> Option<SourceView> {
        let documents = self.assembly.pdb()?.documents().to_vec();
        sources.set_root(Some(base.clone()));
        sources.look_below(
            base,
            Arc::new(move |path, bytes| documents.iter().find(|document| document.path == path)?.matches(bytes)),
        );
        let all = sources.lines(Path::new(&lines.path)).filter(|_| !sources.is_edited(&lines.path))?;
        let start = lines.first.saturating_sub(context).max(1);
        let end = (lines.last.saturating_add(context) as usize).min(all.len());
        Some(SourceView {
            file: sources.relative(&lines.path),
            start_line: start,
            lines: all.get(start as usize - 1..end)?.to_vec(),
            current_line: None,
            is_edited: false,
        })
    }

    fn code(&self, start: usize) -> Result<SourceReport, SessionError> {
        let method = self.assembly.method(self.method);
        let owner = method.declaring_type().map(|type_| type_.source_name()).unwrap_or_default();
        // an async method's code is in its state machine
        let code = self.assembly.method(method.code_method()).disassembly().map_err(|flaw| {
            let message = format!("the code of {} cannot be read: {flaw}", self.head());
            SessionError::new(Code::NoSymbols, message, "the file is corrupt: rebuild it or copy it again")
        })?;
        let note =
            code.is_none().then(|| "it has no IL: abstract, or implemented by the runtime or native code".into());
        let code = code.unwrap_or_default();
        let all = code.lines.len();
        let il: Vec<String> = code.lines.into_iter().skip(start).take(MOST_LINES).map(|line| line.text).collect();
        Ok(SourceReport {
            function: Some(format!("{owner}.{}", method.name())),
            module: Some(module_name(&self.assembly)),
            signature: Some(self.head()),
            il_locals: code.locals,
            more_il: Some(all.saturating_sub(start + il.len())).filter(|more| *more > 0),
            il,
            note,
            ..SourceReport::default()
        })
    }
}
