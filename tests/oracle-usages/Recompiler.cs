// Compilations as the compiler had them, by what it wrote into the PDBs.
using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

sealed class Recompiler(List<(string From, string To)> maps, List<string> folders)
{
    // https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md
    static readonly Guid Options = new("B5FEEC05-8CD0-4A83-96DA-466284BB4BD8");
    static readonly Guid References = new("7E4D4708-096E-4C5C-AEDA-CB10BA6A740D");

    // https://learn.microsoft.com/dotnet/core/project-sdk/overview#implicit-using-directives
    const string ImplicitUsings = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Threading;
        global using System.Threading.Tasks;
        """;

    readonly Dictionary<string, string> _dlls = new(StringComparer.OrdinalIgnoreCase);
    readonly Dictionary<string, CSharpCompilation> _made = new(StringComparer.OrdinalIgnoreCase);
    readonly Dictionary<string, MetadataReference> _metadata = [];

    public List<CSharpCompilation> All(List<string> dlls)
    {
        foreach (var dll in dlls)
        {
            _dlls[Path.GetFileName(dll)] = dll;
        }
        return dlls.Select(Of).ToList();
    }

    CSharpCompilation Of(string dll)
    {
        if (_made.TryGetValue(dll, out var made))
        {
            return made;
        }
        using var pe = new PEReader(File.OpenRead(dll));
        using var provider = MetadataReaderProvider.FromPortablePdbStream(File.OpenRead(Path.ChangeExtension(dll, ".pdb")));
        var pdb = provider.GetMetadataReader();
        var options = Blob(pdb, Options, ReadOptions) ?? throw new InvalidDataException($"{dll}: its PDB has no compiler options");
        var names = Blob(pdb, References, ReadReferences) ?? [];
        var version = LanguageVersionFacts.TryParse(options.GetValueOrDefault("language-version", "latest"), out var parsed) ? parsed : LanguageVersion.Latest;
        var symbols = options.GetValueOrDefault("define", "").Split(',', StringSplitOptions.RemoveEmptyEntries);
        var parse = new CSharpParseOptions(version, DocumentationMode.Diagnose, preprocessorSymbols: symbols);
        var trees = pdb.Documents.Select(it => Tree(pdb, pdb.GetDocument(it), parse)).ToList();
        bool isProgram = (pe.PEHeaders.CoffHeader.Characteristics & Characteristics.Dll) == 0;
        var compile = new CSharpCompilationOptions(
            isProgram ? OutputKind.ConsoleApplication : OutputKind.DynamicallyLinkedLibrary,
            allowUnsafe: options.GetValueOrDefault("unsafe") == "True",
            checkOverflow: options.GetValueOrDefault("checked") == "True",
            nullableContextOptions: Enum.TryParse<NullableContextOptions>(options.GetValueOrDefault("nullable"), out var nullable) ? nullable : default);
        var references = names.Select(it => Reference(it, Path.GetDirectoryName(dll)!));
        return _made[dll] = CSharpCompilation.Create(Path.GetFileNameWithoutExtension(dll), trees, references, compile);
    }

    MetadataReference Reference(string name, string beside)
    {
        if (_dlls.TryGetValue(name, out var dll))
        {
            return Of(dll).ToMetadataReference();
        }
        var file = folders.Prepend(beside).Select(it => Path.Combine(it, name)).FirstOrDefault(File.Exists)
            ?? throw new FileNotFoundException($"no {name} beside the assemblies or in --references");
        return _metadata.TryGetValue(file, out var known) ? known : _metadata[file] = MetadataReference.CreateFromFile(file);
    }

    SyntaxTree Tree(MetadataReader pdb, Document document, CSharpParseOptions options)
    {
        var path = pdb.GetString(document.Name);
        foreach (var (from, to) in maps)
        {
            path = path.StartsWith(from) ? to + path[from.Length..] : path;
        }
        // What the build writes for itself is not kept with a committed assembly.
        if (!File.Exists(path) && path.Contains("/obj/"))
        {
            return CSharpSyntaxTree.ParseText(path.EndsWith(".GlobalUsings.g.cs") ? ImplicitUsings : "", options, path);
        }
        using var stream = File.OpenRead(path);
        return CSharpSyntaxTree.ParseText(SourceText.From(stream, Encoding.UTF8), options, path);
    }

    static T? Blob<T>(MetadataReader pdb, Guid kind, Func<BlobReader, T> read) where T : class
    {
        foreach (var handle in pdb.GetCustomDebugInformation(EntityHandle.ModuleDefinition))
        {
            var information = pdb.GetCustomDebugInformation(handle);
            if (pdb.GetGuid(information.Kind) == kind)
            {
                return read(pdb.GetBlobReader(information.Value));
            }
        }
        return null;
    }

    static string Text(ref BlobReader blob)
    {
        var text = blob.ReadUTF8(blob.IndexOf(0));
        blob.ReadByte();
        return text;
    }

    static Dictionary<string, string> ReadOptions(BlobReader blob)
    {
        var options = new Dictionary<string, string>();
        while (blob.RemainingBytes > 0)
        {
            var name = Text(ref blob);
            options[name] = Text(ref blob);
        }
        return options;
    }

    static List<string> ReadReferences(BlobReader blob)
    {
        var names = new List<string>();
        while (blob.RemainingBytes > 0)
        {
            names.Add(Text(ref blob));
            Text(ref blob);
            // Flags, timestamp, image size, MVID.
            blob.Offset += 1 + 4 + 4 + 16;
        }
        return names;
    }
}

static class EntityHandles
{
    extension(EntityHandle)
    {
        public static EntityHandle ModuleDefinition => System.Reflection.Metadata.Ecma335.MetadataTokens.EntityHandle(0x00000001);
    }
}
