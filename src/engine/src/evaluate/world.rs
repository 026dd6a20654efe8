//! The program as expressions see it.

use std::sync::Arc;

use clr_csharp::constant::Constant;
use clr_csharp::syntax::Pass;
use clr_csharp::types::{FieldRef, Method, MethodRef, Type};
use clr_csharp::value::Value;
use clr_csharp::world::{Evaluated, Failure, Found, World};
use clr_metadata::{Assembly, MethodId};

use super::pins::is_span;
use super::{EvalError, Evaluation, Undone};
use crate::calls::{Argument, What};
use crate::values::{Content, Located, Place, Step, UNASSIGNED};
use crate::{com, types};

const MISREAD: &str = "the runtime shows a debugger no [ThreadStatic] field of a generic type whose arguments contain a reference: only code of the program can change it";

type Done = Result<(), Failure<EvalError>>;

impl From<EvalError> for Failure<EvalError> {
    fn from(error: EvalError) -> Self {
        Self::World(error)
    }
}

/// Whether that looks for a text by the program's culture for want of a `StringComparison`.
fn is_by_culture(method: &Method) -> bool {
    let searches = matches!(method.name.as_str(), "StartsWith" | "EndsWith" | "IndexOf" | "LastIndexOf");
    let takes = |type_: &Type| method.parameters.iter().any(|it| it.type_ == *type_);
    searches && takes(&Type::STRING) && method.parameters.iter().all(|it| !it.type_.is("System.StringComparison"))
}

fn read<T>(result: com::Result<T>) -> Result<T, Failure<EvalError>> {
    result.map_err(|error| Failure::World(error.into()))
}

impl Evaluation<'_> {
    fn place_of(&self, position: usize) -> Result<Place, Failure<EvalError>> {
        self.places.get(position).cloned().ok_or_else(|| EvalError::failed("the variable is not readable").into())
    }

    /// Notes what is asked for, where nothing may run or change.
    fn cannot(&mut self, what: impl FnOnce() -> Undone) {
        if self.calls.is_none() {
            self.undone = Some(what());
        }
    }

    fn field_place(&mut self, of: Option<&Place>, field: &FieldRef) -> Result<Place, Failure<EvalError>> {
        let Some(of) = of else { return Ok(self.static_place(field)?) };
        let missing = || EvalError::failed(format!("the type '{}' is not loaded", field.owner));
        let definition = self.definition(&field.owner).ok_or_else(missing)?;
        if self.has_twin(&field.owner) && !self.is_one_of(of, &definition)? {
            let words = format!(
                "two modules define a type '{}', and this object is of the one that cannot be read here",
                field.owner
            );
            return Err(EvalError::failed(words).into());
        }
        let class = definition.class;
        Ok(of.then(Step::Field { class, field: field.field.id }))
    }
}

