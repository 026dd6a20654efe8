//! The members of an object: what an adapter lists where that changes nothing, else what may be read one by one.

mod opened;
mod shadowed;

use regex::Regex;

use super::access::{Access, ReadError};
use super::evaluated::RUNS_NOTHING;
use super::expand::expand;
use super::literal;
use super::object::load_members;
use super::pure_members::PureMembers;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::shape::{Collection, EXPANDO, Form, Member, MemberKind, Shape};
use super::side_by_side;
use super::{preview, threw};
use crate::session::expression::{explicit, join};
use crate::session::report::{Content, Variable};
use crate::session::type_names;

/// Which members of an object are read, and how deep.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemberQuery<'a> {
    /// The object's path as the caller wrote it.
    pub path: &'a str,
    /// 1 = members with previews.
    pub depth: u32,
    /// Of members whose names do not match nothing is read.
    pub filter: Option<&'a Regex>,
}

impl MemberQuery<'_> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.filter.is_none_or(|filter| filter.is_match(name))
    }
}

/// The members of an object, fields first, then properties, captured parameters and statics; and how many are not listed.
pub(super) async fn members(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
) -> Result<(Vec<Variable>, u64), ReadError> {
    if let Some(known) = opened::members(reader, value, load_path, shape, query).await {
        return Ok(known);
    }
    let (mut list, hidden) = listed_members(reader, value, load_path, shape, query).await?;
    let captured = captured_members(reader, value, load_path, shape, query).await;
    list.retain(|member| member.is_static || captured.iter().all(|parameter| parameter.name != member.name));
    let statics = list.iter().position(|member| member.is_static).unwrap_or(list.len());
    list.splice(statics..statics, captured);
    let (shadowed, unread) = shadowed::members(reader, load_path, shape, query).await;
    for (name, member) in shadowed {
        let beside = list.iter().rposition(|it| it.name == name || it.name.starts_with(&format!("{name} (")));
        list.insert(beside.map_or(list.len(), |at| at + 1), member);
    }
    Ok((list, hidden + unread))
}

/// All that an object holds, whatever its values are usually shown as. `None`: it is no object, or nothing is known of its type.
pub(super) async fn raw_members(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    query: MemberQuery<'_>,
) -> Option<Vec<Variable>> {
    let (value, shape) = preview::raw_shape(reader, value)?;
    // of what is declared `dynamic` a name is one of those that it was given
    let binds_itself = value.type_name == EXPANDO && reader.capabilities.supports_csharp_expressions;
    let cast = binds_itself.then(|| format!("(({EXPANDO}){load_path})"));
    let load_path = cast.as_deref().unwrap_or(load_path);
    let mut list = members_alone(reader, &value, load_path, &shape, query, "").await;
    list.extend(captured_members(reader, &value, load_path, &shape, query).await);
    Some(list)
}

/// Parameters of the primary constructor that methods use; of all adapters only our own lists them among the members.
async fn captured_members(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
) -> Vec<Variable> {
    let is_wanted = |member: &&Member| member.kind == MemberKind::Captured && query.has(&member.name);
    let captured: Vec<&Member> = shape.members.iter().filter(is_wanted).collect();
    let reads = load_members(reader, value, load_path, shape, &captured).await;
    side_by_side(captured.iter().zip(reads).map(|(member, read)| async move {
        let mut variable = match read {
            Ok(read) => preview::variable(reader, &read, &member.load_path(load_path), literal::SHORT).await,
            Err(_) if reader.budget.is_spent() => unread(),
            Err(error) => Variable {
                content: Content::Error(format!("captured parameter of the primary constructor: {error}")),
                ..Variable::default()
            },
        };
        variable.name.clone_from(&member.name);
        variable
    }))
    .await
}

/// A member that the time was over for.
pub(super) fn unread() -> Variable {
    Variable { content: Content::Value("{…}".into()), ..Variable::default() }
}

