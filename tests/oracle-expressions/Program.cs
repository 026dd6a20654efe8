// What the C# compiler makes of expressions at one line of a program: their types, and what they give when it runs.
//
//   dotnet OracleExpressions.dll REFERENCES FIXTURE...
//
// REFERENCES: the folder of the assemblies that compilers take for .NET. FIXTURE: a folder of C# sources with one line marked
// `// BP:STOP` and `expressions.txt`. There, a line is an expression or a `# heading`, and after an empty line the program starts anew:
// only the expressions of one block see what those before them did. `expected.txt` is written beside it, each expression as
//   expression TAB type TAB value
// A value that starts with `!` is an exception that was thrown; one without a type is the code of the compiler's first error.
// `void` has no value.
using System.Text;

string[] references = Directory.GetFiles(args[0], "*.dll");
foreach (string folder in args[1..])
{
    var fixture = new Fixture(folder, references);
    var expected = new StringBuilder();
    int count = 0, errors = 0, thrown = 0;
    foreach (string block in File.ReadAllText(Path.Combine(folder, "expressions.txt")).TrimEnd('\n').Split("\n\n"))
    {
        var lines = block.Split('\n').ToList();
        int headings = lines[0].StartsWith("# ") ? 1 : 0;
        expected.Append(expected.Length > 0 ? "\n" : "").Append(headings > 0 ? lines[0] + "\n" : "");
        var expressions = lines[headings..];
        foreach (var (expression, answer) in expressions.Zip(fixture.Answers(expressions)))
        {
            expected.Append($"{expression}\t{answer.Type}\t{answer.Value}\n");
            count++;
            errors += answer.Type.Length == 0 ? 1 : 0;
            thrown += answer.Type.Length > 0 && answer.Value.StartsWith('!') ? 1 : 0;
        }
    }
    File.WriteAllText(Path.Combine(folder, "expected.txt"), expected.ToString());
    Console.WriteLine($"{count} expressions, {errors} of them do not compile, {thrown} throw");
}
return 0;
