//! Whatever is written: no text ends the process, and numbers are what the processor makes of them.

use proptest::prelude::*;

use super::{evaluated, framework, opened};
use crate::types::TypeSystem;

/// An expression of `int`s as text, and its value; `None` where it divides by zero.
#[derive(Debug, Clone)]
struct Written {
    text: String,
    value: Option<i32>,
}

fn expressions() -> impl Strategy<Value = Written> {
    let leaf = any::<i16>().prop_map(|number| Written { text: format!("({number})"), value: Some(number.into()) });
    leaf.prop_recursive(5, 48, 2, |inner| {
        (inner.clone(), inner, 0..10usize).prop_map(|(left, right, operator)| {
            let signs = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];
            let text = format!("({} {} {})", left.text, signs[operator], right.text);
            let value = left.value.zip(right.value).and_then(|(left, right)| match operator {
                0 => Some(left.wrapping_add(right)),
                1 => Some(left.wrapping_sub(right)),
                2 => Some(left.wrapping_mul(right)),
                3 if right != 0 => Some(left.wrapping_div(right)),
                4 if right != 0 => Some(left.wrapping_rem(right)),
                5 => Some(left & right),
                6 => Some(left | right),
                7 => Some(left ^ right),
                8 => Some(left.wrapping_shl(right as u32)),
                9 => Some(left.wrapping_shr(right as u32)),
                _ => None,
            });
            Written { text, value }
        })
    })
}

proptest! {
    #[test]
    fn numbers_are_computed_as_the_processor_does(written in expressions()) {
        let found = evaluated(&TypeSystem::default(), &format!("unchecked({})", written.text));
        match written.value {
            Some(value) => prop_assert_eq!(found, value.to_string()),
            None => prop_assert!(found.contains("CS0020") || found.contains("DivideByZero") || found.contains("Overflow"), "{}", found),
        }
    }

    #[test]
    fn no_text_ends_the_process(text in ".{0,60}") {
        evaluated(&TypeSystem::default(), &text);
    }
}

#[test]
fn no_expression_of_known_words_ends_the_process() {
    let words = [
        "1",
        "\"a\"",
        "null",
        "default",
        "x",
        "int",
        "System",
        "new",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "=>",
        "is",
        "as",
        "switch",
        "with",
        "and",
        "not",
        "..",
        "^",
        "?",
        ":",
        "?.",
        "??",
        ".",
        ",",
        "+",
        "-",
        "=",
        "==",
        "+=",
        "_",
        "var",
        "out",
        "ref",
        "Where",
        "Length",
        "Item1",
        "typeof",
        "nameof",
        "checked",
        "from",
        "in",
        "select",
        "int?",
        "(1, 2)",
        "new[] { 1 }",
        "x => x",
        "string",
        "List<int>",
    ];
    let types = framework().map(opened).unwrap_or_default();
    let mut seed: u64 = 1;
    for _ in 0..20_000 {
        let mut text = String::new();
        let mut next = |most: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % most as u64) as usize
        };
        for _ in 0..next(9) + 1 {
            text.push_str(words[next(words.len())]);
            text.push(' ');
        }
        evaluated(&types, &text);
    }
}
