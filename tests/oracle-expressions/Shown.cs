// Values in one form, whatever the culture: what a debugger shows, on one line.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

public static class Shown
{
    const int Elements = 100;

    public static readonly Dictionary<int, string> Values = [];

    public static readonly Dictionary<string, string> TypeParameters = [];

    public static void TypeParameter(string name, Type type) => TypeParameters[name] = Name(type);

    public static void Void(int at) => Values[at] = "";

    public static void Thrown(int at, Exception error) => Values[at] = $"!{error.GetType().FullName}: {error.Message.ReplaceLineEndings("\\n")}";

    public static void Value<T>(int at, Span<T> value) => Values[at] = Text(value.ToArray());

    public static void Value<T>(int at, ReadOnlySpan<T> value) => Values[at] = Text(value.ToArray());

    // null would become an empty span
    public static void Value<T>(int at, T[]? value) => Values[at] = Text(value);

    public static void Value(int at, object? value) => Values[at] = Text(value);

    static string Text(object? value)
    {
        var invariant = CultureInfo.InvariantCulture;
        switch (value)
        {
            case null:
                return "null";
            case string text:
                return '"' + string.Concat(text.Select((c, at) => Escaped(c, '"', IsHalf(text, at)))) + '"';
            case char c:
                return '\'' + Escaped(c, '\'', char.IsSurrogate(c)) + '\'';
            case bool flag:
                return flag ? "true" : "false";
            case Enum e:
                return Enum(e);
            case DateTime moment:
                return moment.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFF", invariant) + (moment.Kind switch { DateTimeKind.Utc => "Z", DateTimeKind.Local => " Local", _ => "" });
            case DateTimeOffset moment:
                return moment.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFzzz", invariant);
            case DateOnly day:
                return day.ToString("yyyy-MM-dd", invariant);
            case TimeOnly time:
                return time.ToString("HH:mm:ss.FFFFFFF", invariant);
            case TimeSpan span:
                string ticks = span.ToString("c", invariant);
                return ticks.Contains(".", StringComparison.Ordinal) && span.Ticks % TimeSpan.TicksPerSecond != 0 ? ticks.TrimEnd('0') : ticks;
            case Type type:
                return $"typeof({Name(type)})";
            case sbyte or byte or short or ushort or int or uint or long or ulong or nint or nuint or float or double or decimal or Guid:
            case Half or Int128 or UInt128 or BigInteger or Index or Range or Version or Rune:
                return value is IFormattable number ? number.ToString(null, invariant) : value.ToString()!;
            case ITuple tuple when Name(value.GetType()).StartsWith('('):
                return $"({string.Join(", ", System.Linq.Enumerable.Range(0, tuple.Length).Select(at => Text(tuple[at])))})";
            case IDictionary dictionary:
                return Dictionary(dictionary);
            case IEnumerable sequence:
                return $"[{Listed(sequence.Cast<object?>().Select(Text))}]";
        }
        var shape = value.GetType();
        object? member(string name) => shape.GetProperty(name)!.GetValue(value);
        if (shape.IsGenericType && shape.GetGenericTypeDefinition() == typeof(KeyValuePair<,>))
        {
            return $"[{Text(member("Key"))}, {Text(member("Value"))}]";
        }
        if (shape.Name.StartsWith("<>f__AnonymousType", StringComparison.Ordinal))
        {
            return "{ " + string.Join(", ", shape.GetProperties().Select(it => $"{it.Name} = {Text(it.GetValue(value))}")) + " }";
        }
        return $"{{{Name(shape)}}}";
    }

    static string Dictionary(IDictionary dictionary)
    {
        var entries = new List<string>();
        foreach (DictionaryEntry entry in dictionary)
        {
            entries.Add($"{Text(entry.Key)}: {Text(entry.Value)}");
        }
        return $"{{{Listed(entries)}}}";
    }

