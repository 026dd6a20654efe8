namespace Parts
{
    public class Part
    {
        public int Number = 3;
        public int Twice() => Number * 2;
    }
}
