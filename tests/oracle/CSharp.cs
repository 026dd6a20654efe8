// Types as C# writes them, with `?`, `dynamic` and the names of tuple elements where attributes say so.
using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Text;

/// The flags of one type, taken in the order of its parts.
sealed class Flags(byte all, ImmutableArray<byte> each, IEnumerable<bool>? dynamic = null, IEnumerable<string?>? tupleNames = null)
{
    readonly Queue<bool> _dynamic = new(dynamic ?? []);
    readonly Queue<string?> _tupleNames = new(tupleNames ?? []);
    int _at;

    public bool Dynamic() => _dynamic.TryDequeue(out bool flag) && flag;
    public string? TupleName() => _tupleNames.TryDequeue(out var name) ? name : null;

    public bool Next() => (_at < each.Length ? each[_at++] : all) == 2;
    public byte First => each.Length > 0 ? each[0] : all;
}

sealed class CSharp(bool full, ImmutableArray<string> typeNames, ImmutableArray<string> methodNames, Flags flags)
{
    public string Text(Sig sig)
    {
        bool dynamic = flags.Dynamic();
        switch (sig)
        {
            case Prim p:
            {
                var keyword = Names.Primitive(p.Code).Keyword;
                keyword = dynamic && p.Code == PrimitiveTypeCode.Object ? "dynamic" : full ? keyword : keyword[(keyword.LastIndexOf('.') + 1)..];
                return p.Code is PrimitiveTypeCode.String or PrimitiveTypeCode.Object && flags.Next() ? keyword + "?" : keyword;
            }
            case Param p:
            {
                var names = p.OfMethod ? methodNames : typeNames;
                var name = p.Index < names.Length ? names[p.Index] : (p.OfMethod ? "!!" : "!") + p.Index;
                return flags.Next() ? name + "?" : name;
            }
            case Arr or Multi:
                return Array(sig, flags.Next());
            case Ptr p:
                flags.Next(); // a byte that is always 0
                return Text(p.Element) + "*";
            case ByRef r:
                return "ref " + Text(r.Element);
            case Pinned p:
                return Text(p.Element);
            case Mod m:
                return Text(m.Inner);
            case Fn f:
                flags.Next();
                return Function(f.Method);
            case Named n:
                return Class(n);
            default:
                throw new InvalidOperationException();
        }
    }

    /// The ranks of an array of arrays are read from the left, up to one that may be null.
    string Array(Sig array, bool nullable)
    {
        var ranks = new StringBuilder();
        while (true)
        {
            Sig element;
            if (array is Arr single)
            {
                ranks.Append("[]");
                element = single.Element;
            }
            else
            {
                var multi = (Multi)array;
                ranks.Append(multi.Shape.Rank == 1 ? "[*]" : $"[{new string(',', multi.Shape.Rank - 1)}]");
                element = multi.Element;
            }
            var end = nullable ? "?" : "";
            if (element is not (Arr or Multi))
            {
                return Text(element) + ranks + end;
            }
            flags.Dynamic();
            if (flags.Next())
            {
                return Array(element, true) + ranks + end;
            }
            array = element;
        }
    }

    string Class(Named n)
    {
        if (n.Name == "System.Nullable`1" && n.Arguments.Length == 1)
        {
            return Text(n.Arguments[0]) + "?";
        }
        bool nullable = false;
        if (!n.IsValue)
        {
            nullable = flags.Next();
        }
        else if (!n.Arguments.IsEmpty)
        {
            flags.Next();
        }
        var text = n switch
        {
            { Name: "System.Decimal" } => "decimal",
            { Arguments.Length: >= 2 and <= 8 } when n.Name.StartsWith("System.ValueTuple`") => "(" + string.Join(", ", Elements(n, TupleNames(n))) + ")",
            _ => Generic(n.Name, n.Arguments),
        };
        return nullable ? text + "?" : text;
    }

    static Named? Rest(Named tuple) =>
        tuple.Arguments is { Length: 8 } all && all[7] is Named rest && rest.Name.StartsWith("System.ValueTuple`") ? rest : null;

    static int Length(Named tuple) => Rest(tuple) is { } rest ? 7 + Length(rest) : tuple.Arguments.Length;

