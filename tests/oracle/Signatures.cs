// Signatures as trees, and their text in full detail.
using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Text;

abstract record Sig;
record Prim(PrimitiveTypeCode Code) : Sig;
/// Name as in metadata, `Ns.Outer`1+Inner`; Arguments of all levels in one list.
record Named(string Name, bool IsValue, ImmutableArray<Sig> Arguments) : Sig;
record Arr(Sig Element) : Sig;
record Multi(Sig Element, ArrayShape Shape) : Sig;
record Ptr(Sig Element) : Sig;
record ByRef(Sig Element) : Sig;
record Pinned(Sig Element) : Sig;
record Param(int Index, bool OfMethod) : Sig;
record Fn(MethodSignature<Sig> Method) : Sig;
record Mod(Sig Modifier, Sig Inner, bool Required) : Sig;

sealed class Provider : ISignatureTypeProvider<Sig, object?>
{
    public static readonly Provider Instance = new();

    public Sig GetPrimitiveType(PrimitiveTypeCode code) => new Prim(code);
    public Sig GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte kind) =>
        new Named(Names.Of(reader, handle), kind == 0x11, []);
    public Sig GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte kind) =>
        new Named(Names.Of(reader, handle), kind == 0x11, []);
    public Sig GetTypeFromSpecification(MetadataReader reader, object? context, TypeSpecificationHandle handle, byte kind) =>
        reader.GetTypeSpecification(handle).DecodeSignature(this, context);
    public Sig GetSZArrayType(Sig element) => new Arr(element);
    public Sig GetArrayType(Sig element, ArrayShape shape) => new Multi(element, shape);
    public Sig GetPointerType(Sig element) => new Ptr(element);
    public Sig GetByReferenceType(Sig element) => new ByRef(element);
    public Sig GetPinnedType(Sig element) => new Pinned(element);
    public Sig GetGenericTypeParameter(object? context, int index) => new Param(index, false);
    public Sig GetGenericMethodParameter(object? context, int index) => new Param(index, true);
    public Sig GetFunctionPointerType(MethodSignature<Sig> signature) => new Fn(signature);
    public Sig GetModifiedType(Sig modifier, Sig unmodified, bool required) => new Mod(modifier, unmodified, required);
    public Sig GetGenericInstantiation(Sig type, ImmutableArray<Sig> arguments) => ((Named)type) with { Arguments = arguments };
}

