//! Where an assignment goes: a place in memory, or the setter of a property.

use clr_metadata::GetterKind;

use super::operators::Operand;
use super::parse::{Expr, parse};
use super::{EvalError, Evaluation};
use crate::calls::{Argument, What};
use crate::com;
use crate::types;
use crate::values::{Place, Root};

/// What an expression on the left side stands for.
pub enum Target {
    Place(Place),
    Setter { function: com::Function, types: Vec<com::Type>, this: Place },
}

impl Evaluation<'_> {
    /// # Errors
    /// It cannot be assigned to.
    pub fn target(&mut self, text: &str) -> Result<Target, EvalError> {
        let expr = parse(text).map_err(EvalError::Failed)?;
        let property = match &expr {
            Expr::Member { of, name, .. } => match self.operand(of)? {
                Operand::Place(place) => self.property(&place, name)?,
                _ => None,
            },
            Expr::Name(name, _) => match self.this()? {
                Some(Operand::Place(this)) if !self.is_variable(name)? => self.property(&this, name)?,
                _ => None,
            },
            _ => None,
        };
        if let Some(setter) = property {
            return Ok(setter);
        }
        match self.operand(&expr)? {
            Operand::Place(place) if !matches!(place.root, Root::Kept(_)) || !place.steps.is_empty() => {
                Ok(Target::Place(place))
            }
            _ => Err(EvalError::failed(format!("'{text}' cannot be assigned to"))),
        }
    }

    /// `None`: no property, or one whose field is written instead.
    fn property(&self, place: &Place, name: &str) -> Result<Option<Target>, EvalError> {
        let value = place.read(self.stopped)?;
        let Ok(type_) = value.type_() else { return Ok(None) };
        for type_ in types::chain(&type_) {
            let Some(definition) = types::definition(self.stopped.target(), &type_) else { continue };
            let properties = definition.view().properties();
            let Some(property) = properties.into_iter().find(|it| it.name == name && !it.is_static && !it.is_indexer)
            else {
                continue;
            };
            let Some(setter) = property.setter else {
                return Err(EvalError::failed(format!(
                    "error CS0200: Property or indexer '{name}' cannot be assigned to -- it is read only"
                )));
            };
            if matches!(property.access, GetterKind::Auto { .. }) {
                return Ok(None);
            }
            let function = definition.module.function(setter.token().0)?;
            let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
            return Ok(Some(Target::Setter { function, types, this: place.clone() }));
        }
        Ok(None)
    }

    fn is_variable(&self, name: &str) -> Result<bool, EvalError> {
        let all = super::variables(self.stopped, self.thread, self.frame)?;
        Ok(all.iter().any(|(variable, _)| variable == name))
    }

    /// Runs a setter.
    ///
    /// # Errors
    /// [`EvalError`]
    pub fn set(
        &mut self,
        function: com::Function,
        types: Vec<com::Type>,
        this: Place,
        value: Operand,
    ) -> Result<(), EvalError> {
        let value = match value {
            Operand::Scalar(scalar) => Argument::Scalar(scalar),
            Operand::Text(units) => Argument::Text(units),
            Operand::Null(_) => Argument::Null,
            Operand::Place(place) => Argument::Place(place),
            Operand::Type(_) | Operand::Namespace(_) => return Err(EvalError::failed("this is no value")),
        };
        self.call(What::Function { function, types, arguments: vec![Argument::Place(this), value] })?;
        Ok(())
    }
}
