//! A method's code as text: one line an instruction, with names for its tokens and the protected regions around it.

mod mnemonics;

use crate::assembly::Assembly;
use crate::error::Flaw;
use crate::il::{Instruction, MethodBody, Operand, Region, RegionKind};
use crate::methods::MethodView;
use crate::schema::{Table, col};
use crate::signatures::{Decoder, MethodSig, ParameterNames, Primitive, TypeSig};
use crate::tokens::{FieldId, MethodId, Token};
use crate::usages::MemberName;
use mnemonics::mnemonic;

/// The code of one method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disassembly {
    /// Types of the locals, by slot, as short C#.
    pub locals: Vec<String>,
    pub lines: Vec<CodeLine>,
}

/// One instruction, or where a protected region begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLine {
    /// IL offset.
    pub offset: u32,
    /// `IL_0007: brtrue.s IL_0010`, or `try IL_0000..IL_0010 catch Exception` before the first instruction of a handler.
    pub text: String,
}

impl<'a> MethodView<'a> {
    /// Its code as text; `None` where it has none (abstract, native).
    ///
    /// # Errors
    /// The first flaw of its header or its instructions.
    pub fn disassembly(&self) -> Result<Option<Disassembly>, Flaw> {
        let Some(body) = self.assembly().body(self.id())? else { return Ok(None) };
        let names = self.declaring_type().map(|type_| type_.parameter_names(Some(self.id()))).unwrap_or_default();
        let writer = Writer { method: *self, assembly: self.assembly(), names, parameters: self.parameter_names() };
        writer.write(&body).map(Some)
    }
}

struct Writer<'a> {
    method: MethodView<'a>,
    assembly: &'a Assembly,
    names: ParameterNames,
    parameters: Vec<String>,
}

