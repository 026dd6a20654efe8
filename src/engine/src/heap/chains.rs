//! Why objects are alive: the shortest chain from a root to each, in words, and equal ones counted once.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::graph::{Before, Graph, Reached};
use super::memory::Window;
use super::references::{self, Edge};
use super::roots::{Root, Roots};
use super::types::behind;
use super::{Cut, Found, Heap, HeapError, Pace, named_types};

/// Which objects are asked about.
pub enum Kept<'k> {
    /// Those of a type and of the classes derived from it.
    Type(&'k str),
    /// The one at an address.
    Object(u64),
}

/// A chain that one or more objects have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// `static Shop.Clock.s_hub`
    pub root: String,
    /// `Hub.Tick[*]`, `Watcher.Link`: fields with the type of the object that has them.
    pub steps: Vec<String>,
    /// Objects that hang on such a chain.
    pub count: u64,
    /// One of them: its address, its type and its size.
    pub example: (u64, String, u64),
}

#[derive(Debug, Default)]
pub struct Chains {
    /// That of the most objects first.
    pub list: Vec<Chain>,
    pub objects: u64,
    /// Of these those that no root reaches: garbage that was not collected yet.
    pub unreachable: u64,
    /// Some of those have a finalizer: the runtime keeps them until it has run.
    pub has_finalizer: bool,
    /// The types that the name stands for, where it stands for several.
    pub types: Vec<String>,
    pub cut: Option<Cut>,
}

/// Objects between two looks at the clock.
const STRIDE: usize = 256;
/// Objects that one refers to, from which on the place of each is remembered.
const MANY: usize = 64;

impl Heap<'_> {
    /// # Errors
    /// [`HeapError`]; also where there is no such object.
    pub fn chains(&mut self, kept: &Kept<'_>, pace: Pace<'_>) -> Result<Chains, HeapError> {
        let graph = Graph::read(self, pace)?;
        let roots = self.roots(&graph, pace)?;
        let (of_root, reached) = roots.reach(&graph);
        let mut definitions = BTreeSet::new();
        let targets: Vec<u32> = match kept {
            Kept::Object(address) => vec![
                graph
                    .at(*address)
                    .ok_or_else(|| HeapError::Refused("the object is not on the garbage-collected heap".into()))?,
            ],
            Kept::Type(name) => {
                let mut wanted = self.types.asked_for(name);
                named_types::narrow(&mut wanted, name, self.scope.as_ref());
                definitions = named_types::definitions(&wanted);
                let is_wanted = |type_: u32| wanted.get(type_ as usize).is_some_and(Option::is_some);
                (0_u32..)
                    .zip(&graph.objects)
                    .filter(|(_, found)| is_wanted(found.type_))
                    .map(|(number, _)| number)
                    .collect()
            }
        };
        let root_of = |number: u32| {
            let root = of_root.get(number as usize).and_then(|root| roots.list.get(*root));
            root.map(|root: &Root| root.name.to_string()).unwrap_or_default()
        };
        let mut words = Words {
            heap: self,
            graph: &graph,
            reached: &reached,
            nodes: Vec::new(),
            known: HashMap::new(),
            ids: HashMap::new(),
            texts: HashMap::new(),
            places: HashMap::new(),
            window: Window::small(self.stopped.target().pid),
            root_of: &root_of,
        };
        let mut chains = Chains { objects: targets.len() as u64, cut: graph.cut.or(roots.cut), ..Chains::default() };
        if definitions.len() > 1 {
            chains.types = definitions.into_iter().map(|name| name.replace('+', ".")).collect();
        }
        // what was not read may be what keeps an object alive
        let is_whole = chains.cut.is_none();
        let mut counts: HashMap<u32, (u64, u32)> = HashMap::new();
        // the types of those that nothing reaches
        let mut unreachable = BTreeSet::new();
        for (at, &target) in targets.iter().enumerate() {
            if at % STRIDE == STRIDE - 1 && chains.cut.is_none() {
                chains.cut = pace();
                if chains.cut.is_some() {
                    break;
                }
            }
            match words.node(target) {
                Some(node) => counts.entry(node).or_insert((0, target)).0 += 1,
                None if is_whole => {
                    chains.unreachable += 1;
                    unreachable.extend(graph.object(target).map(|found| found.type_));
                }
                None => {}
            }
        }
        let mut list: Vec<(u32, u64, u32)> =
            counts.into_iter().map(|(node, (count, example))| (node, count, example)).collect();
        if let (Kept::Object(_), [target]) = (kept, targets.as_slice()) {
            list = words.ways(*target, &roots);
        }
        chains.list = list.into_iter().map(|(node, count, example)| words.chain(node, count, example)).collect();
        chains.list.sort_by(|a, b| {
            b.count.cmp(&a.count).then(a.steps.len().cmp(&b.steps.len())).then_with(|| a.root.cmp(&b.root))
        });
        chains.has_finalizer = unreachable.into_iter().any(|type_| self.types.has_finalizer(type_));
        chains.list.dedup_by(|later, first| (&later.root, &later.steps) == (&first.root, &first.steps));
        Ok(chains)
    }
}

