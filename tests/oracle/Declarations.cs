// Declarations as C# writes them, without bodies.
using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Text;

sealed class Declarations(MetadataReader reader, AttributeProvider provider, bool full)
{
    const string Services = "System.Runtime.CompilerServices.";

    // ---- attributes

    string AttributeName(CustomAttribute attribute)
    {
        EntityHandle type = attribute.Constructor.Kind == HandleKind.MethodDefinition
            ? reader.GetMethodDefinition((MethodDefinitionHandle)attribute.Constructor).GetDeclaringType()
            : reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent;
        return type.Kind == HandleKind.TypeSpecification ? "" : Names.Of(reader, type);
    }

    CustomAttributeValue<Sig>? Find(CustomAttributeHandleCollection attributes, string name)
    {
        foreach (var attribute in attributes.Select(reader.GetCustomAttribute))
        {
            if (AttributeName(attribute) == name)
            {
                return attribute.DecodeValue(provider);
            }
        }
        return null;
    }

    bool Has(CustomAttributeHandleCollection attributes, string name) =>
        attributes.Any(handle => AttributeName(reader.GetCustomAttribute(handle)) == name);

    // ---- nullable

    byte? Context(CustomAttributeHandleCollection attributes) =>
        Find(attributes, Services + "NullableContextAttribute")?.FixedArguments[0].Value as byte?;

    byte ContextOf(TypeDefinitionHandle type, MethodDefinition? method)
    {
        if (method is { } m && Context(m.GetCustomAttributes()) is { } own)
        {
            return own;
        }
        if (HasNoFlags(type, method))
        {
            return 0;
        }
        for (; !type.IsNil; type = reader.GetTypeDefinition(type).GetDeclaringType())
        {
            if (Context(reader.GetTypeDefinition(type).GetCustomAttributes()) is { } flag)
            {
                return flag;
            }
        }
        return Context(reader.GetModuleDefinition().GetCustomAttributes()) ?? 0;
    }

    /// Whether the compiler wrote no flags for a type (and that method of it), as nobody outside sees it.
    bool HasNoFlags(TypeDefinitionHandle type, MethodDefinition? method)
    {
        if (Find(reader.GetModuleDefinition().GetCustomAttributes(), Services + "NullablePublicOnlyAttribute") is not { } only)
        {
            return false;
        }
        bool internals = only.FixedArguments[0].Value is true;
        if (method is { } m)
        {
            MethodAttributes access = m.Attributes & MethodAttributes.MemberAccessMask;
            if (access <= MethodAttributes.Private || (!internals && access is (MethodAttributes.Assembly or MethodAttributes.FamANDAssem)))
            {
                return true;
            }
        }
        for (; !type.IsNil; type = reader.GetTypeDefinition(type).GetDeclaringType())
        {
            TypeAttributes seen = reader.GetTypeDefinition(type).Attributes & TypeAttributes.VisibilityMask;
            if (seen == TypeAttributes.NestedPrivate
                || (!internals && seen is (TypeAttributes.NotPublic or TypeAttributes.NestedAssembly or TypeAttributes.NestedFamANDAssem)))
            {
                return true;
            }
        }
        return false;
    }

    /// The elements of the array that is the attribute's argument; `none` without an argument, null without the attribute.
    IEnumerable<object?>? Listed(CustomAttributeHandleCollection attributes, string name, object none) =>
        Find(attributes, Services + name)?.FixedArguments switch
        {
            null => null,
            [] => [none],
            [{ Value: ImmutableArray<CustomAttributeTypedArgument<Sig>> { IsDefault: false } all }, ..] => all.Select(each => each.Value),
            _ => [],
        };