    Queue<string?> TupleNames(Named tuple)
    {
        var names = new Queue<string?>();
        for (int left = Length(tuple); left > 0; left--)
        {
            names.Enqueue(flags.TupleName());
        }
        return names;
    }

    IEnumerable<string> Elements(Named tuple, Queue<string?> names)
    {
        for (int i = 0; i < tuple.Arguments.Length; i++)
        {
            if (i == 7 && Rest(tuple) is { } rest)
            {
                flags.Dynamic();
                flags.Next();
                TupleNames(rest); // all null
                foreach (var element in Elements(rest, names))
                {
                    yield return element;
                }
            }
            else
            {
                var text = Text(tuple.Arguments[i]);
                yield return names.TryDequeue(out var name) && name is not null ? $"{text} {name}" : text;
            }
        }
    }

    string Generic(string fullName, ImmutableArray<Sig> arguments)
    {
        var text = new StringBuilder();
        int next = 0;
        var levels = fullName.Split('+');
        for (int level = 0; level < levels.Length; level++)
        {
            var (name, arity) = Names.Arity(levels[level]);
            if (level > 0)
            {
                text.Append('.');
            }
            else if (!full)
            {
                int end = name.IndexOf('<') is var at && at < 0 ? name.Length : at;
                name = name[(name[..end].LastIndexOf('.') + 1)..];
            }
            text.Append(name);
            if (arity > 0)
            {
                text.Append('<');
                for (int i = 0; i < arity; i++)
                {
                    if (next < arguments.Length)
                    {
                        text.Append(i > 0 ? ", " : "").Append(Text(arguments[next++]));
                    }
                    else
                    {
                        text.Append(i > 0 ? "," : "");
                    }
                }
                text.Append('>');
            }
        }
        return text.ToString();
    }

    string Function(MethodSignature<Sig> method)
    {
        var (returned, byRef, modifiers) = Peel(method.ReturnType);
        var conventions = (method.Header.RawValue & 0xf) switch
        {
            0 => [],
            9 => modifiers.Where(m => m.StartsWith("System.Runtime.CompilerServices.CallConv"))
                .Select(m => m["System.Runtime.CompilerServices.CallConv".Length..]),
            1 => ["Cdecl"],
            2 => ["Stdcall"],
            3 => ["Thiscall"],
            4 => ["Fastcall"],
            _ => (IEnumerable<string>)["Vararg"],
        };
        var parts = new List<string>();
        void skip(bool isByRef, List<string> mods)
        {
            for (int left = mods.Count + (isByRef ? 1 : 0); left > 0; left--)
            {
                flags.Dynamic();
            }
        }
        skip(byRef, modifiers);
        var result = (byRef ? modifiers.Contains(InAttribute) ? "ref readonly " : "ref " : "") + Text(returned);
        foreach (var parameter in method.ParameterTypes)
        {
            var (type, isByRef, mods) = Peel(parameter);
            skip(isByRef, mods);
            var prefix = !isByRef ? "" : mods.Contains(InAttribute) ? "in " : mods.Contains(OutAttribute) ? "out " : "ref ";
            parts.Add(prefix + Text(type));
        }
        parts.Add(result);
        var unmanaged = (method.Header.RawValue & 0xf) == 0 ? "" : " unmanaged";
        var list = string.Join(", ", conventions);
        return $"delegate*{unmanaged}{(list.Length > 0 ? $"[{list}]" : "")}<{string.Join(", ", parts)}>";
    }

    public const string InAttribute = "System.Runtime.InteropServices.InAttribute";
    const string OutAttribute = "System.Runtime.InteropServices.OutAttribute";

    /// Without by-ref and modifiers, which are printed beside.
    public static (Sig Type, bool ByRef, List<string> Modifiers) Peel(Sig sig)
    {
        bool byRef = false;
        var modifiers = new List<string>();
        while (true)
        {
            switch (sig)
            {
                case Mod m:
                    modifiers.Add(((Named)m.Modifier).Name);
                    sig = m.Inner;
                    break;
                case ByRef r:
                    byRef = true;
                    sig = r.Element;
                    break;
                default:
                    return (sig, byRef, modifiers);
            }
        }
    }
}
