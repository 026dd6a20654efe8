// What is printed: uses at once, symbols at the end.
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

sealed class Facts(TextWriter output, IEnumerable<SyntaxTree> trees)
{
    readonly HashSet<SyntaxTree> _trees = [.. trees];
    readonly Dictionary<ISymbol, int> _ids = new(SymbolEqualityComparer.Default);
    readonly HashSet<string> _printed = [];

    /// The declaration that a use is of; null where it stands in no source, or is none that can be asked for.
    static ISymbol? Asked(ISymbol? symbol)
    {
        switch (symbol)
        {
            case IMethodSymbol { ReducedFrom: { } whole }:
                return Asked(whole);
            case IMethodSymbol { MethodKind: MethodKind.PropertyGet or MethodKind.PropertySet or MethodKind.EventAdd or MethodKind.EventRemove } accessor:
                return Asked(accessor.AssociatedSymbol);
            case IMethodSymbol { MethodKind: MethodKind.LocalFunction or MethodKind.AnonymousFunction or MethodKind.StaticConstructor or MethodKind.DelegateInvoke or MethodKind.BuiltinOperator }:
                return null;
            case IMethodSymbol { PartialDefinitionPart: { } definition }:
                return Asked(definition);
            case IPropertySymbol { PartialDefinitionPart: { } definition }:
                return Asked(definition);
            case IAliasSymbol alias:
                return Asked(alias.Target);
            case INamedTypeSymbol { IsTupleType: true, TupleUnderlyingType: { } tuple } type when !SymbolEqualityComparer.Default.Equals(tuple, type):
                return Asked(tuple);
            case IFieldSymbol { ContainingType.IsTupleType: true }:
                return null;
            case INamedTypeSymbol { IsExtension: true }:
                return null;
            case INamedTypeSymbol or IMethodSymbol or IPropertySymbol or IFieldSymbol or IEventSymbol:
                var definition_ = symbol.OriginalDefinition;
                return definition_.DeclaringSyntaxReferences.Length == 0 || definition_.IsImplicitlyDeclared ? null : definition_;
            default:
                return null;
        }
    }

    public void Use(ISymbol? symbol, SyntaxNodeOrToken at, string kind, string form = "", string how = "named", SyntaxNodeOrToken? upTo = null)
    {
        if (Asked(symbol) is not { } asked)
        {
            return;
        }
        var span = at.SyntaxTree!.GetLineSpan(at.Span);
        var last = upTo is { } end ? end.SyntaxTree!.GetLineSpan(end.Span).EndLinePosition.Line : how == "named" ? span.StartLinePosition.Line : span.EndLinePosition.Line;
        if (asked is IMethodSymbol { IsOverride: true } or IPropertySymbol { IsOverride: true } or IEventSymbol { IsOverride: true } && how != "may")
        {
            // IL names the first declaration, so that its own uses have those of what overrides it.
            for (var above = Overridden(asked); above is not null; above = Overridden(above))
            {
                Use(above, at, kind, form, "may", upTo);
            }
        }
        var line = $"U\t{Id(asked)}\t{span.Path}\t{span.StartLinePosition.Line + 1}\t{last + 1}\t{span.StartLinePosition.Character + 1}\t{kind}\t{form}\t{how}";
        if (_printed.Add(line))
        {
            output.WriteLine(line);
        }
    }

    public static ISymbol? Overridden(ISymbol? member) => member switch
    {
        IMethodSymbol it => it.OverriddenMethod,
        IPropertySymbol it => it.OverriddenProperty,
        IEventSymbol it => it.OverriddenEvent,
        _ => null,
    };

    public void Declared(ISymbol? symbol)
    {
        if (Asked(symbol) is { } asked)
        {
            Id(asked);
        }
    }

    int Id(ISymbol symbol)
    {
        if (!_ids.TryGetValue(symbol, out int id))
        {
            _ids[symbol] = id = _ids.Count;
        }
        return id;
    }

    public void PrintSymbols()
    {
        foreach (var (symbol, id) in _ids)
        {
            var location = symbol.Locations.FirstOrDefault(it => it.IsInSource && _trees.Contains(it.SourceTree!));
            if (location is null)
            {
                continue;
            }
            var at = location.GetLineSpan();
            output.WriteLine($"S\t{id}\t{Kind(symbol)}\t{at.Path}\t{at.StartLinePosition.Line + 1}\t{at.StartLinePosition.Character + 1}\t{symbol.ToDisplayString(SymbolDisplayFormat.CSharpErrorMessageFormat)}");
        }
    }

    static string Kind(ISymbol symbol) => symbol switch
    {
        INamedTypeSymbol => "type",
        IMethodSymbol { MethodKind: MethodKind.Constructor } => "constructor",
        IMethodSymbol { MethodKind: MethodKind.UserDefinedOperator or MethodKind.Conversion } => "operator",
        IMethodSymbol => "method",
        IPropertySymbol { IsIndexer: true } => "indexer",
        IPropertySymbol => "property",
        IEventSymbol => "event",
        IFieldSymbol { IsConst: true } => "constant",
        _ => "field",
    };
}
