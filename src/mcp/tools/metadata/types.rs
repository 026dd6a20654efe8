//! types_get.

use super::scope::{Asked, Folders, LISTED, Opened, nearest};
use super::search::{pattern, push_type};
use crate::answers::report::TypesReport;
use crate::session::{Code, SessionError};
use clr_metadata::{TypeKind, TypeView};

/// Names that are kept to sort by; of a damaged file they could take any amount.
const MOST_NAME_BYTES: usize = 64 << 20;

pub(super) struct Query {
    pub(super) namespace: Option<String>,
    /// None = all.
    pub(super) kinds: &'static [TypeKind],
    /// A word of C#'s accessibility.
    pub(super) visibility: Option<&'static str>,
    pub(super) continuation_token: Option<String>,
    pub(super) max_results: usize,
}

impl Query {
    fn wants(&self, type_: &TypeView<'_>) -> bool {
        is_visible(type_.visibility(), self.visibility) && (self.kinds.is_empty() || self.kinds.contains(&type_.kind()))
    }
}

/// `internal` is also what is `protected internal`.
pub(super) fn is_visible(words: &str, wanted: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| words.split(' ').any(|word| word == wanted))
}

pub(super) fn types(asked: Asked, query: &Query) -> Result<TypesReport, SessionError> {
    let namespace = query.namespace.as_deref().filter(|name| !name.is_empty());
    let namespace = namespace.map(|name| pattern(name, "namespace")).transpose()?;
    let opened = asked.open(Folders::Refused)?.one()?;
    let Opened { name, assembly, .. } = &opened;
    let start = query.continuation_token.as_deref().map(|token| start(token, &opened)).transpose()?.unwrap_or(0);
    if let Some(pattern) = &namespace
        && assembly.namespaces(Some(pattern)).is_empty()
    {
        return Err(no_namespace(query.namespace.as_deref().unwrap_or_default(), &opened));
    }
    let mut found: Vec<(&str, String, TypeView<'_>)> = Vec::new();
    let (mut generated, mut bytes) = (0, 0);
    // The first row is the pseudo type `<Module>`.
    for type_ in assembly.types().skip(1) {
        let own_namespace = type_.namespace();
        if namespace.as_ref().is_some_and(|pattern| !pattern.fits(own_namespace)) || !query.wants(&type_) {
            continue;
        }
        if type_.is_generated() {
            generated += 1;
        } else {
            let full_name = if bytes < MOST_NAME_BYTES { type_.full_name() } else { String::new() };
            bytes += full_name.len();
            found.push((own_namespace, full_name, type_));
        }
    }
    found.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let mut report = TypesReport { module: name.clone(), count: found.len() as u64, ..TypesReport::default() };
    for (namespace, _, type_) in found.iter().skip(start).take(query.max_results) {
        push_type(&mut report.namespaces, namespace, type_.listed());
    }
    let end = start.saturating_add(query.max_results);
    report.more_types = found.len().checked_sub(end).filter(|more| *more > 0);
    report.continuation_token = report.more_types.map(|_| format!("{end}-{}", build_of(&opened)));
    report.compiler_generated = Some(generated).filter(|count| *count > 0);
    Ok(report)
}

/// Tells one build of an assembly from the next.
fn build_of(opened: &Opened) -> String {
    let mvid = opened.assembly.mvid().unwrap_or_default();
    mvid.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

fn start(token: &str, opened: &Opened) -> Result<usize, SessionError> {
    let hint = "call types_get again without continuation_token";
    let parts = token.split_once('-').and_then(|(start, build)| Some((start.parse().ok()?, build)));
    match parts {
        Some((start, build)) if build == build_of(opened) => Ok(start),
        Some(_) => {
            let message = format!("`continuation_token` is from a different build or module than {}", opened.name);
            Err(SessionError::argument("continuation_token", message, hint))
        }
        None => {
            let message = "`continuation_token` is not a token issued by types_get";
            Err(SessionError::argument("continuation_token", message, hint))
        }
    }
}

fn no_namespace(wanted: &str, opened: &Opened) -> SessionError {
    let mut names = opened.assembly.namespaces(None);
    names.retain(|name| !name.is_empty());
    let hint = match nearest(wanted, &names) {
        (_, 0) => "its types have no namespace: omit `namespace`".to_owned(),
        (listed, 1) => format!("its only namespace: {listed}"),
        (listed, all) if all <= LISTED => format!("its namespaces: {listed}"),
        (listed, all) => format!("did you mean {listed}? It has {all} namespaces"),
    };
    SessionError::new(Code::TypeNotFound, format!("{} has no namespace {wanted}", opened.name), hint)
}
