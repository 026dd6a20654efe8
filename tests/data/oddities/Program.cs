// Whatever C# compiles to something that does not look like its source. What each prints as is in tests/metadata/oddities.rs.
using Oddities;

int total = 0;
foreach (int value in new Sequences().Evens(6))
{
    total += value; // BP:top-level
}
total += await new Tasks().SumAsync([1, 2, 3]);
Func<int, int> add = value => value + total; // BP:top-lambda
Console.WriteLine(add(Local(1)) + "abc".Twice().Length + await UsesFileScope.Use());

static int Local(int value)
{
    return value * 2; // BP:top-local
}
