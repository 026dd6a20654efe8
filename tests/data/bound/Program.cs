// What the expression evaluator's tests are bound in. Its types are in no namespace. Main says what the compiler makes of it.

var node = new Node();
Generic.Show(node, node, [node], [node], new Packed());
Console.WriteLine(Generic.Closes(1));
Console.WriteLine(Own.Counted([1, 2]));

public interface INode
{
    int Weight { get; }
    string Kind { get; }
    string Over(long number);
    INode Next { get; }
    string Named => "of the interface";
    string Shared();
}

public class Base
{
    public static string operator +(Base one, Base other) => "base";
    public int X => 1;
    public int Field = 1;
    public string Plain() => "base";
    public string Shared() => "base";
}

public class Node : Base, INode
{
    public static string operator +(Node one, Node other) => "node";
    public static bool operator ==(Node one, Node other) => false;
    public static bool operator !=(Node one, Node other) => true;
    public override bool Equals(object? other) => false;
    public override int GetHashCode() => 0;
    public new int X => 11;
    public new int Field = 11;
    public new string Plain() => "derived";
    public int Weight => 1;
    public string Kind => "public";
    string INode.Kind => "explicit";
    public string Over(int number) => "int";
    public string Over(long number) => "long";
    public INode Next => this;
    public string Only => "only here";
}

public struct Packed : INode
{
    public int Weight => 2;
    public string Shared() => "packed";
    public string Kind => "public";
    string INode.Kind => "explicit";
    public string Over(long number) => "long";
    public INode Next => this;
}

public static class Overloads
{
    public static string Taken(Base node) => "base";
    public static string Taken(Node node) => "node";
    public static string Named(INode node) => "interface";
    public static string Named(Node node) => "node";
    public static string Same<T>(T node) => "generic";
    public static string Same(Node node) => "node";
}

public static class Own
{
    public static int Count<T>(this List<T> list) => -5;
    public static T First<T>(this HashSet<T> set) => throw new NotSupportedException();
    public static int Where(this Stack<int> stack) => -6;

    public static int Counted(List<int> list) => list.Count();
}

public class Holder<T> where T : INode
{
    public T Held = default!;
    public T[] Array = [];
    public List<T> Many { get; } = [];

    public string Show() => Held.Kind + Array.Length + Many.Count;
}

public static class Generic
{
    public static void Show<T, U, V>(T node, U derived, List<T> list, T[] array, V packed)
        where T : class, INode
        where U : Base, INode
        where V : struct, INode
    {
        IEnumerable<T> sequence = list;
        Func<string> captured = () => node.Kind + derived.X;
        Console.WriteLine(captured());
        Console.WriteLine((node.Kind, node.Named, node.Over(1), list[0].Kind, array[0].Kind, sequence.First().Kind));
        Console.WriteLine((derived.X, derived.Field, derived.Plain(), derived.Kind, derived is { X: 1 }));
        Console.WriteLine((derived + derived, node == list[0]));
        Console.WriteLine((Overloads.Taken(derived), Overloads.Named(node), Overloads.Same(node), derived.Shared(), packed.Kind, packed.Over(1), sequence.Max(it => it.Kind)));
    }

    public static int Closes(int start)
    {
        var number = start;
        int Local(int more) => number + more;
        Func<int> sum = () => number + Local(1);
        return sum() + Local(2);
    }
}
