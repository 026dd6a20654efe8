//! What metadata tells of a type: how its values are shown and which members may be read without running code.

/// One instance member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub kind: MemberKind,
    /// The field that a load reads: its own name, the one a getter loads, `<Name>k__BackingField`. `None` where a getter computes.
    pub field: Option<String>,
    /// The declared type, as C# prints it with namespaces.
    pub declared: String,
    /// A number, bool, char, string, enum or the like: shown first in a preview.
    pub simple: bool,
    /// DebuggerBrowsable(Never).
    pub hidden: bool,
    /// A field that a property of the object shows already.
    pub repeats: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberKind {
    Field,
    /// A getter that only loads a field.
    Loads,
    /// A getter that runs code.
    Computed,
}

/// How values of a type are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Form {
    /// Type, members.
    Object,
    /// `[a, b]`
    Collection(Collection),
    /// One of the framework's plain values, in C# or ISO form.
    Wellknown(Wellknown),
    Tuple(usize),
    Delegate,
    /// A type of the framework: nothing of its inside is for people.
    Opaque,
    /// No metadata.
    #[default]
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wellknown {
    DateTime,
    DateTimeOffset,
    DateOnly,
    TimeOnly,
    TimeSpan,
    Guid,
    IntPtr,
    KeyValuePair,
}

/// Where a framework collection keeps its elements (System.Private.CoreLib and System.Collections, .NET 8 and 10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Collection {
    /// `items` is an array, `size` its used length.
    List { items: &'static str, size: &'static str },
    /// Entries with `next` >= -1 are live; `value` only for dictionaries.
    Hash { key: &'static str, value: Option<&'static str>, next: &'static str },
    /// A ring.
    Queue,
    /// Newest first.
    Stack,
    /// Wraps another collection in this field.
    Wraps(&'static str),
    /// Two arrays.
    SortedList,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shape {
    pub form: Form,
    /// Fields first, then properties, each from the most derived type down to its bases.
    pub members: Vec<Member>,
    /// Underlying names are told by the adapter; this only says that it is an enum.
    pub is_enum: bool,
    pub is_exception: bool,
    pub is_value_type: bool,
}

impl Shape {
    /// Every member loads only: listing them runs no code worth the name.
    pub fn all_safe(&self) -> bool {
        !matches!(self.form, Form::Unknown | Form::Opaque | Form::Delegate)
            && self.members.iter().all(|member| member.kind != MemberKind::Computed)
    }

    /// The members of a preview in its order: simple properties, simple fields, then the rest.
    pub fn preview(&self) -> Vec<&Member> {
        let mut list: Vec<&Member> = self
            .members
            .iter()
            .filter(|member| member.kind != MemberKind::Computed && !member.hidden && !member.repeats)
            .collect();
        list.sort_by_key(|member| (!member.simple, member.kind == MemberKind::Field));
        list
    }
}

/// The form of a framework type by its full name without arguments.
pub fn framework_form(bare: &str, arguments: usize) -> Option<Form> {
    let generic = |name: &str| bare.strip_prefix("System.Collections.Generic.") == Some(name);
    let wellknown = match bare {
        "System.DateTime" => Some(Wellknown::DateTime),
        "System.DateTimeOffset" => Some(Wellknown::DateTimeOffset),
        "System.DateOnly" => Some(Wellknown::DateOnly),
        "System.TimeOnly" => Some(Wellknown::TimeOnly),
        "System.TimeSpan" => Some(Wellknown::TimeSpan),
        "System.Guid" => Some(Wellknown::Guid),
        "System.IntPtr" | "System.UIntPtr" | "nint" | "nuint" | "IntPtr" | "UIntPtr" => Some(Wellknown::IntPtr),
        "System.Collections.Generic.KeyValuePair" => Some(Wellknown::KeyValuePair),
        _ => None,
    };
    if let Some(known) = wellknown {
        return Some(Form::Wellknown(known));
    }
    if bare == "System.ValueTuple" {
        return Some(Form::Tuple(arguments));
    }
    let collection = if generic("List") {
        Collection::List { items: "_items", size: "_size" }
    } else if generic("Dictionary") {
        Collection::Hash { key: "key", value: Some("value"), next: "next" }
    } else if generic("HashSet") {
        Collection::Hash { key: "Value", value: None, next: "Next" }
    } else if generic("Queue") {
        Collection::Queue
    } else if generic("Stack") {
        Collection::Stack
    } else if generic("SortedList") {
        Collection::SortedList
    } else {
        match bare {
            "System.Collections.ObjectModel.ReadOnlyCollection" => Collection::Wraps("list"),
            "System.Collections.ObjectModel.Collection" | "System.Collections.ObjectModel.ObservableCollection" => {
                Collection::Wraps("items")
            }
            "System.Collections.ObjectModel.ReadOnlyDictionary" => Collection::Wraps("m_dictionary"),
            "System.Collections.Immutable.ImmutableArray" => Collection::Wraps("array"),
            "System.Collections.ArrayList" => Collection::List { items: "_items", size: "_size" },
            _ => return None,
        }
    };
    Some(Form::Collection(collection))
}
