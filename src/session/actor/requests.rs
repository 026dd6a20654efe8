//! The arguments of `launch` and `attach`.

use super::Actor;
use crate::backend::LaunchPlan;
use crate::session::spec::Purpose;
use crate::session::startup::{Method, Prepared};

impl Actor {
    pub(super) fn launch_arguments(&self, prepared: &Prepared) -> Option<serde_json::Value> {
        let spec = self.launch_spec();
        let just_my_code = match &self.purpose {
            Purpose::Launch(spec) => spec.just_my_code,
            Purpose::Attach(spec) => spec.just_my_code,
        };
        let program = prepared.program.as_ref();
        let alone = matches!(prepared.method, Method::Adapter | Method::Replay);
        if !alone && !prepared.profile.quirks.launch_options_outlive_attach {
            return None;
        }
        let env = match (alone, spec) {
            (true, Some(spec)) => {
                let own = spec.env.iter().filter_map(|(name, value)| value.clone().map(|value| (name.clone(), value)));
                program.iter().flat_map(|program| program.env.clone()).chain(own).collect()
            }
            _ => Vec::new(),
        };
        let plan = LaunchPlan {
            dll: program.map(|program| program.dll.clone()).unwrap_or_else(|| {
                // a launch that an attach replaces names no program; a replay ignores it
                spec.map(|spec| spec.program.clone().into()).unwrap_or_else(|| "replaced-by-attach.dll".into())
            }),
            args: match (alone, program, spec) {
                (true, Some(program), Some(spec)) => program.args.iter().chain(&spec.args).cloned().collect(),
                (true, None, Some(spec)) => spec.args.clone(),
                _ => Vec::new(),
            },
            cwd: program.map(|program| program.cwd.clone()).unwrap_or_else(|| self.settings.base()),
            env,
            stop_at_entry: alone && spec.is_some_and(|spec| spec.stop_at_entry),
            just_my_code: just_my_code.unwrap_or(true),
        };
        Some(prepared.profile.launch_arguments(&plan))
    }

    pub(super) fn attach_arguments(&self, prepared: &Prepared) -> Option<serde_json::Value> {
        match prepared.method {
            Method::Held | Method::Attached => self.program.pid.map(|pid| prepared.profile.attach_arguments(pid)),
            Method::Adapter | Method::Replay => None,
        }
    }
}
