//! Two lists of uses, row by row.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use clrbridge::code::navigate::{Address, Found, Navigator, Usage, UsageKind};

use super::truth::{Declared, How, Use};

/// Rows that are shown of each class of difference, unless `CLRBRIDGE_ORACLE_ROWS` says another number.
const MOST_SHOWN: usize = 12;

/// File, line, kind and form of a row; of several on a line one is reported.
type Key = (String, u32, String, String);

#[derive(Debug, Default)]
pub struct Differences {
    symbols: usize,
    uses: usize,
    /// What differs by class (`missed call of method`).
    classes: BTreeMap<String, Vec<String>>,
}

impl Differences {
    pub fn is_none(&self) -> bool {
        self.classes.is_empty()
    }

    pub fn summary(&self) -> String {
        format!("{} symbols, {} uses compared", self.symbols, self.uses)
    }

    pub fn add(&mut self, navigator: &Navigator, symbol: &Declared, root: &Path) {
        self.symbols += 1;
        self.uses += symbol.uses.len();
        let (file, line, column) = (symbol.file.clone(), symbol.line, symbol.column);
        // A primary constructor stands where its type does, and a conversion has no name.
        let address = match symbol.kind.as_str() {
            "constructor" | "operator" => Address::Name(short_conversion(&symbol.display)),
            _ => Address::Position { file, line, column },
        };
        let found = match navigator.usages(&address, None) {
            Ok(found) if found.symbols.len() == 1 => found,
            Ok(found) => return self.tell("not one symbol", symbol, &format!("{:?}", found.symbols)),
            Err(error) => return self.tell("not found", symbol, &error.to_string()),
        };
        let ours = ours(&found, root, &symbol.kind);
        let truth = keyed(&symbol.uses, &symbol.kind, How::Named);
        let open: Vec<&Use> = symbol.uses.iter().filter(|it| it.how != How::Named).collect();
        for key in truth.difference(&ours) {
            self.tell(&format!("missed {} of {}", key.2, symbol.kind), symbol, &shown(key));
        }
        for (key, columns) in named_columns(&symbol.uses, &symbol.kind) {
            let reported = columns_told(&found, root, &key);
            if ours.contains(&key) && columns.len().max(reported.len()) > 1 && columns != reported {
                let what = format!("{} at columns {columns:?}, not {reported:?}", shown(&key));
                self.tell(&format!("columns of {} of {}", key.2, symbol.kind), symbol, &what);
            }
        }
        let fits =
            |key: &Key, it: &&&Use| it.file == key.0 && (it.line..=it.last_line).contains(&key.1) && it.kind == key.2;
        for key in ours.difference(&truth) {
            if !open.iter().any(|it| fits(key, &it)) {
                self.tell(&format!("invented {} of {}", key.2, symbol.kind), symbol, &shown(key));
            }
        }
        for it in open.iter().filter(|it| it.how == How::Implied) {
            if !ours.iter().any(|key| fits(key, &it)) {
                let place = format!("{}:{} {}", it.file, it.line, it.kind);
                self.tell(&format!("missed implied {} of {}", it.kind, symbol.kind), symbol, &place);
            }
        }
    }

    fn tell(&mut self, class: &str, symbol: &Declared, what: &str) {
        self.classes.entry(class.to_owned()).or_default().push(format!("{}: {what}", symbol.display));
    }
}

/// A conversion's type without its namespace: `Shop.Money.implicit operator Money(decimal)`.
fn short_conversion(display: &str) -> String {
    let Some((head, rest)) = display.split_once("operator ") else { return display.to_owned() };
    let (type_, parameters) = rest.split_once('(').unwrap_or((rest, ""));
    format!("{head}operator {}({parameters}", type_.rsplit('.').next().unwrap())
}

fn shown((file, line, kind, form): &Key) -> String {
    format!("{file}:{line} {kind} {form}").trim_end().to_owned()
}

/// The uses by the code's own name. Words in comments (but for a `cref`) are not the compiler's affair.
fn ours(found: &Found, root: &Path, of: &str) -> BTreeSet<Key> {
    let rows = found.files.iter().flat_map(|file| {
        let path = root.join(&file.file).to_string_lossy().into_owned();
        // libraries have sources of other encodings
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let is_code =
            move |it: &&Usage| it.kind != UsageKind::Mention || !is_in_comment(&lines[it.line as usize - 1], it.column);
        file.usages.iter().filter(|it| it.via.is_none()).filter(is_code).map(move |it| {
            let form = it.form.map(|form| form.as_str()).unwrap_or_default();
            (path.clone(), it.line, it.kind.as_str().to_owned(), form.to_owned())
        })
    });
    keys(rows, of)
}

/// Of a type, that it is named several times on a line needs no row.
fn named_columns(uses: &[Use], of: &str) -> BTreeMap<Key, BTreeSet<u32>> {
    let mut found = BTreeMap::<Key, BTreeSet<u32>>::new();
    for it in uses.iter().filter(|it| it.how == How::Named && of != "type") {
        let key = (it.file.clone(), it.line, it.kind.clone(), it.form.clone());
        found.entry(key).or_default().insert(it.column);
    }
    found
}

fn columns_told(found: &Found, root: &Path, (path, line, kind, form): &Key) -> BTreeSet<u32> {
    let files = found.files.iter().filter(|it| root.join(&it.file).to_string_lossy() == path.as_str());
    let rows = files.flat_map(|it| &it.usages).filter(|it| {
        let its_form = it.form.map(|form| form.as_str()).unwrap_or_default();
        it.via.is_none() && it.line == *line && it.kind.as_str() == kind && its_form == form
    });
    rows.flat_map(|it| it.more_columns.iter().copied().chain([it.column])).collect()
}

fn is_in_comment(line: &str, column: u32) -> bool {
    let before: String = line.chars().take(column as usize - 1).collect();
    let is_comment = before.contains("//") || before.trim_start().starts_with('*');
    is_comment && !before.contains("cref=")
}

fn keyed(uses: &[Use], of: &str, how: How) -> BTreeSet<Key> {
    let rows = uses.iter().filter(|it| it.how == how);
    keys(rows.map(|it| (it.file.clone(), it.line, it.kind.clone(), it.form.clone())), of)
}

/// A type that is cast to and one that is only named are one kind.
fn keys(rows: impl Iterator<Item = Key>, of: &str) -> BTreeSet<Key> {
    rows.map(|(file, line, kind, form)| match kind.as_str() {
        "read" if of == "type" => (file, line, "mention".to_owned(), form),
        _ => (file, line, kind, form),
    })
    .collect()
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = std::env::var("CLRBRIDGE_ORACLE_ROWS").map_or(MOST_SHOWN, |rows| rows.parse().unwrap());
        writeln!(f, "{}; these differ:", self.summary())?;
        for (class, rows) in &self.classes {
            writeln!(f, "{class}: {}", rows.len())?;
            // From all over the list, not only of the first file.
            for row in rows.iter().step_by(rows.len().div_ceil(most)) {
                writeln!(f, "  {row}")?;
            }
        }
        Ok(())
    }
}
