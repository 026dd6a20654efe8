public class Whole
{
    public int Use(Parts.Part part) => part.Twice();
}