/// What a wrapper was made over.
async fn wrapped(reader: &Reader, value: &RawValue, load_path: &str, kind: &Collection) -> Vec<Variable> {
    let Collection::Wraps(field) = kind else { return Vec::new() };
    let [inner] = reader.fields(value, load_path, [field]).await;
    let Ok(inner) = inner else { return Vec::new() };
    let mut variable = preview::variable(reader, &inner, &join(load_path, field), literal::SHORT).await;
    variable.name = (*field).to_owned();
    vec![variable]
}

/// What an adapter lists of an object where that changes nothing, else what may be read one by one.
async fn listed_members(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
) -> Result<(Vec<Variable>, u64), ReadError> {
    // a collection whose elements cannot be read: its getters may be passed on to the program's own
    if let Form::Collection(kind) = &shape.form {
        return Ok((wrapped(reader, value, load_path, kind).await, 0));
    }
    let pure = reader.pure_members(&value.type_name, shape).await;
    if !pure.allow_listing {
        return Ok(readable_members(reader, value, load_path, shape, &pure, query).await);
    }
    let opened = match shape.form {
        // nobody judged the getters of a type of the framework: dncdbg would run the factory of a Lazy
        Form::Wellknown(_) => open_for_listing(reader, value, load_path, Access::Load).await,
        _ => open_for_listing(reader, value, load_path, Access::Run).await,
    };
    let children = match reader.children(opened, None).await {
        Ok(children) => children,
        Err(ReadError::Refused(words)) if !shape.members.is_empty() => {
            return Ok((members_alone(reader, value, load_path, shape, query, &words).await, 0));
        }
        Err(error) => return Err(error),
    };
    let mut children = elements_of_tuple(value, children);
    children.retain(|child| query.has(&child.name) || child.name == "Static members");
    if matches!(shape.form, Form::Wellknown(_)) {
        children.retain(|child| child.value != "<error>");
    }
    let children = with_backing_fields(reader, value, load_path, shape, children).await;
    let unlisted = unlisted_properties(shape, query, &children);
    let veiled: Vec<&str> = shape.members.iter().filter(|it| it.hidden).map(|it| it.name.as_str()).collect();
    let mut hidden = veiled.len() as u64;
    let mut statics = None;
    let mut listed: Vec<(usize, RawValue)> = Vec::new();
    let rank = |name: &str| shape.members.iter().position(|it| it.name == name).unwrap_or(shape.members.len());
    for (at, child) in children.into_iter().enumerate() {
        if child.name == "Static members" {
            statics = Some(child.reference);
        } else if veiled.contains(&child.name.as_str()) || shadowed::is_one(shape, &child.name) {
            // counted, whether the adapter lists it or not
        } else if is_noise(&child) {
            hidden += 1;
        } else {
            listed.push((rank(&child.name) * 1000 + at.min(999), child));
        }
    }
    // what costs nothing comes before what may use up the time
    let mut ranked = opened_children(reader, load_path, shape, query, listed).await;
    let properties = read_properties(reader, load_path, &unlisted).await;
    let properties = properties.into_iter().map(|child| (rank(&child.name) * 1000, child)).collect();
    ranked.extend(opened_children(reader, load_path, shape, query, properties).await);
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut list: Vec<Variable> = ranked.into_iter().map(|(_, variable)| variable).collect();
    if let Some(reference) = statics.filter(|_| pure.allow_statics) {
        list.extend(static_members(reader, value, reference, query).await);
    }
    Ok((list, hidden))
}

/// As the type of a tuple declares them.
fn elements_of_tuple(value: &RawValue, children: Vec<RawValue>) -> Vec<RawValue> {
    let elements = type_names::elements(&value.type_name);
    let declared = |name: &str| elements.get(name.strip_prefix("Item")?.parse::<usize>().ok()?.checked_sub(1)?);
    let children = children.into_iter().map(|child| match declared(&child.name) {
        Some((type_, _)) => child.declared_as(type_),
        None => child,
    });
    children.collect()
}

