//! Messages of exceptions whose type overrides `Message`: what `System.Exception` keeps is not what they say. The getter is read where it
//! only loads, and run where values were asked for and it changes nothing.

use super::access::Access;
use super::literal::Raw;
use super::reader::Reader;
use super::shape::MemberKind;
use crate::session::expression::join;
use crate::session::report::{Content, Exception, Variable};

const MESSAGE: &str = "Message";

/// What stands in the place of a message that was not read.
pub const UNREAD: &str = "(its Message runs code of the program)";

/// Gives an exception, and those inside it, the messages of their own; what may not run is a member that says so.
pub async fn settle(reader: &Reader, exception: &mut Exception) {
    let (mut all, mut path) = (std::slice::from_mut(exception), Some("$exception".to_owned()));
    while let Some((first, others)) = all.split_first_mut() {
        settle_one(reader, first, path.as_deref()).await;
        for other in others {
            settle_one(reader, other, None).await;
        }
        path = path.map(|path| join(&path, "_innerException"));
        all = &mut first.inner;
    }
}

async fn settle_one(reader: &Reader, exception: &mut Exception, path: Option<&str>) {
    if !reader.shape(&exception.type_name).overrides_message {
        return;
    }
    exception.message = match path {
        Some(path) => said(reader, &exception.type_name, path).await,
        None => None,
    };
    if exception.message.is_none() {
        let words = match path {
            Some(path) => format!("not read, as its getter runs code of the program: evaluate {path}.{MESSAGE}"),
            None => "not read, as its getter runs code of the program".to_owned(),
        };
        let unread = Variable { name: MESSAGE.into(), content: Content::Error(words), ..Variable::default() };
        exception.members.push(unread);
    }
}

async fn said(reader: &Reader, type_name: &str, path: &str) -> Option<String> {
    let shape = reader.shape(type_name);
    let message = shape.members.iter().find(|member| member.name == MESSAGE)?;
    let only_loads = message.kind != MemberKind::Computed;
    let may_run =
        only_loads || reader.asked && !reader.pure_among(type_name, vec![MESSAGE.to_owned()]).await.is_empty();
    if !may_run {
        return None;
    }
    match reader.evaluate(&join(path, MESSAGE), Access::Run).await.ok()?.parsed() {
        Raw::Text(text) => Some(text),
        _ => None,
    }
}
