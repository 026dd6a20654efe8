//! What of the framework is pure: the one table, by type and method. .NET 8 to 10, from the reference sources (dotnet/runtime).
//!
//! What a method of the table may call back (equality, hashing, comparison, text, enumeration, delegates) is judged by the types of
//! its receiver and arguments: see `dispatch`; what the program overrides of the receiver's class: see `hooks`.
//!
//! Some methods keep what they made where they will look again: `Keys` and `Values` of dictionaries and their views, `Data` of an exception, the
//! parts of a `Uri`, the names of a type. That is a field of the framework's own object, which only that method looks at, and it answers
//! the same whether it was filled before: the program sees of it no more than that the same object comes back.

use crate::signatures::{TypeName, TypeSig};

/// `*` = all but those behind `-`. A name with `!` writes to its receiver (or, static, to its first argument), which must be owned.
type Row = (&'static str, &'static str);

/// Methods that write to an argument, which no type's `*` brings.
const NEVER: &[&str] = &[
    "CopyTo",
    "TryCopyTo",
    "TryFormat",
    "TryWriteBytes",
    "GetBits",
    "TryGetBits",
    "Create",
    "GetPinnableReference",
    "AsParallel",
    // of numbers: they call the operators of a type that may be the program's
    "CreateChecked",
    "CreateSaturating",
    "CreateTruncating",
];

