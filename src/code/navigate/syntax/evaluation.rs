//! In which order the code of expressions stands in IL: operands before what is done with them, from left to right (C# standard, 12.4.1),
//! but of `a ? b : c` the compiler writes `c` before `b`.

use std::ops::Range;

use super::{Form, NodeId, Role, Syntax};

/// What the code of a name does, at one point of that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::code::navigate) enum Step {
    Read,
    Write,
    Call,
    New,
}

impl Syntax {
    /// What the code of these names does, in the order in which it stands in IL. Only those within the bytes, and in no lambda there.
    pub(in crate::code::navigate) fn steps(
        &self,
        names: &[(NodeId, Role)],
        span: &Range<usize>,
    ) -> Vec<(Step, NodeId)> {
        let mut due: Vec<(NodeId, Step, NodeId)> = Vec::new();
        for &(name, role) in names {
            due.extend(self.steps_of(name, role).into_iter().map(|(at, step)| (at, step, name)));
        }
        due.sort_unstable();
        let mut found = Vec::new();
        self.each_in_order(span, |node| {
            let first = due.partition_point(|(at, ..)| *at < node);
            let here = due.iter().skip(first).take_while(|(at, ..)| *at == node);
            found.extend(here.map(|(_, step, name)| (*step, *name)));
        });
        found
    }

    /// The elements of collection initializers within the bytes: each is a call of `Add`.
    pub(in crate::code::navigate) fn added(&self, span: &Range<usize>) -> impl Iterator<Item = NodeId> {
        let is_list = |&id: &NodeId| {
            let owner = self.parent(id).map(|it| self.kind(it));
            self.kind(id) == "initializer_expression"
                && matches!(
                    owner,
                    Some(
                        "object_creation_expression" | "implicit_object_creation_expression" | "assignment_expression"
                    )
                )
        };
        let within = self.within(self.innermost(span)).filter(is_list).flat_map(|list| self.children(list));
        let is_element = |&id: &NodeId| {
            let range = self.range(id);
            let is_inside = range.start >= span.start && range.end <= span.end;
            is_inside && !matches!(self.kind(id), "assignment_expression" | "comment")
        };
        within.filter(is_element)
    }

    /// Each with the node whose code does it.
    fn steps_of(&self, name: NodeId, role: Role) -> Vec<(NodeId, Step)> {
        let whole = self.whole(name);
        let around = self.parent(whole).unwrap_or(whole);
        match role {
            Role::Write(Form::Simple | Form::Initializer) => {
                let is_assignment =
                    |id: &NodeId| matches!(self.kind(*id), "assignment_expression" | "with_initializer");
                let assignment = std::iter::once(whole).chain(self.ancestors(whole)).find(is_assignment);
                vec![(assignment.unwrap_or(around), Step::Write)]
            }
            Role::Write(Form::Compound | Form::Increment) => vec![(name, Step::Read), (around, Step::Write)],
            Role::Call if self.kind(around) == "invocation_expression" => vec![(around, Step::Call)],
            Role::Call => vec![(name, Step::Call)],
            Role::New => vec![(self.made_at(name), Step::New)],
            _ => vec![(name, Step::Read)],
        }
    }

    /// An object is made behind its arguments, and filled then.
    fn made_at(&self, creation: NodeId) -> NodeId {
        let arguments = self.children(creation).find(|&child| self.kind(child) == "argument_list");
        arguments.or_else(|| self.child(creation, "type")).unwrap_or(creation)
    }

    /// Calls `visit` with every node within the bytes that is in no lambda there.
    pub(in crate::code::navigate) fn each_in_order(&self, span: &Range<usize>, mut visit: impl FnMut(NodeId)) {
        let is_inside = |id: NodeId| {
            let range = self.range(id);
            range.start >= span.start && range.end <= span.end
        };
        // What is open, and whether what it holds was visited.
        let mut open: Vec<(NodeId, bool)> = vec![(self.innermost(span), false)];
        while let Some((id, is_done)) = open.pop() {
            if is_done {
                visit(id);
                continue;
            }
            let range = self.range(id);
            if range.end <= span.start || range.start >= span.end {
                continue;
            }
            if is_inside(id) {
                open.push((id, true));
                let is_lambda = matches!(self.kind(id), "lambda_expression" | "anonymous_method_expression");
                if is_lambda && range != *span {
                    continue;
                }
            }
            let first = open.len();
            open.extend(self.children(id).map(|child| (child, false)));
            let children = open.get_mut(first..).unwrap_or_default();
            children.reverse();
            if self.kind(id) == "conditional_expression" {
                let place = |field| children.iter().position(|(child, _)| self.field(*child) == Some(field));
                if let (Some(a), Some(b)) = (place("consequence"), place("alternative")) {
                    children.swap(a, b);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stands_in_the_order_in_which_it_runs() {
        for (code, steps) in [
            ("a.x = b.x;", "b.x r, a.x w"),
            ("a.x += b.x;", "a.x r, b.x r, a.x w"),
            ("a.x = b.x = c.x;", "c.x r, b.x w, a.x w"),
            ("a.x(b.x(), c.x);", "b.x c, c.x r, a.x c"),
            ("a.x++;", "a.x r, a.x w"),
            ("y = a.x ? b.x : c.x;", "a.x r, c.x r, b.x r"),
            ("(a.x, b.x) = (c.x, d.x);", "c.x r, d.x r, a.x w, b.x w"),
            ("y = new A { x = b.x };", "b.x r, x w"),
            ("y(() => a.x, b.x);", "b.x r"),
            ("y = a.x[b.x] && c.x;", "a.x r, b.x r, c.x r"),
        ] {
            let syntax = Syntax::parse(format!("class A {{ void M() {{ {code} }} }}")).unwrap();
            let names: Vec<(NodeId, Role)> = syntax.occurrences("x").iter().map(|it| (it.node, it.role)).collect();
            let block = syntax.all().find(|&id| syntax.kind(id) == "block").unwrap();
            let statement = syntax.range(syntax.children(block).next().unwrap());
            let steps_found = syntax.steps(&names, &statement).into_iter().map(|(step, name)| {
                let whole = syntax.text(syntax.whole(name)).trim_end_matches("()");
                let step = match step {
                    Step::Read => "r",
                    Step::Write => "w",
                    Step::Call => "c",
                    Step::New => "n",
                };
                format!("{whole} {step}")
            });
            assert_eq!(steps_found.collect::<Vec<_>>().join(", "), steps, "{code}");
        }
    }
}
