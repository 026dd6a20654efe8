//! `tests/data/oddities`: what C# compiles to something that does not look like its source, built in Debug with an embedded PDB.
//! The expected texts are the source's own.

use clr_metadata::{Assembly, MethodId, NameStyle, TypeKind, TypeView, VariableRoot, col};

use super::{data, fixture};

fn source(file: &str) -> String {
    std::fs::read_to_string(data("../oddities").join(file)).unwrap()
}

/// File and line of a `BP:` marker.
fn marker(name: &str) -> (&'static str, u32) {
    let tag = format!("BP:{name}");
    for file in ["Program.cs", "Code.cs", "Types.cs"] {
        if let Some(at) = source(file).lines().position(|line| line.ends_with(&tag)) {
            return (file, at as u32 + 1);
        }
    }
    panic!("no marker {name}");
}

/// The innermost method with code on the line of a marker.
fn method_at(oddities: &Assembly, name: &str) -> MethodId {
    let (file, line) = marker(name);
    let document = oddities.pdb().unwrap().find_document(&format!("/src/fixtures/Oddities/{file}")).unwrap().id;
    // A lambda on the line of a statement around it is compiled later.
    let found = oddities.line_to_methods(document, line);
    found.last().unwrap_or_else(|| panic!("no code at {name}")).0
}

#[test]
fn code_is_named_as_in_source_whatever_it_was_compiled_to() {
    let oddities = fixture("Oddities");
    for (mark, function, kind) in [
        ("top-level", "Program.Main", "async"),
        ("top-lambda", "Program.Main", "lambda"),
        ("top-local", "Program.Local", "local function"),
        ("async", "Tasks.SumAsync", "async"),
        ("async-void", "Tasks.Forget", "async"),
        ("async-lambda", "Tasks.FindAsync", "async lambda"),
        ("async-iterator", "Tasks.Ticks", "async iterator"),
        ("iterator", "Sequences.Evens", "iterator"),
        ("generic-iterator", "Sequences.Single", "iterator"),
        ("property-iterator", "Sequences.get_Names", "iterator"),
        ("lambda", "Closures.Lambda", "lambda"),
        ("nested-lambda", "Closures.LocalFunction", "lambda"),
        ("local-function", "Closures.Generic", "local function"),
        ("static-lambda", "Closures.Static", "lambda"),
        ("lambda-in-indexer", "Closures.get_Item", "lambda"),
        ("lambda-in-event", "Closures.add_Changed", "lambda"),
        ("lambda-in-constructor", "Closures..ctor", "lambda"),
        ("lambda-in-field", "Closures..ctor", "lambda"),
        ("extension-property", "Extensions.get_IsBlank", ""),
        ("extension-method", "Extensions.Times", ""),
        ("file-scope", "FileScope.Hidden", ""),
        ("file-scope-async", "FileScope.Later", "async"),
    ] {
        let described = oddities.describe_method(method_at(&oddities, mark)).unwrap();
        assert_eq!((described.function.as_str(), described.kind.as_str()), (function, kind), "{mark}");
    }
}

fn type_<'a>(oddities: &'a Assembly, name: &str) -> TypeView<'a> {
    let found = oddities.types().find(|type_| type_.source_name() == name);
    found.unwrap_or_else(|| panic!("{name} is not found"))
}

