//! Objects of the framework that run what the program gave them: delegates, and the queries of LINQ over them.
//!
//! A delegate is judged by the method that it calls, a query by its delegates, its comparers and what it goes through.

use clr_metadata::{ExactCall, Held, TypeSig, is_framework, is_framework_comparer};

use super::Pure;
use crate::types::{FieldRef, MethodRef, Type};
use crate::value::Value;
use crate::world::{Failure, World};

/// Queries over queries.
const DEEPEST: usize = 16;
/// Methods of a delegate.
const MOST_TARGETS: usize = 32;

/// Types of sequences whose code is the framework's, whatever they go through; the compiler's iterators of the second kind are.
const QUERIES: [&str; 2] = ["System.Linq.Enumerable+", "System.Linq.OrderedEnumerable"];
const ITERATORS: &str = "System.Xml.Linq.";

/// What only a query that has begun uses: whoever asks it for an enumerator gets one of its own.
const OF_ONE_PASS: [&str; 5] = ["_enumerator", "_current", "_buffer", "<>2__current", "<>7__wrap"];

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
            receiver: Some(&receiver),
            owns_receiver: false,
            arguments: &[],
            held: Held::default(),
        };
        let is_own = self.types.definition(&type_).is_some_and(|it| !is_framework(it.assembly.path()));
        let world = &mut self.world;
        let judged = self.purity.exact(&call, &mut |assembly, initialiser| world.has_begun(assembly, initialiser));
        Ok(!is_own && judged.is_ok())
    }

    fn calls_what_is_pure(&mut self, delegate: &W::Handle, arguments: &[Option<TypeSig>]) -> Answer<W> {
        let type_ = self.world.type_of(delegate)?;
        if self.types.delegate(&type_).is_none() {
            return Ok(false);
        }
        let Some(list) = self.field_named(&type_, "_invocationList") else { return Ok(false) };
        if let Value::Object(list) = self.world.field(Some(delegate), &list)?
            && let Some(dimensions) = self.world.dimensions(&list)?
        {
            let count = dimensions.first().map_or(0, |(_, length)| *length);
            if count > MOST_TARGETS {
                return Ok(false);
            }
            for at in 0..count {
                // there may be room for more
                if let Value::Object(one) = self.world.element(&list, at)?
                    && !self.calls_what_is_pure(&one, arguments)?
                {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let Some((assembly, id)) = self.world.target(delegate)? else { return Ok(false) };
        let view = assembly.method(id);
        let Some(declaring) = view.declaring_type().map(|type_| type_.self_type()) else { return Ok(false) };
        let receiver = match view.is_static() {
            true => None,
            false => match self.field_named(&type_, "_target") {
                Some(field) => match self.world.field(Some(delegate), &field)? {
                    Value::Object(target) => Some(self.world.type_of(&target)?.sig()),
                    _ => return Ok(false),
                },
                None => return Ok(false),
            },
        };
        let call = ExactCall {
            assembly: &assembly,
            method: id,
            declaring: &declaring,
            receiver: receiver.as_ref(),
            owns_receiver: false,
            arguments,
            held: Held { framework_comparer: false, framework_culture: self.has_framework_culture()? },
        };
        let world = &mut self.world;
        Ok(self.purity.exact(&call, &mut |assembly, initialiser| world.has_begun(assembly, initialiser)).is_ok())
    }
}

/// `GetEnumerator` of `System.Collections.Generic.IEnumerable<T>.GetEnumerator`.
fn last_part(method: &str) -> &str {
    method.rsplit('.').next().unwrap_or(method)
}
