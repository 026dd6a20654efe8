//! A world in which nothing changes: what is not known to change nothing is refused before it runs.
//!
//! An expression may write to what it created itself. Whether a call is pure is read from metadata ([`Purity`]), by the types that the
//! objects have when it is made.

mod culture;
mod foreseen;
mod given;
mod made;
mod observed;
mod begun;
mod world;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use clr_metadata::{
    Content, ExactCall, Held, Judged, MethodId, Purity, TypeSig, comparer_fields, is_framework_comparer,
};

pub use foreseen::{Fitness, Foreseen, Unknown, fitness, foresee, mismatch, unknown};

use self::begun::Begun;
use self::given::last_part;
use self::observed::Observed;
use crate::constant::Constant;
use crate::types::{FieldRef, MethodRef, Type, TypeSystem};
use crate::value::Value;
use crate::world::{Failure, Found, World};

/// Elements that are looked at before they are joined.
const MOST_JOINED: usize = 1_000;

/// What was judged: a method, by the address of its module and its number there, with the types of this evaluation.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    method: (usize, MethodId),
    declaring: TypeSig,
    method_arguments: Vec<TypeSig>,
    receiver: Option<TypeSig>,
    is_exact: bool,
    owns_receiver: bool,
    owned_arguments: u64,
    arguments: Vec<Option<TypeSig>>,
}

impl Key {
    fn call<'k>(&'k self, method: &'k MethodRef, held: Held) -> ExactCall<'k> {
        ExactCall {
            assembly: &method.method.assembly,
            method: method.method.id,
            declaring: &self.declaring,
            method_arguments: &self.method_arguments,
            receiver: self.receiver.as_ref(),
            is_exact: self.is_exact,
            owns_receiver: self.owns_receiver,
            owned_arguments: self.owned_arguments,
            arguments: &self.arguments,
            held,
            contents: &[],
        }
    }
}

/// A world of which only what changes nothing is run.
pub struct Pure<'w, W: World> {
    world: &'w mut W,
    types: &'w TypeSystem,
    purity: &'w Purity,
    /// Objects of the expression's own.
    made: Vec<W::Handle>,
    judged: HashMap<Key, Judged>,
    /// Types whose first use changes nothing, or was before.
    used: HashSet<Type>,
    has_framework_culture: Option<bool>,
    /// Enumerators of queries that change nothing.
    enumerators: Vec<W::Handle>,
    /// The assignment that was asked for is under way, by a setter too.
    is_storing: bool,
}

impl<'w, W: World> Pure<'w, W> {
    pub fn new(world: &'w mut W, types: &'w TypeSystem, purity: &'w Purity) -> Self {
        let (made, judged, used, has_framework_culture, enumerators, is_storing) = Default::default();
        Self { world, types, purity, made, judged, used, has_framework_culture, enumerators, is_storing }
    }

    /// As the object that it is.
    fn type_of_value(&mut self, value: &Value<W::Handle>) -> Result<Option<Type>, Failure<W::Error>> {
        Ok(match value {
            Value::Object(handle) => Some(self.world.type_of(handle)?),
            Value::Made(made) => Some(made.type_.clone()),
            // calls nothing, as text does not
            Value::Constant(Constant::Null | Constant::Text(_)) => Some(Type::STRING),
            Value::Constant(Constant::Enum(type_, _)) => Some(type_.clone()),
            Value::Constant(Constant::Scalar(scalar)) => Some(scalar.type_()),
            Value::Void => None,
        })
    }

