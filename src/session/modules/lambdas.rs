//! Lambdas whose code begins alone on a line, inside a statement that begins on a line before.
//!
//! Both adapters bind such a line to the statement around it (netcoredbg 3.1.2-1, dncdbg 1.1.0, 2026-11-22), and both bind the
//! lambda's method by its compiled name, `Shop.Program.<>c.<Main>b__0_1`, at its first statement. Of an async lambda that is the
//! `MoveNext` of its state machine; in a generic type it is the method's bare name, which other types must not have.

use clr_metadata::{Assembly, DocumentId, MethodId, Pdb, SequencePoint};

use super::Modules;

impl Modules {
    /// The name by which adapters bind the lambda whose first statement is what a breakpoint on that line means.
    pub(crate) fn lambda_at(&self, path: &str, line: u32) -> Option<String> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let pdb = assembly.pdb()?;
        let methods: Vec<(MethodId, Vec<SequencePoint>)> = pdb
            .line_to_methods(document.id, line)
            .into_iter()
            .map(|(method, _)| (method, visible(pdb, document.id, method)))
            .collect();
        let begin_here: Vec<_> =
            methods.iter().filter(|(_, points)| points.iter().any(|point| point.line == line)).collect();
        let [(method, points)] = begin_here.as_slice() else { return None };
        let first = points.first().filter(|first| first.line == line)?;
        let is_inside = |point: &SequencePoint| {
            let end = |point: &SequencePoint| (point.end_line, point.end_column);
            point.line < line && end(point) >= end(first)
        };
        let lambda = assembly.method(assembly.kickoff_of(*method).unwrap_or(*method));
        let is_lambda = lambda.name().starts_with('<') && lambda.name().contains(">b__");
        let around = all_around(pdb, document.id, line);
        let known = || inner.known.iter().map(|known| &**known);
        (is_lambda && around.iter().any(is_inside)).then(|| bound_name(known(), assembly, *method))?
    }
}

/// The lambda around a place inside a line that other code shares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LambdaAround {
    /// The name by which adapters bind its first statement, which is there.
    First(String),
    /// It begins elsewhere, or has no name of its own.
    Behind,
}

/// Where a breakpoint on a line stops before the statement that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StopsBefore {
    /// At an earlier statement of the same method.
    Statement,
    /// In another method, which begins before on the line.
    Method { first: String, own: String },
}

impl Modules {
    /// What a breakpoint on the line stops before, where what stands at that place belongs to a later statement of it.
    pub(crate) fn stops_before(&self, path: &str, (line, column): (u32, u32)) -> Option<StopsBefore> {
        let (first, own) = {
            let inner = self.lock();
            let (assembly, document) = inner.find(path)?;
            let pdb = assembly.pdb()?;
            let mut here = Vec::new();
            for (method, _) in pdb.line_to_methods(document.id, line) {
                let points = visible(pdb, document.id, method).into_iter().filter(|point| point.line == line);
                here.extend(points.map(|point| (method, point)));
            }
            let covers = |(_, point): &&(MethodId, SequencePoint)| {
                point.column <= column && (line, column) < (point.end_line, point.end_column)
            };
            let (own, point) = here.iter().filter(covers).max_by_key(|(_, point)| point.column)?;
            let is_before =
                |(_, other): &&(MethodId, SequencePoint)| (other.end_line, other.end_column) <= (line, point.column);
            let (first, _) = here.iter().filter(is_before).min_by_key(|(_, point)| point.column)?;
            if first == own {
                return Some(StopsBefore::Statement);
            }
            (frame_name(assembly, *first)?, frame_name(assembly, *own)?)
        };
        let described = |name: String| self.describe_frame(&name, None).function;
        Some(StopsBefore::Method { first: described(first), own: described(own) })
    }

