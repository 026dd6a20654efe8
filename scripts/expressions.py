#!/usr/bin/env python3
"""Random C# expressions over what the fixture Expressions has in scope at its stop.

    scripts/expressions.py --cases N --seed S      one expression a line, an empty line behind each thousand

They change nothing. Nearly all are well typed; the compiler's word on each is the truth, also where it refuses one. The same seed and number
give the same expressions. `scripts/oracle random` compares what they give.
"""

import argparse
import random

INTEGERS = ["sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong", "char"]
NUMBERS = INTEGERS + ["float", "double", "decimal"]
SMALL = {"sbyte", "byte", "short", "ushort", "char"}
ENUMS = {"Color": ["Red", "Green", "Blue"], "Access": ["None", "Read", "Write", "Execute", "All"], "Kind": ["One", "Two", "Three"]}
BLOCK = 1_000

LEAVES = {
    "int": """i j arr[1] list[2] dict["k"] md[1,0] list.Count arr.Length number.Length zero max min captured given p.X p.Prop tup.A
        deep.Item1 tree.Value box.Value nine.I set.Count jagged[1][1] v.X v.Length2 size.Area person.Age fixedNumber Limit Seed
        queue.Count 7 -1 0x1F 1_000 'a'+1 tree.Sum people[1].Age s.Length sorted["b"] v[^0] arr[^1] index.Value""".replace("v[^0] ", "").split(),
    "sbyte": ["sb", "(sbyte)5", "(sbyte)-100"],
    "byte": ["b", "bytes[2]", "(byte)3"],
    "short": ["sh", "(short)12"],
    "ushort": ["us", "(ushort)9"],
    "uint": ["u", "3u", "4_000_000_000"],
    "long": ["l", "lmin", "lmax", "5L", "-7L", "dt.Ticks"],
    "ulong": ["ul", "9UL", "18_000_000_000_000_000_000"],
    "char": ["c", "'z'", "newline", "s[1]", "chars[0]", "quote", "number[^1]"],
    "float": ["f", "0.1f", "-2.75f", "1e10f"],
    "double": ["d", "nan", "inf", "0.1", "-1e-7", "byTuple[(1, \"a\")]", "1e300", "Ratio"],
    "decimal": ["m", "price", "1.10m", "-3m", "total", "0.0001m", "item.Price"],
    "bool": ["t", "true", "false", "aflag", "yes.HasValue", "unknown.HasValue", "deep.Pair.Right", "nay is not null"],
    "string": ["s", "empty", "escaped", "lines", "path", "number", "padded", "Label", "person.Name", "texts[0]!", "\"lit\\u0041\"",
               "names[1]", "Title", "fixedText", "@\"a\\b\"", "tup.B", "item.Name", "stack.Peek()", "textBox.Value"],
    "int?": ["ni", "nn", "item.Stock", "p.Null", "(int?)null"],
    "double?": ["nd", "(double?)f"],
    "long?": ["nl", "(long?)ni"],
    "bool?": ["yes", "no", "unknown"],
    "char?": ["nc"],
    "decimal?": ["nm"],
    "object": ["o", "boxedInt", "boxedText", "boxedEnum", "nothingAtAll", "boxedVec", "mixed[1]", "boxedTuple"],
    "Color": ["color", "Color.Blue", "acolor", "item.Color"],
    "Access": ["access", "Access.Write", "Access.None"],
    "Kind": ["k", "Kind.Three", "kinds[0]"],
    "Vec": ["v", "v2", "vecs[1]", "Vec.Unit", "nv.Value"],
    "ints": ["list", "arr", "set", "queue", "sorted.Values", "immutable", "linked", "none", "asList", "asReadOnly", "dict.Values"],
    "strings": ["names", "texts.OfType<string>()", "sorted.Keys", "immutableList", "asSequence", "s.Split('l')"],
    "people": ["people"],
}

OF_TEXTS = ["Trim()", "ToUpperInvariant()", "PadLeft(8)", "Substring(1)", 'Replace("l", "L")', "Insert(0, s)", "TrimEnd('o')"]
SEPARATORS = ['","', "c", '""']

INTEGRAL_OPERATORS = ["+", "-", "*", "/", "%", "&", "|", "^"]


