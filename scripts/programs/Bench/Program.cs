// What scripts/bench and scripts/soak debug.
// Arguments: steps N | hits N | values N | lines N | wait N
namespace Bench;

public sealed record Line(string Product, int Quantity, decimal Price);

public sealed class Order(int id, string customer)
{
    private readonly List<Line> _lines = [];

    public int Id { get; } = id;
    public string Customer { get; set; } = customer;
    public decimal Total { get; private set; }
    public int Count => _lines.Count;

    public void Add(Line line)
    {
        _lines.Add(line);
        Total += line.Quantity * line.Price; // BP:add
    }
}

public static class Program
{
    public static int Main(string[] args)
    {
        int size = int.Parse(args[1]); // BP:main
        switch (args[0])
        {
            case "steps":
                return Steps(size);
            case "hits":
                return Hits(size);
            case "values":
                return Values(size);
            case "lines":
                return Lines(size);
            case "wait":
                return Wait(size);
            default:
                return 2;
        }
    }

    private static int Steps(int size)
    {
        int sum = 0;
        string name = "steps"; // BP:steps
        for (int i = 0; i < size; i++)
        {
            sum += i;
            sum ^= 3;
            sum -= name.Length;
        }

        return sum == 0 ? 1 : 0;
    }

    private static int Hits(int size)
    {
        int sum = 0;
        string name = "";
        for (int i = 0; i < size; i++)
        {
            sum += i + name.Length; // BP:hits
        }

        return sum == 1 ? 1 : 0; // BP:hits-end
    }

    private static int Values(int size)
    {
        var order = new Order(42, "Ada");
        int[] numbers = [1, 2, 3];
        List<string> names = ["ada", "grace", "linus"];
        Dictionary<string, int> ages = new() { ["ada"] = 36, ["grace"] = 85 };
        var day = new DateTime(2024, 2, 29, 12, 30, 0, DateTimeKind.Utc);
        for (int i = 0; i < size; i++)
        {
            order.Add(new Line("item " + i, i + 1, 2.50m)); // BP:values
        }

        return order.Count + numbers.Length + names.Count + ages.Count + day.Day == 0 ? 1 : 0; // BP:end
    }

    private static int Lines(int size)
    {
        using var fast = new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = false };
        for (int i = 0; i < size; i++)
        {
            fast.Write("line ");
            fast.Write(i);
            fast.Write('\n');
        }

        return 0;
    }

    private static int Wait(int size)
    {
        for (int i = 0; i < size; i++)
        {
            Console.WriteLine(i); // BP:wait
            Thread.Sleep(10);
        }

        return 0;
    }
}
