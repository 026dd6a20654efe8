//! Function breakpoints: our metadata knows the methods, adapters are sent lines, and a hit counts where it is in the method.

use clrbridge::dap::request::{Continue, SetBreakpoints, SetFunctionBreakpoints};
use clrbridge::session::{Breakpoint, BreakpointId, BreakpointSpec, Code, Place, StopReason, Verdict, Why};
use serde_json::{Value, json};

use crate::explanations::explain;
use crate::scripted::{Frame, settle};
use crate::talk::*;

/// Built from `tests/fixtures/Functions`, whose sources it calls `/src/fixtures/Functions/…`.
const MODULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/functions/Functions.dll");
const LIBRARY: &str = "/src/fixtures/Functions/Library.cs";

fn line(marker: &str) -> i64 {
    let text = include_str!("../fixtures/Functions/Library.cs");
    let tag = format!("BP:{marker}");
    text.lines().position(|line| line.ends_with(&tag)).unwrap() as i64 + 1
}

fn function(name: &str) -> BreakpointSpec {
    BreakpointSpec { place: Place::Function(name.into()), ..at(1) }
}

/// The adapter says that a module is loaded.
async fn load(talk: &Talk, path: &str, symbols: &str) {
    let name = path.rsplit('/').next().unwrap();
    let module = json!({"id": path, "name": name, "path": path, "symbolStatus": symbols});
    talk.adapter.emit("module", json!({"reason": "new", "module": module}));
    settle().await;
}

async fn listed(talk: &Talk) -> Vec<Breakpoint> {
    soon(talk.registry.list_breakpoints(None, None)).await.unwrap().breakpoints
}

/// Lines that the adapter was sent last for the library, and the names.
fn sent(talk: &Talk) -> (Vec<i64>, Vec<String>) {
    let in_library = |asked: &Value| asked["source"]["path"] == LIBRARY;
    let lines = talk.adapter.asked::<SetBreakpoints>().into_iter().rfind(in_library);
    let names = talk.adapter.asked::<SetFunctionBreakpoints>().pop();
    let list =
        |asked: Option<Value>| asked.and_then(|asked| asked["breakpoints"].as_array().cloned()).unwrap_or_default();
    (
        list(lines).iter().map(|one| one["line"].as_i64().unwrap()).collect(),
        list(names).iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect(),
    )
}

/// The main thread stops for a breakpoint.
fn stop_in(talk: &Talk, method: &str, marker: &str, column: i64) {
    let frame = Frame { column, ..Frame::at(method, LIBRARY, line(marker)) };
    talk.adapter.world(|world| {
        world.stacks.insert(MAIN, vec![frame]);
    });
    talk.adapter.stopped("breakpoint", MAIN);
}

#[tokio::test(start_paused = true)]
async fn a_name_waits_for_its_module_and_becomes_the_lines_of_its_methods() {
    let talk = Talk::running().await;
    talk.adapter.world(|world| world.binds = false);
    let set = talk.set(function("Cache.GetOrAdd")).await;
    assert!(!set.verified && set.pending, "{set:?}");
    assert_eq!(sent(&talk), (vec![], vec!["Cache.GetOrAdd".to_owned()]));
    talk.adapter.world(|world| world.binds = true);
    load(&talk, MODULE, "Symbols loaded.").await;
    assert_eq!(sent(&talk), (vec![line("get-or-add")], vec![]));
    let bound = &listed(&talk).await[0];
    assert!(bound.verified && bound.why.is_none(), "{bound:?}");
    assert_eq!((bound.function.as_deref(), bound.line), (Some("Cache.GetOrAdd"), Some(line("get-or-add") as u32)));
    assert_eq!(explain(&talk.registry, set.id).await.verdict, Some(Verdict::NotReached));

    let mut wait = talk.wait();
    stop_in(&talk, "Functions.Cache<string, int>.GetOrAdd()", "get-or-add", 9);
    let stop = stop(soon(&mut wait).await);
    assert_eq!(
        (stop.reason, stop.breakpoint_ids.as_slice()),
        (StopReason::FunctionBreakpoint, &[BreakpointId(set.id)][..])
    );
}

#[tokio::test(start_paused = true)]
async fn overloads_are_one_breakpoint_whose_hits_are_counted_together() {
    let talk = Talk::running().await;
    load(&talk, MODULE, "Symbols loaded.").await;
    let spec = BreakpointSpec { hit_condition: Some("==3".into()), ..function("Functions.Order.Add") };
    let set = talk.set(spec).await;
    assert_eq!((set.methods, set.places.len()), (3, 3));
    assert_eq!(sent(&talk).0, ["add-int", "add-int-string", "add-many"].map(line));
    let mut wait = talk.wait();
    for marker in ["add-int", "add-many"] {
        stop_in(&talk, "Functions.Order.Add()", marker, 9);
        talk.adapter.expect::<Continue>().await.ok();
        settle().await;
    }
    stop_in(&talk, "Functions.Order.Add()", "add-int-string", 9);
    assert_eq!(stop(soon(&mut wait).await).hit_counts, [3]);
}

