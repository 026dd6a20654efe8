//! The program as expressions see it: what a debugger implements for the interpreter.

use std::sync::Arc;

use clr_metadata::{Assembly, MethodId};

use crate::constant::Constant;
use crate::types::{FieldRef, MethodRef, Type};
use crate::value::Value;

/// Where an expression stands.
#[derive(Debug, Default, Clone)]
pub struct Scope {
    /// `this`, parameters, locals, what is captured: of two of one name the first is meant. A closure, which local functions are called
    /// with, has the full name of its type.
    pub variables: Vec<Variable>,
    pub constants: Vec<(String, Type, Constant)>,
    /// The type whose code it is, then those around it, with their arguments.
    pub enclosing: Vec<Type>,
    /// What the type parameters that the code names stand for.
    pub type_parameters: Vec<(String, Type)>,
    /// Positions of variables that are declared as a type parameter.
    pub of_parameters: Vec<usize>,
    /// Positions of variables that code must leave as they are: what it calls on such a struct gets a copy.
    pub read_only: Vec<usize>,
    /// Arguments of type parameters, with the types that the parameters are bound to: `object` for the constraint `class`. What stands for
    /// such a parameter knows its position here ([`Type::of_parameter`]).
    pub bounds: Vec<(Type, Vec<Type>)>,
    /// What the code imports, the nearest first.
    pub imports: Vec<Imports>,
    /// The module of the code.
    pub assembly: Option<Arc<Assembly>>,
    /// What the names of the `file` types of the code's file begin with in metadata.
    pub file_type_prefix: Option<String>,
    /// The method that the code is written in, by its name in metadata.
    pub written_in: Option<String>,
    /// The code is a lambda or a local function in a member of an object, which it may not have captured.
    pub is_inside_instance: bool,
}

#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    /// As it is declared; `None` if unknown.
    pub type_: Option<Type>,
}

/// Of one file or namespace.
#[derive(Debug, Default, Clone)]
pub struct Imports {
    pub namespaces: Vec<String>,
    /// `using static`
    pub types: Vec<Type>,
    pub aliases: Vec<(String, Alias)>,
}

