//! Operators that look at one element at a time.

use crate::types::Type;
use crate::value::{Content, Value};
use crate::world::{Failure, World};

use super::super::enumerate::{Cursor, listed};
use super::super::{Run, unsupported};

impl<'a, W: World> Run<'a, W> {
    pub(super) fn open_sequence(
        &mut self,
        operator: &str,
        arguments: &[Value<W::Handle>],
        type_: &Type,
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let element = type_.arguments().first().cloned().unwrap_or(Type::OBJECT);
        if operator == "Empty" {
            return Ok(listed(Vec::new()));
        }
        let Some(first) = arguments.first() else { return unsupported(format!("{operator} needs a sequence")) };
        let second = arguments.get(1).cloned();
        if let ("Range" | "Repeat", Some(second)) = (operator, &second) {
            return Ok(counted(operator, first, second));
        }
        if let ("Skip", Some(count)) = (operator, second.as_ref().and_then(Value::as_integer))
            && let Some(rows) = self.skipped(first, count)?
        {
            return Ok(Self::open_rows(rows));
        }
        if let ("Take", Some(count)) = (operator, second.as_ref().and_then(Value::as_integer))
            && let Some((has, indexer)) = self.own_list(first)?
        {
            let (list, mut positions) = (first.clone(), 0..usize::try_from(count).unwrap_or(0).min(has));
            return Ok(Box::new(move |run| positions.next().map(|at| run.own_item(&list, &indexer, at)).transpose()));
        }
        let is_taken_as_it_is = match operator {
            "Cast" => true,
            "OfType" => self.types.takes_like_arrays(),
            _ => false,
        };
        let is_alike = is_taken_as_it_is
            && self
                .run_time_type(first)?
                .is_some_and(|own| self.types.has_like_elements(&own, &Type::array(element.clone())));
        let mut source = self.open(first)?;
        Ok(match (operator, second) {
            ("AsEnumerable", _) => source,
            ("Cast" | "OfType", _) if is_alike => Box::new(move |run| match source(run)? {
                Some(item) => run.number_as(&item, &element, false).map(Some),
                None => Ok(None),
            }),
            ("Cast", _) => Box::new(move |run| match source(run)? {
                Some(item) => run.cast(item, &element).map(Some),
                None => Ok(None),
            }),
            ("OfType", _) => Box::new(move |run| {
                while let Some(item) = source(run)? {
                    run.step()?;
                    if run.is_instance(&item, &element)? {
                        return run.cast(item, &element).map(Some);
                    }
                }
                Ok(None)
            }),
            ("Where", Some(predicate)) => {
                let mut number = Number::of(&predicate);
                Box::new(move |run| {
                    while let Some(item) = source(run)? {
                        if number.call(run, &predicate, item.clone())?.as_bool() == Some(true) {
                            return Ok(Some(item));
                        }
                    }
                    Ok(None)
                })
            }
            ("Select", Some(selector)) => {
                let mut number = Number::of(&selector);
                Box::new(move |run| match source(run)? {
                    Some(item) => number.call(run, &selector, item).map(Some),
                    None => Ok(None),
                })
            }
            ("SelectMany", Some(selector)) => {
                let mut number = Number::of(&selector);
                let result = arguments.get(2).cloned();
                let mut inner: Option<(Value<W::Handle>, Cursor<'a, W>)> = None;
                Box::new(move |run| {
                    loop {
                        if let Some((outer, cursor)) = &mut inner {
                            if let Some(item) = cursor(run)? {
                                return match &result {
                                    Some(result) => {
                                        run.invoked(result, &Type::OBJECT, vec![outer.clone(), item]).map(Some)
                                    }
                                    None => Ok(Some(item)),
                                };
                            }
                            inner = None;
                        }
                        let Some(item) = source(run)? else { return Ok(None) };
                        let sequence = number.call(run, &selector, item.clone())?;
                        inner = Some((item, run.open(&sequence)?));
                    }
                })
            }
            ("TakeWhile", Some(predicate)) => {
                let mut number = Number::of(&predicate);
                let mut is_over = false;
                Box::new(move |run| {
                    if is_over {
                        return Ok(None);
                    }
                    match source(run)? {
                        Some(item) if number.call(run, &predicate, item.clone())?.as_bool() == Some(true) => {
                            Ok(Some(item))
                        }
                        _ => {
                            is_over = true;
                            Ok(None)
                        }
                    }
                })
            }
            ("SkipWhile", Some(predicate)) => {
                let mut number = Number::of(&predicate);
                let mut has_begun = false;
                Box::new(move |run| {
                    while let Some(item) = source(run)? {
                        if has_begun || number.call(run, &predicate, item.clone())?.as_bool() != Some(true) {
                            has_begun = true;
                            return Ok(Some(item));
                        }
                    }
                    Ok(None)
                })
            }
            ("Take", Some(count)) => match count.as_integer() {
                Some(count) => {
                    let mut left = count;
                    Box::new(move |run| {
                        left -= 1;
                        if left < 0 { Ok(None) } else { source(run) }
                    })
                }
                None => {
                    let items = self.all(first)?;
                    listed(self.ranged(items, &count)?)
                }
            },
            ("Skip", Some(count)) => {
                let mut left = count.as_integer().unwrap_or(0);
                Box::new(move |run| {
                    while left > 0 {
                        left -= 1;
                        if source(run)?.is_none() {
                            return Ok(None);
                        }
                    }
                    source(run)
                })
            }
            ("TakeLast" | "SkipLast", Some(count)) => {
                let items = self.all(first)?;
                let count = usize::try_from(count.as_integer().unwrap_or(0)).unwrap_or(0).min(items.len());
                let at = items.len() - count;
                let (head, tail) = items.split_at(at);
                listed(if operator == "TakeLast" { tail.to_vec() } else { head.to_vec() })
            }
            ("Concat", Some(other)) => {
                let mut rest: Option<Cursor<'a, W>> = None;
                Box::new(move |run| {
                    if let Some(rest) = &mut rest {
                        return rest(run);
                    }
                    if let Some(item) = source(run)? {
                        return Ok(Some(item));
                    }
                    let mut opened = run.open(&other)?;
                    let item = opened(run)?;
                    rest = Some(opened);
                    Ok(item)
                })
            }
            ("Append", Some(last)) => {
                let mut last = Some(last);
                Box::new(move |run| match source(run)? {
                    Some(item) => Ok(Some(item)),
                    None => Ok(last.take()),
                })
            }
            ("Prepend", Some(ahead)) => {
                let mut ahead = Some(ahead);
                Box::new(move |run| match ahead.take() {
                    Some(item) => Ok(Some(item)),
                    None => source(run),
                })
            }
            ("DefaultIfEmpty", default) => {
                let default = match default {
                    Some(default) => default,
                    None => self.default_value(&element)?,
                };
                let mut default = Some(default);
                Box::new(move |run| match source(run)? {
                    Some(item) => {
                        default = None;
                        Ok(Some(item))
                    }
                    None => Ok(default.take()),
                })
            }
            ("Reverse", _) => {
                let mut items = self.buffered(first)?;
                items.reverse();
                listed(items)
            }
            ("Index", _) => {
                let mut at = 0;
                Box::new(move |run| {
                    let Some(item) = source(run)? else { return Ok(None) };
                    at += 1;
                    Ok(Some(Value::made(element.clone(), Content::Tuple(vec![Value::count(at - 1), item]))))
                })
            }
            ("Chunk", Some(size)) => {
                let size = usize::try_from(size.as_integer().unwrap_or(0)).unwrap_or(0);
                Box::new(move |run| {
                    let mut chunk = Vec::new();
                    while chunk.len() < size
                        && let Some(item) = source(run)?
                    {
                        chunk.push(item);
                    }
                    Ok((!chunk.is_empty()).then(|| Value::made(element.clone(), Content::Items(chunk))))
                })
            }
            ("Zip", Some(other)) => {
                let third = arguments.get(2).cloned();
                let mut other = self.open(&other)?;
                let is_function = third.as_ref().is_some_and(|it| self.is_function(it));
                let mut more = match &third {
                    Some(third) if !is_function => Some(self.open(third)?),
                    _ => None,
                };
                Box::new(move |run| {
                    let (Some(one), Some(two)) = (source(run)?, other(run)?) else { return Ok(None) };
                    match (&third, &mut more) {
                        (Some(function), None) => run.invoked(function, &Type::OBJECT, vec![one, two]).map(Some),
                        (_, Some(more)) => {
                            let Some(three) = more(run)? else { return Ok(None) };
                            Ok(Some(Value::made(element.clone(), Content::Tuple(vec![one, two, three]))))
                        }
                        (None, None) => Ok(Some(Value::made(element.clone(), Content::Tuple(vec![one, two])))),
                    }
                })
            }
            (other, _) => return unsupported(format!("{other} is not supported here")),
        })
    }

    fn is_function(&mut self, value: &Value<W::Handle>) -> bool {
        match self.run_time_type(value) {
            Ok(Some(type_)) => self.types.delegate(&type_).is_some(),
            _ => false,
        }
    }

    /// `Take(1..^1)`
    fn ranged(
        &mut self,
        items: Vec<Value<W::Handle>>,
        range: &Value<W::Handle>,
    ) -> Result<Vec<Value<W::Handle>>, Failure<W::Error>> {
        let Value::Made(made) = range else { return unsupported("a number or a range is expected") };
        let Content::Range { start, end } = &made.content else {
            return unsupported("a number or a range is expected");
        };
        let at = |(number, is_from_end): (i32, bool)| {
            let number = usize::try_from(number).unwrap_or(0);
            if is_from_end { items.len().saturating_sub(number) } else { number.min(items.len()) }
        };
        let (start, end) = (at(*start), at(*end));
        Ok(items.get(start..end.max(start)).unwrap_or_default().to_vec())
    }
}

fn counted<'a, W: World + 'a>(operator: &str, first: &Value<W::Handle>, second: &Value<W::Handle>) -> Cursor<'a, W> {
    let count = second.as_integer().unwrap_or(0);
    let (is_range, start, item) = (operator == "Range", first.as_integer().unwrap_or(0), first.clone());
    let mut at = 0;
    Box::new(move |_| {
        if at >= count {
            return Ok(None);
        }
        at += 1;
        Ok(Some(if is_range { Value::int((start + at - 1) as i32) } else { item.clone() }))
    })
}

/// Of the element, for a function that wants it.
struct Number {
    is_wanted: bool,
    next: usize,
}

impl Number {
    fn of<H>(function: &Value<H>) -> Self {
        let is_wanted = match function {
            Value::Made(made) => match &made.content {
                Content::Lambda { lambda, .. } => lambda.parameters.len() == 2,
                _ => false,
            },
            _ => false,
        };
        Self { is_wanted, next: 0 }
    }

    fn call<W: World>(
        &mut self,
        run: &mut Run<'_, W>,
        function: &Value<W::Handle>,
        item: Value<W::Handle>,
    ) -> crate::world::Evaluated<W> {
        run.step()?;
        let mut arguments = vec![item];
        if self.is_wanted {
            arguments.push(Value::count(self.next));
            self.next += 1;
        }
        run.invoked(function, &Type::OBJECT, arguments)
    }
}