def promoted(one, other):
    """The type of an arithmetic operator on two numbers; None where there is none."""
    both = {one, other}
    if "decimal" in both:
        return None if both & {"float", "double"} else "decimal"
    for type_ in ("double", "float"):
        if type_ in both:
            return type_
    if "ulong" in both:
        return None if both & {"sbyte", "short", "int", "long"} else "ulong"
    if "long" in both or "uint" in both and both & {"sbyte", "short", "int"}:
        return "long"
    return "uint" if "uint" in both else "int"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.scope = []
        self.names = 0

    def pick(self, choices):
        return self.random.choice(choices)

    def name(self):
        self.names += 1
        return f"q{self.names}"

    def leaf(self, type_):
        own = [name for name, of in self.scope if of == type_]
        if own and self.random.random() < 0.6:
            return self.pick(own)
        return self.pick(LEAVES[type_])

    def of(self, type_, depth):
        """An expression of a type, in brackets where it may need them; now and then without, which another meaning or the compiler's word follows."""
        if depth <= 0 or self.random.random() < 0.12:
            return self.leaf(type_)
        makers = {
            "bool": self.bool, "string": self.string, "object": self.object, "Vec": self.vec, "ints": self.ints, "strings": self.strings,
        }
        if type_ in makers:
            text = makers[type_](depth - 1)
        elif type_ in ENUMS:
            text = self.enum(type_, depth - 1)
        elif type_.endswith("?"):
            text = self.nullable(type_[:-1], depth - 1)
        else:
            text = self.number(type_, depth - 1)
        is_closed = text.startswith(("(", "checked(", "unchecked(")) and text.endswith(")") and self.closes(text)
        return text if is_closed or self.random.random() < 0.12 else f"({text})"

    @staticmethod
    def closes(text):
        """Whether the first bracket is closed by the last."""
        depth = 0
        for at, letter in enumerate(text):
            depth += (letter == "(") - (letter == ")")
            if depth == 0 and letter == ")":
                return at == len(text) - 1
        return False

    def choice(self, type_, depth):
        """What every type has."""
        kind = self.random.randrange(4)
        if kind == 0:
            return f"{self.of('bool', depth)} ? {self.of(type_, depth)} : {self.of(type_, depth)}"
        if kind == 1:
            of = self.pick(["int", "long", "char", "byte"])
            limit = {"int": "5", "long": "7L", "char": "'m'", "byte": "100"}[of]
            pattern = self.pick([f"> {limit}", f"< {limit} and not {limit}", f"{limit} or >= {limit}"])
            return f"{self.of(of, depth)} switch {{ {pattern} => {self.of(type_, depth)}, _ => {self.of(type_, depth)} }}"
        if kind == 2:
            name = self.name()
            self.scope.append((name, "int"))
            then = self.of(type_, depth)
            self.scope.pop()
            pattern = self.pick([f"int {name}", f"int and > 3 and var {name}"])
            return f"{self.of('object', depth)} is {pattern} ? {then} : {self.of(type_, depth)}"
        return f"({self.of(type_, depth)}, {self.of('int', depth)}).Item1"

    def number(self, type_, depth):
        kind = self.random.randrange(10)
        if kind < 5 and type_ not in SMALL:
            pairs = [(one, other) for one in NUMBERS for other in NUMBERS if promoted(one, other) == type_]
            one, other = self.pick(pairs)
            operators = INTEGRAL_OPERATORS if type_ in INTEGERS else INTEGRAL_OPERATORS[:5]
            if type_ in ("int", "long", "uint", "ulong") and self.random.random() < 0.15:
                return f"{self.of(type_, depth)} {self.pick(['<<', '>>', '>>>'])} {self.of('int', depth)}"
            text = f"{self.of(one, depth)} {self.pick(operators)} {self.of(other, depth)}"
            return self.pick([text, text, text, f"checked({text})", f"unchecked({text})"])
        if kind == 5:
            return f"({type_}){self.of(self.pick(NUMBERS), depth)}" if self.random.random() < 0.6 else f"checked(({type_}){self.of(self.pick(NUMBERS), depth)})"
        if kind == 6 and type_ not in SMALL:
            sign = self.pick(["-", "+", "~"] if type_ in INTEGERS else ["-", "+"])
            operand = self.of(type_, depth)
            # `--x` would change x
            return f"{sign} {operand}" if operand.startswith(sign) else f"{sign}{operand}"
        if kind == 7:
            nullable = f"{type_}?"
            if nullable in LEAVES:
                return f"{self.of(nullable, depth)} ?? {self.of(type_, depth)}"
        if kind == 8:
            return self.choice(type_, depth)
        return getattr(self, f"some_{type_}", lambda depth: f"({type_}){self.of(self.pick(NUMBERS), depth)}")(depth)

    def some_int(self, depth):
        name = self.name()
        return self.pick([
            lambda: f"{self.of('string', depth)}.Length",
            lambda: f"{self.of('string', depth)}.IndexOf({self.of('char', depth)})",
            lambda: f"{self.of('string', depth)}.IndexOf({self.of('string', depth)}, StringComparison.Ordinal)",
            lambda: f"Math.{self.pick(['Max', 'Min'])}({self.of(self.pick(['int', 'short', 'byte', 'char']), depth)}, {self.of('int', depth)})",
            lambda: f"Math.Abs({self.of('int', depth)})",
            lambda: f"Math.Sign({self.of(self.pick(['int', 'double', 'decimal', 'long']), depth)})",
            lambda: f"{self.of('ints', depth)}.{self.pick(['Count', 'Sum', 'Max', 'Min', 'First', 'LastOrDefault'])}()",
            lambda: f"{self.of('ints', depth)}.Count({self.predicate('int', depth)})",
            lambda: f"{self.of('ints', depth)}.Sum({self.lambda_('int', 'int', depth)})",
            lambda: f"{self.of('ints', depth)}.Aggregate({self.of('int', depth)}, ({name}, {name}b) => {name} + {name}b * 2)",
            lambda: f"{self.of('int', depth)}.CompareTo({self.of('int', depth)})",
            lambda: f"(int){self.of(self.pick(list(ENUMS)), depth)}",
            lambda: f"{self.of('Color', depth)} - {self.of('Color', depth)}",
            lambda: f"Convert.ToInt32({self.of(self.pick(['double', 'decimal', 'bool', 'char']), depth)})",
            lambda: f"{self.of('Vec', depth)}.{self.pick(['X', 'Y', 'Length2'])}",
            lambda: f"fn({self.of('int', depth)})",
            lambda: f"combine({self.of('int', depth)}, {self.of('int', depth)})",
            lambda: f"p.Opt({self.pick(['b: ', '', 'a: '])}{self.of('int', depth)})",
            lambda: f"p.Par({self.of('int', depth)}, {self.of('byte', depth)})",
            lambda: f"Twice({self.of('int', depth)})",
            lambda: f"string.CompareOrdinal({self.of('string', depth)}, {self.of('string', depth)}) > 0 ? 1 : 0",
            lambda: f"arr[{self.of('int', depth)} % 3]",
            lambda: f"(int){self.pick(['boxedInt', 'mixed[0]', 'aobject'])}",
            lambda: f"new {{ A = {self.of('int', depth)}, B = {self.of('string', depth)} }}.A",
            lambda: f"sizeof({self.pick(INTEGERS + ['double', 'decimal'])})",
        ])()

    def some_long(self, depth):
        return self.pick([
            lambda: f"Math.BigMul({self.of('int', depth)}, {self.of('int', depth)})",
            lambda: f"{self.of('ints', depth)}.LongCount()",
            lambda: f"Math.Max({self.of('long', depth)}, {self.of('uint', depth)})",
            lambda: f"{self.of('ints', depth)}.Sum({self.lambda_('int', 'long', depth)})",
        ])()

    def some_double(self, depth):
        return self.pick([
            lambda: f"Math.{self.pick(['Floor', 'Ceiling', 'Truncate', 'Round', 'Sqrt', 'Abs'])}({self.of('double', depth)})",
            lambda: f"Math.Round({self.of('double', depth)}, {self.random.randrange(6)})",
            lambda: f"{self.of('ints', depth)}.Average()",
            lambda: f"{self.of('ints', depth)}.Select({self.lambda_('int', 'double', depth)}).Sum()",
            lambda: f"Math.Min({self.of('float', depth)}, {self.of('double', depth)})",
        ])()

    def some_decimal(self, depth):
        return self.pick([
            lambda: f"decimal.{self.pick(['Floor', 'Ceiling', 'Truncate', 'Negate'])}({self.of('decimal', depth)})",
            lambda: f"Math.Round({self.of('decimal', depth)}, {self.random.randrange(4)}, MidpointRounding.{self.pick(['ToEven', 'AwayFromZero'])})",
            lambda: f"people.Sum({self.name()} => {self.of('decimal', depth)})",
        ])()

    def some_char(self, depth):
        return self.pick([
            lambda: f"char.{self.pick(['ToUpperInvariant', 'ToLowerInvariant'])}({self.of('char', depth)})",
            lambda: f"{self.of('string', depth)}[{self.of('int', depth)} & 1]",
            lambda: f"{self.of('string', depth)}.FirstOrDefault()",
        ])()

    def nullable(self, of, depth):
        kind = self.random.randrange(6)
        if kind == 0:
            return f"({of}?){self.of(of, depth)}"
        if kind == 1:
            return self.choice(f"{of}?", depth)
        if kind == 2 and of == "int":
            return self.pick([
                lambda: f"{self.of('object', depth)} as int?",
                lambda: f"{self.pick(['sn', 'noArray', 'item.Parent?.Name'])}?.Length",
                lambda: f"noList?[{self.of('int', depth)}]",
                lambda: f"{self.of('ints', depth)}.Max({self.lambda_('int', 'int?', depth)})",
            ])()
        if of == "bool":
            return f"{self.of('bool?', depth)} {self.pick('&|^')} {self.of(self.pick(['bool', 'bool?']), depth)}"
        if of in ("char", "long"):
            return f"({of}?){self.of('int?' if of == 'long' else 'char?', depth)}"
        operators = INTEGRAL_OPERATORS if of == "int" else INTEGRAL_OPERATORS[:5]
        return f"{self.of(f'{of}?', depth)} {self.pick(operators)} {self.of(self.pick([of, f'{of}?']), depth)}"

    def bool(self, depth):
        signs = ["<", ">", "<=", ">=", "==", "!="]
        name = self.name()
        return self.pick([
            lambda: f"{self.of('bool', depth)} {self.pick(['&&', '||', '^', '&', '|', '=='])} {self.of('bool', depth)}",
            lambda: f"!{self.of('bool', depth)}",
            self.comparison(depth, signs),
            self.comparison(depth, signs),
            lambda: f"{self.of('string', depth)} {self.pick(['==', '!='])} {self.of('string', depth)}",
            lambda: f"{self.of('string', depth)}.{self.pick(['Contains', 'StartsWith', 'EndsWith'])}({self.of('char', depth)})",
            lambda: f"string.IsNullOrEmpty({self.of('string', depth)})",
            lambda: f"{self.of('int?', depth)} {self.pick(signs)} {self.of(self.pick(['int', 'int?', 'double?', 'long?', 'char?']), depth)}",
            lambda: f"{self.of('Access', depth)}.HasFlag({self.of('Access', depth)})",
            lambda: f"{self.of('Color', depth)} {self.pick(signs)} {self.of('Color', depth)}",
            lambda: f"{self.of('object', depth)} is {self.pick(['string', 'int', 'Pt', 'null', 'not null', 'Color', 'IComparable', 'Vec { X: > 3 }', 'string { Length: > 4 }', '17 or 18', '(1, _)'])}",
            lambda: f"{self.of('ints', depth)}.{self.pick(['Any', 'All'])}({self.predicate('int', depth)})",
            lambda: f"{self.of('ints', depth)}.Contains({self.of('int', depth)})",
            lambda: f"people.{self.pick(['Any', 'All'])}({name} => {name}.Age {self.pick(signs)} {self.of('int', depth)})",
            lambda: f"list is [{self.pick(['1, ..', '.., 3', '_, _, _', 'var ' + name + ', ..', '[]'][:4])}]",
            lambda: f"person is {{ Age: {self.pick(signs[:4])} 30, Name: \"Ann\" }}",
            lambda: f"({self.of('int', depth)}, {self.of('string', depth)}) {self.pick(['==', '!='])} {self.pick(['tup', 'aliased'])}",
            lambda: f"{self.of('object', depth)}?.Equals({self.of('int', depth)}) ?? {self.of('bool', depth)}",
            lambda: f"{self.of('double', depth)}.Equals({self.of('double', depth)})",
            lambda: f"Equals({self.of('object', depth)}, {self.of('object', depth)})",
        ])()

    def comparison(self, depth, signs):
        pairs = [(one, other) for one in NUMBERS for other in NUMBERS if promoted(one, other)]
        one, other = self.pick(pairs)
        return lambda: f"{self.of(one, depth)} {self.pick(signs)} {self.of(other, depth)}"

    def string(self, depth):
        anything = lambda: self.of(self.pick(["int", "string", "char", "double", "decimal", "bool", "Color", "int?", "object", "long", "float"]), depth)
        hole = lambda: self.pick([
            lambda: f"{{{anything()}}}",
            lambda: f"{{({self.of('int', depth)}),{self.pick(['5', '-6', '3'])}{self.pick(['', ':D4', ':X', ':N0'])}}}",
            lambda: f"{{({self.of('double', depth)}):{self.pick(['F2', 'E3', 'G', 'R', '0.##', 'N1', 'P0'])}}}",
            lambda: f"{{({self.of('decimal', depth)}):{self.pick(['F1', 'C', '#,##0.00', 'G'])}}}",
            lambda: f"{{({self.of('Color', depth)}):{self.pick('GDXF')}}}",
        ])()
        return self.pick([
            lambda: f"{self.of('string', depth)} + {anything()}",
            lambda: f"{anything()} + {self.of('string', depth)}",
            lambda: f"$\"{self.pick(['', 'a', '{{'])}{hole()}{self.pick(['-', '}}', ' '])}{hole()}\"",
            lambda: f"{anything()}.ToString()",
            lambda: f"{self.of('int', depth)}.ToString(\"{self.pick(['X4', 'D6', 'N0', '000', 'E2'])}\")",
            lambda: f"{self.of('double', depth)}.ToString(\"{self.pick(['F3', 'G4', 'R', 'E1', '0.00'])}\")",
            lambda: f"{self.of('string', depth)}.{self.pick(OF_TEXTS)}",
            lambda: f"{self.of('string', depth)}[{self.pick(['1..', '..^1', '^2..', '..'])}]",
            lambda: f"string.Join({self.pick(SEPARATORS)}, {self.of(self.pick(['ints', 'strings']), depth)})",
            lambda: f"string.Concat({anything()}, {anything()})",
            lambda: f"new string({self.of('char', depth)}, {self.of('int', depth)} & 3)",
            lambda: f"string.Format(\"{{0}}|{{1:{self.pick(['X', 'D3'])}}}\", {anything()}, {self.of('int', depth)})",
            lambda: f"sn ?? {self.of('string', depth)}",
            lambda: f"{self.of('object', depth)} as string ?? {self.of('string', depth)}",
            lambda: f"{self.of('strings', depth)}.{self.pick(['First()', 'Last()', 'Min()!', 'ElementAt(1)', 'Aggregate((a0, b0) => a0 + b0)'])}",
            lambda: f"{self.of('Vec', depth)}.ToString()",
            lambda: self.choice("string", depth),
            lambda: f"nameof({self.pick(['s', 'people.Count', 'Color.Red', 'List<int>'])})",
            lambda: f"({self.of('object', depth)})?.ToString() ?? {self.of('string', depth)}",
            lambda: f"{self.of('object', depth)}?.GetType().Name ?? s",
            lambda: f"{self.of('string', depth)}.Where({self.predicate('char', depth)}).Count().ToString()",
        ])()

    def object(self, depth):
        return self.pick([
            lambda: f"(object){self.of(self.pick(NUMBERS + ['bool', 'Color', 'Vec', 'int?', 'string']), depth)}",
            lambda: self.leaf("object"),
            lambda: self.choice("object", depth),
            lambda: f"{self.of('object', depth)} ?? {self.of('string', depth)}",
        ])()

    def vec(self, depth):
        return self.pick([
            lambda: f"new Vec({self.of('int', depth)}, {self.of('int', depth)})",
            lambda: f"{self.of('Vec', depth)}.Turned()",
            lambda: f"new Vec {{ X = {self.of('int', depth)} }}",
            lambda: self.choice("Vec", depth),
        ])()

    def enum(self, type_, depth):
        return self.pick([
            lambda: f"({type_}){self.of(self.pick(['int', 'byte', 'long', 'double', 'char']), depth)}",
            lambda: f"{self.of(type_, depth)} {self.pick('|&^')} {self.of(type_, depth)}",
            lambda: f"{self.of(type_, depth)} {self.pick('+-')} {self.of('int', depth)}",
            lambda: f"~{self.of(type_, depth)}",
            lambda: self.choice(type_, depth),
        ])()

    def lambda_(self, of, to, depth):
        name = self.name()
        self.scope.append((name, of))
        body = self.of(to, depth)
        self.scope.pop()
        return f"{name} => {body}"

    def predicate(self, of, depth):
        name = self.name()
        self.scope.append((name, of))
        limit = self.of(of, depth)
        body = self.pick([lambda: f"{name} > {limit}", lambda: f"{name} % 2 == 0", lambda: self.of("bool", depth)])()
        self.scope.pop()
        return f"{name} => {body}"

    def ints(self, depth):
        one = lambda: self.of("ints", depth)
        return self.pick([
            lambda: f"{one()}.Where({self.predicate('int', depth)})",
            lambda: f"{one()}.Select({self.lambda_('int', 'int', depth)})",
            lambda: f"{one()}.{self.pick(['OrderBy', 'OrderByDescending', 'DistinctBy'])}({self.lambda_('int', 'int', depth)})",
            lambda: f"{one()}.{self.pick(['Take', 'Skip', 'TakeLast', 'SkipLast'])}({self.random.randrange(4)})",
            lambda: f"{one()}.{self.pick(['Concat', 'Union', 'Except', 'Intersect'])}({one()})",
            lambda: f"{one()}.{self.pick(['Append', 'Prepend'])}({self.of('int', depth)})",
            lambda: f"{one()}.{self.pick(['TakeWhile', 'SkipWhile'])}({self.predicate('int', depth)})",
            lambda: f"{one()}.{self.pick(['Distinct', 'ToArray', 'ToList', 'DefaultIfEmpty', 'Order'])}()",
            lambda: f"{one()}.Zip({one()}, (a1x, b1x) => a1x * b1x)",
            lambda: f"Enumerable.Range({self.of('int', depth)} & 7, {self.random.randrange(6)})",
            lambda: f"from q0 in {one()} where q0 != {self.of('int', depth)} select q0 + {self.of('int', depth)}",
            lambda: f"{one()}.GroupBy({self.lambda_('int', 'bool', depth)}).Select({self.pick(['g => g.Sum()', 'g => g.Count()'])})",
            lambda: f"{self.of('strings', depth)}.Select({self.lambda_('string', 'int', depth)})",
            lambda: f"new[] {{ {self.of('int', depth)}, {self.of('int', depth)} }}",
            lambda: f"new List<int> {{ {self.of('int', depth)}, {self.of('byte', depth)} }}",
        ])()

    def strings(self, depth):
        one = lambda: self.of("strings", depth)
        return self.pick([
            lambda: f"{one()}.Where({self.predicate_of_text(depth)})",
            lambda: f"{one()}.Select({self.lambda_('string', 'string', depth)})",
            lambda: f"{one()}.OrderBy({self.lambda_('string', 'int', depth)})",
            lambda: f"{self.of('ints', depth)}.Select({self.lambda_('int', 'string', depth)})",
            lambda: f"{one()}.{self.pick(['Take', 'Skip'])}({self.random.randrange(4)})",
            lambda: f"people.Select({self.name()} => {self.of('string', depth)})",
            lambda: f"new[] {{ {self.of('string', depth)}, {self.of('string', depth)} }}",
        ])()

    def predicate_of_text(self, depth):
        return self.lambda_("string", "bool", depth)

    def any(self):
        """One of any type."""
        kinds = ["int"] * 4 + NUMBERS + ["bool"] * 4 + ["string"] * 4 + ["int?", "double?", "bool?", "decimal?", "object", "Vec", "ints", "ints", "strings"] + list(ENUMS)
        self.names = 0
        text = self.of(self.pick(kinds), self.random.randrange(2, 5))
        return text[1:-1] if text.startswith("(") and self.closes(text) and "," not in text else text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generator, seen, lines = Generator(options.seed), set(), []
    for _ in range(options.cases * 50):
        if len(seen) == options.cases:
            break
        text = generator.any()
        if text not in seen and len(text) <= 400:
            seen.add(text)
            lines.append(text)
    blocks = ["\n".join(lines[at:at + BLOCK]) for at in range(0, len(lines), BLOCK)]
    print("\n\n".join(f"# Random {at + 1}\n{block}" for at, block in enumerate(blocks)))


main()
