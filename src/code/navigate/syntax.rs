//! A C# source as a tree, for what IL does not have: columns, constants, `nameof`, comments, locals, declarations without code.
//!
//! Names are not resolved here. The tree is held flat, in the order of the text, with the parent's number in each node: nothing recurses, so
//! no nesting of a hostile source can overflow the stack. Race to remember: a source may be newer than the assembly that is asked.

mod conditional;
mod declarations;
mod eased;
mod evaluation;
mod extensions;
mod occurrences;
mod operators;
mod products;
mod signs;

pub(super) use declarations::{Declaration, DeclarationKind};
pub(super) use evaluation::Step;
pub use occurrences::Form;
pub(super) use occurrences::{Occurrence, Role};
use products::Product;
pub(super) use signs::{Operation, Sign, SignKind};

use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tree_sitter::{Language, ParseOptions, Parser};

/// Names of kinds and fields are the grammar's own.
static GRAMMAR: LazyLock<Language> = LazyLock::new(|| tree_sitter_c_sharp::LANGUAGE.into());

/// Bytes of a source that is read; what is larger is generated.
const MOST_BYTES: usize = 4 << 20;
const MOST_NODES: usize = 1 << 20;
const MOST_DEPTH: usize = 4096;
/// Error recovery is slow on texts that are no C#.
const MOST_TIME: Duration = Duration::from_secs(2);

/// A node by its number, in the order of the text.
pub(super) type NodeId = usize;

#[derive(Debug, Clone, Copy)]
struct Node {
    /// As the grammar calls it: `identifier`, `class_declaration`, `+=`.
    kind: &'static str,
    /// What it is to its parent: `name`, `left`, `type`.
    field: Option<&'static str>,
    start: u32,
    end: u32,
    parent: u32,
    /// The first node behind it and all that it holds.
    next: u32,
}

#[derive(Debug)]
pub(super) struct Syntax {
    text: String,
    nodes: Vec<Node>,
    /// Byte at which each line begins.
    lines: Vec<usize>,
}

impl Syntax {
    /// `None` for what is too large, or takes too long.
    #[cfg(test)]
    pub(super) fn parse(text: String) -> Option<Self> {
        Self::parse_compiled(text, Vec::new)
    }

