//! A report on its way to the client. The session counts its content as delivered; if the client never gets it (it cancelled,
//! the connection ended), this hands it back, so the next wait returns it again.
//!
//! The race: a report may be ready in the channel at the moment its waiter is dropped; dropping looks there once more.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use super::{Answer, IntoAnswer};
use crate::answers::report::StopReport;
use crate::session::{Receipt, Registry, Reply, Report, SessionError, SessionHandle};

/// Whom to hand a report back.
#[derive(Clone)]
pub(in crate::mcp) enum Owner {
    Session(SessionHandle),
    /// The session that the report names, else the one that the call named.
    Registry(Registry, Option<String>),
}

/// The way of one report. Dropped before [`Delivery::done`], it takes the report back.
pub struct Delivery {
    owner: Owner,
    reply: Option<Reply<Report>>,
    delivered: Option<(Option<String>, Receipt)>,
}

/// A report with its way.
pub(in crate::mcp) struct DeliveredReport {
    report: StopReport,
    delivery: Delivery,
}

impl Delivery {
    /// Waits for the report. The command was handed over when `reply` was made.
    pub(in crate::mcp) async fn of(owner: Owner, reply: Reply<Report>) -> Result<DeliveredReport, SessionError> {
        let mut delivery = Self { owner, reply: Some(reply), delivered: None };
        let report = std::future::poll_fn(|cx| delivery.poll_reply(cx)).await?;
        delivery.expect(&report);
        Ok(DeliveredReport { report: report.into(), delivery })
    }

    /// The client has it.
    pub(in crate::mcp) fn done(mut self) {
        self.delivered = None;
    }

    fn poll_reply(&mut self, cx: &mut Context<'_>) -> Poll<Result<Report, SessionError>> {
        let Some(reply) = self.reply.as_mut() else { return Poll::Pending };
        let polled = Pin::new(reply).poll(cx);
        if polled.is_ready() {
            self.reply = None;
        }
        polled
    }

    fn expect(&mut self, report: &Report) {
        self.delivered = Some((report.session_id.as_ref().map(|id| id.0.clone()), report.receipt));
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        if let Poll::Ready(Ok(report)) = self.poll_reply(&mut Context::from_waker(Waker::noop())) {
            self.expect(&report);
        }
        let Some((id, receipt)) = self.delivered.take() else { return };
        match &self.owner {
            Owner::Session(handle) => handle.not_delivered(receipt),
            Owner::Registry(registry, named) => {
                if let Ok(handle) = registry.session(id.as_deref().or(named.as_deref())) {
                    handle.not_delivered(receipt);
                }
            }
        }
    }
}

impl IntoAnswer for DeliveredReport {
    type Body = StopReport;
    fn into_answer(self) -> Answer {
        Answer { delivery: Some(self.delivery), ..Answer::of(&self.report) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Settings;

    /// A delivery whose reports go nowhere: the registry knows no session.
    fn nowhere() -> Owner {
        Owner::Registry(Registry::new(Settings::default()), None)
    }

    #[test]
    fn a_reply_that_was_heard_is_not_polled_again_when_its_waiter_goes() {
        let (tx, rx) = tokio::sync::oneshot::channel();
        let mut delivery =
            Delivery { owner: nowhere(), reply: Some(Reply::pending(rx, Default::default())), delivered: None };
        assert!(tx.send(Err(SessionError::new(crate::session::Code::NoSession, "gone", "x"))).is_ok());
        assert!(delivery.poll_reply(&mut Context::from_waker(Waker::noop())).is_ready());
        // A channel that was read to its end panics when it is read again.
        drop(delivery);
    }
}
