//! Whether a call that names one member may run another: C# names the first declaration (`object.ToString`) of what a variable's type
//! overrides, so a call says by its object what it means.

use std::collections::HashMap;
use std::sync::Arc;

use super::Navigator;
use super::ancestors::{Ancestor, Located};
use super::symbol::Symbol;
use super::wanted::Wanted;
use clr_metadata::{Access, Dispatch, MemberName, MethodId, Primitive, TypeId, TypeSig, Usage, col};

/// A call, seen from the member that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The object's type takes the member from where it was asked for.
    Own,
    /// The object may be of that type.
    Maybe,
    Never,
}

/// What was asked for, and what is known of the types of objects.
pub(super) struct Reaching<'a> {
    navigator: &'a Navigator,
    /// Type of the members, and what it derives from and implements; `None`: a framework's.
    asked: Option<(Located, Vec<Ancestor>)>,
    /// Metadata names of their methods.
    methods: Vec<String>,
    type_name: String,
    known: HashMap<(usize, String), Reach>,
}

impl<'a> Reaching<'a> {
    /// `symbols` are members of one type.
    pub(super) fn of(navigator: &'a Navigator, symbols: &[Symbol]) -> Self {
        let first = symbols.first();
        let type_name = first.map(|symbol| symbol.type_name.clone()).unwrap_or_default();
        let home = first.and_then(|symbol| symbol.home).map(|home| home.assembly);
        let asked = home.and_then(|own| {
            let assembly = Arc::clone(navigator.assembly(own)?);
            let type_ = assembly.find_type(&type_name)?;
            let above = navigator.ancestors(own, type_);
            Some((Located { assembly, own: Some(own), type_ }, above))
        });
        let names = symbols.iter().flat_map(|symbol| &symbol.names).filter_map(|(name, _)| match &name.member {
            Some(MemberName::Method(name, _)) => Some(name.clone()),
            _ => None,
        });
        Self { navigator, asked, methods: names.collect(), type_name, known: HashMap::new() }
    }

    /// The uses that may be of the members, each with the member that the code names where that is another.
    pub(super) fn only(&mut self, index: usize, hits: Vec<Usage>, wanted: &Wanted) -> Vec<(Usage, Option<String>)> {
        let Some(assembly) = self.navigator.assembly(index).cloned() else { return Vec::new() };
        let mut kept = Vec::with_capacity(hits.len());
        for hits in hits.chunk_by(|a, b| a.method == b.method) {
            let is_call = |hit: &&Usage| matches!(hit.access, Access::Call | Access::Delegate);
            // Of a member itself only a value type's own override is another: then the call is constrained.
            let is_open = |hit: &&Usage| {
                let is_via = wanted.via(hit.wanted).is_some();
                is_call(hit) && (is_via || assembly.may_be_constrained(hit.method, hit.il_offset))
            };
            let offsets: Vec<u32> = hits.iter().filter(is_open).map(|hit| hit.il_offset).collect();
            let method = hits.first().map_or(MethodId(0), |hit| hit.method);
            let mut dispatches = match offsets.is_empty() {
                true => Vec::new(),
                false => assembly.dispatches(method, &offsets),
            }
            .into_iter();
            for hit in hits {
                let dispatch = if is_open(&hit) { dispatches.next() } else { None };
                let via = wanted.via(hit.wanted);
                if via.is_some() && !self.has_arguments_of(&assembly.declaring_signature(hit.token)) {
                    continue;
                }
                match (self.reach(index, dispatch, via.is_some()), via) {
                    (Reach::Never, _) => {}
                    (Reach::Maybe, Some(via)) => kept.push((*hit, Some(via.to_owned()))),
                    (..) => kept.push((*hit, None)),
                }
            }
        }
        kept
    }

    fn reach(&mut self, index: usize, dispatch: Option<Dispatch>, is_via: bool) -> Reach {
        match (dispatch, is_via) {
            (Some(Dispatch::Constrained(type_)), false) if self.has_its_own(index, &type_) => Reach::Never,
            (_, false) => Reach::Own,
            (Some(Dispatch::Exact), true) => Reach::Never,
            (Some(Dispatch::Virtual(Some(type_)) | Dispatch::Constrained(type_)), true) => self.reach_of(index, &type_),
            (None | Some(Dispatch::Virtual(None)), true) => Reach::Maybe,
        }
    }

    /// A value type's own override is called itself.
    fn has_its_own(&self, index: usize, type_: &TypeSig) -> bool {
        let at = type_.full_name().filter(|name| *name != self.type_name).and_then(|name| self.locate(index, name));
        at.is_some_and(|at| at.assembly.type_(at.type_).is_value_type() && self.overrides(&at))
    }

    fn reach_of(&mut self, index: usize, object: &TypeSig) -> Reach {
        let Some(name) = object.full_name() else { return Reach::Maybe };
        let key = (index, name.to_owned());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let reach = self.reach_of_type(index, name);
        self.known.insert(key, reach);
        reach
    }