    /// `skipped`: parts before the type, which only `dynamic` counts.
    Flags FlagsOf(CustomAttributeHandleCollection? attributes, byte context, int skipped = 0)
    {
        if (attributes is not { } there)
        {
            return new Flags(context, []);
        }
        var dynamic = Listed(there, "DynamicAttribute", true)?.Cast<bool>().Skip(skipped);
        var names = Listed(there, "TupleElementNamesAttribute", "")?.Cast<string?>();
        return Find(there, Services + "NullableAttribute")?.FixedArguments[0].Value switch
        {
            byte one => new Flags(one, [], dynamic, names),
            ImmutableArray<CustomAttributeTypedArgument<Sig>> many => new Flags(0, [.. many.Select(f => (byte)f.Value!)], dynamic, names),
            _ => new Flags(context, [], dynamic, names),
        };
    }

    // ---- where a declaration stands

    readonly record struct Place(ImmutableArray<string> OfType, ImmutableArray<string> OfMethod, byte Nullable);

    ImmutableArray<string> NamesOf(GenericParameterHandleCollection parameters) =>
        [.. parameters.Select(p => reader.GetString(reader.GetGenericParameter(p).Name))];

    Place At(TypeDefinitionHandle type, MethodDefinition? method = null) => new(
        NamesOf(reader.GetTypeDefinition(type).GetGenericParameters()),
        method is { } m ? NamesOf(m.GetGenericParameters()) : [],
        ContextOf(type, method));

    string Text(Sig sig, CustomAttributeHandleCollection? owner, Place at, int skipped = 0) =>
        new CSharp(full, at.OfType, at.OfMethod, FlagsOf(owner, at.Nullable, skipped)).Text(sig);

    static int Skipped(bool byRef, List<string> modifiers) => modifiers.Count + (byRef ? 1 : 0);

    Sig Type(EntityHandle handle) => handle.Kind switch
    {
        HandleKind.TypeSpecification => reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(Provider.Instance, null),
        _ => new Named(Names.Of(reader, handle), false, []),
    };

    // ---- types

    bool IsNamed(EntityHandle handle, string name) =>
        !handle.IsNil && handle.Kind != HandleKind.TypeSpecification && Names.Of(reader, handle) == name;

    string Kind(TypeDefinitionHandle handle)
    {
        var type = reader.GetTypeDefinition(handle);
        if ((type.Attributes & TypeAttributes.Interface) != 0)
        {
            return "interface";
        }
        if (IsNamed(type.BaseType, "System.Enum"))
        {
            return "enum";
        }
        if (IsNamed(type.BaseType, "System.MulticastDelegate"))
        {
            return "delegate";
        }
        if (IsNamed(type.BaseType, "System.ValueType") && Names.Of(reader, handle) != "System.Enum")
        {
            bool isRecord = type.GetMethods().Select(reader.GetMethodDefinition).Any(m =>
                reader.GetString(m.Name) == "PrintMembers" && Has(m.GetCustomAttributes(), Services + "CompilerGeneratedAttribute"));
            return isRecord ? "record struct" : "struct";
        }
        return type.GetMethods().Any(m => reader.GetString(reader.GetMethodDefinition(m).Name) == "<Clone>$") ? "record" : "class";
    }

    public string SourceName(TypeDefinitionHandle handle) =>
        SourceName(handle, NamesOf(reader.GetTypeDefinition(handle).GetGenericParameters()));

    /// Parameters are called as the innermost type calls them.
    string SourceName(TypeDefinitionHandle handle, ImmutableArray<string> all)
    {
        var type = reader.GetTypeDefinition(handle);
        var outer = type.GetDeclaringType();
        var (stem, arity) = Names.Arity(reader.GetString(type.Name));
        int before = Levels(outer);
        var own = all.Skip(before).Take(arity).ToArray();
        var name = Names.Unmangled(stem) + (own.Length > 0 ? $"<{string.Join(", ", own)}>" : "");
        if (!outer.IsNil)
        {
            return SourceName(outer, all) + "." + name;
        }
        var space = reader.GetString(type.Namespace);
        return space.Length > 0 ? $"{space}.{name}" : name;
    }

    /// Parameters that the names of a type and of those around it declare.
    int Levels(TypeDefinitionHandle handle)
    {
        if (handle.IsNil)
        {
            return 0;
        }
        var type = reader.GetTypeDefinition(handle);
        return Levels(type.GetDeclaringType()) + Names.Arity(reader.GetString(type.Name)).Arity;
    }