#[test]
fn types_are_declared_as_in_source() {
    let oddities = fixture("Oddities");
    for (name, kind, declaration) in [
        ("Oddities.Person", TypeKind::Record, "public record Person : IEquatable<Person>"),
        (
            "Oddities.Employee",
            TypeKind::Record,
            "public sealed record Employee : Person, IComparable<Employee>, IEquatable<Employee>",
        ),
        ("Oddities.Point", TypeKind::RecordStruct, "public readonly record struct Point : IEquatable<Point>"),
        ("Oddities.Window<T>", TypeKind::Struct, "public readonly ref struct Window<T>"),
        ("Oddities.Cursor", TypeKind::Struct, "public ref struct Cursor"),
        (
            "Oddities.IShape<TSelf>",
            TypeKind::Interface,
            "public interface IShape<TSelf> : IAdditionOperators<TSelf, TSelf, TSelf> where TSelf : IShape<TSelf>?",
        ),
        (
            "Oddities.IVariant<TIn, TOut>",
            TypeKind::Interface,
            "public interface IVariant<in TIn, out TOut> where TIn : class? where TOut : struct",
        ),
        (
            "Oddities.Signatures<TKey, TValue>",
            TypeKind::Class,
            "public abstract class Signatures<TKey, TValue> where TKey : notnull, IComparable<TKey?> where TValue : class, new()",
        ),
        (
            "Oddities.Signatures<TKey, TValue>.Nested<T>",
            TypeKind::Class,
            "public class Nested<T> : Signatures<TKey, TValue>.INested<T?>, IDisposable where T : allows ref struct",
        ),
        (
            "Oddities.Signatures<TKey, TValue>.Nested<T>.Made",
            TypeKind::Delegate,
            "private protected delegate ref T? Made(scoped in T value)",
        ),
        ("Oddities.Mode", TypeKind::Enum, "public enum Mode : byte"),
        ("Oddities.Extensions", TypeKind::Class, "public static class Extensions"),
        ("Oddities.FileScope", TypeKind::Class, "file class FileScope"),
        (
            "Oddities.Converter<TIn, TOut>",
            TypeKind::Delegate,
            "public delegate TOut? Converter<in TIn, out TOut>(TIn value, string? hint = null) where TIn : notnull",
        ),
    ] {
        let type_ = type_(&oddities, name);
        assert_eq!(type_.kind(), kind, "{name}");
        assert_eq!(type_.declaration(NameStyle::Short), declaration);
    }
}

/// The declarations of all members of a type.
fn members(type_: &TypeView<'_>, style: NameStyle) -> Vec<String> {
    let assembly = type_.assembly();
    let fields = type_.field_ids().filter_map(|field| type_.field_declaration(field, style));
    let properties =
        type_.property_ids().into_iter().filter_map(|property| type_.property_declaration(property, style));
    let events = type_.event_ids().into_iter().filter_map(|event| type_.event_declaration(event, style));
    let methods = type_.methods().filter_map(|method| assembly.method(method).declaration(style));
    fields.chain(properties).chain(events).chain(methods).collect()
}

