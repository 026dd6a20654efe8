//! Names of rows: the 4-byte tokens of IL and the debugger, and typed row numbers.

use super::schema::Table;

/// A metadata token: table number in the high byte, row (from 1, 0 = nil) below. It may come from a file: check it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token(pub u32);

impl Token {
    pub fn new(table: Table, row: u32) -> Self {
        Self((table as u32) << 24 | row & 0x00ff_ffff)
    }

    /// `None` for the tokens that are no table row, such as those of string literals (0x70).
    pub fn table(self) -> Option<Table> {
        Table::from_number((self.0 >> 24) as u8)
    }

    pub fn row(self) -> u32 {
        self.0 & 0x00ff_ffff
    }

    pub fn is_nil(self) -> bool {
        self.row() == 0
    }

    /// The row, if the token is one of `table`.
    pub fn row_of(self, table: Table) -> Option<u32> {
        (self.table() == Some(table) && !self.is_nil()).then(|| self.row())
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "0x{:08x}", self.0)
    }
}

macro_rules! row_ids {
    ($($(#[$doc:meta])* $name:ident = $table:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub fn row(self) -> u32 {
                self.0
            }

            pub fn token(self) -> Token {
                Token::new(Table::$table, self.0)
            }

            pub fn from_token(token: Token) -> Option<Self> {
                token.row_of(Table::$table).map(Self)
            }
        }

        impl From<$name> for Token {
            fn from(id: $name) -> Token {
                id.token()
            }
        }
    )*};
}

row_ids! {
    /// Row (from 1) of the TypeDef table.
    TypeId = TypeDef;
    /// Row (from 1) of the MethodDef table, which is also that of a PDB's MethodDebugInformation table.
    MethodId = MethodDef;
    /// Row (from 1) of the Field table.
    FieldId = Field;
    /// Row (from 1) of the Property table.
    PropertyId = Property;
    /// Row (from 1) of the Event table.
    EventId = Event;
    /// Row (from 1) of a PDB's Document table.
    DocumentId = Document;
}

impl TypeId {
    /// What holds a module's global members (ECMA-335 II.22.37).
    pub const MODULE: Self = Self(1);
}
