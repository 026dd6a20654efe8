//! All objects and what each refers to: an object is its number in order of addresses.

use std::collections::HashMap;

use super::memory::Window;
use super::references;
use super::walk::Found;
use super::{Cut, Heap, HeapError, Pace};

/// Objects of a graph, at most: each takes about 40 bytes.
const MOST: usize = 10_000_000;
/// Objects between two looks at the clock.
const STRIDE: usize = 8_192;
/// Addresses are looked up by the page where they are.
const PAGE: u32 = 13;

pub struct Graph {
    pub objects: Vec<Found>,
    /// Of each object where its targets begin, and one for the end.
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// The first object of each page that has one.
    pages: HashMap<u64, u32>,
    pub cut: Option<Cut>,
}

impl Graph {
    pub fn read(heap: &mut Heap<'_>, pace: Pace<'_>) -> Result<Self, HeapError> {
        let mut objects = Vec::new();
        let (mut is_full, mut cut) = (false, None);
        let walked = heap.walk(pace, |_, found| {
            is_full |= objects.len() >= MOST;
            if !is_full {
                objects.push(found);
            }
        })?;
        cut = cut.or(walked).or(is_full.then_some(Cut::Objects));
        objects.sort_by_key(|found| found.address);
        let mut graph = Self { objects, starts: Vec::new(), targets: Vec::new(), pages: HashMap::new(), cut };
        for (number, found) in (0_u32..).zip(&graph.objects) {
            graph.pages.entry(found.address >> PAGE).or_insert(number);
        }
        graph.connect(heap, pace);
        Ok(graph)
    }

    fn connect(&mut self, heap: &Heap<'_>, pace: Pace<'_>) {
        let mut window = Window::new(heap.stopped.target().pid);
        let layouts: Vec<_> = (0..heap.types.count()).map(|index| heap.types.layout(index as u32)).collect();
        let (mut starts, mut targets) = (Vec::with_capacity(self.objects.len() + 1), Vec::new());
        for (number, found) in self.objects.iter().enumerate() {
            starts.push(targets.len() as u32);
            if number % STRIDE == 0 && self.cut.is_none() {
                self.cut = pace();
            }
            let Some(layout) = layouts.get(found.type_ as usize).filter(|layout| !layout.is_empty()) else { continue };
            if self.cut.is_none() {
                references::each(&mut window, layout, found.address, found.size, |_, target| {
                    targets.extend(self.at(target));
                });
            }
        }
        starts.push(targets.len() as u32);
        (self.starts, self.targets) = (starts, targets);
    }

    /// The object that begins at an address.
    pub fn at(&self, address: u64) -> Option<u32> {
        let from = *self.pages.get(&(address >> PAGE))? as usize;
        let page = self.objects.get(from..)?;
        // a page has at most as many objects as the smallest ones fit in
        let page = page.get(..page.len().min(1 << (PAGE - 3)))?;
        let at = page.binary_search_by_key(&address, |found| found.address).ok()?;
        u32::try_from(from + at).ok()
    }

    /// The object that an address lies in.
    pub fn around(&self, address: u64) -> Option<u32> {
        let at = self.objects.partition_point(|found| found.address <= address).checked_sub(1)?;
        let found = self.objects.get(at)?;
        (address - found.address < found.size).then(|| u32::try_from(at).ok())?
    }

    /// The objects of a range of addresses.
    pub fn within(&self, start: u64, end: u64) -> &[Found] {
        let at = |address| self.objects.partition_point(|found| found.address < address);
        self.objects.get(at(start)..at(end)).unwrap_or_default()
    }

    pub fn object(&self, number: u32) -> Option<&Found> {
        self.objects.get(number as usize)
    }

    pub fn targets(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let (start, end) = (self.starts.get(number), self.starts.get(number + 1));
        let range = start.zip(end).map(|(start, end)| *start as usize..*end as usize);
        range.and_then(|range| self.targets.get(range)).unwrap_or_default()
    }

    /// The objects that refer to one.
    pub fn holders(&self, number: u32) -> Vec<u32> {
        let all = 0..u32::try_from(self.objects.len()).unwrap_or(u32::MAX);
        all.filter(|&holder| self.targets(holder).contains(&number)).collect()
    }
}

/// How each object that is reached is reached first.
pub struct Reached(Vec<u32>);

const UNREACHED: u32 = u32::MAX;
const ROOT: u32 = 1 << 31;

/// What comes before an object on its shortest chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// The number of a root.
    Root(u32),
    Object(u32),
}

impl Reached {
    /// From all roots of one rank at once, so that each chain is a shortest one of the lowest rank; of equal ones that of the root that
    /// comes first. `roots`: rank and object, by rank. `dependent`: by its key what a dependent handle keeps alive.
    pub fn from(graph: &Graph, roots: &[(u32, u32)], dependent: &HashMap<u32, Vec<u32>>) -> Self {
        let mut before = vec![UNREACHED; graph.objects.len()];
        let mut queue: Vec<u32> = Vec::new();
        let mut reach = |object: u32, by: u32, queue: &mut Vec<u32>| {
            if let Some(slot) = before.get_mut(object as usize).filter(|slot| **slot == UNREACHED) {
                *slot = by;
                queue.push(object);
            }
        };
        let (mut at, mut root) = (0, 0);
        while let Some(&(rank, _)) = roots.get(root) {
            while let Some(&(_, object)) = roots.get(root).filter(|(of, _)| *of == rank) {
                reach(object, ROOT | root as u32, &mut queue);
                root += 1;
            }
            while let Some(&object) = queue.get(at) {
                at += 1;
                let kept = dependent.get(&object).map(Vec::as_slice).unwrap_or_default();
                for &target in graph.targets(object).iter().chain(kept) {
                    reach(target, object, &mut queue);
                }
            }
        }
        Self(before)
    }

    pub fn before(&self, object: u32) -> Option<Before> {
        match *self.0.get(object as usize)? {
            UNREACHED => None,
            root if root & ROOT != 0 => Some(Before::Root(root & !ROOT)),
            object => Some(Before::Object(object)),
        }
    }
}
