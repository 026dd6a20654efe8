//! Whether a frame can be another call than one seen before. Frames have no identity in DAP: a method that is called again from the
//! same place has an equal stack.

use clr_metadata::il::Operand;
use clr_metadata::{Assembly, MethodId};

use super::Modules;
use super::flow::{Place, op};

/// What distinguishes one frame of a stack from others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CallSite {
    /// The function, as the adapter prints it.
    pub function: String,
    /// `None`: no source.
    pub path: Option<String>,
    /// Where it is.
    pub place: Place,
}

impl Modules {
    /// Whether no other call of a function can have these callers, nearest first: each of them reaches its call at most once, and the
    /// last of them is the program's entry point. `false`: it is not certain.
    pub(crate) fn runs_once(&self, function: &str, callers: &[CallSite]) -> bool {
        let mut callee = function;
        for caller in callers {
            if self.is_entry_point(callee) {
                return true;
            }
            if !self.calls_once(caller, callee) {
                return false;
            }
            callee = &caller.function;
        }
        self.is_entry_point(callee)
    }

    fn is_entry_point(&self, function: &str) -> bool {
        let main = self.lock().main.clone();
        main.is_some_and(|main| {
            let entry = main.entry_point();
            main.methods_of_frame(function).into_iter().any(|method| {
                Some(method) == entry || main.kickoff_of(method).is_some_and(|kickoff| Some(kickoff) == entry)
            })
        })
    }

    /// Whether one call of the caller makes that call once at most: its statement is in no loop and has no second call like it.
    fn calls_once(&self, caller: &CallSite, callee: &str) -> bool {
        let Some(path) = &caller.path else { return false };
        let known = self.lock().known.clone();
        let callee =
            known.iter().find_map(|assembly| Some(name_of(assembly, *assembly.methods_of_frame(callee).first()?)));
        let once = self.with_statement(path, caller.place, |assembly, method, offset, flow| {
            let callee = callee?;
            let end =
                assembly.pdb()?.sequence_points(method).iter().map(|point| point.il_offset).find(|next| *next > offset);
            let mut calls = 0;
            for instruction in assembly.method(method).body()?.instructions().map_while(Result::ok) {
                let is_here = instruction.offset >= offset && end.is_none_or(|end| instruction.offset < end);
                calls += usize::from(is_here && may_call(assembly, instruction.opcode, &instruction.operand, &callee));
            }
            Some(calls <= 1 && !flow.leads(offset, offset))
        });
        once.unwrap_or(false)
    }
}

/// Without the interface that an explicit implementation has in its name: calls name the interface's method.
fn name_of(assembly: &Assembly, method: MethodId) -> String {
    let name = assembly.method(method).name();
    let is_explicit = !name.starts_with(['.', '<']);
    name.rsplit('.').next().filter(|_| is_explicit).unwrap_or(name).to_owned()
}

/// Whether an instruction may call a method of that name, itself or through a delegate.
fn may_call(assembly: &Assembly, opcode: u16, operand: &Operand, callee: &str) -> bool {
    match operand {
        Operand::Token(token) if op::CALLS.contains(&opcode) => {
            assembly.called_name(*token).is_none_or(|name| name == callee || name == "Invoke")
        }
        _ => opcode == op::CALLI,
    }
}
