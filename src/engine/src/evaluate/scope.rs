//! What an expression may name in a frame: variables, constants, the types around, what the file imports.

use std::sync::Arc;

use clr_csharp::types::Type;
use clr_csharp::value::Value;
use clr_csharp::world::{Scope, Variable as Declared};
use clr_metadata::names::{FieldOrigin, field_origin};
use clr_metadata::{
    Assembly, FieldId, FirstWrites, LocalPlace, MethodId, TypeId, TypeSig, Variable, VariableKind, VariablePlace,
    VariableRoot,
};

use super::Evaluation;
use super::kept_exception::kept_exception;
use crate::awaiters;
use crate::com;
use crate::modules::Module;
use crate::stopped::{FrameData, Stopped};
use crate::types;
use crate::values::{Place, Root, Shown, Step};

/// By which an exception is named that was thrown or caught.
pub const EXCEPTION: &str = "$exception";

/// Variables of a frame in the order of the source: `this`, parameters, locals; then the exception of a `catch` block that awaits and that
/// no variable has.
pub fn variables(stopped: &Stopped, thread: u32, frame: usize) -> com::Result<Vec<(String, Place)>> {
    let code = Code::at(stopped, thread, frame)?;
    let places = in_order(&code, found(&code)).into_iter();
    let places = places.filter_map(|it| Some((it.name.clone(), place(&code, &it)?)));
    let mut all: Vec<(String, Place)> = places.filter(|(_, place)| has_begun(stopped, place)).collect();
    if let Some(exception) = code.kept_exception(stopped) {
        let address = |place: &Place| place.read(stopped).ok()?.address();
        // mostly it has a variable
        if !all.iter().any(|(_, place)| address(place) == address(&exception)) {
            all.push((EXCEPTION.to_owned(), exception));
        }
    }
    Ok(all)
}

/// Code that is under way, and whose variables they are.
struct Code {
    module: Arc<Module>,
    method: MethodId,
    offset: u32,
    type_arguments: Vec<com::Type>,
    of: Of,
    /// Where the exception will be that was caught, if the code is at the begin of the handler.
    caught: Option<LocalPlace>,
}

#[derive(Clone, Copy)]
enum Of {
    Frame {
        thread: u32,
        frame: usize,
    },
    /// An async method that waits: it has what its machine holds.
    Waiting {
        thread: u32,
        waiting: usize,
    },
}

impl Code {
    /// Of a frame, or of what waits for those of the stack ([`awaiters::FIRST`]).
    fn at(stopped: &Stopped, thread: u32, frame: usize) -> com::Result<Self> {
        let Some(waiting) = frame.checked_sub(awaiters::FIRST) else {
            let at = stopped.thread(thread)?.frame(frame)?;
            let FrameData { module, method, offset, .. } = at.data();
            let type_arguments = at.type_arguments();
            let of = Of::Frame { thread, frame };
            let assembly = module.assembly().filter(|_| frame == 0);
            let caught = assembly.and_then(|assembly| LocalPlace::caught_at(assembly, (*method, *offset)));
            return Ok(Self { module: module.clone(), method: *method, offset: *offset, type_arguments, of, caught });
        };
        let unknown = com::HResult::INVALID_ARGUMENT;
        let awaiter = awaiters::nth(stopped, thread, waiting)?;
        let definition = awaiter.definition().ok_or(unknown)?;
        let (method, offset) = awaiter.place(&definition).ok_or(unknown)?;
        let machine = awaiter.machine.object().ok_or(unknown)?;
        let type_arguments = machine.type_().type_parameters().map(|list| list.rest()).unwrap_or_default();
        let of = Of::Waiting { thread, waiting };
        Ok(Self { module: definition.module, method, offset, type_arguments, of, caught: None })
    }

    fn root(&self, root: VariableRoot) -> Root {
        match self.of {
            Of::Frame { thread, frame } => Root::Variable { thread, frame, root },
            Of::Waiting { thread, waiting } => Root::Waiting { thread, waiting },
        }
    }

    fn kept_exception(&self, stopped: &Stopped) -> Option<Place> {
        let machine = Place::of(self.root(VariableRoot::Argument(0)));
        kept_exception(stopped, &self.module, (self.method, self.offset), &machine)
    }
}

