// Prints what System.Reflection.Metadata reads from assemblies, a fact a line: what clrbridge's reader is compared with.
//
//   dotnet Oracle.dll [--enums FILE]... FILE...
//
// Enums of `--enums` files and of all others are known by name, so that attributes can be decoded.
using System.Text;

var enums = new Enums();
var files = new List<string>();
for (int i = 0; i < args.Length; i++)
{
    if (args[i] == "--enums")
    {
        enums.Add(args[++i]);
    }
    else if (args[i].StartsWith('@'))
    {
        // A list of files: `+FILE` for enums only.
        foreach (var line in File.ReadLines(args[i][1..]))
        {
            if (line.StartsWith('+'))
            {
                enums.Add(line[1..]);
            }
            else
            {
                files.Add(line);
            }
        }
    }
    else
    {
        files.Add(args[i]);
    }
}
foreach (var file in files)
{
    enums.Add(file);
}
using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16);
output.NewLine = "\n";
foreach (var file in files)
{
    output.WriteLine($"== {file}");
    try
    {
        using var assembly = new AssemblyDump(file, enums, output);
        assembly.Print();
    }
    catch (NotManagedException)
    {
        output.WriteLine("not managed");
    }
}
