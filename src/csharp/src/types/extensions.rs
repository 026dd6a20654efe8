//! Extension methods, and the members of `extension` blocks (C# 14), wherever they are.
//!
//! The compiler makes of a block a nested class with the members as they are written, in it another whose method `<Extension>$` takes the
//! receiver, and puts the code into static methods of the outer class: those of instance members take the receiver first.
//! <https://github.com/dotnet/csharplang/blob/main/proposals/csharp-14.0/extensions.md>

use std::sync::Arc;

use clr_metadata::Assembly;

use super::{Definition, Method, Parameter, Type, TypeSystem, is_same_file};
use crate::syntax::Pass;

/// A member of an `extension` block.
#[derive(Debug, Clone)]
pub struct BlockMember {
    pub holder: Definition,
    /// What has its code.
    pub method: Arc<Method>,
    /// The same with the receiver first, whether or not the code takes it.
    pub with_receiver: Arc<Method>,
    pub is_static: bool,
    block: Definition,
    /// How many of the method's type parameters are the block's.
    of_block: usize,
}

impl BlockMember {
    /// The block as its source begins: `extension<T>(T[])`.
    pub fn block_text(&self) -> String {
        let names: Vec<&str> = self.method.constraints.iter().map(|it| it.name.as_str()).collect();
        let named: Vec<Type> = names.iter().map(|name| Type::named(name, Vec::new())).collect();
        let receiver = self.with_receiver.parameters.first().map(|it| it.type_.substitute(&[], &named).short());
        let parameters = match names.get(..self.of_block) {
            Some(names @ [_, ..]) => format!("<{}>", names.join(", ")),
            _ => String::new(),
        };
        format!("extension{parameters}({})", receiver.unwrap_or_default())
    }

    /// Whether both are of one block, as the accessors of a property are.
    pub fn is_beside(&self, other: &Self) -> bool {
        is_same_file(&self.block.assembly, &other.block.assembly) && self.block.id == other.block.id
    }
}

/// Flags of types and of methods (ECMA-335, II.23.1.15 and II.23.1.10).
const VISIBILITY: u32 = 7;
const PUBLIC_TYPE: u32 = 1;
const PUBLIC_METHOD: u32 = 6;
const BLOCK: &str = "<G>$";
const MARKER: &str = "<M>$";
const RECEIVER: &str = "<Extension>$";

fn key(name: &str, own: Option<&Arc<Assembly>>) -> String {
    format!("{name} {}", own.map(|own| own.path().display().to_string()).unwrap_or_default())
}

impl TypeSystem {
    /// The extension methods of that name that code of `own` may call, wherever they are, with their classes; the private ones of `own`
    /// too, which the code of their classes may call.
    pub fn extensions(
        &self,
        name: &str,
        own: Option<&Arc<Assembly>>,
        imported: &[&str],
    ) -> Arc<[(Definition, Arc<Method>)]> {
        // what may be called depends on whose code it is, and on what its file imports
        let key = format!("{} {}", key(name, own), imported.join(" "));
        if let Some(known) = self.extensions.borrow().get(&key) {
            return known.clone();
        }
        let not_loaded = imported.iter().filter_map(|namespace| self.not_loaded(namespace));
        let all: Vec<Arc<Assembly>> = self.assemblies().iter().cloned().chain(not_loaded).collect();
        let mut found = Vec::new();
        for assembly in &all {
            let is_own = own.is_some_and(|own| is_same_file(own, assembly));
            for view in assembly.types() {
                let is_holder = view.is_static() && view.declaring_type().is_none();
                if !is_holder || !is_own && view.flags() & VISIBILITY != PUBLIC_TYPE {
                    continue;
                }
                if !view.methods().any(|id| assembly.method(id).name() == name) {
                    continue;
                }
                let definition = Definition { assembly: assembly.clone(), id: view.id() };
                let methods = self.methods(&definition, name);
                let callable = |method: &&Arc<Method>| {
                    let access = method.flags & VISIBILITY;
                    method.is_extension && (access == PUBLIC_METHOD || is_own)
                };
                found.extend(methods.iter().filter(callable).map(|method| (definition.clone(), method.clone())));
            }
        }
        let found: Arc<[(Definition, Arc<Method>)]> = found.into();
        self.extensions.borrow_mut().insert(key, found.clone());
        found
    }

    /// The members of `extension` blocks whose code has that name: `Twin`, `get_Words`, `op_Addition`.
    pub fn block_members(&self, name: &str, own: Option<&Arc<Assembly>>) -> Arc<[BlockMember]> {
        let key = key(name, own);
        if let Some(known) = self.blocks.borrow().get(&key) {
            return known.clone();
        }
        let mut found = Vec::new();
        for assembly in self.assemblies() {
            let is_own = own.is_some_and(|own| is_same_file(own, assembly));
            for view in assembly.types().filter(|view| view.name().starts_with(BLOCK)) {
                let Some(holder) = view.declaring_type() else { continue };
                if is_own || holder.flags() & VISIBILITY == PUBLIC_TYPE {
                    let holder = Definition { assembly: assembly.clone(), id: holder.id() };
                    let block = Definition { assembly: assembly.clone(), id: view.id() };
                    found.extend(self.in_block(&holder, &block, name));
                }
            }
        }
        let found: Arc<[BlockMember]> = found.into();
        self.blocks.borrow_mut().insert(key, found.clone());
        found
    }

    fn in_block(&self, holder: &Definition, block: &Definition, name: &str) -> Vec<BlockMember> {
        let written = self.methods(block, name);
        if written.is_empty() {
            return Vec::new();
        }
        let nested =
            block.assembly.types().filter(|it| it.declaring_type().is_some_and(|outer| outer.id() == block.id));
        let mut markers = nested.filter(|it| it.name().starts_with(MARKER));
        let Some(marker) = markers.next() else { return Vec::new() };
        let marker = Definition { assembly: block.assembly.clone(), id: marker.id() };
        let Some(receiver) = self.methods(&marker, RECEIVER).first().and_then(|it| it.parameters.first().cloned())
        else {
            return Vec::new();
        };
        // the block's own type parameters are the first ones of the method
        let count = block.view().type_parameters().len();
        let own: Vec<Type> = (0..count).map(|at| Type::MethodParameter(at as u32)).collect();
        let receiver = Parameter { type_: receiver.type_.substitute(&own, &[]), ..receiver };
        let code = self.methods(holder, name);
        let mut found = Vec::new();
        for member in written.iter() {
            // and its own ones follow
            let others: Vec<Type> =
                (count..count + member.generic).map(|at| Type::MethodParameter(at as u32)).collect();
            let first = (!member.is_static).then(|| receiver.type_.clone());
            let rest = member.parameters.iter().map(|it| it.type_.substitute(&own, &others));
            let takes: Vec<Type> = first.into_iter().chain(rest).collect();
            let is_it = |method: &&Arc<Method>| {
                method.is_static
                    && method.generic == count + member.generic
                    && method.parameters.iter().map(|it| &it.type_).eq(&takes)
            };
            let Some(method) = code.iter().find(is_it) else { continue };
            let mut with_receiver = Method::clone(method);
            if member.is_static {
                with_receiver.parameters.insert(0, Parameter { pass: Pass::Value, ..receiver.clone() });
            }
            found.push(BlockMember {
                holder: holder.clone(),
                method: method.clone(),
                with_receiver: Arc::new(with_receiver),
                is_static: member.is_static,
                block: block.clone(),
                of_block: count,
            });
        }
        found
    }
}
