//! Fields that a body reads and writes.

use std::sync::Arc;

use super::Walk;
use crate::assembly::Assembly;
use crate::il::Operand;
use crate::purity::iterators::{Hoist, is_iterator};
use crate::purity::observed::Content;
use crate::purity::values::{Kind, Value};
use crate::purity::{Impurity, Judged, short};
use crate::schema::{Table, col};
use crate::signatures::{Decoder, TypeSig};
use crate::tokens::{FieldId, TypeId};

impl Walk<'_, '_> {
    /// The type of a field, from its definition or reference.
    pub(super) fn field(&self, operand: Operand<'_>) -> Result<Value, Impurity> {
        let Operand::Token(token) = operand else { return Err(self.strange()) };
        let metadata = &self.assembly.metadata;
        let (signature, class) = match token.table() {
            Some(Table::Field) => (metadata.blob(token.row(), col::Field::Signature), None),
            Some(Table::MemberRef) => (
                metadata.blob(token.row(), col::MemberRef::Signature),
                metadata.token(token.row(), col::MemberRef::Class).ok(),
            ),
            _ => return Err(self.strange()),
        };
        let type_ = signature.and_then(|blob| Decoder::new(metadata).field(blob));
        let arguments = match class.map(|class| self.type_of(class).kind) {
            Some(Kind::Of(TypeSig::Named(named))) => named.arguments,
            Some(_) => Vec::new(),
            None => self.instance.of_type.clone(),
        };
        Ok(type_.map_or_else(|_| Value::unknown(), |type_| Value::of(type_.substitute(&arguments, &[]))))
    }

    /// What a field of that object has: as it is declared, or as the stopped program shows it. Nothing that the call may write is looked
    /// at: what belongs to it.
    pub(super) fn field_of(&mut self, of: &Value, operand: Operand<'_>) -> Result<Value, Impurity> {
        let value = self.field(operand)?;
        self.lasts_in(of, operand)?;
        if let Some(field) = self.hoisted(of, operand).filter(|_| value.may_be_null()) {
            let kept = self.question.hoisted.load(&field);
            return Ok(value.type_().map_or(kept.clone(), |declared| kept.fitted(declared)));
        }
        if of.owned
            && value.may_be_null()
            && let Some((assembly, field)) = self.own_class_field(operand)
            && self.question.is_own_field(&assembly, field)
        {
            return Ok(Value { owned: true, ..value });
        }
        let (Some(Content::Object(object, _)), false) = (&of.held, of.owned) else { return Ok(value) };
        let Some((owner, name)) = self.owner_and_name(operand) else { return Ok(value) };
        let held = self.question.observer.as_mut().and_then(|observer| observer.field(*object, &owner, &name));
        Ok(match (held, value.type_()) {
            (Some(held), Some(type_)) if matches!(held, Content::Number(_)) != value.may_be_null() => {
                Value::holding(type_.clone(), held)
            }
            _ => value,
        })
    }

    /// Whether what a field of an object has is there whenever the code runs.
    pub(super) fn lasts_in(&self, of: &Value, operand: Operand<'_>) -> Judged {
        let field = self.own_class_field(operand);
        let field = field.as_ref().map(|(assembly, field)| (&**assembly, *field));
        self.question.lasts_in(of, field, &self.field_name(operand))
    }

    /// A field is written.
    pub(super) fn hoist(&mut self, of: &Value, operand: Operand<'_>, value: Value) -> Judged {
        let declared = self.field(operand)?;
        if let (Some(field), Some(type_)) =
            (self.hoisted(of, operand), declared.type_().filter(|_| declared.may_be_null()))
        {
            self.question.hoisted.store(field, type_, &value.fitted(type_));
        }
        Ok(())
    }

    /// A field in which an iterator that was made here keeps a local or an enumerator from step to step: only its own code writes it.
    fn hoisted(&self, of: &Value, operand: Operand<'_>) -> Option<Hoist> {
        let id = self.owner.filter(|_| of.owned)?;
        let own = self.assembly.type_(id).full_name();
        let (owner, name) = self.owner_and_name(operand)?;
        // of what has no name in the source the optimizing compiler makes other names
        let is_nameless = name.starts_with("<>7__wrap") || name.starts_with("<>s__");
        let is_kept = is_nameless || name.starts_with('<') && name.contains(">5__");
        (is_kept && owner == own && is_iterator(&own)).then_some(Hoist {
            module: self.assembly.mvid()?,
            owner: id,
            name,
        })
    }

    /// The full name of the type that declares a field, and the field's own.
    fn owner_and_name(&self, operand: Operand<'_>) -> Option<(String, String)> {
        let Operand::Token(token) = operand else { return None };
        let metadata = &self.assembly.metadata;
        let (name, owner) = match token.table()? {
            Table::Field => {
                let row = metadata.owner(col::TypeDef::FieldList, token.row())?;
                (metadata.string(token.row(), col::Field::Name), self.assembly.type_(TypeId(row)).full_name())
            }
            _ => {
                let class = metadata.token(token.row(), col::MemberRef::Class).ok()?;
                let type_ = self.type_of(class);
                (metadata.string(token.row(), col::MemberRef::Name), type_.type_()?.full_name()?.to_owned())
            }
        };
        Some((owner, name.ok()?.to_owned()))
    }

