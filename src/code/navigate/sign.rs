//! From the sign of an operator, a cast or an indexer to the member that it calls.
//!
//! The statement's instructions show which members are called, not at which sign. If there are as many calls as signs, each sign
//! gets its call; otherwise all called members are returned.

use super::statement::is_in_lambda;
use super::symbol::{Part, Symbol, SymbolKind};
use super::syntax::{NodeId, Operation, Sign, SignKind, Syntax};
use super::{NavigateError, Navigator};
use clr_metadata::il::{Operand, op};
use clr_metadata::{Assembly, MemberName, MethodId, SequencePoint};

/// What the instructions of a statement do that a sign can stand for, in their order; `None` is built in.
#[derive(Default)]
struct Done {
    all: Vec<Option<Symbol>>,
    /// `string.Concat`: one call for several signs.
    joins_texts: bool,
    /// `operator true` or `false`, without which `&&` is built in.
    tests_truth: bool,
}

impl Navigator {
    /// `shown` is where the sign stands, for people.
    pub(super) fn of_sign(
        &self,
        file: usize,
        syntax: &Syntax,
        sign: &Sign,
        (byte, shown): (usize, String),
    ) -> Result<Vec<Symbol>, NavigateError> {
        let mut found: Vec<Symbol> = Vec::new();
        let mut is_compiled = false;
        if sign.what == SignKind::Declaration {
            let declared = syntax.declarations().into_iter().find(|it| it.node == sign.node);
            found = declared.map(|it| self.declared_at(syntax, it.name)).unwrap_or_default();
        } else {
            let line = syntax.position(byte).0;
            for (index, assembly) in self.assemblies.iter().enumerate() {
                let Some((method, point)) = self.statement_at(assembly, file, syntax, (line, byte)) else { continue };
                is_compiled = true;
                let called = self.called(index, (method, &point), syntax, sign).into_iter();
                for symbol in called {
                    if !found.iter().any(|it| it.display == symbol.display) {
                        found.push(symbol);
                    }
                }
            }
        }
        if found.is_empty() {
            let why = match (&sign.what, is_compiled) {
                (_, false) => "the build has no code there (it is a constant, or the source is newer)",
                (SignKind::Indexer, true) => "it accesses an array element or a range, not an indexer",
                (SignKind::Conversion, true) => "the conversion is built in",
                _ => "the operator is built in",
            };
            let (sign, why) = (sign.what.written(), why.to_owned());
            return Err(NavigateError::NoMember { sign, place: shown, why });
        }
        Ok(found)
    }

    /// The innermost statement that has the byte: a lambda's own, say.
    fn statement_at(
        &self,
        assembly: &Assembly,
        file: usize,
        syntax: &Syntax,
        (line, byte): (u32, usize),
    ) -> Option<(MethodId, SequencePoint)> {
        let pdb = assembly.pdb()?;
        let documents = pdb.documents().iter().filter(|it| self.files.of_document(&it.path) == Some(file));
        let methods = documents.flat_map(|document| pdb.methods_at(document.id, line));
        let innermost = methods.filter_map(|method| {
            let (length, point) = innermost(&pdb.sequence_points(method), syntax, byte)?;
            Some((length, method, point))
        });
        innermost.min_by_key(|(length, ..)| *length).map(|(_, method, point)| (method, point))
    }

    fn called(
        &self,
        index: usize,
        (method, point): (MethodId, &SequencePoint),
        syntax: &Syntax,
        sign: &Sign,
    ) -> Vec<Symbol> {
        let done = self.done(index, method, point, &sign.what);
        if matches!(sign.what, SignKind::Operator { how: Operation::ShortCircuit, .. }) && !done.tests_truth {
            return Vec::new();
        }
        let Some((start, end)) = bytes(point, syntax) else { return Vec::new() };
        let points = self.assembly(index).and_then(|it| Some(it.pdb()?.sequence_points(method))).unwrap_or_default();
        let is_inside = |&id: &NodeId| {
            let at = innermost(&points, syntax, syntax.range(id).start);
            at.is_some_and(|(_, at)| is_same_place(&at, point)) && !is_in_lambda(syntax, id, start, end)
        };
        let mut signs: Vec<NodeId> = syntax.signs_like(&sign.what).into_iter().filter(is_inside).collect();
        if done.joins_texts {
            signs.retain(|&id| !syntax.joins_texts(id));
        }
        signs.sort_by_key(|&id| syntax.runs_at(id));
        let turn = signs.iter().position(|&id| id == sign.node);
        match turn {
            _ if signs.len() != done.all.len() => done.all.into_iter().flatten().collect(),
            Some(turn) => done.all.into_iter().nth(turn).flatten().into_iter().collect(),
            // A text is joined.
            None => Vec::new(),
        }
    }

