//! One build at a time: two at once would write the same `obj` folder, and neither could be trusted.

use tokio::sync::{Mutex, MutexGuard};

static LOCK: Mutex<()> = Mutex::const_new(());

/// The right to build, until it is dropped. `phase` hears of a wait.
pub(crate) async fn acquire(phase: &impl Fn(&str)) -> MutexGuard<'static, ()> {
    lock(&LOCK, phase).await
}

/// Locks what is held during a build, and reports if that takes a wait.
pub(crate) async fn lock<'a, T>(held: &'a Mutex<T>, phase: &impl Fn(&str)) -> MutexGuard<'a, T> {
    match held.try_lock() {
        Ok(guard) => guard,
        Err(_) => {
            phase("waiting for another build");
            held.lock().await
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_second_build_waits_for_the_first_and_says_so() {
        let (held, phases) = (Mutex::new(()), RefCell::new(Vec::new()));
        let phase = |words: &str| phases.borrow_mut().push(words.to_owned());
        let first = lock(&held, &phase).await;
        assert!(phases.borrow().is_empty());
        let mut second = Box::pin(lock(&held, &phase));
        assert!((&mut second).now_or_never().is_none());
        assert_eq!(*phases.borrow(), ["waiting for another build"]);
        drop(first);
        drop(second.await);
    }
}
