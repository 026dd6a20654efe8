//! A method as people name it for a debugger: `Order.Add(int, string)`, `Cache<TKey, TValue>.GetOrAdd`, ``Ns.Cache`2.GetOrAdd``,
//! `new Order`, `Order.Total`, `Main.Local`, `Money.operator +`. This file reads the text; `matching` finds what it means.

mod declaration;
mod matching;
mod overloads;
mod parameters;
mod reflection;

use super::names::path;
use super::names::{parse_type, without_label};
use super::signatures::{Primitive, TypeSig};

/// A method as it was asked for. Any tail of the full name will do; whatever is not said (arities, parameters) fits anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodQuery {
    /// `Shop.dll!…`: the file name of the module, with or without its extension.
    module: Option<String>,
    /// `global::…`: the path is complete.
    is_global: bool,
    path: Vec<Part>,
    parameters: Option<Vec<TypeSig>>,
    /// Of a conversion (`implicit operator int`), or where a declaration was copied (`int Order.Add(int)`).
    returns: Option<TypeSig>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    name: String,
    /// `None`: not said.
    arity: Option<usize>,
    /// Type arguments as written, empty ones left out.
    arguments: Vec<String>,
}

impl Part {
    fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), arity: None, arguments: Vec::new() }
    }

    fn argument_types(&self) -> Vec<Option<TypeSig>> {
        self.arguments.iter().map(|written| parse_type(written)).collect()
    }
}

impl MethodQuery {
    /// `None` for what cannot be a method's name: `Add(`, `a b`, `1 + 2`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut query = Self::read(text)?;
        let keyword = query.path.first().filter(|first| query.path.len() > 1 && first.arity.is_none());
        let full_name = keyword.and_then(|keyword| match keyword.name.as_str() {
            "decimal" => Some("System.Decimal"),
            name => Primitive::from_name(name).filter(|it| it.keyword() == name).map(Primitive::full_name),
        });
        if let Some(full_name) = full_name {
            query.path.splice(..1, full_name.split('.').map(Part::plain));
        }
        Some(query)
    }

    /// With the keyword of a type as it was written.
    fn read(text: &str) -> Option<Self> {
        let (module, text) = split_module(declaration::of_trace(text.trim()));
        // the ids of XML documentation
        let text = text.strip_prefix("M:").unwrap_or(text);
        let (is_global, text) = match text.strip_prefix("global::") {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text),
        };
        // disassemblers write the method behind two colons
        let text = text.replace("::", ".");
        let text = text.as_str();
        let query = Self { module, is_global, path: Vec::new(), parameters: None, returns: None };
        if let Some(created) = text.strip_prefix("new ") {
            let (type_, parameters) = split_parameters(created)?;
            let mut path = dotted(type_)?;
            path.push(Part::plain(".ctor"));
            return Some(Self { path, parameters, ..query });
        }
        if let Some((owner, name, rest)) = split_operator(text) {
            let (sign, parameters) = split_parameters(rest)?;
            let sign = sign.trim();
            let mut path = if owner.is_empty() { Vec::new() } else { dotted(owner)? };
            let is_conversion = name != "operator";
            path.push(Part::plain(&if is_conversion { name } else { format!("operator {sign}") }));
            let returns = match is_conversion && !sign.is_empty() {
                true => Some(parse_type(sign)?),
                false => None,
            };
            return Some(Self { path, parameters, returns, ..query });
        }
        if let Some((owner, indices)) = split_indexer(text) {
            let mut path = if owner.is_empty() { Vec::new() } else { dotted(owner)? };
            path.push(Part::plain("this"));
            let parameters = if indices.trim().is_empty() { None } else { Some(types(indices)?) };
            return Some(Self { path, parameters, ..query });
        }
        let (name, parameters) = split_parameters(text)?;
        let (returns, name) = declaration::split_return(name, parameters.is_some())?;
        let mut path = dotted(name)?;
        if let Some(last) = path.last_mut().filter(|last| last.name.starts_with('~')) {
            *last = Part::plain("Finalize");
        }
        Some(Self { path, parameters, returns, ..query })
    }

    /// The last part of its name, as written: what a similar name is looked for by.
    pub fn short(&self) -> String {
        let names: Vec<&str> = self.path.iter().rev().take(2).map(|part| part.name.as_str()).collect();
        names.into_iter().rev().collect::<Vec<_>>().join(".")
    }
}