fn found(code: &Code) -> Vec<Variable> {
    let Some(assembly) = code.module.assembly() else { return Vec::new() };
    let mut found = assembly.variables_at(code.method, code.offset);
    if let Of::Waiting { .. } = code.of {
        found.retain(|it| it.place.root == VariableRoot::Argument(0) && !it.place.fields.is_empty());
    }
    // innermost first, and `this` last: the reverse is how a source reads
    found.reverse();
    let rank = |variable: &Variable| match variable.kind {
        VariableKind::This => 0,
        VariableKind::Parameter => 1,
        VariableKind::Local => 2,
    };
    found.sort_by_key(|variable| (rank(variable), order(assembly, variable)));
    found
}

/// By their declarations, where lambdas captured any: the objects of the compiler's do not keep their order.
fn in_order(code: &Code, mut found: Vec<Variable>) -> Vec<Variable> {
    let is_moved = |variable: &Variable| variable.kind != VariableKind::This && !variable.place.fields.is_empty();
    let Some(assembly) = code.module.assembly().filter(|_| found.iter().any(is_moved)) else { return found };
    let writes = FirstWrites::of(assembly, code.method);
    let written = assembly.method(assembly.kickoff_of(code.method).unwrap_or(code.method));
    let parameters = written.parameter_names();
    found.sort_by_cached_key(|variable| {
        let parameter = parameters.iter().position(|name| *name == variable.name);
        match (variable.kind, parameter) {
            (VariableKind::This, _) => (0, 0, (0, 0)),
            // one that a closure holds is no parameter any more
            (_, Some(number)) => (1, number, (0, 0)),
            (VariableKind::Parameter, None) => (1, usize::MAX, (0, 0)),
            (VariableKind::Local, None) => (2, 0, writes.place(assembly, variable).unwrap_or((u16::MAX, u32::MAX))),
        }
    });
    found
}

/// Parameters by number. What a closure or machine holds: captured locals first, as the closures declare them (an outer one's type comes
/// first in metadata), then hoisted ones by the number that the compiler gave them. Slots stand by their own order.
fn order(assembly: &Assembly, variable: &Variable) -> (u16, u32) {
    match (variable.kind, variable.place.root, variable.place.fields.last()) {
        (VariableKind::Parameter, VariableRoot::Argument(number), None) => (number, 0),
        (VariableKind::Local, VariableRoot::Argument(_), Some(field)) => {
            match field_origin(field_name(assembly, *field).unwrap_or_default()) {
                FieldOrigin::HoistedLocal { slot, .. } => (1, slot),
                _ => (0, field.row()),
            }
        }
        _ => (u16::MAX, 0),
    }
}

fn field_name(assembly: &Assembly, field: FieldId) -> Option<&str> {
    assembly.metadata().string(field.row(), clr_metadata::col::Field::Name).ok()
}

/// Whether the scope of a captured variable has begun: what holds it is made there.
fn has_begun(stopped: &Stopped, place: &Place) -> bool {
    place.steps.is_empty() || !matches!(place.read(stopped), Err(com::HResult::POINTER))
}

/// Whether a closure is there: it is made where its scope begins.
fn is_made(stopped: &Stopped, place: &Place) -> bool {
    place.read(stopped).is_ok_and(|value| value.address().is_some())
}

fn place(code: &Code, variable: &Variable) -> Option<Place> {
    let assembly = code.module.assembly()?;
    if let (Some(caught), Of::Frame { thread, .. }) = (&code.caught, code.of)
        && caught.is(variable.place.root, variable.place.fields.last().and_then(|field| field_name(assembly, *field)))
    {
        return Some(Place::of(Root::Exception(thread)));
    }
    path(code, &variable.place)
}

fn path(code: &Code, to: &VariablePlace) -> Option<Place> {
    let assembly = code.module.assembly()?;
    let mut steps = Vec::new();
    for &field in &to.fields {
        let owner = assembly.metadata().owner(clr_metadata::col::TypeDef::FieldList, field.row())?;
        steps.push(Step::Field { class: code.module.class(TypeId(owner)).ok()?, field });
    }
    let place = Place::of(code.root(to.root));
    Some(steps.into_iter().fold(place, |place, step| place.then(step)))
}

