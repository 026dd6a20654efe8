// What the other fixtures do not have: for readers of metadata, built in Release with an embedded PDB.
using System.Collections;
using System.Diagnostics;
using Shapes;

const int Top = 7;
await Task.Delay(Top);
var odd = new Odd<string, int>("a");
Func<int, Task<int>> later = async n =>
{
    await Task.Delay(n); // BP:async-lambda
    return n + Top;
};
Console.WriteLine(await later(1) + await Twice(2) + Count(3).Sum());

static async Task<int> Twice(int n)
{
    await Task.Delay(n); // BP:async-local
    return n * 2;
}

IEnumerable<int> Count(int n)
{
    for (int i = 0; i < n; i++)
    {
        yield return i + odd.Plain; // BP:iterator-local
    }
}

namespace Shapes
{
    public enum Small : byte { None, All = 255 }

    public enum Large : long { Least = long.MinValue, Most = long.MaxValue }

    public abstract class Base<T>
    {
        protected T? _inherited;
        public virtual int Plain => 1;
        public abstract string Name { get; }
        public T? Inherited => _inherited;
    }

    public unsafe class Odd<TKey, TValue>(TKey key) : Base<List<TKey>>, IDisposable, IEnumerable<TKey>
        where TKey : notnull
    {
        public const string Text = "naïve\n";
        public const double Ratio = 0.5;
        public const Small Default = Small.All;
        private static int s_count = 3;
        private readonly TKey _key = key;
        [DebuggerBrowsable(DebuggerBrowsableState.Never)]
        private int _plain = 5;
        public int*[] Pointers = [];
        public delegate* unmanaged<int, void> Callback;
        public delegate*<string, ref int, long> Managed;
        public Dictionary<TKey, (int Id, TValue?[] Values)>.KeyCollection? Keys;
        public (int, int, int, int, int, int, int, int, string) Long;
        public int[][,,] Jagged = [];
        public volatile bool Stop;

        public static int Created => s_count;
        public override int Plain => _plain;
        public override string Name => "odd";
        public TKey Key => _key;
        public TKey this[int index] => _key;
        public int WriteOnly { set => _plain = value; }
        public int Initial { get; init; }

        [DebuggerNonUserCode]
        void IDisposable.Dispose() => _plain = 0;

        IEnumerator<TKey> IEnumerable<TKey>.GetEnumerator()
        {
            yield return _key;
        }

        IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<TKey>)this).GetEnumerator();

        [DebuggerStepThrough]
        public class Inner
        {
            public Task<T> Run<T>(Func<T> work, in TValue? value, params int[] numbers) => Task.Run(() => work());
        }
    }
}

file class OnlyHere
{
    public static int Go() => 1;
}
