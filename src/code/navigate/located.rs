//! Uses found in IL, each mapped to its source file and statement.

use std::collections::{BTreeMap, BTreeSet};

use super::Navigator;
use super::leading::Leading;
use super::reaching::Reaching;
use super::statement::{Does, Statement};
use super::symbol::{Part, Symbol, SymbolKind};
use super::usage::Unlocated;
use super::wanted::Wanted;
use clr_metadata::il::{Region, RegionKind};
use clr_metadata::{Assembly, LateUse, MethodId, Names, SequencePoint, Usage};

/// By file, then in the order of the text.
pub(super) type ByFile = BTreeMap<usize, Vec<Statement>>;

impl Navigator {
    pub(super) fn statements(&self, symbols: &[Symbol], wanted: &Wanted, unlocated: &mut Unlocated) -> ByFile {
        let mut files = ByFile::new();
        let mut reaching = Reaching::of(self, symbols);
        let mut leading = Leading::of(self);
        for (index, assembly) in self.assemblies.iter().enumerate() {
            let names = Names::of(assembly, &wanted.names);
            let is_strange = |it: &&Symbol| !names.is_empty() && !leading.leads(index, it);
            let strange: Vec<&Symbol> = symbols.iter().filter(is_strange).collect();
            let mut hits = Vec::new();
            assembly.each_usage(&names, |usage| hits.push(usage));
            hits.retain(|usage| {
                let is_strange = || strange.iter().any(|it| wanted.is_of(usage.wanted, it));
                !is_own_accessor(wanted, &names, usage) && !is_strange()
            });
            let hits = reaching.only(index, hits, wanted);
            if !hits.is_empty() && assembly.pdb().is_none() {
                unlocated.add(assembly.name(), hits.len());
                continue;
            }
            for (usage, via) in hits {
                let Some((file, point)) = self.place(assembly, &usage) else { continue };
                let statements = files.entry(file).or_default();
                let mut does = Does::default();
                does.add(&usage, wanted.part(usage.wanted));
                let within = (index, usage.method);
                let same = |it: &&mut Statement| {
                    let (a, b) = (it.point, point);
                    (a.line, a.column, a.end_line, a.end_column) == (b.line, b.column, b.end_line, b.end_column)
                };
                match statements.iter_mut().rev().find(same) {
                    Some(statement) => {
                        statement.does.and(&does);
                        if statement.within == within {
                            statement.uses.push((usage.il_offset, does));
                        }
                        // Named itself as well: then that is what the statement does.
                        statement.via = statement.via.take().filter(|_| via.is_some());
                    }
                    None => {
                        let (function, function_kind) = function(assembly, usage.method);
                        let uses = vec![(usage.il_offset, does)];
                        statements.push(Statement { point, does, function, function_kind, via, within, uses });
                    }
                }
            }
        }
        files
    }

    /// Places that use a member of the name of one of the symbols through `dynamic`, in the order of the text.
    pub(super) fn through_dynamic(&self, symbols: &[Symbol]) -> Vec<String> {
        let has_name = |it: &&Symbol| {
            matches!(it.kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Field | SymbolKind::Event)
        };
        let names: BTreeSet<&str> = symbols.iter().filter(has_name).map(|symbol| symbol.simple.as_str()).collect();
        let mut found = BTreeSet::new();
        for (assembly, name) in self.assemblies.iter().flat_map(|it| names.iter().map(move |name| (it, *name))) {
            for LateUse { method, il_offset } in assembly.late_uses(name) {
                let place = || {
                    let point = assembly.il_to_line(method, il_offset)?;
                    let document = assembly.pdb()?.document(point.document)?;
                    Some((self.files.of_document(&document.path)?, point.line))
                };
                found.extend(place());
            }
        }
        found.into_iter().map(|(file, line)| format!("{}:{line}", self.files.shown(file))).collect()
    }

    /// File and statement of an instruction; `None` for code that the compiler made, and for files that are not the workspace's.
    fn place(&self, assembly: &Assembly, usage: &Usage) -> Option<(usize, SequencePoint)> {
        let made_for = disposed_by(assembly, usage).or_else(|| filtered_by(assembly, usage));
        let offset = made_for.unwrap_or(usage.il_offset);
        let point = assembly.il_to_line(usage.method, offset)?;
        let document = assembly.pdb()?.document(point.document)?;
        Some((self.files.of_document(&document.path)?, point))
    }
}

/// Of code in a `finally` that no source has, an offset in the statement (`using`, `foreach`) that it is made for.
fn disposed_by(assembly: &Assembly, usage: &Usage) -> Option<u32> {
    let body = assembly.body(usage.method).ok()??;
    let holds = |it: &&Region| (it.handler_start..it.handler_end).contains(&usage.il_offset);
    let finally = body.regions.iter().filter(|it| it.kind == RegionKind::Finally).find(holds)?;
    let points = assembly.pdb()?.sequence_points(usage.method);
    let point = points.iter().rev().find(|point| point.il_offset <= usage.il_offset)?;
    let is_made = point.is_hidden && point.il_offset >= finally.handler_start;
    is_made.then(|| finally.try_start.saturating_sub(1))
}

/// Of the type test that a `catch` with a filter begins with, an offset in the `catch`: the compiler gives the test no point of its own,
/// so that of the code before it would be taken.
fn filtered_by(assembly: &Assembly, usage: &Usage) -> Option<u32> {
    let body = assembly.body(usage.method).ok()??;
    let mut filters = body.regions.iter().filter_map(|it| match it.kind {
        RegionKind::Filter(start) => Some((start, it.handler_start)),
        _ => None,
    });
    let (start, end) = filters.find(|(start, end)| (*start..*end).contains(&usage.il_offset))?;
    let points = assembly.pdb()?.sequence_points(usage.method);
    let visible = |from: u32, to: u32| {
        let mut inside = points.iter().filter(move |it| !it.is_hidden && (from..to).contains(&it.il_offset));
        inside.next().map(|it| it.il_offset)
    };
    match visible(start, usage.il_offset + 1) {
        Some(_) => None,
        None => visible(start, end),
    }
}

/// The accessor of an auto-property or event works on its own field: that is no use of the symbol.
fn is_own_accessor(wanted: &Wanted, names: &Names<'_>, usage: &Usage) -> bool {
    let within = names.find(usage.method.token()).map(|(at, _)| wanted.part(at));
    wanted.part(usage.wanted) == Part::Backing && matches!(within, Some(Part::Getter | Part::Setter | Part::Accessor))
}

fn function(assembly: &Assembly, method: MethodId) -> (String, String) {
    let view = assembly.method(method);
    let type_ = view.declaring_type().map(|type_| type_.full_name().replace('+', ".")).unwrap_or_default();
    let raw = format!("{type_}.{}", view.name());
    match assembly.describe_frame(&raw) {
        Some(name) => (accessor_undone(&name.function), name.kind),
        None => (raw, String::new()),
    }
}

/// `Book.Price` of `Book.get_Price`; `Item.Item` of `Item..ctor`.
fn accessor_undone(function: &str) -> String {
    let Some((owner, name)) = function.rsplit_once('.') else {
        return function.to_owned();
    };
    let owner = owner.trim_end_matches('.');
    if matches!(name, "ctor" | "cctor") {
        return format!("{owner}.{}", owner.rsplit('.').next().unwrap_or(owner));
    }
    let plain = ["get_", "set_", "add_", "remove_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    format!("{owner}.{}", plain.unwrap_or(name))
}
