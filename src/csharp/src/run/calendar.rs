//! The parts of a date, where the getters of `DateTime` and `DateOnly` cannot run: they divide by tricks that only their own code knows.

use crate::types::Type;
use crate::value::Value;
use crate::world::{Failure, World};

use super::Run;

const DATE_TIME: &str = "System.DateTime";
const DATE_ONLY: &str = "System.DateOnly";
/// Of `_dateData`: the rest says whose time it is.
const TICKS: i128 = 0x3fff_ffff_ffff_ffff;
const TICKS_PER_DAY: i128 = 864_000_000_000;

impl<W: World> Run<'_, W> {
    /// `None`: it is no such type or part.
    pub(super) fn part_of_date(
        &mut self,
        of: &W::Handle,
        owner: &Type,
        name: &str,
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let days = if owner.is(DATE_TIME) {
            let data = self.own_field(of, owner, "_dateData")?.and_then(|data| data.as_integer());
            data.map(|data| (data & TICKS) / TICKS_PER_DAY)
        } else if owner.is(DATE_ONLY) {
            self.own_field(of, owner, "_dayNumber")?.and_then(|number| number.as_integer())
        } else {
            None
        };
        let Some(Ok(days)) = days.map(u32::try_from) else { return Ok(None) };
        let (year, month, day, of_year) = date(days);
        let part = match name {
            "Year" => year,
            "Month" => month,
            "Day" => day,
            "DayOfYear" => of_year,
            _ => return Ok(None),
        };
        Ok(i32::try_from(part).ok().map(Value::int))
    }
}

/// Year, month, day and day of the year, of the number of days since 0001-01-01.
fn date(mut days: u32) -> (u32, u32, u32, u32) {
    let mut take = |of: u32, most: u32| {
        let count = (days / of).min(most);
        days -= count * of;
        count
    };
    let (centuries4, centuries, years4, years) =
        (take(146_097, u32::MAX), take(36_524, 3), take(1_461, u32::MAX), take(365, 3));
    let is_leap = years == 3 && (years4 != 24 || centuries == 3);
    let of_year = days;
    let (mut month, mut day) = (1, of_year);
    for length in [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    (centuries4 * 400 + centuries * 100 + years4 * 4 + years + 1, month, day + 1, of_year + 1)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, (1, 1, 1, 1)),
            (58, (1, 2, 28, 59)),
            (59, (1, 3, 1, 60)),
            (364, (1, 12, 31, 365)),
            (719_162, (1970, 1, 1, 1)),
            (730_178, (2000, 2, 29, 60)),
            (730_484, (2000, 12, 31, 366)),
            (738_217, (2022, 3, 4, 63)),
            (766_644, (2100, 1, 1, 1)),
            (766_703, (2100, 3, 1, 60)),
            (3_652_058, (9999, 12, 31, 365)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