static class Names
{
    public static string Of(MetadataReader reader, EntityHandle handle)
    {
        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
            {
                var type = reader.GetTypeDefinition((TypeDefinitionHandle)handle);
                var outer = type.GetDeclaringType();
                var name = reader.GetString(type.Name);
                return outer.IsNil ? Join(reader.GetString(type.Namespace), name) : Of(reader, outer) + "+" + name;
            }
            case HandleKind.TypeReference:
            {
                var type = reader.GetTypeReference((TypeReferenceHandle)handle);
                var name = reader.GetString(type.Name);
                return type.ResolutionScope.Kind == HandleKind.TypeReference
                    ? Of(reader, type.ResolutionScope) + "+" + name
                    : Join(reader.GetString(type.Namespace), name);
            }
            case HandleKind.ExportedType:
            {
                var type = reader.GetExportedType((ExportedTypeHandle)handle);
                var name = reader.GetString(type.Name);
                return type.Implementation.Kind == HandleKind.ExportedType
                    ? Of(reader, type.Implementation) + "+" + name
                    : Join(reader.GetString(type.Namespace), name);
            }
            default:
                throw new BadImageFormatException($"{handle.Kind} is no type");
        }
    }

    static string Join(string space, string name) => space.Length == 0 ? name : space + "." + name;

    /// Keyword and metadata name.
    public static (string Keyword, string Name) Primitive(PrimitiveTypeCode code) => code switch
    {
        PrimitiveTypeCode.Void => ("void", "System.Void"),
        PrimitiveTypeCode.Boolean => ("bool", "System.Boolean"),
        PrimitiveTypeCode.Char => ("char", "System.Char"),
        PrimitiveTypeCode.SByte => ("sbyte", "System.SByte"),
        PrimitiveTypeCode.Byte => ("byte", "System.Byte"),
        PrimitiveTypeCode.Int16 => ("short", "System.Int16"),
        PrimitiveTypeCode.UInt16 => ("ushort", "System.UInt16"),
        PrimitiveTypeCode.Int32 => ("int", "System.Int32"),
        PrimitiveTypeCode.UInt32 => ("uint", "System.UInt32"),
        PrimitiveTypeCode.Int64 => ("long", "System.Int64"),
        PrimitiveTypeCode.UInt64 => ("ulong", "System.UInt64"),
        PrimitiveTypeCode.Single => ("float", "System.Single"),
        PrimitiveTypeCode.Double => ("double", "System.Double"),
        PrimitiveTypeCode.String => ("string", "System.String"),
        PrimitiveTypeCode.IntPtr => ("nint", "System.IntPtr"),
        PrimitiveTypeCode.UIntPtr => ("nuint", "System.UIntPtr"),
        PrimitiveTypeCode.Object => ("object", "System.Object"),
        PrimitiveTypeCode.TypedReference => ("System.TypedReference", "System.TypedReference"),
        _ => throw new BadImageFormatException(code.ToString()),
    };

    /// `List`1` is ("List", 1).
    public static (string Stem, int Arity) Arity(string name)
    {
        int at = name.LastIndexOf('`');
        return at >= 0 && int.TryParse(name.AsSpan(at + 1), out int arity) && arity <= 1024 ? (name[..at], arity) : (name, 0);
    }

    /// `<File>F00…__Name`, of file scope, is `Name`.
    public static string Unmangled(string name)
    {
        if (!name.StartsWith('<') || name.IndexOf(">F") is var at && at < 0)
        {
            return name;
        }
        var suffix = name[(name.IndexOf(">F") + 2)..];
        int end = suffix.IndexOf("__");
        return end < 0 ? name : suffix[(end + 2)..];
    }
}

/// All that a signature holds.
static class Exact
{
    public static string Text(Sig sig) => sig switch
    {
        Prim p => Names.Primitive(p.Code).Keyword,
        Named n => (n.IsValue ? "v:" : "c:") + n.Name + (n.Arguments.IsEmpty ? "" : $"<{List(n.Arguments)}>"),
        Arr a => Text(a.Element) + "[]",
        Multi m => $"{Text(m.Element)}[{m.Shape.Rank};{string.Join(' ', m.Shape.Sizes)};{string.Join(' ', m.Shape.LowerBounds)}]",
        Ptr p => Text(p.Element) + "*",
        ByRef r => Text(r.Element) + "&",
        Pinned p => Text(p.Element) + " pinned",
        Param p => (p.OfMethod ? "!!" : "!") + p.Index,
        Fn f => $"fn[{Text(f.Method)}]",
        Mod m => $"{(m.Required ? "modreq" : "modopt")}({Text(m.Modifier)}) {Text(m.Inner)}",
        _ => throw new InvalidOperationException(),
    };

    public static string List(ImmutableArray<Sig> sigs) => string.Join(", ", sigs.Select(Text));

    public static string Text(MethodSignature<Sig> method)
    {
        var text = new StringBuilder();
        text.Append(method.Header.IsInstance ? "this " : "");
        text.Append(method.Header.HasExplicitThis ? "explicit " : "");
        text.Append(method.Header.RawValue & 0xf).Append(' ');
        text.Append(method.GenericParameterCount).Append(' ');
        text.Append(Text(method.ReturnType)).Append('(');
        for (int i = 0; i < method.ParameterTypes.Length; i++)
        {
            text.Append(i > 0 ? ", " : "");
            text.Append(i == method.RequiredParameterCount ? "... " : "");
            text.Append(Text(method.ParameterTypes[i]));
        }
        return text.Append(')').ToString();
    }
}
