//! `clrHeapFind`: the objects of a type for which a condition holds, or groups of them.

use std::collections::HashMap;

use dap_wire::{HeapFindArguments, HeapFindResponse, HeapGroup};

use super::evaluation::frame_of;
use super::heap::{heap_cut, named, pace};
use super::references::References;
use super::server::{Answer, Pause, Server, body};
use crate::evaluate::{Evaluation, It, Key, OverObjects};
use crate::heap::{Found, Heap, ObjectType, Pace, regions};

/// Objects between two looks at the clock while expressions are evaluated.
const STRIDE: usize = 64;

/// By their numbers.
type Types<'t> = HashMap<u32, &'t ObjectType>;

/// Objects with the same key.
struct Group<'o> {
    count: u64,
    bytes: u64,
    example: &'o Found,
}

/// What is chosen of the objects of a type.
#[derive(Default)]
struct Chosen<'o> {
    objects: Vec<&'o Found>,
    groups: HashMap<Key, Group<'o>>,
}

impl Server {
    pub(super) fn heap_find(&mut self, arguments: &HeapFindArguments) -> Answer {
        self.with_pause(|server, pause| {
            let mut pace = pace(server, arguments.limit_ms);
            let (thread, frame, is_gone) = frame_of(pause, arguments.frame_id)?;
            let objects = {
                let heap = Heap::new(&pause.stopped).map_err(|error| error.to_string())?;
                let mut heap = heap.named_in(thread, frame);
                heap.objects(&arguments.type_name, &mut pace).map_err(|error| error.to_string())?
            };
            let mut answer = HeapFindResponse {
                total: objects.found.len() as u64,
                types: objects.types.iter().map(|type_| type_.name.clone()).collect(),
                cut: objects.cut.map(heap_cut),
                ..HeapFindResponse::default()
            };
            let Pause { stopped, references, .. } = pause;
            let most = usize::try_from(arguments.count).unwrap_or(usize::MAX);
            let types: Types<'_> = objects.types.iter().map(|type_| (type_.number, type_)).collect();
            let chosen = if arguments.condition.is_none() && arguments.group_by.is_none() {
                answer.matched = answer.total;
                Chosen { objects: objects.found.iter().take(most).collect(), ..Chosen::default() }
            } else {
                let mut evaluation = Evaluation::new(stopped, thread, frame, None);
                evaluation.is_gone = is_gone;
                choose(&mut evaluation, arguments, (&objects.found, &types), &mut pace, &mut answer)?
            };
            let mut groups: Vec<(Key, Group<'_>)> = chosen.groups.into_iter().collect();
            groups.sort_by(|(key, one), (other, more)| more.count.cmp(&one.count).then_with(|| key.cmp(other)));
            answer.more_groups = groups.len().saturating_sub(most) as u64;
            groups.truncate(most);
            let values = match &arguments.group_by {
                Some(expression) => {
                    let mut evaluation = Evaluation::new(stopped, thread, frame, None);
                    evaluation.is_gone = is_gone;
                    let examples = groups.iter().filter_map(|(_, group)| it(group.example, &types));
                    shown(evaluation, references, expression, examples)?
                }
                None => Vec::new(),
            };
            let regions = regions(stopped).unwrap_or_default();
            let entry = |object: &Found| {
                let type_name = types.get(&object.type_).map(|type_| type_.name.clone()).unwrap_or_default();
                named(stopped, &regions, object.address, type_name, object.size)
            };
            answer.objects = chosen.objects.into_iter().map(entry).collect::<Result<_, _>>()?;
            for ((key, Group { count, bytes, example }), mut value) in groups.into_iter().zip(values) {
                if let Key::Object(address) = key {
                    // a static struct is in a box, which nobody can name
                    let object = named(stopped, &regions, address, String::new(), 0);
                    value.evaluate_name = object.ok().map(|object| object.name);
                }
                answer.groups.push(HeapGroup { value, count, bytes, example: entry(example)? });
            }
            body(answer)
        })
    }
}

/// Those for which the condition holds: some of them, or all in their groups. Counts them in the answer.
fn choose<'o>(
    evaluation: &mut Evaluation<'_>,
    arguments: &HeapFindArguments,
    (objects, types): (&'o [Found], &Types<'_>),
    pace: Pace<'_>,
    answer: &mut HeapFindResponse,
) -> Result<Chosen<'o>, String> {
    let (condition, key) = (arguments.condition.as_deref(), arguments.group_by.as_deref());
    let mut over = OverObjects::new(evaluation, condition, key).map_err(|error| error.to_string())?;
    let mut chosen = Chosen::default();
    for (at, object) in objects.iter().enumerate() {
        if at % STRIDE == STRIDE - 1
            && let Some(cut) = pace()
        {
            answer.cut = Some(heap_cut(cut));
            break;
        }
        let Some(it) = it(object, types) else { continue };
        answer.evaluated += 1;
        match over.holds(it) {
            Ok(false) => continue,
            Ok(true) => answer.matched += 1,
            Err(error) => {
                answer.failed += 1;
                answer.error.get_or_insert_with(|| error.to_string());
                continue;
            }
        }
        match key.map(|_| over.key(it)) {
            None if (chosen.objects.len() as u64) < arguments.count => chosen.objects.push(object),
            None => {}
            Some(Ok(key)) => {
                let group = chosen.groups.entry(key).or_insert(Group { count: 0, bytes: 0, example: object });
                group.count += 1;
                group.bytes += object.size;
            }
            Some(Err(error)) => {
                answer.ungrouped += 1;
                answer.group_error.get_or_insert_with(|| error.to_string());
            }
        }
    }
    Ok(chosen)
}

fn it<'t>(object: &Found, types: &Types<'t>) -> Option<It<'t>> {
    let type_ = types.get(&object.type_)?;
    Some(It { address: object.address, own: &type_.own, asked: &type_.asked })
}

/// What an expression gives for each of these.
fn shown<'t>(
    mut evaluation: Evaluation<'_>,
    references: &mut References,
    expression: &str,
    examples: impl Iterator<Item = It<'t>>,
) -> Result<Vec<dap_wire::Variable>, String> {
    let answers = {
        let mut over = OverObjects::new(&mut evaluation, None, Some(expression)).map_err(|error| error.to_string())?;
        let answers = examples.map(|it| over.answer(it).map_err(|error| error.to_string()));
        answers.collect::<Result<Vec<_>, _>>()?
    };
    let variable = |answer| {
        let (shown, opened) = evaluation.show(answer);
        references.of_answer(expression, shown, opened)
    };
    Ok(answers.iter().map(variable).collect())
}
