//! Calls that a body makes, and what of them is pure.

use std::sync::Arc;

use super::Walk;
use super::variables::is_span;
use crate::assembly::Assembly;
use crate::il::{Operand, op};
use crate::purity::callee::{Callee, Target, may_implement};
use crate::purity::dispatch::{Receiver, is_bare_object};
use crate::purity::observed::Content;
use crate::purity::values::{Value, name, referent};
use crate::purity::written::{SPAN, WRITER};
use crate::purity::{Answered, Impurity, Instance, Judged, Question, elements, short, shown};
use crate::signatures::{Primitive, TypeSig};
use crate::tokens::{MethodId, Token};

impl Walk<'_, '_> {
    /// A delegate's code runs when somebody calls it: it is judged when it is made.
    pub(super) fn function(&mut self, opcode: u16, operand: Operand<'_>) -> Judged {
        if self.is_initializer {
            return Ok(());
        }
        let Operand::Token(token) = operand else { return Err(self.strange()) };
        let callee = self.callee(token)?;
        let of = |type_: &TypeSig| Value::of(type_.substitute(&callee.type_arguments, &callee.method_arguments));
        let arguments: Vec<Value> = callee.signature.parameters.iter().map(of).collect();
        let this = callee.signature.has_this.then(|| Value::of(callee.type_.clone()));
        self.run(&callee, this, &arguments, opcode == op::LDVIRTFTN).map(drop)
    }

    pub(super) fn call(&mut self, opcode: u16, operand: Operand<'_>) -> Judged {
        let constrained = self.constrained.take();
        let Operand::Token(token) = operand else { return Err(self.strange()) };
        let mut callee = self.callee(token)?;
        let mut arguments = Vec::new();
        for _ in 0..callee.signature.parameters.len() {
            arguments.push(if keeps_nothing(&callee) { self.filled()? } else { self.pop()? });
        }
        arguments.reverse();
        if opcode == op::NEWOBJ {
            // in an initializer the code of a delegate is not looked at: it is kept, not called
            let is_kept = self.is_initializer && is_delegate_constructor(&callee);
            // a span writes to what it was made over
            let is_span = callee.type_.full_name() == Some(SPAN);
            let is_over_own = is_over_stack(&callee) && arguments.first().is_some_and(|memory| memory.owned);
            let made = Value {
                owned: !is_kept && (!is_span || is_over_own),
                is_exact: true,
                ..Value::of(callee.type_.clone())
            };
            self.construct(&callee, &made, &arguments)?;
            return self.push(made);
        }
        let mut this = if callee.signature.has_this { Some(self.pop()?) } else { None };
        let mut is_virtual = opcode == op::CALLVIRT;
        if let (Some(type_), Some(this)) = (&constrained, &mut this) {
            // of a class the object is called that the variable refers to, whoever owns that
            let of_type = Value::of(type_.clone());
            *this = Value { owned: this.owned && !of_type.may_be_null(), ..of_type };
            // a value type's own method, where it is known (ECMA-335 III.2.1)
            if let Some(exact) = self.question.constrained(self.assembly, type_, &callee) {
                (callee, is_virtual) = (exact, false);
            }
        }
        let is_span_reference = |type_: &TypeSig| matches!(type_, TypeSig::ByRef(_)) && is_span(type_);
        let makes_span = callee.name == ".ctor"
            && callee.type_.full_name() == Some(SPAN)
            && !(is_over_stack(&callee) && arguments.first().is_some_and(|memory| memory.owned));
        if makes_span || callee.signature.parameters.iter().any(is_span_reference) {
            self.lose_spans();
        }
        let answer = match (&constrained, &this) {
            (Some(type_), None) => self.of_type_parameter(type_, &callee, &arguments)?,
            _ => self.run(&callee, this, &arguments, is_virtual)?,
        };
        let result = callee.result();
        if result == TypeSig::Primitive(Primitive::Void) {
            return Ok(());
        }
        let answer = answer.fitted(&result);
        // what the compiler makes of `with`: a copy
        let owned = answer.owned || callee.name == "<Clone>$";
        self.push(Value { owned, ..answer })
    }