/// A step of a chain: equal chains end in one node.
struct Node {
    before: Option<u32>,
    text: Text,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Text {
    Root(String),
    /// Nothing of the source: the inside of a collection or delegate.
    Silent,
    /// `Order.Lines`
    Field(Rc<str>),
    /// Behind the step before: `[*]`, `.Key`.
    Behind(Rc<str>),
    /// The same field as before, again and again.
    Repeated,
}

struct Words<'w, 's> {
    heap: &'w Heap<'s>,
    graph: &'w Graph,
    reached: &'w Reached,
    nodes: Vec<Node>,
    /// The node of an object.
    known: HashMap<u32, u32>,
    ids: HashMap<(Option<u32>, Text), u32>,
    /// By the holder's type and the place in it.
    texts: HashMap<(u32, Edge), Text>,
    /// Of those that hold many objects the place of each, by its address.
    places: HashMap<u32, HashMap<u64, Edge>>,
    window: Window,
    root_of: &'w dyn Fn(u32) -> String,
}

impl Words<'_, '_> {
    /// Where an object's chain ends; `None` where nothing reaches it.
    fn node(&mut self, object: u32) -> Option<u32> {
        // up to an object that is known already: chains have their beginnings in common
        let mut chain = vec![object];
        let mut node = loop {
            let last = *chain.last()?;
            if let Some(&known) = self.known.get(&last) {
                break known;
            }
            match self.reached.before(last)? {
                Before::Object(holder) => chain.push(holder),
                Before::Root(root) => {
                    let root = Text::Root((self.root_of)(root));
                    let node = self.intern(None, root);
                    self.known.insert(last, node);
                    break node;
                }
            }
        };
        for pair in chain.windows(2).rev() {
            let [held, holder] = pair else { continue };
            node = self.step(node, *holder, *held);
            self.known.insert(*held, node);
        }
        Some(node)
    }

    /// Every way from a root to an object that ends in another of its holders.
    fn ways(&mut self, object: u32, roots: &Roots) -> Vec<(u32, u64, u32)> {
        let mut ways: Vec<u32> = self.node(object).into_iter().collect();
        let mut storage = Vec::new();
        for (root, array) in roots.statics(self.graph, object) {
            ways.push(self.intern(None, Text::Root(root.name.to_string())));
            storage.push(array);
        }
        for holder in self.graph.holders(object) {
            if storage.contains(&holder)
                || self.is_through(holder, object)
                || self.reached.before(object) == Some(Before::Object(holder))
            {
                continue;
            }
            if let Some(node) = self.node(holder) {
                ways.push(self.step(node, holder, object));
            }
        }
        ways.into_iter().map(|node| (node, 1, object)).collect()
    }

    /// Whether the chain of an object has another on it, or nothing reaches it.
    fn is_through(&self, mut object: u32, other: u32) -> bool {
        loop {
            match self.reached.before(object) {
                Some(Before::Object(holder)) if holder != other && object != other => object = holder,
                Some(Before::Root(_)) => return object == other,
                _ => return true,
            }
        }
    }

    fn intern(&mut self, before: Option<u32>, text: Text) -> u32 {
        let next = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let node = *self.ids.entry((before, text.clone())).or_insert(next);
        if node == next {
            self.nodes.push(Node { before, text });
        }
        node
    }

    fn step(&mut self, before: u32, holder: u32, held: u32) -> u32 {
        let text = self.text(holder, held);
        let last = self.nodes.get(before as usize).map(|node| node.text.clone());
        // a list of a thousand links is one chain
        if last == Some(Text::Repeated) {
            let first = self.nodes.get(before as usize).and_then(|node| node.before);
            if first.and_then(|first| self.nodes.get(first as usize)).is_some_and(|node| node.text == text) {
                return before;
            }
        }
        if matches!(text, Text::Field(_)) && last.as_ref() == Some(&text) {
            return self.intern(Some(before), Text::Repeated);
        }
        self.intern(Some(before), text)
    }

