//! From a position in a source file to the symbol named there.

use std::sync::Arc;

use super::array;
use super::binding::{Binding, Scope};
use super::local::Local;
use super::statement::{covers, is_of_other_pattern, place_of};
use super::symbol::{Symbol, SymbolKind};
use super::syntax::{NodeId, Role, Sign, Syntax};
use super::{NavigateError, Navigator, Target};
use clr_metadata::il::Operand;
use clr_metadata::{Assembly, MethodId, SequencePoint};

/// What stands at a place in a text.
enum Standing {
    Name(NodeId),
    /// With a byte of it.
    Sign(Sign, usize),
}

impl Navigator {
    pub(super) fn at(&self, file: &str, line: u32, column: u32) -> Result<Target, NavigateError> {
        let index = self.files.asked(file)?;
        let unreadable = || NavigateError::FileNotFound { file: file.to_owned(), nearest: None };
        let syntax = self.syntax(index).ok_or_else(unreadable)?;
        let name = match self.standing_at(&syntax, file, line, column)? {
            Standing::Name(name) => name,
            Standing::Sign(sign, byte) => {
                let shown = format!("{file}:{line}:{column}");
                return self.of_sign(index, &syntax, &sign, (byte, shown)).map(Target::Symbols);
            }
        };
        match syntax.called(name) {
            Some(called) => self.parameter(index, &syntax, (name, called)),
            None => self.of_identifier(index, &syntax, name),
        }
    }

    pub(super) fn of_identifier(
        &self,
        file: usize,
        syntax: &Arc<Syntax>,
        name: NodeId,
    ) -> Result<Target, NavigateError> {
        if let Some((declared, scope)) = syntax.local(name) {
            return Ok(Target::Locals(vec![Local::of(file, Arc::clone(syntax), declared, scope)]));
        }
        let declared = self.compiled_from(file, self.declared_at(syntax, name));
        if !declared.is_empty() {
            return Ok(Target::Symbols(declared));
        }
        let mut used = self.used_at(file, syntax, name);
        if syntax.role(name) == Role::Read {
            // `Func<int> f = () => 1` makes an object, and names the type
            used.retain(|it| it.kind != SymbolKind::Constructor);
        }
        let binding = Binding::of(self, None);
        let scope = Scope::of(&binding, syntax, file);
        let of_type = self.of_type_before(&scope, name);
        let (both, others): (Vec<_>, Vec<_>) =
            used.into_iter().partition(|used| of_type.iter().any(|it| it.display == used.display));
        let found = [both, of_type, others].into_iter().find(|found| !found.is_empty());
        found.map_or_else(|| self.by_name(&scope, name), Ok).map(Target::Symbols)
    }

    fn standing_at(&self, syntax: &Syntax, file: &str, line: u32, column: u32) -> Result<Standing, NavigateError> {
        let outside = |argument, message: String, hint: &str| NavigateError::InvalidArgument {
            argument,
            message,
            hint: hint.to_owned(),
        };
        if line > syntax.line_count() {
            let message = format!("line {line} is past the end: the last line of {file} is {}", syntax.line_count());
            return Err(outside("line", message, "pass a line of the current file"));
        }
        let byte = syntax.byte_at(line, column).unwrap_or(0);
        let is_name = |id: &NodeId| {
            matches!(syntax.kind(*id), "identifier" | "this") && syntax.position(syntax.range(*id).start).0 == line
        };
        // On the name or sign, or right behind it.
        for at in [byte, byte.saturating_sub(1)] {
            if let Some(name) = Some(syntax.innermost(&(at..at + 1))).filter(is_name) {
                return Ok(Standing::Name(name));
            }
            if let Some(sign) = syntax.sign_at(at).filter(|_| syntax.position(at).0 == line) {
                return Ok(Standing::Sign(sign, at));
            }
        }
        let mut names: Vec<String> = Vec::new();
        for id in syntax.all().filter(is_name) {
            names.push(format!("{} {}", syntax.position(syntax.range(id).start).1, syntax.text(id)));
        }
        names.truncate(8);
        let hint = match names.is_empty() {
            true => "pass a line that contains an identifier".to_owned(),
            false => format!("names on the line by column: {}", names.join(", ")),
        };
        Err(outside("column", format!("no name at {file}:{line}:{column}"), &hint))
    }

