//! What a call takes that is not in the program yet: strings, boxes and arrays, each made by a call of its own before.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::{Argument, Call, CallError, Outcome, Waiter, What, call};
use crate::com::{self, HResult, Interface as _, element};
use crate::stopped::Stopped;
use crate::types;
use crate::values::{Content, Place, Scalar, WriteError};

const MISSING: CallError = CallError::Refused(HResult::INVALID_ARGUMENT);

/// Makes them on a thread. What it gives are handles: the garbage collector may move the objects at the next call.
pub(super) struct Maker {
    thread: u32,
    limit: Duration,
    began: Instant,
    /// Those that were made: each takes the program to run, and nothing can change one.
    texts: HashMap<Vec<u16>, com::Value>,
}

impl Maker {
    /// `limit`: of all that is made for one call.
    pub fn new(thread: u32, limit: Duration) -> Self {
        Self { thread, limit, began: Instant::now(), texts: HashMap::new() }
    }

    /// How much of the limit is left.
    fn left(&self) -> Result<Duration, CallError> {
        let left = self.limit.saturating_sub(self.began.elapsed());
        if left.is_zero() { Err(CallError::TimedOut) } else { Ok(left) }
    }

    fn text(
        &mut self,
        stopped: &mut Stopped,
        units: Vec<u16>,
        waiter: &mut dyn Waiter,
    ) -> Result<com::Value, CallError> {
        if let Some(made) = self.texts.get(&units) {
            return Ok(made.clone());
        }
        let made = self.object(stopped, What::Text(units.clone()), waiter)?;
        self.texts.insert(units, made.clone());
        Ok(made)
    }

    /// A call whose arguments all exist.
    pub fn made(&mut self, stopped: &mut Stopped, what: What, waiter: &mut dyn Waiter) -> Result<What, CallError> {
        Ok(match what {
            What::Function { function, types, arguments } => {
                What::Function { function, types, arguments: self.arguments(stopped, arguments, waiter)? }
            }
            What::New { constructor, types, arguments } => {
                What::New { constructor, types, arguments: self.arguments(stopped, arguments, waiter)? }
            }
            other => other,
        })
    }

    fn arguments(
        &mut self,
        stopped: &mut Stopped,
        arguments: Vec<Argument>,
        waiter: &mut dyn Waiter,
    ) -> Result<Vec<Argument>, CallError> {
        arguments.into_iter().map(|argument| self.argument(stopped, argument, waiter)).collect()
    }

    fn argument(
        &mut self,
        stopped: &mut Stopped,
        argument: Argument,
        waiter: &mut dyn Waiter,
    ) -> Result<Argument, CallError> {
        Ok(Argument::Kept(match argument {
            Argument::Text(units) => self.text(stopped, units, waiter)?,
            Argument::Boxed(scalar, types) => self.boxed(stopped, &scalar, types, waiter)?,
            Argument::BoxedPlace(place) => self.boxed_place(stopped, &place, waiter)?,
            Argument::Nullable { type_, held } => {
                let struct_ = match held.as_deref() {
                    Some(Argument::Place(place)) => Some(place.clone()),
                    _ => None,
                };
                let is_null = held.is_none();
                let made = self.nullable(stopped, &type_, held, waiter)?;
                let inside = stopped.value(made.clone()).target()?.ok_or(MISSING)?;
                if !is_miscopied(inside.com())? {
                    return Ok(Argument::Unboxed(made));
                }
                // out of a box of what it holds, as C# boxes a nullable; .NET 8 takes any box for one
                match struct_ {
                    Some(place) => self.boxed_place(stopped, &place, waiter)?,
                    None if is_null => return Ok(Argument::Null),
                    None => return Err(MISSING),
                }
            }
            other => return Ok(other),
        }))
    }

    fn object(&self, stopped: &mut Stopped, what: What, waiter: &mut dyn Waiter) -> Result<com::Value, CallError> {
        let left = self.left()?;
        match call(stopped, Call { thread: self.thread, what }, left, waiter)? {
            Outcome::Value(Some(value)) => Ok(value),
            _ => Err(CallError::Refused(HResult::POINTER)),
        }
    }

    /// The program never made this object: its finalizer would find it without what a constructor gives it.
    pub fn suppress_finalizer(
        &self,
        stopped: &mut Stopped,
        made: &com::Value,
        waiter: &mut dyn Waiter,
    ) -> Result<(), CallError> {
        let own = stopped.value(made.clone()).type_()?;
        if !types::has_finalizer(stopped.target(), &own) {
            return Ok(());
        }
        let collector = types::core(stopped.target(), "System.GC").ok_or(MISSING)?;
        let mut methods = collector.view().methods();
        let method = methods.find(|&it| collector.assembly.method(it).name() == "SuppressFinalize").ok_or(MISSING)?;
        let function = collector.module.function(method.token().0)?;
        let what = What::Function { function, types: Vec::new(), arguments: vec![Argument::Kept(made.clone())] };
        call(stopped, Call { thread: self.thread, what }, self.limit, waiter).map(drop)
    }

