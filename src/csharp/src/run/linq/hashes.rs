//! Hash codes that somebody wrote: where equal keys have different ones, a set has both, and that is often the fault that is looked for.

use crate::types::{FieldRef, PAIR, Type};
use crate::value::{Content, Value};
use crate::world::{Failure, World};

use super::super::Run;

const COMPARER: &str = "System.Collections.Generic.IEqualityComparer`1";

/// Records within records.
const DEEPEST: usize = 6;

impl<W: World> Run<'_, W> {
    /// What `GetHashCode` of a key gives where code of the program decides; of a tuple, of its parts. Two keys whose lists differ are
    /// different to a set, whatever their `Equals` says.
    pub(super) fn own_hashes(&mut self, key: &Value<W::Handle>) -> Result<Vec<Option<i128>>, Failure<W::Error>> {
        let mut found = Vec::new();
        self.add_own_hashes(key, &mut found)?;
        Ok(found)
    }

    /// The hash code that a comparer of the program gives a key; one of the framework goes with its `Equals`.
    pub(super) fn hashes_by(
        &mut self,
        comparer: &Value<W::Handle>,
        key: &Value<W::Handle>,
    ) -> Result<Vec<Option<i128>>, Failure<W::Error>> {
        let Some(type_) = self.run_time_type(comparer)? else { return Ok(Vec::new()) };
        let definition = self.types.definition(&type_);
        if definition.is_none_or(|it| clr_metadata::is_framework(it.assembly.path())) {
            return Ok(Vec::new());
        }
        let interface = self.types.interfaces(&type_).into_iter().find(|it| it.is(COMPARER));
        let method = interface.as_ref().and_then(|interface| self.method_of(interface, "GetHashCode", 1));
        let (Some(interface), Some(method)) = (interface, method) else { return Ok(Vec::new()) };
        // nobody is asked for that of null
        if key.is_null() {
            return Ok(vec![Some(0)]);
        }
        let element = interface.arguments().first().cloned().unwrap_or(Type::OBJECT);
        let key = self.in_program(key.clone(), &element)?;
        Ok(vec![self.world.call(&method, Some(comparer), &mut [key])?.as_integer()])
    }

    fn add_own_hashes(
        &mut self,
        key: &Value<W::Handle>,
        found: &mut Vec<Option<i128>>,
    ) -> Result<(), Failure<W::Error>> {
        let key = self.in_parts(key.clone())?;
        match &key {
            Value::Made(made) => {
                let Content::Tuple(parts) = &made.content else { return Ok(()) };
                // of a struct without one of its own, .NET asks the first field
                let asked = if made.type_.is(PAIR) { 1 } else { parts.len() };
                parts.iter().take(asked).try_for_each(|part| self.add_own_hashes(part, found))
            }
            Value::Object(handle) => {
                if self.world.text(handle)?.is_some() {
                    return Ok(());
                }
                let type_ = self.world.type_of(handle)?;
                if !self.has_own_hash(&type_, 0) {
                    return Ok(());
                }
                let Some(hash) = self.method_of(&Type::OBJECT, "GetHashCode", 0) else { return Ok(()) };
                found.push(self.world.call(&hash, Some(&key), &mut [])?.as_integer());
                Ok(())
            }
            Value::Constant(_) | Value::Void => Ok(()),
        }
    }

    /// Whether code that somebody wrote has a say in the hash code of objects of that type: its own, or, in what the compiler makes for
    /// a record, that of the parts.
    fn has_own_hash(&self, type_: &Type, depth: usize) -> bool {
        let is_open = *type_ == Type::OBJECT || self.types.is_interface(type_);
        if depth > 0 && is_open || depth == DEEPEST {
            return true;
        }
        let type_ = type_.without_nullable();
        let declared = self.nearest(type_, "GetHashCode", &[]).filter(|(owner, _)| *owner != Type::OBJECT);
        let Some((_, declared)) = declared else { return false };
        if clr_metadata::is_framework(declared.assembly.path()) {
            return type_.arguments().iter().any(|it| self.has_own_hash(it, depth + 1));
        }
        !declared.assembly.method(declared.id).is_compiler_generated() || self.has_part_with_own_hash(type_, depth)
    }

    fn has_part_with_own_hash(&self, record: &Type, depth: usize) -> bool {
        self.types.chain(record).into_iter().any(|owner| {
            let Some(definition) = self.types.definition(&owner) else { return false };
            let fields = self.types.fields(&definition);
            let own = fields.iter().filter(|field| !field.is_static).cloned();
            let mut types = own.map(|field| FieldRef { owner: owner.clone(), field }.type_());
            types.any(|part| self.has_own_hash(&part, depth + 1))
        })
    }
}