const NUMBER: &str = "*";

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // values
    ("System.Boolean", NUMBER), ("System.Char", NUMBER), ("System.SByte", NUMBER), ("System.Byte", NUMBER), ("System.Int16", NUMBER),
    ("System.UInt16", NUMBER), ("System.Int32", NUMBER), ("System.UInt32", NUMBER), ("System.Int64", NUMBER), ("System.UInt64", NUMBER),
    ("System.Int128", NUMBER), ("System.UInt128", NUMBER), ("System.Half", NUMBER), ("System.Single", NUMBER), ("System.Double", NUMBER),
    ("System.Numerics.Vector2", "*"), ("System.Numerics.Vector3", "*"), ("System.Numerics.Vector4", "*"), ("System.Numerics.Quaternion", "*"),
    ("System.Numerics.Matrix3x2", "* -Invert"), ("System.Numerics.Matrix4x4", "* -Invert -Decompose"), ("System.Numerics.Plane", "*"),
    ("System.Decimal", "* GetBits"), ("System.IntPtr", NUMBER), ("System.UIntPtr", NUMBER), ("System.Numerics.BigInteger", "*"),
    ("System.Numerics.Complex", "*"),
    ("System.DateTime", "*"), ("System.DateTimeOffset", "*"), ("System.DateOnly", "*"), ("System.TimeOnly", "*"), ("System.TimeSpan", "*"),
    ("System.Guid", "*"), ("System.Version", "*"), ("System.Index", "*"), ("System.Range", "*"), ("System.Nullable", "*"),
    ("System.Nullable`1", "*"), ("System.HashCode", "Combine Add! ToHashCode"), ("System.Uri", "*"),
    ("System.Math", "*"), ("System.MathF", "*"), ("System.Numerics.BitOperations", "*"),
    ("System.Convert", "* -FromBase64CharArray -TryFromBase64String -TryToBase64Chars -ToBase64CharArray -TryFromBase64Chars"),
    ("System.BitConverter", "* -TryWriteBytes"),
    ("System.Buffers.Binary.BinaryPrimitives", "ReverseEndianness ReadInt16BigEndian ReadInt16LittleEndian ReadInt32BigEndian ReadInt32LittleEndian ReadInt64BigEndian ReadInt64LittleEndian ReadUInt16BigEndian ReadUInt16LittleEndian ReadUInt32BigEndian ReadUInt32LittleEndian ReadUInt64BigEndian ReadUInt64LittleEndian ReadSingleBigEndian ReadSingleLittleEndian ReadDoubleBigEndian ReadDoubleLittleEndian ReadHalfBigEndian ReadHalfLittleEndian"),
    ("System.Enum", "ToString HasFlag IsDefined GetName GetNames GetValues Parse TryParse CompareTo Equals GetHashCode GetUnderlyingType"),
    ("System.ValueType", ".ctor"), ("System.Tuple", "Create"), ("System.ValueTuple", "Create"), ("System.TupleExtensions", "ToTuple ToValueTuple"),
    ("System.Object", ".ctor GetType ReferenceEquals ToString Equals GetHashCode"),
    ("System.Type", "GetType get_Name get_FullName get_Namespace GetTypeFromHandle op_Equality op_Inequality Equals get_IsValueType get_IsEnum get_IsGenericType get_BaseType ToString get_IsArray get_IsClass get_IsInterface get_IsAbstract get_IsSealed get_IsPrimitive get_IsPointer get_IsByRef get_IsPublic get_IsNested get_IsGenericTypeDefinition get_ContainsGenericParameters get_Assembly get_Module get_DeclaringType get_MemberType get_GenericTypeArguments get_AssemblyQualifiedName get_UnderlyingSystemType GetGenericArguments GetGenericTypeDefinition GetElementType GetArrayRank GetInterfaces GetProperty GetProperties GetField GetFields GetMethod GetMethods GetConstructors GetMembers GetTypeInfo IsAssignableFrom IsAssignableTo IsSubclassOf IsInstanceOfType"),
    ("System.Reflection.MemberInfo", "get_Name get_MemberType get_DeclaringType get_ReflectedType get_Module get_MetadataToken op_Equality op_Inequality Equals ToString"), ("System.Reflection.PropertyInfo", "get_Name get_PropertyType get_CanRead get_CanWrite get_DeclaringType get_MemberType get_GetMethod get_SetMethod GetIndexParameters op_Equality op_Inequality"),
    ("System.Reflection.FieldInfo", "get_Name get_FieldType get_IsStatic get_IsInitOnly get_IsLiteral get_IsPublic get_IsPrivate get_DeclaringType get_MemberType op_Equality op_Inequality"), ("System.Reflection.MethodBase", "get_Name get_IsStatic get_IsVirtual get_IsAbstract get_IsPublic get_IsPrivate get_IsGenericMethod get_DeclaringType GetParameters GetGenericArguments op_Equality op_Inequality"),
    ("System.Reflection.MethodInfo", "get_ReturnType get_MemberType op_Equality op_Inequality"), ("System.Reflection.ParameterInfo", "get_Name get_ParameterType get_Position get_IsOptional get_HasDefaultValue"), ("System.Reflection.Assembly", "get_FullName get_Location GetName ToString"), ("System.Reflection.AssemblyName", "get_Name get_Version get_FullName"),
    ("System.Reflection.IntrospectionExtensions", "GetTypeInfo"), ("System.Reflection.TypeInfo", "AsType"),
    // a node's own parts; its text asks the objects that it holds
    ("System.Linq.Expressions.Expression", "get_NodeType get_Type get_CanReduce"), ("System.Linq.Expressions.LambdaExpression", "get_Body get_Parameters get_ReturnType get_Name get_NodeType get_Type"), ("System.Linq.Expressions.MemberExpression", "get_Expression get_Member get_NodeType"),
    ("System.Linq.Expressions.UnaryExpression", "get_Operand get_Method get_NodeType get_Type"), ("System.Linq.Expressions.BinaryExpression", "get_Left get_Right get_Method get_NodeType"), ("System.Linq.Expressions.ConstantExpression", "get_Value get_NodeType get_Type"),
    ("System.Linq.Expressions.MethodCallExpression", "get_Method get_Object get_Arguments get_NodeType get_Type"), ("System.Linq.Expressions.ParameterExpression", "get_Name get_IsByRef get_NodeType get_Type"), ("System.Linq.Expressions.ConditionalExpression", "get_Test get_IfTrue get_IfFalse get_NodeType get_Type"),
    ("System.Linq.Expressions.NewExpression", "get_Constructor get_Arguments get_Members get_NodeType get_Type"), ("System.Linq.Expressions.InvocationExpression", "get_Expression get_Arguments get_NodeType get_Type"),
    // text
    ("System.String", "* -Intern"), ("System.StringComparer", "get_Ordinal get_OrdinalIgnoreCase get_InvariantCulture get_InvariantCultureIgnoreCase Equals Compare"),
    ("System.Text.StringBuilder", ".ctor ToString get_Length get_Chars get_Capacity Equals Append! AppendLine! AppendFormat! AppendJoin! Insert! Remove! Replace! Clear! set_Length!"),
    ("System.Runtime.CompilerServices.DefaultInterpolatedStringHandler", ".ctor! AppendLiteral! AppendFormatted! ToStringAndClear! ToString get_Text"),
    ("System.Text.StringBuilder+AppendInterpolatedStringHandler", ".ctor! AppendLiteral! AppendFormatted!"),
    ("System.Text.Encoding", "get_UTF8 get_ASCII get_Unicode get_Latin1 get_UTF32 GetString GetByteCount GetCharCount GetBytes get_WebName get_EncodingName"),
    ("System.Text.Rune", "* -EncodeToUtf8 -EncodeToUtf16 -TryEncodeToUtf8 -TryEncodeToUtf16"),
    ("System.Text.StringRuneEnumerator", "get_Current MoveNext! GetEnumerator Dispose"),
    ("System.Text.RegularExpressions.Regex", "IsMatch Match Matches Replace Split Escape Unescape Count .ctor"),
    ("System.Text.RegularExpressions.Match", "get_Success get_Value get_Index get_Length get_Groups"),
    ("System.Text.RegularExpressions.Capture", "get_Value get_Index get_Length ToString"),
    ("System.Text.RegularExpressions.Group", "get_Success get_Value get_Index get_Length get_Name"),
    ("System.Text.RegularExpressions.GroupCollection", "get_Item get_Count"), ("System.Text.RegularExpressions.MatchCollection", "get_Item get_Count"),
    ("System.Globalization.CompareInfo", "Compare IsPrefix IsSuffix IndexOf LastIndexOf get_Name"), ("System.Diagnostics.Debugger", "get_IsAttached"),
    ("System.Diagnostics.Debug+AssertInterpolatedStringHandler", ".ctor AppendLiteral! AppendFormatted!"),
    ("System.Globalization.CultureInfo", ".ctor GetCultureInfo get_InvariantCulture get_CurrentCulture get_CurrentUICulture get_Name get_EnglishName get_DisplayName get_NativeName get_TwoLetterISOLanguageName get_LCID get_IsNeutralCulture get_TextInfo get_NumberFormat get_DateTimeFormat get_CompareInfo ToString"),
    ("System.Globalization.TextInfo", "get_ListSeparator get_CultureName get_IsRightToLeft ToUpper ToLower ToTitleCase"),
    ("System.Globalization.NumberFormatInfo", "get_InvariantInfo get_CurrentInfo get_NumberDecimalSeparator get_NumberGroupSeparator get_NumberDecimalDigits get_CurrencySymbol get_CurrencyDecimalSeparator get_CurrencyGroupSeparator get_NegativeSign get_PositiveSign get_PercentSymbol get_NaNSymbol"),
    ("System.Globalization.DateTimeFormatInfo", "get_InvariantInfo get_CurrentInfo get_DateSeparator get_TimeSeparator get_ShortDatePattern get_LongDatePattern get_ShortTimePattern get_LongTimePattern get_FirstDayOfWeek GetDayName GetMonthName GetAbbreviatedDayName GetAbbreviatedMonthName"),
    ("System.IO.Path", "* -GetTempFileName -GetRandomFileName -Exists"),
    ("System.Environment", "GetEnvironmentVariable get_NewLine get_TickCount get_TickCount64 get_ProcessorCount get_ProcessId get_CurrentManagedThreadId get_MachineName get_UserName get_CurrentDirectory"),
    // collections
    ("System.Array", "Copy CreateInstance get_Length get_LongLength get_Rank GetLength GetLowerBound GetUpperBound GetValue Empty IndexOf LastIndexOf BinarySearch Exists Find FindAll FindIndex FindLast FindLastIndex TrueForAll ConvertAll Clone Sort! Reverse! Fill! Clear! Resize!"),
    ("System.Collections.Generic.List`1", ".ctor get_Count get_Capacity get_Item Contains IndexOf LastIndexOf BinarySearch Exists Find FindAll FindIndex FindLast FindLastIndex TrueForAll ConvertAll GetRange ToArray GetEnumerator AsReadOnly Slice Add! AddRange! Insert! set_Item! Sort! Reverse! Clear! Remove! RemoveAt! RemoveAll! RemoveRange! set_Capacity! EnsureCapacity! TrimExcess!"),
    ("System.Collections.Generic.List`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.Dictionary`2", ".ctor get_Count get_Item get_Keys get_Values get_Comparer ContainsKey ContainsValue TryGetValue GetEnumerator Add! TryAdd! set_Item! Remove! Clear!"),
    ("System.Collections.Generic.Dictionary`2+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.Dictionary`2+KeyCollection", "get_Count GetEnumerator Contains"), ("System.Collections.Generic.Dictionary`2+ValueCollection", "get_Count GetEnumerator"),
    ("System.Collections.Generic.Dictionary`2+KeyCollection+Enumerator", "get_Current MoveNext! Dispose"), ("System.Collections.Generic.Dictionary`2+ValueCollection+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.SortedDictionary`2+KeyCollection", "get_Count GetEnumerator Contains"), ("System.Collections.Generic.SortedDictionary`2+ValueCollection", "get_Count GetEnumerator"),
    ("System.Collections.Generic.SortedDictionary`2+KeyCollection+Enumerator", "get_Current MoveNext! Dispose"), ("System.Collections.Generic.SortedDictionary`2+ValueCollection+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.SortedList`2+KeyList", "get_Count get_Item GetEnumerator Contains IndexOf"), ("System.Collections.Generic.SortedList`2+ValueList", "get_Count get_Item GetEnumerator"),
    ("System.Collections.Generic.SortedList`2+Enumerator", "get_Current MoveNext! Dispose"), ("System.Collections.Generic.SortedList`2+SortedListKeyEnumerator", "get_Current MoveNext! Dispose"), ("System.Collections.Generic.SortedList`2+SortedListValueEnumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.OrderedDictionary`2", ".ctor get_Count get_Item get_Keys get_Values get_Comparer ContainsKey ContainsValue TryGetValue IndexOf GetAt GetEnumerator Add! TryAdd! set_Item! Remove! Clear!"), ("System.Collections.Generic.OrderedDictionary`2+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.OrderedDictionary`2+KeyCollection", "get_Count GetEnumerator Contains"), ("System.Collections.Generic.OrderedDictionary`2+ValueCollection", "get_Count GetEnumerator"), ("System.Collections.Generic.OrderedDictionary`2+KeyCollection+Enumerator", "get_Current MoveNext! Dispose"), ("System.Collections.Generic.OrderedDictionary`2+ValueCollection+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.PriorityQueue`2", ".ctor get_Count get_UnorderedItems Peek TryPeek Enqueue! Dequeue! TryDequeue! Clear!"), ("System.Collections.Generic.PriorityQueue`2+UnorderedItemsCollection", "get_Count GetEnumerator"), ("System.Collections.Generic.PriorityQueue`2+UnorderedItemsCollection+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.KeyValuePair`2", "*"), ("System.Collections.Generic.KeyValuePair", "Create"),
    ("System.Collections.Generic.CollectionExtensions", "GetValueOrDefault"),
    ("System.Collections.Generic.HashSet`1", ".ctor get_Count get_Comparer Contains TryGetValue GetEnumerator IsSubsetOf IsSupersetOf Overlaps SetEquals Add! Remove! Clear! UnionWith!"),
    ("System.Collections.Generic.HashSet`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.Queue`1", ".ctor get_Count Peek TryPeek Contains ToArray GetEnumerator Enqueue! Dequeue! TryDequeue! Clear!"),
    ("System.Collections.Generic.Queue`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.Stack`1", ".ctor get_Count Peek TryPeek Contains ToArray GetEnumerator Push! Pop! TryPop! Clear!"),
    ("System.Collections.Generic.Stack`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.LinkedList`1", ".ctor get_Count get_First get_Last Contains Find GetEnumerator AddLast! AddFirst!"), ("System.Collections.Generic.LinkedListNode`1", "get_Value get_Next get_Previous get_List"),
    ("System.Collections.Generic.LinkedList`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.SortedDictionary`2", ".ctor get_Count get_Item get_Keys get_Values ContainsKey TryGetValue GetEnumerator Add! set_Item!"), ("System.Collections.Generic.SortedDictionary`2+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.SortedList`2", ".ctor get_Count get_Item get_Keys get_Values ContainsKey TryGetValue IndexOfKey IndexOfValue GetKeyAtIndex GetValueAtIndex GetEnumerator Add! set_Item!"),
    ("System.Collections.Generic.SortedSet`1", ".ctor get_Count get_Min get_Max Contains GetEnumerator Reverse Add!"), ("System.Collections.Generic.SortedSet`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Generic.EqualityComparer`1", "get_Default Equals GetHashCode"), ("System.Collections.Generic.Comparer`1", "get_Default Compare"),
    ("System.Collections.ObjectModel.ReadOnlyCollection`1", ".ctor get_Count get_Item Contains IndexOf GetEnumerator get_Empty"),
    ("System.Collections.ObjectModel.Collection`1", "get_Count get_Item Contains IndexOf GetEnumerator"),
    ("System.Collections.ObjectModel.KeyedCollection`2", "get_Item Contains TryGetValue get_Comparer"),
    ("System.Collections.ObjectModel.ObservableCollection`1", "get_Count get_Item Contains IndexOf"),
    ("System.Collections.ObjectModel.ReadOnlyDictionary`2", ".ctor get_Count get_Item get_Keys get_Values ContainsKey TryGetValue"),
    // what takes no lock, which a stopped thread may hold
    ("System.Collections.Concurrent.ConcurrentDictionary`2", ".ctor get_Item ContainsKey TryGetValue"), ("System.Collections.Concurrent.ConcurrentQueue`1", ".ctor get_IsEmpty"), ("System.Collections.Concurrent.ConcurrentStack`1", ".ctor get_IsEmpty"), ("System.Collections.Concurrent.ConcurrentBag`1", ".ctor"),
    ("System.Collections.Immutable.ImmutableArray`1", "*"), ("System.Collections.Immutable.ImmutableArray", "Create CreateRange ToImmutableArray"), ("System.Collections.Immutable.ImmutableList", "Create CreateRange ToImmutableList"), ("System.Collections.Immutable.ImmutableHashSet", "Create CreateRange ToImmutableHashSet"), ("System.Collections.Immutable.ImmutableDictionary", "Create CreateRange ToImmutableDictionary"), ("System.Collections.Immutable.ImmutableArray`1+Enumerator", "get_Current MoveNext!"), ("System.Collections.Immutable.ImmutableList`1", "*"), ("System.Collections.Immutable.ImmutableDictionary`2", "*"), ("System.Collections.Immutable.ImmutableHashSet`1", "*"),
    ("System.Collections.Immutable.ImmutableSortedDictionary`2", "get_Count get_IsEmpty get_Item get_Keys get_Values get_KeyComparer ContainsKey TryGetValue"), ("System.Collections.Immutable.ImmutableSortedSet`1", "get_Count get_IsEmpty get_Item get_Min get_Max get_KeyComparer Contains IndexOf"),
    ("System.Collections.Immutable.ImmutableList`1+Enumerator", "get_Current MoveNext! Dispose"), ("System.Collections.Immutable.ImmutableDictionary`2+Enumerator", "get_Current MoveNext! Dispose"), ("System.Collections.Immutable.ImmutableHashSet`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Frozen.FrozenDictionary", "ToFrozenDictionary"), ("System.Collections.Frozen.FrozenDictionary`2", "get_Count get_Item get_Keys get_Values get_Comparer ContainsKey TryGetValue GetEnumerator"), ("System.Collections.Frozen.FrozenDictionary`2+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Collections.Frozen.FrozenSet", "ToFrozenSet"), ("System.Collections.Frozen.FrozenSet`1", "get_Count get_Items get_Comparer Contains TryGetValue GetEnumerator IsSubsetOf IsSupersetOf Overlaps SetEquals"), ("System.Collections.Frozen.FrozenSet`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Buffers.SearchValues", "Create"), ("System.Buffers.SearchValues`1", "Contains"),
    ("System.Collections.ArrayList", "get_Count get_Item Contains IndexOf"), ("System.Collections.Hashtable", "get_Count get_Item get_Keys get_Values ContainsKey ContainsValue Contains"), ("System.Collections.Hashtable+KeyCollection", "get_Count"), ("System.Collections.Hashtable+ValueCollection", "get_Count"), ("System.Collections.Specialized.NameObjectCollectionBase", "get_Count"), ("System.Collections.Specialized.NameValueCollection", "get_Item Get"), ("System.Collections.BitArray", "get_Count get_Length get_Item Get GetEnumerator"), ("System.Collections.BitArray+BitArrayEnumeratorSimple", "get_Current MoveNext!"),
    ("System.Linq.Enumerable", "* -TryGetNonEnumeratedCount"),
    ("System.Span`1", ".ctor get_Length get_Item get_IsEmpty Slice ToArray ToString op_Implicit get_Empty"), ("System.ReadOnlySpan`1", ".ctor get_Length get_Item get_IsEmpty Slice ToArray ToString op_Implicit get_Empty GetEnumerator"), ("System.ReadOnlySpan`1+Enumerator", "get_Current MoveNext!"), ("System.Memory`1", ".ctor get_Length get_IsEmpty Slice ToArray ToString get_Span op_Implicit"), ("System.ReadOnlyMemory`1", ".ctor get_Length get_IsEmpty Slice ToArray ToString get_Span op_Implicit"),
    ("System.MemoryExtensions", "AsSpan AsMemory Contains ContainsAny IndexOf IndexOfAny LastIndexOf LastIndexOfAny StartsWith EndsWith SequenceEqual Trim TrimStart TrimEnd IsWhiteSpace"),
    ("System.ArraySegment`1", ".ctor get_Count get_Offset get_Array get_Item Slice ToArray GetEnumerator"), ("System.ArraySegment`1+Enumerator", "get_Current MoveNext! Dispose"),
    ("System.Linq.IGrouping`2", "get_Key"), ("System.Linq.Grouping`2", "get_Key GetEnumerator"), ("System.Linq.Lookup`2", "get_Count get_Item Contains GetEnumerator"), ("System.Linq.ILookup`2", "get_Count get_Item Contains"),
    ("System.Runtime.CompilerServices.RuntimeHelpers", "InitializeArray! GetSubArray CreateSpan Equals GetHashCode EnsureSufficientExecutionStack"), ("System.Runtime.CompilerServices.Unsafe", "SizeOf"),
    ("System.Collections.Generic.IEnumerable`1", "GetEnumerator"), ("System.Collections.Generic.IEnumerator`1", "get_Current"), ("System.Collections.IEnumerable", "GetEnumerator"), ("System.Collections.IEnumerator", "get_Current MoveNext!"), ("System.IDisposable", "Dispose!"),
    ("System.Collections.Generic.ICollection`1", "get_Count get_IsReadOnly Contains"), ("System.Collections.Generic.IList`1", "get_Item IndexOf"), ("System.Collections.Generic.IDictionary`2", "get_Item get_Keys get_Values ContainsKey TryGetValue"), ("System.Collections.Generic.ISet`1", "IsSubsetOf IsSupersetOf Overlaps SetEquals"),
    ("System.Collections.Generic.IReadOnlyCollection`1", "get_Count"), ("System.Collections.Generic.IReadOnlyList`1", "get_Item"), ("System.Collections.Generic.IReadOnlyDictionary`2", "get_Item get_Keys get_Values ContainsKey TryGetValue"), ("System.Collections.Generic.IReadOnlySet`1", "Contains"),
    ("System.SZGenericArrayEnumerator`1", "get_Current MoveNext! Dispose"), ("System.Collections.ICollection", "get_Count"), ("System.Collections.IList", "get_Item get_Count Contains IndexOf"),
    // state that others keep, only looked at
    ("System.Exception", ".ctor get_TargetSite get_Message get_InnerException get_StackTrace get_HResult get_Source get_Data GetBaseException GetType"),
    ("System.Threading.Tasks.Task", "get_Status get_IsCompleted get_IsCompletedSuccessfully get_IsFaulted get_IsCanceled get_CompletedTask FromResult"), ("System.Threading.Tasks.Task`1", "get_Status get_IsCompleted get_IsCompletedSuccessfully get_IsFaulted get_IsCanceled"),
    ("System.Threading.CancellationToken", "get_IsCancellationRequested get_CanBeCanceled get_None op_Equality op_Inequality Equals GetHashCode"), ("System.Threading.CancellationTokenSource", "get_IsCancellationRequested get_Token"), ("System.Threading.CancellationTokenRegistration", "get_Token"), ("System.Runtime.ExceptionServices.ExceptionDispatchInfo", "get_SourceException"), ("System.Lazy`1", ".ctor get_IsValueCreated"), ("System.WeakReference`1", "TryGetTarget"), ("System.Threading.AsyncLocal`1", ".ctor get_Value"), ("System.Threading.ThreadLocal`1", "get_IsValueCreated"), ("System.WeakReference", "get_Target get_IsAlive get_TrackResurrection"), ("System.Threading.Thread", "get_CurrentThread get_Name get_ManagedThreadId get_IsAlive get_IsBackground get_ThreadState get_IsThreadPoolThread"),
    ("System.Threading.ReaderWriterLockSlim", "get_IsReadLockHeld get_IsWriteLockHeld get_IsUpgradeableReadLockHeld get_CurrentReadCount get_WaitingReadCount get_WaitingWriteCount get_WaitingUpgradeCount get_RecursiveReadCount get_RecursiveWriteCount get_RecursiveUpgradeCount get_RecursionPolicy"), ("System.Threading.Monitor", "IsEntered"),
    ("System.Random", ".ctor"), ("System.Threading.Lock", ".ctor get_IsHeldByCurrentThread"), ("System.Threading.SemaphoreSlim", ".ctor get_CurrentCount"), ("System.Threading.Volatile", "Read"), ("System.Threading.Interlocked", "Read"), ("System.Diagnostics.Stopwatch", "get_Elapsed get_ElapsedMilliseconds get_ElapsedTicks get_IsRunning GetTimestamp GetElapsedTime"),
    ("System.Threading.ManualResetEventSlim", "get_IsSet"), ("System.Threading.CountdownEvent", "get_CurrentCount get_InitialCount get_IsSet"),
    ("System.Delegate", "get_Target get_Method get_HasSingleTarget GetInvocationList op_Equality op_Inequality"), ("System.MulticastDelegate", "GetInvocationList op_Equality op_Inequality"),
    ("System.IO.StringReader", ".ctor Peek"), ("System.IO.StringWriter", ".ctor ToString Write! WriteLine! Flush! Close! Dispose!"),
    ("System.IO.MemoryStream", "get_Length get_Position get_Capacity get_CanRead get_CanSeek get_CanWrite ToArray"), ("System.IO.FileStream", "get_Length get_Position get_Name get_CanRead get_CanSeek get_CanWrite"),
    ("System.Globalization.ISOWeek", "*"), ("System.Globalization.StringInfo", ".ctor get_String get_LengthInTextElements SubstringByTextElements ParseCombiningCharacters Equals GetHashCode"),
    ("System.Net.WebUtility", "HtmlEncode HtmlDecode UrlEncode UrlDecode"), ("System.Net.IPAddress", "Parse TryParse get_AddressFamily Equals GetHashCode ToString"),
    ("System.FormattableString", "get_Format get_ArgumentCount GetArgument GetArguments"),
    // documents; what serializes a node may ask objects of the program
    ("System.Text.Json.JsonDocument", "get_RootElement"), ("System.Text.Json.JsonElement", "* -WriteTo -ParseValue -TryParseValue"), ("System.Text.Json.JsonProperty", "get_Name get_Value NameEquals ToString"),
    ("System.Text.Json.JsonElement+ArrayEnumerator", "get_Current MoveNext! GetEnumerator Dispose"), ("System.Text.Json.JsonElement+ObjectEnumerator", "get_Current MoveNext! GetEnumerator Dispose"),
    ("System.Text.Json.Nodes.JsonNode", "get_Item get_Parent get_Root GetValue op_Explicit AsArray AsObject AsValue GetValueKind GetPath GetElementIndex GetPropertyName"), ("System.Text.Json.Nodes.JsonObject", "get_Count ContainsKey"), ("System.Text.Json.Nodes.JsonArray", "get_Count"),
    ("System.Xml.Linq.XName", "Get op_Implicit op_Equality op_Inequality get_LocalName get_NamespaceName get_Namespace ToString"), ("System.Xml.Linq.XNamespace", "Get op_Implicit op_Addition op_Equality op_Inequality get_NamespaceName get_None ToString"),
    ("System.Xml.Linq.XObject", "get_Parent get_Document get_NodeType"), ("System.Xml.Linq.XNode", "get_NextNode get_PreviousNode Ancestors ElementsAfterSelf ElementsBeforeSelf ToString"),
    ("System.Xml.Linq.XContainer", "get_FirstNode get_LastNode Element Elements Descendants Nodes DescendantNodes"), ("System.Xml.Linq.XDocument", "get_Root get_Declaration"),
    ("System.Xml.Linq.XElement", "get_Name get_Value get_HasAttributes get_HasElements get_IsEmpty get_FirstAttribute get_LastAttribute Attribute Attributes DescendantsAndSelf AncestorsAndSelf op_Explicit"),
    ("System.Xml.Linq.XAttribute", "get_Name get_Value get_NextAttribute get_IsNamespaceDeclaration op_Explicit ToString"), ("System.Xml.Linq.XText", "get_Value"),
    ("System.ArgumentNullException", ".ctor ThrowIfNull"), ("System.ArgumentException", ".ctor ThrowIfNullOrEmpty ThrowIfNullOrWhiteSpace"), ("System.ArgumentOutOfRangeException", ".ctor ThrowIfNegative ThrowIfNegativeOrZero ThrowIfZero ThrowIfGreaterThan ThrowIfGreaterThanOrEqual ThrowIfLessThan ThrowIfLessThanOrEqual ThrowIfEqual ThrowIfNotEqual"), ("System.ObjectDisposedException", ".ctor ThrowIf"),
];

