Console.WriteLine("in main");
return 7;
