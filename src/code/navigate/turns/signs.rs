//! At which sign of a statement an operator or a conversion is called. The instructions before the call read the variables, fields and
//! properties whose names stand in and before the operands of its sign.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::{Member, Turns, is_same_place};
use crate::code::navigate::statement::{Does, Statement, is_in_lambda};
use crate::code::navigate::symbol::last_name;
use crate::code::navigate::syntax::{Form, NodeId, Occurrence, Role, SignKind, Syntax};
use clr_metadata::il::{Operand, op};
use clr_metadata::{Assembly, LocalPlace, MethodId};

/// A sign, and how many of the statement's names run before it.
type Signs = Vec<(NodeId, usize)>;

impl Turns<'_> {
    /// The signs that call the symbol; `None` where no sign fits a call.
    pub(super) fn signs(
        &self,
        syntax: &Syntax,
        statement: &Statement,
        span: &Range<usize>,
        candidates: &[Occurrence],
    ) -> Option<BTreeMap<NodeId, Does>> {
        let (index, method) = statement.within;
        let assembly = self.navigator.assembly(index)?;
        let (names, signs) = self.written(syntax, span, candidates);
        let calls: Vec<u32> = statement.uses.iter().map(|(offset, _)| *offset).collect();
        let (read, before) = read(assembly, method, statement, &calls)?;
        // What only one side names shows nothing: types and constants, what the compiler keeps for itself.
        let common: HashSet<&str> = read.iter().map(String::as_str).filter(|it| names.contains(it)).collect();
        let first = |all: &[&str], count: usize| -> Vec<String> {
            all.iter().take(count).filter(|it| common.contains(*it)).map(|&it| it.to_owned()).collect()
        };
        let read: Vec<&str> = read.iter().map(String::as_str).collect();
        let mut found = BTreeMap::<NodeId, Does>::new();
        for ((_, does), count) in statement.uses.iter().zip(before) {
            let ahead = first(&read, count);
            let mut fitting = signs.iter().filter(|(_, count)| first(&names, *count) == ahead).peekable();
            fitting.peek()?;
            fitting.for_each(|(sign, _)| found.entry(*sign).or_default().and(does));
        }
        Some(found)
    }

    /// The names of the text that are read, in the order in which their code runs, and the signs that could mean the symbol.
    fn written<'s>(&self, syntax: &'s Syntax, span: &Range<usize>, candidates: &[Occurrence]) -> (Vec<&'s str>, Signs) {
        let is_here = |id: &NodeId| {
            let range = syntax.range(*id);
            range.start >= span.start && range.end <= span.end && !is_in_lambda(syntax, *id, span.start, span.end)
        };
        // By the expression that a sign is part of.
        let signs: HashMap<NodeId, NodeId> = match self.symbol.simple.starts_with("operator ") {
            true => {
                let all = candidates.iter().map(|it| it.node).filter(is_here);
                let operands = self.symbol.parameters.len();
                let is_unary = |id: NodeId| syntax.kind(id).ends_with("_unary_expression");
                let whole = all.filter_map(|sign| Some((syntax.parent(sign)?, sign)));
                whole.filter(|(whole, _)| is_unary(*whole) == (operands == 1)).collect()
            }
            false => {
                let casts = syntax.signs_like(&SignKind::Conversion).into_iter().filter(is_here);
                casts.map(|cast| (cast, cast)).collect()
            }
        };
        let (mut names, mut found) = (Vec::new(), Signs::new());
        syntax.each_in_order(span, |node| {
            if syntax.kind(node) == "identifier" && is_read(syntax.role(node)) {
                names.push(syntax.text(node).trim_start_matches('@'));
            }
            found.extend(signs.get(&node).map(|sign| (*sign, names.len())));
        });
        (names, found)
    }
}

/// What is called runs behind its arguments, and what is assigned is not read.
fn is_read(role: Role) -> bool {
    matches!(role, Role::Read | Role::Write(Form::Compound | Form::Increment | Form::Out | Form::Ref))
}

/// What the instructions of a statement read, by name, and of how many of these each call has them before itself.
fn read(
    assembly: &Assembly,
    method: MethodId,
    statement: &Statement,
    calls: &[u32],
) -> Option<(Vec<String>, Vec<usize>)> {
    let points = assembly.pdb()?.sequence_points(method);
    let body = assembly.body(method).ok()??;
    let variables = Variables::of(assembly, method, *calls.first()?);
    let mut ahead = points.iter().filter(|point| !point.is_hidden).peekable();
    let mut is_within = false;
    let (mut names, mut before) = (Vec::new(), vec![0; calls.len()]);
    for instruction in body.instructions().map_while(Result::ok) {
        while let Some(point) = ahead.next_if(|point| point.il_offset <= instruction.offset) {
            is_within = is_same_place(point, &statement.point);
        }
        let calls = calls.iter().zip(&mut before).filter(|(call, _)| **call == instruction.offset);
        calls.for_each(|(_, count)| *count = names.len());
        if !is_within {
            continue;
        }
        names.extend(match instruction.operand {
            Operand::Token(token) => Member::of(assembly, token).and_then(|it| name_read(it.name, instruction.opcode)),
            operand => variables.name_read(instruction.opcode, operand),
        });
    }
    Some((names, before))
}

/// Of a field or a getter.
fn name_read(raw: &str, opcode: u16) -> Option<String> {
    let name = match opcode {
        op::LDFLD | op::LDSFLD | op::LDFLDA | op::LDSFLDA => raw,
        op::CALL | op::CALLVIRT => last_name(raw).strip_prefix("get_")?,
        _ => return None,
    };
    // What the compiler keeps in a field of its own: `<Price>k__BackingField`, `<sum>5__2`.
    let kept = name.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(kept, _)| kept);
    Some(last_name(kept.unwrap_or(name)).to_owned()).filter(|name| !name.is_empty())
}

/// Names of arguments and locals, by number.
struct Variables {
    arguments: Vec<String>,
    locals: HashMap<u16, String>,
}

impl Variables {
    fn of(assembly: &Assembly, method: MethodId, il_offset: u32) -> Self {
        let view = assembly.method(method);
        let this = (!view.is_static()).then(String::new);
        let locals = assembly.locals_in_scope(method, il_offset).into_iter().filter(|it| !it.is_hidden);
        let locals = locals.filter_map(|it| match it.place {
            LocalPlace::Slot(slot) => Some((slot, it.name)),
            _ => None,
        });
        Self { arguments: this.into_iter().chain(view.parameter_names()).collect(), locals: locals.collect() }
    }

    /// What a `ldarg`, `ldloc`, or one that loads an address (ECMA-335 III.3.38 to III.3.45) reads.
    fn name_read(&self, opcode: u16, operand: Operand<'_>) -> Option<String> {
        let argument = |number: u16| self.arguments.get(usize::from(number));
        let local = |number: u16| self.locals.get(&number);
        let name = match (opcode, operand) {
            (op::LDARG_0..=0x05, _) => argument(opcode - op::LDARG_0),
            (op::LDLOC_0..=0x09, _) => local(opcode - op::LDLOC_0),
            (op::LDARG_S | 0x0f | 0xfe09 | 0xfe0a, Operand::Variable(number)) => argument(number),
            (0x11 | 0x12 | 0xfe0c | 0xfe0d, Operand::Variable(number)) => local(number),
            _ => None,
        };
        name.filter(|name| !name.is_empty()).cloned()
    }
}
