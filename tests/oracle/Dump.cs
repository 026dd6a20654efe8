// The facts of one assembly: tables in their order, then symbols.
using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

sealed class NotManagedException : Exception;

sealed class AssemblyDump : IDisposable
{
    readonly string _path;
    readonly PEReader _pe;
    readonly MetadataReader _reader;
    readonly AttributeProvider _provider;
    readonly Declarations _full, _short;
    readonly TextWriter _out;

    public AssemblyDump(string path, Enums enums, TextWriter output)
    {
        _path = path;
        _pe = new PEReader(File.OpenRead(path));
        try
        {
            if (!_pe.HasMetadata)
            {
                throw new NotManagedException();
            }
        }
        catch (BadImageFormatException)
        {
            throw new NotManagedException();
        }
        _reader = _pe.GetMetadataReader();
        _provider = new AttributeProvider(_reader, enums);
        _full = new Declarations(_reader, _provider, true);
        _short = new Declarations(_reader, _provider, false);
        _out = output;
    }

    public void Dispose() => _pe.Dispose();

    static string Token(EntityHandle handle) => $"{MetadataTokens.GetToken(handle):x8}";

    string Text(StringHandle handle) => _reader.GetString(handle);

    string Hash(BlobHandle handle) => Values.Hash(_reader.GetBlobBytes(handle));

    int Rows(TableIndex table) => _reader.GetTableRowCount(table);

    public void Print()
    {
        if (_reader.IsAssembly)
        {
            var assembly = _reader.GetAssemblyDefinition();
            _out.WriteLine($"assembly {Text(assembly.Name)} {assembly.Version} {(uint)assembly.Flags:x} {Text(assembly.Culture)} {Hash(assembly.PublicKey)}");
        }
        var module = _reader.GetModuleDefinition();
        _out.WriteLine($"module {Text(module.Name)} {_reader.GetGuid(module.Mvid)}");
        _out.WriteLine($"build debug={Flag(IsDebug())} r2r={Flag(_pe.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size != 0)}");
        References();
        foreach (var handle in _reader.TypeDefinitions)
        {
            Type(handle);
        }
        Generics();
        Signatures();
        foreach (var handle in _reader.DeclarativeSecurityAttributes)
        {
            var row = _reader.GetDeclarativeSecurityAttribute(handle);
            _out.WriteLine($"security {Token(row.Parent)} {(int)row.Action} {Hash(row.PermissionSet)}");
        }
        foreach (var handle in _reader.CustomAttributes)
        {
            var attribute = _reader.GetCustomAttribute(handle);
            _out.WriteLine($"attribute {Token(attribute.Parent)} {Token(attribute.Constructor)} {AttributeType(attribute)}{Values.Attribute(attribute, _provider)}");
        }
        new SymbolsDump(_pe, _path, _out).Print();
    }

    static string Flag(bool value) => value ? "true" : "false";

    string AttributeType(CustomAttribute attribute)
    {
        EntityHandle type = attribute.Constructor.Kind == HandleKind.MethodDefinition
            ? _reader.GetMethodDefinition((MethodDefinitionHandle)attribute.Constructor).GetDeclaringType()
            : _reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent;
        return type.Kind == HandleKind.TypeSpecification
            ? Named(_reader.GetTypeSpecification((TypeSpecificationHandle)type).DecodeSignature(Provider.Instance, null))
            : Names.Of(_reader, type);

        static string Named(Sig sig) => ((Named)sig).Name;
    }

    bool IsDebug()
    {
        foreach (var attribute in _reader.GetCustomAttributes(EntityHandle.AssemblyDefinition).Select(_reader.GetCustomAttribute))
        {
            if (AttributeType(attribute) != "System.Diagnostics.DebuggableAttribute")
            {
                continue;
            }
            var arguments = attribute.DecodeValue(_provider).FixedArguments;
            return arguments.Length == 1 ? ((int)arguments[0].Value! & 0x100) != 0 : (bool)arguments[1].Value!;
        }
        return false;
    }

