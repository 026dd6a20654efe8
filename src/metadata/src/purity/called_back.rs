//! What the framework calls of objects that it is asked for the text, order, equality or hash of: see `hooks`.

use std::sync::Arc;

use super::hooks::handed_on;
use super::quiet::too_many;
use super::values::referent;
use super::{Impurity, Judged, Link, Question, short};
use crate::assembly::Assembly;
use crate::names::index_key;
use crate::signatures::TypeSig;
use crate::tokens::TypeId;

const ATTRIBUTE: &str = "System.Attribute";

impl Question<'_> {
    /// A value type without equality of its own compares and hashes its fields by theirs.
    pub(super) fn quiet_fields(&mut self, assembly: &Assembly, id: TypeId, arguments: &[TypeSig]) -> Judged {
        let view = assembly.type_(id);
        let declares = |wanted: &str| {
            view.methods().any(|method| {
                let method = assembly.method(method);
                method.name() == wanted && method.is_virtual() && !method.is_new_slot()
            })
        };
        if declares("Equals") && declares("GetHashCode") {
            return Ok(());
        }
        let full_name = view.full_name();
        if self.open_values.contains(&full_name) {
            return Err(Impurity(format!("{} contains itself", view.short_name())));
        }
        self.open_values.push(full_name);
        let fields = view.fields().into_iter().filter(|field| !field.is_static);
        let types = fields.map(|field| field.type_.substitute(arguments, &[]));
        // arrays are compared by reference
        let mut asked = types.filter(|type_| !matches!(type_, TypeSig::Array(_) | TypeSig::MultiArray { .. }));
        let judged = asked.try_for_each(|type_| self.quiet(&type_));
        self.open_values.pop();
        judged
    }

    /// What collections and texts call of a type and of those of the program below it.
    pub(super) fn called_back(&mut self, full_name: &str, element: Option<&TypeSig>) -> Judged {
        let hierarchy = self.purity.hierarchy();
        if let Some(class) = hierarchy.unknown_beyond(full_name, element) {
            return Err(Impurity(format!(
                "{}, whose text, equality or hash may ask any object, cannot be analyzed",
                short(class)
            )));
        }
        let asks = self.asks;
        let wanted = |name: &str| asks.contains(&name);
        self.all_virtuals(hierarchy.virtuals(full_name, element, &wanted, true))?;
        let mut classes = hierarchy.ancestors_below(full_name, element);
        let is_attribute = classes.contains(ATTRIBUTE);
        classes.extend(self.purity.universe.base_chain(full_name));
        classes.insert(full_name.to_owned());
        for (asked, method) in handed_on(&classes) {
            self.virtuals(asked, None, &|name| method == "*" || name == method)?;
        }
        if asks.contains(&"ToString") && classes.contains("System.Exception") {
            self.told_by_message(full_name, false, None)?;
        }
        let below = hierarchy.below(full_name).ok_or_else(too_many)?;
        for (assembly, id) in below {
            let view = assembly.type_(id);
            if view.is_value_type() && !view.is_enum() && index_key(&view.full_name()) != index_key(full_name) {
                self.quiet_fields(&assembly, id, &[])?;
            }
            if is_attribute {
                self.quiet_attribute(&assembly, id)?;
            }
        }
        Ok(())
    }

    /// An attribute is compared and hashed by its fields, those of its bases too, and by the elements of arrays in them.
    fn quiet_attribute(&mut self, assembly: &Arc<Assembly>, id: TypeId) -> Judged {
        let view = assembly.type_(id);
        let full_name = view.full_name();
        if self.open_values.contains(&full_name) {
            return Err(Impurity(format!("{} contains itself", view.short_name())));
        }
        self.open_values.push(full_name);
        let type_ = view.self_type();
        let judged = self.own_chain(&type_).into_iter().try_for_each(|link| {
            let Link::Own(assembly, id, arguments) = link else { return Ok(()) };
            let fields = assembly.type_(id).fields().into_iter().filter(|field| !field.is_static);
            fields.map(|field| field.type_.substitute(&arguments, &[])).try_for_each(|type_| self.quiet(&type_))
        });
        self.open_values.pop();
        judged
    }

    /// Overrides that the framework may call on an object, whichever of its methods is asked for: see `hooks`.
    pub(super) fn hooks(&mut self, type_: &TypeSig) -> Judged {
        let Some(full_name) = referent(type_).full_name() else { return Ok(()) };
        let hierarchy = self.purity.hierarchy();
        self.all_virtuals(hierarchy.hooks(full_name))?;
        match hierarchy.may_delegate(full_name) {
            true => self.virtuals("System.Type", None, &|_| true),
            false => Ok(()),
        }
    }
}
