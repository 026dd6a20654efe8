using System.Runtime.CompilerServices;

namespace Oddities;

public class Tasks
{
    public async Task<int> SumAsync(int[] values)
    {
        int sum = 0;
        const int Step = 1;
        foreach (int value in values)
        {
            await Task.Yield();
            sum += value * Step; // BP:async
        }
        return sum;
    }

    public async void Forget(Action? then = null)
    {
        await Task.Delay(1);
        then?.Invoke(); // BP:async-void
    }

    public async ValueTask<string?> FindAsync<TKey>(TKey key, CancellationToken token = default) where TKey : notnull
    {
        Func<Task<string?>> later = async () =>
        {
            await Task.Yield();
            return key.ToString(); // BP:async-lambda
        };
        return await later();
    }

    public async IAsyncEnumerable<int> Ticks(int count, [EnumeratorCancellation] CancellationToken token = default)
    {
        for (int tick = 0; tick < count; tick++)
        {
            await Task.Delay(tick, token);
            yield return tick; // BP:async-iterator
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask Pooled() => await Task.Yield();
}

public class Sequences
{
    private int _start;

    public IEnumerable<int> Evens(int limit)
    {
        for (int even = _start; even < limit; even += 2)
        {
            yield return even; // BP:iterator
        }
    }

    public static IEnumerator<T> Single<T>(T item)
    {
        yield return item; // BP:generic-iterator
    }

    public IEnumerable<string> Names
    {
        get
        {
            yield return "first"; // BP:property-iterator
            _start++;
        }
    }
}

public class Closures(string prefix)
{
    public Func<int, string> Lambda(int outer)
    {
        int captured = outer;
        return inner =>
        {
            captured += inner;
            return prefix + captured; // BP:lambda
        };
    }

    public int LocalFunction(int number)
    {
        return Inner(number) + Generic<int>(number);

        int Inner(int value)
        {
            Func<int> nested = () => value + number; // BP:nested-lambda
            return nested();
        }

        static int Generic<T>(T value) => value!.GetHashCode(); // BP:local-function
    }

    public Func<int> Static() => static () => 1; // BP:static-lambda

    public (int Id, string Name) Anonymous()
    {
        var anonymous = new { Id = 1, Name = prefix };
        return (anonymous.Id, anonymous.Name);
    }

    public int this[int index] => Enumerable.Range(0, index).Where(x => x > index / 2).Count(); // BP:lambda-in-indexer

    public event EventHandler? Changed
    {
        add => Task.Run(() => prefix.Length); // BP:lambda-in-event
        remove { }
    }

    public Closures() : this(new Func<string>(() => "made")()) // BP:lambda-in-constructor
    {
    }

    private readonly Func<int> _field = () => 7; // BP:lambda-in-field
}

public static class Extensions
{
    public static string Twice(this string text) => text + text;

    extension(string text)
    {
        public bool IsBlank => text.Trim().Length == 0; // BP:extension-property

        public string Times(int count)
        {
            return string.Concat(Enumerable.Repeat(text, count)); // BP:extension-method
        }

        public static string Empty2 => "";
    }

    extension<T>(IEnumerable<T> items) where T : class
    {
        public T? FirstOrNull() => items.FirstOrDefault();
    }
}

file class FileScope
{
    public static int Hidden() => 2; // BP:file-scope

    public async Task<int> Later()
    {
        await Task.Yield();
        return 3; // BP:file-scope-async
    }
}

public static class UsesFileScope
{
    public static Task<int> Use() => new FileScope().Later().ContinueWith(later => later.Result + FileScope.Hidden());
}