/// Whether the table has a type of that name.
pub(super) fn is_known(full_name: &str) -> bool {
    row(full_name).is_some()
}

/// Whether the table has that method of a type.
pub(super) fn lists(full_name: &str, method: &str) -> bool {
    row(full_name).is_some_and(|methods| listed(methods, method).is_some())
}

/// The same of a type that is no interface.
pub(super) fn has(full_name: &str, method: &str) -> bool {
    !is_interface(full_name) && row(full_name).is_some_and(|methods| listed(methods, method).is_some())
}

pub(super) fn row(full_name: &str) -> Option<&'static str> {
    let exact = || ROWS.iter().find(|(type_, _)| *type_ == full_name).map(|(_, methods)| *methods);
    let tuple = full_name.starts_with("System.ValueTuple`") || full_name.starts_with("System.Tuple`");
    exact().or(tuple.then_some("*"))
}

/// `Some(true)`: it writes to its receiver.
pub(super) fn listed(methods: &str, name: &str) -> Option<bool> {
    if NEVER.contains(&name) && !methods.split(' ').any(|it| it == name) {
        return None;
    }
    let mut words = methods.split(' ');
    let (is_all, mut rest) = (methods.starts_with('*'), words.clone());
    if is_all && (name.starts_with("set_") || rest.any(|word| word.strip_prefix('-') == Some(name))) {
        return None;
    }
    match words.find(|word| word.trim_end_matches('!') == name) {
        Some(word) => Some(word.ends_with('!')),
        None => is_all.then_some(false),
    }
}

