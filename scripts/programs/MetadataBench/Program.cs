// The other side of `scripts/bench metadata`: the same questions, answered with System.Reflection.Metadata.
// Says `ready`, then reads one question a line from stdin, `<what> <folder or dll> <pattern>`, and answers with one line.
//   types    all types whose name has the pattern (`*` = all): their number, then the names of the best 50
//   methods  all methods whose name has the pattern: the same
//   usages   all instructions that name a method (all its overloads): `<assembly>=<number>` of each assembly that has some
// What the compiler made is left out, and files that are no assemblies are passed over, as clrbridge does. As there, files stay
// open between questions, unless they have changed.
using System.Reflection.PortableExecutable;

var kept = new Dictionary<string, (DateTime Changed, PEReader Image)>();
Console.WriteLine("ready");
while (Console.ReadLine() is { } line)
{
    var words = line.Split(' ', 3);
    var files = Directory.Exists(words[1]) ? Directory.GetFiles(words[1], "*.dll") : [words[1]];
    Array.Sort(files, StringComparer.Ordinal);
    var images = files.Select(Open);
    Console.WriteLine(words[0] == "usages" ? Usages.Of(images, words[2]) : Search.For(words[0] == "methods", words[2], images));
}

PEReader Open(string file)
{
    var changed = File.GetLastWriteTimeUtc(file);
    if (!kept.TryGetValue(file, out var known) || known.Changed != changed)
    {
        kept[file] = known = (changed, new PEReader(File.OpenRead(file)));
    }
    return known.Image;
}