    public string TypeHead(TypeDefinitionHandle handle)
    {
        var type = reader.GetTypeDefinition(handle);
        var at = At(handle);
        var kind = Kind(handle);
        bool isClass = kind is "class" or "record", isStruct = kind is "struct" or "record struct";
        var shape = type.Attributes & (TypeAttributes.Abstract | TypeAttributes.Sealed);
        var name = reader.GetString(type.Name);
        var words = new List<string>
        {
            (type.Attributes & TypeAttributes.VisibilityMask) switch
            {
                TypeAttributes.NotPublic => Names.Unmangled(name) != name ? "file" : "internal",
                TypeAttributes.Public or TypeAttributes.NestedPublic => "public",
                TypeAttributes.NestedPrivate => "private",
                TypeAttributes.NestedFamily => "protected",
                TypeAttributes.NestedAssembly => "internal",
                TypeAttributes.NestedFamANDAssem => "private protected",
                _ => "protected internal",
            },
        };
        if (isClass && shape != 0)
        {
            words.Add(shape switch
            {
                TypeAttributes.Abstract => "abstract",
                TypeAttributes.Sealed => "sealed",
                _ => "static",
            });
        }
        if (isStruct && Has(type.GetCustomAttributes(), Services + "IsReadOnlyAttribute"))
        {
            words.Add("readonly");
        }
        if (isStruct && Has(type.GetCustomAttributes(), Services + "IsByRefLikeAttribute"))
        {
            words.Add("ref");
        }
        words.Add(kind);

        var outer = type.GetDeclaringType();
        int inherited = outer.IsNil ? 0 : reader.GetTypeDefinition(outer).GetGenericParameters().Count;
        var declared = Names.Unmangled(Names.Arity(name).Stem);
        if (full && !outer.IsNil)
        {
            declared = SourceName(outer) + "." + declared;
        }
        else if (full && !type.Namespace.IsNil && reader.GetString(type.Namespace) is { Length: > 0 } space)
        {
            declared = space + "." + declared;
        }
        declared += GenericList(type.GetGenericParameters().Skip(inherited));

        var constraints = Constraints(type.GetGenericParameters().Skip(inherited), at);
        if (kind == "delegate")
        {
            var invoke = type.GetMethods().FirstOrDefault(m => reader.GetString(reader.GetMethodDefinition(m).Name) == "Invoke");
            if (!invoke.IsNil)
            {
                var method = reader.GetMethodDefinition(invoke);
                var signature = method.DecodeSignature(Provider.Instance, null);
                var inside = at with { Nullable = ContextOf(handle, method) };
                return $"{string.Join(' ', words)} {Returned(method, signature.ReturnType, inside)} {declared}{Parameters(method, signature, inside)}{constraints}";
            }
            return $"{string.Join(' ', words)} {declared}{constraints}";
        }

        var bases = new List<string>();
        if (kind == "enum")
        {
            var underlying = type.GetFields().Select(reader.GetFieldDefinition)
                .Where(f => (f.Attributes & FieldAttributes.Static) == 0)
                .Select(f => f.DecodeSignature(Provider.Instance, null)).First();
            if (underlying is Prim { Code: not PrimitiveTypeCode.Int32 and var code })
            {
                bases.Add(Names.Primitive(code).Keyword);
            }
        }
        else
        {
            if (isClass && !type.BaseType.IsNil && !IsNamed(type.BaseType, "System.Object"))
            {
                bases.Add(Text(Type(type.BaseType), type.GetCustomAttributes(), at));
            }
            foreach (var implemented in type.GetInterfaceImplementations().Select(reader.GetInterfaceImplementation))
            {
                bases.Add(Text(Type(implemented.Interface), implemented.GetCustomAttributes(), at));
            }
        }
        return $"{string.Join(' ', words)} {declared}{(bases.Count > 0 ? " : " + string.Join(", ", bases) : "")}{constraints}";
    }

    // ---- generics

