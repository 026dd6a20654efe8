// The other side of `scripts/bench metadata`: the same questions, answered with System.Reflection.Metadata.
// Reads one request a line from stdin, `<what> <folder or dll> <pattern>`, and answers `<count> <milliseconds>`.
//   types    all types whose name has the pattern (`*` = all), with their full names
//   methods  all methods whose name has the pattern
// What the compiler made is left out, and files that are no assemblies are passed over, as clrbridge does.
using System.Diagnostics;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

while (Console.ReadLine() is { } line)
{
    var words = line.Split(' ', 3);
    var watch = Stopwatch.StartNew();
    var files = Directory.Exists(words[1]) ? Directory.GetFiles(words[1], "*.dll") : [words[1]];
    var found = new List<string>();
    foreach (var file in files)
    {
        using var stream = File.OpenRead(file);
        using var image = new PEReader(stream);
        if (image.HasMetadata)
        {
            Search(image.GetMetadataReader(), words[0] == "methods", words[2], found);
        }
    }
    Console.WriteLine($"{found.Count} {watch.Elapsed.TotalMilliseconds:F3}");
}

static void Search(MetadataReader reader, bool methods, string pattern, List<string> found)
{
    bool Matches(string name) => pattern == "*" || name.Contains(pattern, StringComparison.OrdinalIgnoreCase);
    foreach (var handle in reader.TypeDefinitions.Skip(1))
    {
        var type = reader.GetTypeDefinition(handle);
        if (methods)
        {
            foreach (var id in type.GetMethods())
            {
                var method = reader.GetMethodDefinition(id);
                var name = reader.GetString(method.Name);
                if (Matches(name) && !IsAccessor(name, method) && !IsGenerated(reader, name, method.GetCustomAttributes()) && !IsGeneratedType(reader, type))
                {
                    found.Add(FullName(reader, type) + "." + name);
                }
            }
        }
        else if (Matches(reader.GetString(type.Name).Split('`')[0]) && !IsGeneratedType(reader, type))
        {
            found.Add(FullName(reader, type));
        }
    }
}

static string FullName(MetadataReader reader, TypeDefinition type)
{
    var name = reader.GetString(type.Name);
    var outer = type.GetDeclaringType();
    if (!outer.IsNil)
    {
        return FullName(reader, reader.GetTypeDefinition(outer)) + "." + name;
    }
    return type.Namespace.IsNil ? name : reader.GetString(type.Namespace) + "." + name;
}

static bool IsAccessor(string name, MethodDefinition method)
{
    if (name.StartsWith('.'))
    {
        return true;
    }
    var last = name[(name.LastIndexOf('.') + 1)..];
    return method.Attributes.HasFlag(System.Reflection.MethodAttributes.SpecialName)
        && (last.StartsWith("get_") || last.StartsWith("set_") || last.StartsWith("add_") || last.StartsWith("remove_"));
}

static bool IsGeneratedType(MetadataReader reader, TypeDefinition type)
{
    while (true)
    {
        if (IsGenerated(reader, reader.GetString(type.Name), type.GetCustomAttributes()))
        {
            return true;
        }
        var outer = type.GetDeclaringType();
        if (outer.IsNil)
        {
            return false;
        }
        type = reader.GetTypeDefinition(outer);
    }
}

static bool IsGenerated(MetadataReader reader, string name, CustomAttributeHandleCollection attributes)
{
    // Types of `file` scope are <File>F…__Name; Main of a top-level program is <Main>$.
    if (name.StartsWith('<') && !name.Contains(">F") && name != "<Main>$")
    {
        return true;
    }
    foreach (var handle in attributes)
    {
        var constructor = reader.GetCustomAttribute(handle).Constructor;
        if (constructor.Kind == HandleKind.MemberReference
            && reader.GetMemberReference((MemberReferenceHandle)constructor).Parent is { Kind: HandleKind.TypeReference } parent)
        {
            var type = reader.GetTypeReference((TypeReferenceHandle)parent);
            if (reader.StringComparer.Equals(type.Name, "CompilerGeneratedAttribute"))
            {
                return true;
            }
        }
        else if (constructor.Kind == HandleKind.MethodDefinition)
        {
            var owner = reader.GetMethodDefinition((MethodDefinitionHandle)constructor).GetDeclaringType();
            if (reader.StringComparer.Equals(reader.GetTypeDefinition(owner).Name, "CompilerGeneratedAttribute"))
            {
                return true;
            }
        }
    }
    return false;
}