#[test]
fn members_are_declared_as_in_source() {
    let oddities = fixture("Oddities");
    for (name, declarations) in [
        (
            "Oddities.Spelled",
            &[
                "public const Spelled.Color Favourite = Spelled.Color.Red",
                "public static Dictionary<(int a, int b, int c, int d, int e, int f, int g, int h, int i), (string x, int)?>? Long",
                "public static delegate*<ref dynamic, in object, dynamic> Pointer",
                "public static void Paint(Spelled.Color color = Spelled.Color.Dark, Spelled.Color? other = Spelled.Color.Red, \
                 Spelled.Color none = (Spelled.Color)7, Spelled.Color low = (Spelled.Color)(-7), DayOfWeek day = (DayOfWeek)5)",
                "public static (int id, string? name) Pair((int, (Spelled.Color hue, dynamic? tag)[] parts) given)",
                "public static dynamic Any(ref dynamic[] all, in dynamic one, Func<object, dynamic, List<dynamic?>> map)",
                "public static T? Maybe<T>(T? value, Point? point, (T first, T? second)? both) where T : struct",
            ][..],
        ),
        (
            "Oddities.Signatures<TKey, TValue>",
            &[
                "public const decimal Price = 12.50m",
                r#"public const string Text = "a\"b\n\u00e9""#,
                r"public const char Letter = '\''",
                "public const float Ratio = 1.5",
                "public const Mode Chosen = Mode.Fast",
                "public const string? Nothing = null",
                "protected internal static readonly Dictionary<TKey, List<TValue?>?>? Cache",
                "public volatile int Stop",
                "public string?[]?[,]? Jagged",
                "public string?[][]? Plain",
                "public (string? Name, List<int?> Ages, (TKey, object?) Pair) Tuple",
                "public required TValue Needed",
                "public abstract TValue? Find(in TKey key, ref int hits, out string? why, params ReadOnlySpan<int> more)",
                "protected virtual ref readonly TValue Pick(ref readonly int index)",
                "public ref TValue? Slot(int index = 3, string name = \"x\", Mode mode = Mode.Slow, Guid id = default, decimal d = 1.0m)",
                "protected internal abstract int* Raw(void* data, delegate*<string?, in int, ref readonly object?> managed, delegate* unmanaged[Cdecl, SuppressGCTransition]<int, out byte, void> native)",
                "public TResult? Convert<TResult, TOther>(Func<TKey, TResult?> how, TOther[] others) where TResult : unmanaged where TOther : struct, Enum",
                "public T Plain1<T>(T value) where T : class?",
                "public T? Plain2<T>(T? value)",
                "public string this[int row, TKey? key] { get; protected set; }",
                "public event EventHandler<TValue>? Changed",
                "~Signatures()",
                "static Signatures()",
            ][..],
        ),
        (
            "Oddities.Person",
            &[
                "public Person(string Name, int? Age = null)",
                "public string Name { get; init; }",
                "public required string Email { get; init; }",
                "public virtual string? Nickname { get; private protected set; }",
            ],
        ),
        (
            "Oddities.IShape<TSelf>",
            &[
                "public static abstract TSelf Zero { get; }",
                "public static virtual TSelf Scale(TSelf shape, int factor)",
                "public int Area()",
                "protected internal void Reset()",
            ],
        ),
        (
            "Oddities.Square",
            &[
                "public readonly int Area()",
                "public static Square operator +(Square left, Square right)",
                "public static implicit operator int(Square square)",
                "public static explicit operator checked byte(Square square)",
                "public static bool operator ==(Square left, in Square right)",
                "public void operator +=(int more)",
                "public override bool Equals(object? other)",
                "void Oddities.IShape<Oddities.Square>.Reset()",
            ],
        ),
        (
            "Oddities.Window<T>",
            &[
                "public readonly ref readonly T First",
                "public ref readonly T Peek()",
                "public Window(ref readonly T first, Span<T> rest)",
            ],
        ),
        (
            "Oddities.Cursor",
            &[
                "public ref int Position",
                "public ReadOnlySpan<char> Trim(scoped ReadOnlySpan<char> text, scoped ref int count)",
            ],
        ),
        (
            "Oddities.Extensions",
            &[
                "public static string Twice(this string text)",
                "public static T? FirstOrNull<T>(this IEnumerable<T> items) where T : class",
            ],
        ),
        (
            "Oddities.Generic",
            &[
                "public static int Varargs(int count, __arglist)",
                "private static extern int Native(string text, byte[] buffer)",
            ],
        ),
        (
            "Oddities.Tasks",
            &[
                "public ValueTask<string?> FindAsync<TKey>(TKey key, CancellationToken token = default) where TKey : notnull",
            ],
        ),
    ] {
        let found = members(&type_(&oddities, name), NameStyle::Short);
        for declaration in declarations {
            assert!(found.contains(&(*declaration).to_owned()), "{declaration} is not among {found:#?}");
        }
    }
}

#[test]
fn imports_are_those_of_the_file() {
    use clr_metadata::Import;
    let oddities = fixture("Oddities");
    let imports = oddities.pdb().unwrap().imports_of(method_at(&oddities, "lambda"));
    // The namespace, then the file, then what the project imports everywhere.
    let namespaces: Vec<Import> = imports.into_iter().flat_map(|scope| scope.imports).collect();
    let imports = |name: &str| namespaces.contains(&Import::Namespace(name.to_owned()));
    assert!(imports("System.Runtime.CompilerServices") && imports("System.Threading.Tasks"), "{namespaces:?}");
    assert!(!imports("System.Numerics"), "of another file: {namespaces:?}");
}