    string GenericList(IEnumerable<GenericParameterHandle> parameters)
    {
        var texts = parameters.Select(reader.GetGenericParameter).Select(p =>
            ((p.Attributes & GenericParameterAttributes.Contravariant) != 0 ? "in " : "")
            + ((p.Attributes & GenericParameterAttributes.Covariant) != 0 ? "out " : "")
            + reader.GetString(p.Name)).ToArray();
        return texts.Length == 0 ? "" : $"<{string.Join(", ", texts)}>";
    }

    string Constraints(IEnumerable<GenericParameterHandle> parameters, Place at)
    {
        var text = new StringBuilder();
        foreach (var parameter in parameters.Select(reader.GetGenericParameter))
        {
            var all = new List<string>();
            bool isValue = (parameter.Attributes & GenericParameterAttributes.NotNullableValueTypeConstraint) != 0;
            byte flag = FlagsOf(parameter.GetCustomAttributes(), at.Nullable).First;
            if (isValue)
            {
                bool isClassToo = (parameter.Attributes & GenericParameterAttributes.ReferenceTypeConstraint) != 0;
                all.Add(Has(parameter.GetCustomAttributes(), Services + "IsUnmanagedAttribute") ? "unmanaged" : "struct");
            }
            else if ((parameter.Attributes & GenericParameterAttributes.ReferenceTypeConstraint) != 0)
            {
                all.Add(flag == 2 ? "class?" : "class");
            }
            else if (flag == 1)
            {
                all.Add("notnull");
            }
            foreach (var constraint in parameter.GetConstraints().Select(reader.GetGenericParameterConstraint))
            {
                var type = CSharp.Peel(Type(constraint.Type)).Type;
                if (!(isValue && type is Named { Name: "System.ValueType" }))
                {
                    all.Add(Text(type, constraint.GetCustomAttributes(), at));
                }
            }
            if (!isValue && (parameter.Attributes & GenericParameterAttributes.DefaultConstructorConstraint) != 0)
            {
                all.Add("new()");
            }
            if (((int)parameter.Attributes & 0x20) != 0)
            {
                all.Add("allows ref struct");
            }
            if (all.Count > 0)
            {
                text.Append($" where {reader.GetString(parameter.Name)} : {string.Join(", ", all)}");
            }
        }
        return text.ToString();
    }

    // ---- methods

    static readonly Dictionary<string, string> Operators = new()
    {
        ["UnaryPlus"] = "+", ["UnaryNegation"] = "-", ["LogicalNot"] = "!", ["OnesComplement"] = "~", ["Increment"] = "++",
        ["Decrement"] = "--", ["True"] = "true", ["False"] = "false", ["Addition"] = "+", ["Subtraction"] = "-",
        ["Multiply"] = "*", ["Division"] = "/", ["Modulus"] = "%", ["BitwiseAnd"] = "&", ["BitwiseOr"] = "|",
        ["ExclusiveOr"] = "^", ["LeftShift"] = "<<", ["RightShift"] = ">>", ["UnsignedRightShift"] = ">>>", ["Equality"] = "==",
        ["Inequality"] = "!=", ["LessThan"] = "<", ["GreaterThan"] = ">", ["LessThanOrEqual"] = "<=", ["GreaterThanOrEqual"] = ">=",
        ["AdditionAssignment"] = "+=", ["SubtractionAssignment"] = "-=", ["MultiplicationAssignment"] = "*=",
        ["DivisionAssignment"] = "/=", ["ModulusAssignment"] = "%=", ["BitwiseAndAssignment"] = "&=",
        ["BitwiseOrAssignment"] = "|=", ["ExclusiveOrAssignment"] = "^=",
        ["CheckedUnaryNegation"] = "checked -", ["CheckedIncrement"] = "checked ++", ["CheckedDecrement"] = "checked --",
        ["CheckedAddition"] = "checked +", ["CheckedSubtraction"] = "checked -", ["CheckedMultiply"] = "checked *",
        ["CheckedDivision"] = "checked /",
        ["LeftShiftAssignment"] = "<<=", ["RightShiftAssignment"] = ">>=", ["UnsignedRightShiftAssignment"] = ">>>=",
        ["IncrementAssignment"] = "++", ["DecrementAssignment"] = "--", ["CheckedAdditionAssignment"] = "checked +=",
        ["CheckedSubtractionAssignment"] = "checked -=", ["CheckedMultiplicationAssignment"] = "checked *=", ["CheckedDivisionAssignment"] = "checked /=",
        ["CheckedIncrementAssignment"] = "checked ++", ["CheckedDecrementAssignment"] = "checked --",
    };