/// One member that cannot be read fails an adapter's whole listing (0x80131c23): each is read by itself then.
async fn members_alone(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
    words: &str,
) -> Vec<Variable> {
    let own = shape.members.iter().filter(|it| it.kind != MemberKind::Captured && query.has(&it.name));
    let reads = own.map(|member| async move {
        let path = member.load_path(load_path);
        let read = match member.kind {
            MemberKind::Computed => reader.evaluate_getter(&path).await,
            _ => load_members(reader, value, load_path, shape, &[member])
                .await
                .pop()
                .unwrap_or_else(|| Err(ReadError::Refused(words.to_owned()))),
        };
        let mut variable = match read {
            Ok(read) => {
                with_levels(reader, shape, &RawValue { name: member.name.clone(), ..read }, load_path, query).await
            }
            Err(_) if reader.budget.is_spent() => unread(),
            Err(error) => {
                Variable { content: Content::Error(format!("cannot be read: {error}")), ..Variable::default() }
            }
        };
        variable.name.clone_from(&member.name);
        variable
    });
    side_by_side(reads).await
}

/// Where no getter runs (a thread in native code), a property that only loads is read from its field.
async fn with_backing_fields(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    mut children: Vec<RawValue>,
) -> Vec<RawValue> {
    let is_unread = |member: &&Member| {
        member.kind == MemberKind::Loads && children.iter().any(|child| child.name == member.name && !child.is_read())
    };
    let unread: Vec<&Member> = shape.members.iter().filter(is_unread).collect();
    if unread.is_empty() {
        return children;
    }
    let reads = load_members(reader, value, load_path, shape, &unread).await;
    for (member, read) in unread.iter().zip(reads) {
        if let (Ok(read), Some(child)) = (read, children.iter_mut().find(|child| child.name == member.name)) {
            *child = RawValue { path: child.path.take(), ..read };
        }
    }
    children
}

/// Each child with its levels, behind its place in the list.
async fn opened_children(
    reader: &Reader,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
    children: Vec<(usize, RawValue)>,
) -> Vec<(usize, Variable)> {
    let reads = children.iter().map(|(rank, child)| async move {
        let mut variable = with_levels(reader, shape, child, load_path, query).await;
        variable.name.clone_from(&child.name);
        (*rank, variable)
    });
    side_by_side(reads).await
}

/// Properties that an adapter left out because it lists memory only; the caller knows that they change nothing.
fn unlisted_properties<'s>(shape: &'s Shape, query: MemberQuery<'_>, children: &[RawValue]) -> Vec<&'s Member> {
    let is_left_out = |member: &&Member| {
        let is_property = matches!(member.kind, MemberKind::Computed | MemberKind::Loads) && query.has(&member.name);
        is_property && !member.hidden && !children.iter().any(|child| child.name == member.name)
    };
    shape.members.iter().filter(is_left_out).collect()
}

async fn read_properties(reader: &Reader, load_path: &str, properties: &[&Member]) -> Vec<RawValue> {
    let reads = properties.iter().map(|member| async move {
        let read = reader.evaluate_getter(&member.load_path(load_path)).await;
        let mut read = read.unwrap_or_else(|error| {
            if reader.budget.is_spent() {
                return RawValue { value: "{…}".into(), ..RawValue::default() };
            }
            // a name that carries the type parameters of its class says nothing outside of it
            let words = match explicit(&member.name) {
                Some((interface, _)) => {
                    format!("implements {interface} explicitly: cast the object to that to read it")
                }
                None => error.to_string(),
            };
            let words = if words.contains(RUNS_NOTHING) { String::new() } else { format!(": {words}") };
            RawValue { value: format!("<error{words}>"), ..RawValue::default() }
        });
        read.name.clone_from(&member.name);
        read
    });
    side_by_side(reads).await
}

/// The members whose reading changes nothing, and how many there are of others.
pub(super) async fn readable_members(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    pure: &PureMembers,
    query: MemberQuery<'_>,
) -> (Vec<Variable>, u64) {
    let own = || shape.members.iter().filter(|it| it.kind != MemberKind::Captured && query.has(&it.name));
    let readable = own().filter(|it| !it.hidden && (it.kind != MemberKind::Computed || pure.has(&it.name)));
    let readable: Vec<Member> = readable
        .map(|member| match member.kind {
            MemberKind::Computed => Member { kind: MemberKind::Loads, ..member.clone() },
            _ => member.clone(),
        })
        .collect();
    // what costs nothing comes before what may use up the time
    let (kept, computed): (Vec<&Member>, Vec<&Member>) =
        readable.iter().partition(|member| !own().any(|it| it.name == member.name && it.kind == MemberKind::Computed));
    let mut list = read_members(reader, value, load_path, shape, query, &kept).await;
    list.extend(read_members(reader, value, load_path, shape, query, &computed).await);
    let place = |variable: &Variable| readable.iter().position(|member| member.name == variable.name);
    list.sort_by_key(place);
    (list, (own().count() - readable.len()) as u64)
}

