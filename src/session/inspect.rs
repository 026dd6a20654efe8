//! Reading a stopped program: frames, values, expressions.
//!
//! Everything here works on a [`Reader`] that is bound to one stop and one frame, asks the adapter and reads metadata;
//! it changes no session state. The race to remember: a resume makes every frame id and reference stale, so the actor
//! settles these jobs before it resumes.
//!
//! What is read (values, elements, fields, shapes, why there is none) is declared below what reads it. Four cycles remain, since
//! values are made of values: `collections` and `delegates` are shown in a `preview` by what is in them, which follows the `path` of a
//! display, and the `refusal` of a path walks it to the member that is missing; `members` are `expand`ed as the object is that has them; what an
//! expression `made` has parts that are each a `raw_value`; and the variables around a local function, `captured` by it, are read
//! by the `reader` of another of the `frames` of its stack, which also reads the field of the `wide_enums` that it lists.

mod access;
pub mod backing;
mod bounds;
pub mod budget;
mod captured;
pub mod collections;
pub mod concurrent;
pub mod delegates;
pub mod display;
pub mod escapes;
mod exact;
mod element;
pub mod evaluate;
pub mod evaluated;
pub mod exception;
pub mod expand;
mod expando;
pub mod field_values;
pub mod fields;
mod cycles;
mod finished;
mod halves;
mod handled;
mod invocation;
pub mod forced;
pub mod frames;
pub mod listing;
mod known_frames;
mod layouts;
pub mod literal;
pub mod locals;
pub mod lock;
mod lone_names;
pub mod made;
mod made_there;
mod members;
pub mod message;
pub(super) mod native;
pub mod missing;
pub mod nodes;
pub mod nullable;
pub mod number_format;
pub mod object;
pub mod own_message;
pub mod path;
pub mod preview;
mod pure_members;
mod raw_value;
pub mod reader;
mod refusal;
mod run_time_type;
pub mod scattered;
pub mod shape;
mod shared_code;
mod side_by_side;
pub mod specifiers;
pub mod spelling;
pub mod statics;
pub mod text;
pub mod stack_frame;
pub mod stale_keys;
pub mod threw;
pub mod wellknown;
pub mod walks;
mod wide_enums;
pub mod world;

pub use access::{Access, ReadError};
pub use budget::Budget;
pub use invocation::Invocation;
pub use known_frames::KnownFrames;
pub use lone_names::lone_names;
pub use raw_value::RawValue;
pub use reader::{OUT_OF_TIME, Reader};
pub use shape::KnownShapes;
use side_by_side::side_by_side;