    static string Access(int flags) => (flags & 7) switch
    {
        0 => "privatescope",
        1 => "private",
        2 => "private protected",
        3 => "internal",
        4 => "protected",
        5 => "protected internal",
        _ => "public",
    };

    string Modifiers(MethodDefinition method, bool inInterface)
    {
        var words = new List<string>();
        var flags = method.Attributes;
        bool isStatic = flags.HasFlag(MethodAttributes.Static), isAbstract = flags.HasFlag(MethodAttributes.Abstract);
        bool isVirtual = flags.HasFlag(MethodAttributes.Virtual), isFinal = flags.HasFlag(MethodAttributes.Final);
        // Neither a static constructor nor an explicit implementation says who may call it.
        string name = reader.GetString(method.Name);
        bool isExplicit = ((int)flags & 7) == 1 && name.Contains('.') && name[0] != '.' && name[0] != '<';
        if (name != ".cctor" && !isExplicit)
        {
            words.Add(Access((int)flags));
        }
        if (isStatic)
        {
            words.Add("static");
        }
        if (flags.HasFlag(MethodAttributes.PinvokeImpl))
        {
            words.Add("extern");
        }
        if (isStatic)
        {
            if (isAbstract || isVirtual)
            {
                words.Add(isAbstract ? "abstract" : "virtual");
            }
        }
        else if (flags.HasFlag(MethodAttributes.NewSlot))
        {
            if (isAbstract && !inInterface)
            {
                words.Add("abstract");
            }
            else if (isVirtual && !isAbstract && !isFinal)
            {
                words.Add("virtual");
            }
        }
        else if (isAbstract)
        {
            words.Add("abstract override");
        }
        else if (isVirtual)
        {
            words.Add(isFinal ? "sealed override" : "override");
        }
        if (Has(method.GetCustomAttributes(), Services + "IsReadOnlyAttribute"))
        {
            words.Add("readonly");
        }
        return string.Concat(words.Select(word => word + " "));
    }

    public string Method(MethodDefinitionHandle handle)
    {
        var method = reader.GetMethodDefinition(handle);
        var owner = method.GetDeclaringType();
        var at = At(owner, method);
        var signature = method.DecodeSignature(Provider.Instance, null);
        var name = reader.GetString(method.Name);
        var returned = Returned(method, signature.ReturnType, at);
        bool special = method.Attributes.HasFlag(MethodAttributes.SpecialName);
        if (name == "Finalize" && signature.ParameterTypes.IsEmpty
            && (method.Attributes & (MethodAttributes.Virtual | MethodAttributes.NewSlot)) == MethodAttributes.Virtual)
        {
            return $"~{Names.Unmangled(Names.Arity(reader.GetString(reader.GetTypeDefinition(owner).Name)).Stem)}()";
        }
        var head = name switch
        {
            ".ctor" or ".cctor" => Names.Unmangled(Names.Arity(reader.GetString(reader.GetTypeDefinition(owner).Name)).Stem),
            "op_Implicit" when special => $"implicit operator {returned}",
            "op_Explicit" when special => $"explicit operator {returned}",
            "op_CheckedExplicit" when special => $"explicit operator checked {returned}",
            _ when special && name.StartsWith("op_") && Operators.TryGetValue(name[3..], out var symbol) => $"{returned} operator {symbol}",
            _ => $"{returned} {name}",
        };
        bool inInterface = (reader.GetTypeDefinition(owner).Attributes & TypeAttributes.Interface) != 0;
        return Modifiers(method, inInterface) + head + GenericList(method.GetGenericParameters())
            + Parameters(method, signature, at) + Constraints(method.GetGenericParameters(), at);
    }

