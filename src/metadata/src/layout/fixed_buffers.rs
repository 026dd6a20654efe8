//! Buffers that `fixed` declares in a struct: the compiler makes a type of each, as large as all elements, whose only field is the first.

use super::reading::{class_layout, size_of};
use crate::signatures::TypeSig;
use crate::types::TypeView;

impl TypeView<'_> {
    /// How often the only field of a struct is repeated: of `[InlineArray]`, and of a buffer that `fixed` declares.
    pub fn repeated_length(&self) -> Option<u32> {
        self.inline_array_length().or_else(|| self.fixed_buffer_length())
    }

    /// How many elements a type has that stands for such a buffer.
    pub fn fixed_buffer_length(&self) -> Option<u32> {
        if !self.name().ends_with("e__FixedBuffer") || !self.is_value_type() {
            return None;
        }
        let fields = self.fields();
        let mut own = fields.iter().filter(|field| !field.is_static);
        let (Some(TypeSig::Primitive(element)), None) = (own.next().map(|field| &field.type_), own.next()) else {
            return None;
        };
        let (_, size) = class_layout(self);
        size.checked_div(size_of(*element)?).filter(|length| *length > 0)
    }
}