impl Evaluation<'_> {
    /// The module of the frame's code.
    pub(super) fn own_module(&self) -> com::Result<Arc<Module>> {
        Ok(Code::at(self.stopped, self.thread, self.frame)?.module)
    }

    /// The constants of the frame's code, those of the outermost block first.
    pub fn constants(&self) -> Vec<(String, Shown)> {
        let (scope, _) = self.scope(&|_| false);
        let constants = scope.constants.into_iter();
        constants.map(|(name, type_, value)| (name, self.shown(&Value::Constant(value), Some(&type_)).0)).collect()
    }

    /// With the places of the scope's variables, in their order. Only those that are wanted have a type: each is asked of the runtime.
    pub(super) fn scope(&self, is_wanted: &dyn Fn(&str) -> bool) -> (Scope, Vec<Place>) {
        let mut scope = Scope::default();
        let mut places = Vec::new();
        let code = Code::at(self.stopped, self.thread, self.frame);
        let of_thread = Some(Place::of(Root::Exception(self.thread))).filter(|it| it.read(self.stopped).is_ok());
        let kept = || code.as_ref().ok().filter(|_| !self.is_gone)?.kept_exception(self.stopped);
        if let Some(exception) = of_thread.or_else(kept) {
            let type_ = exception.read(self.stopped).and_then(|value| value.signature()).ok().map(|it| Type::of(&it));
            scope.variables.push(Declared { name: EXCEPTION.into(), type_ });
            places.push(exception);
        }
        for (name, place) in self.stopped.returned_places() {
            let type_ = place.read(self.stopped).and_then(|value| value.signature()).ok();
            scope.variables.push(Declared { name, type_: type_.map(|it| Type::of(&it)) });
            places.push(place);
        }
        let Ok(code) = code else { return (scope, places) };
        let Some(assembly) = code.module.assembly() else { return (scope, places) };
        if self.is_gone {
            return (scope, places);
        }
        let arguments: Vec<Type> =
            code.type_arguments.iter().map(|it| Type::of(&types::signature(self.stopped.target(), it))).collect();
        let debuggers = std::mem::take(&mut scope.variables);
        scope = Scope { variables: debuggers, ..Scope::of_code(assembly, code.method, code.offset, &arguments) };
        let of_type = assembly.method(code.method).declaring_type().map_or(0, |it| it.type_parameters().len());
        for variable in found(&code) {
            let Some(place) = place(&code, &variable).filter(|place| has_begun(self.stopped, place)) else { continue };
            if is_parameter(&variable.type_) {
                scope.of_parameters.push(scope.variables.len());
            }
            if variable.is_read_only {
                scope.read_only.push(scope.variables.len());
            }
            let declared = match variable.kind {
                // of the type that the code is written in, though a closure may hold it
                VariableKind::This => scope.enclosing.first().cloned(),
                _ if variable.dynamic == [true] || !is_wanted(&variable.name) => None,
                _ => {
                    let as_type = |it: &TypeSig| Type::declared(it, &variable.element_names, &variable.dynamic);
                    let declared = place.declared(self.stopped);
                    declared.map(|it| scope.of_declaration(as_type(&it), &as_type(&variable.type_), of_type))
                }
            };
            scope.variables.push(Declared { name: variable.name, type_: declared });
            places.push(place);
        }
        for closure in assembly.closures_at(code.method, code.offset) {
            let of_type = assembly.type_(closure.type_);
            let is_of_machine = closure.place.root == VariableRoot::Argument(0) && !closure.place.fields.is_empty();
            let place = path(&code, &closure.place).filter(|place| is_made(self.stopped, place));
            let Some(place) = place.filter(|_| is_of_machine || matches!(code.of, Of::Frame { .. })) else { continue };
            let given = arguments.get(..of_type.type_parameters().len()).unwrap_or_default().to_vec();
            let name = of_type.full_name();
            scope.variables.push(Declared { type_: Some(Type::named(&name, given)), name });
            places.push(place);
        }
        (scope, places)
    }
}

/// Whether a variable is declared as a type parameter.
fn is_parameter(declared: &TypeSig) -> bool {
    match declared {
        TypeSig::TypeParameter(_) | TypeSig::MethodParameter(_) => true,
        TypeSig::ByRef(inner) => is_parameter(inner),
        _ => false,
    }
}