    Parameter? Row(MethodDefinition method, int sequence)
    {
        foreach (var parameter in method.GetParameters().Select(reader.GetParameter))
        {
            if (parameter.SequenceNumber == sequence)
            {
                return parameter;
            }
        }
        return null;
    }

    string Returned(MethodDefinition method, Sig type, Place at)
    {
        var attributes = Row(method, 0)?.GetCustomAttributes();
        var (inner, byRef, modifiers) = CSharp.Peel(type);
        bool readOnly = modifiers.Contains(CSharp.InAttribute) || attributes is { } there && Has(there, Services + "IsReadOnlyAttribute");
        return (byRef ? readOnly ? "ref readonly " : "ref " : "") + Text(inner, attributes, at, Skipped(byRef, modifiers));
    }

    string Parameters(MethodDefinition method, MethodSignature<Sig> signature, Place at)
    {
        var list = ParameterList(method, signature.ParameterTypes, at).ToList();
        if (signature.Header.CallingConvention == SignatureCallingConvention.VarArgs)
        {
            list.Add("__arglist");
        }
        return $"({string.Join(", ", list)})";
    }

    IEnumerable<string> ParameterList(MethodDefinition method, ImmutableArray<Sig> types, Place at)
    {
        for (int i = 0; i < types.Length; i++)
        {
            var row = Row(method, i + 1);
            CustomAttributeHandleCollection? attributes = row?.GetCustomAttributes();
            bool has(string name) => attributes is { } there && Has(there, name);
            var (type, byRef, modifiers) = CSharp.Peel(types[i]);
            var words = new List<string>();
            if (i == 0 && Has(method.GetCustomAttributes(), Services + "ExtensionAttribute"))
            {
                words.Add("this");
            }
            if (has("System.ParamArrayAttribute") || has(Services + "ParamCollectionAttribute"))
            {
                words.Add("params");
            }
            else if (has(Services + "ScopedRefAttribute"))
            {
                words.Add("scoped");
            }
            if (byRef)
            {
                var direction = row is { } r ? r.Attributes & (ParameterAttributes.In | ParameterAttributes.Out) : 0;
                words.Add(direction == ParameterAttributes.Out ? "out"
                    : has(Services + "RequiresLocationAttribute") ? "ref readonly"
                    : has(Services + "IsReadOnlyAttribute") ? "in" : "ref");
            }
            words.Add(Text(type, attributes, at, Skipped(byRef, modifiers)));
            if (row is { } named && reader.GetString(named.Name) is { Length: > 0 } name)
            {
                words.Add(name);
            }
            var text = string.Join(' ', words);
            if (row is { } parameter && Default(parameter.GetDefaultValue(), parameter.GetCustomAttributes(), type, at) is { } value)
            {
                text += $" = {value}";
            }
            yield return text;
        }
    }

    /// By full name, the first of a name.
    Dictionary<string, TypeDefinition>? _enums;

    Dictionary<string, TypeDefinition> OwnEnums => _enums ??= reader.TypeDefinitions
        .Where(handle => IsNamed(reader.GetTypeDefinition(handle).BaseType, "System.Enum"))
        .DistinctBy(handle => Names.Of(reader, handle))
        .ToDictionary(handle => Names.Of(reader, handle), reader.GetTypeDefinition);

    /// Name and bits of each member that has a value.
    IEnumerable<(string Name, ulong Bits)> Members(TypeDefinition type) =>
        from field in type.GetFields().Select(reader.GetFieldDefinition)
        where !field.GetDefaultValue().IsNil
        let value = Values.Constant(reader, field.GetDefaultValue())
        select (reader.GetString(field.Name), value is ulong large ? large : unchecked((ulong)Convert.ToInt64(value)));

