//! Properties, indexers and operators that a statement calls, which a step in does not enter.

use std::collections::HashSet;

use clr_metadata::il::Operand;
use clr_metadata::{MethodView, TypeView};

use super::Modules;
use super::flow::{Place, op};

/// One that somebody wrote: those that the compiler wrote have no code to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Accessor {
    /// `Order.get_Total`; of what several types implement, the name of the interface's or the base's.
    pub name: String,
    /// A function that a breakpoint can be set on.
    pub function: String,
    /// No way through the statement leads past it.
    pub is_certain: bool,
}

/// What a call names.
enum Called {
    Method(Accessor),
    /// What runs is known by the object only: full and short name of the type, and the method.
    Abstract {
        owner: String,
        short: String,
        method: String,
        is_certain: bool,
    },
}

impl Modules {
    /// Those of modules with symbols that the statement which begins there calls, in the order of the calls.
    pub(crate) fn accessors_at(&self, path: &str, place: Place) -> Vec<Accessor> {
        let (with_symbols, universe): (Vec<String>, _) = {
            let inner = self.lock();
            let known = inner.loaded.iter().filter(|module| module.symbols);
            let names = known.filter_map(|module| Some(module.path.file_stem()?.to_string_lossy().into_owned()));
            (names.collect(), inner.universe.clone())
        };
        let mut calls = Vec::new();
        self.with_statement(path, place, |assembly, method, offset, _| {
            let points = assembly.pdb()?.sequence_points(method);
            let end = points.iter().map(|point| point.il_offset).find(|next| *next > offset).unwrap_or(u32::MAX);
            let instructions = assembly.method(method).body()?.instructions().map_while(Result::ok);
            // as far as any branch before leads
            let mut skipped = 0;
            for instruction in instructions.filter(|it| (offset..end).contains(&it.offset)) {
                let is_certain = skipped <= instruction.offset;
                match instruction.operand {
                    Operand::Branch(target) => skipped = skipped.max(target),
                    Operand::Switch(targets) => skipped = targets.iter().fold(skipped, u32::max),
                    Operand::Token(token) if op::CALLS.contains(&instruction.opcode) => {
                        if let Some(method) = assembly.own_method(token) {
                            calls.extend(called(&assembly.method(method), is_certain));
                        } else if let Some(callee) =
                            assembly.callee(token).filter(|it| with_symbols.contains(&it.assembly))
                            && let Some((other, type_)) = universe.find_type(&callee.type_name)
                        {
                            let mut methods = other.type_(type_).methods().map(|method| other.method(method));
                            let found = methods.find(|it| it.name() == callee.method);
                            calls.extend(found.and_then(|it| called(&it, is_certain)));
                        }
                    }
                    _ => {}
                }
            }
            Some(())
        });
        let mut found: Vec<Accessor> = Vec::new();
        for accessor in calls.into_iter().filter_map(|call| self.accessor(call)) {
            match found.iter_mut().find(|known| known.name == accessor.name) {
                Some(known) => known.is_certain |= accessor.is_certain,
                None => found.push(accessor),
            }
        }
        found
    }

    /// By what implements it, where that is one; `None` where all that does has no code to see.
    fn accessor(&self, called: Called) -> Option<Accessor> {
        let (owner, short, method, is_certain) = match called {
            Called::Method(accessor) => return Some(accessor),
            Called::Abstract { owner, short, method, is_certain } => (owner, short, method, is_certain),
        };
        let implementations = self.purity().implementations(&owner, &method);
        let written = implementations.iter().map(|(assembly, id)| assembly.method(*id)).filter(is_written);
        let mut seen = HashSet::new();
        let functions: Vec<String> = written.filter_map(|it| named(&it)).filter(|it| seen.insert(it.clone())).collect();
        let name = format!("{short}.{method}");
        match functions.as_slice() {
            [] if !implementations.is_empty() => None,
            [] => Some(Accessor { function: name.clone(), name, is_certain }),
            [only] => Some(Accessor { name: only.clone(), function: only.clone(), is_certain }),
            [first, ..] => Some(Accessor { name, function: first.clone(), is_certain }),
        }
    }
}

fn called(method: &MethodView<'_>, is_certain: bool) -> Option<Called> {
    let is_named = ["get_", "set_", "op_"].iter().any(|prefix| method.name().starts_with(prefix));
    let owner = method.declaring_type().filter(|_| method.is_special_name() && is_named)?;
    if method.is_abstract() {
        let (full, short): (String, String) = (TypeView::full_name(&owner), owner.short_name());
        return Some(Called::Abstract { owner: full, short, method: method.name().to_owned(), is_certain });
    }
    let name = named(method).filter(|_| is_written(method))?;
    Some(Called::Method(Accessor { function: name.clone(), name, is_certain }))
}

fn is_written(method: &MethodView<'_>) -> bool {
    !method.is_abstract() && !method.is_compiler_generated()
}

fn named(method: &MethodView<'_>) -> Option<String> {
    Some(format!("{}.{}", method.declaring_type()?.short_name(), method.name()))
}