fn split_module(text: &str) -> (Option<String>, &str) {
    match text.split_once('!') {
        Some((module, rest))
            if !rest.is_empty()
                && !module.is_empty()
                && !module.contains([' ', '('])
                && !module.ends_with("operator") =>
        {
            (Some(module.to_owned()), rest.trim_start())
        }
        _ => (None, text),
    }
}

/// Type, name and what follows it: `("Money", "operator", "+ (Money, Money)")`, `("Money", "implicit operator", "int")`.
fn split_operator(text: &str) -> Option<(&str, String, &str)> {
    let (before, after) = text.split_once("operator")?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if before.ends_with(is_word) || after.starts_with(is_word) || after.is_empty() {
        return None;
    }
    let before = before.trim_end();
    for kind in ["implicit", "explicit"] {
        if let Some(owner) = before.strip_suffix(kind).filter(|owner| !owner.ends_with(is_word)) {
            return Some((owner.trim_end_matches('.'), format!("{kind} operator"), after));
        }
    }
    Some((before.trim_end_matches('.'), "operator".to_owned(), after))
}

/// `Order.this[int]` → `Order` and `int`.
fn split_indexer(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_suffix(']')?;
    let (owner, indices) = inside.split_once("this[")?;
    let owner = match owner.strip_suffix('.') {
        Some(owner) => owner,
        None if owner.is_empty() => owner,
        None => return None,
    };
    Some((owner, indices))
}

/// The name and the types between the parentheses behind it; `None` where they do not close.
fn split_parameters(text: &str) -> Option<(&str, Option<Vec<TypeSig>>)> {
    let text = text.trim();
    let mut depth = 0i32;
    let open = text.char_indices().find_map(|(at, c)| {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            // `operator <` and `operator >>` have brackets of no pair
            '(' if depth <= 0 || !text.get(at..).is_some_and(|rest| rest.contains('>')) => return Some(at),
            _ => {}
        }
        None
    });
    let Some(open) = open else { return Some((text, None)) };
    let (name, rest) = text.split_at_checked(open)?;
    let inside = rest.strip_prefix('(')?.strip_suffix(')')?;
    Some((name.trim_end(), Some(types(inside)?)))
}

/// `int, ref string name` → the types alone.
fn types(text: &str) -> Option<Vec<TypeSig>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    let one = |text: &str| {
        let mut text = text.trim();
        let mut is_reference = false;
        while let Some((modifier, rest)) = text.split_once(' ') {
            match modifier {
                "ref" | "out" | "in" => is_reference = true,
                "params" | "this" | "scoped" | "readonly" => {}
                _ => break,
            }
            text = rest.trim_start();
        }
        let type_ = declaration::parse_type(without_label(text))?;
        Some(if is_reference { TypeSig::ByRef(Box::new(type_)) } else { type_ })
    };
    path::arguments(text).into_iter().map(one).collect()
}

