//! The types of all modules together: found by name, with their bases and members.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use clr_metadata::{Assembly, Primitive, TypeId, TypeView, col};

use super::extensions::BlockMember;
use super::members::{self, Field, Method, Property};
use super::{NULLABLE, Type};
use crate::arithmetic::TooLarge;

/// Where a type is defined.
#[derive(Debug, Clone)]
pub struct Definition {
    pub assembly: Arc<Assembly>,
    pub id: TypeId,
}

impl Definition {
    pub fn view(&self) -> TypeView<'_> {
        self.assembly.type_(self.id)
    }
}

/// Whether both were read from one file: who evaluates may have read it apart from what the types come from.
pub fn is_same_file(one: &Arc<Assembly>, other: &Arc<Assembly>) -> bool {
    Arc::ptr_eq(one, other) || one.path() == other.path()
}

/// More bases than any type has come from a circle.
const MAX_BASES: usize = 256;

/// What arrays of one dimension implement beside what `System.Array` does.
pub const INTERFACES_OF_ARRAYS: [&str; 5] = [
    "System.Collections.Generic.IList`1",
    "System.Collections.Generic.ICollection`1",
    "System.Collections.Generic.IEnumerable`1",
    "System.Collections.Generic.IReadOnlyList`1",
    "System.Collections.Generic.IReadOnlyCollection`1",
];

type Key = (usize, TypeId);

type Cache<K, V> = RefCell<HashMap<K, Arc<[V]>>>;

/// Caches what it has read: make one for as long as the modules stay the same.
#[derive(Default)]
pub struct TypeSystem {
    /// The program's own first.
    assemblies: Vec<Arc<Assembly>>,
    /// Where those of the framework lie that the program has not loaded.
    framework: Option<PathBuf>,
    not_loaded: RefCell<HashMap<String, Option<Arc<Assembly>>>>,
    definitions: RefCell<HashMap<String, Option<Definition>>>,
    methods: Cache<(Key, String), Arc<Method>>,
    properties: Cache<Key, Arc<Property>>,
    fields: Cache<Key, Arc<Field>>,
    pub(super) extensions: Cache<String, (Definition, Arc<Method>)>,
    pub(super) blocks: Cache<String, BlockMember>,
    namespaces: RefCell<HashMap<String, bool>>,
    unused: OnceCell<HashMap<String, Vec<Arc<Assembly>>>>,
}

impl TypeSystem {
    pub fn new(assemblies: Vec<Arc<Assembly>>, framework: Option<PathBuf>) -> Self {
        Self { assemblies, framework, ..Self::default() }
    }

    pub fn assemblies(&self) -> &[Arc<Assembly>] {
        &self.assemblies
    }

    /// The major version of the program's runtime.
    fn runtime(&self) -> Option<u32> {
        let core = self.assemblies.iter().find(|assembly| assembly.name() == "System.Private.CoreLib")?;
        core.metadata().cell(1, col::Assembly::Major).ok()
    }

    /// How the program's runtime converts floating-point numbers to integers that do not hold them.
    pub fn too_large(&self) -> TooLarge {
        match self.runtime() {
            // other processors give the nearest number by themselves
            Some(..9) if cfg!(target_arch = "x86_64") => TooLarge::Indefinite,
            _ => TooLarge::Nearest,
        }
    }

    /// Whether `OfType` gives all elements of an array that the runtime takes for one of the wanted type, as `Cast` does: since .NET 9.
    pub fn takes_like_arrays(&self) -> bool {
        self.runtime().is_some_and(|version| version >= 9)
    }

    /// Whether an array becomes a span before it becomes anything else: in C# 14, which came with .NET 10.
    pub fn prefers_spans(&self) -> bool {
        self.runtime().is_some_and(|version| version >= 10)
    }

