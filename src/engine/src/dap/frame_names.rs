//! The names of frames: `Shop.dll!Shop.Cart<int>.Add(int count = 2) Line 10`.

use clr_csharp::types::Type;
use clr_metadata::names::method_for_people;
use clr_metadata::{MethodId, ParameterDirection, TypeName, TypeSig};
use dap_wire::StackFrameFormat;

use crate::evaluate;
use crate::frames::{Frame, method_name};
use crate::modules::Module;
use crate::presentation::{View, written as written_in};
use crate::stopped::Stopped;
use crate::types;

/// How frames are named.
#[derive(Debug, Clone, Copy)]
pub enum Naming {
    /// What the compiler made of the source stays as it is.
    OfMetadata,
    /// As the source has it.
    ForPeople(StackFrameFormat),
}

/// What the name of a frame says where the client does not ask for more or less.
const USUAL: StackFrameFormat = StackFrameFormat {
    hex: false,
    parameters: true,
    parameter_types: true,
    parameter_names: true,
    parameter_values: false,
    line: false,
    module: false,
    include_all: false,
};

impl Naming {
    /// A client that asks for nothing about names gets the usual ones.
    pub fn for_people(asked: Option<StackFrameFormat>) -> Self {
        let asked = asked.unwrap_or_default();
        let says_more = asked.parameter_types || asked.parameter_names || asked.parameter_values;
        Self::ForPeople(match says_more || asked.line || asked.module {
            false => StackFrameFormat { hex: asked.hex, ..USUAL },
            true if asked.parameters && !says_more => {
                StackFrameFormat { parameter_types: true, parameter_names: true, ..asked }
            }
            true => asked,
        })
    }

    /// A method that has no frame.
    pub fn of_method(self, module: &Module, method: MethodId) -> String {
        let for_people = || {
            let assembly = module.assembly()?;
            let method = assembly.kickoff_of(method).unwrap_or(method);
            let owner = assembly.source_type_of(method)?;
            Some(format!("{}.{}", owner.source_name(), method_for_people(assembly.method(method).name())))
        };
        match self {
            Self::OfMetadata => method_name(module, method),
            Self::ForPeople(_) => for_people().unwrap_or_else(|| method_name(module, method)),
        }
    }

    pub fn name(self, stopped: &Stopped, thread: u32, frame: &Frame<'_>) -> String {
        match self {
            Self::OfMetadata => frame.name(),
            Self::ForPeople(format) => written(stopped, thread, frame, format).unwrap_or_else(|| frame.name()),
        }
    }
}

fn written(stopped: &Stopped, thread: u32, frame: &Frame<'_>, format: StackFrameFormat) -> Option<String> {
    let data = frame.data();
    let assembly = data.module.assembly()?;
    // of what an async method or an iterator became, the method
    let method = assembly.kickoff_of(data.method).unwrap_or(data.method);
    let view = assembly.method(method);
    let given = frame.type_arguments();
    let given: Vec<TypeSig> = given.iter().map(|type_| types::signature(stopped.target(), type_)).collect();
    let (of_type, of_method) = parameters(assembly, method, &given)?;
    let owner = assembly.source_type_of(method)?;
    let arguments = of_type.iter().take(owner.type_parameters().len()).cloned().collect();
    let owner = TypeSig::Named(TypeName { full_name: owner.full_name(), arguments, is_value_type: false });
    let mut name = format!("{}.{}", types::text(&owner), method_for_people(view.name()));
    if !of_method.is_empty() {
        let arguments: Vec<String> = of_method.iter().map(types::text).collect();
        name.push_str(&format!("<{}>", arguments.join(", ")));
    }
    if format.module {
        name = format!("{}!{name}", data.module.file_name());
    }
    if format.parameters || format.parameter_types || format.parameter_names || format.parameter_values {
        let as_types = |all: &[TypeSig]| all.iter().map(Type::of).collect::<Vec<_>>();
        let (of_type, of_method) = (as_types(&of_type), as_types(&of_method));
        let declared = view.signature()?.parameters;
        let names = view.parameter_names();
        let values = if format.parameter_values { values(stopped, thread, frame, format) } else { Vec::new() };
        let directions = view.parameter_directions();
        let parameters = declared.iter().enumerate().map(|(at, type_)| {
            let type_ = types::text(&Type::of(type_).substitute(&of_type, &of_method).sig());
            let type_ = match (type_.strip_prefix("ref "), directions.get(at)) {
                (Some(referred), Some(ParameterDirection::In)) => format!("in {referred}"),
                (Some(referred), Some(ParameterDirection::Out)) => format!("out {referred}"),
                _ => type_,
            };
            let own = names.get(at).cloned().unwrap_or_default();
            let value = values.iter().find(|(name, _)| *name == own).map(|(_, value)| value.clone());
            parameter(format, type_, own, value)
        });
        name.push_str(&format!("({})", parameters.collect::<Vec<_>>().join(", ")));
    }
    if let Some(location) = frame.location().filter(|_| format.line) {
        name.push_str(&format!(" Line {}", location.point.line));
    }
    Some(name)
}

