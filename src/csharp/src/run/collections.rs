//! Arrays and collections that an expression makes, and what the program is given of them.

use crate::bound::Bound;
use crate::constant::{Constant, Scalar};
use crate::types::{MethodRef, PAIR, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};

use super::tasks::{inner_exceptions, is_aggregate};
use super::{Run, threw, unsupported};

impl<W: World> Run<'_, W> {
    pub(super) fn new_array(&mut self, sizes: &[Bound], elements: Option<&[Bound]>, type_: &Type) -> Evaluated<W> {
        let Type::Array { of: element, .. } = type_ else {
            return unsupported(format!("'{}' is not an array type", type_.short()));
        };
        if let Some(elements) = elements {
            let items = self.values(elements)?;
            if let Type::Array { rank, .. } = type_
                && *rank > 1
            {
                let cube = self.new_cube(sizes, element)?;
                let Value::Object(handle) = &cube else { return Ok(cube) };
                for (at, item) in items.into_iter().enumerate() {
                    let item = self.in_program(item, element)?;
                    self.world.set_element(handle, at, &item)?;
                }
                return Ok(cube);
            }
            return Ok(Value::made(type_.clone(), Content::Items(items)));
        }
        if let Type::Array { rank, .. } = type_
            && *rank > 1
        {
            return self.new_cube(sizes, element);
        }
        let Some(size) = sizes.first() else { return unsupported("an array needs a size") };
        let size = self.number(size)?;
        let Ok(size) = usize::try_from(size) else {
            return threw("System.OverflowException", "Arithmetic operation resulted in an overflow.");
        };
        if size > self.limits.elements {
            return unsupported(format!("an array of {size} elements cannot be created here"));
        }
        let nothing = self.default_value(element)?;
        Ok(Value::made(type_.clone(), Content::Items(vec![nothing; size])))
    }

    /// Of several dimensions: the program makes it.
    fn new_cube(&mut self, sizes: &[Bound], element: &Type) -> Evaluated<W> {
        let lengths = self.values(sizes)?;
        if lengths.iter().filter_map(Value::as_integer).product::<i128>() > self.limits.elements as i128 {
            return unsupported("an array of that size cannot be created here");
        }
        let class = Type::named("System.Array", Vec::new());
        let wanted = [Type::named("System.Type", Vec::new()), Type::array(Type::INT)];
        let definition = self.types.definition(&class);
        let methods = definition.map(|it| self.types.methods(&it, "CreateInstance"));
        let create =
            methods.and_then(|all| all.iter().find(|it| it.parameters.iter().map(|it| &it.type_).eq(&wanted)).cloned());
        let Some(method) = create else { return unsupported("System.Array was not found in the framework") };
        let type_ = self.type_object(element)?;
        let lengths =
            self.in_program(Value::made(Type::array(Type::INT), Content::Items(lengths)), &Type::array(Type::INT))?;
        self.world.new_cube(&MethodRef { owner: class, method, arguments: Vec::new() }, [type_, lengths])
    }

    pub(super) fn default_value(&mut self, type_: &Type) -> Evaluated<W> {
        use clr_metadata::Primitive;
        if self.types.is_reference_type(type_) || type_.is_nullable() {
            return Ok(Value::NULL);
        }
        Ok(match type_ {
            Type::Primitive(Primitive::Boolean) => Value::bool(false),
            Type::Primitive(Primitive::Char) => Value::scalar(Scalar::Char(0)),
            Type::Primitive(Primitive::R4) => Value::scalar(Scalar::Single(0.0)),
            Type::Primitive(Primitive::R8) => Value::scalar(Scalar::Double(0.0)),
            Type::Primitive(primitive) => Value::scalar(Scalar::Int(*primitive, 0)),
            _ if type_.is_decimal() => Value::scalar(Scalar::Decimal(crate::Decimal::from(0))),
            _ if self.types.is_enum(type_) => Value::Constant(Constant::Enum(type_.clone(), 0)),
            _ => self.world.new_object(type_, None, &[])?,
        })
    }

    pub(super) fn collection(&mut self, elements: &[(Bound, bool)], type_: &Type) -> Evaluated<W> {
        let mut items = Vec::new();
        for (element, is_spread) in elements {
            let value = self.value(element)?;
            if *is_spread {
                items.extend(self.buffered(&value)?);
            } else {
                items.push(value);
            }
        }
        let known = [
            "System.Collections.Generic.List`1",
            "System.Collections.Generic.IEnumerable`1",
            "System.Collections.Generic.IReadOnlyList`1",
            "System.Collections.Generic.IReadOnlyCollection`1",
            "System.Collections.Generic.IList`1",
            "System.Collections.Generic.ICollection`1",
        ];
        if matches!(type_, Type::Array { .. }) || known.iter().any(|name| type_.is(name)) {
            return Ok(Value::made(type_.clone(), Content::Items(items)));
        }
        if items.is_empty() && self.types.is_interface(type_) {
            return unsupported(format!("a collection expression cannot create a '{}' here", type_.short()));
        }
        if items.is_empty()
            && let Some(constructor) = self.method_of(type_, ".ctor", 0)
        {
            return self.world.new_object(type_, Some(&constructor), &[]);
        }
        let element = self.element_of(type_).unwrap_or(Type::OBJECT);
        let array = Value::made(Type::array(element.clone()), Content::Items(items));
        let array = self.in_program(array, &Type::array(element.clone()))?;
        // the class beside an immutable one that makes it
        let maker = type_
            .name()
            .and_then(|name| name.split('`').next())
            .filter(|name| name.starts_with("System.Collections.Immutable."));
        if let Some(maker) = maker.map(|name| Type::named(name, Vec::new()))
            && let Some(definition) = self.types.definition(&maker)
        {
            let wanted = Type::array(Type::MethodParameter(0));
            let methods = self.types.methods(&definition, "Create");
            let takes_array = |it: &&std::sync::Arc<crate::types::Method>| {
                it.generic == 1 && matches!(it.parameters.as_slice(), [only] if only.type_ == wanted)
            };
            if let Some(method) = methods.iter().find(takes_array) {
                let method = MethodRef { owner: maker, method: method.clone(), arguments: vec![element] };
                return self.world.call(&method, None, &mut [array]);
            }
        }
        self.constructed(type_, array)
    }

    /// A value as the program can take it: what was made here is made there.
    pub(super) fn in_program(&mut self, value: Value<W::Handle>, type_: &Type) -> Evaluated<W> {
        let Value::Made(made) = &value else { return Ok(value) };
        match &made.content {
            Content::Items(items) if is_aggregate(made) => {
                let wanted = inner_exceptions();
                let array = self.in_program(Value::made(wanted.clone(), Content::Items(items.clone())), &wanted)?;
                self.constructed_from(&made.type_, array, |type_| *type_ == wanted)
            }
            Content::Items(_) | Content::Query { .. } => {
                let items = self.all(&value)?;
                let element = self.element_of(&made.type_).unwrap_or(Type::OBJECT);
                let in_program = |item| {
                    self.step()?;
                    self.in_program(item, &element)
                };
                let items = items.into_iter().map(in_program).collect::<Result<Vec<_>, Failure<W::Error>>>()?;
                let array = self.world.new_array(&element, &items)?;
                let wanted = if made.type_.is("System.Collections.Generic.List`1") { &made.type_ } else { type_ };
                if wanted.is("System.Collections.Generic.List`1") || wanted.is("System.Collections.Generic.HashSet`1") {
                    return self.constructed(wanted, array);
                }
                Ok(array)
            }
            Content::Tuple(items) if made.type_.elements().is_some() || made.type_.is(PAIR) => {
                self.parts_in_program(&made.type_, items)
            }
            Content::Index { number, is_from_end } => self.index_in_program((*number, *is_from_end)),
            Content::Range { start, end } => self.range_in_program(*start, *end),
            Content::Group { items, .. } if self.element_of(type_).is_some() && type_.name() != made.type_.name() => {
                let items = Value::made(
                    Type::array(self.element_of(type_).unwrap_or(Type::OBJECT)),
                    Content::Items(items.clone()),
                );
                self.in_program(items, type_)
            }
            Content::Lambda { .. } => unsupported(
                "a lambda cannot be passed to a method that runs in the program: use a LINQ query instead, which the debugger evaluates itself, or pass a variable that holds a delegate",
            ),
            _ => unsupported(format!(
                "a '{}' that the expression creates cannot be passed to the program",
                made.type_.short()
            )),
        }
    }

    /// From a sequence, by the constructor that takes one.
    fn constructed(&mut self, type_: &Type, sequence: Value<W::Handle>) -> Evaluated<W> {
        self.constructed_from(type_, sequence, |type_| type_.is("System.Collections.Generic.IEnumerable`1"))
    }

    fn constructed_from(
        &mut self,
        type_: &Type,
        sequence: Value<W::Handle>,
        takes: impl Fn(&Type) -> bool,
    ) -> Evaluated<W> {
        let Some(definition) = self.types.definition(type_) else { return Ok(sequence) };
        let constructors = self.types.methods(&definition, ".ctor");
        let takes_it = |method: &&std::sync::Arc<crate::types::Method>| match method.parameters.as_slice() {
            [only] => takes(&only.type_),
            _ => false,
        };
        let Some(constructor) = constructors.iter().find(takes_it) else {
            return unsupported(format!("'{}' cannot be created from a sequence here", type_.short()));
        };
        let constructor = MethodRef { owner: type_.clone(), method: constructor.clone(), arguments: Vec::new() };
        self.world.new_object(type_, Some(&constructor), &[sequence])
    }

    /// What a sequence is of.
    pub(super) fn element_of(&self, type_: &Type) -> Option<Type> {
        const SEQUENCE: &str = "System.Collections.Generic.IEnumerable`1";
        if let Type::Array { of, .. } = type_ {
            return Some((**of).clone());
        }
        let mut all = vec![type_.clone()];
        all.extend(self.types.interfaces(type_));
        all.iter().find(|it| it.is(SEQUENCE))?.arguments().first().cloned()
    }
}
