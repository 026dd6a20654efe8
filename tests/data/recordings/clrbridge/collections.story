{"tool":"debug_launch","arguments":{"program":"Collections","build":"never","breakpoints":[{"file":"Program.cs","line":62}]}}
{"tool":"variables_get","arguments":{"path":"first","depth":2}}
{"tool":"variables_get","arguments":{"path":"ages"}}
{"tool":"variables_get","arguments":{"path":"many","start":5000,"count":3}}
{"tool":"variables_get","arguments":{"filter":"grid|jagged"}}
{"tool":"variables_get","arguments":{"filter":"quoted|large|letter|access|none|day|span|guid|boxed|pair|twice"}}
{"tool":"debug_continue","arguments":{}}
