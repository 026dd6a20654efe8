//! What a stack frame is in source: the printed name checked against metadata, which alone distinguishes async from iterator.

use super::assembly::Assembly;
use super::methods::StateMachineKind;
use super::names::{
    FrameName, MethodOrigin, RawFrame, index_key, is_closure, is_finally, method_origin, path::Segment,
    state_machine_of,
};
use super::signatures::split_arity;
use super::tokens::{MethodId, TypeId};
use super::types::TypeView;

impl Assembly {
    /// The frame in words, if its method is one of this assembly; `names::describe` does without.
    pub fn describe_frame(&self, raw_name: &str) -> Option<FrameName> {
        let frame = RawFrame::parse(raw_name)?;
        self.describe_as(&frame, &self.methods_of(&frame))
    }

    /// A method in words, as a frame of it would be: whatever the compiler made of it is undone.
    pub fn describe_method(&self, method: MethodId) -> Option<FrameName> {
        let view = self.method(method);
        let raw = format!("{}.{}", view.declaring_type()?.full_name().replace('+', "."), view.name());
        self.describe_as(&RawFrame::parse(&raw)?, &[method])
    }

    fn describe_as(&self, frame: &RawFrame<'_>, methods: &[MethodId]) -> Option<FrameName> {
        let first = *methods.first()?;
        let mut undone = frame.undo();
        // Overloads that the name does not distinguish must agree.
        let kind_of = |method: MethodId| {
            let view = self.method(method);
            if is_finally(view.name()) { view.machine_kind() } else { view.state_machine_kind() }
        };
        let kind = kind_of(first);
        if methods.iter().all(|&method| kind_of(method) == kind) {
            let is_stream = kind == Some(StateMachineKind::AsyncIterator);
            undone.kinds.is_async = is_stream || kind == Some(StateMachineKind::Async);
            undone.kinds.iterator = is_stream || kind == Some(StateMachineKind::Iterator);
        }
        // The name of an explicit implementation looks as if its interface were the type.
        undone.owner = self.source_type(first).or(undone.owner);
        Some(undone.into_name())
    }

    /// Whether a method has the code of a lambda or a local function that is written in a member of an object.
    pub fn is_inside_instance(&self, method: MethodId) -> bool {
        let written = self.kickoff_of(method).unwrap_or(method);
        let (mut name, mut is_inside) = (self.method(written).name(), false);
        while let MethodOrigin::Lambda { within } | MethodOrigin::LocalFunction { within, .. } = method_origin(name) {
            (name, is_inside) = (within, true);
        }
        let is_it = |method: MethodId| {
            let view = self.method(method);
            !view.is_static() && view.name() == name
        };
        is_inside && self.source_type_of(written).is_some_and(|type_| type_.methods().any(is_it))
    }

    /// The innermost type around a method that is not the compiler's.
    pub fn source_type_of(&self, method: MethodId) -> Option<TypeView<'_>> {
        let mut type_ = self.method(method).declaring_type()?;
        for _ in 0..16 {
            if !is_closure(type_.name()) && state_machine_of(type_.name()).is_none() {
                break;
            }
            type_ = type_.declaring_type()?;
        }
        Some(type_)
    }

    fn source_type(&self, method: MethodId) -> Option<&str> {
        Some(split_arity(self.source_type_of(method)?.name()).0)
    }

    /// The methods that a printed frame may be: one, or the overloads of its name.
    pub fn methods_of_frame(&self, raw_name: &str) -> Vec<MethodId> {
        RawFrame::parse(raw_name).map(|frame| self.methods_of(&frame)).unwrap_or_default()
    }

    fn methods_of(&self, frame: &RawFrame<'_>) -> Vec<MethodId> {
        // An explicit implementation prints as `Type.System.IDisposable.Dispose`: the type ends earlier than it seems.
        for length in (1..=frame.path.len()).rev() {
            let (types, interface) = frame.path.split_at_checked(length).unwrap_or((&frame.path, &[]));
            let Some(type_) = self.find_key(&key_of(types)) else {
                continue;
            };
            let mut name = String::new();
            for segment in interface {
                name.push_str(segment.name);
                name.push('.');
            }
            name.push_str(frame.method.name);
            let named = self.methods_named(type_, &name, interface.is_empty());
            if !named.is_empty() {
                return self.with_parameter_count(named, frame.parameters);
            }
        }
        Vec::new()
    }

    fn methods_named(&self, type_: TypeId, name: &str, exactly: bool) -> Vec<MethodId> {
        let methods = self.type_(type_).methods();
        let is_named = |raw: &str| raw == name || !exactly && without_generics(raw) == name;
        methods.filter(|&method| is_named(self.method(method).name())).collect()
    }

    /// netcoredbg prints `()` whatever the parameters are, so an empty list says nothing.
    fn with_parameter_count(&self, methods: Vec<MethodId>, parameters: &str) -> Vec<MethodId> {
        if parameters.is_empty() || methods.len() < 2 {
            return methods;
        }
        let count = super::names::path::arguments(parameters).len();
        let has_count =
            |&method: &MethodId| self.method(method).signature().is_some_and(|s| s.parameters.len() == count);
        let fitting: Vec<_> = methods.iter().copied().filter(has_count).collect();
        if fitting.is_empty() { methods } else { fitting }
    }
}

fn key_of(types: &[Segment<'_>]) -> String {
    let mut key = String::new();
    for segment in types {
        if !key.is_empty() {
            key.push('.');
        }
        segment.push_metadata_name(&mut key);
    }
    index_key(&key)
}

/// `System.Collections.Generic.IEnumerable<System.Int32>.GetEnumerator` without the arguments.
fn without_generics(name: &str) -> String {
    let mut depth = 0usize;
    let mut bare = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    bare
}
