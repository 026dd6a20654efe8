//! Which of the equal names of a statement mean the symbol. Its instructions name every member, and stand in the order in which the
//! names' code runs: where both sides do the same in the same order, each name is known.

mod signs;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;

use super::Navigator;
use super::statement::{Does, Statement, is_in_lambda};
use super::symbol::{Symbol, SymbolKind, last_name};
use super::syntax::{NodeId, Occurrence, Role, Step, Syntax};
use clr_metadata::il::{Operand, op};
use clr_metadata::{Assembly, MethodId, SequencePoint, Table, Token, col};

/// An instruction that names a member called like the symbol.
#[derive(Debug, Clone, Copy)]
struct Turn {
    il_offset: u32,
    point: SequencePoint,
    /// `None`: a field's address, for whatever.
    step: Option<Step>,
}

/// By assembly and method, in the order of the instructions.
type Known = HashMap<(usize, MethodId), Rc<[Turn]>>;

/// For one question.
pub(super) struct Turns<'a> {
    navigator: &'a Navigator,
    symbol: &'a Symbol,
    known: RefCell<Known>,
}

impl<'a> Turns<'a> {
    pub(super) fn of(navigator: &'a Navigator, symbol: &'a Symbol) -> Self {
        Self { navigator, symbol, known: RefCell::default() }
    }

    /// The names of a statement that mean the symbol, each with what is done by it; `None` where the two orders do not meet.
    pub(super) fn named(
        &self,
        syntax: &Syntax,
        statement: &Statement,
        span: &Range<usize>,
        candidates: &[Occurrence],
    ) -> Option<BTreeMap<NodeId, Does>> {
        if self.symbol.kind == SymbolKind::Type {
            return None;
        }
        if self.symbol.simple.contains("operator ") {
            return self.signs(syntax, statement, span, candidates);
        }
        let (index, method) = statement.within;
        let turns = self.turns(index, method);
        let here: Vec<&Turn> = turns.iter().filter(|it| is_same_place(&it.point, &statement.point)).collect();
        let is_here = |offset: u32| here.iter().any(|it| it.il_offset == offset);
        if here.is_empty() || !statement.uses.iter().all(|(offset, _)| is_here(*offset)) {
            return None;
        }
        let names = self.names(syntax, span, candidates);
        let steps = names.iter().map(|names| syntax.steps(names, span)).find(|steps| agree(steps, &here))?;
        let mut found = BTreeMap::<NodeId, Does>::new();
        for ((_, name), turn) in steps.iter().zip(&here) {
            for (_, does) in statement.uses.iter().filter(|(offset, _)| *offset == turn.il_offset) {
                found.entry(*name).or_default().and(does);
            }
        }
        Some(found)
    }

    /// Names that may stand for members called so, in the ways in which they may be read, the likeliest first.
    fn names(&self, syntax: &Syntax, span: &Range<usize>, candidates: &[Occurrence]) -> Vec<Vec<(NodeId, Role)>> {
        let is_inside = |it: &&Occurrence| {
            let range = syntax.range(it.node);
            range.start >= span.start && range.end <= span.end && !is_in_lambda(syntax, it.node, span.start, span.end)
        };
        let is_member = |it: &&Occurrence| {
            let is_other = matches!(
                it.role,
                Role::NameOf | Role::Declaration | Role::ArgumentName | Role::TypeOf | Role::Base | Role::Attribute
            );
            let is_made = it.role == Role::New && self.symbol.kind != SymbolKind::Constructor;
            !is_other && !is_made && syntax.local(it.node).is_none()
        };
        // what is written to an element of an inline array is written through the address of the field
        let role = |it: &Occurrence| match self.symbol.kind {
            SymbolKind::Field => syntax.role(it.node),
            _ => it.role,
        };
        let all: Vec<(NodeId, Role)> =
            candidates.iter().filter(is_inside).filter(is_member).map(|it| (it.node, role(it))).collect();
        let as_role = |from: Role, to: Role| -> Vec<(NodeId, Role)> {
            all.iter().map(|&(node, role)| (node, if role == from { to } else { role })).collect()
        };
        match self.symbol.kind {
            SymbolKind::Constructor => {
                let made = as_role(Role::Call, Role::New);
                let is_explicit =
                    |(node, _): &&(NodeId, Role)| syntax.kind(*node) != "implicit_object_creation_expression";
                vec![made.iter().filter(is_explicit).copied().collect(), made]
            }
            SymbolKind::Method => {
                let added = syntax.added(span).filter(|_| self.symbol.simple == "Add").map(|node| (node, Role::Call));
                let all = all.iter().copied().chain(added).collect();
                vec![all, as_role(Role::Call, Role::Read)]
            }
            // What a field or property holds may be called.
            _ => vec![as_role(Role::Call, Role::Read), all],
        }
    }

