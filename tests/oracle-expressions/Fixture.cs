// A program with expressions put before the statement of its marked line.
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

record struct Answer(string Type, string Value);

sealed class Fixture
{
    const string Marker = "// BP:STOP";
    const string Declared = "var __v = ";

    // Types as a debugger shows them: without namespaces, and without what only the source says of references that may be null.
    static readonly SymbolDisplayFormat Shown = new(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypes,
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes);

    static readonly CSharpParseOptions Parse = new(LanguageVersion.CSharp14);

    readonly CSharpCompilation _others;
    readonly string _source;
    readonly int _at;

    public Fixture(string folder, string[] references)
    {
        var texts = Directory.GetFiles(folder, "*.cs").Order(StringComparer.Ordinal).Select(File.ReadAllText).ToList();
        _source = texts.Single(it => it.Contains(Marker));
        _at = _source.LastIndexOf('\n', _source.IndexOf(Marker, StringComparison.Ordinal)) + 1;
        using var shown = new StreamReader(Assembly.GetExecutingAssembly().GetManifestResourceStream("Shown.cs")!);
        var options = new CSharpCompilationOptions(OutputKind.ConsoleApplication, nullableContextOptions: NullableContextOptions.Enable);
        var trees = texts.Where(it => it != _source).Append(shown.ReadToEnd()).Select(it => CSharpSyntaxTree.ParseText(it, Parse));
        _others = CSharpCompilation.Create("Expressions", trees, references.Select(it => MetadataReference.CreateFromFile(it)), options);
        if (Errors(_others.AddSyntaxTrees(Tree(_source)).GetDiagnostics()).FirstOrDefault() is { } error)
        {
            throw new InvalidDataException($"{folder}: {error}");
        }
    }

    public List<Answer> Answers(List<string> expressions)
    {
        var answers = new Answer[expressions.Count];
        var wanted = new List<int>();
        for (int at = 0; at < expressions.Count; at++)
        {
            var parsed = SyntaxFactory.ParseExpression(expressions[at], options: Parse);
            if (Errors(parsed.GetDiagnostics()).FirstOrDefault() is { } error)
            {
                answers[at] = new("", error.Id);
            }
            else if (parsed.IsKind(SyntaxKind.NullLiteralExpression))
            {
                answers[at] = new("null", "null");
            }
            else
            {
                wanted.Add(at);
            }
        }
        var voids = new HashSet<int>();
        var placed = new Placed(this, expressions, wanted, voids);
        voids = wanted.Where(at => placed.TypeOf(at).SpecialType == SpecialType.System_Void).ToHashSet();
        // What flows is looked at only where nothing else is wrong: so again until nothing is.
        for (bool isRight = false; !isRight;)
        {
            placed = new Placed(this, expressions, wanted, voids);
            var wrong = placed.FirstErrors();
            isRight = wrong.Count == 0;
            foreach (var (at, error) in wrong)
            {
                answers[at] = new("", error.Id);
                wanted.Remove(at);
            }
        }
        var program = placed.Run();
        foreach (int at in wanted)
        {
            var names = program.TypeParameters;
            var parts = placed.TypeOf(at).ToDisplayParts(Shown).Select(it => it.Symbol is ITypeParameterSymbol ? names[it.ToString()] : it.ToString());
            answers[at] = new(string.Concat(parts), program.Values[at]);
        }
        return [.. answers];
    }

    static IEnumerable<Diagnostic> Errors(IEnumerable<Diagnostic> all) =>
        all.Where(it => it.Severity == DiagnosticSeverity.Error).OrderBy(it => it.Location.SourceSpan.Start);

    static SyntaxTree Tree(string text) => CSharpSyntaxTree.ParseText(text, Parse);

    sealed class Placed
    {
        readonly CSharpCompilation _compilation;
        readonly SyntaxTree _tree;
        readonly SemanticModel _model;
        readonly Dictionary<int, TextSpan> _spans = [];
        readonly HashSet<int> _voids;

