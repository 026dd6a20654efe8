//! Names of functions as breakpoints take them: any tail of the full name, without module, parameters and type arguments.

use crate::session::type_names;
use clr_metadata::{Assembly, MethodId};

/// Whether `wanted` is a tail of `name`: `Program.Main` of `Basics.Program.Main(string[] args)`.
pub fn means(wanted: &str, name: &str) -> bool {
    parts(name).ends_with(&parts(wanted))
}

fn parts(name: &str) -> Vec<&str> {
    let name = name.rsplit('!').next().unwrap_or(name);
    let name = name.split('(').next().unwrap_or(name);
    type_names::bare(name).split(['.', '+']).collect()
}

/// A method as stacks show it; its raw name where it has no other.
pub(super) fn describe(assembly: &Assembly, method: MethodId) -> String {
    match assembly.describe_method(method) {
        Some(name) => name.function,
        None => assembly.method(method).name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_of_whole_parts_means_the_function() {
        for wanted in ["Main", "Program.Main", "Basics.Program.Main", "Basics.dll!Program.Main", "Main(string[])"] {
            assert!(means(wanted, "Basics.Program.Main()"), "{wanted}");
        }
        for wanted in ["ain", "gram.Main", "Other.Main", "Main.Program"] {
            assert!(!means(wanted, "Basics.Program.Main()"), "{wanted}");
        }
        assert!(means("Outer.Inner.Run", "Space.Outer+Inner.Run"));
    }
}
