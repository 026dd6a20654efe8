//! Types and members of assemblies.

use super::{Render, Text, push_part};
use crate::answers::report::{
    LayoutReport, MemberEntry, MemberGroup, MembersReport, NamespaceTypes, SearchReport, TypeMethods, TypesReport,
};

impl Render for SearchReport {
    fn render(&self, text: &mut Text) {
        let mut head = format!("{} match{}", self.count, if self.count == 1 { "" } else { "es" });
        push_part(&mut head, " in ", self.looked_in.as_deref(), "");
        text.line(&head);
        root_line(text, self.root.as_deref());
        for assembly in &self.assemblies {
            text.line(&assembly.module);
            for namespace in &assembly.namespaces {
                namespace.render_lines(text);
            }
            for type_ in &assembly.methods_of {
                type_.render_lines(text);
            }
        }
        text.more(self.more_matches, "more");
        text.more(self.compiler_generated, "compiler-generated omitted");
        text.more(self.unreadable, "unreadable");
        if let Some(hint) = &self.hint {
            text.line(hint);
        }
    }
}

impl NamespaceTypes {
    fn render_lines(&self, text: &mut Text) {
        match &self.namespace {
            Some(namespace) => text.line(&format!("  namespace {namespace}")),
            None => text.line("  no namespace"),
        }
        for type_ in &self.types {
            text.line(&format!("    {type_}"));
        }
    }
}

impl TypeMethods {
    fn render_lines(&self, text: &mut Text) {
        text.line(&format!("  {}", self.type_name));
        for method in &self.methods {
            method.render_behind(text, "    ");
        }
    }
}

impl MemberEntry {
    fn render_behind(&self, text: &mut Text, before: &str) {
        let mut line = format!("{before}{}", self.signature);
        push_part(&mut line, "  ", self.at.as_deref(), "");
        text.line(&line);
    }
}

impl Render for TypesReport {
    fn render(&self, text: &mut Text) {
        text.line(&format!("{}: {} type{}", self.module, self.count, if self.count == 1 { "" } else { "s" }));
        for namespace in &self.namespaces {
            namespace.render_lines(text);
        }
        text.more(self.compiler_generated, "compiler-generated omitted");
        text.more(self.more_types, "more");
        if let Some(token) = &self.continuation_token {
            text.line(&format!("  continuation_token {token}"));
        }
    }
}

impl Render for MembersReport {
    fn render(&self, text: &mut Text) {
        text.line(&self.declaration);
        root_line(text, self.root.as_deref());
        for group in &self.groups {
            group.render_lines(text);
        }
        text.more(self.compiler_generated, "compiler-generated omitted");
        text.more(self.more_members, "more");
        for base in &self.unknown_bases {
            text.line(&format!("  unknown base {base}"));
        }
    }
}

impl MemberGroup {
    fn render_lines(&self, text: &mut Text) {
        text.line(&format!("{} in {}", self.type_name, self.module));
        let placed = |text: &mut Text, members: &[MemberEntry]| {
            for member in members {
                member.render_behind(text, "  ");
            }
        };
        let plain = |text: &mut Text, members: &[String]| {
            for member in members {
                text.line(&format!("  {member}"));
            }
        };
        placed(text, &self.constructors);
        plain(text, &self.fields);
        placed(text, &self.properties);
        placed(text, &self.methods);
        placed(text, &self.event_members);
        plain(text, &self.nested_types);
    }
}

fn root_line(text: &mut Text, root: Option<&str>) {
    if let Some(root) = root {
        text.line(&format!("root {root}"));
    }
}

impl Render for LayoutReport {
    fn render(&self, text: &mut Text) {
        let bytes = if self.size == 1 { "byte" } else { "bytes" };
        let mut line =
            format!("{} {} in {}: {} {bytes}, {}", self.kind, self.type_name, self.module, self.size, self.placement);
        push_part(&mut line, ", alignment ", self.alignment, "");
        push_part(&mut line, ", padding ", self.padding, "");
        text.line(&line);
        for slot in &self.slots {
            let mut line = format!("  {:>4} {:>4}  ", slot.offset, slot.size);
            push_part(&mut line, "", slot.type_name.as_deref(), " ");
            line.push_str(slot.name.as_deref().unwrap_or("(unused)"));
            push_part(&mut line, " of ", slot.declared_by.as_deref(), "");
            push_part(&mut line, ", inline array of ", slot.element_count, "");
            text.line(&line);
        }
        text.more(self.more_fields, "more");
        for reason in &self.estimated {
            text.line(&format!("  estimated: {reason}"));
        }
    }
}
