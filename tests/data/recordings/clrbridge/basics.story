{"tool":"debug_launch","arguments":{"program":"Basics","build":"never","breakpoints":[{"file":"Program.cs","text":"Total += line.Total"}]}}
{"tool":"debug_step","arguments":{"mode":"over"}}
{"tool":"evaluate","arguments":{"expressions":["this","line.Total","Total"]}}
{"tool":"variables_get","arguments":{"path":"this"}}
{"tool":"breakpoint_remove","arguments":{"id":1}}
{"tool":"breakpoint_set","arguments":{"file":"Program.cs","text":"order.Add(","condition":"i == 3"}}
{"tool":"tracepoint_set","arguments":{"file":"Program.cs","text":"decimal cut","message":"cut from {total} at {percent}%"}}
{"tool":"debug_continue","arguments":{}}
{"tool":"evaluate","arguments":{"expressions":["order","i","order.Total","exitCode"]}}
{"tool":"debug_continue","arguments":{}}
{"tool":"debug_state","arguments":{}}
{"tool":"process_read_output","arguments":{"since":0}}