    /// As this call has it.
    fn callee(&self, token: Token) -> Result<Callee, Impurity> {
        let callee = self.question.callee(self.assembly, token).ok_or_else(|| self.strange())?;
        let all = |types: &[TypeSig]| types.iter().map(|type_| self.instance.of(type_)).collect();
        Ok(Callee {
            type_: self.instance.of(&callee.type_),
            type_arguments: all(&callee.type_arguments),
            method_arguments: all(&callee.method_arguments),
            ..callee
        })
    }

    fn construct(&mut self, callee: &Callee, made: &Value, arguments: &[Value]) -> Judged {
        self.question.no_finalizer(&callee.type_).map_err(|impurity| self.not(&impurity.0))?;
        match &callee.target {
            Target::Array => Ok(()),
            // a delegate: its function was judged by ldftn
            Target::Framework if is_delegate_constructor(callee) => Ok(()),
            Target::Own(assembly, _) if is_delegate_constructor(callee) && is_delegate(assembly, callee) => Ok(()),
            _ => self.run(callee, Some(made.clone()), arguments, false).map(drop),
        }
    }

    /// Answers what is known of the call's result.
    fn run(&mut self, callee: &Callee, this: Option<Value>, arguments: &[Value], is_virtual: bool) -> Answered {
        let declared = || Value::of(callee.result());
        let all: Vec<&Value> = this.iter().chain(arguments).collect();
        let owned = all.iter().take(64).enumerate().fold(0, |mask, (at, value)| mask | u64::from(value.owned) << at);
        let contents = || all.iter().map(|value| value.held.clone()).collect::<Vec<_>>();
        let this_type = this.as_ref().and_then(Value::type_);
        let is_owned = this.as_ref().is_some_and(|this| this.owned);
        let is_exact = |type_: &&TypeSig| {
            this.as_ref().is_some_and(|this| this.is_exact) || self.question.is_sealed_class(self.assembly, type_)
        };
        let exact = this_type.filter(is_exact);
        match &callee.target {
            Target::Array if callee.name == "Get" => Ok(declared()),
            Target::Array if callee.name == "Set" && this.as_ref().is_some_and(|this| this.owned) => Ok(declared()),
            Target::Array => Err(self.not("writes an element of an array")),
            // what is called as that of the base compares references
            Target::Framework if is_equality(callee) && !is_virtual => Ok(declared()),
            Target::Framework => {
                if is_virtual
                    && is_equality(callee)
                    && let Some(found) = this_type.and_then(|it| self.question.equality_of(it, exact.is_some()))
                {
                    let found = found.into_iter().map(|(assembly, method, of_type)| {
                        (assembly, method, Instance::new(&of_type, &[], exact).holding(contents()))
                    });
                    return Ok(self.question.all_of(found.collect(), owned)?.unwrap_or_else(declared));
                }
                if let Some(exact) = exact.filter(|_| is_virtual) {
                    let found = self.question.own_implementations(exact, &callee.name, arguments.len());
                    let own = found.own.into_iter().map(|(assembly, method, of_type)| {
                        let instance = Instance::new(&of_type, &callee.method_arguments, Some(exact));
                        (assembly, method, instance.holding(contents()))
                    });
                    let answer = self.question.all_of(own.collect(), owned)?;
                    if let Some(answer) = answer.filter(|_| found.beyond.is_none()) {
                        return Ok(answer);
                    }
                }
                let is_judged = this.as_ref().is_some_and(|this| this.is_judged && this.owned);
                let is_enumerator = callee.name == "GetEnumerator";
                if is_judged && is_step(callee) {
                    return Ok(Value { owned: is_enumerator, is_judged: is_enumerator, ..declared() });
                }
                if self.has_its_value(callee, this.as_ref()) {
                    return Ok(declared());
                }
                if callee.type_.full_name() == Some("System.Diagnostics.Debug") && callee.name == "Assert" {
                    return match arguments.first().and_then(Value::is_true) {
                        Some(true) => Ok(declared()),
                        _ => Err(self.not("calls Debug.Assert, whose condition is not known to hold")),
                    };
                }
                self.run_framework(callee, this.clone(), arguments)?;
                // what the program overrides of it
                let receiver = this.as_ref().and_then(Value::type_).map_or(&callee.type_, referent);
                let type_ = receiver.full_name().unwrap_or_default();
                let is_open = is_virtual && exact.is_none() && type_ != "System.Object";
                if is_open && self.question.purity.hierarchy().has_below(type_) {
                    let count = arguments.len();
                    let found = self.question.purity.hierarchy().implementations(
                        type_,
                        elements::of_collection(receiver).as_ref(),
                        &callee.name,
                        Some(count),
                    );
                    let found = found.ok_or_else(|| self.not("calls code that cannot be analyzed"))?;
                    found.iter().try_for_each(|(assembly, method)| self.question.own(assembly, *method, 0))?;
                }
                let result = callee.result();
                let is_query =
                    callee.type_.full_name() == Some("System.Linq.Enumerable") && is_new(&callee.name, &result);
                let makes = is_enumerator
                    || makes_array(callee)
                    || is_query
                    // Append answers its builder
                    || callee.type_.full_name() == Some("System.Text.StringBuilder") && this.is_some_and(|this| this.owned) && result == callee.type_;
                let is_exact = is_the_frameworks(callee);
                let is_in_span = callee.type_.full_name() == Some(SPAN)
                    && ["get_Item", "Slice"].contains(&callee.name.as_str())
                    && is_owned;
                Ok(Value { owned: makes || is_in_span, is_judged: is_query || is_enumerator, is_exact, ..declared() })
            }
            Target::Own(assembly, method) => {
                if !Arc::ptr_eq(assembly, self.assembly) && (this.is_none() || callee.name == ".ctor") {
                    self.question.module_initializer(assembly)?;
                }
                self.question.initializer_of(assembly, *method, Some(&callee.type_))?;
                let instance = Instance::new(&callee.type_arguments, &callee.method_arguments, exact);
                if !is_virtual || !assembly.method(*method).is_virtual() {
                    return self.question.instance(assembly, *method, owned, instance.holding(contents()));
                }
                let found = exact.map(|exact| self.question.overrides(assembly, *method, exact));
                match found.filter(|found| !found.own.is_empty()) {
                    Some(found) => {
                        let found = found.own.into_iter().map(|(assembly, method, of_type)| {
                            let instance = Instance::new(&of_type, &callee.method_arguments, exact);
                            (assembly, method, instance.holding(contents()))
                        });
                        Ok(self.question.all_of(found.collect(), owned)?.unwrap_or_else(declared))
                    }
                    None => self.run_all(assembly, *method, &callee.name, arguments.len(), owned),
                }
            }
        }
    }