#[tokio::test(start_paused = true)]
async fn a_stop_in_other_code_of_the_line_is_passed_over_in_silence() {
    let talk = Talk::running().await;
    load(&talk, MODULE, "Symbols loaded.").await;
    let set = talk.set(function("Pair.First")).await;
    assert_eq!(sent(&talk), (vec![line("pair")], vec![]));
    // the second method of the line has to be asked for by its name: the line alone binds the first
    talk.set(function("Pair.Second")).await;
    assert_eq!(sent(&talk), (vec![line("pair")], vec!["Functions.Pair.Second".to_owned()]));
    let mut wait = talk.wait();
    stop_in(&talk, "Functions.Pair.<>c.<Second>b__1_0()", "pair", 85);
    talk.adapter.expect::<Continue>().await.ok();
    settle().await;
    assert!(listed(&talk).await.iter().all(|breakpoint| breakpoint.hits == 0));
    stop_in(&talk, "Functions.Pair.First()", "pair", 38);
    assert_eq!(stop(soon(&mut wait).await).breakpoint_ids, [BreakpointId(set.id)]);
}

#[tokio::test(start_paused = true)]
async fn a_line_that_the_adapter_moves_is_not_bound() {
    let talk = Talk::running().await;
    load(&talk, MODULE, "Symbols loaded.").await;
    talk.adapter.world(|world| {
        world.moved.insert(line("inner-run"), line("inner-run") + 1);
    });
    assert!(!talk.set(function("Outer.Inner.Run")).await.verified);
}

#[tokio::test(start_paused = true)]
async fn list_and_explanation_agree_on_a_name_that_no_method_has() {
    let talk = Talk::running().await;
    load(&talk, MODULE, "Symbols loaded.").await;
    talk.adapter.world(|world| world.binds = false);
    for (name, similar) in [("Order.Ad", "Order.Add"), ("GetOrAd", "Cache.GetOrAdd"), ("order.add", "Order.Add")] {
        let set = talk.set(function(name)).await;
        assert_eq!((set.why, set.pending), (Some(Why::NoCode), true), "{name}");
        let message = set.message.unwrap();
        assert!(message.starts_with(&format!("no method {name} in the program's assembly")), "{message}");
        assert!(message.contains(similar), "{message}");
        let explanation = explain(&talk.registry, set.id).await;
        assert_eq!((explanation.verdict, explanation.message), (Some(Verdict::NoCode), message));
        assert_eq!(explanation.hint, format!("breakpoint_set {{\"function\":\"{similar}\"}}"));
    }
    // there is a method, and so nobody says that there is none
    let set = talk.set(function("Order.Name")).await;
    assert!(set.message.is_none_or(|message| !message.contains("no method")));
}

/// netcoredbg takes any parameters for those of the methods that there are.
#[tokio::test(start_paused = true)]
async fn an_overload_that_does_not_exist_is_not_left_to_the_adapter() {
    let talk = Talk::running().await;
    assert!(talk.set(function("Order.Add(bool)")).await.verified);
    load(&talk, MODULE, "Symbols loaded.").await;
    let set = &listed(&talk).await[0];
    assert_eq!((set.verified, set.pending, set.why), (false, true, Some(Why::NoCode)), "{set:?}");
    assert_eq!(sent(&talk), (vec![], vec![]));
    let explanation = explain(&talk.registry, set.id).await;
    let message =
        "no overload Order.Add(bool); overloads: Order.Add(int), Order.Add(int, string), Order.Add(IEnumerable<int>)";
    assert_eq!((explanation.verdict, explanation.message.as_str()), (Some(Verdict::NoCode), message));
    assert_eq!(explanation.hint, "breakpoint_set {\"function\":\"Order.Add(int)\"}");
    assert!(talk.set(function("Order.Add(int)")).await.verified);
}

#[tokio::test(start_paused = true)]
async fn type_arguments_are_said_to_be_ignored_unless_they_are_the_methods_own_parameters() {
    let talk = Talk::running().await;
    load(&talk, MODULE, "Symbols loaded.").await;
    let ignored = Some("type arguments are ignored: the breakpoint is hit in every instantiation");
    for (name, expected) in [
        ("Cache<string, int>.GetOrAdd", ignored),
        ("Cache<TKey, Nothing>.GetOrAdd", ignored),
        ("Cache.Convert<bool>", ignored),
        ("Cache<TKey, TValue>.GetOrAdd", None),
        ("Cache<,>.Convert<TOther>", None),
        ("Functions.Cache`2.GetOrAdd", None),
    ] {
        let set = talk.set(function(name)).await;
        assert!(set.verified, "{set:?}");
        assert_eq!(set.message.as_deref(), expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_method_without_symbols_is_reported_as_that_in_list_and_explanation() {
    let folder = tempfile::tempdir().unwrap();
    let bare = folder.path().join("Functions.dll");
    std::fs::copy(MODULE, &bare).unwrap();
    let talk = Talk::running().await;
    talk.adapter.world(|world| world.binds = false);
    let set = talk.set(function("Cache.GetOrAdd")).await;
    assert!(set.pending, "{set:?}");
    load(&talk, bare.to_str().unwrap(), "Symbols not found.").await;
    let known = &listed(&talk).await[0];
    assert_eq!((known.why, known.pending), (Some(Why::NoSymbols), false));
    assert_eq!(explain(&talk.registry, set.id).await.verdict, Some(Verdict::NoSymbols));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_name_is_refused_at_once() {
    let talk = Talk::running().await;
    let refused = soon(talk.registry.set_breakpoint(None, function("Order.Add("))).await;
    assert_eq!(code(refused), Code::InvalidArgument);
    assert!(listed(&talk).await.is_empty());
}
