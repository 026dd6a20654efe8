// Custom attributes and constants as text.
using System.Collections.Immutable;
using System.Globalization;
using System.Numerics;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text;

/// The integer types behind the enums of many files, by metadata name.
sealed class Enums
{
    readonly Dictionary<string, PrimitiveTypeCode> _known = [];

    public void Add(string file)
    {
        try
        {
            using var pe = new PEReader(File.OpenRead(file));
            if (pe.HasMetadata)
            {
                foreach (var (name, code) in In(pe.GetMetadataReader()))
                {
                    _known.TryAdd(name, code);
                }
            }
        }
        catch (BadImageFormatException)
        {
        }
    }

    public static IEnumerable<(string, PrimitiveTypeCode)> In(MetadataReader reader)
    {
        foreach (var handle in reader.TypeDefinitions)
        {
            var type = reader.GetTypeDefinition(handle);
            if (type.BaseType.IsNil || type.BaseType.Kind == HandleKind.TypeSpecification
                || Names.Of(reader, type.BaseType) != "System.Enum")
            {
                continue;
            }
            foreach (var field in type.GetFields().Select(reader.GetFieldDefinition))
            {
                if ((field.Attributes & System.Reflection.FieldAttributes.Static) == 0
                    && field.DecodeSignature(Provider.Instance, null) is Prim { Code: var code })
                {
                    yield return (Names.Of(reader, handle), code);
                }
            }
        }
    }

    public PrimitiveTypeCode? Find(string name) => _known.TryGetValue(name, out var code) ? code : null;
}

sealed class AttributeProvider(MetadataReader reader, Enums enums) : ICustomAttributeTypeProvider<Sig>
{
    readonly Dictionary<string, PrimitiveTypeCode> _own = Enums.In(reader).DistinctBy(e => e.Item1).ToDictionary();

    public Sig GetPrimitiveType(PrimitiveTypeCode code) => new Prim(code);
    public Sig GetTypeFromDefinition(MetadataReader r, TypeDefinitionHandle h, byte kind) => Provider.Instance.GetTypeFromDefinition(r, h, kind);
    public Sig GetTypeFromReference(MetadataReader r, TypeReferenceHandle h, byte kind) => Provider.Instance.GetTypeFromReference(r, h, kind);
    public Sig GetSZArrayType(Sig element) => new Arr(element);
    public Sig GetSystemType() => new Named("System.Type", false, []);
    public bool IsSystemType(Sig type) => type is Named { Name: "System.Type" };
    /// The serialized name, as it stands.
    public Sig GetTypeFromSerializedName(string name) => new Named(name, false, []);

    public PrimitiveTypeCode GetUnderlyingEnumType(Sig type)
    {
        // Of a serialized name without what follows the type.
        var name = ((Named)type).Name;
        int comma = name.IndexOf(',');
        name = (comma < 0 ? name : name[..comma]).Replace("\\", "").Trim();
        return _own.TryGetValue(name, out var code) ? code : enums.Find(name) ?? PrimitiveTypeCode.Int32;
    }
}

static class Values
{
    public static string Attribute(CustomAttribute attribute, AttributeProvider provider)
    {
        var value = attribute.DecodeValue(provider);
        var text = new StringBuilder("(");
        text.AppendJoin(", ", value.FixedArguments.Select(argument => Argument(argument.Value)));
        foreach (var named in value.NamedArguments)
        {
            text.Append($"; {named.Name} = {Argument(named.Value)}");
        }
        return text.Append(')').ToString();
    }

    static string Argument(object? value) => value switch
    {
        Named type => $"typeof({type.Name})",
        ImmutableArray<CustomAttributeTypedArgument<Sig>> array => $"[{string.Join(", ", array.Select(e => Argument(e.Value)))}]",
        _ => Literal(value),
    };

    public static string Literal(object? value) => value switch
    {
        null => "null",
        bool b => b ? "true" : "false",
        char c => $"'{Escaped(c.ToString(), '\'')}'",
        string s => $"\"{Escaped(s, '"')}\"",
        float f => Float(f),
        double d => Float(d),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => throw new InvalidOperationException(value.GetType().Name),
    };

    static string Escaped(string text, char quote)
    {
        var escaped = new StringBuilder();
        foreach (var rune in text.EnumerateRunes()) // half a surrogate is U+FFFD
        {
            escaped.Append(rune.Value switch
            {
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                0 => "\\0",
                '\\' => "\\\\",
                var c when c == quote => "\\" + quote,
                >= ' ' and <= '~' => rune.ToString(),
                _ => string.Concat(rune.ToString().Select(unit => $"\\u{(int)unit:x4}")),
            });
        }
        return escaped.ToString();
    }

    /// The shortest digits that read back as the same, without an exponent.
    static string Float(double value)
    {
        if (double.IsNaN(value))
        {
            return "double.NaN";
        }
        if (double.IsInfinity(value))
        {
            return value > 0 ? "double.PositiveInfinity" : "double.NegativeInfinity";
        }
        var text = value.ToString("R", CultureInfo.InvariantCulture);
        int at = text.IndexOf('E');
        if (at < 0)
        {
            return text;
        }
        var sign = text.StartsWith('-') ? "-" : "";
        var mantissa = text[sign.Length..at];
        int point = mantissa.IndexOf('.') is var p && p < 0 ? mantissa.Length : p;
        var digits = mantissa.Replace(".", "");
        point += int.Parse(text[(at + 1)..], CultureInfo.InvariantCulture);
        if (point <= 0)
        {
            return $"{sign}0.{new string('0', -point)}{digits}";
        }
        return sign + (point >= digits.Length ? digits.PadRight(point, '0') : digits.Insert(point, "."));
    }

    public static object? Constant(MetadataReader reader, ConstantHandle handle)
    {
        var constant = reader.GetConstant(handle);
        var blob = reader.GetBlobReader(constant.Value);
        return constant.TypeCode == ConstantTypeCode.NullReference ? null : blob.ReadConstant(constant.TypeCode);
    }

    public static string? Decimal(CustomAttributeValue<Sig> value)
    {
        var parts = value.FixedArguments.Select(argument => argument.Value switch
        {
            byte b => (long)b,
            int i => (uint)i,
            uint u => u,
            _ => -1L,
        }).ToArray();
        if (parts.Length != 5)
        {
            return null;
        }
        var number = new decimal((int)(uint)parts[4], (int)(uint)parts[3], (int)(uint)parts[2], parts[1] != 0, (byte)parts[0]);
        return number.ToString(CultureInfo.InvariantCulture) + "m";
    }

    /// FNV-1a and the length.
    public static string Hash(ReadOnlySpan<byte> bytes)
    {
        ulong hash = 0xcbf29ce484222325;
        foreach (var b in bytes)
        {
            hash = (hash ^ b) * 0x100000001b3;
        }
        return $"{bytes.Length}:{hash:x16}";
    }
}
