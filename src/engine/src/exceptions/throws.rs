//! Every exception that was thrown, counted by type, place, handler and message, whether or not anything stops for it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::call_sites::CallSites;
use crate::com;

/// Groups that are kept.
const GROUPS: usize = 500;
/// Messages of a group that are counted by themselves.
const MESSAGES: usize = 4;
/// Throws of a thread whose handlers are searched for at once: those in filters of others.
const NESTED: usize = 16;

/// A place in the code of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site {
    /// As [`Module::id`](crate::modules::Module::id).
    pub module: u32,
    /// The token of the method.
    pub method: u32,
    /// In its IL.
    pub offset: u32,
}

/// What became of an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caught {
    /// Caught by the handler at this place.
    At(Site),
    /// Caught by code without a place.
    Elsewhere,
    Unhandled,
    /// The runtime has not reported it: it is still being passed up, or code of the runtime caught it.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Throw {
    type_name: Arc<str>,
    message: Option<String>,
    site: Option<Site>,
    user_site: Option<Site>,
}

#[derive(Debug, Clone)]
pub struct Group {
    pub type_name: Arc<str>,
    /// Where it was thrown,
    pub site: Option<Site>,
    /// and where it came to code of the user.
    pub user_site: Option<Site>,
    pub handler: Caught,
    pub count: u64,
    /// The first different ones, and how often each.
    pub messages: Vec<(String, u64)>,
    /// Throws with other messages.
    pub other_messages: u64,
    /// Of the latest throw, counted over all groups.
    last: u64,
}

#[derive(Debug, Default)]
pub struct Throws {
    /// By thread, the innermost last.
    open: HashMap<u32, Vec<Throw>>,
    groups: Vec<Group>,
    total: u64,
    dropped_groups: u64,
    dropped: u64,
    sites: CallSites,
}

/// What is known by now.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// All throws, also of groups that are gone.
    pub total: u64,
    /// The most frequent first.
    pub groups: Vec<Group>,
    /// Groups that are gone, and their throws.
    pub dropped_groups: u64,
    pub dropped: u64,
}

impl Throws {
    /// Where a frame throws, in its IL. .NET 8 takes what follows a `throw` for it, which may be another statement.
    pub fn offset_in(&mut self, pid: u32, frame: &com::NativeFrame) -> Option<u32> {
        self.sites.of(pid, frame)
    }

    pub fn begin(&mut self, thread: u32, type_name: Arc<str>, message: Option<String>, site: Option<Site>) {
        self.total += 1;
        let open = self.open.entry(thread).or_default();
        open.push(Throw { type_name, message, site, user_site: None });
        if open.len() > NESTED {
            let oldest = open.remove(0);
            self.count(oldest, Caught::Unknown);
        }
    }

    /// The latest one of a thread has come to code of the user.
    pub fn reach_user(&mut self, thread: u32, site: Option<Site>) {
        if let Some(latest) = self.open.get_mut(&thread).and_then(|open| open.last_mut()) {
            latest.user_site = site;
        }
    }

    /// What happens to the latest one of a thread.
    pub fn end(&mut self, thread: u32, handler: Caught) {
        let Some(open) = self.open.get_mut(&thread) else { return };
        let latest = open.pop();
        if open.is_empty() {
            self.open.remove(&thread);
        }
        if let Some(throw) = latest {
            self.count(throw, handler);
        }
    }

    fn count(&mut self, throw: Throw, handler: Caught) {
        let last = self.total;
        let sites = (throw.site, throw.user_site);
        let is_same =
            |it: &Group| (it.site, it.user_site) == sites && it.handler == handler && it.type_name == throw.type_name;
        let at = match self.groups.iter().position(is_same) {
            Some(at) => at,
            None => {
                self.make_room();
                let (count, messages, other_messages) = Default::default();
                self.groups.push(Group {
                    type_name: throw.type_name,
                    site: throw.site,
                    user_site: throw.user_site,
                    handler,
                    count,
                    messages,
                    other_messages,
                    last,
                });
                self.groups.len() - 1
            }
        };
        let Some(group) = self.groups.get_mut(at) else { return };
        group.count += 1;
        group.last = last;
        let Some(message) = throw.message else { return };
        if let Some((_, count)) = group.messages.iter_mut().find(|(known, _)| *known == message) {
            *count += 1;
        } else if group.messages.len() < MESSAGES {
            group.messages.push((message, 1));
        } else {
            group.other_messages += 1;
        }
    }