    /// A scalar where an object is wanted: an empty box, filled afterwards.
    pub fn boxed(
        &mut self,
        stopped: &mut Stopped,
        scalar: &Scalar,
        types: Vec<com::Type>,
        waiter: &mut dyn Waiter,
    ) -> Result<com::Value, CallError> {
        let class = match scalar {
            Scalar::Enum(definition, _) => definition.class.clone(),
            other => {
                let signature = other.signature();
                let name = signature.full_name().ok_or(MISSING)?;
                types::core(stopped.target(), name).ok_or(MISSING)?.class
            }
        };
        let value = self.object(stopped, What::Bare { class, types }, waiter)?;
        let inside = stopped.value(value.clone()).target()?.ok_or(MISSING)?;
        let Some((_, bytes)) = scalar.bytes() else {
            inside.write_scalar(scalar).map_err(refused)?;
            return Ok(value);
        };
        let field = inside.raw_object().and_then(|object| object.field("m_value").or_else(|| object.field("_value")));
        field.ok_or(MISSING)?.com().cast::<com::GenericValue>()?.set_bytes(&bytes)?;
        Ok(value)
    }

    fn boxed_place(
        &mut self,
        stopped: &mut Stopped,
        place: &Place,
        waiter: &mut dyn Waiter,
    ) -> Result<com::Value, CallError> {
        let type_ = place.read(stopped)?.type_()?;
        let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
        let value = self.object(stopped, What::Bare { class: type_.class()?, types }, waiter)?;
        let inside = stopped.value(value.clone()).target()?.ok_or(MISSING)?;
        inside.write_value(&place.read(stopped)?).map_err(refused)?;
        Ok(value)
    }

    /// The runtime boxes one as what it holds: it is made empty, and filled afterwards.
    pub fn nullable(
        &mut self,
        stopped: &mut Stopped,
        type_: &com::Type,
        held: Option<Box<Argument>>,
        waiter: &mut dyn Waiter,
    ) -> Result<com::Value, CallError> {
        let held = held.map(|held| self.argument(stopped, *held, waiter)).transpose()?;
        let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
        let value = self.object(stopped, What::Bare { class: type_.class()?, types }, waiter)?;
        let Some(held) = held else { return Ok(value) };
        let made = stopped.value(value.clone()).target()?.and_then(|inside| inside.raw_object()).ok_or(MISSING)?;
        let slot = made.field("value").ok_or(MISSING)?;
        match held {
            Argument::Scalar(scalar) => slot.write_scalar(&scalar),
            Argument::Place(place) => slot.write_value(&place.read(stopped)?),
            Argument::Kept(held) => slot.write_value(&stopped.value(held)),
            _ => return Err(MISSING),
        }
        .map_err(refused)?;
        made.field("hasValue").ok_or(MISSING)?.write_scalar(&Scalar::Bool(true)).map_err(refused)?;
        Ok(value)
    }

    /// An array with elements.
    pub fn array(
        &mut self,
        stopped: &mut Stopped,
        empty: What,
        items: Vec<Argument>,
        waiter: &mut dyn Waiter,
    ) -> Result<com::Value, CallError> {
        let items = self.arguments(stopped, items, waiter)?;
        let value = self.object(stopped, empty, waiter)?;
        let Content::Array(array) = stopped.value(value.clone()).content()? else { return Err(MISSING) };
        for (at, item) in (0..).zip(&items) {
            self.left()?;
            let slot = array.at(at)?;
            match item {
                Argument::Scalar(scalar) => slot.write_scalar(scalar),
                Argument::Place(place) => slot.write_value(&place.read(stopped)?),
                Argument::Kept(value) => slot.write_value(&stopped.value(value.clone())),
                Argument::Unboxed(value) => slot.write_value(&stopped.value(value.clone()).target()?.ok_or(MISSING)?),
                // it is already
                Argument::Null => continue,
                _ => return Err(MISSING),
            }
            .map_err(refused)?;
        }
        Ok(value)
    }
}

/// Structs of these sizes are passed in a register, and the runtime takes them for larger ones, which are passed by their address.
pub(crate) fn is_miscopied(value: &com::Value) -> com::Result<bool> {
    Ok(matches!(value.size()?, 3 | 5..=7))
}

fn refused(error: WriteError) -> CallError {
    match error {
        WriteError::Runtime(error) => error.into(),
        WriteError::Type { .. } => MISSING,
    }
}

pub(super) fn lower(stopped: &Stopped, eval: &com::Eval, arguments: &[Argument]) -> com::Result<Vec<com::Value>> {
    arguments.iter().map(|argument| one(stopped, eval, argument)).collect()
}

fn one(stopped: &Stopped, eval: &com::Eval, argument: &Argument) -> com::Result<com::Value> {
    Ok(match argument {
        // what a `ref` variable refers to: of its own address a call would make an object
        Argument::Place(place) => place.read(stopped)?.settled()?.com().clone(),
        Argument::Kept(value) => value.clone(),
        Argument::Unboxed(value) => stopped.value(value.clone()).target()?.ok_or(HResult::POINTER)?.com().clone(),
        Argument::Null => eval.create_value(element::CLASS, None)?,
        Argument::Scalar(scalar) => {
            let (kind, bytes) = scalar.bytes().ok_or(HResult::INVALID_ARGUMENT)?;
            let value = eval.create_value(kind, None)?;
            value.cast::<com::GenericValue>()?.set_bytes(&bytes)?;
            value
        }
        // made before
        Argument::Text(_) | Argument::Boxed(..) | Argument::BoxedPlace(_) | Argument::Nullable { .. } => {
            return Err(HResult::INVALID_ARGUMENT);
        }
    })
}
