// IL instructions, by the opcodes that reflection knows.
using System.Buffers.Binary;
using System.Reflection.Emit;
using System.Reflection.Metadata;

static class Code
{
    static readonly Dictionary<ushort, OpCode> Known = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!)
        .Where(code => code.OpCodeType != OpCodeType.Nternal)
        .ToDictionary(code => (ushort)code.Value);

    /// The number of instructions, and a hash of their offsets, opcodes and operands.
    public static string Hash(BlobReader il)
    {
        int count = 0;
        ulong hash = 0xcbf29ce484222325;
        void add(long value)
        {
            Span<byte> bytes = stackalloc byte[8];
            BinaryPrimitives.WriteInt64LittleEndian(bytes, value);
            foreach (var b in bytes)
            {
                hash = (hash ^ b) * 0x100000001b3;
            }
        }
        while (il.RemainingBytes > 0)
        {
            count++;
            add(il.Offset);
            ushort value = il.ReadByte();
            value = value == 0xfe ? (ushort)(0xfe00 | il.ReadByte()) : value;
            add(value);
            var code = Known[value];
            switch (code.OperandType)
            {
                case OperandType.InlineNone:
                    break;
                case OperandType.ShortInlineI:
                    add(code == OpCodes.Ldc_I4_S ? il.ReadSByte() : il.ReadByte());
                    break;
                case OperandType.ShortInlineVar:
                    add(il.ReadByte());
                    break;
                case OperandType.InlineVar:
                    add(il.ReadUInt16());
                    break;
                case OperandType.InlineI:
                    add(il.ReadInt32());
                    break;
                case OperandType.InlineI8:
                    add(il.ReadInt64());
                    break;
                case OperandType.ShortInlineR:
                    add(BitConverter.DoubleToInt64Bits(il.ReadSingle()));
                    break;
                case OperandType.InlineR:
                    add(BitConverter.DoubleToInt64Bits(il.ReadDouble()));
                    break;
                case OperandType.ShortInlineBrTarget:
                    int near = il.ReadSByte();
                    add(il.Offset + near);
                    break;
                case OperandType.InlineBrTarget:
                    int far = il.ReadInt32();
                    add(il.Offset + far);
                    break;
                case OperandType.InlineSwitch:
                    int targets = il.ReadInt32();
                    int next = il.Offset + targets * 4;
                    for (int i = 0; i < targets; i++)
                    {
                        add(next + il.ReadInt32());
                    }
                    break;
                default:
                    add(il.ReadUInt32());
                    break;
            }
        }
        return $"{count}:{hash:x16}";
    }
}
