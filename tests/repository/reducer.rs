//! I3, read off the syntax: a session's state changes in one function, which is pure and is given the time.

use syn::visit::{self, Visit};
use syn::{Expr, FnArg, ImplItem, Item, ReceiverKind, Type, Visibility};

use crate::syntax::{Parsed, last_name, parsed_below};

/// The name that a type ends in, behind references.
fn type_name(type_: &Type) -> String {
    match type_ {
        Type::Path(path) => path.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default(),
        Type::Reference(inner) => type_name(&inner.elem),
        _ => String::new(),
    }
}

fn is_mutable_reference(type_: &Type) -> bool {
    matches!(type_, Type::Reference(it) if it.mutability.is_some())
}

fn machine() -> Parsed {
    parsed_below("session/state").remove(0)
}

fn methods_of_machine(file: &syn::File) -> Vec<&syn::ImplItemFn> {
    let blocks = file.items.iter().filter_map(|item| match item {
        Item::Impl(block) if type_name(&block.self_ty) == "Machine" => Some(block),
        _ => None,
    });
    let items = blocks.flat_map(|block| &block.items);
    items.filter_map(|item| if let ImplItem::Fn(method) = item { Some(method) } else { None }).collect()
}

#[test]
fn only_the_reducer_changes_a_state() {
    let Parsed { file, .. } = machine();
    let machine = file.items.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == "Machine" => Some(item),
        _ => None,
    });
    let fields = &machine.expect("no struct Machine").fields;
    assert!(fields.iter().any(|field| type_name(&field.ty) == "State"));
    assert!(fields.iter().all(|field| matches!(field.vis, Visibility::Inherited)), "a field that others can write");

    let methods = methods_of_machine(&file);
    let changes = |method: &&&syn::ImplItemFn| {
        let takes = method.sig.inputs.iter().any(|input| match input {
            FnArg::Receiver(this) => matches!(&this.kind, ReceiverKind::Reference(_, _, Some(_))),
            FnArg::Typed(_) => false,
        });
        let gives = matches!(&method.sig.output, syn::ReturnType::Type(_, type_) if is_mutable_reference(type_));
        takes || gives
    };
    let changing: Vec<String> = methods.iter().filter(changes).map(|method| method.sig.ident.to_string()).collect();
    assert_eq!(changing, ["apply"]);
    for item in &file.items {
        if let Item::Fn(function) = item {
            let takes = function.sig.inputs.iter().any(|input| match input {
                FnArg::Typed(input) => is_mutable_reference(&input.ty) && type_name(&input.ty) == "Machine",
                FnArg::Receiver(_) => false,
            });
            assert!(!takes, "{} takes a Machine to change it", function.sig.ident);
        }
    }
}

#[test]
fn the_time_is_an_input_of_the_reducer() {
    let Parsed { file, .. } = machine();
    let apply = methods_of_machine(&file).into_iter().find(|method| method.sig.ident == "apply").unwrap();
    let types = apply.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(type_name(&input.ty)),
        FnArg::Receiver(_) => None,
    });
    assert_eq!(types.collect::<Vec<_>>(), ["Input", "Instant"]);

    struct Impure(Vec<String>);
    impl<'a> Visit<'a> for Impure {
        fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
            let name = last_name(&call.func).unwrap_or_default();
            if name == "now" {
                self.0.push(name);
            }
            visit::visit_expr_call(self, call);
        }
        fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
            if call.method == "elapsed" || call.method == "now" {
                self.0.push(call.method.to_string());
            }
            visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_await(&mut self, _: &'a syn::ExprAwait) {
            self.0.push("await".to_owned());
        }
    }
    let mut impure = Impure(Vec::new());
    impure.visit_file(&file);
    assert_eq!(impure.0, [""; 0], "the reducer reads a clock or waits");
}

/// What the session does with a machine that could change it, as `module: what`.
#[derive(Default)]
struct Uses {
    module: String,
    found: Vec<String>,
}

impl Uses {
    fn add(&mut self, what: &str) {
        self.found.push(format!("{}: {what}", self.module));
    }
}

impl<'a> Visit<'a> for Uses {
    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        // the compiler lets no other method change it
        if last_name(&call.receiver).as_deref() == Some("machine") && call.method == "apply" {
            self.add("apply");
        }
        visit::visit_expr_method_call(self, call);
    }
    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let Expr::Path(path) = &*call.func {
            let names: Vec<String> = path.path.segments.iter().map(|it| it.ident.to_string()).collect();
            if names.ends_with(&["Machine".to_owned(), "new".to_owned()]) {
                self.add("new");
            }
        }
        visit::visit_expr_call(self, call);
    }
    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        if last_name(&assign.left).as_deref() == Some("machine") {
            self.add("assigned");
        }
        visit::visit_expr_assign(self, assign);
    }
    fn visit_expr_reference(&mut self, reference: &'a syn::ExprReference) {
        if reference.mutability.is_some() && last_name(&reference.expr).as_deref() == Some("machine") {
            self.add("lent");
        }
        visit::visit_expr_reference(self, reference);
    }
    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        if item.fields.iter().any(|field| type_name(&field.ty) == "Machine") {
            self.add(&item.ident.to_string());
        }
    }
}

#[test]
fn only_the_actor_runs_the_reducer_and_in_one_place() {
    let mut uses = Uses::default();
    for Parsed { module, file } in parsed_below("session") {
        uses.module = module;
        uses.visit_file(&file);
    }
    uses.found.sort();
    assert_eq!(uses.found, ["session/actor: Actor", "session/actor: apply", "session/actor: new"]);
}

#[test]
fn the_check_sees_every_way_to_change_a_machine() {
    let text = "struct Other { machine: Machine }
        fn f(it: &mut Actor) { it.machine.apply(input, now); it.machine = Machine::new(phase); take(&mut it.machine); }";
    let mut uses = Uses { module: "m".to_owned(), found: Vec::new() };
    uses.visit_file(&syn::parse_file(text).unwrap());
    uses.found.sort();
    assert_eq!(uses.found, ["m: Other", "m: apply", "m: assigned", "m: lent", "m: new"]);
}