    fn reach_of_type(&self, index: usize, name: &str) -> Reach {
        let Some((asked, above)) = &self.asked else { return Reach::Maybe };
        if name == self.type_name {
            return Reach::Own;
        }
        if above.iter().any(|it| it.at.full_name() == name) {
            return Reach::Maybe;
        }
        let Some(at) = self.locate(index, name) else { return Reach::Maybe };
        if at.assembly.type_(at.type_).is_interface() {
            return Reach::Maybe;
        }
        let Some(own) = at.own else { return Reach::Never };
        let bases: Vec<Located> = self.navigator.ancestors(own, at.type_).into_iter().map(|it| it.at).collect();
        let is_below = bases.iter().any(|it| it.is(asked));
        let is_above = |name: &str| above.iter().any(|it| it.at.full_name() == name);
        let is_overridden = |it: &Located| !it.is(asked) && !is_above(&it.full_name()) && self.overrides(it);
        match is_below && !std::iter::once(&at).chain(&bases).any(is_overridden) {
            true => Reach::Own,
            false => Reach::Never,
        }
    }

    /// Whether a call of a member of `named` may run one of the members that were asked for, as far as type arguments show: who takes
    /// `IStore<Book>.Add` is not called as `IStore<string>.Add`.
    fn has_arguments_of(&self, named: &Option<TypeSig>) -> bool {
        let (Some((_, above)), Some(TypeSig::Named(named))) = (&self.asked, named) else { return true };
        let mut same = above.iter().filter(|it| it.at.full_name() == named.full_name).peekable();
        named.arguments.is_empty() || same.peek().is_none() || same.any(|it| self.may_be(it, &named.arguments))
    }

    /// Whether an object of that interface may be used as one with those arguments.
    fn may_be(&self, ancestor: &Ancestor, arguments: &[TypeSig]) -> bool {
        let variances = ancestor.variances();
        let mut pairs = ancestor.arguments.iter().zip(arguments).zip(0..);
        pairs.all(|((own, named), number)| {
            let is_same = own.short() == named.short();
            is_same
                || is_open(own)
                || is_open(named)
                || match variances.iter().find(|(at, _)| *at == number) {
                    Some((_, Variance::Out)) => self.may_convert(own, named),
                    Some((_, Variance::In)) => self.may_convert(named, own),
                    None => false,
                }
        })
    }

    /// Whether a reference to the one may be used as one to the other. What no type of the workspace is is not followed.
    fn may_convert(&self, from: &TypeSig, to: &TypeSig) -> bool {
        if is_value(from) || is_value(to) {
            return false;
        }
        let (TypeSig::Named(from), Some(to)) = (from, to.full_name()) else { return true };
        let index = self.asked.as_ref().and_then(|(asked, _)| asked.own);
        let located = index.and_then(|index| self.locate(index, &from.full_name));
        let Some((own, at)) = located.and_then(|at| Some((at.own?, at))) else { return true };
        to == "System.Object" || self.navigator.ancestors(own, at.type_).iter().any(|it| it.at.full_name() == to)
    }

    fn locate(&self, index: usize, name: &str) -> Option<Located> {
        let assembly = Arc::clone(self.navigator.assembly(index)?);
        self.navigator.resolve(&Located { assembly, own: Some(index), type_: TypeId(0) }, name)
    }

    fn overrides(&self, at: &Located) -> bool {
        at.assembly.type_(at.type_).methods().any(|method| {
            let view = at.assembly.method(method);
            let is_named = self.methods.iter().any(|name| name == view.name());
            is_named && view.is_virtual() && !view.is_new_slot()
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variance {
    Out,
    In,
}

impl Ancestor {
    /// Of its type parameters, by number (ECMA-335 II.23.1.7).
    fn variances(&self) -> Vec<(u32, Variance)> {
        const VARIANCE: u32 = 3;
        let metadata = self.at.assembly.metadata();
        let parameters = metadata.rows_of(col::GenericParam::Owner, self.at.type_.token());
        let variance = |row| {
            let kind = match metadata.cell(row, col::GenericParam::Flags).ok()? & VARIANCE {
                1 => Variance::Out,
                2 => Variance::In,
                _ => return None,
            };
            Some((metadata.cell(row, col::GenericParam::Number).ok()?, kind))
        };
        parameters.filter_map(variance).collect()
    }
}

/// Variance is of references alone.
fn is_value(type_: &TypeSig) -> bool {
    match type_ {
        TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::Object | Primitive::String),
        TypeSig::Named(name) => name.is_value_type,
        _ => false,
    }
}

/// Whether a type parameter is in it, which may stand for anything.
fn is_open(type_: &TypeSig) -> bool {
    type_.short().contains('!')
}

impl Located {
    pub(super) fn has_method_of(&self, names: &[&str]) -> bool {
        self.assembly.type_(self.type_).methods().any(|method| names.contains(&self.assembly.method(method).name()))
    }

    pub(super) fn full_name(&self) -> String {
        self.assembly.type_(self.type_).full_name()
    }

    fn is(&self, other: &Self) -> bool {
        self.own == other.own && self.type_ == other.type_ && self.assembly.name() == other.assembly.name()
    }
}