    fn done(&self, index: usize, method: MethodId, at: &SequencePoint, sign: &SignKind) -> Done {
        let mut done = Done::default();
        let Some(assembly) = self.assembly(index) else { return done };
        let (Some(pdb), Ok(Some(body))) = (assembly.pdb(), assembly.body(method)) else { return done };
        let points = pdb.sequence_points(method);
        let mut ahead = points.iter().peekable();
        let mut is_within = false;
        let mut is_converted = false;
        for instruction in body.instructions().map_while(Result::ok) {
            while let Some(point) = ahead.next_if(|point| point.il_offset <= instruction.offset) {
                is_within = if point.is_hidden { is_within } else { is_same_place(point, at) };
            }
            if !is_within {
                continue;
            }
            if let (op::CALL | op::CALLVIRT, Operand::Token(callee)) = (instruction.opcode, instruction.operand) {
                let Some(symbol) = self.of_token(index, callee) else { continue };
                done.joins_texts |= symbol.owner == "System.String" && symbol.simple == "Concat";
                done.tests_truth |= matches!(symbol.simple.as_str(), "operator true" | "operator false");
                is_converted = sign.may_call(&symbol);
                if is_converted {
                    let dispatch = assembly.dispatches(method, &[instruction.offset]).pop();
                    let taken = dispatch.and_then(|how| self.override_for(index, &how, &symbol));
                    done.all.push(Some(taken.unwrap_or(symbol)));
                }
            } else {
                // What an operator returned is converted once more, to its own type: that is the same sign.
                let is_same = std::mem::take(&mut is_converted) && *sign == SignKind::Conversion;
                if sign.is_built_in(instruction.opcode) && !is_same {
                    done.all.push(None);
                }
            }
        }
        done
    }
}

impl SignKind {
    /// Whether code calls the member by this sign.
    fn may_call(&self, symbol: &Symbol) -> bool {
        let signatures = || {
            symbol.names.iter().filter_map(|(name, part)| match &name.member {
                Some(MemberName::Method(_, signature)) => Some((signature, *part)),
                _ => None,
            })
        };
        match self {
            Self::Operator { sign, operands, .. } => {
                let Some(name) = symbol.simple.strip_prefix("operator ") else { return false };
                let name = name.strip_prefix("checked ").unwrap_or(name);
                signatures().any(|(signature, _)| {
                    // Only `a += b` and `a++` may be methods of the object.
                    let is_named = name == *sign || signature.has_this && name.strip_suffix('=') == Some(sign);
                    is_named && signature.parameters.len() + usize::from(signature.has_this) == *operands
                })
            }
            Self::Conversion => symbol.simple.contains(" operator "),
            // A framework's indexer is known by its accessor alone: a property with parameters.
            Self::Indexer => {
                let takes = |part: Part, count: usize| if part == Part::Setter { count > 1 } else { count > 0 };
                symbol.kind == SymbolKind::Indexer
                    || symbol.kind == SymbolKind::Property
                        && signatures().any(|(signature, part)| takes(part, signature.parameters.len()))
            }
            Self::Declaration => false,
        }
    }

    /// Whether the instruction (ECMA-335 III.3, III.4) does by itself what the sign says. Comparisons are left out: they may branch.
    fn is_built_in(&self, opcode: u16) -> bool {
        match self {
            Self::Operator { sign, operands, .. } => match (*sign, operands) {
                ("+", 2) => matches!(opcode, 0x58 | 0xd6 | 0xd7),
                ("-", 2) => matches!(opcode, 0x59 | 0xda | 0xdb),
                ("*", _) => matches!(opcode, 0x5a | 0xd8 | 0xd9),
                ("/", _) => matches!(opcode, 0x5b | 0x5c),
                ("%", _) => matches!(opcode, 0x5d | 0x5e),
                ("&", _) => opcode == 0x5f,
                ("|", _) => opcode == 0x60,
                ("^", _) => opcode == 0x61,
                ("<<", _) => opcode == 0x62,
                (">>", _) => opcode == 0x63,
                (">>>", _) => opcode == 0x64,
                ("-", 1) => opcode == 0x65,
                ("~", _) => opcode == 0x66,
                _ => false,
            },
            Self::Conversion => {
                matches!(opcode, 0x67..=0x6e | 0x74 | 0x76 | 0xa5 | 0xb3..=0xba | 0xd1..=0xd5 | 0xe0)
            }
            Self::Indexer => matches!(opcode, 0x8f..=0xa4),
            Self::Declaration => false,
        }
    }

    /// As people see it.
    fn written(&self) -> String {
        match self {
            Self::Operator { sign, how: Operation::Plain, .. } => (*sign).to_owned(),
            Self::Operator { sign, how: Operation::Compound, .. } => format!("{sign}="),
            Self::Operator { sign, how: Operation::ShortCircuit, .. } => sign.repeat(2),
            Self::Conversion => "()".to_owned(),
            Self::Indexer => "[]".to_owned(),
            Self::Declaration => "operator".to_owned(),
        }
    }
}

/// The point that holds a byte, and is shortest; with its length.
fn innermost(points: &[SequencePoint], syntax: &Syntax, byte: usize) -> Option<(usize, SequencePoint)> {
    let visible = points.iter().filter(|point| !point.is_hidden);
    let holding = visible.filter_map(|point| {
        let (start, end) = bytes(point, syntax)?;
        (start..end).contains(&byte).then_some((end - start, *point))
    });
    holding.min_by_key(|(length, _)| *length)
}

/// Start and end within the text.
fn bytes(point: &SequencePoint, syntax: &Syntax) -> Option<(usize, usize)> {
    syntax.byte_at(point.line, point.column).zip(syntax.byte_at(point.end_line, point.end_column))
}

fn is_same_place(a: &SequencePoint, b: &SequencePoint) -> bool {
    (a.line, a.column, a.end_line, a.end_column) == (b.line, b.column, b.end_line, b.end_column)
}
