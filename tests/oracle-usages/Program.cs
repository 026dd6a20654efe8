// Prints every symbol that assemblies declare in source, and every use of it that the compiler sees: what code_find_usages is compared with.
//
//   dotnet OracleUsages.dll [--map FROM=TO]... [--references FOLDER]... DLL...
//
// The compilations are made again from the PDBs, which name their sources, options and references. Lines are tab-separated:
//   S id kind file line column display
//   U id file line last-line column kind form how
// `how`: `named` (the name stands there), `implied` (it does not, and the use may be reported on any line up to the last), `may`
// (either answer is right).
using System.Text;
using Microsoft.CodeAnalysis.CSharp;

var maps = new List<(string From, string To)>();
var folders = new List<string>();
var dlls = new List<string>();
for (int i = 0; i < args.Length; i++)
{
    switch (args[i])
    {
        case "--map":
            var parts = args[++i].Split('=', 2);
            maps.Add((parts[0], parts[1]));
            break;
        case "--references":
            folders.Add(args[++i]);
            break;
        default:
            dlls.Add(args[i]);
            break;
    }
}

using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16) { NewLine = "\n" };
var compilations = new Recompiler(maps, folders).All(dlls);
bool failed = false;
foreach (var compilation in compilations)
{
    foreach (var error in compilation.GetDiagnostics().Where(it => it.Severity == Microsoft.CodeAnalysis.DiagnosticSeverity.Error).Take(5))
    {
        Console.Error.WriteLine($"{compilation.AssemblyName}: {error}");
        failed = true;
    }
}
if (failed)
{
    return 1;
}
var facts = new Facts(output, compilations.SelectMany(it => it.SyntaxTrees));
foreach (var compilation in compilations)
{
    foreach (var tree in compilation.SyntaxTrees)
    {
        var model = compilation.GetSemanticModel(tree);
        new Uses(facts, model).Visit(tree.GetRoot());
    }
}
facts.PrintSymbols();
return 0;