    void References()
    {
        foreach (var handle in _reader.AssemblyReferences)
        {
            var row = _reader.GetAssemblyReference(handle);
            _out.WriteLine($"reference {Text(row.Name)} {row.Version} {(uint)row.Flags:x} {Text(row.Culture)} {Hash(row.PublicKeyOrToken)} {Hash(row.HashValue)}");
        }
        for (int row = 1; row <= Rows(TableIndex.ModuleRef); row++)
        {
            _out.WriteLine($"moduleref {Text(_reader.GetModuleReference(MetadataTokens.ModuleReferenceHandle(row)).Name)}");
        }
        foreach (var handle in _reader.AssemblyFiles)
        {
            var row = _reader.GetAssemblyFile(handle);
            _out.WriteLine($"file {Text(row.Name)} {Flag(row.ContainsMetadata)} {Hash(row.HashValue)}");
        }
        foreach (var handle in _reader.ManifestResources)
        {
            var row = _reader.GetManifestResource(handle);
            _out.WriteLine($"resource {Text(row.Name)} {row.Offset} {(uint)row.Attributes:x} {(row.Implementation.IsNil ? "here" : Token(row.Implementation))}");
        }
        foreach (var handle in _reader.ExportedTypes)
        {
            var row = _reader.GetExportedType(handle);
            var target = row.Implementation.Kind switch
            {
                HandleKind.AssemblyReference => "assembly " + Text(_reader.GetAssemblyReference((AssemblyReferenceHandle)row.Implementation).Name),
                HandleKind.AssemblyFile => "file " + Text(_reader.GetAssemblyFile((AssemblyFileHandle)row.Implementation).Name),
                _ => "nested " + Names.Of(_reader, row.Implementation),
            };
            _out.WriteLine($"exported {Names.Of(_reader, handle)} {(uint)row.Attributes:x} {target}");
        }
    }

    string Raw(EntityHandle type) => type.Kind == HandleKind.TypeSpecification
        ? Exact.Text(_reader.GetTypeSpecification((TypeSpecificationHandle)type).DecodeSignature(Provider.Instance, null))
        : Names.Of(_reader, type);

    void Type(TypeDefinitionHandle handle)
    {
        var type = _reader.GetTypeDefinition(handle);
        _out.WriteLine($"type {Token(handle)} {(uint)type.Attributes:x} {Names.Of(_reader, handle)} | {_full.SourceName(handle)}");
        _out.WriteLine($"  {_full.TypeHead(handle)}");
        _out.WriteLine($"  {_short.TypeHead(handle)}");
        if (!type.BaseType.IsNil)
        {
            _out.WriteLine($"  base {Raw(type.BaseType)}");
        }
        foreach (var implemented in type.GetInterfaceImplementations().Select(_reader.GetInterfaceImplementation))
        {
            _out.WriteLine($"  implements {Raw(implemented.Interface)}");
        }
        var layout = type.GetLayout();
        if (!layout.IsDefault)
        {
            _out.WriteLine($"  layout {layout.PackingSize} {layout.Size}");
        }
        foreach (var nested in type.GetNestedTypes())
        {
            _out.WriteLine($"  nests {Token(nested)}");
        }
        foreach (var field in type.GetFields())
        {
            Field(field);
        }
        foreach (var method in type.GetMethods())
        {
            Method(method);
        }
        foreach (var property in type.GetProperties())
        {
            var row = _reader.GetPropertyDefinition(property);
            var accessors = row.GetAccessors();
            _out.WriteLine($"  property {Token(property)} {(uint)row.Attributes:x} {Text(row.Name)} {Exact.Text(row.DecodeSignature(Provider.Instance, null))} get={Token(accessors.Getter)} set={Token(accessors.Setter)}");
            _out.WriteLine($"    {_full.Property(property, handle)}");
            _out.WriteLine($"    {_short.Property(property, handle)}");
        }
        foreach (var @event in type.GetEvents())
        {
            var row = _reader.GetEventDefinition(@event);
            var accessors = row.GetAccessors();
            _out.WriteLine($"  event {Token(@event)} {(uint)row.Attributes:x} {Text(row.Name)} {Raw(row.Type)} add={Token(accessors.Adder)} remove={Token(accessors.Remover)} raise={Token(accessors.Raiser)}");
            _out.WriteLine($"    {_full.Event(@event, handle)}");
        }
        foreach (var implementation in type.GetMethodImplementations().Select(_reader.GetMethodImplementation))
        {
            _out.WriteLine($"  overrides {Token(implementation.MethodBody)} {Token(implementation.MethodDeclaration)}");
        }
    }

    void Field(FieldDefinitionHandle handle)
    {
        var field = _reader.GetFieldDefinition(handle);
        _out.WriteLine($"  field {Token(handle)} {(uint)field.Attributes:x} {Text(field.Name)} {Exact.Text(field.DecodeSignature(Provider.Instance, null))}");
        _out.WriteLine($"    {_full.Field(handle)}");
        _out.WriteLine($"    {_short.Field(handle)}");
        if (field.GetOffset() is var offset and >= 0)
        {
            _out.WriteLine($"    offset {offset}");
        }
        if (field.GetRelativeVirtualAddress() is var address and not 0)
        {
            _out.WriteLine($"    address {address:x}");
        }
        if (field.GetMarshallingDescriptor() is { IsNil: false } marshal)
        {
            _out.WriteLine($"    marshal {Hash(marshal)}");
        }
        if (field.GetDefaultValue() is { IsNil: false } constant)
        {
            _out.WriteLine($"    constant {Values.Literal(Values.Constant(_reader, constant))}");
        }
    }

