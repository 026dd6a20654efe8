// What every customer owes. Grace is owed money instead: why?
namespace Shop;

public sealed record OrderLine(string Product, int Quantity, decimal Price)
{
    public decimal Total => Quantity * Price;
}

public sealed record Order(string Customer, string Coupon, List<OrderLine> Lines);

public static class Program
{
    private static readonly Dictionary<string, int> s_percentOff = new() { ["SPRING"] = 10, ["LOYAL"] = 150 };

    private static readonly Order[] s_orders =
    [
        new("Ada", "SPRING", [new("pen", 3, 2.50m), new("ink", 1, 12.00m)]),
        new("Grace", "LOYAL", [new("book", 2, 19.90m), new("lamp", 1, 45.00m)]),
    ];

    public static int Main()
    {
        foreach (Order order in s_orders)
        {
            Console.WriteLine($"{order.Customer} owes {Owed(order):0.00}");
        }
        return 0;
    }

    private static decimal Owed(Order order)
    {
        decimal total = 0;
        foreach (OrderLine line in order.Lines)
        {
            total += line.Total;
        }
        int percent = s_percentOff[order.Coupon];
        decimal reduction = total * percent / 100;
        return total - reduction;
    }
}
