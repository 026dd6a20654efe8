//! Events, in the order of their declaration.

use super::TypeView;
use crate::error::Flaw;
use crate::schema::{Table, col};
use crate::signatures::{Decoder, TypeSig};
use crate::tables::Metadata;
use crate::tokens::{EventId, MethodId, Token};

#[derive(Debug, Clone)]
pub struct Event {
    pub id: EventId,
    /// Explicit implementations carry the interface: `System.ComponentModel.INotifyPropertyChanged.PropertyChanged`.
    pub name: String,
    /// The delegate.
    pub type_: TypeSig,
    /// C# without namespaces, with the type's own parameter names.
    pub type_text: String,
    pub adder: Option<MethodId>,
    pub remover: Option<MethodId>,
    pub raiser: Option<MethodId>,
}

// ECMA-335 II.23.1.12
const ADDER: u32 = 0x8;
const REMOVER: u32 = 0x10;
const RAISER: u32 = 0x20;

impl TypeView<'_> {
    pub fn event_ids(&self) -> Vec<EventId> {
        let metadata = &self.assembly.metadata;
        let maps = metadata.rows_of(col::EventMap::Parent, self.id().token());
        maps.flat_map(|map| metadata.list(map, col::EventMap::EventList)).map(EventId).collect()
    }

    /// Its own events, not those of its bases.
    pub fn events(&self) -> Vec<Event> {
        self.event_ids().into_iter().filter_map(|id| self.event(id).ok()).collect()
    }

    /// Whether the type declares an event of this name.
    pub(super) fn has_event(&self, name: &str) -> bool {
        let metadata = &self.assembly.metadata;
        self.event_ids().iter().any(|id| metadata.string(id.row(), col::Event::Name).is_ok_and(|has| has == name))
    }

    pub(crate) fn event(&self, id: EventId) -> Result<Event, Flaw> {
        self.try_event(id).map_err(|flaw| flaw.in_row(Table::Event, id.row()))
    }

    fn try_event(&self, id: EventId) -> Result<Event, Flaw> {
        let metadata = &self.assembly.metadata;
        let type_ = Decoder::new(metadata).token(metadata.token(id.row(), col::Event::Type)?)?;
        let methods = metadata.semantics(id.token());
        let of = |kind: u32| methods.iter().find(|method| method.0 == kind).map(|method| method.1);
        Ok(Event {
            id,
            name: metadata.string(id.row(), col::Event::Name)?.to_owned(),
            type_text: type_.short_with(&self.parameter_names(None)),
            type_,
            adder: of(ADDER),
            remover: of(REMOVER),
            raiser: of(RAISER),
        })
    }
}

impl Metadata {
    /// The methods of a property or event, each with what it does to it (ECMA-335 II.23.1.12).
    pub(crate) fn semantics(&self, member: Token) -> Vec<(u32, MethodId)> {
        let rows = self.rows_of(col::MethodSemantics::Association, member);
        rows.filter_map(|row| {
            let kind = self.cell(row, col::MethodSemantics::Semantics).ok()?;
            Some((kind, MethodId(self.cell(row, col::MethodSemantics::Method).ok()?)))
        })
        .collect()
    }
}
