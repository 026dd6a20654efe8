//! `threads`, `scopes`, `variables`, `modules`.

use dap_wire::{ModulesArguments, Scope, ScopesArguments, VariablesArguments, VariablesFilter};
use serde::Serialize;
use serde_json::json;

use super::references::{Node, has_variables};
use super::server::{Answer, Pause, Server, State, body, refused};
use crate::awaiters;
use crate::com::HResult;
use crate::evaluate::{EXCEPTION, Evaluation, variables};
use crate::modules::Module;
use crate::stopped::Stopped;
use crate::target::Cause;
use crate::values::{Child, Page, Place, Root, Shown, UNASSIGNED, statics};

/// A module as the protocol has it.
pub fn module(module: &Module) -> dap_wire::Module {
    let symbols = (!module.is_framework).then(|| module.symbols()).flatten();
    let status = match (module.is_framework, symbols.is_some()) {
        (true, _) => "Skipped loading symbols.",
        (false, true) => "Symbols loaded.",
        (false, false) => "Symbols not found.",
    };
    let end = module.base.saturating_add(u64::from(module.size));
    dap_wire::Module {
        id: module.id.to_string(),
        name: module.file_name(),
        path: Some(module.path.display().to_string()),
        is_user_code: Some(symbols.is_some()),
        symbol_status: Some(status.into()),
        address_range: Some(format!("0x{:x}-0x{end:x}", module.base)),
        ..dap_wire::Module::default()
    }
}

#[derive(Serialize)]
pub(super) struct VariablesBody {
    pub variables: Vec<dap_wire::Variable>,
}

impl Server {
    pub(super) fn threads(&mut self) -> Answer {
        let Some(debugging) = &self.debugging else {
            return Err(refused("no program is being debugged", HResult(0x8000_4005)));
        };
        let target = debugging.target.clone();
        let is_launched = debugging.program.is_some();
        let list = || {
            let stopped = Stopped::new(target.clone());
            let threads = stopped.threads()?;
            let name = |thread: &crate::frames::Thread<'_>| match thread.name() {
                Some(name) => name,
                None if thread.id == target.pid
                    || is_launched && threads.first().map(|first| first.id) == Some(thread.id) =>
                {
                    "Main Thread".to_owned()
                }
                None => "<No name>".to_owned(),
            };
            Ok(threads.iter().map(|thread| json!({ "id": thread.id, "name": name(thread) })).collect::<Vec<_>>())
        };
        let threads: Result<Vec<_>, HResult> = match self.state {
            State::Running => target.while_still(list).map_err(|error| refused(&error.to_string(), error.code()))?,
            _ => list(),
        };
        body(json!({ "threads": threads.map_err(|error| refused("the threads cannot be read", error))? }))
    }

    pub(super) fn scopes(&mut self, arguments: &ScopesArguments) -> Answer {
        let shows_raw = self.shows_raw;
        let pause = self.paused()?;
        let Some((thread, frame)) = pause.references.frame_of(arguments.frame_id) else {
            return Err(refused("no such frameId at this stop", HResult::INVALID_ARGUMENT));
        };
        let mut count = if has_variables(frame) { frame_children(pause, thread, frame)?.len() } else { 0 };
        if !shows_raw && has_variables(frame) {
            count += Evaluation::new(&mut pause.stopped, thread, frame, None).constants().len();
        }
        let reference = if count == 0 { 0 } else { pause.references.node(Node::Frame { thread, frame }) };
        let scope = Scope {
            name: "Locals".into(),
            variables_reference: reference,
            named_variables: Some(count as i64),
            presentation_hint: Some("locals".into()),
            ..Scope::default()
        };
        body(json!({ "scopes": [scope] }))
    }

    pub(super) fn variables(&mut self, arguments: &VariablesArguments) -> Answer {
        if !self.shows_raw {
            return self.presented_variables(arguments);
        }
        let pause = self.paused()?;
        let Some(node) = pause.references.node_of(arguments.variables_reference).cloned() else {
            return Err(refused("no such variablesReference at this stop", HResult::INVALID_ARGUMENT));
        };
        let page = page(arguments);
        if let Node::Made { made, name } = &node {
            let evaluation = Evaluation::new(&mut pause.stopped, pause.thread, 0, None);
            let parts = evaluation.parts(made, page);
            let variables = parts.into_iter().map(|part| pause.references.part(part, name)).collect();
            return body(VariablesBody { variables });
        }
        let (children, parent) = match &node {
            Node::Made { .. } | Node::Presented { .. } => (Vec::new(), None),
            Node::Frame { thread, frame } => (cut(frame_children(pause, *thread, *frame)?, page), None),
            Node::Statics(type_) => (cut(statics(&pause.stopped, pause.thread, type_), page), None),
            Node::Value { place, name } => {
                let value = place.read(&pause.stopped).map_err(|error| refused("the value cannot be read", error))?;
                let is_array = matches!(value.content(), Ok(crate::values::Content::Array(_)));
                if is_array && arguments.filter == Some(VariablesFilter::Named) {
                    return body(json!({ "variables": [] }));
                }
                let children =
                    value.children(place, page).map_err(|error| refused("the value cannot be read", error))?;
                (children, Some(name.clone()))
            }
        };
        let is_frame = matches!(node, Node::Frame { .. });
        let mut numbered = pause.stopped.target().numbered();
        let identity = |child: &Child| {
            let place = child.place.as_ref()?;
            let object = || Some(place.read(&pause.stopped).ok()?.target().ok()??.com().clone());
            numbered.number(pause.stopped.era(), child.shown.address?, object)
        };
        let identities: Vec<Option<u64>> = if is_frame { children.iter().map(identity).collect() } else { Vec::new() };
        drop(numbered);
        let mut variables: Vec<dap_wire::Variable> =
            children.into_iter().map(|child| pause.references.variable(child, parent.as_deref())).collect();
        for (variable, identity) in variables.iter_mut().zip(identities) {
            variable.clr_identity = identity;
        }
        if let Node::Value { place, .. } = &node
            && page.start == 0
            && let Some(type_) =
                place.read(&pause.stopped).ok().and_then(|value| value.object()).filter(|object| object.has_statics())
        {
            let reference = pause.references.node(Node::Statics(type_.type_().clone()));
            variables.push(dap_wire::Variable {
                name: "Static members".into(),
                variables_reference: reference,
                presentation_hint: Some(dap_wire::VariablePresentationHint {
                    kind: Some("class".into()),
                    ..dap_wire::VariablePresentationHint::default()
                }),
                ..dap_wire::Variable::default()
            });
        }
        body(VariablesBody { variables })
    }

    pub(super) fn modules(&mut self, arguments: &ModulesArguments) -> Answer {
        let all = self.debugging.as_ref().map(|debugging| debugging.target.modules.all()).unwrap_or_default();
        let start = arguments.start_module.and_then(|start| usize::try_from(start).ok()).unwrap_or(0);
        let count = arguments.module_count.and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 0);
        let shown: Vec<_> = all.iter().skip(start).take(count.unwrap_or(usize::MAX)).map(|it| module(it)).collect();
        body(json!({ "modules": shown, "totalModules": all.len() }))
    }
}