    /// The members of a `[Flags]` enum that have the bits of a value between them, as its ToString would choose them.
    string? Combined(TypeDefinition type, string text, object value)
    {
        if (!Has(type.GetCustomAttributes(), "System.FlagsAttribute"))
        {
            return null;
        }
        var missing = value is ulong large ? large : unchecked((ulong)Convert.ToInt64(value));
        var chosen = new Stack<string>();
        foreach (var (name, bits) in Members(type).OrderByDescending(member => member.Bits))
        {
            if (bits != 0 && (bits & ~missing) == 0)
            {
                missing &= ~bits;
                chosen.Push($"{text}.{name}");
            }
        }
        return missing == 0 && chosen.Count > 0 ? string.Join(" | ", chosen) : null;
    }

    /// `Color.Red`, `Access.Read | Access.Write`, `(Color)7`, `(Color)(-7)`.
    string OfEnum(object value, Named type, Place at)
    {
        var number = Values.Literal(value);
        var text = Text(type, null, at);
        if (OwnEnums.TryGetValue(type.Name, out var found))
        {
            foreach (var member in found.GetFields().Select(reader.GetFieldDefinition))
            {
                var constant = member.GetDefaultValue();
                if (!constant.IsNil && Values.Literal(Values.Constant(reader, constant)) == number)
                {
                    return $"{text}.{reader.GetString(member.Name)}";
                }
            }
            if (Combined(found, text, value) is { } combined)
            {
                return combined;
            }
        }
        return number.StartsWith('-') ? $"({text})({number})" : $"({text}){number}";
    }

    string? Default(ConstantHandle constant, CustomAttributeHandleCollection attributes, Sig type, Place at)
    {
        if (!constant.IsNil)
        {
            var value = Values.Constant(reader, constant);
            bool isValue = type switch
            {
                Prim p => p.Code is not (PrimitiveTypeCode.String or PrimitiveTypeCode.Object),
                Named n => n.IsValue && n.Name != "System.Nullable`1",
                Param => true,
                _ => false,
            };
            var inner = type is Named { Name: "System.Nullable`1", Arguments: [var argument] } ? argument : type;
            if (value is not (null or bool or char or string or float or double) && inner is Named { IsValue: true } named)
            {
                return OfEnum(value, named, at);
            }
            return value is null && isValue ? "default" : Values.Literal(value);
        }
        return Find(attributes, Services + "DecimalConstantAttribute") is { } found ? Values.Decimal(found) : null;
    }

    // ---- other members

    public string Field(FieldDefinitionHandle handle)
    {
        var field = reader.GetFieldDefinition(handle);
        var at = At(field.GetDeclaringType());
        var attributes = field.GetCustomAttributes();
        var (type, byRef, modifiers) = CSharp.Peel(field.DecodeSignature(Provider.Instance, null));
        var words = new List<string> { Access((int)field.Attributes) };
        void when(bool condition, string word)
        {
            if (condition)
            {
                words.Add(word);
            }
        }
        bool isConst = field.Attributes.HasFlag(FieldAttributes.Literal) || Has(attributes, Services + "DecimalConstantAttribute");
        when(isConst, "const");
        when(!isConst && field.Attributes.HasFlag(FieldAttributes.Static), "static");
        when(Has(attributes, Services + "RequiredMemberAttribute"), "required");
        when(!isConst && field.Attributes.HasFlag(FieldAttributes.InitOnly), "readonly");
        when(modifiers.Contains(Services + "IsVolatile"), "volatile");
        when(byRef, Has(attributes, Services + "IsReadOnlyAttribute") ? "ref readonly" : "ref");
        words.Add(Text(type, attributes, at, Skipped(byRef, modifiers)));
        words.Add(reader.GetString(field.Name));
        bool inEnum = IsNamed(reader.GetTypeDefinition(field.GetDeclaringType()).BaseType, "System.Enum");
        var value = Default(field.GetDefaultValue(), attributes, inEnum ? new Prim(PrimitiveTypeCode.Int32) : type, at);
        return string.Join(' ', words) + (value is null ? "" : $" = {value}");
    }