    fn judge(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<W::Handle>>,
        arguments: &[Value<W::Handle>],
    ) -> Result<(), Failure<W::Error>> {
        let receiver = match this {
            Some(this) => self.type_of_value(this)?.map(|type_| type_.sig()),
            None => None,
        };
        let elements = self.formatted_elements(method, arguments)?;
        let arguments = elements.as_deref().unwrap_or(arguments);
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let type_ = self.type_of_value(argument)?;
            if let Some(type_) = &type_ {
                self.first_value(type_)?;
            }
            given.push(type_.map(|type_| type_.sig()));
        }
        let mut key = Key {
            method: (Arc::as_ptr(&method.method.assembly) as usize, method.method.id),
            declaring: method.owner.sig(),
            method_arguments: method.arguments.iter().map(Type::sig).collect(),
            receiver,
            is_exact: matches!(this, Some(Value::Object(_) | Value::Constant(_)) | None),
            owns_receiver: false,
            owned_arguments: 0,
            arguments: given,
        };
        let mut judged = self.judged(method, &key);
        // looked at only where it decides, which is seldom
        if judged.is_err()
            && let Some(Value::Object(handle)) = this
            && self.is_made(handle)?
        {
            key.owns_receiver = true;
            judged = self.judged(method, &key);
        }
        if judged.is_err() {
            key.owned_arguments = self.made_iterators(arguments)?;
            if key.owned_arguments != 0 {
                judged = self.judged(method, &key);
            }
        }
        if judged.is_ok() {
            return Ok(());
        }
        if let Some(elements) = self.joined_elements(method, arguments)? {
            let of_elements = Key { arguments: elements, ..key.clone() };
            if self.judged(method, &of_elements).is_ok() {
                return Ok(());
            }
        }
        if let Some(Value::Object(handle)) = this
            && self.changes_nothing_by_what_it_holds(method, handle, &key.arguments)?
        {
            return Ok(());
        }
        if let Some(Value::Object(handle)) = this
            && last_part(&method.method.name) == "Invoke"
            && let Some(Err(why)) = self.judged_delegate(handle, &key.arguments)?
        {
            return refused(why.to_string());
        }
        // what is reached whatever the objects hold is the better reason
        let best = Held { framework_comparer: true, framework_culture: true };
        let why = match self.ask(method, &key, best) {
            Err(always) => always,
            Ok(()) => {
                let held = self.held(asked_collection(method, this, arguments))?;
                match self.ask(method, &key, held) {
                    Err(now) => now,
                    Ok(()) => return Ok(()),
                }
            }
        };
        // by types alone, the code of any object may be reached; what these objects reach is the better reason still
        match self.by_what_it_finds(method, this, arguments, &key)?.unwrap_or(Err(why)) {
            Ok(()) => Ok(()),
            Err(why) => refused(why.to_string()),
        }
    }

    /// By the fields of the objects, which decide the way of the code: one that fills a field where it is empty may find it filled.
    /// Nothing where the objects decide nothing.
    fn by_what_it_finds(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<W::Handle>>,
        arguments: &[Value<W::Handle>],
        key: &Key,
    ) -> Found<Judged, W> {
        if key.owns_receiver {
            return Ok(None);
        }
        // a virtual one of the framework may be the program's own
        let is_own = method.method.is_virtual || !clr_metadata::is_framework(method.method.assembly.path());
        if !is_own && !this.into_iter().chain(arguments).any(|value| matches!(value, Value::Object(_))) {
            return Ok(None);
        }
        let held = Held { framework_comparer: false, framework_culture: self.has_framework_culture()? };
        let mut observed = Observed::new(self.world, self.types);
        // the object that a constructor is about to make holds nothing yet
        let made = (method.method.name == ".ctor").then_some(None);
        let this = this.map(|this| observed.content(this));
        let parameters = method.method.parameters.iter().map(|it| it.type_.clone()).map(Some);
        let parameters = parameters.chain(std::iter::repeat(None));
        let given = arguments.iter().zip(parameters).map(|(value, parameter)| match parameter {
            Some(parameter) => observed.argument(value, &parameter),
            None => observed.content(value),
        });
        let contents: Vec<Option<Content>> = made.into_iter().chain(this).chain(given).collect();
        let call = ExactCall { contents: &contents, ..key.call(method, held) };
        let judged = self.purity.exact(&call, &mut observed);
        // of any other one only what its object passes calls on to may decide
        Ok(Some(judged).filter(|judged| is_own || judged.is_ok()))
    }

    /// What a text is made of, where that is in an array of the expression's own: each counts as an argument.
    fn formatted_elements(
        &mut self,
        method: &MethodRef,
        arguments: &[Value<W::Handle>],
    ) -> Found<Vec<Value<W::Handle>>, W> {
        let is_text =
            method.owner == Type::STRING && ["Format", "Concat", "Join"].contains(&method.method.name.as_str());
        let Some((Value::Object(array), before)) = arguments.split_last().filter(|_| is_text) else { return Ok(None) };
        if self.world.type_of(array)? != Type::array(Type::OBJECT) || !self.is_made(array)? {
            return Ok(None);
        }
        let count = self.world.dimensions(array)?.and_then(|it| it.first().map(|(_, length)| *length)).unwrap_or(0);
        let mut all = before.to_vec();
        for at in 0..count {
            all.push(self.world.element(array, at)?);
        }
        Ok(Some(all))
    }

    /// The types of what a text is joined of, where that is in a collection of the framework: it says less of its elements than they do.
    fn joined_elements(
        &mut self,
        method: &MethodRef,
        arguments: &[Value<W::Handle>],
    ) -> Result<Option<Vec<Option<TypeSig>>>, Failure<W::Error>> {
        let is_join = method.owner == Type::STRING && ["Join", "Concat"].contains(&method.method.name.as_str());
        let Some((Value::Object(joined), before)) = arguments.split_last().filter(|_| is_join) else { return Ok(None) };
        let elements = self.world.elements(joined, MOST_JOINED + 1)?;
        let Some(elements) = elements.filter(|elements| elements.len() <= MOST_JOINED) else { return Ok(None) };
        let mut types = Vec::with_capacity(before.len() + elements.len());
        for value in before.iter().chain(&elements) {
            let type_ = self.type_of_value(value)?.map(|type_| type_.sig());
            if !types.contains(&type_) {
                types.push(type_);
            }
        }
        Ok(Some(types))
    }

    /// By the types alone; once for each.
    fn judged(&mut self, method: &MethodRef, key: &Key) -> Judged {
        if let Some(known) = self.judged.get(key) {
            return known.clone();
        }
        let judged = self.ask(method, key, Held::default());
        self.judged.insert(key.clone(), judged.clone());
        judged
    }

    /// What the runtime makes of a struct, a box for one, is the first use of its type.
    fn first_value(&mut self, type_: &Type) -> Result<(), Failure<W::Error>> {
        let is_struct = matches!(type_, Type::Named(_)) && self.types.is_value_type(type_);
        match is_struct {
            true => self.first_use(type_),
            false => Ok(()),
        }
    }

    fn first_use(&mut self, type_: &Type) -> Result<(), Failure<W::Error>> {
        if self.used.contains(type_) {
            return Ok(());
        }
        if let Some(definition) = self.types.definition(type_) {
            let instance = type_.sig();
            let mut begun = Begun(&mut *self.world);
            if let Err(why) = self.purity.initializer(&definition.assembly, (definition.id, &instance), &mut begun) {
                return refused(why.to_string());
            }
        }
        self.used.insert(type_.clone());
        Ok(())
    }

    fn ask(&mut self, method: &MethodRef, key: &Key, held: Held) -> Judged {
        self.purity.exact(&key.call(method, held), &mut Begun(&mut *self.world))
    }

    /// What decides beside types.
    fn held(&mut self, collection: Option<&Value<W::Handle>>) -> Result<Held, Failure<W::Error>> {
        let framework_comparer = match collection {
            Some(Value::Object(handle)) => self.has_framework_comparer(handle)?,
            _ => false,
        };
        Ok(Held { framework_comparer, framework_culture: self.has_framework_culture()? })
    }

    fn has_framework_comparer(&mut self, collection: &W::Handle) -> Result<bool, Failure<W::Error>> {
        let type_ = self.world.type_of(collection)?;
        let fields = self.types.chain(&type_).iter().find_map(|base| base.name().and_then(comparer_fields));
        let Some(path) = fields else { return Ok(false) };
        let mut at = collection.clone();
        for name in path {
            let type_ = self.world.type_of(&at)?;
            let Some(field) = self.field_named(&type_, name) else { return Ok(false) };
            match self.world.field(Some(&at), &field)? {
                Value::Object(inner) => at = inner,
                // the default one of the keys' type
                value => return Ok(value.is_null()),
            }
        }
        Ok(self.world.type_of(&at)?.name().is_some_and(is_framework_comparer))
    }

    fn field_named(&self, type_: &Type, name: &str) -> Option<FieldRef> {
        self.types.chain(type_).into_iter().find_map(|owner| {
            let definition = self.types.definition(&owner)?;
            let field = self.types.fields(&definition).iter().find(|it| it.name == name && !it.is_static)?.clone();
            Some(FieldRef { owner, field })
        })
    }
}

/// The collection whose comparer a call asks: the object, or the dictionary that an extension looks a key up in.
fn asked_collection<'v, H>(
    method: &MethodRef,
    this: Option<&'v Value<H>>,
    arguments: &'v [Value<H>],
) -> Option<&'v Value<H>> {
    const EXTENSIONS: &str = "System.Collections.Generic.CollectionExtensions";
    this.or_else(|| arguments.first().filter(|_| method.owner.is(EXTENSIONS)))
}

fn refused<T, E>(why: impl Into<String>) -> Result<T, Failure<E>> {
    Err(Failure::SideEffects { at: None, why: why.into() })
}