/// Whether a collection's method copies its elements into the array that it is given.
pub(super) fn copies(full_name: &str, method: &str) -> bool {
    method == "CopyTo" && (full_name == "System.Array" || full_name.starts_with("System.Collections."))
}

/// Whether a type is a number of the framework, whose operators and conversions are its own.
pub(super) fn is_number(full_name: &str) -> bool {
    #[rustfmt::skip]
    const NUMBERS: [&str; 18] = [
        "Char", "SByte", "Byte", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Int128", "UInt128", "Half", "Single", "Double",
        "Decimal", "IntPtr", "UIntPtr", "Numerics.BigInteger",
    ];
    full_name.strip_prefix("System.").is_some_and(|name| NUMBERS.contains(&name))
}

pub(super) fn is_interface(full_name: &str) -> bool {
    let last = full_name.rsplit('.').next().unwrap_or(full_name);
    last.starts_with('I') && last.chars().nth(1).is_some_and(char::is_uppercase)
}

pub(super) fn named(full_name: &str) -> TypeSig {
    TypeSig::Named(TypeName { full_name: full_name.to_owned(), ..TypeName::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_lists_all_or_some_and_marks_what_writes() {
        assert_eq!(listed("get_Count Add!", "get_Count"), Some(false));
        assert_eq!(listed("get_Count Add!", "Add"), Some(true));
        assert_eq!(listed("get_Count Add!", "Clear"), None);
        assert_eq!(listed("* -Exists", "Exists"), None);
        assert_eq!(listed("* -Exists", "Combine"), Some(false));
        assert_eq!(listed("*", "set_Item"), None);
        assert_eq!(listed("*", "CopyTo"), None);
        assert_eq!(listed("Create", "Create"), Some(false));
    }

    #[test]
    fn every_type_has_one_row() {
        let mut seen = std::collections::HashSet::new();
        for (type_, _) in ROWS {
            assert!(seen.insert(type_), "{type_}");
        }
    }

    #[test]
    fn what_touches_the_world_is_not_in_the_table() {
        for (type_, method) in [
            ("System.IO.File", "WriteAllText"),
            ("System.IO.File", "ReadAllText"),
            ("System.Environment", "Exit"),
            ("System.Environment", "SetEnvironmentVariable"),
            ("System.Environment", "FailFast"),
            ("System.IO.Path", "GetTempFileName"),
            ("System.Collections.Generic.ICollection`1", "Add"),
            ("System.Diagnostics.Process", "Start"),
            ("System.Console", "WriteLine"),
            ("System.String", "CopyTo"),
            ("System.String", "Create"),
            ("System.GC", "Collect"),
            ("System.Lazy`1", "get_Value"),
            ("System.Threading.Tasks.Task`1", "get_Result"),
            // it marks the exception as observed: the program would no longer get the event for an unobserved one
            ("System.Threading.Tasks.Task", "get_Exception"),
            ("System.Threading.Tasks.Task`1", "get_Exception"),
            // it gives the task a number, and all later ones other numbers
            ("System.Threading.Tasks.Task", "get_Id"),
            ("System.Threading.Tasks.Task`1", "get_Id"),
            ("System.Func`1", "Invoke"),
        ] {
            assert!(row(type_).is_none_or(|methods| listed(methods, method).is_none()), "{type_}.{method}");
        }
    }
}