/// Members that may be read; those that cannot be are left out.
async fn read_members(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
    members: &[&Member],
) -> Vec<Variable> {
    let reads = load_members(reader, value, load_path, shape, members).await;
    let is_decided = |read: &Result<RawValue, ReadError>| read.is_ok() || reader.budget.is_spent();
    let previews = members.iter().zip(reads).filter(|(_, read)| is_decided(read)).map(|(member, read)| async move {
        let mut variable = match read {
            Ok(read) => {
                let read = RawValue { name: member.name.clone(), ..read };
                with_levels(reader, shape, &read, load_path, query).await
            }
            Err(_) => unread(),
        };
        variable.name.clone_from(&member.name);
        variable
    });
    side_by_side(previews).await
}

/// A member's value with the levels below it that are wanted, or what its getter threw.
async fn with_levels(
    reader: &Reader,
    shape: &Shape,
    read: &RawValue,
    load_path: &str,
    query: MemberQuery<'_>,
) -> Variable {
    let member = shape.members.iter().find(|member| member.name == read.name);
    let read = &member.map_or_else(|| read.clone(), |member| read.clone().declared_as(&member.declared));
    match threw::member(reader, shape, read).await {
        Some(error) => error,
        None => {
            let (path, shown) = match member {
                Some(member) => (member.load_path(load_path), member.load_path(query.path)),
                None => (join(load_path, &read.name), join(query.path, &read.name)),
            };
            expand(reader, read, &path, &shown, query.depth.saturating_sub(1)).await
        }
    }
}

/// dncdbg runs getters only below an expression that was forced.
async fn open_for_listing(reader: &Reader, value: &RawValue, load_path: &str, access: Access) -> i64 {
    if reader.quirks.force_evaluation_suffix.is_none() || reader.read_only {
        return value.reference;
    }
    match reader.evaluate(load_path, access).await {
        Ok(opened) if opened.reference != 0 => opened.reference,
        _ => value.reference,
    }
}

/// Indexers read as properties, hidden base members without a path, and the compiler's own.
fn is_noise(child: &RawValue) -> bool {
    child.type_name == "System.Reflection.TargetParameterCountException"
        || child.name == "EqualityContract"
        || child.name.starts_with('<')
        || child.name == "[More]"
        // `Name (Base.Type)`, explicit interface implementations
        || child.name.contains(['(', '.'])
}

/// What is said of a field that each thread has, where the adapter cannot read it.
const UNUSED_BY_THREAD: &str = "cannot be read: each thread has its own, and this one may not have used it yet";

async fn static_members(reader: &Reader, value: &RawValue, reference: i64, query: MemberQuery<'_>) -> Vec<Variable> {
    let Ok(children) = reader.children(reference, None).await else { return Vec::new() };
    let owner = value.type_name.as_str();
    let reads = children.iter().filter(|child| !is_noise(child) && query.has(&child.name)).map(|child| async move {
        let path = child.path.clone().unwrap_or_else(|| join(owner, &child.name));
        let is_unused = !child.is_read() && reader.modules.is_of_threads(owner, &child.name);
        let mut variable = match threw::static_member(reader, owner, child).await {
            Some(error) => error,
            None if is_unused => {
                Variable { content: Content::Error(UNUSED_BY_THREAD.to_owned()), ..Variable::default() }
            }
            None => preview::variable(reader, child, &path, literal::SHORT).await,
        };
        variable.name.clone_from(&child.name);
        variable.is_static = true;
        variable.path = Some(path);
        variable
    });
    side_by_side(reads).await
}
