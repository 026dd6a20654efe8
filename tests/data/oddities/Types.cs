using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Oddities;

public record Person(string Name, int? Age = null)
{
    public required string Email { get; init; }
    public virtual string? Nickname { get; private protected set; }
}

public sealed record Employee(string Name, Person? Boss) : Person(Name), IComparable<Employee>
{
    public int CompareTo(Employee? other) => 0;
}

public readonly record struct Point(double X, double Y);

public readonly ref struct Window<T>(ref readonly T first, Span<T> rest)
{
    public readonly ref readonly T First = ref first;
    public Span<T> Rest { get; } = rest;
    public ref readonly T Peek() => ref First;
}

public ref struct Cursor
{
    public ref int Position;
    public ReadOnlySpan<char> Trim(scoped ReadOnlySpan<char> text, scoped ref int count) => default;
}

public interface IShape<TSelf> : IAdditionOperators<TSelf, TSelf, TSelf> where TSelf : IShape<TSelf>?
{
    static abstract TSelf Zero { get; }
    static virtual TSelf Scale(TSelf shape, int factor) => shape;
    int Area();
    int Twice() => Area() * 2;
    protected internal void Reset();
}

public interface IVariant<in TIn, out TOut> where TIn : class? where TOut : struct
{
    TOut Convert(TIn? value);
}

public struct Square : IShape<Square>
{
    private int _side;
    public static Square Zero => default;
    public readonly int Area() => _side * _side;
    void IShape<Square>.Reset() => _side = 0;
    public static Square operator +(Square left, Square right) => left;
    public static implicit operator int(Square square) => square._side;
    public static explicit operator checked byte(Square square) => checked((byte)square._side);
    public static explicit operator byte(Square square) => (byte)square._side;
    public static bool operator ==(Square left, in Square right) => true;
    public static bool operator !=(Square left, in Square right) => false;
    public void operator +=(int more) => _side += more;
    public override bool Equals([NotNullWhen(true)] object? other) => other is Square;
    public override int GetHashCode() => _side;
}

public abstract class Signatures<TKey, TValue>
    where TKey : notnull, IComparable<TKey?>
    where TValue : class, new()
{
    public const decimal Price = 12.50m;
    public const string Text = "a\"b\n\u00e9";
    public const char Letter = '\'';
    public const float Ratio = 1.5f;
    public const Mode Chosen = Mode.Fast;
    public const string? Nothing = null;
    protected internal static readonly Dictionary<TKey, List<TValue?>?>? Cache;
    public volatile int Stop;
    public string?[]?[,]? Jagged;
    public string?[][]? Plain;
    public (string? Name, List<int?> Ages, (TKey, object?) Pair) Tuple;
    public required TValue Needed;

    public abstract TValue? Find(in TKey key, ref int hits, out string? why, params ReadOnlySpan<int> more);
    protected virtual ref readonly TValue Pick(ref readonly int index) => throw null!;
    public ref TValue? Slot(int index = 3, string name = "x", Mode mode = Mode.Slow, Guid id = default, decimal d = 1.0m) => throw null!;
    protected internal abstract unsafe int* Raw(void* data, delegate*<string?, in int, ref readonly object?> managed, delegate* unmanaged[Cdecl, SuppressGCTransition]<int, out byte, void> native);
    public TResult? Convert<TResult, TOther>(Func<TKey, TResult?> how, TOther[] others) where TResult : unmanaged where TOther : struct, Enum => default;
    public T Plain1<T>(T value) where T : class? => value;
    public T? Plain2<T>(T? value) => value;
    public static dynamic Dynamic(nint size, nuint more) => size;
    public string this[int row, TKey? key] { get => ""; protected set { } }
    public event EventHandler<TValue>? Changed;
    ~Signatures() => Changed?.Invoke(this, new TValue());
    static Signatures() => Cache = null;

    public class Nested<T> : Signatures<TKey, TValue>.INested<T?>, IDisposable where T : allows ref struct
    {
        void IDisposable.Dispose() { }
        protected private delegate ref T? Made(scoped in T value);
    }

    public interface INested<out T> where T : allows ref struct;
}

public enum Mode : byte { Slow, Fast = 200 }

public static class Generic
{
    [Sized<int>(5), Sized<Mode>(Mode.Fast, Others = new[] { Mode.Slow, Mode.Fast }, Any = new object?[] { 1, "a", typeof(Point), null })]
    public static void Attributed() { }

    public static int Varargs(int count, __arglist) => count;

    [DllImport("nothing", EntryPoint = "go")]
    private static extern int Native(string text, [In, Out] byte[] buffer);
}

[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class SizedAttribute<T>(T size) : Attribute
{
    public T Size => size;
    public Mode[]? Others { get; set; }
    public object? Any { get; set; }
}

public delegate TOut? Converter<in TIn, out TOut>(TIn value, string? hint = null) where TIn : notnull;

// What only attributes say of a signature.
public static class Spelled
{
    public enum Color : sbyte
    {
        Red = 1,
        Dark = -1,
    }

    public const Color Favourite = Color.Red;

    public static void Paint(Color color = Color.Dark, Color? other = Color.Red, Color none = (Color)7, Color low = (Color)(-7), DayOfWeek day = DayOfWeek.Friday) { }

    public static (int id, string? name) Pair((int, (Color hue, dynamic? tag)[] parts) given) => default;

    public static Dictionary<(int a, int b, int c, int d, int e, int f, int g, int h, int i), (string x, int)?>? Long;

    public static dynamic Any(ref dynamic[] all, in dynamic one, Func<object, dynamic, List<dynamic?>> map) => one;

    public static T? Maybe<T>(T? value, Point? point, (T first, T? second)? both) where T : struct => value;

    public static unsafe delegate*<ref dynamic, in object, dynamic> Pointer;
}