    /// The innermost lambda of which a statement covers a place on a line where code of another method begins too. The column counts as
    /// in a PDB.
    pub(crate) fn lambda_around(&self, path: &str, (line, column): (u32, u32)) -> Option<LambdaAround> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let pdb = assembly.pdb()?;
        let covers = |point: &SequencePoint| {
            (point.line, point.column) <= (line, column) && (line, column) < (point.end_line, point.end_column)
        };
        let mut innermost: Option<(SequencePoint, MethodId, bool)> = None;
        let methods = pdb.line_to_methods(document.id, line).into_iter();
        let methods = methods.map(|(method, _)| (method, visible(pdb, document.id, method)));
        let here: Vec<_> = methods.filter(|(_, points)| points.iter().any(|point| point.line == line)).collect();
        if here.len() < 2 {
            return None;
        }
        for (method, points) in here {
            for (at, point) in points.iter().enumerate().filter(|(_, point)| point.line == line && covers(point)) {
                let is_inner = |(known, ..): &(SequencePoint, MethodId, bool)| {
                    (point.line, point.column) >= (known.line, known.column)
                        && (point.end_line, point.end_column) <= (known.end_line, known.end_column)
                };
                if innermost.as_ref().is_none_or(is_inner) {
                    innermost = Some((*point, method, at == 0));
                }
            }
        }
        let (_, method, is_first) = innermost?;
        let written = assembly.kickoff_of(method).unwrap_or(method);
        if !assembly.method(written).name().contains(">b__") {
            return None;
        }
        let known = inner.known.iter().map(|known| &**known);
        let name = is_first.then(|| bound_name(known, assembly, method)).flatten();
        Some(name.map_or(LambdaAround::Behind, LambdaAround::First))
    }

    /// Where statements begin on a line, of all methods.
    pub(super) fn columns(&self, path: &str, line: u32) -> Vec<u32> {
        let inner = self.lock();
        let Some((assembly, document)) = inner.find(path) else { return Vec::new() };
        let Some(pdb) = assembly.pdb() else { return Vec::new() };
        let methods = pdb.line_to_methods(document.id, line).into_iter();
        let points = methods.flat_map(|(method, _)| visible(pdb, document.id, method));
        points.filter(|point| point.line == line).map(|point| point.column).collect()
    }

    /// The first line of the lambda whose code begins on that line and on no line before it.
    pub(crate) fn lambda_begin(&self, path: &str, line: u32) -> Option<u32> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let pdb = assembly.pdb()?;
        let methods = pdb.line_to_methods(document.id, line).into_iter();
        let lambdas = methods.filter(|(method, _)| {
            let written = assembly.kickoff_of(*method).unwrap_or(*method);
            assembly.method(written).name().contains(">b__")
        });
        lambdas.filter_map(|(method, _)| visible(pdb, document.id, method).first().map(|first| first.line)).max()
    }
}

/// As a frame of it is named.
fn frame_name(assembly: &Assembly, method: MethodId) -> Option<String> {
    let view = assembly.method(method);
    Some(format!("{}.{}()", view.declaring_type()?.full_name().replace('+', "."), view.name()))
}

/// The name by which both adapters bind the code of a lambda, a local function or a state machine alone.
pub(crate) fn bound_name<'a>(
    mut known: impl Iterator<Item = &'a Assembly>,
    assembly: &Assembly,
    method: MethodId,
) -> Option<String> {
    let view = assembly.method(method);
    let owner = view.declaring_type()?;
    if !owner.parameter_names(Some(method)).of_method.is_empty() {
        return None;
    }
    if !owner.full_name().contains('`') {
        return Some(format!("{}.{}", owner.full_name().replace('+', "."), view.name()));
    }
    let has_name = |other: &Assembly, id: &MethodId| other.method(*id).name() == view.name();
    let count =
        |other: &Assembly| other.types().flat_map(|type_| type_.methods()).filter(|id| has_name(other, id)).count();
    // every state machine has a `MoveNext`, those of the framework too
    let is_alone = view.name().starts_with('<') && known.by_ref().map(count).sum::<usize>() == 1;
    is_alone.then(|| view.name().to_owned())
}

/// Statements of the methods that cover a line.
fn all_around(pdb: &Pdb, document: DocumentId, line: u32) -> Vec<SequencePoint> {
    pdb.methods_at(document, line).into_iter().flat_map(|method| visible(pdb, document, method)).collect()
}

fn visible(pdb: &Pdb, document: DocumentId, method: MethodId) -> Vec<SequencePoint> {
    let points = pdb.sequence_points(method).into_iter();
    points.filter(|point| !point.is_hidden && point.document == document).collect()
}
