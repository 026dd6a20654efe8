//! Operators that .NET answers from less than all elements, or by the collection's own method.

use crate::types::{MethodRef, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, Found, World};

use super::super::enumerate::Cursor;
use super::super::keyed::SET;
use super::super::{Run, threw, unsupported};
use super::{ENUMERABLE, ORDERS, compared};

pub(super) const LIST: &str = "System.Collections.Generic.IList`1";
pub(super) const COLLECTION: &str = "System.Collections.Generic.ICollection`1";

/// Collections that look for an element by the default comparer, as it is done here.
const BY_DEFAULT: [&str; 9] = [
    "System.Collections.Generic.List`1",
    "System.Collections.Generic.LinkedList`1",
    "System.Collections.Generic.Dictionary`2+ValueCollection",
    "System.Collections.ObjectModel.Collection`1",
    "System.Collections.ObjectModel.ObservableCollection`1",
    "System.Collections.ObjectModel.ReadOnlyCollection`1",
    "System.Collections.Immutable.ImmutableArray`1",
    "System.Collections.Immutable.ImmutableList`1",
    "System.ArraySegment`1",
];

/// A part of a list, and what is selected of it; nothing of it was read.
struct Part<W: World> {
    list: Value<W::Handle>,
    selectors: Vec<Value<W::Handle>>,
    begin: usize,
    end: usize,
    is_whole: bool,
}

/// A list, and what is selected of it.
pub(super) struct Rows<W: World> {
    items: Vec<Value<W::Handle>>,
    /// The functions of the `Select`s, in the order in which they are called.
    selectors: Vec<Value<W::Handle>>,
    /// Whether it is the list itself.
    is_whole: bool,
}

impl<'a, W: World> Run<'a, W> {
    /// Of a list, an array, or what `Select`, `Skip` and `Take` make of one: .NET computes no elements of that but those it is asked for.
    fn rows(&mut self, source: &Value<W::Handle>) -> Found<Rows<W>, W> {
        let Some(part) = self.list_behind(source)? else { return Ok(None) };
        if let Some(own) = self.own_list(&part.list)? {
            return self.own_part(part, own).map(Some);
        }
        let mut items = self.first(&part.list, part.end)?;
        items.drain(..part.begin.min(items.len()));
        Ok(Some(Rows { items, selectors: part.selectors, is_whole: part.is_whole }))
    }

    /// By the indexer of a list that only its own code can read.
    fn own_part(&mut self, part: Part<W>, (count, indexer): (usize, MethodRef)) -> Result<Rows<W>, Failure<W::Error>> {
        let positions = part.begin..count.min(part.end);
        let items = positions.map(|at| self.own_item(&part.list, &indexer, at)).collect::<Result<_, _>>()?;
        Ok(Rows { items, selectors: part.selectors, is_whole: part.is_whole })
    }

    /// `None`: it is no list, nor a part of one.
    fn list_behind(&mut self, source: &Value<W::Handle>) -> Found<Part<W>, W> {
        let (mut list, mut selectors, mut parts) = (source.clone(), Vec::new(), Vec::new());
        while let Some((operator, [of, argument])) = asked(&list) {
            let (of, argument) = (of.clone(), argument.clone());
            match (operator, argument.as_integer()) {
                ("Select", _) if self.takes(&argument)? == Some(1) => selectors.insert(0, argument),
                ("Skip" | "Take", Some(count)) => parts.push((operator, usize::try_from(count).unwrap_or(0))),
                _ => break,
            }
            list = of;
        }
        let is_whole = selectors.is_empty() && parts.is_empty();
        let is_list = match asked(&list) {
            Some(("Range", [_, count])) => {
                let most = self.limits.elements as i128;
                !is_whole && count.as_integer().is_some_and(|count| (0..=most).contains(&count))
            }
            Some((operator, _)) if ORDERS.contains(&operator) => !is_whole,
            _ => self.implements(&list, LIST)?,
        };
        if !is_list {
            return Ok(None);
        }
        let (mut begin, mut end) = (0_usize, usize::MAX);
        for (operator, count) in parts.into_iter().rev() {
            let at = begin.saturating_add(count);
            if operator == "Skip" { begin = at } else { end = end.min(at) }
        }
        Ok(Some(Part { list, selectors, begin, end, is_whole }))
    }

    /// What is left behind `Skip`: of a list, nothing is selected of the elements before.
    pub(super) fn skipped(&mut self, source: &Value<W::Handle>, count: i128) -> Found<Rows<W>, W> {
        if asked(source).is_none() {
            return Ok(None);
        }
        let Some(mut rows) = self.rows(source)? else { return Ok(None) };
        let count = usize::try_from(count).unwrap_or(0).min(rows.items.len());
        rows.items.drain(..count);
        Ok(Some(rows))
    }