impl World for Evaluation<'_> {
    type Handle = Place;
    type Error = EvalError;

    fn variable(&mut self, position: usize) -> Evaluated<Self> {
        let place = self.place_of(position)?;
        if place.steps.is_empty() && place.read(self.stopped).is_ok_and(|value| value.is_unassigned()) {
            return Err(EvalError::failed(UNASSIGNED).into());
        }
        if let Some(frame_pointer) = self.noted {
            self.stopped.homes.borrow_mut().add_variable(self.stopped, frame_pointer, position, &place);
        }
        Ok(self.held(&place)?)
    }

    fn set_variable(&mut self, position: usize, value: &Value<Place>) -> Done {
        let place = self.place_of(position)?;
        self.cannot(|| Undone::Change("it assigns a variable".to_owned()));
        Ok(self.write(&place, value)?)
    }

    fn field(&mut self, of: Option<&Place>, field: &FieldRef) -> Evaluated<Self> {
        let found = of.and_then(|of| Some((of, of.found_in(self.stopped.era())?)));
        if let Some((of, there)) = found
            && let Some((value, class)) = self.stopped.homes.borrow().field(self.stopped.target().pid, there, field)
        {
            return Ok(match value {
                Value::Object(inner) => {
                    let step = Step::Field { class: class.clone(), field: field.field.id };
                    Value::Object(of.then(step).found_at(Located::Object(inner), self.stopped.era()))
                }
                Value::Constant(constant) => Value::Constant(constant),
                _ => Value::NULL,
            });
        }
        if of.is_none() && self.is_misread(field) {
            self.cannot(|| {
                Undone::Call(format!("only code of the program can read the [ThreadStatic] {}", field.field.name))
            });
            return Ok(self.reflected(field)?);
        }
        let place = self.field_place(of, field)?;
        if let Some(of) = of.filter(|_| found.is_some() || self.noted.is_some()) {
            self.stopped.homes.borrow_mut().add_field(self.stopped, of, field, &place);
        }
        // the runtime keeps static structs in boxes
        if of.is_none()
            && field.type_() != Type::OBJECT
            && let Some(constant) = self.unboxed(&place)?
        {
            return Ok(Value::Constant(constant));
        }
        Ok(self.held(&place)?)
    }

    fn set_field(&mut self, of: Option<&Place>, field: &FieldRef, value: &Value<Place>) -> Done {
        if of.is_none() && self.is_misread(field) {
            return Err(EvalError::failed(MISREAD).into());
        }
        let place = self.field_place(of, field)?;
        self.cannot(|| Undone::Change(format!("it assigns the field {}", field.field.name)));
        Ok(self.write(&place, value)?)
    }

    fn has_static_fields(&self) -> bool {
        true
    }

    fn standing_field(&mut self, field: &FieldRef) -> Found<Value<Place>, Self> {
        Ok(self.as_it_stands(field)?)
    }

    fn is_untouched(&mut self, field: &FieldRef) -> bool {
        self.is_unused_by_thread(field)
    }

    fn element(&mut self, of: &Place, position: usize) -> Evaluated<Self> {
        if let Some(array) = read(self.inline_array(of))? {
            return Ok(self.inline_element(of, &array, position)?);
        }
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        Ok(self.held(&of.then(Step::Element(position)))?)
    }

    fn set_element(&mut self, of: &Place, position: usize, value: &Value<Place>) -> Done {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.cannot(|| Undone::Change("it assigns an element of an array".to_owned()));
        Ok(self.write(&of.then(Step::Element(position)), value)?)
    }

    fn dimensions(&mut self, of: &Place) -> Result<Option<Vec<(i32, usize)>>, Failure<EvalError>> {
        let value = read(of.read(self.stopped))?;
        let Content::Array(array) = read(value.content())? else {
            return Ok(read(self.inline_array(of))?.map(|array| vec![(0, array.length)]));
        };
        let bases = array.bases.iter().map(|base| base.cast_signed()).chain(std::iter::repeat(0));
        Ok(Some(bases.zip(array.dimensions.iter().map(|length| *length as usize)).collect()))
    }

    fn text(&mut self, of: &Place) -> Result<Option<Arc<[u16]>>, Failure<EvalError>> {
        let found = of.object_in(self.stopped.era());
        if let Some(object) = found {
            let (homes, pid) = (self.stopped.homes.borrow(), self.stopped.target().pid);
            match (homes.type_of(pid, object), homes.text(pid, object)) {
                (_, Some(text)) => return Ok(Some(text)),
                (Some(type_), None) if *type_ != Type::STRING => return Ok(None),
                _ => {}
            }
        }
        let value = read(of.read(self.stopped))?;
        let Some(target) = read(value.target())? else { return Ok(None) };
        if target.com().kind() != Ok(com::element::STRING) {
            return Ok(None);
        }
        if found.is_some() || self.noted.is_some() {
            self.stopped.homes.borrow_mut().add_type(self.stopped, of, &Type::STRING);
        }
        match read(value.content())? {
            Content::Text(units) => Ok(Some(units.into())),
            _ => Ok(None),
        }
    }

    fn type_of(&mut self, of: &Place) -> Result<Type, Failure<EvalError>> {
        let found = of.object_in(self.stopped.era());
        if let Some(type_) =
            found.and_then(|object| self.stopped.homes.borrow().type_of(self.stopped.target().pid, object).cloned())
        {
            return Ok(type_);
        }
        let value = read(of.read(self.stopped))?;
        let type_ = read(value.type_())?;
        let type_ = self.type_of_com(&type_);
        if found.is_some() || self.noted.is_some() {
            self.stopped.homes.borrow_mut().add_type(self.stopped, of, &type_);
        }
        Ok(type_)
    }

    fn unboxed(&mut self, of: &Place) -> Result<Option<Constant>, Failure<EvalError>> {
        read(self.constant_in(of))
    }

    fn is_same(&mut self, one: &Place, other: &Place) -> Result<bool, Failure<EvalError>> {
        let (one, other) = (read(one.read(self.stopped))?, read(other.read(self.stopped))?);
        // what a cast boxes is an object of its own
        let is_fresh = one.is_unboxed() || other.is_unboxed();
        Ok(!is_fresh && one.address().is_some() && one.address() == other.address())
    }

    fn has_begun(&mut self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool {
        self.module_of(assembly).is_some_and(|module| types::has_begun(&module, initializer))
    }

    fn has_initialized(&mut self, type_: &Type) -> bool {
        let instance = self.instance(type_);
        instance.is_ok_and(|type_| crate::values::is_initialized(self.stopped, self.thread, &type_))
    }

    fn elements(&mut self, of: &Place, limit: usize) -> Result<Option<Vec<Value<Place>>>, Failure<EvalError>> {
        Ok(self.elements_of(of, limit)?)
    }

    fn count(&mut self, of: &Place) -> Result<Option<usize>, Failure<EvalError>> {
        // a layout that is not known: its own code knows
        Ok(self.count_of(of).ok().flatten())
    }

    fn target(&mut self, of: &Place) -> Result<Option<(Arc<Assembly>, MethodId)>, Failure<EvalError>> {
        let value = read(of.read(self.stopped))?;
        let Content::Object(object) = read(value.content())? else { return Ok(None) };
        Ok(object.delegate_target())
    }

    fn call(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<Place>>,
        arguments: &mut [Value<Place>],
    ) -> Evaluated<Self> {
        if let Some(read) = self.of_exception(method, this) {
            return Ok(read);
        }
        self.cannot(|| {
            let (owner, name) = (method.owner.short(), method.method.name.as_str());
            Undone::Call(match name.strip_prefix("get_") {
                Some(property) => format!("it runs the getter of {owner}.{property}"),
                None if is_by_culture(&method.method) => format!(
                    "it calls {owner}.{name}, which compares by the program's culture (with StringComparison.Ordinal it does not)"
                ),
                None => format!("it calls {owner}.{name}"),
            })
        });
        if self.may_return_copy(method) {
            let name = &method.method.name;
            return Err(Failure::Unsupported(format!(
                "`{name}` returns a reference, and what it is given by reference is a copy that is gone after the call: evaluate what it refers to"
            )));
        }
        let function = self.function(&method.method)?;
        let mut types = self.instances(method.owner.arguments())?;
        types.extend(self.instances(&method.arguments)?);
        let mut passed = Vec::with_capacity(arguments.len() + 1);
        let gives_span = is_span(&method.returns());
        let pinned = this.filter(|_| gives_span).map(|this| self.pinned(this)).transpose()?;
        if let Some(this) = pinned.as_ref().or(this) {
            passed.push(self.receiver(this)?);
        }
        if gives_span {
            for argument in arguments.iter_mut() {
                *argument = self.pinned(argument)?;
            }
        }
        let mut cells = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let type_ = method.parameter_type(at).unwrap_or(Type::OBJECT);
            let pass = method.method.parameters.get(at).map_or(Pass::Value, |it| it.pass);
            passed.push(match pass {
                Pass::Ref | Pass::Out => {
                    let (argument, cell) = self.cell(&type_, (pass == Pass::Ref).then_some(argument))?;
                    cells.push((at, cell));
                    argument
                }
                Pass::Value => self.by_value(argument, &type_)?,
                Pass::In => self.argument(argument, &type_)?,
            });
        }
        let copy = self.box_of_returned(method)?;
        if let Some(Value::Object(this)) = this
            && method.method.assembly.method(method.method.id).may_write_receiver()
            && read(this.read(self.stopped))?.is_unboxed()
        {
            self.is_in_place(this)?;
        }
        let result = self.run(What::Function { function, types, arguments: passed })?;
        let returned = self.returned(result, copy)?;
        for (at, cell) in cells {
            let written = self.held(&cell)?;
            if let Some(argument) = arguments.get_mut(at) {
                *argument = written;
            }
        }
        Ok(returned)
    }

    fn cannot_run(&self, error: &EvalError) -> bool {
        *error == EvalError::NeedsCall && !self.is_asked_again
    }

    fn new_object(
        &mut self,
        type_: &Type,
        constructor: Option<&MethodRef>,
        arguments: &[Value<Place>],
    ) -> Evaluated<Self> {
        self.cannot(|| Undone::Call(format!("it creates a '{}'", type_.short())));
        let types = self.instances(type_.arguments())?;
        let what = match constructor {
            Some(constructor) => {
                let function = self.function(&constructor.method)?;
                let mut passed = Vec::with_capacity(arguments.len());
                for (at, argument) in arguments.iter().enumerate() {
                    let parameter = constructor.parameter_type(at).unwrap_or(Type::OBJECT);
                    let argument = if is_span(type_) { self.pinned(argument)? } else { argument.clone() };
                    let is_by_value = constructor.method.parameters.get(at).is_none_or(|it| it.pass == Pass::Value);
                    passed.push(match is_by_value {
                        true => self.by_value(&argument, &parameter)?,
                        false => self.argument(&argument, &parameter)?,
                    });
                }
                What::New { constructor: function, types, arguments: passed }
            }
            None => {
                let missing = || EvalError::failed(format!("the type '{type_}' is not loaded"));
                self.instance(type_)?;
                What::Bare { class: self.definition(type_).ok_or_else(missing)?.class, types }
            }
        };
        let made = self.run(what)?;
        Ok(self.returned(made, None)?)
    }

    fn copy(&mut self, of: &Value<Place>) -> Evaluated<Self> {
        match of {
            Value::Object(place) => Ok(Value::Object(self.boxed(place)?)),
            other => Ok(other.clone()),
        }
    }

    fn new_array(&mut self, element: &Type, items: &[Value<Place>]) -> Evaluated<Self> {
        let mut passed = Vec::with_capacity(items.len());
        for item in items {
            passed.push(match item {
                Value::Constant(Constant::Null) => Argument::Null,
                // what is written into it is of the enum's own type
                Value::Constant(constant @ Constant::Enum(..)) if element.nullable_of().is_none() => {
                    let missing = || EvalError::failed("the enum's type is not loaded");
                    Argument::Boxed(self.scalar_of(constant).ok_or_else(missing)?, self.instance_arguments(constant)?)
                }
                item => self.argument(item, element)?,
            });
        }
        let length = u32::try_from(passed.len()).map_err(|_| EvalError::failed("the array is too long"))?;
        let empty = Box::new(self.empty_array(element, length)?);
        let made = self.run(What::Filled { empty, items: passed })?;
        Ok(self.returned(made, None)?)
    }
}
