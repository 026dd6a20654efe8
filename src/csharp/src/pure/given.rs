//! Objects of the framework that run what the program gave them: delegates, the queries of LINQ over them, a `Lazy`, exceptions.
//!
//! A delegate is judged by the method that it calls, a query by its delegates, its comparers and what it goes through.

use clr_metadata::{ExactCall, Held, Judged, TypeSig, is_framework, is_framework_comparer, told_field};

use super::Pure;
use super::begun::Begun;
use crate::types::{FieldRef, MethodRef, Type};
use crate::value::{Content, Value};
use crate::world::{Failure, Found, World};

/// Queries over queries.
const DEEPEST: usize = 16;
/// Methods of a delegate.
const MOST_TARGETS: usize = 32;

/// Types of sequences whose code is the framework's, whatever they go through; the compiler's iterators of the second kind are.
const QUERIES: [&str; 3] =
    ["System.Linq.Enumerable+", "System.Linq.OrderedEnumerable", "System.Collections.Generic.SortedSet`1+<Reverse>d__"];
/// What the compiler makes of an interpolated text for a `FormattableString`.
const FORMATTED: &str = "System.Runtime.CompilerServices.FormattableStringFactory+ConcreteFormattableString";
/// Comparers that ask the elements for their order.
const ORDERING: [&str; 2] = ["System.Collections.Generic.GenericComparer", "System.Collections.Generic.ObjectComparer"];
const DICTIONARY: &str = "System.Collections.Generic.Dictionary`2";
/// Keys that are looked at.
const MOST_KEYS: usize = 1000;
const TASK: &str = "System.Threading.Tasks.Task`1";
/// Of `m_stateFlags`, .NET 8 to 10.
const RAN_TO_COMPLETION: i128 = 0x100_0000;
const LAZY: &str = "System.Lazy`1";
const THREAD_LOCAL: &str = "System.Threading.ThreadLocal`1";
const AGGREGATE: &str = "System.AggregateException";
/// Their texts have those of all that they hold.
const TELLING: [&str; 2] = [AGGREGATE, "System.Reflection.ReflectionTypeLoadException"];
/// What an exception's `ToString` asks of it.
const TEXTS: [&str; 5] = ["ToString", "get_Message", "get_StackTrace", "get_Source", "get_Data"];
const ITERATORS: &str = "System.Xml.Linq.";

/// What only a query that has begun uses: whoever asks it for an enumerator gets one of its own.
const OF_ONE_PASS: [&str; 6] = ["_enumerator", "_current", "_buffer", "<>2__current", "<>7__wrap", "<e>5__"];

type Answer<W> = Result<bool, Failure<<W as World>::Error>>;

