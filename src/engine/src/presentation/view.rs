//! How values are shown: as the client's options, a request and format specifiers ask.

use clr_csharp::specifiers::Specifier;

/// How the values of an answer are shown, and what they open to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// How integers are written.
    pub numbers: Specifier,
    pub runs: Runs,
    /// Objects have the text of their `ToString`.
    pub strings: bool,
    /// Members as they are, whatever attributes ask for.
    pub is_raw: bool,
    /// Also members that are not public.
    pub shows_all: bool,
}

/// Code of the program that runs though nobody asked for it: getters, holes of attributes, `ToString`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    Nothing,
    /// What is known to change nothing.
    Pure,
    Anything,
}

impl Default for View {
    fn default() -> Self {
        Self { numbers: Specifier::Decimal, runs: Runs::Pure, strings: true, is_raw: false, shows_all: false }
    }
}

impl View {
    /// As a format specifier asks; one that is not about a whole value changes nothing.
    pub fn specified(self, specifier: Specifier) -> Self {
        match specifier {
            Specifier::Hex { .. } | Specifier::Binary | Specifier::Decimal => Self { numbers: specifier, ..self },
            Specifier::AlwaysCall => Self { runs: Runs::Anything, ..self },
            Specifier::Hidden => Self { shows_all: true, ..self },
            Specifier::NoQuotes | Specifier::Raw | Specifier::Results => self,
        }
    }

    /// With integers in hexadecimal where a client wants all of them so.
    pub fn with_hex(self, hex: bool) -> Self {
        if hex { self.specified(Specifier::Hex { is_upper: false }) } else { self }
    }
}