#[derive(Debug, Clone)]
pub enum Alias {
    Namespace(String),
    Type(Type),
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure<E> {
    /// What the compiler says of it.
    #[error("error {code}: {message}")]
    Compiler { code: &'static str, message: String },
    /// An exception that C# throws here: type and message.
    #[error("{type_name}: {message}")]
    Threw { type_name: &'static str, message: String },
    /// A member is read of null: where that stands in the text, and the member's name.
    #[error("System.NullReferenceException: Object reference not set to an instance of an object.")]
    Null { at: crate::syntax::Span, name: String },
    /// An index that an array or text does not have: where that stands in the text, as it is written in brackets, and how many there are.
    #[error("System.IndexOutOfRangeException: Index was outside the bounds of the array.")]
    Outside { at: crate::syntax::Span, index: String, count: usize },
    /// It would run or write what may change something, and only what changes nothing is allowed: where that stands in the text, and why.
    #[error("{why}")]
    SideEffects { at: Option<crate::syntax::Span>, why: String },
    /// What this evaluator does not do.
    #[error("{0}")]
    Unsupported(String),
    /// Of the world.
    #[error("{0}")]
    World(E),
}

pub type Evaluated<W> = Result<Value<<W as World>::Handle>, Failure<<W as World>::Error>>;

impl<E> Failure<E> {
    /// The innermost part of the text that knows of it is where it happened.
    pub(crate) fn at(self, span: &crate::syntax::Span) -> Self {
        match self {
            Self::SideEffects { at: None, why } => Self::SideEffects { at: Some(span.clone()), why },
            other => other,
        }
    }
}

/// What may not be there.
pub type Found<T, W> = Result<Option<T>, Failure<<W as World>::Error>>;

/// Reads and changes the program, which stands still but for the calls that are made here.
pub trait World {
    /// Something in the program. It stays the same thing when code of the program has run.
    type Handle: Clone + 'static;
    type Error: std::fmt::Display + 'static;

    /// By its position in [`Scope::variables`].
    fn variable(&mut self, position: usize) -> Evaluated<Self>;
    fn set_variable(&mut self, position: usize, value: &Value<Self::Handle>) -> Result<(), Failure<Self::Error>>;

    /// What is only passed through on the way to one of its members: a world that can name a place without reading it need not read it
    /// here. It is an object, an array or a struct, or null after all.
    fn variable_on_the_way(&mut self, position: usize) -> Evaluated<Self> {
        self.variable(position)
    }

    /// As [`Self::variable_on_the_way`].
    fn field_on_the_way(&mut self, of: Option<&Self::Handle>, field: &FieldRef) -> Evaluated<Self> {
        self.field(of, field)
    }

    /// As [`Self::variable_on_the_way`], of an array of one dimension.
    fn element_on_the_way(&mut self, of: &Self::Handle, position: usize) -> Evaluated<Self> {
        self.element(of, position)
    }

    /// As [`Self::variable_on_the_way`]: it runs no later than what is asked of it.
    fn call_on_the_way(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<Self::Handle>>,
        arguments: &mut [Value<Self::Handle>],
    ) -> Evaluated<Self> {
        self.call(method, this, arguments)
    }

    /// The program's object for a type that is known here. `get_type`: `Type.GetType`; `name`: that of the type with its assembly.
    fn reflected(&mut self, get_type: &MethodRef, name: &str) -> Evaluated<Self> {
        self.call(get_type, None, &mut [Value::text(name)])
    }

    /// An array of several dimensions. `create`: `Array.CreateInstance`, with the element's type and the lengths.
    fn new_cube(&mut self, create: &MethodRef, mut arguments: [Value<Self::Handle>; 2]) -> Evaluated<Self> {
        self.call(create, None, &mut arguments)
    }

    /// Whether it was passed through and may be null, as it is not read yet or was found to be, and reading it changes nothing.
    fn is_unread(&self, _of: &Self::Handle) -> bool {
        false
    }

    /// Of an object, or a static one.
    fn field(&mut self, of: Option<&Self::Handle>, field: &FieldRef) -> Evaluated<Self>;
    fn set_field(
        &mut self,
        of: Option<&Self::Handle>,
        field: &FieldRef,
        value: &Value<Self::Handle>,
    ) -> Result<(), Failure<Self::Error>>;

    /// Whether a static field could not be read because each thread has one of its own, and this thread has not used it yet: it has the
    /// default value of its type.
    fn is_untouched(&mut self, _field: &FieldRef) -> bool {
        false
    }

    /// Whether [`Self::field`] reads those of any type, private ones of the framework too, out of the memory of the program.
    fn has_static_fields(&self) -> bool {
        false
    }

    /// A static field as it stands, where [`Self::has_static_fields`]: no code of the program runs, no initializer either. `None`: nothing
    /// was stored there yet.
    fn standing_field(&mut self, _field: &FieldRef) -> Found<Value<Self::Handle>, Self> {
        Ok(None)
    }

    /// Of an array or a struct with `[InlineArray]`, by a position that counts through all dimensions.
    fn element(&mut self, of: &Self::Handle, position: usize) -> Evaluated<Self>;
    fn set_element(
        &mut self,
        of: &Self::Handle,
        position: usize,
        value: &Value<Self::Handle>,
    ) -> Result<(), Failure<Self::Error>>;

    /// Lower bound and length of each dimension, also of a struct with `[InlineArray]`, as far as its elements can be read; `None` for what
    /// is no array.
    fn dimensions(&mut self, of: &Self::Handle) -> Found<Vec<(i32, usize)>, Self>;

    /// UTF-16; `None` for what is no string.
    fn text(&mut self, of: &Self::Handle) -> Result<Option<Arc<[u16]>>, Failure<Self::Error>>;

    /// Whether a string is that text, where a part of it is enough to know; `None`: [`Self::text`] does.
    fn is_text(&mut self, _of: &Self::Handle, _text: &[u16]) -> Found<bool, Self> {
        Ok(None)
    }

    /// What it is, whatever it is declared as.
    fn type_of(&mut self, of: &Self::Handle) -> Result<Type, Failure<Self::Error>>;

    /// What is in a box of a number, a `bool`, a `char` or an enum; `None` for anything else.
    fn unboxed(&mut self, of: &Self::Handle) -> Result<Option<Constant>, Failure<Self::Error>>;

    /// Whether both are one object.
    fn is_same(&mut self, one: &Self::Handle, other: &Self::Handle) -> Result<bool, Failure<Self::Error>>;

    /// Whether a static initializer, of a type that is not generic or of a module, has begun: nothing runs it again.
    fn has_begun(&mut self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool;

    /// Whether the static initializer of an instance of a generic type has begun; `false`: unknown.
    fn has_initialized(&mut self, _type: &Type) -> bool {
        false
    }

    /// The elements of a collection whose layout is known, without running code: at most `limit`. `None`: it is no such collection.
    fn elements(&mut self, of: &Self::Handle, limit: usize) -> Found<Vec<Value<Self::Handle>>, Self>;

    /// How many elements a concurrent collection has, without its locks, which a thread that stands still may hold for good, or a sorted
    /// set. `None`: only its own code shows.
    fn count(&mut self, _of: &Self::Handle) -> Found<usize, Self> {
        Ok(None)
    }

    /// The method that a delegate calls, the last one of several. `None`: unknown.
    fn target(&mut self, _of: &Self::Handle) -> Found<(Arc<Assembly>, MethodId), Self> {
        Ok(None)
    }

    /// Runs a method; a virtual one that of the object's type. Arguments are of the parameters' types. What `ref` and `out` parameters
    /// get is what they refer to: it stands in `arguments` afterwards as the method left it.
    fn call(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<Self::Handle>>,
        arguments: &mut [Value<Self::Handle>],
    ) -> Evaluated<Self>;

    /// Whether a call failed because no code of the program can run where it stands, nor will be asked to.
    fn cannot_run(&self, _error: &Self::Error) -> bool {
        false
    }

    /// Makes an object, or a struct; without a constructor one with nothing in it.
    fn new_object(
        &mut self,
        type_: &Type,
        constructor: Option<&MethodRef>,
        arguments: &[Value<Self::Handle>],
    ) -> Evaluated<Self>;

    /// Whether what is made or copied here is a thing of its own that can be written to. `false`: it is made anew whenever it is read.
    fn keeps_new(&self) -> bool {
        true
    }

    /// Another struct with the same in it.
    fn copy(&mut self, of: &Value<Self::Handle>) -> Evaluated<Self>;

    /// Makes an array of one dimension.
    fn new_array(&mut self, element: &Type, items: &[Value<Self::Handle>]) -> Evaluated<Self>;

    /// What comes next stores the value of an assignment that was asked for ([`run::assign`](crate::run::assign)).
    fn store(&mut self) {}
}