        public Placed(Fixture fixture, List<string> expressions, List<int> wanted, HashSet<int> voids)
        {
            var text = new StringBuilder(fixture._source[..fixture._at]);
            _voids = voids;
            foreach (int at in wanted)
            {
                bool isVoid = voids.Contains(at);
                text.Append("try { ");
                int start = text.Length;
                text.Append(isVoid ? "" : Declared).Append(expressions[at]).Append(isVoid ? $"\n; Shown.Void({at});" : $"\n; Shown.Value({at}, __v);");
                _spans[at] = new(start, text.Length - start);
                text.Append($" }} catch (System.Exception __e) {{ Shown.Thrown({at}, __e); }}\n");
            }
            int end = text.Length;
            text.Append(fixture._source[fixture._at..]);
            _tree = Tree(text.ToString());
            // What type parameters stand for is known where the program is.
            var parameters = _tree.GetRoot().FindToken(fixture._at).Parent!.AncestorsAndSelf()
                .SelectMany(it => it is TypeDeclarationSyntax type ? type.TypeParameterList?.Parameters ?? [] : it is MethodDeclarationSyntax method ? method.TypeParameterList?.Parameters ?? [] : [])
                .Select(it => $"Shown.TypeParameter(\"{it.Identifier.Text}\", typeof({it.Identifier.Text}));\n");
            _tree = Tree(text.Insert(end, string.Concat(parameters)).ToString());
            _compilation = fixture._others.AddSyntaxTrees(_tree);
            _model = _compilation.GetSemanticModel(_tree);
        }

        /// By expression. One of the expression goes before one of the declaration around it.
        public Dictionary<int, Diagnostic> FirstErrors()
        {
            var found = new Dictionary<int, Diagnostic>();
            foreach (var error in Errors(_model.GetDiagnostics()))
            {
                int place = error.Location.SourceSpan.Start;
                var (at, span) = _spans.FirstOrDefault(it => it.Value.Start <= place && place < it.Value.End, new(-1, default));
                if (at < 0)
                {
                    throw new InvalidDataException(error.ToString());
                }
                if (!found.TryGetValue(at, out var first) || first.Location.SourceSpan.Start < span.Start + Declared.Length)
                {
                    found[at] = error;
                }
            }
            return found;
        }

        public ITypeSymbol TypeOf(int at)
        {
            var root = _tree.GetRoot();
            if (_voids.Contains(at))
            {
                return _compilation.GetSpecialType(SpecialType.System_Void);
            }
            var declarator = root.FindToken(_spans[at].Start).Parent!.AncestorsAndSelf().OfType<LocalDeclarationStatementSyntax>().First().Declaration.Variables[0];
            var type = _model.GetTypeInfo(declarator.Initializer!.Value).Type;
            return type?.SpecialType == SpecialType.System_Void ? type : ((ILocalSymbol)_model.GetDeclaredSymbol(declarator)!).Type;
        }

        public Outcome Run()
        {
            var pe = new MemoryStream();
            var emitted = _compilation.Emit(pe);
            if (!emitted.Success)
            {
                throw new InvalidDataException(string.Join('\n', Errors(emitted.Diagnostics)));
            }
            pe.Position = 0;
            var assembly = new AssemblyLoadContext("expressions").LoadFromStream(pe);
            var console = Console.Out;
            Console.SetOut(TextWriter.Null);
            assembly.EntryPoint!.Invoke(null, null);
            Console.SetOut(console);
            var shown = assembly.GetType("Shown")!;
            return new(
                (Dictionary<int, string>)shown.GetField("Values")!.GetValue(null)!,
                (Dictionary<string, string>)shown.GetField("TypeParameters")!.GetValue(null)!);
        }
    }

    sealed record Outcome(Dictionary<int, string> Values, Dictionary<string, string> TypeParameters);
}
