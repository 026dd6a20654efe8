// The facts of a Portable PDB: beside its assembly, or within it.
using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;
using System.Text;

sealed class SymbolsDump(PEReader pe, string path, TextWriter output)
{
    static readonly Guid SourceLink = new("cc110556-a091-4d38-9fec-25ab9a351a6a");
    static readonly Guid EmbeddedSource = new("0e8a571b-6926-466e-b4ad-8ab04611f5fe");
    static readonly Guid AsyncStepping = new("54fd2ac5-e925-401a-9c2a-f94f171072f8");

    MetadataReader _pdb = null!;

    static string Token(EntityHandle handle) => $"{MetadataTokens.GetToken(handle):x8}";

    string Hash(BlobHandle handle) => Values.Hash(_pdb.GetBlobBytes(handle));

    public void Print()
    {
        var entries = pe.ReadDebugDirectory();
        foreach (var entry in entries)
        {
            if (entry.Type == DebugDirectoryEntryType.CodeView && entry.DataSize > 0)
            {
                var view = pe.ReadCodeViewDebugDirectoryData(entry);
                output.WriteLine($"codeview {view.Guid} {entry.Stamp:x8} {view.Path}");
            }
            else if (entry.Type == DebugDirectoryEntryType.PdbChecksum)
            {
                var checksum = pe.ReadPdbChecksumDebugDirectoryData(entry);
                output.WriteLine($"checksum {checksum.AlgorithmName} {Convert.ToHexStringLower(checksum.Checksum.AsSpan())}");
            }
        }
        if (!pe.TryOpenAssociatedPortablePdb(path, file => File.Exists(file) ? File.OpenRead(file) : null, out var found, out _))
        {
            output.WriteLine("no pdb");
            return;
        }
        using (found)
        {
            _pdb = found!.GetMetadataReader();
            Pdb();
        }
    }

    void Pdb()
    {
        var header = _pdb.DebugMetadataHeader!;
        output.WriteLine($"pdb {Convert.ToHexStringLower(header.Id.AsSpan())} {(header.EntryPoint.IsNil ? "none" : Token(header.EntryPoint))} {MetadataVersion()}");
        foreach (var handle in _pdb.Documents)
        {
            var document = _pdb.GetDocument(handle);
            output.WriteLine($"document {_pdb.GetString(document.Name)} {Text(document.HashAlgorithm)} {Convert.ToHexStringLower(_pdb.GetBlobBytes(document.Hash))} {Text(document.Language)}");
        }
        foreach (var handle in _pdb.MethodDebugInformation)
        {
            Method(handle);
        }
        foreach (var handle in _pdb.ImportScopes)
        {
            Imports(handle);
        }
        foreach (var handle in _pdb.CustomDebugInformation)
        {
            var row = _pdb.GetCustomDebugInformation(handle);
            var kind = _pdb.GetGuid(row.Kind);
            output.WriteLine($"custom {Token(row.Parent)} {kind} {Hash(row.Value)}");
            if (kind == SourceLink)
            {
                output.WriteLine($"  sourcelink {Encoding.UTF8.GetString(_pdb.GetBlobBytes(row.Value)).ReplaceLineEndings(" ")}");
            }
            else if (kind == EmbeddedSource)
            {
                output.WriteLine($"  source {Values.Hash(Inflated(_pdb.GetBlobReader(row.Value)))}");
            }
            else if (kind == AsyncStepping)
            {
                output.WriteLine($"  async {Async(_pdb.GetBlobReader(row.Value))}");
            }
        }
    }

    string MetadataVersion() => _pdb.MetadataVersion;

    string Text(GuidHandle handle) => handle.IsNil ? "none" : _pdb.GetGuid(handle).ToString();

