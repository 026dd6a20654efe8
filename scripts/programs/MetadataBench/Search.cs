// Types and methods by name, best first: exact, from the beginning, within; of these what is public first.
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

static class Search
{
    const int Told = 50;

    record struct Match(int Rank, bool IsHidden, MetadataReader Reader, EntityHandle Handle);

    public static string For(bool methods, string pattern, IEnumerable<PEReader> images)
    {
        var found = new List<Match>();
        foreach (var image in images)
        {
            if (image.HasMetadata)
            {
                In(image.GetMetadataReader(), methods, pattern, found);
            }
        }
        var best = found.OrderBy(match => (match.Rank, match.IsHidden)).Take(Told).Select(match => Name(match.Reader, match.Handle));
        return $"{found.Count} {string.Join(' ', best)}";
    }

    static void In(MetadataReader reader, bool methods, string pattern, List<Match> found)
    {
        foreach (var handle in reader.TypeDefinitions)
        {
            var type = reader.GetTypeDefinition(handle);
            if (!methods)
            {
                if (Rank(pattern, reader.GetString(type.Name).Split('`')[0]) is { } rank && !IsGenerated(reader, type))
                {
                    var visibility = type.Attributes & TypeAttributes.VisibilityMask;
                    found.Add(new(rank, visibility is not (TypeAttributes.Public or TypeAttributes.NestedPublic), reader, handle));
                }
                continue;
            }
            foreach (var id in type.GetMethods())
            {
                var method = reader.GetMethodDefinition(id);
                var name = reader.GetString(method.Name);
                if (Rank(pattern, name) is { } rank && !IsAccessor(name, method)
                    && !IsGenerated(reader, name, method.GetCustomAttributes()) && !IsGenerated(reader, type))
                {
                    var access = method.Attributes & MethodAttributes.MemberAccessMask;
                    found.Add(new(rank, access != MethodAttributes.Public, reader, id));
                }
            }
        }
    }

    static int? Rank(string pattern, string name)
    {
        if (pattern == "*")
        {
            return 1;
        }
        return name.IndexOf(pattern, StringComparison.OrdinalIgnoreCase) switch
        {
            < 0 => null,
            0 => name.Length == pattern.Length ? 0 : 1,
            _ => 2,
        };
    }

    static string Name(MetadataReader reader, EntityHandle handle)
    {
        if (handle.Kind == HandleKind.MethodDefinition)
        {
            var method = reader.GetMethodDefinition((MethodDefinitionHandle)handle);
            return $"{Name(reader, method.GetDeclaringType())}.{reader.GetString(method.Name)}";
        }
        var type = reader.GetTypeDefinition((TypeDefinitionHandle)handle);
        var outer = type.GetDeclaringType();
        var before = outer.IsNil ? reader.GetString(type.Namespace) : Name(reader, outer);
        return before.Length == 0 ? reader.GetString(type.Name) : $"{before}.{reader.GetString(type.Name)}";
    }

    static bool IsAccessor(string name, MethodDefinition method)
    {
        if (name.StartsWith('.'))
        {
            return true;
        }
        var last = name.AsSpan(name.LastIndexOf('.') + 1);
        return method.Attributes.HasFlag(MethodAttributes.SpecialName)
            && (last.StartsWith("get_") || last.StartsWith("set_") || last.StartsWith("add_") || last.StartsWith("remove_"));
    }

    static bool IsGenerated(MetadataReader reader, TypeDefinition type)
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
}