    /// How one object holds another.
    fn text(&mut self, number: u32, held: u32) -> Text {
        let (Some(holder), Some(held)) = (self.graph.object(number), self.graph.object(held)) else {
            return Text::Silent;
        };
        let edge = self.edge(number, holder, held.address);
        if let Some(known) = self.texts.get(&(holder.type_, edge)) {
            return known.clone();
        }
        let text = self.field_text(holder.type_, edge);
        self.texts.insert((holder.type_, edge), text.clone());
        text
    }

    /// The first place in an object where it refers to an address.
    fn edge(&mut self, number: u32, holder: &Found, held: u64) -> Edge {
        if let Some(places) = self.places.get(&number) {
            return places.get(&held).copied().unwrap_or(Edge::Dependent);
        }
        let layout = self.heap.types.layout(holder.type_);
        // an array of a hundred thousand objects is not read once for each of them
        if self.graph.targets(number).len() > MANY {
            let mut places = HashMap::new();
            references::each(&mut self.window, &layout, holder.address, holder.size, |at, target| {
                places.entry(target).or_insert(at);
            });
            return self.places.entry(number).or_insert(places).get(&held).copied().unwrap_or(Edge::Dependent);
        }
        let mut edge = Edge::Dependent;
        references::each(&mut self.window, &layout, holder.address, holder.size, |at, target| {
            if target == held && edge == Edge::Dependent {
                edge = at;
            }
        });
        edge
    }

    fn field_text(&self, holder: u32, edge: Edge) -> Text {
        match edge {
            Edge::Field(at) => {
                let names = self.heap.types.path(holder, at);
                let type_ = self.heap.types.name(holder);
                if is_inside(&type_, &names) {
                    return Text::Silent;
                }
                Text::Field(behind(&short(&type_), &names).into())
            }
            Edge::Element(at) => {
                let names = self.heap.types.path(holder, at);
                // the entry of a dictionary is its value
                Text::Behind(match names.as_str() {
                    "" | "value" | "Value" => "[*]".into(),
                    "key" => "[*].Key".into(),
                    names => behind("[*]", names).into(),
                })
            }
            Edge::Dependent => Text::Field("dependent handle".into()),
        }
    }

    fn chain(&self, node: u32, count: u64, example: u32) -> Chain {
        let mut texts = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.and_then(|at| self.nodes.get(at as usize)) {
            texts.push(&node.text);
            at = node.before;
        }
        let mut root = String::new();
        let mut steps: Vec<String> = Vec::new();
        for text in texts.into_iter().rev() {
            match text {
                Text::Root(name) => root.clone_from(name),
                Text::Silent => {}
                Text::Field(text) => steps.push(text.to_string()),
                Text::Behind(text) => steps.last_mut().unwrap_or(&mut root).push_str(text),
                Text::Repeated => steps.push("…".into()),
            }
        }
        let found = self.graph.object(example);
        let example = found.map(|it| (it.address, self.heap.types.name(it.type_).to_string(), it.size));
        Chain { root, steps, count, example: example.unwrap_or_default() }
    }
}

/// Fields that hold what a collection or delegate stands for.
fn is_inside(type_: &str, field: &str) -> bool {
    const GENERIC: &str = "System.Collections.Generic.";
    match field {
        "_items" => type_.starts_with(&format!("{GENERIC}List<")),
        "_entries" => {
            type_.starts_with(&format!("{GENERIC}Dictionary<")) || type_.starts_with(&format!("{GENERIC}HashSet<"))
        }
        "_array" => type_.starts_with(&format!("{GENERIC}Queue<")) || type_.starts_with(&format!("{GENERIC}Stack<")),
        "_invocationList" | "_target" => true,
        _ => false,
    }
}

/// `Dictionary<string, Order>` of `System.Collections.Generic.Dictionary<string, Shop.Order>`.
pub(super) fn short(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    for part in name.split_inclusive(['<', '>', ',', ' ', '[', ']']) {
        let (path, end) = match part.char_indices().last() {
            Some((at, last)) if "<>, []".contains(last) => part.split_at(at),
            _ => (part, ""),
        };
        let from = if path.starts_with('.') { 0 } else { path.rfind('.').map_or(0, |dot| dot + 1) };
        short.push_str(path.get(from..).unwrap_or(path));
        short.push_str(end);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_without_namespaces() {
        for (name, expected) in [
            ("System.Collections.Generic.Dictionary<string, Shop.Order>", "Dictionary<string, Order>"),
            ("System.Collections.Generic.Dictionary<string, int>.Entry[]", "Dictionary<string, int>.Entry[]"),
            ("Shop.Order", "Order"),
            ("int[]", "int[]"),
        ] {
            assert_eq!(short(name), expected);
        }
    }
}