    /// The rarest goes, of equally rare ones that of the longest ago.
    fn make_room(&mut self) {
        if self.groups.len() < GROUPS {
            return;
        }
        let rarest = self.groups.iter().enumerate().min_by_key(|(_, it)| (it.count, it.last)).map(|(at, _)| at);
        if let Some(rarest) = rarest {
            let gone = self.groups.swap_remove(rarest);
            self.dropped_groups += 1;
            self.dropped += gone.count;
        }
    }

    pub fn overview(&self) -> Overview {
        let mut all = Self {
            groups: self.groups.clone(),
            total: self.total,
            dropped_groups: self.dropped_groups,
            dropped: self.dropped,
            ..Self::default()
        };
        for throw in self.open.values().flatten() {
            all.count(throw.clone(), Caught::Unknown);
        }
        all.groups.sort_by_key(|it| (u64::MAX - it.count, u64::MAX - it.last));
        Overview { total: all.total, groups: all.groups, dropped_groups: all.dropped_groups, dropped: all.dropped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Site = Site { module: 1, method: 0x0600_0001, offset: 4 };
    const THERE: Site = Site { module: 1, method: 0x0600_0002, offset: 9 };

    fn throw(throws: &mut Throws, thread: u32, type_name: &str, message: &str) {
        throws.begin(thread, type_name.into(), Some(message.to_owned()), Some(HERE));
    }

    #[test]
    fn throws_are_counted_by_type_place_and_handler() {
        let mut throws = Throws::default();
        for number in 0..20 {
            throw(&mut throws, 1, "A.B", &format!("m{number}"));
            throws.end(1, Caught::At(THERE));
        }
        throw(&mut throws, 1, "A.B", "m0");
        throws.end(1, Caught::Unhandled);
        let overview = throws.overview();
        assert_eq!((overview.total, overview.groups.len()), (21, 2));
        let [first, second] = overview.groups.as_slice() else { panic!("{overview:?}") };
        assert_eq!((first.count, first.messages.len(), first.other_messages), (20, MESSAGES, 20 - MESSAGES as u64));
        assert_eq!((second.count, second.handler), (1, Caught::Unhandled));
    }

    #[test]
    fn one_within_the_search_for_a_handler_ends_first() {
        let mut throws = Throws::default();
        throw(&mut throws, 1, "Outer", "");
        throw(&mut throws, 1, "Inner", "");
        throw(&mut throws, 2, "Other", "");
        throws.end(1, Caught::At(THERE));
        let handlers = |throws: &Throws| {
            let mut all: Vec<_> =
                throws.overview().groups.iter().map(|it| (it.type_name.to_string(), it.handler)).collect();
            all.sort_by(|one, other| one.0.cmp(&other.0));
            all
        };
        let name = |name: &str, handler| (name.to_owned(), handler);
        let expected =
            [name("Inner", Caught::At(THERE)), name("Other", Caught::Unknown), name("Outer", Caught::Unknown)];
        assert_eq!(handlers(&throws), expected);
        throws.end(1, Caught::Elsewhere);
        assert_eq!(handlers(&throws).last(), Some(&name("Outer", Caught::Elsewhere)));
        assert_eq!(throws.overview().total, 3);
    }

    #[test]
    fn the_rarest_go_and_are_counted() {
        let mut throws = Throws::default();
        for number in 0..GROUPS + 10 {
            for _ in 0..if number == 0 { 2 } else { 1 } {
                throw(&mut throws, 1, &format!("T{number}"), "");
                throws.end(1, Caught::Elsewhere);
            }
        }
        let overview = throws.overview();
        assert_eq!((overview.groups.len(), overview.dropped_groups, overview.dropped), (GROUPS, 10, 10));
        let kept: u64 = overview.groups.iter().map(|it| it.count).sum();
        assert_eq!(kept + overview.dropped, overview.total);
        assert_eq!(&*overview.groups[0].type_name, "T0");
        assert!(!overview.groups.iter().any(|it| &*it.type_name == "T1"));
    }
}