    /// A `Lazy` that was asked before has no state left, and gives what it has (.NET 8 to 10).
    fn has_its_value(&mut self, callee: &Callee, this: Option<&Value>) -> bool {
        const LAZY: &str = "System.Lazy`1";
        let Some(Content::Object(object, _)) = this.and_then(|this| this.held.as_ref()) else { return false };
        callee.type_.full_name() == Some(LAZY)
            && callee.name == "get_Value"
            && self.question.observer.as_mut().and_then(|it| it.field(*object, LAZY, "_state")) == Some(Content::Null)
    }

    fn run_all(
        &mut self,
        assembly: &Arc<Assembly>,
        method: MethodId,
        name: &str,
        count: usize,
        owned: u64,
    ) -> Answered {
        let type_ = assembly.method(method).declaring_type().map(|type_| type_.full_name()).unwrap_or_default();
        let found = self.question.purity.hierarchy().implementations(&type_, None, name, Some(count));
        // a record's `Equals(object)` calls its `Equals(R)`, and is none of that
        let declared = assembly.method(method).signature();
        let found = found.map(|mut found| {
            found.retain(|(assembly, other)| {
                may_implement(declared.as_ref(), assembly.method(*other).signature().as_ref())
            });
            found
        });
        let Some(found) = found.filter(|found| !found.is_empty()) else {
            return Err(self.not(&format!(
                "calls {}.{}, whose implementations are unknown",
                short(&type_),
                shown(name)
            )));
        };
        let called = |impurity| self.not(&format!("calls {}: {impurity}", shown(name)));
        self.question.not_overridden(assembly, method).map_err(called)?;
        let found = found.into_iter().map(|(assembly, method)| (assembly, method, Instance::default()));
        Ok(self.question.all_of(found.collect(), owned)?.unwrap_or_else(Value::unknown))
    }

