//! Which fields of which type. The fixture `Summaries` has a value of each, and is read on both runtimes.

use super::known::{Known, More, Named, Part, Show};
use super::{network, numbers, tasks, texts, times};
use crate::session::inspect::field_values::Fields;

/// The row of a type by its full name without arguments; `argument`: its only one, where it has one.
pub fn find(definition: &str, argument: Option<&str>) -> Option<&'static Known> {
    let special = argument.map(|argument| format!("{definition}<{argument}>"));
    TABLE
        .iter()
        .find(|known| special.as_deref() == Some(known.name))
        .or_else(|| TABLE.iter().find(|known| known.name == definition))
}

const fn plain(name: &'static str, fields: &'static [&'static str], show: fn(&Fields) -> Option<String>) -> Known {
    Known { name, fields, more: None, show: Show::Plain(show) }
}

const fn text(name: &'static str, fields: &'static [&'static str], show: fn(&Fields) -> Option<String>) -> Known {
    Known { name, fields, more: None, show: Show::Text(show) }
}

type Members = fn(&Fields) -> Option<Named>;

const fn members(name: &'static str, fields: &'static [&'static str], show: Members) -> Known {
    Known { name, fields, more: None, show: Show::Members(show) }
}

/// Fields under the names that people know.
macro_rules! named {
    ($($name:literal),+) => {
        |fields| {
            let mut names = [$($name),+].into_iter().enumerate();
            names.try_fold(Vec::new(), |mut found, (at, name)| {
                fields.get(at)?;
                found.push((name, Part::Field(at)));
                Some(found)
            })
        }
    };
}

const TASK: &[&str] = &["m_stateFlags", "m_result"];
const FAULT: &[&str] = &[
    "m_contingentProperties.m_exceptionsHolder.m_faultExceptions._size",
    "m_contingentProperties.m_exceptionsHolder.m_faultExceptions._items[0]._exception",
    "m_contingentProperties.m_exceptionsHolder.m_faultExceptions._items[0]._exception._message",
];

#[rustfmt::skip]
pub static TABLE: &[Known] = &[
    // times
    plain("System.DateTime", &["_dateData"], |f| f.integer(0).map(times::date_time)),
    plain("System.DateTimeOffset", &["_dateTime._dateData", "_offsetMinutes"], |f| Some(times::date_time_offset(f.integer(0)?, f.integer(1)? as i64))),
    plain("System.DateOnly", &["_dayNumber"], |f| f.bits(0).map(times::date)),
    plain("System.TimeOnly", &["_ticks"], |f| f.bits(0).map(times::time)),
    plain("System.TimeSpan", &["_ticks"], |f| f.integer(0).map(times::time_span)),
    members("System.Threading.Timer", &["_timer._timer._dueTime", "_timer._timer._period"], tasks::timer),
    members("System.Diagnostics.Stopwatch", &["_isRunning"], |f| f.get(0).map(|_| vec![("IsRunning", Part::Field(0))])),
    // numbers
    plain("System.Half", &["_value"], numbers::half),
    plain("System.Int128", &["_upper", "_lower"], numbers::int128),
    plain("System.UInt128", &["_upper", "_lower"], numbers::uint128),
    plain("System.Numerics.BigInteger", &["_sign", "_bits[]"], numbers::big_integer),
    members("System.Numerics.Vector2", &["X", "Y"], named!("X", "Y")),
    members("System.Numerics.Vector3", &["X", "Y", "Z"], named!("X", "Y", "Z")),
    members("System.Numerics.Vector4", &["X", "Y", "Z", "W"], named!("X", "Y", "Z", "W")),
    members("System.Numerics.Quaternion", &["X", "Y", "Z", "W"], named!("X", "Y", "Z", "W")),
    members("System.Numerics.Plane", &["Normal", "D"], named!("Normal", "D")),
    members("System.Collections.Specialized.BitVector32", &["_data"], |f| Some(vec![("Data", Part::Shown((f.bits(0)? as u32 as i32).to_string()))])),
    members("System.Numerics.Complex", &["m_real", "m_imaginary"], named!("Real", "Imaginary")),
    plain("System.Index", &["_value"], numbers::system_index),
    plain("System.Range", &["Start()._value", "End()._value"], numbers::range),
    // texts
    plain("System.Guid", &["_a", "_b", "_c", "_d", "_e", "_f", "_g", "_h", "_i", "_j", "_k"], texts::guid),
    plain("System.Version", &["_Major", "_Minor", "_Build", "_Revision"], texts::version),
    plain("System.Text.Rune", &["_value"], texts::rune),
    text("System.Uri", &["_string"], texts::text),
    text("System.Globalization.CultureInfo", &["_name"], texts::text),
    text("System.Text.Encoding", &["_codePage"], texts::encoding),
    text("System.IO.FileSystemInfo", &["FullPath"], texts::text),
    text("System.Memory<char>", &["_object", "_index", "_length"], texts::slice),
    text("System.ReadOnlyMemory<char>", &["_object", "_index", "_length"], texts::slice),
    Known { name: "System.Text.StringBuilder", fields: &["m_ChunkOffset", "m_ChunkLength", "m_ChunkPrevious", "m_ChunkChars"], more: None, show: Show::Builder },
    members("System.Text.RegularExpressions.Regex", &["pattern", "roptions"], named!("Pattern", "Options")),
    members("System.Text.RegularExpressions.Group", &["_capcount", "Text()", "Index()", "Length()"], texts::group),
    Known { name: "System.Text.Json.JsonElement", fields: &["_idx"], more: None, show: Show::Json },
    text("System.Xml.Linq.XName", &["_localName", "_ns._namespaceName"], texts::xml_name),
    members("System.Xml.Linq.XElement", &["name._localName", "name._ns._namespaceName", "content"], texts::xml_element),
    members("System.Xml.Linq.XAttribute", &["name._localName", "name._ns._namespaceName", "value"], texts::xml_attribute),
    members("System.IO.MemoryStream", &["_length", "_position", "_origin"], texts::memory_stream),
    plain("System.Type", &["FullName!", "Name!"], texts::type_of),
    plain("System.Reflection.MemberInfo", &["DeclaringType.FullName!", "Name!"], texts::member),
    members("System.Linq.Expressions.Expression", &["NodeType!", "Type!"], named!("NodeType", "Type")),
    // network
    plain("System.Net.IPAddress", &["_addressOrScopeId", "_numbers[]"], network::address),
    plain("System.Net.IPEndPoint", &["_address._addressOrScopeId", "_address._numbers[]", "_port"], network::end_point),
    plain("System.Net.DnsEndPoint", &["_host", "_port"], network::dns_end_point),
    text("System.Net.Http.HttpMethod", &["_method"], texts::text),
    members("System.Net.Http.HttpRequestMessage", &["_method", "_requestUri"], named!("Method", "RequestUri")),
    members("System.Net.Http.HttpResponseMessage", &["_statusCode"], named!("StatusCode")),
    // tasks and threads
    Known { name: "System.Threading.Tasks.Task", fields: TASK, more: Some(More { wanted: tasks::is_faulted, fields: FAULT }), show: Show::Members(tasks::task) },
    members("System.Threading.Tasks.TaskCompletionSource", &["_task.m_stateFlags", "_task.m_result"], tasks::task),
    Known { name: "System.Threading.Tasks.ValueTask", fields: &["_result", "_obj"], more: Some(More { wanted: tasks::wraps_task, fields: &["_obj.m_stateFlags", "_obj.m_result"] }), show: Show::Members(tasks::value_task) },
    members("System.Lazy", &["_state", "_value"], tasks::lazy),
    members("System.Threading.CancellationToken", &["_source", "_source._state"], tasks::cancellation_token),
    members("System.Threading.CancellationTokenSource", &["_state"], tasks::cancellation_source),
    members("System.Threading.SemaphoreSlim", &["m_currentCount"], |f| f.get(0).map(|_| vec![("CurrentCount", Part::Field(0))])),
    members("System.Threading.ManualResetEventSlim", &["m_combinedState"], tasks::is_set),
    members("System.Threading.CountdownEvent", &["_currentCount"], named!("CurrentCount")),
    members("System.Threading.Thread", &["_managedThreadId", "_name"], tasks::thread),
    // exceptions
    members("System.Exception", &["_message", "_innerException", "_innerException._message"], tasks::thrown),
    members("System.ArgumentException", &["_message", "_innerException", "_innerException._message", "_paramName"], tasks::thrown),
    members("System.AggregateException", &["_message", "_innerException", "_innerException._message", "_innerExceptions"], tasks::thrown),
    // pairs and references
    members("System.Collections.Generic.KeyValuePair", &["key", "value"], named!("Key", "Value")),
    members("System.Collections.Generic.LinkedListNode", &["item"], named!("Value")),
    members("System.Collections.Generic.List.Enumerator", &["_current"], named!("Current")),
    members("System.Collections.Specialized.NameObjectCollectionBase.NameObjectEntry", &["Key", "Value"], named!("Key", "Value")),
    members("System.Runtime.CompilerServices.StrongBox", &["Value"], named!("Value")),
    members("System.Collections.DictionaryEntry", &["_key", "_value"], named!("Key", "Value")),
    members("System.WeakReference", &["Target!"], |f| f.get(0).map(|_| vec![("Target", Part::Field(0))])),
];
