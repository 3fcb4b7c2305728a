//! Days, times of day and moments as people write them in lists.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time, Weekday};

use festival_base::text::with_ascii_digits;

/// Reads a day: 2025-12-12, 12/12/2025, 12.12., 12 December, Friday 12 Dec 2025, December 12. Of two numbers the day
/// comes first, unless only the second can be a day. A day without a year is the one nearest to `today` that has the
/// weekday, if one is written; a day with another weekday is rejected. A number alone counts days as spreadsheets do.
pub fn day(text: &str, today: Date) -> Option<Date> {
    let text = with_ascii_digits(text.trim()).to_lowercase();
    // Workbooks give days with a time.
    let text = text.split_once('t').filter(|(day, _)| day.parse::<Date>().is_ok()).map_or(&*text, |(day, _)| day);
    let text = text.strip_suffix(" 00:00:00").unwrap_or(text);
    if let Ok(day) = text.parse() {
        return Some(day);
    }
    if let Some(moment) = serial(text) {
        return Some(moment.date());
    }
    // "10:30" is no day of October.
    if text.contains(':') {
        return None;
    }
    // Marks of Indic scripts are no letters, but parts of names.
    let separates =
        |letter: char| letter.is_whitespace() || letter.is_ascii_punctuation() || "–—·，、".contains(letter);
    let parts: Vec<&str> = text.split(separates).filter(|part| !part.is_empty()).collect();
    let weekday = parts.iter().find_map(|part| weekday(part));
    let month = parts.iter().find_map(|part| month(part));
    let numbers: Vec<i16> = parts.iter().filter_map(|part| number(part)).collect();
    let is_word = |part: &&&str| {
        number(part).is_none() && self::month(part).is_none() && self::weekday(part).is_none() && **part != "of"
    };
    if parts.iter().any(|part| is_word(&part)) {
        return None;
    }
    let found = match (month, &numbers[..]) {
        (Some(month), [day]) => nearest(i8::try_from(*day).ok()?, month, weekday, today),
        (Some(month), [year, day] | [day, year]) if *year > 31 => {
            Date::new(*year, month, i8::try_from(*day).ok()?).ok()
        }
        (None, [day, month]) => {
            let (day, month) = day_first(*day, *month)?;
            nearest(day, month, weekday, today)
        }
        (None, [year, month, day]) if *year > 31 => {
            Date::new(*year, i8::try_from(*month).ok()?, i8::try_from(*day).ok()?).ok()
        }
        (None, [day, month, year]) => {
            let (day, month) = day_first(*day, *month)?;
            let year = if *year < 100 { 2000 + *year } else { *year };
            Date::new(year, month, day).ok()
        }
        _ => None,
    };
    found.filter(|day| weekday.is_none_or(|weekday| day.weekday() == weekday))
}

/// The moment that a spreadsheet stores as a number, which is what a copied cell may hold: 46003.75 is 12 December
/// 2025, 18:00. Only of this century: other numbers mean something else.
fn serial(text: &str) -> Option<DateTime> {
    let days: f64 = text.trim().parse().ok()?;
    let minutes = (36_526.0..73_051.0).contains(&days).then(|| (days * 24.0 * 60.0).round() as i64)?;
    DateTime::constant(1899, 12, 30, 0, 0, 0, 0).checked_add(SignedDuration::from_mins(minutes)).ok()
}

/// Reads a day with a time of day, in either order: 23/01/2027 10:30 AM, 10.30 on 23 January; `None` for the time if
/// there is only a day.
pub(super) fn moment(text: &str, today: Date) -> Option<(Date, Option<Time>)> {
    if let Some(moment) = serial(text).filter(|_| text.contains('.')) {
        return Some((moment.date(), Some(moment.time())));
    }
    if let Some(day) = day(text, today) {
        return Some((day, None));
    }
    let is_filler = |part: &&str| matches!(part.to_lowercase().as_str(), "at" | "on" | "um" | "-" | "–" | "|");
    let parts: Vec<&str> =
        text.split([' ', '\u{a0}', ',', ';']).filter(|part| !part.is_empty() && !is_filler(part)).collect();
    (1..parts.len()).find_map(|split| {
        let (first, second) = (parts[..split].join(" "), parts[split..].join(" "));
        let both = |date: &str, clock: &str| Some((day(date, today)?, Some(time(clock)?)));
        both(&first, &second).or_else(|| both(&second, &first))
    })
}

/// Reads a moment as people write it. A day alone is its first minute, or its last if it `ends` something.
pub(super) fn date_time(text: &str, today: Date, ends: bool) -> Option<DateTime> {
    let is_day = text.parse::<Date>().is_ok_and(|day| day.to_string() == text);
    if let Some(moment) = text.parse().ok().filter(|_| !is_day) {
        return Some(moment);
    }
    let (day, time) = moment(text, today)?;
    let time = time.unwrap_or(if ends { Time::constant(23, 59, 0, 0) } else { Time::midnight() });
    Some(day.to_datetime(time))
}