    pub(super) fn run_framework(&mut self, callee: &Callee, this: Option<Value>, arguments: &[Value]) -> Judged {
        let behind = self.question.behind(this.as_ref().and_then(|this| this.held.as_ref()));
        let asked = self.question.asked_as(this.as_ref().and_then(Value::type_), behind.as_ref());
        let receiver = asked.map_or(&callee.type_, referent).clone();
        let type_ = callee.type_.full_name().unwrap_or_default();
        self.question.lasts_from(type_, &callee.name, this.as_ref())?;
        // of a delegate its methods are asked, and what these are called on by reference
        if self.question.is_delegate(&receiver) && ["ToString", "Equals", "GetHashCode"].contains(&callee.name.as_str())
        {
            return Ok(());
        }
        // an override of the program: `object.ToString` of one of its types
        let is_object = matches!(
            type_,
            "System.Object"
                | "System.ValueType"
                | "System.Enum"
                | "System.IFormattable"
                | "System.IComparable"
                | "System.IComparable`1"
                | "System.IEquatable`1"
        );
        if is_object
            && this.is_some()
            && ["ToString", "Equals", "GetHashCode", "CompareTo"].contains(&callee.name.as_str())
        {
            let is_bare = this.as_ref().is_some_and(|this| this.is_exact) && is_bare_object(&receiver);
            let quiet = if is_bare { Ok(()) } else { self.question.quiet_for(&receiver, type_, &callee.name) };
            return quiet.map_err(|impurity| self.not(&format!("calls {}: {impurity}", shown(&callee.name))));
        }
        // a query that was made elsewhere runs the code that it was given there
        let is_sequence =
            matches!(type_, "System.Collections.Generic.IEnumerable`1" | "System.Collections.IEnumerable");
        if is_sequence && this.as_ref().is_none_or(|this| !this.owned) && !self.question.keeps_sequence(&receiver) {
            return Err(self.not("enumerates a sequence whose enumerator may run arbitrary code"));
        }
        let is_sealed = || self.question.is_sealed_class(self.assembly, &receiver);
        let is_exact = behind.is_some() || this.as_ref().is_some_and(|this| this.is_exact) || is_sealed();
        let held = this.as_ref().filter(|this| !this.owned).and_then(|this| this.held.as_ref());
        let of = Receiver { type_: &receiver, is_exact, keeps_elements: behind.is_some(), held };
        // the methods of a writer are called by the names of its base
        let is_writer = this.as_ref().is_some_and(|this| this.is_exact) && receiver.full_name() == Some(WRITER);
        let listing = if is_writer { &receiver } else { &callee.type_ };
        let judged = self.question.framework_call(listing, &callee.name, of, arguments, this.is_none());
        judged.map_err(|impurity| self.not(&format!("calls code that is not known to be pure: {impurity}")))?;
        let reads = ["System.Threading.Volatile", "System.Threading.Interlocked"].contains(&type_);
        let mut given = callee.signature.parameters.iter().zip(arguments);
        if !reads && given.any(|(parameter, given)| matches!(parameter, TypeSig::ByRef(_)) && !given.owned) {
            return Err(self.not(&format!(
                "passes {}.{} a reference to storage that the expression did not create",
                short(type_),
                shown(&callee.name)
            )));
        }
        let writes = Question::framework_writes(listing, &callee.name);
        match this {
            Some(this) if writes && !this.owned => Err(self.not(&format!(
                "calls {}.{}, which changes the object it is called on",
                short(type_),
                shown(&callee.name)
            ))),
            _ => Ok(()),
        }
    }
}