/// What the type parameters of a method's type stand for, and those of the method. Of code that all classes share the runtime does not
/// always say it: then they are named.
fn parameters(
    assembly: &clr_metadata::Assembly,
    method: MethodId,
    given: &[TypeSig],
) -> Option<(Vec<TypeSig>, Vec<TypeSig>)> {
    let named =
        |name: &str| TypeSig::Named(TypeName { full_name: name.into(), arguments: Vec::new(), is_value_type: false });
    let names = assembly.method(method).declaring_type()?.parameter_names(Some(method));
    let count = names.of_type.len();
    let is_known = |type_: &&TypeSig| !matches!(type_, TypeSig::Named(name) if name.full_name == "System.__Canon");
    let argument =
        |(at, name): (usize, &String)| given.get(at).filter(is_known).cloned().unwrap_or_else(|| named(name));
    let all: Vec<TypeSig> = names.of_type.iter().chain(&names.of_method).enumerate().map(argument).collect();
    let (of_type, of_method) = all.split_at_checked(count)?;
    Some((of_type.to_vec(), of_method.to_vec()))
}

/// The variables of a frame with their values, as an editor lists them.
fn values(stopped: &Stopped, thread: u32, frame: &Frame<'_>, format: StackFrameFormat) -> Vec<(String, String)> {
    let all = evaluate::variables(stopped, thread, frame.index).unwrap_or_default();
    let numbers = View::default().with_hex(format.hex).numbers;
    let shown = all.into_iter().filter_map(|(name, place)| {
        let shown = place.read(stopped).ok().map(|value| place.declared_as(value.show(), stopped))?;
        Some((name, written_in(shown, numbers).text))
    });
    shown.collect()
}

fn parameter(format: StackFrameFormat, type_: String, name: String, value: Option<String>) -> String {
    let words = [format.parameter_types.then_some(type_), format.parameter_names.then_some(name)];
    let declared = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    match (declared.as_str(), value) {
        (_, None) => declared,
        ("", Some(value)) => value,
        (declared, Some(value)) => format!("{declared} = {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_that_asks_for_nothing_is_the_usual_one() {
        let of = |asked| match Naming::for_people(asked) {
            Naming::ForPeople(format) => format,
            Naming::OfMetadata => unreachable!(),
        };
        let nothing = StackFrameFormat::default();
        assert_eq!((of(None), of(Some(nothing))), (USUAL, USUAL));
        assert!(of(Some(StackFrameFormat { hex: true, ..nothing })).parameter_names);
        let line = StackFrameFormat { line: true, ..nothing };
        assert_eq!(of(Some(line)), line);
        assert!(of(Some(StackFrameFormat { parameters: true, ..line })).parameter_types);
    }

    #[test]
    fn a_parameter_has_what_was_asked_for() {
        let format = |types, names, values| StackFrameFormat {
            parameter_types: types,
            parameter_names: names,
            parameter_values: values,
            ..StackFrameFormat::default()
        };
        for (types, names, value, expected) in [
            (true, true, None, "int count"),
            (true, true, Some("2"), "int count = 2"),
            (false, true, Some("2"), "count = 2"),
            (false, false, Some("2"), "2"),
            (true, false, None, "int"),
        ] {
            let format = format(types, names, value.is_some());
            assert_eq!(parameter(format, "int".into(), "count".into(), value.map(str::to_owned)), expected);
        }
    }
}
