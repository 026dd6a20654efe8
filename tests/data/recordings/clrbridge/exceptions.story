{"tool":"debug_launch","arguments":{"program":"Exceptions","args":["inner"],"build":"never","exceptions":{"types":["*"],"mode":"thrown"}}}
{"tool":"debug_continue","arguments":{}}
{"tool":"exception_get_context","arguments":{"include_variables_for_frames":2}}
{"tool":"breakpoint_set","arguments":{"file":"Program.cs","text":"throw new"}}
{"tool":"debug_continue","arguments":{}}