    void Method(MethodDefinitionHandle handle)
    {
        var method = _reader.GetMethodDefinition(handle);
        _out.WriteLine($"  method {Token(handle)} {(uint)method.Attributes:x} {(uint)method.ImplAttributes:x} {Text(method.Name)} {Exact.Text(method.DecodeSignature(Provider.Instance, null))}");
        _out.WriteLine($"    {_full.Method(handle)}");
        _out.WriteLine($"    {_short.Method(handle)}");
        foreach (var parameter in method.GetParameters())
        {
            var row = _reader.GetParameter(parameter);
            var marshal = row.GetMarshallingDescriptor();
            var constant = row.GetDefaultValue();
            _out.WriteLine($"    parameter {Token(parameter)} {(uint)row.Attributes:x} {row.SequenceNumber} {Text(row.Name)}"
                + (marshal.IsNil ? "" : $" marshal {Hash(marshal)}")
                + (constant.IsNil ? "" : $" = {Values.Literal(Values.Constant(_reader, constant))}"));
        }
        if (method.GetImport() is { Module.IsNil: false } import)
        {
            var module = _reader.GetModuleReference(import.Module);
            _out.WriteLine($"    import {Text(module.Name)} {Text(import.Name)} {(uint)import.Attributes:x}");
        }
        if (method.RelativeVirtualAddress != 0 && (method.ImplAttributes & MethodImplAttributes.CodeTypeMask) == MethodImplAttributes.IL)
        {
            var body = _pe.GetMethodBody(method.RelativeVirtualAddress);
            var locals = body.LocalSignature.IsNil ? "" : Exact.List(_reader.GetStandaloneSignature(body.LocalSignature)
                .DecodeLocalSignature(Provider.Instance, null));
            _out.WriteLine($"    body {Values.Hash(body.GetILBytes())} stack={body.MaxStack} init={Flag(body.LocalVariablesInitialized)} code={Code.Hash(body.GetILReader())} [{locals}]");
            foreach (var region in body.ExceptionRegions)
            {
                var extra = region.Kind switch
                {
                    ExceptionRegionKind.Catch => "catch " + Token(region.CatchType),
                    ExceptionRegionKind.Filter => "filter " + region.FilterOffset,
                    ExceptionRegionKind.Finally => "finally",
                    _ => "fault",
                };
                _out.WriteLine($"    try {region.TryOffset}-{region.TryOffset + region.TryLength} {extra} {region.HandlerOffset}-{region.HandlerOffset + region.HandlerLength}");
            }
        }
    }

    void Generics()
    {
        for (int row = 1; row <= Rows(TableIndex.GenericParam); row++)
        {
            var parameter = _reader.GetGenericParameter(MetadataTokens.GenericParameterHandle(row));
            _out.WriteLine($"generic {Token(parameter.Parent)} {parameter.Index} {(uint)parameter.Attributes:x} {Text(parameter.Name)}");
            foreach (var constraint in parameter.GetConstraints().Select(_reader.GetGenericParameterConstraint))
            {
                _out.WriteLine($"  must {Raw(constraint.Type)}");
            }
        }
    }

    void Signatures()
    {
        foreach (var handle in _reader.MemberReferences)
        {
            var row = _reader.GetMemberReference(handle);
            var signature = row.GetKind() == MemberReferenceKind.Field
                ? Exact.Text(row.DecodeFieldSignature(Provider.Instance, null))
                : Exact.Text(row.DecodeMethodSignature(Provider.Instance, null));
            _out.WriteLine($"memberref {Token(row.Parent)} {Text(row.Name)} {signature}");
        }
        for (int row = 1; row <= Rows(TableIndex.TypeSpec); row++)
        {
            _out.WriteLine($"typespec {Raw(MetadataTokens.TypeSpecificationHandle(row))}");
        }
        for (int row = 1; row <= Rows(TableIndex.MethodSpec); row++)
        {
            var spec = _reader.GetMethodSpecification(MetadataTokens.MethodSpecificationHandle(row));
            _out.WriteLine($"methodspec {Token(spec.Method)} [{Exact.List(spec.DecodeSignature(Provider.Instance, null))}]");
        }
        for (int row = 1; row <= Rows(TableIndex.StandAloneSig); row++)
        {
            var signature = _reader.GetStandaloneSignature(MetadataTokens.StandaloneSignatureHandle(row));
            var header = _reader.GetBlobReader(signature.Signature).ReadSignatureHeader();
            _out.WriteLine(header.Kind switch
            {
                SignatureKind.LocalVariables => $"locals [{Exact.List(signature.DecodeLocalSignature(Provider.Instance, null))}]",
                SignatureKind.Field => "localfield",
                _ => $"callsite {Exact.Text(signature.DecodeMethodSignature(Provider.Instance, null))}",
            });
        }
    }
}