/// Whether a constructor makes a span over memory that a pointer leads to: what is owned of that is on the stack.
fn is_over_stack(callee: &Callee) -> bool {
    callee.signature.parameters.first().is_some_and(|it| matches!(it, TypeSig::Pointer(_)))
}

/// What goes through a sequence calls of it, and of its enumerator.
fn is_step(callee: &Callee) -> bool {
    let is_interface = matches!(
        callee.type_.full_name(),
        Some(
            "System.Collections.Generic.IEnumerable`1"
                | "System.Collections.IEnumerable"
                | "System.Collections.Generic.IEnumerator`1"
                | "System.Collections.IEnumerator"
                | "System.IDisposable"
        )
    );
    is_interface && ["GetEnumerator", "MoveNext", "get_Current", "Dispose"].contains(&callee.name.as_str())
}

fn is_delegate_constructor(callee: &Callee) -> bool {
    let pointer = TypeSig::Primitive(Primitive::IntPtr);
    let object = TypeSig::Primitive(Primitive::Object);
    callee.name == ".ctor" && callee.signature.parameters == [object, pointer]
}

fn is_delegate(assembly: &Assembly, callee: &Callee) -> bool {
    let id = name(&callee.type_).and_then(|named| assembly.find_type(&named.full_name));
    id.is_some_and(|id| assembly.type_(id).is_delegate())
}

/// Whether what a query answers was made by it: a sequence or a collection, and neither the one that it was given nor an element.
fn is_new(query: &str, result: &TypeSig) -> bool {
    let is_sequence = match result {
        TypeSig::Array(_) => query == "ToArray",
        _ => name(result).is_some_and(|named| match named.full_name.as_str() {
            "System.Collections.Generic.IEnumerable`1" | "System.Linq.IOrderedEnumerable`1" => true,
            other => query.starts_with("To") && other.starts_with("System.Collections.Generic."),
        }),
    };
    is_sequence && !["AsEnumerable", "Cast", "OfType"].contains(&query) && !is_element(query)
}

/// Whether a method of the framework answers an array that nobody else has, or one without elements.
fn makes_array(callee: &Callee) -> bool {
    let type_ = callee.type_.full_name().unwrap_or("System.Array");
    match callee.name.as_str() {
        "ToCharArray" | "Split" => type_ == "System.String",
        "Clone" => type_ == "System.Array",
        "ToArray" => {
            let has_copies = ["List`1", "Queue`1", "Stack`1"].map(|last| format!("System.Collections.Generic.{last}"));
            [SPAN, "System.ReadOnlySpan`1"].contains(&type_) || has_copies.iter().any(|it| it == type_)
        }
        _ => false,
    }
}

/// Queries that answer one of the elements, which may be sequences themselves.
fn is_element(query: &str) -> bool {
    const ELEMENTS: &[&str] = &["First", "Last", "Single", "ElementAt", "Min", "Max", "Aggregate"];
    ELEMENTS.iter().any(|start| query.starts_with(start))
}

/// What the framework made for everybody, and nobody can put an object of a derived type in the place of.
fn is_the_frameworks(callee: &Callee) -> bool {
    let is_globalization = callee.type_.full_name().is_some_and(|it| it.starts_with("System.Globalization."));
    is_globalization && ["get_InvariantCulture", "get_InvariantInfo"].contains(&callee.name.as_str())
}

/// `Object.Equals(object)`, called on an object.
fn is_equality(callee: &Callee) -> bool {
    callee.type_.full_name() == Some("System.Object") && callee.name == "Equals" && callee.signature.has_this
}

/// Methods that read the arrays that they are given, and neither keep nor change them.
fn keeps_nothing(callee: &Callee) -> bool {
    matches!(callee.target, Target::Framework)
        && matches!(callee.type_.full_name(), Some("System.String" | "System.Text.StringBuilder"))
}
