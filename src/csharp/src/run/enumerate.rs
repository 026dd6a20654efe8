//! The elements of what can be enumerated, one after the other.

use crate::constant::{Constant, Scalar};
use crate::types::{MethodRef, PAIR, Type};
use crate::value::{Content, Value};
use crate::world::{Failure, World};

use super::{Run, threw, unsupported};

pub(super) type Next<W> = Result<Option<Value<<W as World>::Handle>>, Failure<<W as World>::Error>>;

/// Gives the next element each time it is called.
pub(super) type Cursor<'a, W> = Box<dyn FnMut(&mut Run<'a, W>) -> Next<W> + 'a>;

impl<'a, W: World> Run<'a, W> {
    /// All elements.
    pub(super) fn all(&mut self, value: &Value<W::Handle>) -> Result<Vec<Value<W::Handle>>, Failure<W::Error>> {
        self.first(value, usize::MAX)
    }

    /// The first elements, at most so many: what is behind them is not asked for.
    pub(super) fn first(
        &mut self,
        value: &Value<W::Handle>,
        most: usize,
    ) -> Result<Vec<Value<W::Handle>>, Failure<W::Error>> {
        let mut cursor = self.open(value)?;
        let mut items = Vec::new();
        while items.len() < most
            && let Some(item) = cursor(self)?
        {
            self.step()?;
            if items.len() >= self.limits.elements {
                return too_many(self.limits.elements);
            }
            items.push(item);
        }
        Ok(items)
    }

    pub(super) fn open(&mut self, value: &Value<W::Handle>) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        match value {
            Value::Constant(Constant::Null) => {
                threw("System.ArgumentNullException", "Value cannot be null. (Parameter 'source')")
            }
            Value::Constant(Constant::Text(text)) => Ok(characters(text.clone())),
            Value::Made(made) => match &made.content {
                Content::Items(_) | Content::Group { .. } | Content::Entries(_) => {
                    let (made, mut at) = (made.clone(), 0);
                    let pair = Type::named(PAIR, made.type_.arguments().iter().take(2).cloned().collect());
                    Ok(Box::new(move |_| {
                        at += 1;
                        Ok(match &made.content {
                            Content::Items(items) | Content::Group { items, .. } => items.get(at - 1).cloned(),
                            Content::Entries(entries) => entries.get(at - 1).map(|(key, value)| {
                                Value::made(pair.clone(), Content::Tuple(vec![key.clone(), value.clone()]))
                            }),
                            _ => None,
                        })
                    }))
                }
                Content::Query { operator, arguments } => self.open_query(operator, arguments, &made.type_),
                _ => unsupported(format!("'{}' cannot be enumerated", made.type_.short())),
            },
            Value::Object(handle) => {
                if let Some(text) = self.world.text(handle)? {
                    return Ok(characters(text));
                }
                let most = self.limits.elements;
                if let Some(items) = self.world.elements(handle, most.saturating_add(1))? {
                    return Ok(no_more_than(most, listed(items)));
                }
                self.enumerated(value)
            }
            _ => unsupported("a constant cannot be enumerated"),
        }
    }

    /// By the enumerator that the program gives.
    fn enumerated(&mut self, value: &Value<W::Handle>) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        const SEQUENCE: &str = "System.Collections.Generic.IEnumerable`1";
        let type_ = self.run_time_type(value)?.unwrap_or(Type::OBJECT);
        let interfaces = self.types.interfaces(&type_);
        let generic = interfaces.iter().find(|it| it.is(SEQUENCE));
        let plain = || interfaces.iter().find(|it| it.is("System.Collections.IEnumerable"));
        let Some(sequence) = generic.or_else(plain) else {
            return unsupported(format!("'{}' cannot be enumerated", type_.short()));
        };
        let element = match sequence.arguments().first() {
            Some(element) => Type::named("System.Collections.Generic.IEnumerator`1", vec![element.clone()]),
            None => Type::named("System.Collections.IEnumerator", Vec::new()),
        };
        let steps = Type::named("System.Collections.IEnumerator", Vec::new());
        let methods = (
            self.method_of(sequence, "GetEnumerator", 0),
            self.method_of(&steps, "MoveNext", 0),
            self.method_of(&element, "get_Current", 0),
        );
        let (Some(start), Some(advance), Some(current)) = methods else {
            return unsupported("IEnumerator was not found in the framework");
        };
        let enumerator = self.world.call(&start, Some(value), &mut [])?;
        Ok(called(enumerator, advance, current))
    }
}

fn called<'a, W: World + 'a>(enumerator: Value<W::Handle>, advance: MethodRef, current: MethodRef) -> Cursor<'a, W> {
    Box::new(move |run| {
        let has_more = run.world.call(&advance, Some(&enumerator), &mut [])?;
        if has_more.as_bool() != Some(true) {
            return Ok(None);
        }
        run.world.call(&current, Some(&enumerator), &mut []).map(Some)
    })
}

pub(super) fn listed<'a, W: World + 'a>(items: Vec<Value<W::Handle>>) -> Cursor<'a, W> {
    let mut items = items.into_iter();
    Box::new(move |_| Ok(items.next()))
}

/// The next after so many is no end: what is behind it was not read.
fn no_more_than<'a, W: World + 'a>(most: usize, mut cursor: Cursor<'a, W>) -> Cursor<'a, W> {
    let mut count = 0;
    Box::new(move |run| {
        let next = cursor(run)?;
        count += 1;
        if next.is_some() && count > most { too_many(most) } else { Ok(next) }
    })
}

fn too_many<T, E>(most: usize) -> Result<T, Failure<E>> {
    unsupported(format!("the sequence has more than {most} elements"))
}

fn characters<'a, W: World + 'a>(text: std::sync::Arc<[u16]>) -> Cursor<'a, W> {
    let mut at = 0;
    Box::new(move |_| {
        at += 1;
        Ok(text.get(at - 1).map(|unit| Value::scalar(Scalar::Char(*unit))))
    })
}