fn dotted(text: &str) -> Option<Vec<Part>> {
    let text: String =
        text.replace("``", "`").replace(".#", "..").chars().filter(|c| !matches!(c, ' ' | '@')).collect();
    let text = reflection::as_source(&text)?;
    let (segments, rest) = path::split(&text)?;
    if !rest.is_empty() {
        return None;
    }
    let part = |segment: &path::Segment<'_>| Part {
        name: segment.name.to_owned(),
        arity: (segment.arity > 0).then_some(segment.arity),
        arguments: segment.arguments.iter().filter(|written| !written.is_empty()).map(|it| (*it).to_owned()).collect(),
    };
    Some(segments.iter().map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Ns.Cache`2.GetOrAdd(int,string)`
    fn parsed(text: &str) -> Option<String> {
        let query = MethodQuery::parse(text)?;
        let part = |part: &Part| format!("{}{}", part.name, part.arity.map(|n| format!("`{n}")).unwrap_or_default());
        let path = query.path.iter().map(part).collect::<Vec<_>>().join("/");
        let types = |types: &[TypeSig]| types.iter().map(TypeSig::to_string).collect::<Vec<_>>().join(",");
        let parameters = query.parameters.as_deref().map(|list| format!("({})", types(list))).unwrap_or_default();
        let module = query.module.map(|module| format!("{module}!")).unwrap_or_default();
        let global = if query.is_global { "::" } else { "" };
        let returns = query.returns.map(|returns| format!(" as {returns}")).unwrap_or_default();
        Some(format!("{module}{global}{path}{parameters}{returns}"))
    }

    #[test]
    fn methods_are_read_in_every_spelling() {
        for (text, expected) in [
            ("Add", "Add"),
            (" Functions.Order.Add ", "Functions/Order/Add"),
            ("global::Functions.Order.Add", "::Functions/Order/Add"),
            ("Functions.dll!Order.Add", "Functions.dll!Order/Add"),
            ("Order.Add()", "Order/Add()"),
            ("Order.Add(int, string)", "Order/Add(int,string)"),
            ("Order.Add(System.Int32 line, ref string? text)", "Order/Add(int,ref string?)"),
            ("Order.Add(in int, String& text)", "Order/Add(ref int,ref String)"),
            ("int Order.Add(int)", "Order/Add(int) as int"),
            ("public static async Task<int> Order.Add(int line, string text)", "Order/Add(int,string) as Task<int>"),
            ("int32 Functions.Order::Add(int32, float64&)", "Functions/Order/Add(int,ref double) as int"),
            ("   at Functions.Order.Add(Int32 line) in /src/Library.cs:line 7", "Functions/Order/Add(Int32)"),
            ("Functions.Cache`2.Convert[TOther](TValue value)", "Functions/Cache`2/Convert`1(TValue)"),
            ("Convert[A,B](A a)", "Convert`2(A)"),
            ("Order.Add(IEnumerable<int> lines)", "Order/Add(IEnumerable<int>)"),
            ("Cache.GetOrAdd", "Cache/GetOrAdd"),
            ("Cache<TKey, TValue>.GetOrAdd", "Cache`2/GetOrAdd"),
            ("Cache<,>.GetOrAdd", "Cache`2/GetOrAdd"),
            ("Functions.Cache`2.Convert``1", "Functions/Cache`2/Convert`1"),
            ("Convert<TOther>", "Convert`1"),
            ("GetOrAdd(TKey, Func<TKey, TValue>)", "GetOrAdd(TKey,Func<TKey, TValue>)"),
            ("Functions.Cache`2+Statistics`1.Record", "Functions/Cache`2/Statistics`1/Record"),
            ("Outer+Inner.Run", "Outer/Inner/Run"),
            ("Order..ctor", "Order/.ctor"),
            ("Shapes..cctor", "Shapes/.cctor"),
            ("M:Functions.Order.#ctor", "Functions/Order/.ctor"),
            ("new Order", "Order/.ctor"),
            ("new Functions.Order(string, int)", "Functions/Order/.ctor(string,int)"),
            ("Order.~Order", "Order/Finalize"),
            ("Functions.Cache`2::GetOrAdd", "Functions/Cache`2/GetOrAdd"),
            ("Functions.Order::.ctor(string)", "Functions/Order/.ctor(string)"),
            ("Cache`2[System.String,System.Int32].GetOrAdd", "Cache`2/GetOrAdd"),
            ("Cache`2[[System.String, mscorlib],[System.Int32, mscorlib]].GetOrAdd", "Cache`2/GetOrAdd"),
            ("Cache`2+Statistics`1[System.String,System.Int32,System.Int64].Record", "Cache`2/Statistics`1/Record"),
            ("Money.operator +", "Money/operator +"),
            ("Money.operator <(Money, Money)", "Money/operator <(Money,Money)"),
            ("Money.operator !=", "Money/operator !="),
            ("Money.implicit operator int", "Money/implicit operator as int"),
            ("Order.this[int]", "Order/this(int)"),
            ("this[]", "this"),
            ("Order.System.IDisposable.Dispose", "Order/System/IDisposable/Dispose"),
            ("Program.<Main>$", "Program/<Main>$"),
            ("@class.@event", "class/event"),
            ("List<(int, string)>.Add((int, string))", "List`1/Add((int, string))"),
        ] {
            assert_eq!(parsed(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_a_method_is_refused() {
        for text in
            ["", "Add(", "Add)", "Add(int", "a.", "List<int", "Add(int[3])", "x[0]", "a b", "Order Add", "a b c()"]
        {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
