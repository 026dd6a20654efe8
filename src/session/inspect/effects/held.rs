//! What decides on a call beside types: which comparer a collection was made with, which culture the thread has. Only loads, and a
//! getter of the framework.

use clr_metadata::{Held, comparer_fields, is_framework_comparer};

use crate::session::inspect::evaluate::Evaluated;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::reader::{Access, Reader};

/// What the receiver of a call holds.
pub(super) async fn by(reader: &Reader, receiver: &Evaluated) -> Held {
    let (framework_comparer, framework_culture) =
        futures::join!(has_framework_comparer(reader, receiver), has_framework_culture(reader));
    Held { framework_comparer, framework_culture }
}

async fn has_framework_comparer(reader: &Reader, receiver: &Evaluated) -> bool {
    let Some(fields) = comparer_fields(&receiver.value.type_name) else { return false };
    match reader.load(&format!("{}.{}", receiver.load_path, fields.join("."))).await {
        // the default one of the keys' type
        Ok(comparer) if comparer.parsed() == Raw::Null => true,
        Ok(comparer) => is_framework_comparer(&comparer.type_name),
        Err(_) => false,
    }
}

/// What nobody but the thread holds.
pub(super) async fn by_thread(reader: &Reader) -> Held {
    Held { framework_culture: has_framework_culture(reader).await, ..Held::default() }
}

async fn has_framework_culture(reader: &Reader) -> bool {
    const CULTURE: &str = "System.Globalization.CultureInfo";
    let current = reader.evaluate(&format!("{CULTURE}.CurrentCulture"), Access::Run).await;
    current.is_ok_and(|culture| culture.type_name == CULTURE && culture.parsed() != Raw::Null)
}