/// Which of them are wanted.
pub(super) fn page(arguments: &VariablesArguments) -> Page {
    let number = |number: Option<i64>| number.and_then(|number| usize::try_from(number).ok());
    Page {
        start: number(arguments.start).unwrap_or(0),
        count: number(arguments.count).filter(|count| *count > 0).unwrap_or(usize::MAX),
    }
}

fn cut(children: Vec<Child>, page: Page) -> Vec<Child> {
    children.into_iter().skip(page.start).take(page.count).collect()
}

/// The variables of a frame, first the exception of a stop at one.
pub(super) fn frame_children(pause: &Pause, thread: u32, frame: usize) -> Result<Vec<Child>, String> {
    let failed = |error| refused("the variables cannot be read", error);
    let is_waiting = frame >= awaiters::FIRST;
    let mut places = match variables(&pause.stopped, thread, frame) {
        // without symbols nobody knows where it waits
        Err(_) if is_waiting => Vec::new(),
        found => found.map_err(failed)?,
    };
    if matches!(pause.cause, Cause::Exception(_)) && thread == pause.thread && !is_waiting {
        places.retain(|(name, _)| name != EXCEPTION);
        places.insert(0, (EXCEPTION.into(), Place::of(Root::Exception(thread))));
    }
    let child = |(name, place): (String, Place)| {
        let shown = match place.read(&pause.stopped) {
            Ok(value) if value.is_unassigned() => {
                Shown { text: format!("<error: {UNASSIGNED}>"), type_name: value.type_name(), ..Shown::default() }
            }
            Ok(value) => place.declared_as(value.show(), &pause.stopped),
            Err(error) => Shown { text: format!("<error: {error}>"), ..Shown::default() },
        };
        Child { access: name.clone(), name, shown, place: Some(place), is_property: false }
    };
    Ok(places.into_iter().map(child).collect())
}