#[test]
fn generic_attributes_show_their_values() {
    use clr_metadata::AttributeValue::{Array, Int, String, Type};
    let oddities = fixture("Oddities");
    let type_ = type_(&oddities, "Oddities.Generic");
    let method = type_.methods().find(|&method| oddities.method(method).name() == "Attributed").unwrap();
    let sized: Vec<_> = oddities.metadata().attributes(method).collect();
    assert_eq!(sized[0].arguments(), Ok(vec![Int(5)]));
    // An enum of one byte: its width is looked up.
    assert_eq!(sized[1].arguments(), Ok(vec![Int(200)]));
    let named = sized[1].named_arguments().unwrap();
    assert_eq!(named[0], ("Others".to_owned(), Array(Some(vec![Int(0), Int(200)]))));
    let any = vec![Int(1), String(Some("a".to_owned())), Type(Some("Oddities.Point".to_owned())), String(None)];
    assert_eq!(named[1], ("Any".to_owned(), Array(Some(any))));
}

#[test]
fn locals_are_those_that_hold_where_the_code_stops() {
    let oddities = fixture("Oddities");
    for (mark, locals) in [
        ("async", &["sum", "value"][..]),
        ("iterator", &["even"]),
        ("top-level", &["add", "value"]),
        ("lambda", &[]),
        ("async-iterator", &["tick"]),
    ] {
        let method = method_at(&oddities, mark);
        let (file, line) = marker(mark);
        let document = oddities.pdb().unwrap().find_document(&format!("/src/fixtures/Oddities/{file}")).unwrap().id;
        let offset = oddities.line_to_methods(document, line).last().unwrap().1;
        assert_eq!(oddities.il_to_line(method, offset).unwrap().line, line, "{mark}");
        let found = oddities.locals_in_scope(method, offset).into_iter().filter(|local| !local.is_hidden);
        let names: Vec<String> = found.map(|local| local.name).filter(|name| !name.starts_with("CS$")).collect();
        assert_eq!(names, locals, "{mark}");
    }
}

/// `name kind root.field.field: type` of what holds at a marker, sorted.
fn variables(oddities: &Assembly, mark: &str) -> Vec<String> {
    let method = method_at(oddities, mark);
    let (file, line) = marker(mark);
    let document = oddities.pdb().unwrap().find_document(&format!("/src/fixtures/Oddities/{file}")).unwrap().id;
    let offset = oddities.line_to_methods(document, line).last().unwrap().1;
    let text = |variable: clr_metadata::Variable| {
        let mut path = match variable.place.root {
            VariableRoot::Argument(number) => format!("arg{number}"),
            VariableRoot::Slot(_) => "slot".to_owned(),
        };
        for field in variable.place.fields {
            path.push('.');
            path.push_str(oddities.metadata().string(field.row(), col::Field::Name).unwrap());
        }
        format!("{} {:?} {path}: {}", variable.name, variable.kind, variable.type_.short())
    };
    let mut texts: Vec<String> = oddities.variables_at(method, offset).into_iter().map(text).collect();
    texts.sort();
    texts
}

#[test]
fn captured_variables_are_found_through_closures_and_machines() {
    let oddities = fixture("Oddities");
    for (mark, expected) in [
        (
            "async",
            &[
                "sum Local arg0.<sum>5__1: int",
                "this This arg0.<>4__this: Tasks",
                "value Local arg0.<value>5__4: int",
                "values Parameter arg0.values: int[]",
            ][..],
        ),
        (
            "lambda",
            &[
                "captured Local arg0.captured: int",
                "inner Parameter arg1: int",
                "prefix Parameter arg0.<>4__this.<prefix>P: string",
                "this This arg0.<>4__this: Closures",
            ],
        ),
        ("local-function", &["value Parameter arg0: !!0"]),
        ("static-lambda", &[]),
    ] {
        assert_eq!(variables(&oddities, mark), expected, "{mark}");
    }
    // A state machine within a closure, whose field is the captured parameter.
    let key = variables(&oddities, "async-lambda").into_iter().find(|text| text.starts_with("key ")).unwrap();
    assert_eq!(key, "key Local arg0.<>4__this.key: !0");
    // The closure lies in the frame of the method itself, or in another closure.
    let nested = variables(&oddities, "nested-lambda");
    assert!(nested.iter().any(|text| text.starts_with("value Local ")), "{nested:?}");
    assert!(nested.iter().any(|text| text.starts_with("number Local ")), "{nested:?}");
    let top = variables(&oddities, "top-level");
    assert!(top.iter().any(|text| text == "total Local arg0.<>8__1.total: int"), "{top:?}");
}
