//! The operators of `System.Linq.Enumerable`, run here: lambdas cannot be passed to the program.
//!
//! As there, those that give a sequence compute nothing until somebody asks for its elements.

mod aggregates;
mod hashes;
mod own;
mod sequences;
mod sets;
mod shortcuts;

use crate::types::{MethodRef, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};

use super::Run;
use super::enumerate::Cursor;

pub(super) const ENUMERABLE: &str = "System.Linq.Enumerable";

/// Those that give a sequence.
const DEFERRED: [&str; 44] = [
    "AggregateBy",
    "Append",
    "AsEnumerable",
    "Cast",
    "Chunk",
    "Concat",
    "CountBy",
    "DefaultIfEmpty",
    "Distinct",
    "DistinctBy",
    "Empty",
    "Except",
    "ExceptBy",
    "GroupBy",
    "GroupJoin",
    "Index",
    "Intersect",
    "IntersectBy",
    "Join",
    "LeftJoin",
    "OfType",
    "Order",
    "OrderBy",
    "OrderByDescending",
    "OrderDescending",
    "Prepend",
    "Range",
    "Repeat",
    "Reverse",
    "RightJoin",
    "Select",
    "SelectMany",
    "Skip",
    "SkipLast",
    "SkipWhile",
    "Take",
    "TakeLast",
    "TakeWhile",
    "ThenBy",
    "ThenByDescending",
    "Union",
    "UnionBy",
    "Where",
    "Zip",
];

/// Those that only change the order.
const ORDERS: [&str; 6] = ["Order", "OrderBy", "OrderByDescending", "OrderDescending", "ThenBy", "ThenByDescending"];

/// Those that give one thing.
const IMMEDIATE: [&str; 26] = [
    "Aggregate",
    "All",
    "Any",
    "Average",
    "Contains",
    "Count",
    "ElementAt",
    "ElementAtOrDefault",
    "First",
    "FirstOrDefault",
    "Last",
    "LastOrDefault",
    "LongCount",
    "Max",
    "MaxBy",
    "Min",
    "MinBy",
    "SequenceEqual",
    "Single",
    "SingleOrDefault",
    "Sum",
    "ToArray",
    "ToDictionary",
    "ToHashSet",
    "ToList",
    "ToLookup",
];

/// The same operators over an `ImmutableArray<T>`.
const OF_IMMUTABLE: &str = "System.Linq.ImmutableArrayExtensions";

/// Whether it is a class of operators that are run here.
pub(super) fn has_operators(owner: &Type) -> bool {
    owner.is(ENUMERABLE) || owner.is(OF_IMMUTABLE)
}

pub(super) fn operator(name: &str) -> Option<&'static str> {
    DEFERRED.iter().chain(&IMMEDIATE).find(|it| **it == name).copied()
}

/// The type that a method which looks for an element compares by.
pub(super) fn compared(method: &MethodRef) -> Type {
    method.arguments.first().or_else(|| method.owner.arguments().first()).cloned().unwrap_or(Type::OBJECT)
}

/// The parameter whose number an operator refuses when it is called.
fn out_of_range<H: Clone>(operator: &str, arguments: &[Value<H>]) -> Option<&'static str> {
    let number = |at: usize| arguments.get(at).and_then(Value::as_integer);
    let is_count = |from: i128| number(1).is_none_or(|count| count >= 0 && from + count - 1 <= i32::MAX.into());
    match operator {
        "Range" => (!is_count(number(0)?)).then_some("count"),
        "Repeat" => (!is_count(0)).then_some("count"),
        "Chunk" => number(1).is_some_and(|size| size < 1).then_some("size"),
        _ => None,
    }
}

/// Whether an operator's answer depends on the kind of its sequence, and that is one made here.
pub(super) fn knows_by_kind<H: Clone>(name: &str, source: Option<&Value<H>>) -> bool {
    let is_made =
        |value: &Value<H>| matches!(value, Value::Made(made) if matches!(made.content, Content::Query { .. }));
    name == "TryGetNonEnumeratedCount" && source.is_some_and(is_made)
}

impl<'a, W: World> Run<'a, W> {
    pub(super) fn query(
        &mut self,
        operator: &'static str,
        arguments: Vec<Value<W::Handle>>,
        method: &MethodRef,
    ) -> Evaluated<W> {
        if let Some(given) = arguments.first()
            && self.gives_back(operator, given, method)?
        {
            return Ok(given.clone());
        }
        if DEFERRED.contains(&operator) {
            // what is no sequence fails now, as in the program
            if !matches!(operator, "Range" | "Repeat" | "Empty") && arguments.first().is_some_and(Value::is_null) {
                return super::threw("System.ArgumentNullException", "Value cannot be null. (Parameter 'source')");
            }
            if let Some(parameter) = out_of_range(operator, &arguments) {
                let words =
                    format!("Specified argument was out of the range of valid values. (Parameter '{parameter}')");
                return super::threw("System.ArgumentOutOfRangeException", words);
            }
            return Ok(Value::made(method.returns(), Content::Query { operator, arguments }));
        }
        self.aggregate(operator, &arguments, method)
    }

    /// Whether an operator answers with the very sequence that it is given.
    fn gives_back(
        &mut self,
        operator: &str,
        given: &Value<W::Handle>,
        method: &MethodRef,
    ) -> Result<bool, Failure<W::Error>> {
        Ok(match operator {
            "AsEnumerable" => true,
            "Cast" => {
                let wanted = Type::named("System.Collections.Generic.IEnumerable`1", method.arguments.clone());
                self.run_time_type(given)?.is_some_and(|own| own == wanted || self.types.is_a(&own, &wanted))
            }
            _ => false,
        })
    }

    /// What is cast, where .NET counts without casting: of a collection.
    fn not_cast<'v>(&mut self, source: &'v Value<W::Handle>) -> Result<&'v Value<W::Handle>, Failure<W::Error>> {
        let Value::Made(made) = source else { return Ok(source) };
        let Content::Query { operator: "Cast", arguments } = &made.content else { return Ok(source) };
        let Some(of) = arguments.first() else { return Ok(source) };
        let collection = Type::named("System.Collections.ICollection", Vec::new());
        let is_one = self.run_time_type(of)?.is_some_and(|type_| self.types.is_a(&type_, &collection));
        Ok(if is_one { of } else { source })
    }

    pub(super) fn open_query(
        &mut self,
        operator: &'static str,
        arguments: &[Value<W::Handle>],
        type_: &crate::types::Type,
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        match operator {
            "Distinct" | "DistinctBy" | "Union" | "UnionBy" | "Except" | "ExceptBy" | "Intersect" | "IntersectBy"
            | "AggregateBy" | "GroupBy" | "GroupJoin" | "Join" | "LeftJoin" | "RightJoin" | "CountBy" => {
                self.open_set(operator, arguments, type_)
            }
            _ if ORDERS.contains(&operator) => self.open_set(operator, arguments, type_),
            _ => self.open_sequence(operator, arguments, type_),
        }
    }
}
