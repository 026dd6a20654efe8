// What a name does where it stands.
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

static class Places
{
    /// The whole expression that a name ends: `a.b.Name`, `Name<int>`, `x?.Name`, `Name!`.
    public static SyntaxNode Whole(SyntaxNode name)
    {
        while (true)
        {
            switch (name.Parent)
            {
                case MemberAccessExpressionSyntax access when access.Name == name:
                case QualifiedNameSyntax qualified when qualified.Right == name:
                case AliasQualifiedNameSyntax alias when alias.Name == name:
                case MemberBindingExpressionSyntax:
                case ParenthesizedExpressionSyntax:
                case PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression }:
                case ConditionalAccessExpressionSyntax conditional when conditional.WhenNotNull == name:
                case NullableTypeSyntax:
                    name = name.Parent;
                    break;
                default:
                    return name;
            }
        }
    }

    public static bool IsOnlyMentioned(SyntaxNode node) =>
        node.Ancestors().Any(it => it is CrefSyntax
            || it is InvocationExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.Text: "nameof" }, ArgumentList.Arguments.Count: 1 });

    /// Of a field, property, indexer or event: the form of a write, null for a read.
    public static string? Write(SyntaxNode whole)
    {
        switch (whole.Parent)
        {
            case AssignmentExpressionSyntax assignment when assignment.Left == whole:
                if (assignment.Parent is InitializerExpressionSyntax)
                {
                    // `{ Items = { 1, 2 } }` adds to what the property gives.
                    return assignment.Right is InitializerExpressionSyntax ? null : "initializer";
                }
                return assignment.IsKind(SyntaxKind.SimpleAssignmentExpression) ? "simple" : "compound";
            case PrefixUnaryExpressionSyntax prefix when prefix.IsKind(SyntaxKind.PreIncrementExpression) || prefix.IsKind(SyntaxKind.PreDecrementExpression):
            case PostfixUnaryExpressionSyntax postfix when postfix.IsKind(SyntaxKind.PostIncrementExpression) || postfix.IsKind(SyntaxKind.PostDecrementExpression):
                return "increment";
            case ArgumentSyntax argument:
                return argument.RefKindKeyword.Kind() switch
                {
                    SyntaxKind.OutKeyword => "out",
                    SyntaxKind.RefKeyword => "ref",
                    _ => IsAssignedPart(argument) ? "simple" : null,
                };
            case RefExpressionSyntax:
                return "ref";
            case NameEqualsSyntax { Parent: AttributeArgumentSyntax }:
                return "initializer";
            default:
                return null;
        }
    }

    /// `(a, (b, c)) = …`
    static bool IsAssignedPart(ArgumentSyntax argument)
    {
        SyntaxNode? part = argument;
        while (part is ArgumentSyntax { Parent: TupleExpressionSyntax tuple })
        {
            if (tuple.Parent is AssignmentExpressionSyntax assignment && assignment.Left == tuple)
            {
                return true;
            }
            part = tuple.Parent;
        }
        return false;
    }
}
