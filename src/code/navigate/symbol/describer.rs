//! From rows of an assembly to symbols.

use super::{Home, Part, Symbol, SymbolKind, bare_path, last_name};
use clr_metadata::{
    Assembly, FieldId, MemberName, MethodId, ParameterDirection, PropertyId, SymbolName, Table, Token, TypeKey,
    TypeView, col,
};

/// One definition being described: the assembly, its number, and who else defines a type of that name.
pub(in crate::code::navigate) struct Describer<'a> {
    pub(in crate::code::navigate) assembly: &'a Assembly,
    pub(in crate::code::navigate) index: usize,
    pub(in crate::code::navigate) type_: TypeView<'a>,
    pub(in crate::code::navigate) homonyms: Vec<String>,
}

impl Describer<'_> {
    fn key(&self) -> TypeKey {
        TypeKey {
            assembly: self.assembly.name().to_owned(),
            full_name: self.type_.full_name(),
            homonyms: self.homonyms.clone(),
        }
    }

    fn named(&self, member: MemberName, part: Part) -> (SymbolName, Part) {
        (SymbolName { type_: self.key(), member: Some(member) }, part)
    }

    fn method_name(&self, method: MethodId, part: Part) -> Option<(SymbolName, Part)> {
        let view = self.assembly.method(method);
        Some(self.named(MemberName::Method(view.name().to_owned(), view.signature()?), part))
    }

    fn symbol(&self, kind: SymbolKind, simple: &str, token: Token) -> Symbol {
        let type_name = self.type_.full_name();
        Symbol {
            kind,
            display: format!("{}.{simple}", type_display(&self.type_)),
            simple: simple.to_owned(),
            owner: bare_path(&type_name),
            parameters: Vec::new(),
            signature: String::new(),
            is_read_only_ref: false,
            type_name,
            assembly_name: self.assembly.name().to_owned(),
            home: Some(Home { assembly: self.index, token }),
            names: Vec::new(),
        }
    }

    pub(in crate::code::navigate) fn whole_type(&self) -> Symbol {
        let type_ = &self.type_;
        let constructors = type_.methods().filter(|&id| self.assembly.method(id).name() == ".ctor");
        let constructors = constructors.filter_map(|id| self.method_name(id, Part::Creation));
        let path = bare_path(&type_.full_name());
        let (owner, simple) = path.rsplit_once('.').unwrap_or(("", &path));
        let what = match () {
            () if type_.is_interface() => "interface",
            () if type_.is_enum() => "enum",
            () if type_.is_value_type() => "struct",
            () if type_.is_delegate() => "delegate",
            () => "class",
        };
        let bases = type_.base().filter(|base| !is_implied(&base.full_name)).into_iter().chain(type_.interfaces());
        let names = type_.parameter_names(None);
        let bases: Vec<String> =
            bases.map(|base| clr_metadata::TypeSig::Named(base).short_with(&names)).take(8).collect();
        let bases = if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) };
        Symbol {
            display: type_display(type_),
            owner: owner.to_owned(),
            signature: format!("{what} {}{bases}", type_.short_name()),
            names: std::iter::once((SymbolName { type_: self.key(), member: None }, Part::Whole))
                .chain(constructors)
                .collect(),
            ..self.symbol(SymbolKind::Type, simple, type_.id().token())
        }
    }

    pub(in crate::code::navigate) fn method(&self, method: MethodId) -> Option<Symbol> {
        let view = self.assembly.method(method);
        let signature = view.signature()?;
        let raw = last_name(view.name());
        let is_constructor = matches!(raw, ".ctor" | ".cctor");
        let type_simple = last_name(&bare_path(&self.type_.full_name())).to_owned();
        let names = self.type_.parameter_names(Some(method));
        let operator = clr_metadata::operator_name(raw).map(|name| match name.starts_with("operator") {
            true => name,
            false => format!("{name} {}", signature.return_type.short_with(&names)),
        });
        let simple = match &operator {
            Some(name) => name,
            None if is_constructor => &type_simple,
            None => clr_metadata::names::source_name(raw).unwrap_or(raw),
        };
        let passed = view.parameter_directions();
        let parameters = signature.parameters.iter().zip(&passed);
        let parameters: Vec<String> =
            parameters.map(|(it, passed)| with_direction(it.short_with(&names), *passed)).collect();
        let kind = if is_constructor { SymbolKind::Constructor } else { SymbolKind::Method };
        let parameter_names = view.parameter_names();
        let listed = parameters
            .iter()
            .zip(&parameter_names)
            .map(|(type_, name)| format!("{type_} {name}").trim_end().to_owned());
        let listed = listed.collect::<Vec<_>>().join(", ");
        let head = if view.is_static() { "static " } else { "" };
        let returned = signature.return_type.short_with(&names);
        let text = match is_constructor || simple.contains(" operator ") {
            true => format!("{head}{simple}({listed})"),
            false => format!("{head}{returned} {simple}{}({listed})", generics(&names.of_method)),
        };
        let symbol = self.symbol(kind, simple, method.token());
        Some(Symbol {
            display: format!("{}({})", symbol.display, parameters.join(", ")),
            parameters,
            signature: text,
            names: vec![self.method_name(method, Part::Whole)?],
            ..symbol
        })
    }

    pub(in crate::code::navigate) fn field(&self, field: FieldId) -> Option<Symbol> {
        let found = self.type_.fields().into_iter().find(|it| it.id == field)?;
        let kind = if found.is_literal { SymbolKind::Constant } else { SymbolKind::Field };
        let head = match (found.is_literal, found.is_static) {
            (true, _) => "const ",
            (_, true) => "static ",
            _ => "",
        };
        Some(Symbol {
            signature: format!("{head}{} {}", found.type_text, found.name),
            names: vec![self.named(MemberName::Field(found.name.clone()), Part::Whole)],
            ..self.symbol(kind, &found.name, field.token())
        })
    }

    pub(in crate::code::navigate) fn property(&self, property: PropertyId) -> Option<Symbol> {
        let found = self.type_.properties().into_iter().find(|it| it.id == property)?;
        let simple = last_name(&found.name).to_owned();
        let (kind, shown) = match found.is_indexer {
            true => (SymbolKind::Indexer, "this"),
            false => (SymbolKind::Property, simple.as_str()),
        };
        let accessors = [(found.getter, Part::Getter), (found.setter, Part::Setter)];
        let mut names: Vec<_> = accessors.iter().filter_map(|(id, part)| self.method_name((*id)?, *part)).collect();
        let backing = format!("<{}>k__BackingField", found.name);
        names.push(self.named(MemberName::Field(backing), Part::Backing));
        let indexes = match (found.getter, found.setter) {
            _ if !found.is_indexer => None,
            (Some(getter), _) => self.assembly.method(getter).signature().map(|it| it.parameters),
            // The last is the value.
            (None, setter) => setter.and_then(|it| self.assembly.method(it).signature()).map(|mut it| {
                it.parameters.pop();
                it.parameters
            }),
        };
        let returned =
            found.getter.and_then(|getter| self.assembly.method(getter).signature()).map(|it| it.return_type);
        let type_parameters = self.type_.parameter_names(None);
        let parameters: Vec<String> =
            indexes.unwrap_or_default().iter().map(|it| it.short_with(&type_parameters)).collect();
        let words = accessors.iter().zip(["get; ", "set; "]).filter(|(accessor, _)| accessor.0.is_some());
        let words: String = words.map(|(_, word)| word).collect();
        let symbol = self.symbol(kind, shown, property.token());
        let indexes = if found.is_indexer { format!("[{}]", parameters.join(", ")) } else { String::new() };
        Some(Symbol {
            display: format!("{}{indexes}", symbol.display),
            parameters,
            signature: format!(
                "{}{} {shown}{indexes} {{ {words}}}",
                if found.is_static { "static " } else { "" },
                found.type_text
            ),
            is_read_only_ref: returned.is_some_and(|returned| returned.is_read_only_ref()),
            names,
            ..symbol
        })
    }

    /// A property of an `extension` block: its accessors are static methods that no property of the type has.
    pub(in crate::code::navigate) fn extension_property(&self, simple: &str) -> Option<Symbol> {
        const BLOCK: &str = "<G>$";
        let mut nested = self.type_.nested_types().into_iter();
        let has_blocks = nested.any(|id| self.assembly.type_(id).name().starts_with(BLOCK));
        if !has_blocks || self.type_.properties().iter().any(|it| it.name == simple) {
            return None;
        }
        let accessor = |prefix: &str| {
            self.type_.methods().find(|&id| {
                let view = self.assembly.method(id);
                view.is_static() && view.name().strip_prefix(prefix) == Some(simple)
            })
        };
        let accessors = [(accessor("get_"), Part::Getter), (accessor("set_"), Part::Setter)];
        let home = accessors.iter().find_map(|(id, _)| *id)?;
        let names = accessors.iter().filter_map(|(id, part)| self.method_name((*id)?, *part)).collect();
        let signature = format!("extension property {simple}");
        Some(Symbol { names, signature, ..self.symbol(SymbolKind::Property, simple, home.token()) })
    }

    pub(in crate::code::navigate) fn event(&self, row: u32) -> Option<Symbol> {
        let metadata = self.assembly.metadata();
        let name = metadata.string(row, col::Event::Name).ok()?;
        let simple = last_name(name);
        let token = Token::new(Table::Event, row);
        let accessors = metadata.rows_of(col::MethodSemantics::Association, token);
        let accessors = accessors.filter_map(|row| metadata.cell(row, col::MethodSemantics::Method).ok().map(MethodId));
        let mut names: Vec<_> = accessors.filter_map(|method| self.method_name(method, Part::Accessor)).collect();
        names.push(self.named(MemberName::Field(name.to_owned()), Part::Backing));
        let type_ = metadata.token(row, col::Event::Type).and_then(|token| metadata.type_full_name(token));
        let type_ = type_.map(|name| last_name(&bare_path(&name)).to_owned()).unwrap_or_default();
        Some(Symbol {
            signature: format!("event {type_} {simple}"),
            names,
            ..self.symbol(SymbolKind::Event, simple, token)
        })
    }

    /// Rows of the type's events.
    pub(in crate::code::navigate) fn events(&self) -> Vec<u32> {
        let metadata = self.assembly.metadata();
        let maps = metadata.rows_of(col::EventMap::Parent, self.type_.id().token());
        maps.flat_map(|map| metadata.list(map, col::EventMap::EventList)).collect()
    }

    /// The symbol that a method belongs to: a property or event for its accessors, else the method itself.
    pub(in crate::code::navigate) fn of_method(&self, method: MethodId) -> Option<Symbol> {
        let of_property =
            self.type_.properties().into_iter().find(|it| it.getter == Some(method) || it.setter == Some(method));
        if let Some(property) = of_property {
            return self.property(property.id);
        }
        let metadata = self.assembly.metadata();
        let is_accessor = |row: &u32| {
            let mut rows = metadata.rows_of(col::MethodSemantics::Association, Token::new(Table::Event, *row));
            rows.any(|it| metadata.cell(it, col::MethodSemantics::Method) == Ok(method.row()))
        };
        match self.events().into_iter().find(is_accessor) {
            Some(event) => self.event(event),
            None => {
                let name = self.assembly.method(method).name();
                let property = ["get_", "set_"].iter().find_map(|prefix| name.strip_prefix(prefix));
                property.and_then(|name| self.extension_property(name)).or_else(|| self.method(method))
            }
        }
    }

    /// The symbol that a field belongs to: a property or event for what the compiler made for it.
    pub(in crate::code::navigate) fn of_field(&self, field: FieldId) -> Option<Symbol> {
        let name = self.assembly.metadata().string(field.row(), col::Field::Name).ok()?;
        let owned = |symbol: &Symbol| {
            let backs = |(name_, part): &(SymbolName, Part)| {
                *part == Part::Backing && name_.member == Some(MemberName::Field(name.to_owned()))
            };
            symbol.names.iter().any(backs)
        };
        if name.starts_with('<') {
            let mut properties = self.type_.property_ids().into_iter().filter_map(|id| self.property(id));
            return properties.find(owned);
        }
        let mut events = self.events().into_iter().filter_map(|row| self.event(row));
        events.find(owned).or_else(|| self.field(field))
    }
}

/// References are all alike in a signature; the parameter's row says which way the value goes.
fn with_direction(type_: String, passed: ParameterDirection) -> String {
    match (type_.strip_prefix("ref "), passed) {
        (Some(rest), ParameterDirection::Out) => format!("out {rest}"),
        (Some(rest), ParameterDirection::In) => format!("in {rest}"),
        _ => type_,
    }
}

fn is_implied(base: &str) -> bool {
    matches!(base, "System.Object" | "System.ValueType" | "System.Enum" | "System.MulticastDelegate")
}

fn generics(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
}

/// Namespace, types and type parameters as C# writes them.
fn type_display(type_: &TypeView<'_>) -> String {
    // Of `file` scope: the compiler put the file before the name.
    if type_.full_name().contains(">F") {
        return type_.source_name();
    }
    let namespace = type_.namespace();
    if namespace.is_empty() { type_.short_name() } else { format!("{namespace}.{}", type_.short_name()) }
}