    /// What at least one of the builds compiled; each is given as the symbols that decided its `#if`s. Without a build, all of the text.
    pub(super) fn parse_compiled(text: String, builds: impl FnOnce() -> Vec<Vec<String>>) -> Option<Self> {
        if text.len() > MOST_BYTES {
            return None;
        }
        let blank = match conditional::has_directives(&text) {
            true => conditional::omitted(&text, &builds()),
            false => Vec::new(),
        };
        let compiled = blanked(&text, blank.into_iter().chain(eased::unknown(&text)));
        let mut parser = Parser::new();
        parser.set_language(&GRAMMAR).ok()?;
        let deadline = Instant::now() + MOST_TIME;
        let mut in_time = |_: &tree_sitter::ParseState| match Instant::now() < deadline {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let options = ParseOptions::new().progress_callback(&mut in_time);
        let bytes = compiled.as_deref().unwrap_or(&text).as_bytes();
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))?;
        let nodes = flatten(&tree)?;
        Some(Self::with(nodes, text))
    }

    /// The lines of a text that is not parsed: no name occurs in it.
    pub(super) fn plain(text: String) -> Self {
        let end = text.len() as u32;
        let root = Node { kind: "compilation_unit", field: None, start: 0, end, parent: 0, next: 1 };
        Self::with(vec![root], text)
    }

    fn with(nodes: Vec<Node>, text: String) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Self { nodes, lines, text }
    }

    fn node(&self, id: NodeId) -> Node {
        const NONE: Node = Node { kind: "", field: None, start: 0, end: 0, parent: 0, next: 0 };
        self.nodes.get(id).copied().unwrap_or(NONE)
    }

    pub(super) fn kind(&self, id: NodeId) -> &'static str {
        self.node(id).kind
    }

    pub(super) fn field(&self, id: NodeId) -> Option<&'static str> {
        self.node(id).field
    }

    pub(super) fn range(&self, id: NodeId) -> Range<usize> {
        let node = self.node(id);
        node.start as usize..node.end as usize
    }

    pub(super) fn text(&self, id: NodeId) -> &str {
        self.text.get(self.range(id)).unwrap_or_default()
    }

    /// `None` for the root.
    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != 0).then(|| self.node(id).parent as usize)
    }

    /// From the parent on outwards; no code that people read is nested so deeply that this ends early.
    pub(super) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |&around| self.parent(around)).take(MOST_DEPTH)
    }

    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(id).next as usize;
        let inside = move |&child: &NodeId| child < end;
        std::iter::successors(Some(id + 1).filter(inside), move |&child| {
            Some(self.node(child).next as usize).filter(inside)
        })
    }

    /// The child that has this role.
    pub(super) fn child(&self, id: NodeId, field: &str) -> Option<NodeId> {
        self.children(id).find(|&child| self.field(child) == Some(field))
    }

    pub(super) fn has_child(&self, id: NodeId, kind: &str) -> bool {
        self.children(id).any(|child| self.kind(child) == kind)
    }

    pub(super) fn all(&self) -> Range<NodeId> {
        0..self.nodes.len()
    }

    /// The node and all that it holds.
    pub(super) fn within(&self, id: NodeId) -> Range<NodeId> {
        id..self.node(id).next as usize
    }

    /// The smallest node that holds the bytes.
    pub(super) fn innermost(&self, bytes: &Range<usize>) -> NodeId {
        let holds = |id: NodeId| {
            let range = self.range(id);
            range.start <= bytes.start && range.end >= bytes.end
        };
        let mut innermost = 0;
        while let Some(inner) = self.children(innermost).find(|&child| holds(child)) {
            innermost = inner;
        }
        innermost
    }

    /// Line and column, both from 1, the column in UTF-16 units as in a PDB.
    pub(super) fn position(&self, byte: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= byte).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..byte).unwrap_or_default();
        (line as u32, before.chars().map(char::len_utf16).sum::<usize>() as u32 + 1)
    }

    /// The byte of a line and column as in a PDB; behind the line's end, its end.
    pub(super) fn byte_at(&self, line: u32, column: u32) -> Option<usize> {
        let start = *self.lines.get((line as usize).checked_sub(1)?)?;
        let rest = self.text.get(start..)?;
        let mut left = column.saturating_sub(1) as usize;
        for (at, character) in rest.char_indices() {
            if left == 0 || character == '\n' {
                return Some(start + at);
            }
            left = left.saturating_sub(character.len_utf16());
        }
        Some(self.text.len())
    }

    /// The text of a line, trimmed; empty behind the end.
    pub(super) fn line(&self, line: u32) -> &str {
        let bounds = (line as usize).checked_sub(1).and_then(|at| Some((*self.lines.get(at)?, self.lines.get(at + 1))));
        let Some((start, end)) = bounds else {
            return "";
        };
        self.text.get(start..end.copied().unwrap_or(self.text.len())).unwrap_or_default().trim()
    }

    pub(super) fn line_count(&self) -> u32 {
        self.lines.len() as u32
    }
}

/// With blanks in place of some bytes: nothing moves. `None`: there is nothing to blank.
fn blanked(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> Option<String> {
    let mut ranges = ranges.peekable();
    ranges.peek()?;
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        let range = bytes.get_mut(range).unwrap_or_default();
        range.iter_mut().filter(|byte| !matches!(**byte, b'\r' | b'\n')).for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).ok()
}

/// Punctuation without information.
const SKIPPED: [&str; 9] = [";", ",", "(", ")", "{", "}", "[", "]", "."];

