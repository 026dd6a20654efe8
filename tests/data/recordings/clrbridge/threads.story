{"tool":"debug_launch","arguments":{"program":"Threads","args":["meet","10"],"build":"never","breakpoints":[{"file":"Program.cs","text":"Interlocked.Add"}]}}
{"tool":"threads_list","arguments":{}}
{"tool":"debug_step","arguments":{"mode":"over"}}
{"tool":"debug_disconnect","arguments":{}}
