//! Words that are not names.

/// Reserved (ECMA-334, 6.4.4); an expression has them where a name could stand: values, types, operators before an operand.
#[rustfmt::skip]
const OF_OPERANDS: [&str; 26] = [
    "base", "bool", "byte", "char", "checked", "decimal", "default", "double", "false", "float", "int", "long", "new",
    "null", "object", "sbyte", "short", "sizeof", "string", "this", "true", "typeof", "uint", "ulong", "unchecked",
    "ushort",
];

/// The other reserved words.
#[rustfmt::skip]
const OTHERS: [&str; 51] = [
    "abstract", "as", "break", "case", "catch", "class", "const", "continue", "delegate", "do", "else", "enum", "event",
    "explicit", "extern", "finally", "fixed", "for", "foreach", "goto", "if", "implicit", "in", "interface", "internal",
    "is", "lock", "namespace", "operator", "out", "override", "params", "private", "protected", "public", "readonly",
    "ref", "return", "sealed", "stackalloc", "static", "struct", "switch", "throw", "try", "unsafe", "using", "virtual",
    "void", "volatile", "while",
];

/// Whether a word is reserved: as a name it needs an `@`.
pub fn is_keyword(word: &str) -> bool {
    is_operand_keyword(word) || OTHERS.contains(&word)
}

/// Whether a reserved word may stand where an expression can have a name.
pub fn is_operand_keyword(word: &str) -> bool {
    OF_OPERANDS.contains(&word)
}

/// Keywords in a query.
pub(super) const QUERY: [&str; 14] = [
    "from",
    "where",
    "join",
    "on",
    "equals",
    "into",
    "let",
    "orderby",
    "ascending",
    "descending",
    "select",
    "group",
    "by",
    "when",
];
