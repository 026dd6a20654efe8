//! The names under which operators are methods (ECMA-335 I.10.3).

const OPERATORS: [(&str, &str); 51] = [
    ("op_UnaryPlus", "+"),
    ("op_UnaryNegation", "-"),
    ("op_CheckedUnaryNegation", "checked -"),
    ("op_LogicalNot", "!"),
    ("op_OnesComplement", "~"),
    ("op_Increment", "++"),
    ("op_CheckedIncrement", "checked ++"),
    ("op_Decrement", "--"),
    ("op_CheckedDecrement", "checked --"),
    ("op_True", "true"),
    ("op_False", "false"),
    ("op_Addition", "+"),
    ("op_CheckedAddition", "checked +"),
    ("op_Subtraction", "-"),
    ("op_CheckedSubtraction", "checked -"),
    ("op_Multiply", "*"),
    ("op_CheckedMultiply", "checked *"),
    ("op_Division", "/"),
    ("op_CheckedDivision", "checked /"),
    ("op_Modulus", "%"),
    ("op_BitwiseAnd", "&"),
    ("op_BitwiseOr", "|"),
    ("op_ExclusiveOr", "^"),
    ("op_LeftShift", "<<"),
    ("op_RightShift", ">>"),
    ("op_UnsignedRightShift", ">>>"),
    ("op_Equality", "=="),
    ("op_Inequality", "!="),
    ("op_LessThan", "<"),
    ("op_GreaterThan", ">"),
    ("op_LessThanOrEqual", "<="),
    ("op_GreaterThanOrEqual", ">="),
    ("op_AdditionAssignment", "+="),
    ("op_SubtractionAssignment", "-="),
    ("op_MultiplicationAssignment", "*="),
    ("op_DivisionAssignment", "/="),
    ("op_ModulusAssignment", "%="),
    ("op_BitwiseAndAssignment", "&="),
    ("op_BitwiseOrAssignment", "|="),
    ("op_ExclusiveOrAssignment", "^="),
    ("op_LeftShiftAssignment", "<<="),
    ("op_RightShiftAssignment", ">>="),
    ("op_UnsignedRightShiftAssignment", ">>>="),
    ("op_IncrementAssignment", "++"),
    ("op_DecrementAssignment", "--"),
    ("op_CheckedAdditionAssignment", "checked +="),
    ("op_CheckedSubtractionAssignment", "checked -="),
    ("op_CheckedMultiplicationAssignment", "checked *="),
    ("op_CheckedDivisionAssignment", "checked /="),
    ("op_CheckedIncrementAssignment", "checked ++"),
    ("op_CheckedDecrementAssignment", "checked --"),
];

/// The name that C# declares an operator by: `operator +`, `implicit operator` (its type follows). `None` of other methods.
pub fn operator_name(method: &str) -> Option<String> {
    operator(method).map(|sign| format!("operator {sign}")).or_else(|| conversion(method).map(str::to_owned))
}

/// `op_Addition` → `+`.
pub(super) fn operator(name: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
}

/// `op_Implicit` → `implicit operator`: its name is its return type.
pub(super) fn conversion(name: &str) -> Option<&'static str> {
    match name {
        "op_Implicit" => Some("implicit operator"),
        "op_Explicit" => Some("explicit operator"),
        "op_CheckedExplicit" => Some("explicit operator checked"),
        _ => None,
    }
}