    public string Property(PropertyDefinitionHandle handle, TypeDefinitionHandle owner)
    {
        var property = reader.GetPropertyDefinition(handle);
        var at = At(owner);
        var accessors = property.GetAccessors();
        var signature = property.DecodeSignature(Provider.Instance, null);
        var shown = Widest(accessors.Getter, accessors.Setter);
        bool inInterface = (reader.GetTypeDefinition(owner).Attributes & TypeAttributes.Interface) != 0;
        // the compiler marks the getters of a struct's automatic properties by itself
        bool ReadOnly(MethodDefinitionHandle accessor)
        {
            var marks = reader.GetMethodDefinition(accessor).GetCustomAttributes();
            return Has(marks, Services + "IsReadOnlyAttribute") && !Has(marks, Services + "CompilerGeneratedAttribute");
        }
        bool allReadOnly = new[] { accessors.Getter, accessors.Setter }.Where(it => !it.IsNil).All(ReadOnly);
        var text = new StringBuilder();
        if (!shown.IsNil)
        {
            text.Append(Modifiers(reader.GetMethodDefinition(shown), inInterface).Replace("readonly ", allReadOnly ? "readonly " : ""));
        }
        var attributes = property.GetCustomAttributes();
        if (Has(attributes, Services + "RequiredMemberAttribute"))
        {
            text.Append("required ");
        }
        var (type, byRef, modifiers) = CSharp.Peel(signature.ReturnType);
        if (byRef)
        {
            bool readOnly = modifiers.Contains(CSharp.InAttribute) || Has(attributes, Services + "IsReadOnlyAttribute");
            text.Append(readOnly ? "ref readonly " : "ref ");
        }
        text.Append(Text(type, attributes, at, Skipped(byRef, modifiers))).Append(' ');
        var name = reader.GetString(property.Name);
        if (signature.ParameterTypes.IsEmpty)
        {
            text.Append(name);
        }
        else
        {
            var list = shown.IsNil ? "" : string.Join(", ",
                ParameterList(reader.GetMethodDefinition(shown), signature.ParameterTypes, At(owner, reader.GetMethodDefinition(shown))));
            text.Append($"{(name.Contains('.') ? name : "this")}[{list}]");
        }
        text.Append(" { ");
        foreach (var accessor in new[] { accessors.Getter, accessors.Setter })
        {
            if (accessor.IsNil)
            {
                continue;
            }
            var method = reader.GetMethodDefinition(accessor);
            if (Visible(accessor) != Visible(shown))
            {
                text.Append(Access((int)method.Attributes)).Append(' ');
            }
            text.Append(!allReadOnly && ReadOnly(accessor) ? "readonly " : "");
            bool init = CSharp.Peel(method.DecodeSignature(Provider.Instance, null).ReturnType).Modifiers
                .Contains(Services + "IsExternalInit");
            text.Append(accessor == accessors.Getter ? "get; " : init ? "init; " : "set; ");
        }
        return text.Append('}').ToString();
    }

    public string Event(EventDefinitionHandle handle, TypeDefinitionHandle owner)
    {
        var definition = reader.GetEventDefinition(handle);
        var accessors = definition.GetAccessors();
        var shown = Widest(accessors.Adder, accessors.Remover);
        bool inInterface = (reader.GetTypeDefinition(owner).Attributes & TypeAttributes.Interface) != 0;
        var modifiers = shown.IsNil ? "" : Modifiers(reader.GetMethodDefinition(shown), inInterface);
        return $"{modifiers}event {Text(Type(definition.Type), definition.GetCustomAttributes(), At(owner))} {reader.GetString(definition.Name)}";
    }

    int Visible(MethodDefinitionHandle method) => (int)reader.GetMethodDefinition(method).Attributes & 7;

    MethodDefinitionHandle Widest(MethodDefinitionHandle first, MethodDefinitionHandle second)
    {
        if (first.IsNil || second.IsNil)
        {
            return first.IsNil ? second : first;
        }
        return Visible(second) > Visible(first) ? second : first;
    }
}