impl Writer<'_> {
    fn write(&self, body: &MethodBody<'_>) -> Result<Disassembly, Flaw> {
        let mut lines = Vec::new();
        for instruction in body.instructions() {
            let instruction = instruction?;
            let offset = instruction.offset;
            let handlers = body.regions.iter().filter(|region| region.handler_start == offset);
            lines.extend(handlers.map(|region| CodeLine { offset, text: self.handler(region) }));
            lines.push(CodeLine { offset, text: self.instruction(&instruction) });
        }
        let locals = self.method.local_types().iter().map(|local| local.short_with(&self.names)).collect();
        Ok(Disassembly { locals, lines })
    }

    fn handler(&self, region: &Region) -> String {
        let kind = match region.kind {
            RegionKind::Catch(type_) => format!("catch {}", self.type_(type_)),
            RegionKind::Filter(at) => format!("filter {}", label(at)),
            RegionKind::Finally => "finally".into(),
            RegionKind::Fault => "fault".into(),
        };
        format!("try {}..{} {kind}", label(region.try_start), label(region.try_end))
    }

    fn instruction(&self, instruction: &Instruction<'_>) -> String {
        let name = mnemonic(instruction.opcode);
        let operand = match &instruction.operand {
            Operand::None => self.implied(name),
            Operand::Int(number) => number.to_string(),
            Operand::Float(number) => number.to_string(),
            Operand::Variable(number) if name.contains("arg") => self.argument(*number),
            Operand::Variable(number) => number.to_string(),
            Operand::Token(token) => self.token(*token),
            Operand::Branch(target) => label(*target),
            Operand::Switch(targets) => {
                let targets: Vec<String> = targets.iter().map(label).collect();
                format!("({})", targets.join(", "))
            }
        };
        format!("{}: {name} {operand}", label(instruction.offset)).trim_end().to_owned()
    }

    /// `ldarg.1` loads what has a name.
    fn implied(&self, name: &str) -> String {
        let number = name.strip_prefix("ldarg.").and_then(|number| number.parse().ok());
        number.map(|number| self.argument(number)).unwrap_or_default()
    }

    fn argument(&self, number: u16) -> String {
        let number = usize::from(number);
        let named = match (self.method.is_static(), number) {
            (false, 0) => return "this".into(),
            (false, _) => self.parameters.get(number - 1),
            (true, _) => self.parameters.get(number),
        };
        named.filter(|name| !name.is_empty()).cloned().unwrap_or_else(|| number.to_string())
    }

    /// What cannot be read stands as its number: `0x0a000012`.
    fn token(&self, token: Token) -> String {
        const USER_STRING: u32 = 0x70;
        if token.0 >> 24 == USER_STRING {
            return self
                .assembly
                .metadata()
                .user_string(token)
                .map_or_else(|_| number(token), |text| format!("{text:?}"));
        }
        let text = match token.table() {
            Some(Table::MethodDef | Table::MethodSpec) => self.method(token),
            Some(Table::Field) => self.field(token),
            Some(Table::MemberRef) => self.member(token, &[]),
            Some(Table::TypeDef | Table::TypeRef | Table::TypeSpec) => Some(self.type_(token)),
            Some(Table::StandAloneSig) => self.call_site(token),
            _ => None,
        };
        text.unwrap_or_else(|| number(token))
    }

    fn type_(&self, token: Token) -> String {
        match self.assembly.type_signature(token) {
            // a token of its own where signatures have a code
            Some(TypeSig::Named(name)) if Primitive::from_name(&name.full_name).is_some() => {
                Primitive::from_name(&name.full_name).map_or("", Primitive::keyword).to_owned()
            }
            Some(type_) => type_.short_with(&self.names),
            None => number(token),
        }
    }

    fn method(&self, token: Token) -> Option<String> {
        let Some(row) = token.row_of(Table::MethodSpec) else {
            return self.definition(MethodId::from_token(token)?, &[]);
        };
        let arguments = self.method.instantiation(token)?;
        let generic = self.assembly.metadata().token(row, col::MethodSpec::Method).ok()?;
        match MethodId::from_token(generic) {
            Some(method) => self.definition(method, &arguments),
            None => self.member(generic, &arguments),
        }
    }

    fn definition(&self, id: MethodId, arguments: &[TypeSig]) -> Option<String> {
        let method = self.assembly.method(id);
        let owner = method.declaring_type()?.id().token();
        Some(self.callee(owner, method.name(), arguments, &method.signature()?))
    }

    fn field(&self, token: Token) -> Option<String> {
        let field = FieldId::from_token(token)?;
        let metadata = self.assembly.metadata();
        let owner = metadata.owner(col::TypeDef::FieldList, field.row())?;
        let name = metadata.string(field.row(), col::Field::Name).ok()?;
        Some(format!("{}.{name}", self.type_(Token::new(Table::TypeDef, owner))))
    }

    fn member(&self, token: Token, arguments: &[TypeSig]) -> Option<String> {
        let row = token.row_of(Table::MemberRef)?;
        let owner = self.assembly.metadata().token(row, col::MemberRef::Class).ok()?;
        let owner = match MethodId::from_token(owner) {
            // a call with more arguments than a vararg method declares
            Some(method) => self.assembly.method(method).declaring_type()?.id().token(),
            None => owner,
        };
        Some(match self.assembly.member_reference(row)? {
            MemberName::Field(name) => format!("{}.{name}", self.type_(owner)),
            MemberName::Method(name, signature) => self.callee(owner, &name, arguments, &signature),
        })
    }

    /// `void Console.WriteLine(string)`; types in the arguments that this call gives the type and the method.
    fn callee(&self, owner: Token, name: &str, arguments: &[TypeSig], signature: &MethodSig) -> String {
        let of_type = match self.assembly.type_signature(owner) {
            Some(TypeSig::Named(name)) => name.arguments,
            _ => Vec::new(),
        };
        let text = |type_: &TypeSig| type_.substitute(&of_type, arguments).short_with(&self.names);
        let parameters: Vec<String> = signature.parameters.iter().map(text).collect();
        let given: Vec<String> = arguments.iter().map(|argument| argument.short_with(&self.names)).collect();
        let given = if given.is_empty() { String::new() } else { format!("<{}>", given.join(", ")) };
        let (returned, owner) = (text(&signature.return_type), self.type_(owner));
        format!("{returned} {owner}.{name}{given}({})", parameters.join(", "))
    }

    fn call_site(&self, token: Token) -> Option<String> {
        let metadata = self.assembly.metadata();
        let blob = metadata.blob(token.row_of(Table::StandAloneSig)?, col::StandAloneSig::Signature).ok()?;
        let signature = Decoder::new(metadata).method(blob).ok()?;
        let parameters: Vec<String> = signature.parameters.iter().map(|type_| type_.short_with(&self.names)).collect();
        Some(format!("{} *({})", signature.return_type.short_with(&self.names), parameters.join(", ")))
    }
}

fn label(offset: u32) -> String {
    format!("IL_{offset:04x}")
}

fn number(token: Token) -> String {
    format!("{:#010x}", token.0)
}
