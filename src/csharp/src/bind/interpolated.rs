//! Interpolated strings: as texts, and as what formats them by the rules of a culture that is given.

use crate::bound::{Bound, Kind, Piece};
use crate::constant::{Constant, Scalar};
use crate::syntax::{self, Pass, Span};
use crate::types::Type;

use super::arguments::Given;
use super::{Binder, Group, Result, error, unsupported};

impl Binder<'_> {
    pub(super) fn interpolated(&mut self, pieces: &[syntax::Piece], span: &Span) -> Result<Bound> {
        let mut bound = Vec::new();
        for piece in pieces {
            bound.push(match piece {
                syntax::Piece::Text(units) => Piece::Text(units.as_slice().into()),
                syntax::Piece::Hole { value, alignment, format } => {
                    let value = self.value(value)?;
                    let value = self.settled(value)?;
                    if value.type_.is_void() {
                        return error("CS0029", "Cannot implicitly convert type 'void' to 'object'", span);
                    }
                    let alignment = match alignment {
                        Some(alignment) => {
                            let bound = self.value(alignment)?;
                            match self.converted(bound, &Type::INT)?.constant() {
                                Some(Constant::Scalar(Scalar::Int(_, number))) => i32::try_from(*number).ok(),
                                _ => return error("CS0150", "A constant value is expected", span),
                            }
                        }
                        None => None,
                    };
                    Piece::Hole { value, alignment, format: format.clone() }
                }
            });
        }
        Ok(Bound::new(Kind::Interpolated(bound), Type::STRING, span.clone()))
    }

    /// As the object that holds a format and its arguments.
    pub(super) fn formattable(&mut self, pieces: &[Piece], span: &Span) -> Result<Option<Bound>> {
        let parts = self.format_of(pieces, span)?;
        let factory = Type::named("System.Runtime.CompilerServices.FormattableStringFactory", Vec::new());
        let group =
            Group { of: None, type_: factory, name: "Create".into(), arguments: Vec::new(), span: span.clone() };
        self.call_if_fits(&group, &parts)
    }

    /// `string.Create(provider, $"…")`: the compiler has a handler made, which is passed by reference and makes the text that
    /// `string.Format` makes.
    pub(super) fn created_text(&mut self, group: &Group, given: &[Given], span: &Span) -> Result<Option<Bound>> {
        let (Some(provider), Some(text)) = (given.first(), given.last()) else { return Ok(None) };
        let Kind::Interpolated(pieces) = &text.value.kind else { return Ok(None) };
        if group.type_ != Type::STRING || group.name != "Create" || text.pass != Pass::Value {
            return Ok(None);
        }
        if given.len() > 2 {
            return unsupported("`string.Create` with a buffer is not supported here: leave the buffer out");
        }
        let parts = self.format_of(pieces, span)?;
        let group = Group { name: "Format".into(), ..group.clone() };
        let given: Vec<Given> = std::iter::once(provider.clone()).chain(parts).collect();
        self.call_if_fits(&group, &given)
    }

    /// That an argument which a parameter does not take is not one that the compiler would write code for.
    pub(super) fn is_no_handler(&self, given: Option<&Given>, wanted: &Type) -> Result<()> {
        match given.map(|it| &it.value.kind) {
            Some(Kind::Interpolated(_)) if self.is_handler(wanted) => unsupported(format!(
                "an interpolated string as a '{}' is not supported here: it is code of the compiler's",
                wanted.short()
            )),
            _ => Ok(()),
        }
    }

    fn is_handler(&self, type_: &Type) -> bool {
        self.types.definition(type_).is_some_and(|it| !self.types.methods(&it, "AppendLiteral").is_empty())
    }

    /// A format and its arguments.
    fn format_of(&mut self, pieces: &[Piece], span: &Span) -> Result<[Given; 2]> {
        let (mut format, mut values) = (String::new(), Vec::new());
        for piece in pieces {
            match piece {
                Piece::Text(units) => {
                    format.push_str(&String::from_utf16_lossy(units).replace('{', "{{").replace('}', "}}"))
                }
                Piece::Hole { value, alignment, format: of_value } => {
                    let alignment = alignment.map(|width| format!(",{width}")).unwrap_or_default();
                    let of_value = of_value.as_ref().map(|it| format!(":{it}")).unwrap_or_default();
                    format.push_str(&format!("{{{}{alignment}{of_value}}}", values.len()));
                    values.push(self.converted(value.clone(), &Type::OBJECT)?);
                }
            }
        }
        let kind = Kind::NewArray { sizes: Vec::new(), elements: Some(values) };
        let arguments = Bound::new(kind, Type::array(Type::OBJECT), span.clone());
        let format = Bound::new(Kind::Constant(Constant::text(&format)), Type::STRING, span.clone());
        Ok([Given::value(format), Given::value(arguments)])
    }
}