    void Method(MethodDebugInformationHandle handle)
    {
        var method = handle.ToDefinitionHandle();
        var information = _pdb.GetMethodDebugInformation(handle);
        foreach (var point in information.GetSequencePoints())
        {
            var place = point.IsHidden ? "hidden" : $"{point.StartLine}:{point.StartColumn}-{point.EndLine}:{point.EndColumn}";
            output.WriteLine($"point {Token(method)} {point.Offset} {Token(point.Document)} {place}");
        }
        if (information.GetStateMachineKickoffMethod() is { IsNil: false } kickoff)
        {
            output.WriteLine($"kickoff {Token(method)} {Token(kickoff)}");
        }
        foreach (var scope in _pdb.GetLocalScopes(method).Select(_pdb.GetLocalScope))
        {
            output.WriteLine($"scope {Token(method)} {scope.StartOffset}-{scope.EndOffset} {Token(scope.ImportScope)}");
            foreach (var local in scope.GetLocalVariables().Select(_pdb.GetLocalVariable))
            {
                var hidden = (local.Attributes & LocalVariableAttributes.DebuggerHidden) != 0 ? " hidden" : "";
                output.WriteLine($"  local {_pdb.GetString(local.Name)} {local.Index}{hidden}");
            }
            foreach (var constant in scope.GetLocalConstants().Select(_pdb.GetLocalConstant))
            {
                output.WriteLine($"  const {_pdb.GetString(constant.Name)} {Hash(constant.Signature)} {Constant(_pdb.GetBlobReader(constant.Signature))}");
            }
        }
    }

    static string Constant(BlobReader signature)
    {
        var code = signature.ReadSignatureTypeCode();
        if (code == SignatureTypeCode.String)
        {
            bool isNull = signature.RemainingBytes == 1;
            return isNull ? "null" : Values.Literal(signature.ReadUTF16(signature.RemainingBytes));
        }
        return code is >= SignatureTypeCode.Boolean and <= SignatureTypeCode.Double
            ? Values.Literal(signature.ReadConstant((ConstantTypeCode)code))
            : "unread";
    }

    void Imports(ImportScopeHandle handle)
    {
        var scope = _pdb.GetImportScope(handle);
        output.WriteLine($"imports {Token(handle)} in {Token(scope.Parent)}");
        foreach (var import in scope.GetImports())
        {
            string text(BlobHandle blob) => Encoding.UTF8.GetString(_pdb.GetBlobBytes(blob));
            output.WriteLine("  " + import.Kind switch
            {
                ImportDefinitionKind.ImportNamespace => $"namespace {text(import.TargetNamespace)}",
                ImportDefinitionKind.ImportAssemblyNamespace => $"namespace {text(import.TargetNamespace)} of {Token(import.TargetAssembly)}",
                ImportDefinitionKind.ImportType => $"type {Token(import.TargetType)}",
                ImportDefinitionKind.ImportXmlNamespace => $"xml {text(import.Alias)} {text(import.TargetNamespace)}",
                ImportDefinitionKind.ImportAssemblyReferenceAlias => $"extern {text(import.Alias)}",
                ImportDefinitionKind.AliasAssemblyReference => $"alias {text(import.Alias)} = assembly {Token(import.TargetAssembly)}",
                ImportDefinitionKind.AliasNamespace => $"alias {text(import.Alias)} = namespace {text(import.TargetNamespace)}",
                ImportDefinitionKind.AliasAssemblyNamespace => $"alias {text(import.Alias)} = namespace {text(import.TargetNamespace)} of {Token(import.TargetAssembly)}",
                _ => $"alias {text(import.Alias)} = type {Token(import.TargetType)}",
            });
        }
    }

    static byte[] Inflated(BlobReader blob)
    {
        int size = blob.ReadInt32();
        var bytes = blob.ReadBytes(blob.RemainingBytes);
        if (size == 0)
        {
            return bytes;
        }
        using var stream = new DeflateStream(new MemoryStream(bytes), CompressionMode.Decompress);
        var inflated = new MemoryStream();
        stream.CopyTo(inflated);
        return inflated.ToArray();
    }

    static string Async(BlobReader blob)
    {
        uint handler = blob.ReadUInt32();
        var text = new StringBuilder(handler == 0 ? "none" : (handler - 1).ToString());
        while (blob.RemainingBytes > 0)
        {
            text.Append($" {blob.ReadUInt32()}>{blob.ReadUInt32()}@{blob.ReadCompressedInteger()}");
        }
        return text.ToString();
    }
}
