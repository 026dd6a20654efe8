//! Which method of another assembly a call instruction names.

use crate::assembly::Assembly;
use crate::schema::{Table, col};
use crate::tokens::{MethodId, Token, TypeId};
use crate::usages::MemberName;

/// A method of another assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callee {
    /// Simple name of the assembly that the reference names, which may only forward the type.
    pub assembly: String,
    /// As in metadata: ``System.Collections.Generic.List`1``.
    pub type_name: String,
    pub method: String,
}

impl Callee {
    /// `List.Add`; a constructor is `new List`, a property's accessor has the property's name.
    pub fn short_name(&self) -> String {
        let last = self.type_name.rsplit(['.', '+']).next().unwrap_or_default();
        let type_name = last.split('`').next().unwrap_or_default();
        match self.method.as_str() {
            ".ctor" => format!("new {type_name}"),
            method => {
                let property = method.strip_prefix("get_").or_else(|| method.strip_prefix("set_"));
                format!("{type_name}.{}", property.unwrap_or(method))
            }
        }
    }

    /// Called by code that the compiler made up, such as that of `await`, of `typeof`, and of what is done with `dynamic` values.
    pub fn is_plumbing(&self) -> bool {
        const OF_COMPILER: [&str; 2] = ["System.Runtime.CompilerServices.", "Microsoft.CSharp.RuntimeBinder."];
        OF_COMPILER.iter().any(|namespace| self.type_name.starts_with(namespace))
            || self.method == "GetAwaiter"
            || (self.type_name.as_str(), self.method.as_str()) == ("System.Type", "GetTypeFromHandle")
    }
}

impl Assembly {
    /// The method that the token of a call names, without the generic arguments that it may have.
    pub fn called_method(&self, token: Token) -> Option<Token> {
        match token.row_of(Table::MethodSpec) {
            Some(row) => self.metadata().token(row, col::MethodSpec::Method).ok(),
            None => Some(token),
        }
    }

    /// The method of another assembly that the token of a call names; `None` for its own.
    pub fn callee(&self, token: Token) -> Option<Callee> {
        let metadata = self.metadata();
        let token = self.called_method(token)?;
        let row = token.row_of(Table::MemberRef)?;
        let MemberName::Method(method, _) = self.member_reference(row)? else { return None };
        let type_ = self.definition_of(metadata.token(row, col::MemberRef::Class).ok()?)?;
        let type_name = metadata.named_type(type_).ok()?;
        Some(Callee { assembly: self.scope_of(type_)?, type_name, method })
    }

    /// The method of this assembly that the token of a call names: code of a generic type refers to it as to one of another assembly.
    pub fn own_method(&self, token: Token) -> Option<MethodId> {
        let token = self.called_method(token)?;
        let Some(row) = token.row_of(Table::MemberRef) else { return MethodId::from_token(token) };
        let MemberName::Method(name, signature) = self.member_reference(row)? else { return None };
        let type_ = self.definition_of(self.metadata().token(row, col::MemberRef::Class).ok()?)?;
        let methods = self.type_(TypeId::from_token(type_)?).methods();
        let mut named = methods.filter(|&method| self.method(method).name() == name);
        named.find(|&method| self.method(method).signature().as_ref() == Some(&signature))
    }

    /// The name of the method that the token of a call names, of this assembly or another.
    pub fn called_name(&self, token: Token) -> Option<&str> {
        let metadata = self.metadata();
        let token = self.called_method(token)?;
        match token.table()? {
            Table::MethodDef => metadata.string(token.row(), col::MethodDef::Name).ok(),
            Table::MemberRef => metadata.string(token.row(), col::MemberRef::Name).ok(),
            _ => None,
        }
    }

    /// The name of the field that an instruction loads or stores: a FieldDef, or the MemberRef that code of a generic type uses.
    pub fn accessed_field(&self, token: Token) -> Option<&str> {
        let metadata = self.metadata();
        match token.table()? {
            Table::Field => metadata.string(token.row(), col::Field::Name).ok(),
            Table::MemberRef => metadata.string(token.row(), col::MemberRef::Name).ok(),
            _ => None,
        }
    }

    /// Full name of the type that declares the field or method that an instruction names.
    pub fn declaring_type_name(&self, token: Token) -> Option<String> {
        let metadata = self.metadata();
        let token = self.called_method(token)?;
        let type_ = match token.table()? {
            Table::Field => Token::new(Table::TypeDef, metadata.owner(col::TypeDef::FieldList, token.row())?),
            Table::MethodDef => Token::new(Table::TypeDef, metadata.owner(col::TypeDef::MethodList, token.row())?),
            Table::MemberRef => metadata.token(token.row(), col::MemberRef::Class).ok()?,
            _ => return None,
        };
        metadata.type_full_name(type_).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callee_is_named_as_in_source() {
        let callee = |type_name: &str, method: &str| Callee {
            assembly: "X".into(),
            type_name: type_name.into(),
            method: method.into(),
        };
        assert_eq!(callee("System.Collections.Generic.List`1", "Add").short_name(), "List.Add");
        assert_eq!(callee("A.Outer+Inner", ".ctor").short_name(), "new Inner");
        assert_eq!(callee("System.String", "get_Length").short_name(), "String.Length");
        assert!(callee("System.Runtime.CompilerServices.TaskAwaiter", "GetResult").is_plumbing());
        assert!(callee("System.Type", "GetTypeFromHandle").is_plumbing());
        assert!(callee("Microsoft.CSharp.RuntimeBinder.CSharpArgumentInfo", "Create").is_plumbing());
        assert!(!callee("System.Console", "WriteLine").is_plumbing());
    }
}
