//! What refers to an object, and what it refers to: the references by the field or the element that holds them.

use std::collections::HashMap;

use super::chains::short;
use super::graph::Graph;
use super::memory::Window;
use super::references::{self, Edge};
use super::types::behind;
use super::{Cut, Heap, HeapError, Pace};

/// A root of this rank may be what is left of one: memory of a stack.
const FOUND_BY_CHANCE: u32 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The objects that refer to it.
    Inbound,
    /// The objects that it refers to.
    Outbound,
}

/// Objects that are referred to, or refer, by the same field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// `Link.Owner`, `Order[*]`: the field or element, with the type of the object that has it.
    pub through: String,
    /// Objects on the other side of it.
    pub count: u64,
    /// The first of them: address, type and size.
    pub objects: Vec<(u64, String, u64)>,
}

#[derive(Debug, Default)]
pub struct References {
    /// Those with the most objects first.
    pub held: Vec<Held>,
    /// Roots that refer to it without an object between, of [`Direction::Inbound`].
    pub roots: Vec<String>,
    /// No root reaches it, of [`Direction::Inbound`].
    pub is_garbage: bool,
    pub cut: Option<Cut>,
}

impl Heap<'_> {
    /// `most`: objects that are named of each field.
    ///
    /// # Errors
    /// [`HeapError`]; also where no object begins at the address.
    pub fn references(
        &mut self,
        address: u64,
        direction: Direction,
        most: usize,
        pace: Pace<'_>,
    ) -> Result<References, HeapError> {
        let graph = Graph::read(self, pace)?;
        let object = graph
            .at(address)
            .ok_or_else(|| HeapError::Refused("the object is not on the garbage-collected heap".into()))?;
        let mut found = References { cut: graph.cut, ..References::default() };
        let mut places = Places::default();
        let roots = match direction {
            Direction::Inbound => Some(self.roots(&graph, pace)?),
            Direction::Outbound => None,
        };
        // a static is named as that, not as the array of the runtime that it is in
        let statics = roots.iter().flat_map(|roots| roots.statics(&graph, object));
        let storage: Vec<u32> = statics.map(|(_, array)| array).collect();
        let mut window = Window::small(self.stopped.target().pid);
        let holders = match direction {
            Direction::Inbound => graph.holders(object),
            Direction::Outbound => vec![object],
        };
        for holder in holders.into_iter().filter(|holder| !storage.contains(holder)) {
            let Some(it) = graph.object(holder) else { continue };
            let layout = self.types.layout(it.type_);
            references::each(&mut window, &layout, it.address, it.size, |edge, target| match direction {
                Direction::Inbound if target == address => places.add((it.type_, edge), holder, most),
                Direction::Outbound => {
                    if let Some(target) = graph.at(target) {
                        places.add((it.type_, edge), target, most);
                    }
                }
                Direction::Inbound => {}
            });
        }
        for ((type_, edge), place) in places.list {
            let objects = place.objects.iter().filter_map(|&number| graph.object(number));
            let objects = objects.map(|it| (it.address, self.types.name(it.type_).to_string(), it.size)).collect();
            found.held.push(Held { through: self.through(type_, edge), count: place.count, objects });
        }
        if let Some(roots) = roots {
            found.cut = found.cut.or(roots.cut);
            found.is_garbage = found.cut.is_none() && roots.reach(&graph).1.before(object).is_none();
            for (key, value) in &roots.dependent {
                if let (true, Some(key)) = (*value == address, graph.at(*key).and_then(|key| graph.object(key))) {
                    let key = (key.address, self.types.name(key.type_).to_string(), key.size);
                    found.held.push(Held { through: "dependent handle".into(), count: 1, objects: vec![key] });
                }
            }
            let own: Vec<_> = roots.list.iter().filter(|root| graph.around(root.address) == Some(object)).collect();
            let best = own.iter().map(|root| root.rank).min().unwrap_or_default();
            for root in own.into_iter().filter(|root| root.rank < FOUND_BY_CHANCE || root.rank == best) {
                if !found.roots.iter().any(|name| *name == root.name) {
                    found.roots.push(root.name.to_string());
                }
            }
        }
        found.held.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.through.cmp(&other.through)));
        Ok(found)
    }

    /// `Link.Owner`, `Order[*]`, `Entry[*].value`
    fn through(&self, holder: u32, edge: Edge) -> String {
        let type_ = short(&self.types.name(holder));
        match edge {
            Edge::Field(at) => behind(&type_, &self.types.path(holder, at)),
            Edge::Element(at) => {
                let (names, element) = (self.types.path(holder, at), type_.strip_suffix("[]").unwrap_or(&type_));
                match names.is_empty() {
                    true => format!("{element}[*]"),
                    false => behind(&format!("{element}[*]"), &names),
                }
            }
            Edge::Dependent => "dependent handle".into(),
        }
    }
}

/// By the type that has it and the place in it what is on the other side.
#[derive(Default)]
struct Places {
    list: Vec<((u32, Edge), Place)>,
    known: HashMap<(u32, Edge), usize>,
}

#[derive(Default)]
struct Place {
    count: u64,
    last: Option<u32>,
    objects: Vec<u32>,
}

impl Places {
    /// The elements of an array come one after the other: an object that follows itself counts once.
    fn add(&mut self, at: (u32, Edge), object: u32, most: usize) {
        let index = *self.known.entry(at).or_insert(self.list.len());
        if index == self.list.len() {
            self.list.push((at, Place::default()));
        }
        let Some((_, place)) = self.list.get_mut(index).filter(|(_, place)| place.last != Some(object)) else { return };
        place.count += 1;
        place.last = Some(object);
        if place.objects.len() < most {
            place.objects.push(object);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_counted_by_the_place_that_holds_them() {
        let mut places = Places::default();
        let (owner, element) = ((1, Edge::Field(8)), (2, Edge::Element(0)));
        for object in 10..15 {
            places.add(owner, object, 2);
        }
        for object in [20, 20, 21] {
            places.add(element, object, 9);
        }
        let [(first, held), (second, elements)] = places.list.as_slice() else { panic!("two places") };
        assert_eq!((*first, held.count, held.objects.as_slice()), (owner, 5, &[10, 11][..]));
        assert_eq!((*second, elements.count, elements.objects.as_slice()), (element, 2, &[20, 21][..]));
    }
}
