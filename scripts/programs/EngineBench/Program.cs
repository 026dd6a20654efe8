// What scripts/bench engine debugs.
// Arguments: hits N | throws N | deep N | list N | threads N | objects N
using System.Diagnostics;

namespace EngineBench;

public sealed class Item(int id, Owner owner)
{
    public int Id { get; } = id;
    public Owner Owner { get; } = owner;
}

public sealed class Owner;

public static class Program
{
    private static readonly List<Item> s_items = [];
    private static readonly object s_gate = new();

    public static int Main(string[] args)
    {
        int size = int.Parse(args[1]); // BP:main
        return args[0] switch
        {
            "hits" => Hits(size),
            "throws" => Throws(size),
            "deep" => Deep(size),
            "list" => List(size),
            "threads" => Threads(size),
            "objects" => Objects(size),
            _ => 2,
        };
    }

    private static int Hits(int size)
    {
        int sum = 0;
        for (int i = 0; i < size; i++)
        {
            sum ^= i; // BP:hits
        }

        return sum == -1 ? 1 : 0; // BP:counted
    }

    private static int Throws(int size)
    {
        var watch = Stopwatch.StartNew();
        for (int i = 0; i < size; i++)
        {
            try
            {
                throw new InvalidOperationException("no");
            }
            catch (InvalidOperationException)
            {
            }
        }

        Console.WriteLine((long)(size / watch.Elapsed.TotalSeconds));
        return 0;
    }

    private static int Deep(int left) => left == 0 ? Bottom() : Deep(left - 1) + 1;

    private static int Bottom()
    {
        return 0; // BP:bottom
    }

    private static int List(int size)
    {
        int[] numbers = [.. Enumerable.Range(0, size)];
        return numbers.Length == size ? 0 : 1; // BP:list
    }

    private static int Threads(int size)
    {
        using CountdownEvent ready = new(size);
        lock (s_gate)
        {
            for (int i = 0; i < size; i++)
            {
                Thread waiting = new(() => Wait(ready), 256 * 1024) { IsBackground = true };
                waiting.Start();
            }

            ready.Wait();
            return 0; // BP:threads
        }
    }

    private static void Wait(CountdownEvent ready)
    {
        ready.Signal();
        lock (s_gate)
        {
        }
    }

    private static int Objects(int size)
    {
        Owner owner = new();
        for (int i = 0; i < size; i++)
        {
            s_items.Add(new(i, owner));
        }

        Item last = s_items[^1];
        return last.Id == size ? 1 : 0; // BP:objects
    }
}
