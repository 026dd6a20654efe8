// Every use in one source: of names, and of what the language calls without a name.
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

sealed class Uses(Facts facts, SemanticModel model) : CSharpSyntaxWalker(SyntaxWalkerDepth.StructuredTrivia)
{
    public override void Visit(SyntaxNode? node)
    {
        if (node is not null)
        {
            Declarations(node);
            Implied(node);
        }
        base.Visit(node);
    }

    public override void VisitIdentifierName(IdentifierNameSyntax node)
    {
        Name(node, node);
        base.VisitIdentifierName(node);
    }

    public override void VisitGenericName(GenericNameSyntax node)
    {
        Name(node, node);
        base.VisitGenericName(node);
    }

    public override void VisitOperatorMemberCref(OperatorMemberCrefSyntax node)
    {
        facts.Use(model.GetSymbolInfo(node).Symbol, node, "mention");
        base.VisitOperatorMemberCref(node);
    }

    public override void VisitConversionOperatorMemberCref(ConversionOperatorMemberCrefSyntax node)
    {
        facts.Use(model.GetSymbolInfo(node).Symbol, node, "mention");
        base.VisitConversionOperatorMemberCref(node);
    }

    void Name(SimpleNameSyntax node, SyntaxNode at)
    {
        if (node is IdentifierNameSyntax { IsVar: true })
        {
            return;
        }
        var info = model.GetSymbolInfo(node);
        bool isMention = Places.IsOnlyMentioned(node);
        var symbols = info.Symbol is { } one ? [one] : info.CandidateSymbols.ToArray();
        foreach (var symbol in symbols)
        {
            Named(symbol, node, isMention);
        }
    }

    void Named(ISymbol symbol, SimpleNameSyntax node, bool isMention)
    {
        var at = (SyntaxNodeOrToken)node.Identifier;
        var whole = Places.Whole(node);
        if (isMention)
        {
            facts.Use(symbol, at, "mention");
            return;
        }
        switch (symbol)
        {
            case IAliasSymbol { Target: INamedTypeSymbol target }:
                Type(target, at, whole);
                break;
            case INamedTypeSymbol type:
                Type(type, at, whole);
                break;
            case IMethodSymbol { MethodKind: MethodKind.Constructor } constructor:
                // Of an attribute.
                facts.Use(constructor, at, "new");
                facts.Use(constructor.ContainingType, at, "mention");
                break;
            case IMethodSymbol method:
                facts.Use(method, at, whole.Parent is InvocationExpressionSyntax call && call.Expression == whole ? "call" : "read");
                break;
            case IPropertySymbol or IFieldSymbol or IEventSymbol:
                Value(symbol, at, whole);
                break;
        }
    }

    void Type(INamedTypeSymbol type, SyntaxNodeOrToken at, SyntaxNode whole)
    {
        var kind = whole.Parent switch
        {
            ObjectCreationExpressionSyntax => "new",
            TypeOfExpressionSyntax => "typeof",
            BaseTypeSyntax => "implements",
            _ => "mention",
        };
        facts.Use(type, at, kind);
    }

    void Value(ISymbol symbol, SyntaxNodeOrToken at, SyntaxNode whole)
    {
        // What is written to an element of an inline array is written to the array.
        while (symbol is IFieldSymbol && whole.Parent is ElementAccessExpressionSyntax access && access.Expression == whole && IsInlineArray(model.GetTypeInfo(whole).Type))
        {
            whole = Places.Whole(access);
        }
        var form = Places.Write(whole);
        if (form == "ref" && whole.Parent is RefExpressionSyntax reference && (symbol is IPropertySymbol { ReturnsByRefReadonly: true } || IsReadOnly(reference)))
        {
            form = null;
        }
        facts.Use(symbol, at, form is null ? "read" : "write", form ?? "");
    }

    static bool IsInlineArray(ITypeSymbol? type) =>
        type?.OriginalDefinition.GetAttributes().Any(it => it.AttributeClass?.Name == "InlineArrayAttribute") == true;

