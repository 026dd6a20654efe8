// What the C# compiler makes of expressions at one line of a program: their types, and what they give when it runs.
//
//   dotnet OracleExpressions.dll REFERENCES FIXTURE...
//
// REFERENCES: the folder of the assemblies that compilers take for .NET. FIXTURE: a folder of C# sources with one line marked
// `// BP:STOP` and `expressions.txt`. It writes `expected.txt` beside that, with the headings kept and each expression as
//   expression TAB type TAB value
// A value that starts with `!` is an exception that was thrown; one without a type is the code of the compiler's first error.
// `void` has no value.
using System.Text;
using Microsoft.CodeAnalysis;

string[] references = Directory.GetFiles(args[0], "*.dll");
foreach (string folder in args[1..])
{
    var lines = File.ReadAllLines(Path.Combine(folder, "expressions.txt"));
    bool isExpression(string line) => line.Trim().Length > 0 && !line.StartsWith("# ");
    var program = new Fixture(folder, references);
    var answers = program.Answers(lines.Where(isExpression).ToList());
    var expected = new StringBuilder();
    int next = 0;
    foreach (string line in lines)
    {
        expected.Append(isExpression(line) ? $"{line}\t{answers[next].Type}\t{answers[next++].Value}" : line).Append('\n');
    }
    File.WriteAllText(Path.Combine(folder, "expected.txt"), expected.ToString());
    int errors = answers.Count(it => it.Type.Length == 0), thrown = answers.Count(it => it.Type.Length > 0 && it.Value.StartsWith('!'));
    Console.WriteLine($"{answers.Count} expressions, {errors} of them do not compile, {thrown} throw");
}
return 0;
