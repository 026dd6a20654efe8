// All instructions that name a method (all its overloads): first the tokens by which an assembly can name it, then its IL.
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

static class Usages
{
    const byte Token = 0xfe, Switch = 0xff;

    /// Bytes of the operand, or one of the two above; two-byte opcodes behind the others.
    static readonly byte[] Operands = OperandSizes();

    public static string Of(IEnumerable<PEReader> images, string method)
    {
        var type = method[..method.LastIndexOf('.')];
        var (space, name) = (type[..type.LastIndexOf('.')], type[(type.LastIndexOf('.') + 1)..]);
        var found = new List<string>();
        foreach (var image in images)
        {
            if (!image.HasMetadata)
            {
                continue;
            }
            var reader = image.GetMetadataReader();
            var tokens = Tokens(reader, space, name, method[(type.Length + 1)..]);
            if (tokens.Count > 0 && Count(image, reader, tokens) is > 0 and var count)
            {
                found.Add($"{reader.GetString(reader.GetAssemblyDefinition().Name)}={count}");
            }
        }
        return string.Join(' ', found);
    }

    static HashSet<int> Tokens(MetadataReader reader, string space, string type, string method)
    {
        var comparer = reader.StringComparer;
        var types = new HashSet<EntityHandle>();
        var tokens = new HashSet<int>();
        foreach (var handle in reader.TypeReferences)
        {
            var reference = reader.GetTypeReference(handle);
            if (comparer.Equals(reference.Name, type) && comparer.Equals(reference.Namespace, space))
            {
                types.Add(handle);
            }
        }
        foreach (var handle in reader.TypeDefinitions)
        {
            var definition = reader.GetTypeDefinition(handle);
            if (comparer.Equals(definition.Name, type) && comparer.Equals(definition.Namespace, space))
            {
                types.Add(handle);
                tokens.UnionWith(definition.GetMethods().Where(id => comparer.Equals(reader.GetMethodDefinition(id).Name, method))
                    .Select(id => MetadataTokens.GetToken(id)));
            }
        }
        foreach (var handle in reader.MemberReferences)
        {
            var member = reader.GetMemberReference(handle);
            if (types.Contains(member.Parent) && comparer.Equals(member.Name, method) && member.GetKind() == MemberReferenceKind.Method)
            {
                tokens.Add(MetadataTokens.GetToken(handle));
            }
        }
        for (int row = 1; row <= reader.GetTableRowCount(TableIndex.MethodSpec); row++)
        {
            var handle = MetadataTokens.MethodSpecificationHandle(row);
            if (tokens.Contains(MetadataTokens.GetToken(reader.GetMethodSpecification(handle).Method)))
            {
                tokens.Add(MetadataTokens.GetToken(handle));
            }
        }
        return tokens;
    }

    static int Count(PEReader image, MetadataReader reader, HashSet<int> tokens)
    {
        int count = 0;
        foreach (var handle in reader.MethodDefinitions)
        {
            var method = reader.GetMethodDefinition(handle);
            if (method.RelativeVirtualAddress == 0 || (method.ImplAttributes & System.Reflection.MethodImplAttributes.CodeTypeMask) != 0)
            {
                continue;
            }
            var il = image.GetMethodBody(method.RelativeVirtualAddress).GetILReader();
            while (il.RemainingBytes > 0)
            {
                int opcode = il.ReadByte();
                var operand = Operands[opcode == 0xfe ? 256 + il.ReadByte() : opcode];
                switch (operand)
                {
                    case Token:
                        count += tokens.Contains(il.ReadInt32()) ? 1 : 0;
                        break;
                    case Switch:
                        int targets = il.ReadInt32();
                        il.Offset += 4 * targets;
                        break;
                    default:
                        il.Offset += operand;
                        break;
                }
            }
        }
        return count;
    }

    static byte[] OperandSizes()
    {
        var sizes = new byte[512];
        foreach (var field in typeof(OpCodes).GetFields())
        {
            var code = (OpCode)field.GetValue(null)!;
            var value = (ushort)code.Value;
            sizes[value > 0xff ? 256 + (value & 0xff) : value] = code.OperandType switch
            {
                OperandType.InlineNone => 0,
                OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
                OperandType.InlineVar => 2,
                OperandType.InlineBrTarget or OperandType.InlineI or OperandType.ShortInlineR => 4,
                OperandType.InlineI8 or OperandType.InlineR => 8,
                OperandType.InlineSwitch => Switch,
                _ => Token,
            };
        }
        return sizes;
    }
}