    /// Whether what takes a reference lets nobody write through it.
    bool IsReadOnly(RefExpressionSyntax reference)
    {
        var taker = reference.Parent;
        while (taker is RefExpressionSyntax or ConditionalExpressionSyntax or ParenthesizedExpressionSyntax)
        {
            taker = taker.Parent;
        }
        return taker switch
        {
            EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax { Parent: VariableDeclarationSyntax { Type: RefTypeSyntax type } } } =>
                type.ReadOnlyKeyword.RawKind != 0,
            ArrowExpressionClauseSyntax or ReturnStatementSyntax =>
                model.GetEnclosingSymbol(reference.SpanStart) is IMethodSymbol { ReturnsByRefReadonly: true },
            _ => false,
        };
    }

    void Declarations(SyntaxNode node)
    {
        switch (node)
        {
            case VariableDeclaratorSyntax { Parent.Parent: BaseFieldDeclarationSyntax } field:
                var declared = model.GetDeclaredSymbol(field);
                facts.Declared(declared);
                if (field.Initializer is not null && declared is not IFieldSymbol { IsConst: true })
                {
                    facts.Use(declared, field.Identifier, "write", "initializer");
                }
                break;
            case PropertyDeclarationSyntax property:
                facts.Declared(model.GetDeclaredSymbol(property));
                if (property.Initializer is not null)
                {
                    facts.Use(model.GetDeclaredSymbol(property), property.Identifier, "write", "initializer");
                }
                Inherited(model.GetDeclaredSymbol(property), property.Identifier);
                break;
            case IndexerDeclarationSyntax indexer:
                facts.Declared(model.GetDeclaredSymbol(indexer));
                Inherited(model.GetDeclaredSymbol(indexer), indexer.ThisKeyword);
                break;
            case EventDeclarationSyntax @event:
                facts.Declared(model.GetDeclaredSymbol(@event));
                Inherited(model.GetDeclaredSymbol(@event), @event.Identifier);
                break;
            case MethodDeclarationSyntax method:
                facts.Declared(model.GetDeclaredSymbol(method));
                Inherited(model.GetDeclaredSymbol(method), method.Identifier);
                break;
            case MemberDeclarationSyntax and not (BaseFieldDeclarationSyntax or BaseNamespaceDeclarationSyntax or GlobalStatementSyntax):
                facts.Declared(model.GetDeclaredSymbol(node));
                break;
        }
    }

    /// A member is a use of what it overrides and implements.
    void Inherited(ISymbol? member, SyntaxToken at)
    {
        for (var above = Facts.Overridden(member); above is not null; above = Facts.Overridden(above))
        {
            facts.Use(above, at, "override");
        }
        if (member is null || member.ContainingType.TypeKind == TypeKind.Interface && !member.Name.Contains('.'))
        {
            return;
        }
        foreach (var slot in Implemented(member))
        {
            facts.Use(slot, at, "implements");
        }
    }

    /// A base's member may implement what the type below names.
    void Inheriting(INamedTypeSymbol? type)
    {
        foreach (var slot in type?.AllInterfaces.SelectMany(it => it.GetMembers()) ?? [])
        {
            if (type!.FindImplementationForInterfaceMember(slot) is { DeclaringSyntaxReferences: [var declared, ..] } member
                && !SymbolEqualityComparer.Default.Equals(member.ContainingType, type))
            {
                facts.Use(slot, declared.GetSyntax(), "implements", how: "may");
            }
        }
    }

    static IEnumerable<ISymbol> Implemented(ISymbol member)
    {
        var type = member.ContainingType;
        foreach (var slot in type.AllInterfaces.SelectMany(it => it.GetMembers()))
        {
            if (SymbolEqualityComparer.Default.Equals(type.FindImplementationForInterfaceMember(slot), member))
            {
                yield return slot;
            }
        }
    }

    void Implied(SyntaxNode node)
    {
        switch (node)
        {
            case ObjectCreationExpressionSyntax creation:
                facts.Use(model.GetSymbolInfo(creation).Symbol, creation, "new");
                break;
            case ImplicitObjectCreationExpressionSyntax creation:
                var made = model.GetSymbolInfo(creation).Symbol;
                facts.Use(made, creation, "new");
                facts.Use(made?.ContainingType ?? model.GetTypeInfo(creation).Type, creation, "new");
                break;
            case ConstructorInitializerSyntax initializer:
                facts.Use(model.GetSymbolInfo(node).Symbol, initializer.ThisOrBaseKeyword, "call");
                break;
            case PrimaryConstructorBaseTypeSyntax:
                facts.Use(model.GetSymbolInfo(node).Symbol, node, "call");
                break;
            case ConstructorDeclarationSyntax { Initializer: null } constructor when !constructor.Modifiers.Any(SyntaxKind.StaticKeyword):
                ImpliedBase(model.GetDeclaredSymbol(constructor)?.ContainingType, constructor);
                break;
            case TypeDeclarationSyntax type:
                ImpliedBase(model.GetDeclaredSymbol(type), type);
                Inheriting(model.GetDeclaredSymbol(type));
                foreach (var implemented in model.GetDeclaredSymbol(type)?.AllInterfaces ?? [])
                {
                    // Through another that it names.
                    facts.Use(implemented, type.Identifier, "implements", how: "may");
                }
                break;
            case ElementAccessExpressionSyntax or ElementBindingExpressionSyntax or ImplicitElementAccessSyntax:
                if (model.GetSymbolInfo(node).Symbol is IPropertySymbol indexer)
                {
                    Value(indexer, node, Places.Whole(node));
                }
                break;
            case BinaryExpressionSyntax or PrefixUnaryExpressionSyntax or PostfixUnaryExpressionSyntax or AssignmentExpressionSyntax or RangeExpressionSyntax:
                if (model.GetSymbolInfo(node).Symbol is IMethodSymbol { MethodKind: MethodKind.UserDefinedOperator } @operator)
                {
                    facts.Use(@operator, node, "call", how: "implied");
                }
                if (node.RawKind is (int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression && model.GetTypeInfo(node).Type is { } tested)
                {
                    foreach (var truth in tested.GetMembers("op_True").Concat(tested.GetMembers("op_False")))
                    {
                        facts.Use(truth, node, "call", how: "may");
                    }
                }
                if (node is AssignmentExpressionSyntax { Left: TupleExpressionSyntax or DeclarationExpressionSyntax } deconstruction)
                {
                    Deconstructed(model.GetDeconstructionInfo(deconstruction), deconstruction);
                }
                break;
            case CommonForEachStatementSyntax loop:
                ForEach(loop);
                break;
            case UsingStatementSyntax or LocalDeclarationStatementSyntax { UsingKeyword.RawKind: not 0 }:
                Disposed(node);
                break;
            case AwaitExpressionSyntax wait:
                var awaited = model.GetAwaitExpressionInfo(wait);
                facts.Use(awaited.GetAwaiterMethod, wait, "call", how: "implied");
                facts.Use(awaited.IsCompletedProperty, wait, "read", how: "may");
                facts.Use(awaited.GetResultMethod, wait, "call", how: "may");
                break;
            case InitializerExpressionSyntax initializer when initializer.IsKind(SyntaxKind.CollectionInitializerExpression):
                foreach (var element in initializer.Expressions)
                {
                    facts.Use(model.GetCollectionInitializerSymbolInfo(element).Symbol, element, "call", how: "implied");
                }
                break;
            case QueryClauseSyntax clause:
                var query = model.GetQueryClauseInfo(clause);
                facts.Use(query.OperationInfo.Symbol, clause, "call", how: "implied");
                facts.Use(query.CastInfo.Symbol, clause, "call", how: "implied");
                break;
            case SelectOrGroupClauseSyntax or OrderingSyntax:
                facts.Use(model.GetSymbolInfo(node).Symbol, node, "call", how: "implied");
                break;
        }
        if (node is ExpressionSyntax expression)
        {
            var conversion = node is CastExpressionSyntax cast ? model.GetConversion(cast) : model.GetConversion(expression);
            if (node is CastExpressionSyntax && model.GetSymbolInfo(node).Symbol is IMethodSymbol explicitly)
            {
                facts.Use(explicitly, node, "call", how: "implied");
            }
            if (conversion is { IsUserDefined: true, MethodSymbol: { } method })
            {
                facts.Use(method, node, "call", how: "implied");
            }
        }
        Operation(node);
    }

    /// What only the operations show: patterns, handlers of interpolated strings, collection expressions, ranges.
    void Operation(SyntaxNode node)
    {
        switch (model.GetOperation(node))
        {
            case Microsoft.CodeAnalysis.Operations.IRecursivePatternOperation { DeconstructSymbol: { } deconstruct }:
                facts.Use(deconstruct, node, "call", how: "implied");
                break;
            case Microsoft.CodeAnalysis.Operations.IListPatternOperation list:
                facts.Use(list.LengthSymbol, node, "read", how: "implied");
                facts.Use(list.IndexerSymbol, node, "read", how: "implied");
                break;
            case Microsoft.CodeAnalysis.Operations.IImplicitIndexerReferenceOperation indexer:
                facts.Use(indexer.LengthSymbol, node, "read", how: "implied");
                facts.Use(indexer.IndexerSymbol, node, indexer.IndexerSymbol is IMethodSymbol ? "call" : "read", how: "implied");
                break;
            case Microsoft.CodeAnalysis.Operations.ICollectionExpressionOperation collection:
                facts.Use(collection.ConstructMethod, node, collection.ConstructMethod?.MethodKind == MethodKind.Constructor ? "new" : "call", how: "implied");
                facts.Use(collection.ConstructMethod?.ContainingType, node, "new", how: "may");
                foreach (var add in (collection.Type as INamedTypeSymbol)?.GetMembers("Add").OfType<IMethodSymbol>() ?? [])
                {
                    facts.Use(add, node, "call", how: "may");
                }
                break;
        }
    }

    void ForEach(CommonForEachStatementSyntax loop)
    {
        var info = model.GetForEachStatementInfo(loop);
        facts.Use(info.GetEnumeratorMethod, loop.ForEachKeyword, "call", how: "implied", upTo: loop.Expression);
        facts.Use(info.MoveNextMethod, loop.ForEachKeyword, "call", how: "implied", upTo: loop.Expression);
        facts.Use(info.CurrentProperty, loop.ForEachKeyword, "read", how: "implied", upTo: loop.Expression);
        facts.Use(info.DisposeMethod, loop.ForEachKeyword, "call", how: "implied", upTo: loop.Expression);
        facts.Use(info.ElementConversion.MethodSymbol, loop.ForEachKeyword, "call", how: "implied", upTo: loop.Expression);
        if (loop is ForEachVariableStatementSyntax deconstructing)
        {
            Deconstructed(model.GetDeconstructionInfo(deconstructing), loop.ForEachKeyword, loop.Expression);
        }
    }

    void Deconstructed(DeconstructionInfo info, SyntaxNodeOrToken at, SyntaxNodeOrToken? upTo = null)
    {
        facts.Use(info.Method, at, "call", how: "implied", upTo: upTo);
        facts.Use(info.Conversion?.MethodSymbol, at, "call", how: "implied", upTo: upTo);
        foreach (var nested in info.Nested)
        {
            Deconstructed(nested, at, upTo);
        }
    }

    void Disposed(SyntaxNode node)
    {
        var (resource, end) = node switch
        {
            UsingStatementSyntax { Expression: { } expression } => (model.GetTypeInfo(expression).Type, (SyntaxNode)expression),
            UsingStatementSyntax { Declaration: { } declaration } => (model.GetTypeInfo(declaration.Type).Type, declaration),
            LocalDeclarationStatementSyntax local => (model.GetTypeInfo(local.Declaration.Type).Type, local),
            _ => (null, node),
        };
        foreach (var name in new[] { "Dispose", "DisposeAsync" })
        {
            var slot = resource?.AllInterfaces.Append(resource).SelectMany(it => it.GetMembers(name)).FirstOrDefault(it => it.ContainingType.SpecialType == SpecialType.System_IDisposable || it.ContainingType.Name == "IAsyncDisposable");
            var member = slot is not null && resource?.FindImplementationForInterfaceMember(slot) is { } own ? own : resource?.GetMembers(name).FirstOrDefault(it => it is IMethodSymbol { Parameters.Length: 0 });
            facts.Use(member, node, "call", how: "may", upTo: end);
        }
    }

    /// The base's constructor that runs though no code names it: to be reported or not.
    void ImpliedBase(INamedTypeSymbol? type, SyntaxNode node)
    {
        foreach (var constructor in type?.BaseType?.InstanceConstructors ?? [])
        {
            if (constructor.Parameters.All(it => it.IsOptional || it.IsParams))
            {
                facts.Use(constructor, node, "call", how: "may");
            }
        }
    }
}