    /// What is selected of a list that only its own code can read: not asked for by the enumerator. `None`: it is no such thing.
    pub(super) fn own_rows(&mut self, source: &Value<W::Handle>) -> Found<Vec<Value<W::Handle>>, W> {
        if asked(source).is_none() {
            return Ok(None);
        }
        let Some(part) = self.list_behind(source)? else { return Ok(None) };
        let Some(own) = self.own_list(&part.list)? else { return Ok(None) };
        let rows = self.own_part(part, own)?;
        rows.items.iter().map(|item| self.row(item, &rows.selectors)).collect::<Result<_, _>>().map(Some)
    }

    fn row(&mut self, item: &Value<W::Handle>, selectors: &[Value<W::Handle>]) -> Evaluated<W> {
        selectors.iter().try_fold(item.clone(), |item, selector| {
            self.step()?;
            self.invoked(selector, &Type::OBJECT, vec![item])
        })
    }

    /// Whether it is one of such an interface, made here or not.
    fn implements(&mut self, value: &Value<W::Handle>, interface: &str) -> Result<bool, Failure<W::Error>> {
        if asked(value).is_some() {
            return Ok(false);
        }
        let is_group = matches!(value, Value::Made(made) if matches!(made.content, Content::Group { .. }));
        let Some(type_) = self.run_time_type(value)? else { return Ok(false) };
        let is_array = matches!(type_, Type::Array { rank: 1, .. });
        Ok(is_group
            || is_array
            || type_.is(interface)
            || self.types.interfaces(&type_).iter().any(|it| it.is(interface)))
    }

