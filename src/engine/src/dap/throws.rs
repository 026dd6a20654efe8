//! `clrExceptions`: what was thrown so far, whether or not anything stopped for it.

use std::sync::Arc;

use clr_metadata::{MethodId, Token};
use dap_wire::{CodePlace, PassedOn, ThrownExceptions, ThrownGroup, ThrownMessage};

use super::server::{Answer, Server, body, refused};
use crate::com::HResult;
use crate::exceptions::{Caught, Site, passing_call};
use crate::frames::{location, method_name};
use crate::modules::Module;
use crate::target::Target;

impl Server {
    pub(super) fn exceptions(&mut self) -> Answer {
        let Some(debugging) = &self.debugging else {
            return Err(refused("no program is being debugged", HResult(0x8000_4005)));
        };
        body(overview(&debugging.target))
    }
}

fn overview(target: &Target) -> ThrownExceptions {
    let overview = target.throws().overview();
    let groups = overview.groups.into_iter().map(|group| ThrownGroup {
        type_name: group.type_name.to_string(),
        count: group.count,
        messages: group.messages.into_iter().map(|(text, count)| ThrownMessage { text, count }).collect(),
        other_messages: group.other_messages,
        user_code_at: group.user_site.filter(|site| group.site != Some(*site)).and_then(|site| place(target, site)),
        thrown_at: group.site.and_then(|site| place(target, site)),
        caught_at: match group.handler {
            Caught::At(site) => place(target, site),
            Caught::Elsewhere | Caught::Unhandled | Caught::Unknown => None,
        },
        passed_on: match group.handler {
            Caught::At(site) => passed_on(target, site),
            Caught::Elsewhere | Caught::Unhandled | Caught::Unknown => None,
        },
        unhandled: group.handler == Caught::Unhandled,
    });
    ThrownExceptions {
        total: overview.total,
        groups: groups.collect(),
        dropped_groups: overview.dropped_groups,
        dropped: overview.dropped,
    }
}

/// `None` for a handler that stands in the source.
fn passed_on(target: &Target, handler: Site) -> Option<PassedOn> {
    let (module, method) = code(target, handler)?;
    let call = passing_call(&module, method, handler.offset)?;
    let callee = module.assembly()?.callee(call);
    let is_void = callee.is_some_and(|callee| callee.type_name.ends_with(".AsyncVoidMethodBuilder"));
    Some(if is_void { PassedOn::ThrownAgain } else { PassedOn::Task })
}

/// `None` once the module is gone.
fn place(target: &Target, site: Site) -> Option<CodePlace> {
    let (module, method) = code(target, site)?;
    let found = location(&module, method, site.offset);
    Some(CodePlace {
        function: method_name(&module, method),
        line: found.as_ref().map(|found| found.point.line),
        path: found.map(|found| found.path),
    })
}

fn code(target: &Target, site: Site) -> Option<(Arc<Module>, MethodId)> {
    let module = target.modules.all().into_iter().find(|module| module.id == site.module)?;
    Some((module, MethodId::from_token(Token(site.method))?))
}
