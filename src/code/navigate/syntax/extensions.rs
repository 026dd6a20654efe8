//! Members of `extension` blocks, which the grammar does not know: it takes the block for a constructor, and its methods for local functions.

use super::declarations::{Declaration, DeclarationKind};
use super::{NodeId, Syntax};

impl Syntax {
    /// The methods of the blocks among the declarations, with the parameters of the static methods that the compiler makes of them: the
    /// receiver comes first.
    pub(in crate::code::navigate) fn extension_members(&self, declarations: &[Declaration]) -> Vec<Declaration> {
        let is_block = |it: &&Declaration| it.kind == DeclarationKind::Constructor && self.text(it.name) == "extension";
        let methods = |block: &Declaration| {
            let body = self.children(block.node).find(|&child| self.kind(child) == "block");
            let is_of = |member: &NodeId| {
                // what a directive is around is its member too, what a method has of its own is not
                let around = self.ancestors(*member).find(|&it| self.kind(it) == "block");
                self.kind(*member) == "local_function_statement" && around == body
            };
            let members = body.into_iter().flat_map(|body| self.within(body)).filter(is_of);
            members.filter_map(|member| self.extension_method(block, member)).collect::<Vec<_>>()
        };
        declarations.iter().filter(is_block).flat_map(methods).collect()
    }

    fn extension_method(&self, block: &Declaration, member: NodeId) -> Option<Declaration> {
        let is_static =
            self.children(member).any(|child| self.kind(child) == "modifier" && self.text(child) == "static");
        let receiver = if is_static { &[][..] } else { block.parameters.as_slice() };
        Some(Declaration {
            kind: DeclarationKind::Method,
            name: self.child(member, "name")?,
            node: member,
            owner: block.owner.clone(),
            arity: self.arity(member),
            parameters: receiver.iter().cloned().chain(self.parameter_types(member)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_a_block_are_those_of_the_class_with_the_receiver_first() {
        let code = "namespace A; static class C { extension(Stream source)\n{\n#if NET\npublic bool Read(byte[] a)\n{ int Own() => 1; return true; }\n#endif\n            public static int Of<T>(int b) => b; } static void M() { void Local() { } } }";
        let syntax = Syntax::parse(code.to_owned()).unwrap();
        let found = syntax.extension_members(&syntax.declarations());
        let shown = |it: &Declaration| {
            format!(
                "{}.{}`{}({}) {}",
                it.owner,
                syntax.text(it.name),
                it.arity,
                it.parameters.join(","),
                syntax.position(syntax.range(it.name).start).0
            )
        };
        assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), ["A.C.Read`0(Stream,byte[]) 4", "A.C.Of`1(int) 7"]);
    }
}