    /// By full metadata name.
    pub fn find(&self, name: &str) -> Option<Definition> {
        if let Some(known) = self.definitions.borrow().get(name) {
            return known.clone();
        }
        let defined = |assembly: &Arc<Assembly>| {
            Some(Definition { assembly: assembly.clone(), id: assembly.find_definition(name)? })
        };
        let found = self.assemblies.iter().find_map(defined).or_else(|| {
            // one that the program has not used yet, where its file has the name of the namespace
            let namespace = name.rsplit_once('.').map_or("", |(namespace, _)| namespace);
            self.not_loaded(namespace)
                .as_ref()
                .and_then(defined)
                .or_else(|| self.unused().get(namespace).into_iter().flatten().find_map(defined))
        });
        self.definitions.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    pub fn not_loaded(&self, name: &str) -> Option<Arc<Assembly>> {
        if let Some(known) = self.not_loaded.borrow().get(name) {
            return known.clone();
        }
        let is_loaded = self.assemblies.iter().any(|assembly| assembly.name() == name);
        let open = || Assembly::open(self.framework.as_ref()?.join(format!("{name}.dll"))).ok();
        let found = if is_loaded || name.is_empty() { None } else { open() };
        self.not_loaded.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    /// By namespace, and by those around it, what lies in the framework's folder and is not loaded: the program's first use of it
    /// loads it.
    fn unused(&self) -> &HashMap<String, Vec<Arc<Assembly>>> {
        self.unused.get_or_init(|| {
            let mut found = Vec::new();
            let files = self.framework.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
            for file in files.into_iter().flatten().flatten() {
                let name = file.file_name();
                let name = name.to_string_lossy();
                // public types lie in those that are called private, too, as `System.Uri` does
                let is_managed = name.starts_with("System.") || name.starts_with("Microsoft.");
                if let Some(name) = name.strip_suffix(".dll").filter(|_| is_managed) {
                    found.extend(self.not_loaded(name));
                }
            }
            found.sort_by(|one, other| one.name().cmp(other.name()));
            let mut by_namespace: HashMap<String, Vec<Arc<Assembly>>> = HashMap::new();
            for assembly in &found {
                let mut around: HashSet<&str> = HashSet::new();
                for namespace in assembly.namespaces(None) {
                    around.extend(namespace.match_indices('.').filter_map(|(at, _)| namespace.get(..at)));
                    around.insert(namespace);
                }
                around.remove("");
                for namespace in around {
                    by_namespace.entry(namespace.to_owned()).or_default().push(assembly.clone());
                }
            }
            by_namespace
        })
    }

    /// The public types of that name in any namespace, those of the program first, as C# writes them; but a few.
    pub fn named(&self, name: &str) -> Vec<String> {
        const ENOUGH: usize = 4;
        const VISIBILITY: u32 = 7;
        const PUBLIC: u32 = 1;
        let unused = self.unused().values().flatten();
        let mut found = Vec::new();
        for assembly in self.assemblies.iter().chain(unused) {
            let is_it = |view: &TypeView<'_>| {
                view.flags() & VISIBILITY == PUBLIC && view.name().split('`').next() == Some(name)
            };
            for view in assembly.types().filter(is_it) {
                let full_name = view.full_name();
                let full_name = full_name.split('`').next().unwrap_or(&full_name).to_owned();
                if full_name != name && !found.contains(&full_name) {
                    found.push(full_name);
                }
            }
            if found.len() >= ENOUGH {
                break;
            }
        }
        found
    }

    pub fn definition(&self, type_: &Type) -> Option<Definition> {
        match type_ {
            Type::Primitive(primitive) => self.find(primitive.full_name()),
            Type::Named(named) => self.find(&named.name),
            Type::Array { .. } => self.find("System.Array"),
            _ => None,
        }
    }

    pub fn is_namespace(&self, name: &str) -> bool {
        if let Some(known) = self.namespaces.borrow().get(name) {
            return *known;
        }
        let has = |assembly: &Arc<Assembly>| assembly.has_namespace(name);
        // code of a program names its own namespaces and those of the framework
        let is_framework = || name.starts_with("System") || name.starts_with("Microsoft");
        let found = self.assemblies.iter().any(has) || is_framework() && self.unused().contains_key(name);
        self.namespaces.borrow_mut().insert(name.to_owned(), found);
        found
    }

    fn key(definition: &Definition) -> Key {
        (Arc::as_ptr(&definition.assembly) as usize, definition.id)
    }

    /// A type's own methods of that name.
    pub fn methods(&self, definition: &Definition, name: &str) -> Arc<[Arc<Method>]> {
        let key = (Self::key(definition), name.to_owned());
        if let Some(known) = self.methods.borrow().get(&key) {
            return known.clone();
        }
        let found: Arc<[Arc<Method>]> = members::methods(definition, name).into();
        self.methods.borrow_mut().insert(key, found.clone());
        found
    }

    /// A type's own properties.
    pub fn properties(&self, definition: &Definition) -> Arc<[Arc<Property>]> {
        let key = Self::key(definition);
        if let Some(known) = self.properties.borrow().get(&key) {
            return known.clone();
        }
        let found: Arc<[Arc<Property>]> = members::properties(definition).into();
        self.properties.borrow_mut().insert(key, found.clone());
        found
    }

    /// A type's own fields.
    pub fn fields(&self, definition: &Definition) -> Arc<[Arc<Field>]> {
        let key = Self::key(definition);
        if let Some(known) = self.fields.borrow().get(&key) {
            return known.clone();
        }
        let found: Arc<[Arc<Field>]> = members::fields(definition).into();
        self.fields.borrow_mut().insert(key, found.clone());
        found
    }

    pub fn is_interface(&self, type_: &Type) -> bool {
        self.definition(type_).is_some_and(|it| it.view().is_interface()) && !matches!(type_, Type::Array { .. })
    }

    pub fn is_enum(&self, type_: &Type) -> bool {
        matches!(type_, Type::Named(_)) && self.definition(type_).is_some_and(|it| it.view().is_enum())
    }

    /// The integer type behind an enum.
    pub fn underlying(&self, type_: &Type) -> Option<Primitive> {
        if !self.is_enum(type_) {
            return None;
        }
        self.definition(type_)?.view().enum_underlying()
    }

    pub fn is_value_type(&self, type_: &Type) -> bool {
        match type_ {
            Type::Primitive(primitive) => !matches!(primitive, Primitive::String | Primitive::Object | Primitive::Void),
            Type::Named(named) => {
                &*named.name == NULLABLE || self.find(&named.name).is_some_and(|it| it.view().is_value_type())
            }
            Type::Pointer(_) => true,
            _ => false,
        }
    }

    pub fn is_reference_type(&self, type_: &Type) -> bool {
        match type_ {
            Type::Primitive(primitive) => matches!(primitive, Primitive::String | Primitive::Object),
            Type::Named(_) => !self.is_value_type(type_),
            Type::Array { .. } | Type::Null | Type::Late => true,
            _ => false,
        }
    }

    pub fn is_sealed(&self, type_: &Type) -> bool {
        const SEALED: u32 = 0x100;
        self.is_value_type(type_)
            || matches!(type_, Type::Array { .. })
            || type_.is(super::ANONYMOUS)
            || self.definition(type_).is_some_and(|it| it.view().flags() & SEALED != 0)
    }

    /// Of a struct whose only field is repeated (`[InlineArray]`, or what `fixed` declares): what that is, and how often.
    pub fn inline_array(&self, type_: &Type) -> Option<(Type, usize)> {
        let Type::Named(_) = type_ else { return None };
        let definition = self.definition(type_)?;
        let view = definition.view();
        let count = view.repeated_length()?;
        let fields = self.fields(&definition);
        let element = fields.iter().find(|field| !field.is_static)?;
        Some((element.type_.substitute(type_.arguments(), &[]), usize::try_from(count).ok()?))
    }

    /// Whether a struct is a buffer that `fixed` declares.
    pub fn is_fixed_buffer(&self, type_: &Type) -> bool {
        self.definition(type_).is_some_and(|it| it.view().fixed_buffer_length().is_some())
    }

    /// What calls a delegate of that type.
    pub fn invoke(&self, type_: &Type) -> Option<Arc<Method>> {
        let definition = self.definition(type_).filter(|it| it.view().is_delegate())?;
        self.methods(&definition, "Invoke").first().cloned()
    }

    /// Parameters and result of a delegate type, with its arguments.
    pub fn delegate(&self, type_: &Type) -> Option<(Vec<super::Parameter>, Type)> {
        let invoke = self.invoke(type_)?;
        let given = type_.arguments();
        let parameters = invoke
            .parameters
            .iter()
            .map(|parameter| super::Parameter { type_: parameter.type_.substitute(given, &[]), ..parameter.clone() });
        Some((parameters.collect(), invoke.returns.substitute(given, &[])))
    }

    pub fn base(&self, type_: &Type) -> Option<Type> {
        if let Type::Array { .. } = type_ {
            return Some(Type::named("System.Array", Vec::new()));
        }
        if type_.is(super::ANONYMOUS) {
            return Some(Type::OBJECT);
        }
        let definition = self.definition(type_)?;
        let base = definition.view().base()?;
        let base = clr_metadata::TypeSig::Named(base);
        let dynamic = definition.assembly.dynamic_parts(definition.id.token(), &base);
        Some(Type::declared(&base, &[], &dynamic).substitute(type_.arguments(), &[]))
    }

    /// The type itself, then its base classes.
    pub fn chain(&self, type_: &Type) -> Vec<Type> {
        let mut chain = vec![type_.clone()];
        while let Some(base) = chain.last().and_then(|last| self.base(last)) {
            if chain.len() >= MAX_BASES {
                break;
            }
            chain.push(base);
        }
        chain
    }

    /// The interfaces that a type names itself.
    pub fn own_interfaces(&self, type_: &Type) -> Vec<Type> {
        if let Type::Array { of, rank: 1 } = type_ {
            return INTERFACES_OF_ARRAYS.iter().map(|name| Type::named(name, vec![(**of).clone()])).collect();
        }
        let Some(definition) = self.definition(type_) else { return Vec::new() };
        let interfaces = definition.view().interfaces().into_iter();
        interfaces.map(|it| Type::of(&clr_metadata::TypeSig::Named(it)).substitute(type_.arguments(), &[])).collect()
    }

    /// All interfaces of a type: its own, its bases', and those that these extend.
    pub fn interfaces(&self, type_: &Type) -> Vec<Type> {
        let mut found: Vec<Type> = Vec::new();
        let mut open = self.chain(type_);
        while let Some(next) = open.pop() {
            for interface in self.own_interfaces(&next) {
                if found.len() < MAX_BASES && !found.contains(&interface) {
                    found.push(interface.clone());
                    open.push(interface);
                }
            }
        }
        found
    }

    /// Where a member of a value of that type may be declared, in the order of the search.
    pub fn places(&self, type_: &Type) -> Vec<Type> {
        let mut places = self.chain(type_);
        if self.is_interface(type_) {
            places.extend(self.interfaces(type_));
            places.push(Type::OBJECT);
        }
        places
    }

    /// Of each parameter of a type: 1 covariant, 2 contravariant, 0 neither (ECMA-335 II.23.1.7).
    pub fn variances(&self, type_: &Type) -> Vec<u32> {
        let Some(definition) = self.definition(type_) else { return Vec::new() };
        let metadata = definition.assembly.metadata();
        let rows = metadata.rows_of(col::GenericParam::Owner, definition.id.token());
        rows.map(|row| metadata.cell(row, col::GenericParam::Flags).unwrap_or(0) & 3).collect()
    }
}