    /// Of symbols of one name, those of the assemblies that the file is compiled into, if any is.
    fn compiled_from(&self, file: usize, mut found: Vec<Symbol>) -> Vec<Symbol> {
        let is_compiled = |symbol: &Symbol| {
            let into = self.compiled_into(file).into_iter().flatten();
            symbol.home.is_some_and(|home| into.into_iter().any(|it| it == home.assembly))
        };
        if found.len() > 1 && found.iter().any(is_compiled) {
            found.retain(is_compiled);
        }
        found
    }

    pub(super) fn declared_at(&self, syntax: &Syntax, name: NodeId) -> Vec<Symbol> {
        let Some(declaration) = syntax.declarations().into_iter().find(|it| it.name == name) else {
            return Vec::new();
        };
        let simple = syntax.operator_name(declaration.node).unwrap_or_else(|| syntax.text(name).to_owned());
        let path = match declaration.owner.is_empty() {
            true => simple,
            false => format!("{}.{simple}", declaration.owner),
        };
        let mut found = self.find(&path).unwrap_or_default();
        let declares = |symbol: &Symbol| super::definition::declared(syntax, symbol).iter().any(|it| it.name == name);
        found.retain(declares);
        // One overload may be declared in another part of the type.
        let is_spelled = |symbol: &Symbol| super::definition::is_spelled(&declaration, symbol);
        if found.iter().any(is_spelled) {
            found.retain(is_spelled);
        }
        // `Map` is not `Map<T>`, which may be declared in another file
        let is_in = |symbol: &Symbol| {
            symbol.kind == SymbolKind::Type
                || super::definition::arities(symbol) == syntax.arities_around(declaration.node)
        };
        if found.iter().any(is_in) {
            found.retain(is_in);
        }
        found
    }

    /// What the instructions of the statement name that is spelled so.
    fn used_at(&self, file: usize, syntax: &Syntax, name: NodeId) -> Vec<Symbol> {
        let text = syntax.text(name);
        let start = place_of(syntax, name).start;
        let line = syntax.position(start).0;
        let mut found: Vec<Symbol> = Vec::new();
        for (index, document) in self.compiled().get(&file).into_iter().flatten() {
            let (index, Some(assembly)) = (*index, self.assembly(*index)) else { continue };
            let Some(pdb) = assembly.pdb() else { continue };
            for method in pdb.methods_at(document.id, line) {
                for (token, il_offset) in tokens_at(assembly, method, |point| covers(syntax, point, start)) {
                    let symbol = self.of_token(index, token).filter(|symbol| symbol.simple == text);
                    let symbol = symbol.map(|named| {
                        let dispatch = assembly.dispatches(method, &[il_offset]).pop();
                        dispatch.and_then(|how| self.override_for(index, &how, &named)).unwrap_or(named)
                    });
                    found.extend(symbol.filter(|symbol| !found.iter().any(|it| it.display == symbol.display)));
                }
                let is_of_array = syntax.is_of_array(name);
                if let Some(length) =
                    array::length_at(assembly, syntax, (method, name)).filter(|_| is_of_array != Some(false))
                {
                    found.retain(|it| it.display == length.display || is_of_array.is_none());
                    found.extend(Some(length).filter(|it| !found.iter().any(|known| known.display == it.display)));
                }
            }
        }
        // all that the cases of one `switch` ask stands at one point
        let is_its = |it: &Symbol| !is_of_other_pattern(syntax, name, it);
        if found.iter().any(is_its) {
            found.retain(is_its);
        }
        found
    }
}

/// The tokens in the code of those statements, each with the IL offset of the first instruction that has it.
fn tokens_at(
    assembly: &Assembly,
    method: MethodId,
    is_wanted: impl Fn(&SequencePoint) -> bool,
) -> Vec<(clr_metadata::Token, u32)> {
    let (Some(pdb), Ok(Some(body))) = (assembly.pdb(), assembly.body(method)) else {
        return Vec::new();
    };
    let points = pdb.sequence_points(method);
    let mut ahead = points.iter().peekable();
    let mut is_within = false;
    let mut tokens = Vec::new();
    for instruction in body.instructions().map_while(Result::ok) {
        while let Some(point) = ahead.next_if(|point| point.il_offset <= instruction.offset) {
            is_within = if point.is_hidden { is_within } else { is_wanted(point) };
        }
        if let (Operand::Token(token), true) = (instruction.operand, is_within) {
            tokens.push((token, instruction.offset));
        }
    }
    tokens.sort_unstable();
    tokens.dedup_by_key(|(token, _)| *token);
    tokens
}