impl<W: World> Pure<'_, W> {
    pub(super) fn changes_nothing_by_what_it_holds(
        &mut self,
        method: &MethodRef,
        of: &W::Handle,
        arguments: &[Option<TypeSig>],
    ) -> Answer<W> {
        match last_part(&method.method.name) {
            "Invoke" => self.calls_what_is_pure(of, arguments),
            "get_Value" => self.has_its_value(of),
            "get_Result" => self.has_its_result(of),
            "ToString" => Ok(self.is_plain_exception(of)? || arguments.is_empty() && self.is_plain_text(of)?),
            // it keeps the list that it makes of them, which no code can tell from one that was there
            "get_Item" | "ContainsKey" | "TryGetValue" | "ContainsValue" | "Contains" | "IndexOf" | "LastIndexOf" => {
                Ok(self.has_quiet_keys(of, method, arguments)? || self.has_quiet_elements(of, method, arguments)?)
            }
            "get_InnerExceptions" => Ok(method.owner.is(AGGREGATE)),
            "GetEnumerator" => self.is_pure_sequence(of, method, 0),
            "MoveNext" | "get_Current" | "Dispose" => {
                for at in 0..self.enumerators.len() {
                    let Some(known) = self.enumerators.get(at).cloned() else { continue };
                    if self.world.is_same(&known, of)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// What a pure query answers is gone through without asking again.
    pub(super) fn note_enumerator(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<W::Handle>>,
        result: &Value<W::Handle>,
    ) -> Result<(), Failure<W::Error>> {
        if last_part(&method.method.name) == "GetEnumerator"
            && let (Some(Value::Object(of)), Value::Object(enumerator)) = (this, result)
        {
            let type_ = self.world.type_of(of)?;
            if self.is_query(&type_) {
                self.enumerators.push(enumerator.clone());
            }
        }
        Ok(())
    }

    fn is_query(&self, type_: &Type) -> bool {
        let is_known = type_.name().is_some_and(|name| {
            QUERIES.iter().any(|known| name.starts_with(known)) || name.starts_with(ITERATORS) && name.contains(">d__")
        });
        is_known && self.types.definition(type_).is_some_and(|it| is_framework(it.assembly.path()))
    }

    fn is_pure_sequence(&mut self, of: &W::Handle, start: &MethodRef, depth: usize) -> Answer<W> {
        let type_ = self.world.type_of(of)?;
        if depth > DEEPEST || !self.is_query(&type_) {
            return Ok(false);
        }
        for owner in self.types.chain(&type_) {
            let Some(definition) = self.types.definition(&owner) else { return Ok(false) };
            for field in self.types.fields(&definition).iter().filter(|field| !field.is_static) {
                if OF_ONE_PASS.iter().any(|name| field.name.starts_with(name)) {
                    continue;
                }
                let field = FieldRef { owner: owner.clone(), field: field.clone() };
                let held = self.world.field(Some(of), &field)?;
                if !self.is_pure_part(&held, &type_, start, depth)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Of a query: what it holds in a field.
    fn is_pure_part(&mut self, held: &Value<W::Handle>, query: &Type, start: &MethodRef, depth: usize) -> Answer<W> {
        let Value::Object(handle) = held else { return Ok(true) };
        let type_ = self.world.type_of(handle)?;
        if let Some((parameters, _)) = self.types.delegate(&type_) {
            return self.calls_what_is_pure(handle, &vec![None; parameters.len()]);
        }
        if type_.name().is_some_and(is_framework_comparer) {
            // texts have the order of the culture
            let orders = type_.name().is_some_and(|name| ORDERING.iter().any(|known| name.starts_with(known)));
            if orders && !self.has_framework_culture()? {
                return Ok(false);
            }
            // it asks the elements, or their keys
            return Ok(query.arguments().iter().all(|asked| self.purity.is_quiet(&asked.sig()).is_ok()));
        }
        if self.is_query(&type_) {
            return self.is_pure_sequence(handle, start, depth + 1);
        }
        if self.world.text(handle)?.is_some() || type_.name().is_some_and(|name| name.starts_with(ITERATORS)) {
            return Ok(true);
        }
        // a collection of the framework
        let receiver = type_.sig();
        let call = ExactCall {
            assembly: &start.method.assembly,
            method: start.method.id,
            declaring: &start.owner.sig(),
            method_arguments: &[],
            receiver: Some(&receiver),
            is_exact: true,
            owns_receiver: false,
            owned_arguments: 0,
            arguments: &[],
            held: Held::default(),
            contents: &[],
        };
        let is_own = self.types.definition(&type_).is_some_and(|it| !is_framework(it.assembly.path()));
        let judged = self.purity.exact(&call, &mut Begun(&mut *self.world));
        Ok(!is_own && judged.is_ok())
    }

    /// A dictionary that is asked for a key, where its comparer asks the keys themselves: of what type they are is in the objects alone.
    fn has_quiet_keys(&mut self, of: &W::Handle, method: &MethodRef, arguments: &[Option<TypeSig>]) -> Answer<W> {
        if !["get_Item", "ContainsKey", "TryGetValue"].contains(&last_part(&method.method.name)) {
            return Ok(false);
        }
        let (Some(Some(wanted)), true) = (arguments.first(), self.world.type_of(of)?.is(DICTIONARY)) else {
            return Ok(false);
        };
        if !self.has_framework_comparer(of)? {
            return Ok(false);
        }
        let Some(entries) = self.world.elements(of, MOST_KEYS)?.filter(|entries| entries.len() < MOST_KEYS) else {
            return Ok(false);
        };
        let mut asked = vec![wanted.clone()];
        for entry in &entries {
            let Value::Made(made) = entry else { return Ok(false) };
            let Content::Tuple(parts) = &made.content else { return Ok(false) };
            let Some(key) = parts.first() else { return Ok(false) };
            let Some(type_) = self.type_of_value(key)?.map(|type_| type_.sig()) else { return Ok(false) };
            if !asked.contains(&type_) {
                asked.push(type_);
            }
        }
        Ok(asked.iter().all(|key| self.purity.is_quiet(key).is_ok()))
    }

    /// A collection of objects that is searched: of what type they are is in the objects alone.
    fn has_quiet_elements(&mut self, of: &W::Handle, method: &MethodRef, arguments: &[Option<TypeSig>]) -> Answer<W> {
        let [Some(wanted)] = arguments else { return Ok(false) };
        let type_ = self.world.type_of(of)?;
        let name = last_part(&method.method.name);
        let elements = match type_.name() {
            Some("System.Collections.Generic.List`1" | "System.Collections.ArrayList") => {
                match ["Contains", "IndexOf", "LastIndexOf"].contains(&name) {
                    true => self.array_elements(of, "_items")?,
                    false => None,
                }
            }
            Some("System.Collections.Hashtable") if self.field_of(of, "_keycomparer")?.is_null() => {
                let part = if name == "ContainsValue" { "val" } else { "key" };
                self.bucket_elements(of, part)?
            }
            Some("System.Collections.ListDictionaryInternal") => self.chain_keys(of)?,
            _ => None,
        };
        let Some(elements) = elements else { return Ok(false) };
        let mut asked = vec![wanted.clone()];
        for element in &elements {
            let Some(type_) = self.type_of_value(element)?.map(|type_| type_.sig()) else { return Ok(false) };
            if !asked.contains(&type_) {
                asked.push(type_);
            }
        }
        let object = Type::OBJECT.sig();
        Ok(asked.iter().all(|it| *it == object || self.purity.compares_quietly(it).is_ok()))
    }

    fn field_of(&mut self, of: &W::Handle, name: &str) -> Result<Value<W::Handle>, Failure<W::Error>> {
        let type_ = self.world.type_of(of)?;
        match self.field_named(&type_, name) {
            Some(field) => self.world.field(Some(of), &field),
            None => Ok(Value::Void),
        }
    }

    /// All that lies in the array that a field holds, what is left over there too. `None`: more than are looked at.
    fn array_elements(&mut self, of: &W::Handle, field: &str) -> Found<Vec<Value<W::Handle>>, W> {
        let Value::Object(array) = self.field_of(of, field)? else { return Ok(None) };
        let dimensions = self.world.dimensions(&array)?;
        let Some(count) = dimensions.and_then(|it| it.first().map(|(_, length)| *length)) else { return Ok(None) };
        if count > MOST_KEYS {
            return Ok(None);
        }
        let mut all = Vec::with_capacity(count);
        for at in 0..count {
            all.push(self.world.element(&array, at)?);
        }
        Ok(Some(all))
    }

    /// The keys of a dictionary whose entries lead from one to the next. `None`: more than are looked at.
    fn chain_keys(&mut self, of: &W::Handle) -> Found<Vec<Value<W::Handle>>, W> {
        let mut all = Vec::new();
        let mut at = self.field_of(of, "head")?;
        while let Value::Object(node) = &at {
            if all.len() >= MOST_KEYS {
                return Ok(None);
            }
            all.push(self.field_of(node, "key")?);
            at = self.field_of(node, "next")?;
        }
        Ok(at.is_null().then_some(all))
    }

    /// Half of the entries of a hash table.
    fn bucket_elements(&mut self, of: &W::Handle, part: &str) -> Found<Vec<Value<W::Handle>>, W> {
        let Some(buckets) = self.array_elements(of, "_buckets")? else { return Ok(None) };
        let mut all = Vec::with_capacity(buckets.len());
        for bucket in &buckets {
            let Value::Object(bucket) = bucket else { return Ok(None) };
            all.push(self.field_of(bucket, part)?);
        }
        Ok(Some(all))
    }

    /// A `Lazy` that was asked before: it has no state left, and gives what it has. So does a `ThreadLocal` on the thread that asked it.
    fn has_its_value(&mut self, of: &W::Handle) -> Answer<W> {
        let type_ = self.world.type_of(of)?;
        if type_.is(THREAD_LOCAL) {
            let getter = self.types.definition(&type_).and_then(|definition| {
                let method = self.types.methods(&definition, "get_IsValueCreated").first()?.clone();
                Some(MethodRef { owner: type_.clone(), method, arguments: Vec::new() })
            });
            let Some(getter) = getter else { return Ok(false) };
            return Ok(self.world.call(&getter, Some(&Value::Object(of.clone())), &mut [])?.as_bool() == Some(true));
        }
        let is_lazy = type_.name().is_some_and(|name| name == LAZY)
            && self.types.definition(&type_).is_some_and(|it| is_framework(it.assembly.path()));
        match self.field_named(&type_, "_state").filter(|_| is_lazy) {
            Some(state) => Ok(self.world.field(Some(of), &state)?.is_null()),
            None => Ok(false),
        }
    }

    /// A task that has run to its end: nobody waits for it.
    fn has_its_result(&mut self, of: &W::Handle) -> Answer<W> {
        let type_ = self.world.type_of(of)?;
        let is_task = self.types.chain(&type_).iter().any(|it| it.name() == Some(TASK));
        match self.field_named(&type_, "m_stateFlags").filter(|_| is_task) {
            Some(flags) => {
                Ok(self.world.field(Some(of), &flags)?.as_integer().is_some_and(|it| it & RAN_TO_COMPLETION != 0))
            }
            None => Ok(false),
        }
    }

    /// A `FormattableString` of the compiler's, of what runs nothing of the program when it is asked for its text.
    fn is_plain_text(&mut self, of: &W::Handle) -> Answer<W> {
        let type_ = self.world.type_of(of)?;
        let field = self.field_named(&type_, "_arguments");
        let Some(field) = field.filter(|_| type_.is(FORMATTED)) else { return Ok(false) };
        let Value::Object(parts) = self.world.field(Some(of), &field)? else { return Ok(false) };
        let count = self.world.dimensions(&parts)?.and_then(|it| it.first().map(|(_, length)| *length)).unwrap_or(0);
        for at in 0..count {
            let part = self.world.element(&parts, at)?;
            let Some(part) = self.type_of_value(&part)? else { return Ok(false) };
            // what an exception says may be asked of what it holds
            if !matches!(part.sig(), TypeSig::Primitive(_)) {
                return Ok(false);
            }
        }
        self.has_framework_culture()
    }

    /// An exception whose text the framework puts together, and those in it.
    fn is_plain_exception(&mut self, of: &W::Handle) -> Answer<W> {
        let mut of = of.clone();
        for _ in 0..DEEPEST {
            let type_ = self.world.type_of(&of)?;
            let chain = self.types.chain(&type_);
            if !chain.iter().any(|it| it.is("System.Exception")) {
                return Ok(false);
            }
            for owner in &chain {
                let Some(definition) = self.types.definition(owner) else { return Ok(false) };
                let is_own = !is_framework(definition.assembly.path());
                if TELLING.iter().any(|known| owner.is(known))
                    || is_own && TEXTS.iter().any(|name| !self.types.methods(&definition, name).is_empty())
                {
                    return Ok(false);
                }
                if let Some(told) = owner.name().and_then(told_field)
                    && !self.tells_plainly(&of, &type_, told)?
                {
                    return Ok(false);
                }
            }
            let Some(inner) = self.field_named(&type_, "_innerException") else { return Ok(false) };
            match self.world.field(Some(&of), &inner)? {
                Value::Object(inner) => of = inner,
                value => return Ok(value.is_null()),
            }
        }
        Ok(false)
    }

    /// Whether the object that an exception tells of is none, a text or a number.
    fn tells_plainly(&mut self, exception: &W::Handle, type_: &Type, field: &str) -> Answer<W> {
        let Some(field) = self.field_named(type_, field) else { return Ok(false) };
        let told = self.world.field(Some(exception), &field)?;
        let type_ = self.type_of_value(&told)?.map(|type_| type_.sig());
        Ok(matches!(type_, Some(TypeSig::Primitive(_)))
            && type_ != Some(Type::OBJECT.sig())
            && self.has_framework_culture()?)
    }

    fn calls_what_is_pure(&mut self, delegate: &W::Handle, arguments: &[Option<TypeSig>]) -> Answer<W> {
        Ok(self.judged_delegate(delegate, arguments)?.is_some_and(|judged| judged.is_ok()))
    }

    /// What a delegate calls. Nothing where nobody can tell.
    pub(super) fn judged_delegate(&mut self, delegate: &W::Handle, arguments: &[Option<TypeSig>]) -> Found<Judged, W> {
        let type_ = self.world.type_of(delegate)?;
        let Some((parameters, _)) = self.types.delegate(&type_) else { return Ok(None) };
        let Some(list) = self.field_named(&type_, "_invocationList") else { return Ok(None) };
        if let Value::Object(list) = self.world.field(Some(delegate), &list)?
            && let Some(dimensions) = self.world.dimensions(&list)?
        {
            let count = dimensions.first().map_or(0, |(_, length)| *length);
            if count > MOST_TARGETS {
                return Ok(None);
            }
            for at in 0..count {
                // there may be room for more
                let Value::Object(one) = self.world.element(&list, at)? else { continue };
                match self.judged_delegate(&one, arguments)? {
                    Some(Ok(())) => {}
                    refused => return Ok(refused),
                }
            }
            return Ok(Some(Ok(())));
        }
        let Some((assembly, id)) = self.world.target(delegate)? else { return Ok(None) };
        let view = assembly.method(id);
        // an extension method that is bound to its first argument gets what no caller passes
        if view.is_static() && view.signature().is_none_or(|it| it.parameters.len() != parameters.len()) {
            return Ok(None);
        }
        let Some(mut declaring) = view.declaring_type().map(|type_| type_.self_type()) else { return Ok(None) };
        let receiver = match view.is_static() {
            true => None,
            false => match self.field_named(&type_, "_target") {
                Some(field) => match self.world.field(Some(delegate), &field)? {
                    Value::Object(target) => Some(self.world.type_of(&target)?),
                    _ => return Ok(None),
                },
                None => return Ok(None),
            },
        };
        // of a generic one, as what the lambdas of a generic method are in, the object knows the arguments
        let mut chain = receiver.iter().flat_map(|receiver| self.types.chain(receiver));
        if let Some(instance) = chain.find(|base| base.name() == declaring.full_name()) {
            declaring = instance.sig();
        }
        let receiver = receiver.map(|receiver| receiver.sig());
        let call = ExactCall {
            assembly: &assembly,
            method: id,
            declaring: &declaring,
            method_arguments: &[],
            receiver: receiver.as_ref(),
            is_exact: true,
            owns_receiver: false,
            owned_arguments: 0,
            arguments,
            held: Held { framework_comparer: false, framework_culture: self.has_framework_culture()? },
            contents: &[],
        };
        Ok(Some(self.purity.exact(&call, &mut Begun(&mut *self.world))))
    }
}

/// `GetEnumerator` of `System.Collections.Generic.IEnumerable<T>.GetEnumerator`.
pub(super) fn last_part(method: &str) -> &str {
    method.rsplit('.').next().unwrap_or(method)
}
