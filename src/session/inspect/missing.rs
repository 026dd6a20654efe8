//! Words for names that lead nowhere: which part of a path is null, which type has no such member and what it has instead, and
//! what exists but cannot be read here.

use super::evaluated::{NOTHING_RUNS, RUNS_NOTHING};
use super::reader::Reader;
use super::shape::MemberKind;
use clr_csharp::suggest::{did_you_mean, instead, nearest};

/// Names in scope that are listed.
const LISTED: usize = 12;

/// Whether a name that is no variable is a member of the frame's `this`: of a bare name adapters do not find a property that is hidden from
/// debuggers.
pub(super) async fn is_of_this(reader: &Reader, name: &str) -> bool {
    // asked for where there is none, it kills dncdbg
    let here = reader.variables().await.unwrap_or_default();
    let this = here.iter().find(|variable| variable.name == "this");
    this.is_some_and(|this| reader.modules.member_names(&this.type_name).iter().any(|known| known == name))
}

/// `order.Customer` is null.
pub fn of_null(parent: &str, name: &str) -> String {
    format!("`{parent}` is null, so it has no `{name}`")
}

/// A type without that member; `members`: what it has.
pub fn no_member(type_name: &str, name: &str, members: &[String]) -> String {
    format!("{type_name} has no member `{name}`{}", instead(name, members))
}

/// A name that is called and that nothing has, in the compiler's words; `methods`: what could be called.
pub fn no_method(name: &str, methods: &[String]) -> String {
    let meant = did_you_mean(&nearest(name, methods));
    format!("error CS0103: The name '{name}' does not exist in the current context{meant}")
}

/// A field or property that is called.
pub fn no_call(name: &str) -> String {
    format!("`{name}` is not a method: write it without `()`")
}

/// A method that is not called.
pub fn is_method(text: &str) -> String {
    format!("`{text}` is a method: call it, {text}(…)")
}

/// A variable that is called and is no delegate.
pub fn not_called(name: &str) -> String {
    format!("`{name}` is neither a method nor a delegate")
}

/// An index of an object that takes none.
pub fn no_indexer(type_name: &str) -> String {
    format!("{type_name} has no indexer")
}

/// One whose method has a name of the compiler's.
pub fn is_local_function(name: &str) -> String {
    format!("`{name}` is a local function, which the adapter cannot call")
}

/// A type where a value was meant; `members`: its static ones.
pub fn of_type(text: &str, members: &[String]) -> String {
    match members.first() {
        Some(first) => format!("`{text}` is a type, not a value; it has static members, such as {text}.{first}"),
        None => format!("`{text}` is a type, not a value, and has no static fields or properties"),
    }
}

/// A type that the adapter finds by its full name alone.
pub fn needs_full_name(name: &str, full_name: &str) -> String {
    format!("error CS0103: the name '{name}' does not exist here; write the full type name, {full_name}")
}

/// As [`no_member`], of a type's static members.
pub fn no_static(type_name: &str, name: &str, members: &[String]) -> String {
    no_member(type_name, name, members).replacen(" member ", " static member ", 1)
}

/// A member of objects that is asked of their type.
pub fn needs_object(type_name: &str, name: &str) -> String {
    format!(
        "error CS0120: An object reference is required for the non-static field, method, or property '{type_name}.{name}'"
    )
}

/// A static member that is there; its class may have to be initialized first, which takes a call.
pub fn unreadable_static(path: &str) -> String {
    format!("`{path}` is a static member that the adapter cannot access from this frame")
}

/// A static member asked of an object.
pub fn is_static(type_name: &str, name: &str) -> String {
    format!("`{name}` is static: read {type_name}.{name}")
}

/// Why nothing can be read in a frame that an exception's trace has.
pub const GONE: &str = "this frame no longer exists; only the exception's stack trace records it";

/// A name that the frame does not have; `in_scope`: what it has.
pub fn no_name(name: &str, in_scope: &[String]) -> String {
    if in_scope.is_empty() {
        return format!("error CS0103: the name '{name}' does not exist in this frame, which has no variables");
    }
    let begin = format!("error CS0103: the name '{name}' does not exist");
    let mut listed = in_scope.get(..LISTED).unwrap_or(in_scope).join(", ");
    if let Some(more) = in_scope.len().checked_sub(LISTED).filter(|more| *more > 0) {
        listed.push_str(&format!(" and {more} more"));
    }
    match did_you_mean(&nearest(name, in_scope)) {
        meant if meant.is_empty() => format!("{begin}; in scope: {listed}"),
        meant => format!("{begin}{meant} In scope: {listed}"),
    }
}