    /// The elements one after the other.
    pub(super) fn open_rows(rows: Rows<W>) -> Cursor<'a, W> {
        let mut items = rows.items.into_iter();
        Box::new(move |run| items.next().map(|item| run.row(&item, &rows.selectors)).transpose())
    }

    pub(super) fn element_at(
        &mut self,
        operator: &str,
        source: &Value<W::Handle>,
        at: &Value<W::Handle>,
        returns: &Type,
    ) -> Evaluated<W> {
        let (number, is_from_end) = match (at.as_integer(), self.index_of(at)?) {
            (Some(number), _) => (number, false),
            (None, Some((number, is_from_end))) => (number.into(), is_from_end),
            (None, None) => return unsupported(format!("{operator} needs a number or an index")),
        };
        let number = usize::try_from(number).ok();
        let (mut found, mut is_list) = (None, false);
        if let Some(Rows { items, selectors, is_whole }) = self.rows(source)? {
            is_list = is_whole;
            let at = number.and_then(|it| if is_from_end { items.len().checked_sub(it) } else { Some(it) });
            if let Some(item) = at.and_then(|at| items.get(at)) {
                found = Some(self.row(item, &selectors)?);
            }
        } else if is_from_end {
            let items = self.all(source)?;
            found = number.and_then(|it| items.len().checked_sub(it)).and_then(|at| items.get(at).cloned());
        } else if let Some(number) = number {
            let mut cursor = self.open(source)?;
            found = cursor(self)?;
            for _ in 0..number {
                self.step()?;
                if found.is_none() {
                    break;
                }
                found = cursor(self)?;
            }
        }
        match (found, is_list) {
            (Some(item), _) => Ok(item),
            (None, _) if operator == "ElementAtOrDefault" => self.default_value(returns),
            (None, true) => threw(
                "System.ArgumentOutOfRangeException",
                "Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'index')",
            ),
            (None, false) => threw(
                "System.ArgumentOutOfRangeException",
                "Specified argument was out of the range of valid values. (Parameter 'index')",
            ),
        }
    }

    pub(super) fn first_of(
        &mut self,
        source: &Value<W::Handle>,
        predicate: Option<&Value<W::Handle>>,
    ) -> Found<Value<W::Handle>, W> {
        if let (Some((operator, arguments)), None) = (asked_order(source), predicate) {
            return Ok(self.ordered(operator, arguments)?.into_iter().next());
        }
        if predicate.is_none()
            && let Some((count, indexer)) = self.own_list(source)?
        {
            return if count == 0 { Ok(None) } else { self.own_item(source, &indexer, 0).map(Some) };
        }
        let mut cursor = self.open(source)?;
        while let Some(item) = cursor(self)? {
            if self.holds(predicate, &item)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    pub(super) fn last_of(
        &mut self,
        source: &Value<W::Handle>,
        predicate: Option<&Value<W::Handle>>,
    ) -> Found<Value<W::Handle>, W> {
        if let (Some((operator, arguments)), None) = (asked_order(source), predicate) {
            return Ok(self.ordered(operator, arguments)?.pop());
        }
        match (self.rows(source)?, predicate) {
            (Some(Rows { items, selectors, .. }), None) => {
                items.last().map(|item| self.row(item, &selectors)).transpose()
            }
            // a list is searched from its end
            (Some(Rows { items, is_whole: true, .. }), Some(_)) => {
                for item in items.into_iter().rev() {
                    if self.holds(predicate, &item)? {
                        return Ok(Some(item));
                    }
                }
                Ok(None)
            }
            _ => {
                let mut found = None;
                for item in self.all(source)? {
                    if self.holds(predicate, &item)? {
                        found = Some(item);
                    }
                }
                Ok(found)
            }
        }
    }

    /// Whether there is an element. How many a list has shows that, whatever is selected of it and in whatever order.
    pub(super) fn is_any(&mut self, source: &Value<W::Handle>) -> Result<bool, Failure<W::Error>> {
        let of = unordered(source);
        if let Some(count) = self.own_count(of)? {
            return Ok(count != 0);
        }
        if asked(source).is_some()
            && let Some(rows) = self.rows(of)?
        {
            return Ok(!rows.items.is_empty());
        }
        Ok(self.first_of(source, None)?.is_some())
    }

    pub(super) fn contains(&mut self, arguments: &[Value<W::Handle>], method: &MethodRef) -> Evaluated<W> {
        let [source, wanted, comparer @ ..] = arguments else { return unsupported("Contains needs an element") };
        let of = compared(method);
        if let (Value::Object(handle), [], true) = (source, comparer, method.owner.is(ENUMERABLE))
            && let Some(contains) = self.own_contains(handle, &of)?
        {
            let mut given = [self.in_program(wanted.clone(), &of)?];
            let found = self.world.call(&contains, Some(source), &mut given);
            return self.or_is_in(found, (source, wanted));
        }
        let is_hashed = comparer.is_empty() && self.run_time_type(source)?.is_some_and(|type_| type_.is(SET));
        let comparer = comparer.first().filter(|it| !it.is_null());
        let hashes = if is_hashed { self.own_hashes(wanted)? } else { Vec::new() };
        let mut cursor = self.open(source)?;
        while let Some(item) = cursor(self)? {
            self.step()?;
            if is_hashed && (self.own_hashes(&item)? != hashes || !self.has_equal_hash(&item, wanted)?) {
                continue;
            }
            if self.is_equal_as(comparer, &of, &item, wanted)? {
                return Ok(Value::bool(true));
            }
        }
        Ok(Value::bool(false))
    }

    /// The method of a collection that may have a comparer of its own.
    fn own_contains(&mut self, collection: &W::Handle, of: &Type) -> Found<MethodRef, W> {
        let type_ = self.world.type_of(collection)?;
        let interface = Type::named(COLLECTION, vec![of.clone()]);
        let is_here = matches!(type_, Type::Array { .. }) || BY_DEFAULT.iter().any(|name| type_.is(name));
        if is_here || !self.types.is_a(&type_, &interface) || self.compares_by_default(collection)? {
            return Ok(None);
        }
        Ok(self.method_of(&interface, "Contains", 1))
    }

    /// Element by element, and collections first by how many they have.
    pub(super) fn are_equal(
        &mut self,
        (source, other): (&Value<W::Handle>, &Value<W::Handle>),
        comparer: Option<&Value<W::Handle>>,
        of: &Type,
    ) -> Result<bool, Failure<W::Error>> {
        if self.implements(source, COLLECTION)? && self.implements(other, COLLECTION)? {
            let (one, two) = (self.collection_count(source)?, self.collection_count(other)?);
            if one != two {
                return Ok(false);
            }
        }
        let (mut ones, mut others) = (self.open(source)?, self.open(other)?);
        while let Some(one) = ones(self)? {
            self.step()?;
            let Some(other) = others(self)? else { return Ok(false) };
            if !self.is_equal_as(comparer, of, &one, &other)? {
                return Ok(false);
            }
        }
        Ok(others(self)?.is_none())
    }

    /// By the default comparer where none is given.
    fn is_equal_as(
        &mut self,
        comparer: Option<&Value<W::Handle>>,
        of: &Type,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<bool, Failure<W::Error>> {
        match comparer {
            Some(comparer) => self.is_equal_by(comparer, one, other),
            None => self.is_equal(of, one, other),
        }
    }
}

/// The operator of a sequence that is not computed yet, and what it is given.
pub(super) fn asked<H>(value: &Value<H>) -> Option<(&'static str, &[Value<H>])> {
    match value {
        Value::Made(made) => match &made.content {
            Content::Query { operator, arguments } => Some((*operator, arguments.as_slice())),
            _ => None,
        },
        _ => None,
    }
}

fn asked_order<H>(value: &Value<H>) -> Option<(&'static str, &[Value<H>])> {
    asked(value).filter(|(operator, _)| ORDERS.contains(operator))
}

/// What is ordered: there are as many of it.
pub(super) fn unordered<H>(source: &Value<H>) -> &Value<H> {
    match asked_order(source) {
        Some((_, [of, ..])) => unordered(of),
        _ => source,
    }
}