fn day_first(day: i16, month: i16) -> Option<(i8, i8)> {
    let (day, month) = if month > 12 { (month, day) } else { (day, month) };
    Some((i8::try_from(day).ok()?, i8::try_from(month).ok()?))
}

/// The day of this month that is nearest to `today` and has this weekday.
fn nearest(day: i8, month: i8, weekday: Option<Weekday>, today: Date) -> Option<Date> {
    let years = [today.year() - 1, today.year(), today.year() + 1];
    let days = years.into_iter().filter_map(|year| Date::new(year, month, day).ok());
    let days = days.filter(|day| weekday.is_none_or(|weekday| day.weekday() == weekday));
    days.min_by_key(|day| day.since(today).map_or(i32::MAX, |span| span.get_days().abs()))
}

/// A number, also an ordinal one: 12, 12th.
fn number(part: &str) -> Option<i16> {
    let digits = ["st", "nd", "rd", "th"].into_iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part);
    digits.parse().ok()
}

/// The month whose name in English, German, French or Malayalam begins with `part`.
fn month(part: &str) -> Option<i8> {
    const MONTHS: [&[&str]; 12] = [
        &["jan", "ജനു"],
        &["feb", "fév", "ഫെബ്"],
        &["mar", "mär", "മാർ", "മാര"],
        &["apr", "avr", "ഏപ്"],
        &["may", "mai", "മെയ", "മേയ"],
        &["jun", "juin", "ജൂൺ", "ജൂണ"],
        &["jul", "juil", "ജൂല"],
        &["aug", "aoû", "ഓഗ", "ആഗ"],
        &["sep", "സെപ"],
        &["oct", "okt", "ഒക"],
        &["nov", "നവം"],
        &["dec", "dez", "déc", "ഡിസ"],
    ];
    let is_name = !part.contains(|letter: char| letter.is_ascii_digit()) && weekday(part).is_none();
    let index = MONTHS.iter().position(|names| is_name && names.iter().any(|month| part.starts_with(month)))?;
    i8::try_from(index + 1).ok()
}

/// A weekday in English, German, French or Malayalam, or its beginning; short ones of two letters are German.
fn weekday(part: &str) -> Option<Weekday> {
    const NAMES: [(Weekday, [&str; 3], &str, &str); 7] = [
        (Weekday::Monday, ["monday", "montag", "lundi"], "mo", "തിങ്ക"),
        (Weekday::Tuesday, ["tuesday", "dienstag", "mardi"], "di", "ചൊവ്"),
        (Weekday::Wednesday, ["wednesday", "mittwoch", "mercredi"], "mi", "ബുധ"),
        (Weekday::Thursday, ["thursday", "donnerstag", "jeudi"], "do", "വ്യാ"),
        (Weekday::Friday, ["friday", "freitag", "vendredi"], "fr", "വെള്"),
        (Weekday::Saturday, ["saturday", "samstag", "samedi"], "sa", "ശനി"),
        (Weekday::Sunday, ["sunday", "sonntag", "dimanche"], "so", "ഞായ"),
    ];
    // "Mar" is March; "weds" and "thurs" are days, "month" is none.
    let begins = |name: &str| part.len() >= 3 && name.starts_with(part) && part != "mar";
    let is_english = |name: &str| part.starts_with(&name[..3]) && !part.starts_with("month");
    let fits = |names: &[&str; 3]| is_english(names[0]) || names.iter().any(|name| begins(name));
    let found =
        NAMES.iter().find(|(_, names, short, malayalam)| part == *short || fits(names) || part.starts_with(malayalam));
    found.map(|(day, ..)| *day)
}