    static string Listed(IEnumerable<string> elements)
    {
        var first = elements.Take(Elements + 1).ToList();
        return string.Join(", ", first.Take(Elements)) + (first.Count > Elements ? ", …" : "");
    }

    static string Enum(Enum value)
    {
        string text = value.ToString(), type = value.GetType().Name;
        bool isNumber = text[0] is '-' or (>= '0' and <= '9');
        return isNumber ? text : string.Join(" | ", text.Split(", ").Select(it => $"{type}.{it}"));
    }

    static bool IsHalf(string text, int at) => char.IsHighSurrogate(text[at])
        ? at + 1 == text.Length || !char.IsLowSurrogate(text[at + 1])
        : char.IsLowSurrogate(text[at]) && (at == 0 || !char.IsHighSurrogate(text[at - 1]));

    static string Escaped(char c, char quote, bool isHalf) => c switch
    {
        '\\' => "\\\\",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\0' => "\\0",
        _ when c == quote => "\\" + c,
        _ when isHalf || char.IsControl(c) || IsUnseen(char.GetUnicodeCategory(c)) => $"\\u{(int)c:x4}",
        _ => c.ToString(),
    };

    static bool IsUnseen(UnicodeCategory category) => category is UnicodeCategory.Format or UnicodeCategory.LineSeparator
        or UnicodeCategory.ParagraphSeparator or UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned;

    static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(bool)] = "bool", [typeof(byte)] = "byte", [typeof(sbyte)] = "sbyte", [typeof(char)] = "char", [typeof(short)] = "short",
        [typeof(ushort)] = "ushort", [typeof(int)] = "int", [typeof(uint)] = "uint", [typeof(long)] = "long", [typeof(ulong)] = "ulong",
        [typeof(nint)] = "nint", [typeof(nuint)] = "nuint", [typeof(float)] = "float", [typeof(double)] = "double",
        [typeof(decimal)] = "decimal", [typeof(string)] = "string", [typeof(object)] = "object", [typeof(void)] = "void",
    };

    /// As C# spells it, without namespaces.
    static string Name(Type type)
    {
        if (Keywords.TryGetValue(type, out string? keyword))
        {
            return keyword;
        }
        if (type.IsArray)
        {
            // The outer array's rank comes first in C#, the element's in reflection.
            string ranks = "";
            for (; type.IsArray; type = type.GetElementType()!)
            {
                ranks += $"[{new string(',', type.GetArrayRank() - 1)}]";
            }
            return Name(type) + ranks;
        }
        if (type.IsByRef || type.IsPointer)
        {
            return type.IsPointer ? Name(type.GetElementType()!) + "*" : "ref " + Name(type.GetElementType()!);
        }
        if (type.IsGenericParameter)
        {
            return type.Name;
        }
        var arguments = type.GetGenericArguments();
        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            return Name(underlying) + "?";
        }
        if (type.FullName?.StartsWith("System.ValueTuple`", StringComparison.Ordinal) == true && !type.IsGenericTypeDefinition)
        {
            return $"({string.Join(", ", Flat(type).Select(Name))})";
        }
        return Chain(type, arguments);
    }

    static IEnumerable<Type> Flat(Type tuple)
    {
        var arguments = tuple.GetGenericArguments();
        return arguments.Length < 8 ? arguments : arguments.Take(7).Concat(Flat(arguments[7]));
    }

    static string Chain(Type type, Type[] arguments)
    {
        int outer = type.DeclaringType?.GetGenericArguments().Length ?? 0;
        string prefix = type.DeclaringType is { } declaring ? Chain(declaring, arguments) + "." : "";
        int count = type.GetGenericArguments().Length;
        string name = type.Name.Split('`')[0];
        if (count <= outer)
        {
            return prefix + name;
        }
        var own = arguments[outer..count];
        return prefix + name + (own[0].IsGenericParameter && type.IsGenericTypeDefinition && type == own[0].DeclaringType
            ? $"<{new string(',', own.Length - 1)}>"
            : $"<{string.Join(", ", own.Select(Name))}>");
    }
}
