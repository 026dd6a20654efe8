// What `clrbridge doctor` debugs to see whether debugging works here. Trial.dll and Trial.pdb beside this file are its Debug build:
//   dotnet build -p:TargetFramework=net8.0 -p:DebugType=portable -p:Deterministic=true -p:PathMap=FOLDER=/trial
using System;

internal static class Trial
{
    private static int Main(string[] args)
    {
        int answer = 6 + args.Length;
        answer *= 7;
        // a number in words takes a culture: where ICU is missing the runtime ends the program, as it would end any
        Console.WriteLine(answer);
        return answer - 42;
    }
}
