//! What it takes to parse and to bind an expression, without a program: `scripts/bench eval` runs it.
//!
//!     cargo run --release -p clr-csharp --example bind -- Bench.dll FRAMEWORK
//!
//! `Bench.dll` is that of `scripts/programs`, FRAMEWORK the folder of the framework's assemblies. A line an expression: the text, and in
//! microseconds the medians of parsing it, of binding it where its types were looked up before, and of binding it where nothing was.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clr_csharp::run::type_of;
use clr_csharp::syntax::{self, Expr};
use clr_csharp::types::{Type, TypeSystem};
use clr_csharp::world::{Imports, Scope, Variable};
use clr_metadata::{Assembly, MetadataError, Primitive};

const EXPRESSIONS: [&str; 8] = [
    "i",
    "order.Customer",
    "i * 3 + 7 > 20 ? \"yes\" : \"no\"",
    "order.Customer == \"Ada\" && numbers[1] > 1",
    "$\"{Math.Max(i, 2.5)} of {order.Customer.Length}\"",
    "ages[\"ada\"] + names.Count",
    "numbers.Where(x => x > 1).Sum()",
    "names.GroupBy(x => x.Length).OrderBy(x => x.Key).Select(x => new { x.Key, Count = x.Count() }).First()",
];
const LOADED: [&str; 4] = ["System.Private.CoreLib", "System.Runtime", "System.Linq", "System.Collections"];
const ROUNDS: usize = 2_000;
/// Reads metadata each time.
const COLD_ROUNDS: usize = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let (Some(program), Some(framework)) = (arguments.next(), arguments.next()) else {
        return Err("usage: bind Bench.dll FRAMEWORK".into());
    };
    let loaded = open(&program, &framework)?;
    let (warm, scope) = (types(&loaded, &framework), scope(&loaded));
    let mut out = std::io::stdout();
    for text in EXPRESSIONS {
        let expr = syntax::parse(text)?;
        type_of(&warm, &scope, &expr)?;
        let parsed = median(ROUNDS, || (), |()| syntax::parse(text).is_ok());
        let bound = median(ROUNDS, || (), |()| binds(&warm, &scope, &expr));
        let cold = median(COLD_ROUNDS, || types(&loaded, &framework), |types| binds(types, &scope, &expr));
        writeln!(out, "{text}\t{:.2}\t{:.2}\t{:.0}", micros(parsed), micros(bound), micros(cold))?;
    }
    Ok(())
}

fn open(program: &Path, framework: &Path) -> Result<Vec<Arc<Assembly>>, MetadataError> {
    let files = LOADED.iter().map(|name| framework.join(format!("{name}.dll")));
    std::iter::once(program.to_owned()).chain(files).map(Assembly::open).collect()
}

fn types(loaded: &[Arc<Assembly>], framework: &Path) -> TypeSystem {
    TypeSystem::new(loaded.to_vec(), Some(framework.to_owned()))
}

/// As in the method `Values` of the program.
fn scope(loaded: &[Arc<Assembly>]) -> Scope {
    let list = |name: &str, of: Vec<Type>| Type::named(&format!("System.Collections.Generic.{name}"), of);
    let variables = [
        ("i", Type::Primitive(Primitive::I4)),
        ("order", Type::named("Bench.Order", Vec::new())),
        ("numbers", Type::array(Type::INT)),
        ("names", list("List`1", vec![Type::STRING])),
        ("ages", list("Dictionary`2", vec![Type::STRING, Type::INT])),
    ];
    let namespaces = ["System", "System.Linq", "System.Collections.Generic"].map(str::to_owned).to_vec();
    Scope {
        variables: variables.map(|(name, type_)| Variable { name: name.into(), type_: Some(type_) }).to_vec(),
        enclosing: vec![Type::named("Bench.Program", Vec::new())],
        imports: vec![Imports { namespaces, ..Imports::default() }],
        assembly: loaded.first().cloned(),
        ..Scope::default()
    }
}

fn binds(types: &TypeSystem, scope: &Scope, expr: &Expr) -> bool {
    type_of(types, scope, expr).is_ok()
}

/// Of what one of them takes; what is made for each is not measured.
fn median<T>(rounds: usize, make: impl Fn() -> T, run: impl Fn(&T) -> bool) -> Duration {
    let mut taken: Vec<Duration> = (0..rounds)
        .map(|_| {
            let made = make();
            let begun = Instant::now();
            assert!(std::hint::black_box(run(std::hint::black_box(&made))));
            begun.elapsed()
        })
        .collect();
    taken.sort_unstable();
    taken.get(rounds / 2).copied().unwrap_or_default()
}

fn micros(taken: Duration) -> f64 {
    taken.as_secs_f64() * 1e6
}