    pub(super) fn field_name(&self, operand: Operand<'_>) -> String {
        let Operand::Token(token) = operand else { return String::new() };
        let metadata = &self.assembly.metadata;
        let (name, class) = match token.table() {
            Some(Table::Field) => {
                let owner = metadata.owner(col::TypeDef::FieldList, token.row());
                (metadata.string(token.row(), col::Field::Name), owner.map(|row| TypeId(row).token()))
            }
            _ => (
                metadata.string(token.row(), col::MemberRef::Name),
                metadata.token(token.row(), col::MemberRef::Class).ok(),
            ),
        };
        let name = name.unwrap_or_default();
        let property = name.strip_prefix('<').and_then(|name| name.split_once('>')).map(|(property, _)| property);
        // of `<>1__state`, which the compiler adds to a machine, there is none
        let name = property.filter(|property| !property.is_empty()).unwrap_or(name);
        let type_ = class.map(|class| self.type_of(class));
        match type_.as_ref().and_then(|value| value.type_()?.full_name()) {
            // the compiler's own types have no name that the source knows
            Some(type_) if !short(type_).is_empty() => format!("{}.{name}", short(type_)),
            _ => name.to_owned(),
        }
    }

    /// The type that has a static field.
    pub(super) fn field_owner(&self, operand: Operand<'_>) -> Option<(Arc<Assembly>, TypeId)> {
        let Operand::Token(token) = operand else { return None };
        match token.table()? {
            Table::Field => {
                let row = self.assembly.metadata.owner(col::TypeDef::FieldList, token.row())?;
                Some((self.assembly.clone(), TypeId(row)))
            }
            _ => {
                let class = self.assembly.metadata.token(token.row(), col::MemberRef::Class).ok()?;
                let type_ = self.type_of(class);
                self.question.own_type(self.assembly, type_.type_()?.full_name()?)
            }
        }
    }

    /// A field of the program's as its type defines it.
    fn own_class_field(&self, operand: Operand<'_>) -> Option<(Arc<Assembly>, FieldId)> {
        let Operand::Token(token) = operand else { return None };
        let (assembly, owner) = self.field_owner(operand)?;
        let name = self.assembly.accessed_field(token)?;
        let is_it = |field: &FieldId| assembly.metadata.string(field.row(), col::Field::Name) == Ok(name);
        let field = assembly.type_(owner).field_ids().find(is_it)?;
        Some((assembly.clone(), field))
    }

    /// The same with its arguments as this call has them.
    fn field_instance(&self, operand: Operand<'_>) -> Option<TypeSig> {
        let Operand::Token(token) = operand else { return None };
        let metadata = &self.assembly.metadata;
        match token.table()? {
            Table::Field => None,
            _ => self.type_of(metadata.token(token.row(), col::MemberRef::Class).ok()?).type_().cloned(),
        }
    }

    /// The compiler keeps the delegates of lambdas and method groups in static fields: nobody sees when they were made.
    pub(super) fn is_kept_delegate(&self, operand: Operand<'_>) -> bool {
        let Operand::Token(token) = operand else { return false };
        let metadata = &self.assembly.metadata;
        let name = match token.table() {
            Some(Table::Field) => metadata.string(token.row(), col::Field::Name),
            _ => metadata.string(token.row(), col::MemberRef::Name),
        };
        name.is_ok_and(|name| name.starts_with("<>9__") || name.starts_with('<') && name.contains(">__"))
    }

    pub(super) fn static_field(&mut self, operand: Operand<'_>) -> Result<Value, Impurity> {
        if let Some((assembly, type_)) = self.field_owner(operand) {
            let own_initializer = self.is_initializer && self.owner == Some(type_);
            if !own_initializer {
                let instance = self.field_instance(operand);
                self.question.initializer(&assembly, (type_, instance.as_ref()), true)?;
            }
            if let Some((assembly, field)) = self.own_class_field(operand).filter(|_| !self.is_kept_delegate(operand)) {
                let name = self.field_name(operand);
                self.question.lasts(&assembly, field, type_, &name)?;
            }
        }
        let value = self.field(operand)?;
        Ok(Value { owned: !self.is_initializer && self.is_kept_delegate(operand), ..value })
    }

    pub(super) fn store_static(&mut self, operand: Operand<'_>) -> Judged {
        let is_own = self
            .field_owner(operand)
            .is_some_and(|(assembly, type_)| Arc::ptr_eq(&assembly, self.assembly) && Some(type_) == self.owner);
        // whose code was judged where it was made, which no initializer does
        let is_kept = !self.is_initializer && self.is_kept_delegate(operand);
        if self.is_initializer && is_own && !self.is_kept_delegate(operand) || is_kept {
            return Ok(());
        }
        let field = self.field_name(operand);
        Err(self.not(&format!("writes the static field {field}")))
    }
}
