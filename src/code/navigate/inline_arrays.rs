//! Fields whose type is an `[InlineArray]`: what is written to an element is written to the field.

use std::sync::Arc;

use super::Navigator;
use super::ancestors::Located;
use super::symbol::{Symbol, SymbolKind};
use clr_metadata::TypeSig;

/// Of inline arrays in inline arrays; real ones stay far below.
const DEEPEST: usize = 8;

impl Navigator {
    /// How many brackets behind a field's name lead to elements that lie in the field itself: 0 where it is no inline array.
    pub(super) fn inline_depth(&self, symbol: &Symbol) -> usize {
        let Some(home) = symbol.home.filter(|_| symbol.kind == SymbolKind::Field) else { return 0 };
        let own = || {
            let assembly = self.assembly(home.assembly)?;
            let type_ = assembly.find_definition(&symbol.type_name)?;
            let fields = assembly.type_(type_).fields();
            let field = fields.into_iter().find(|field| field.id.token() == home.token)?;
            Some((Located { assembly: Arc::clone(assembly), own: Some(home.assembly), type_ }, field.type_))
        };
        let Some((mut from, mut type_)) = own() else { return 0 };
        for depth in 0..DEEPEST {
            let TypeSig::Named(name) = &type_ else { return depth };
            let Some(array) = self.resolve(&from, &name.full_name) else { return depth };
            let view = array.assembly.type_(array.type_);
            let element = view.inline_array_length().and_then(|_| view.fields().into_iter().find(|it| !it.is_static));
            let Some(element) = element else { return depth };
            type_ = element.type_.substitute(&name.arguments, &[]);
            from = array;
        }
        DEEPEST
    }
}