    fn turns(&self, index: usize, method: MethodId) -> Rc<[Turn]> {
        if let Some(known) = self.known.borrow().get(&(index, method)) {
            return Rc::clone(known);
        }
        let found: Rc<[Turn]> = self.read(index, method).unwrap_or_default().into();
        self.known.borrow_mut().insert((index, method), Rc::clone(&found));
        found
    }

    fn read(&self, index: usize, method: MethodId) -> Option<Vec<Turn>> {
        let assembly = self.navigator.assembly(index)?;
        let points = assembly.pdb()?.sequence_points(method);
        let body = assembly.body(method).ok()??;
        let mut ahead = points.iter().filter(|point| !point.is_hidden).peekable();
        let mut at = None;
        let mut found = Vec::new();
        for instruction in body.instructions().map_while(Result::ok) {
            while let Some(point) = ahead.next_if(|point| point.il_offset <= instruction.offset) {
                at = Some(*point);
            }
            let (Operand::Token(token), Some(point)) = (instruction.operand, at) else { continue };
            let Some(member) = Member::of(assembly, token) else { continue };
            let Some(step) = self.step(assembly, &member, instruction.opcode) else { continue };
            found.push(Turn { il_offset: instruction.offset, point, step });
        }
        Some(found)
    }

    /// What an instruction does with the member, if that is called like the symbol.
    fn step(&self, assembly: &Assembly, member: &Member<'_>, opcode: u16) -> Option<Option<Step>> {
        let of_field = match opcode {
            op::LDFLD | op::LDSFLD => Some(Some(Step::Read)),
            op::STFLD | op::STSFLD => Some(Some(Step::Write)),
            op::LDFLDA | op::LDSFLDA => Some(None),
            _ => None,
        };
        let simple = self.symbol.simple.as_str();
        if of_field.is_some() {
            return of_field.filter(|_| is_field_of(member.name, simple));
        }
        if member.name == ".ctor" {
            let is_made = self.symbol.kind == SymbolKind::Constructor && member.type_simple(assembly) == simple;
            return is_made.then_some(Some(Step::New));
        }
        if !matches!(opcode, op::CALL | op::CALLVIRT | op::NEWOBJ | op::LDFTN | op::LDVIRTFTN | op::LDTOKEN) {
            return None;
        }
        let name = last_name(member.name);
        let accessors = [("get_", Step::Read), ("set_", Step::Write), ("add_", Step::Write), ("remove_", Step::Write)];
        let accessor = accessors.iter().find(|(prefix, _)| name.strip_prefix(prefix) == Some(simple));
        match accessor {
            Some((_, step)) => Some(Some(*step)),
            None if name != simple => None,
            None if matches!(opcode, op::CALL | op::CALLVIRT) => Some(Some(Step::Call)),
            None => Some(Some(Step::Read)),
        }
    }
}

/// A field's own name, or that of the property whose value it keeps.
fn is_field_of(raw: &str, simple: &str) -> bool {
    let kept = raw.strip_prefix('<').and_then(|rest| rest.strip_suffix(">k__BackingField"));
    last_name(kept.unwrap_or(raw)) == simple
}

fn agree(steps: &[(Step, NodeId)], turns: &[&Turn]) -> bool {
    let same = |((step, _), turn): (&(Step, NodeId), &&Turn)| {
        turn.step == Some(*step) || turn.step.is_none() && matches!(step, Step::Read | Step::Write)
    };
    steps.len() == turns.len() && steps.iter().zip(turns).all(same)
}

fn is_same_place(a: &SequencePoint, b: &SequencePoint) -> bool {
    (a.line, a.column, a.end_line, a.end_column) == (b.line, b.column, b.end_line, b.end_column)
}

/// What a token names, as far as names go.
struct Member<'a> {
    name: &'a str,
    token: Token,
}

impl<'a> Member<'a> {
    fn of(assembly: &'a Assembly, token: Token) -> Option<Self> {
        let metadata = assembly.metadata();
        let token = match token.row_of(Table::MethodSpec) {
            Some(row) => metadata.token(row, col::MethodSpec::Method).ok()?,
            None => token,
        };
        let name = match token.table()? {
            Table::MethodDef => metadata.string(token.row(), col::MethodDef::Name),
            Table::Field => metadata.string(token.row(), col::Field::Name),
            Table::MemberRef => metadata.string(token.row(), col::MemberRef::Name),
            _ => return None,
        };
        Some(Self { name: name.ok()?, token })
    }

    /// The name of its type in source.
    fn type_simple(&self, assembly: &Assembly) -> String {
        let full_name = match MethodId::from_token(self.token) {
            Some(method) => assembly.method(method).declaring_type().map(|it| it.full_name()),
            None => {
                let class = assembly.metadata().token(self.token.row(), col::MemberRef::Class).ok();
                class.and_then(|class| assembly.metadata().type_full_name(class).ok())
            }
        };
        let path = super::symbol::bare_path(&full_name.unwrap_or_default());
        last_name(&path).to_owned()
    }
}
