//! Lines that optimized code has dropped: nothing of its native code is theirs alone, so nothing can stop there.

use clr_metadata::MethodId;
use dap_wire::NO_PLACE;

use crate::modules::Module;
use crate::native_code::NativeCode;

/// Why no breakpoint can be hit at a place, if the method is compiled and its native code has none for it.
pub fn why(module: &Module, method: MethodId, offset: u32) -> Option<String> {
    let code = module.function(method.token().0).and_then(|function| function.native_code()).ok()?;
    let code = NativeCode::read(&code).ok().filter(|code| !code.has_place(offset))?;
    let points = module.symbols()?.sequence_points(method);
    let line = points.iter().find(|point| point.il_offset == offset)?.line;
    let kept = points.iter().filter(|point| !point.is_hidden && code.has_place(point.il_offset));
    // a statement that follows has seen what this one did
    let nearest = kept.map(|point| point.line).min_by_key(|other| (*other < line, other.abs_diff(line)));
    let instead = nearest.map(|line| format!("; line {line} has one")).unwrap_or_default();
    Some(format!("{NO_PLACE}: it is optimized{instead}"))
}
