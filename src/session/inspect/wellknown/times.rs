//! Dates and times from their ticks, in ISO form and in the constant format of System.TimeSpan.

/// 100 ns ticks of a second.
const TICKS_PER_SECOND: u64 = 10_000_000;

/// The upper two bits are the kind (1 = UTC, 2 and 3 = local), the rest are ticks since 0001-01-01. The offset of a local time is that of
/// the program's zone, which is not asked for.
pub(super) fn date_time(data: i128) -> String {
    let data = data as u64;
    let ticks = data & 0x3fff_ffff_ffff_ffff;
    let suffix = match data >> 62 {
        0 => "",
        1 => "Z",
        _ => " Local",
    };
    format!("{}T{}{suffix}", date(ticks / (86_400 * TICKS_PER_SECOND)), time(ticks % (86_400 * TICKS_PER_SECOND)))
}

pub(super) fn date_time_offset(utc: i128, minutes: i64) -> String {
    let ticks = (utc as u64 & 0x3fff_ffff_ffff_ffff) as i128 + i128::from(minutes) * 60 * i128::from(TICKS_PER_SECOND);
    let local = date_time(ticks.max(0));
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{local}{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// Civil date of a day number since 0001-01-01 (Howard Hinnant's algorithm, days_from_civil inverted).
pub(super) fn date(days: u64) -> String {
    let shifted = days + 306; // to an era that begins on 0000-03-01
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_shifted + 2) / 5 + 1;
    let month = if month_shifted < 10 { month_shifted + 3 } else { month_shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

pub(super) fn time(ticks: u64) -> String {
    let seconds = ticks / TICKS_PER_SECOND;
    let fraction = ticks % TICKS_PER_SECOND;
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if fraction == 0 {
        clock
    } else {
        let fraction = format!("{fraction:07}");
        format!("{clock}.{}", fraction.trim_end_matches('0'))
    }
}

/// `[-][d.]hh:mm:ss[.fffffff]`, the constant format of System.TimeSpan without the zeros at its end.
pub(super) fn time_span(ticks: i128) -> String {
    let sign = if ticks < 0 { "-" } else { "" };
    let magnitude = u64::try_from(ticks.unsigned_abs()).unwrap_or(u64::MAX);
    let days = magnitude / (86_400 * TICKS_PER_SECOND);
    let rest = time(magnitude % (86_400 * TICKS_PER_SECOND));
    if days == 0 { format!("{sign}{rest}") } else { format!("{sign}{days}.{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_iso() {
        // values read from the fixture Collections by netcoredbg
        assert_eq!(date_time(5_250_134_084_427_387_904), "2024-02-29T12:30:00Z");
        assert_eq!(date_time(0), "0001-01-01T00:00:00");
        assert_eq!(date_time(2 << 62), "0001-01-01T00:00:00 Local");
        assert_eq!(date_time(3 << 62), "0001-01-01T00:00:00 Local");
        assert_eq!(date(738_944), "2024-02-29");
        assert_eq!(date(3_652_058), "9999-12-31");
        assert_eq!(time_span(54_000_000_000), "01:30:00");
        assert_eq!(time_span(-54_000_000_000), "-01:30:00");
        assert_eq!(time_span(864_000_000_000 + 1), "1.00:00:00.0000001");
        assert_eq!(date_time_offset(5_250_134_084_427_387_904, -90), "2024-02-29T11:00:00-01:30");
    }
}
