//! references_get: what refers to an object and what it refers to; and where object_inspect's object lies.

use super::heap_walk::{expression, limit, limit_ms, may_run, refusable, shown, supported};
use super::numbered::Numbered;
use crate::dap::{HeapObjectArguments, HeapReferencesArguments, HeapReferencesResponse, request};
use crate::session::context::StopContext;
use crate::session::error::SessionError;
use crate::session::inspect::{Budget, Reader};
use crate::session::spec::ReferencesQuery;
use crate::session::view::{Held, ObjectPlace, ReferencesView};

pub(super) async fn get(
    context: &StopContext,
    query: &ReferencesQuery,
    numbered: &Numbered,
) -> Result<ReferencesView, SessionError> {
    supported(context, "references_get")?;
    let reader = context.reader_at(query.at).await?.asked();
    let arguments = HeapReferencesArguments {
        expression: expression(&reader, &query.path, (numbered, context)).await?,
        frame_id: Some(reader.frame_id),
        may_run: may_run(&reader),
        outbound: query.outbound,
        count: query.max_results as u64,
        limit_ms: limit_ms(query.timeout),
    };
    let request = context.reader.client.request_within::<request::HeapReferences>(arguments, limit(query.timeout));
    let answer = refusable(request.await)?;
    let budget = Budget::of(None);
    let object = shown(&reader.within(budget.clone()), answer.object).await;
    let mut references = Vec::new();
    for held in answer.references {
        let mut objects = Vec::new();
        for object in held.objects {
            objects.push(shown(&reader.within(budget.clone()), object).await.variable);
        }
        references.push(Held { through: held.through, count: held.count, objects });
    }
    let HeapReferencesResponse { roots, unreachable, cut, .. } = answer;
    Ok(ReferencesView { object, outbound: query.outbound, references, roots, unreachable, cut })
}

/// Where the object of an expression lies, of adapters that report it; `None` for what is no object of the heap.
pub(super) async fn place(reader: &Reader, expression: &str) -> Option<ObjectPlace> {
    if !reader.capabilities.supports_clr_heap {
        return None;
    }
    let arguments = HeapObjectArguments {
        expression: expression.to_owned(),
        frame_id: Some(reader.frame_id),
        may_run: may_run(reader),
    };
    let object = reader.client.request::<request::HeapObject>(arguments).await.ok()?;
    Some(ObjectPlace {
        identity: object.name,
        address: object.memory_reference,
        bytes: object.size,
        generation: object.generation,
    })
}
