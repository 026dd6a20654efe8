//! How large values are.

use clr_metadata::TypeSig;

use super::Modules;

impl Modules {
    /// Bytes of a struct; `None` where metadata do not say it.
    pub(crate) fn struct_size(&self, type_: &TypeSig) -> Option<u32> {
        let TypeSig::Named(name) = type_ else { return None };
        let universe = self.universe();
        let (assembly, id) = universe.find_type(&name.full_name)?;
        let layout = universe.layout(&assembly, id, name).ok()?;
        Some(layout.size).filter(|_| layout.is_value_type)
    }
}