/// A name that the source has, in a frame of optimized code.
pub fn optimized_away(name: &str, in_scope: &[String]) -> String {
    const WHERE: &str = "does not exist in this optimized code, though its source has it";
    match in_scope {
        [] => format!("error CS0103: the name '{name}' {WHERE}"),
        _ => no_name(name, in_scope).replacen("does not exist", WHERE, 1),
    }
}

/// A name in a frame whose variables the adapter does not read: it may well exist.
pub fn unreadable_frame(name: &str, words: &str) -> String {
    format!("`{name}` cannot be read: the adapter refuses to list this frame's variables ({words})")
}

/// A member that is there and was not read.
pub fn unreadable(path: &str, kind: MemberKind, words: &str) -> String {
    let what = match kind {
        MemberKind::Field => "a field",
        MemberKind::Loads | MemberKind::Computed => "a property",
        MemberKind::Captured => return captured(path),
    };
    let words = words.trim_start_matches("error: ").trim();
    let says_nothing = words.is_empty() || words.contains("does not exist") || words.starts_with("0x");
    match kind {
        MemberKind::Field if says_nothing => format!("`{path}` is {what}: the adapter cannot find it"),
        // adapters say that the name does not exist where only the call is impossible
        MemberKind::Loads | MemberKind::Computed if says_nothing || words.contains(RUNS_NOTHING) => {
            format!("`{path}` is {what}, and {NOTHING_RUNS}")
        }
        _ => format!("`{path}` is {what}: {words}"),
    }
}

/// A parameter of a primary constructor that methods use.
pub fn captured(path: &str) -> String {
    format!("`{path}` is a captured parameter of the primary constructor; this adapter does not show its field")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_missing_member_names_its_type_and_what_resembles_it() {
        let members = names(&["Name", "Next", "_count"]);
        assert_eq!(no_member("Node", "Nxt", &members), "Node has no member `Nxt`; did you mean Next?");
        assert_eq!(no_member("Node", "Count", &members), "Node has no member `Count`; did you mean _count?");
        assert_eq!(no_member("Node", "Zebra", &members), "Node has no member `Zebra`; it has Name, Next, _count");
        assert_eq!(no_member("Node", "Zebra", &[]), "Node has no member `Zebra`");
    }

    #[test]
    fn what_is_called_and_missing_is_compared_with_methods() {
        let words = "error CS0103: The name 'IsGod' does not exist in the current context";
        assert_eq!(no_method("IsGod", &names(&["Main", "IsGood"])), format!("{words}; did you mean IsGood?"));
        assert_eq!(no_method("IsGod", &names(&["Main"])), words);
    }

    #[test]
    fn a_type_is_distinguished_from_a_value_that_is_missing() {
        let members = names(&["Open", "Count"]);
        assert_eq!(
            of_type("Shop.Store", &members),
            "`Shop.Store` is a type, not a value; it has static members, such as Shop.Store.Open"
        );
        assert_eq!(of_type("Line", &[]), "`Line` is a type, not a value, and has no static fields or properties");
        assert_eq!(no_static("Store", "Opn", &members), "Store has no static member `Opn`; did you mean Open?");
        assert_eq!(is_static("Store", "Open"), "`Open` is static: read Store.Open");
        assert_eq!(
            needs_full_name("Math", "System.Math"),
            "error CS0103: the name 'Math' does not exist here; write the full type name, System.Math"
        );
    }

    #[test]
    fn a_missing_name_lists_what_is_in_scope() {
        assert_eq!(
            no_name("ordr", &names(&["order", "x"])),
            "error CS0103: the name 'ordr' does not exist; did you mean order? In scope: order, x"
        );
        assert_eq!(no_name("zz", &names(&["order"])), "error CS0103: the name 'zz' does not exist; in scope: order");
        let many: Vec<String> = (1..=15).map(|n| format!("v{n}")).collect();
        let message = no_name("zebra", &many);
        assert!(
            message.ends_with("; in scope: v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12 and 3 more"),
            "{message}"
        );
        assert!(no_name("v15x", &many).contains("did you mean v15,"), "a suggestion may be one that is not listed");
        assert_eq!(
            no_name("zz", &[]),
            "error CS0103: the name 'zz' does not exist in this frame, which has no variables"
        );
    }
}