fn flatten(tree: &tree_sitter::Tree) -> Option<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::new();
    // Numbers of the nodes around the cursor, each with the product that it is a part of.
    let mut around: Vec<(u32, Option<Product>)> = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let id = nodes.len() as u32;
        if nodes.len() >= MOST_NODES {
            return None;
        }
        let is_skipped = !node.is_named() && SKIPPED.contains(&node.kind());
        if !is_skipped {
            let (parent, within) = around.last().copied().unwrap_or((0, None));
            let field = cursor.field_id().and_then(|id| GRAMMAR.field_name_for_id(id.get()));
            let product = Product::of(&node, within);
            if product == Some(Product::Factor) && cursor.goto_first_child() {
                around.push((parent, product));
                continue;
            }
            nodes.push(Node {
                // The parameter of a lambda without brackets is a name and no more.
                kind: match GRAMMAR.node_kind_for_id(node.kind_id()).unwrap_or_default() {
                    "implicit_parameter" => "identifier",
                    kind => product.and_then(Product::kind).unwrap_or(kind),
                },
                field: within.map_or(field, |within| within.field(field)),
                start: node.start_byte() as u32,
                end: node.end_byte() as u32,
                parent,
                next: id + 1,
            });
            // A name that is a keyword elsewhere (`group`) has that within.
            if !matches!(node.kind(), "identifier" | "implicit_parameter") && cursor.goto_first_child() {
                around.push((id, product));
                continue;
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(nodes);
            }
            let (closed, next) = (around.pop()?.0, nodes.len() as u32);
            nodes.get_mut(closed as usize)?.next = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_as_a_pdb_does() {
        let syntax = Syntax::parse("class A\n{\n  string é = \"😀\"; int b;\r\n}\n".to_owned()).unwrap();
        let b = syntax.all().find(|&id| syntax.kind(id) == "identifier" && syntax.text(id) == "b").unwrap();
        let at = syntax.range(b).start;
        // The face takes two units of UTF-16, four bytes.
        assert_eq!(syntax.position(at), (3, 24));
        assert_eq!(syntax.byte_at(3, 24), Some(at));
        assert_eq!((syntax.line(3), syntax.line(9)), ("string é = \"😀\"; int b;", ""));
        assert_eq!((syntax.byte_at(0, 1), syntax.byte_at(99, 1)), (None, None));
        assert_eq!(syntax.kind(syntax.innermost(&(at..at + 1))), "identifier");
    }

    #[test]
    fn a_name_may_be_a_keyword_elsewhere() {
        for name in ["group", "from", "select", "when", "var", "file", "get", "async", "record", "field", "value"] {
            let code = format!("class A {{ int {name}; int M(A a) => a.{name} + this.{name}; }}");
            let syntax = Syntax::parse(code).unwrap();
            let found = syntax.occurrences(name);
            assert_eq!(found.len(), 3, "{name}");
            let leaves = found.iter().filter(|it| syntax.innermost(&syntax.range(it.node)) == it.node).count();
            assert_eq!((leaves, syntax.declarations().len()), (3, 3), "{name}");
        }
    }

    #[test]
    fn no_depth_of_nesting_overflows_the_stack() {
        let small = std::thread::Builder::new().stack_size(256 << 10);
        let deep = small.spawn(|| {
            for (open, close) in
                [("(", ")"), ("{", "}"), ("a<", ">"), ("[", "]"), ("$\"{", "}\""), ("class A{", "}"), ("a.b(", ")")]
            {
                let text = format!("class A {{ int x = {}{}; }}", open.repeat(20_000), close.repeat(20_000));
                let Some(syntax) = Syntax::parse(text) else { continue };
                let last = syntax.all().next_back().unwrap();
                assert!(syntax.ancestors(last).count() <= MOST_DEPTH);
                assert!(syntax.declarations().len() <= 20_001);
                assert!(syntax.occurrences("b").len() <= 20_000);
            }
        });
        deep.unwrap().join().unwrap();
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        assert!(Syntax::parse(" ".repeat(MOST_BYTES + 1)).is_none());
        assert!(Syntax::parse(String::new()).is_some());
    }
}