/// Reads a time of day: 18:30, 18.30, 1830, 18h30, 6:30 PM, 6 p.m., noon, midnight, and the part of a day that a
/// spreadsheet stores, 0.75, but "0.30" is half past midnight.
pub fn time(text: &str) -> Option<Time> {
    let text: String = with_ascii_digits(text.trim()).to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.trim_end_matches("hrs").trim_end_matches("hours").trim_end_matches("uhr");
    match text {
        "noon" | "12noon" => return Time::new(12, 0, 0, 0).ok(),
        "midnight" | "12midnight" | "24:00" => return Time::new(0, 0, 0, 0).ok(),
        _ => {}
    }
    if text.strip_prefix("0.").is_some_and(|digits| !digits.is_empty() && (digits.len() != 2 || digits >= "60")) {
        let minutes = (text.parse::<f64>().ok()? * 24.0 * 60.0).round() as i64;
        return Time::midnight().checked_add(SignedDuration::from_mins(minutes)).ok();
    }
    let half = ["a.m.", "am", "p.m.", "pm"].into_iter().find_map(|end| Some((text.strip_suffix(end)?, end)));
    let (clock, is_afternoon) = match half {
        Some((clock, end)) => (clock, Some(end.starts_with('p'))),
        None => (text, None),
    };
    let parts: Vec<&str> = clock.split([':', '.', 'h']).collect();
    let (hour, minute): (i8, i8) = match parts[..] {
        [digits] if digits.len() >= 3 => {
            let (hour, minute) = digits.split_at_checked(digits.len() - 2)?;
            (hour.parse().ok()?, minute.parse().ok()?)
        }
        [hour] if is_afternoon.is_some() => (hour.parse().ok()?, 0),
        [hour, ""] => (hour.parse().ok()?, 0),
        [hour, minute] | [hour, minute, "00"] => (hour.parse().ok()?, minute.parse().ok()?),
        _ => return None,
    };
    let hour = match is_afternoon {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(is_afternoon) => hour % 12 + if is_afternoon { 12 } else { 0 },
    };
    Time::new(hour, minute, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time as at};

    use super::*;

    #[test]
    fn days_are_read_as_people_write_them() {
        let today = date(2025, 11, 24);
        for text in [
            "2025-12-12",
            "2025-12-12T00:00:00",
            "2025-12-12 00:00:00",
            "12/12/2025",
            "12.12.25",
            "12 December",
            "Friday, 12th December 2025",
            "Dec 12",
            "12-Dec-2025",
            "2025/12/12",
            "12.12.",
            "46003",
            "46003.75",
        ] {
            assert_eq!(day(text, today), Some(date(2025, 12, 12)), "{text}");
        }
        assert_eq!(day("3/4/2026", today), Some(date(2026, 4, 3)), "the day comes first");
        assert_eq!(day("12/25/2025", today), Some(date(2025, 12, 25)), "unless it cannot");
        assert_eq!(day("2 January", today), Some(date(2026, 1, 2)));
        for text in [
            "",
            "12",
            "soon",
            "10:30",
            "31 February 2026",
            "12/13/14/15",
            "12 December Hall",
            "2025",
            "146003",
            "Monday, 12 December 2025",
        ] {
            assert_eq!(day(text, today), None, "{text}");
        }
    }

    #[test]
    fn weekdays_decide_between_years_and_are_read_in_four_languages() {
        // In 2026 it is a Monday.
        assert_eq!(day("Sunday, 26 October", date(2026, 11, 27)), Some(date(2025, 10, 26)));
        for text in ["Fr, 24.10.2025", "Freitag, 24. Okt", "vendredi 24 octobre 2025", "ven. 24/10", "FRI 24 Oct"] {
            assert_eq!(day(text, date(2025, 10, 1)), Some(date(2025, 10, 24)), "{text}");
        }
        for text in ["ഒക്ടോബർ 24", "2025 ഒക്ടോബർ 24, വെള്ളി", "24 ഒക്ടോബര്\u{200d} 2025", "വെള്ളിയാഴ്ച, 24.10.2025"]
        {
            assert_eq!(day(text, date(2025, 10, 1)), Some(date(2025, 10, 24)), "{text}");
        }
        assert_eq!(day("ശനി, 24.10.2025", date(2025, 10, 1)), None);
        for text in ["Tues 3 March 2026", "Mar 3 2026", "mardi 3 mars", "Di., 3. März 2026"] {
            assert_eq!(day(text, date(2026, 1, 1)), Some(date(2026, 3, 3)), "{text}");
        }
    }

    #[test]
    fn moments_are_read_in_either_order() {
        let today = date(2026, 11, 24);
        let expected = Some(date(2027, 1, 23).at(10, 30, 0, 0));
        for text in [
            "23-01-2027 10:30 AM",
            "23/01/27, 10.30",
            "10.30 am on Saturday, 23 January",
            "2027-01-23 10:30:00",
            "23rd Jan 2027 at 1030 hrs",
            "23.01.2027 – 10h30",
            "46410.4375",
            "46410.437499999",
        ] {
            assert_eq!(date_time(text, today, false), expected, "{text}");
        }
        assert_eq!(date_time("23-01-2027", today, false), Some(date(2027, 1, 23).at(0, 0, 0, 0)));
        for text in ["23-01-2027", "2027-01-23", "46410"] {
            assert_eq!(date_time(text, today, true), Some(date(2027, 1, 23).at(23, 59, 0, 0)), "{text}");
        }
        for text in ["10:30", "soon", "23 January evening", "23/01/2027 25:00"] {
            assert_eq!(date_time(text, today, false), None, "{text}");
        }
    }

    #[test]
    fn times_are_read_with_either_clock() {
        for text in
            ["18:30", "18.30", "1830", "18h30", "6:30 PM", "6.30pm", "06:30 p.m.", "18:30:00", "18:30 hrs", "0.7708333"]
        {
            assert_eq!(time(text), Some(at(18, 30, 0, 0)), "{text}");
        }
        for (text, hour, minute) in [
            ("12:30 AM", 0, 30),
            ("12 pm", 12, 0),
            ("midnight", 0, 0),
            ("noon", 12, 0),
            ("9 am", 9, 0),
            ("0.30", 0, 30),
        ] {
            assert_eq!(time(text), Some(at(hour, minute, 0, 0)), "{text}");
        }
        assert_eq!(time("0.75"), Some(at(18, 0, 0, 0)));
        for text in ["", "18", "25:00", "13 pm", "evening", "18:60", "0.9x", "1.75"] {
            assert_eq!(time(text), None, "{text}");
        }
    }
}
