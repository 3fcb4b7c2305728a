//! Days, times and lengths as people write them.

use festival_files::export::{Cell, Column, Format, TableWriter};
use festival_files::sheet::{self, Limits};
use jiff::civil::{Date, date, time as at};

use super::super::duration::{self, Clock};
use super::super::times::{Span, Times};
use super::{Dates, Order};

const DOCUMENT: &str = include_str!("../../../../../docs/dates-and-times.md");

/// The first two cells of the rows of the table below a heading. The first ones are as a list in each format gives them back:
/// as texts, and as numbers if they are whole ones.
fn table(heading: &str) -> Vec<(String, &'static str)> {
    let section = DOCUMENT.split("\n## ").find(|section| section.starts_with(heading)).unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = |row: &'static str| {
        let mut cells = row.split('|').map(str::trim).skip(1);
        (cells.next().unwrap(), cells.next().unwrap())
    };
    let rows: Vec<(&str, &'static str)> = rows.map(cells).collect();
    assert!(rows.len() >= if heading == "Lengths" { 12 } else { 30 });
    let texts = rows.iter().map(|(text, meaning)| (Cell::text(*text), *meaning));
    let numbers = rows.iter().filter_map(|(text, meaning)| Some((Cell::Number(text.parse().ok()?), *meaning)));
    let rows: Vec<(Cell, &'static str)> = texts.chain(numbers).collect();
    Format::ALL.into_iter().flat_map(|format| read_back(format, &rows)).collect()
}

/// Writes a list with these cells, and reads it.
fn read_back(format: Format, rows: &[(Cell, &'static str)]) -> Vec<(String, &'static str)> {
    let columns = [Column::new("written", "Written"), Column::new("meaning", "Meaning")];
    let mut writer = TableWriter::new(format, Vec::new(), &columns, false, &std::env::temp_dir()).unwrap();
    for (cell, meaning) in rows {
        writer.row(&[cell.clone(), Cell::text(*meaning)]).unwrap();
    }
    let list = sheet::read(&writer.finish().unwrap(), format.name(), &Limits::default()).unwrap();
    assert_eq!(list.rows.len(), rows.len(), "{format:?}");
    list.rows.iter().zip(rows).map(|(row, (_, meaning))| (row.cells[0].to_owned(), *meaning)).collect()
}

fn likely(near: Date) -> Dates {
    Dates { near, order: Order::Likely }
}

#[test]
fn thirty_notations_of_a_day_in_the_documentation_are_read() {
    for (text, _) in table("Days") {
        assert_eq!(likely(date(2026, 12, 10)).day(&text), Some(date(2026, 12, 12)), "{text}");
    }
}

#[test]
fn thirty_notations_of_a_time_in_the_documentation_are_read() {
    let times = Times::of_column([].into_iter(), vec!["IST".to_owned()]);
    for (text, expected) in table("Times") {
        let (start, minutes) = expected.split_once(", ").unwrap_or((expected, ""));
        let (hour, minute) = start.split_once(':').unwrap();
        let start = at(hour.parse().unwrap(), minute.parse().unwrap(), 0, 0);
        let minutes = minutes.strip_suffix(" minutes").map(|minutes| minutes.parse().unwrap());
        let is_after_midnight = text == "24:30";
        assert_eq!(times.span(&text), Some(Span { start, minutes, is_after_midnight }), "{text}");
    }
}

#[test]
fn lengths_in_the_documentation_are_read() {
    for (text, expected) in table("Lengths") {
        assert_eq!(duration::minutes(&text, Clock::HoursMinutes), Ok(expected.parse().unwrap()), "{text}");
    }
}

#[test]
fn days_are_read_as_people_write_them() {
    let dates = likely(date(2025, 11, 24));
    for text in ["2025-12-12T00:00:00", "2025-12-12 00:00:00", "46003", "46003.75"] {
        assert_eq!(dates.day(text), Some(date(2025, 12, 12)), "{text}");
    }
    assert_eq!(dates.day("3/4/2026"), Some(date(2026, 4, 3)), "the day comes first");
    assert_eq!(dates.day("12/25/2025"), Some(date(2025, 12, 25)), "unless it cannot");
    assert_eq!(dates.day("2 January"), Some(date(2026, 1, 2)));
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
        "12 January December",
        "40 December",
        "18時30分",
        "12-13 December",
        "12–13 December 2026",
        "Dec 12-13",
        "11, 12 December",
        "12 Dec 1830",
        "12/12/2569",
        "1405/9/21",
        "0026-12-12",
    ] {
        assert_eq!(dates.day(text), None, "{text}");
    }
    for text in ["12-Dec-25", "12 Dec '25", "Fri, 12 December, 2025", "12 décembre 25"] {
        assert_eq!(dates.day(text), Some(date(2025, 12, 12)), "{text}");
    }
}

#[test]
fn weekdays_decide_between_years_and_are_told_from_months() {
    // In 2026 it is a Monday.
    assert_eq!(likely(date(2026, 11, 27)).day("Sunday, 26 October"), Some(date(2025, 10, 26)));
    for text in [
        "Fr, 24.10.2025",
        "Freitag, 24. Okt",
        "vendredi 24 octobre 2025",
        "ven. 24/10",
        "FRI 24 Oct",
        "ഒക്ടോബർ 24",
        "2025 ഒക്ടോബർ 24, വെള്ളി",
        "24 ഒക്ടോബര്\u{200d} 2025",
        "വെള്ളിയാഴ്ച, 24.10.2025",
        "10월 24일 (금)",
        "शुक्रवार 24 अक्टूबर",
    ] {
        assert_eq!(likely(date(2025, 10, 1)).day(text), Some(date(2025, 10, 24)), "{text}");
    }
    assert_eq!(likely(date(2025, 10, 1)).day("ശനി, 24.10.2025"), None);
    for text in
        ["Tues 3 March 2026", "Mar 3 2026", "mardi 3 mars", "Di., 3. März 2026", "mar 3/3", "3-Mar-26", "mar. 3 mars"]
    {
        assert_eq!(likely(date(2026, 1, 1)).day(text), Some(date(2026, 3, 3)), "{text}");
    }
}

#[test]
fn moments_are_read_in_either_order() {
    let dates = likely(date(2026, 11, 24));
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
        "sábado 23 de enero a las 10:30",
        "2027年1月23日（土）10：30",
        "1月23日 上午10点半",
        "2027年1月23日10時30分",
        "23 января 2027 г. в 10:30",
        "2027 ജനുവരി 23, രാവിലെ 10:30",
    ] {
        assert_eq!(dates.date_time(text, false), expected, "{text}");
    }
    assert_eq!(dates.date_time("23-01-2027", false), Some(date(2027, 1, 23).at(0, 0, 0, 0)));
    assert_eq!(dates.date_time("22 Jan 24:30", false), Some(date(2027, 1, 23).at(0, 30, 0, 0)), "of the next day");
    for text in ["23-01-2027", "2027-01-23", "46410"] {
        assert_eq!(dates.date_time(text, true), Some(date(2027, 1, 23).at(23, 59, 0, 0)), "{text}");
    }
    for text in [
        "10:30",
        "soon",
        "23 January evening",
        "Monday, 26 October 2025",
        "23/01/2027 25:00",
        "23/01/2027 10:30 GMT",
        "2027-01-23 10:30:00 +0530",
        "2027-01-23 10:30:00 -0800",
    ] {
        assert_eq!(dates.date_time(text, false), None, "{text}");
    }
}

#[test]
fn times_that_may_mean_something_else_are_refused() {
    let times = Times::default();
    for (text, hour, minute) in [
        ("12:30 AM", 0, 30),
        ("12 pm", 12, 0),
        ("noon", 12, 0),
        ("9 am", 9, 0),
        ("0.30", 0, 30),
        ("0.75", 18, 0),
        ("रात 11 बजे", 23, 0),
        ("18:30 h", 18, 30),
        ("18h30min", 18, 30),
        ("18 ч. 30 мин.", 18, 30),
        ("18：30", 18, 30),
        ("오후 7시 반", 19, 30),
        ("الساعة 6:30 مساء", 18, 30),
        ("6-30 PM", 18, 30),
        ("9-15 am", 9, 15),
        ("6.30 pm onwards", 18, 30),
        ("6.30 pm sharp", 18, 30),
        ("'18:30", 18, 30),
    ] {
        assert_eq!(times.time(text), Some(at(hour, minute, 0, 0)), "{text}");
    }
    for text in [
        "",
        "18",
        "25:00",
        "13 pm",
        "evening",
        "18:60",
        "0.9x",
        "1.75",
        "18:30 GMT",
        "18:30 (UTC)",
        "18-20",
        "10-12",
        "9-15",
        "18:30 (19:00)",
        "12 December",
        "Friday 10:30",
    ] {
        assert_eq!(times.time(text), None, "{text}");
    }
    for (text, hour, minute, length) in [
        ("11-1 PM", 11, 0, 120),
        ("de 10h à 12h30", 10, 0, 150),
        ("10:00 → 12:30", 10, 0, 150),
        ("from 10 to 12.30 PM", 10, 0, 150),
    ] {
        let span = Span { start: at(hour, minute, 0, 0), minutes: Some(length), is_after_midnight: false };
        assert_eq!(times.span(text), Some(span), "{text}");
    }
}

#[test]
fn numbers_in_a_column_of_times_with_points_are_hours_and_minutes() {
    let times = Times::of_column(["9.3", "18", "0.3"].into_iter(), Vec::new());
    let read = ["9.3", "18", "0.3", "11.45", "21.1"].map(|text| times.time(text).unwrap().to_string());
    assert_eq!(read, ["09:30:00", "18:00:00", "00:30:00", "11:45:00", "21:10:00"]);
    let parts = Times::of_column(["0.3", "0.75", "0.25"].into_iter(), Vec::new());
    let read = ["0.3", "0.75", "0.25"].map(|text| parts.time(text).unwrap().to_string());
    assert_eq!(read, ["07:12:00", "18:00:00", "06:00:00"], "parts of a day");
    let typed = Times::of_column(["0.25", "0.30"].into_iter(), Vec::new());
    assert_eq!(typed.time("0.25"), Some(at(0, 25, 0, 0)), "nothing says that it is a part of a day");
}

#[test]
fn one_order_of_day_and_month_applies_to_a_column() {
    let edition = (date(2026, 12, 10), date(2026, 12, 20));
    let order = |cells: &[&'static str]| Order::of_column(cells.iter().copied(), edition);
    assert_eq!(order(&["01/02/2027", "01/25/2027"]), Ok(Order::MonthFirst), "25 is no month");
    assert_eq!(order(&["01/02/2027", "25/01/2027"]), Ok(Order::DayFirst));
    assert_eq!(order(&["Fri 12/11/2026", "12/10/2026"]), Ok(Order::MonthFirst), "12 November is no Friday");
    assert_eq!(order(&["Fri 12/11/2026"]), Ok(Order::MonthFirst), "the only cell proves the order, too");
    assert_eq!(order(&["12/11/2026", "12/12/2026"]), Ok(Order::MonthFirst), "the edition is in December");
    assert_eq!(order(&["11-12-2026", "12-12-2026 18:30"]), Ok(Order::DayFirst));
    assert_eq!(order(&["05/12/2026"]), Ok(Order::DayFirst), "a guest arrives early");
    assert_eq!(
        order(&["2026-11-12", "12.11.2026", "12 Nov 2026", "12/12/2026"]),
        Ok(Order::Likely),
        "nothing to decide"
    );
    let both = Err(("3/4/2019", [date(2019, 4, 3), date(2019, 3, 4)]));
    assert_eq!(order(&["3/4/2019"]), both);
    assert_eq!(order(&["3/4/2019", "25/12/2019", "12/25/2019"]), both, "the column has both orders");
    assert_eq!(order(&["12.11.2026", "12.13.2026"]), Ok(Order::MonthFirstWithPoints));
    assert_eq!(order(&["12.11.2026", "13.12.2026"]), Ok(Order::DayFirst));
    let contradicting = Err(("12.11.2026", [date(2026, 11, 12), date(2026, 12, 11)]));
    assert_eq!(order(&["12.11.2026", "13.12.2026", "12.13.2026"]), contradicting);
    let with_points = Dates { near: edition.0, order: Order::MonthFirstWithPoints };
    assert_eq!(with_points.day("12.11.2026"), Some(date(2026, 12, 11)));
    let american = Dates { near: edition.0, order: Order::MonthFirst };
    assert_eq!(american.day("12/11/2026"), Some(date(2026, 12, 11)));
    assert_eq!(american.day("25/12/2026"), None, "it is not read against the order of the column");
    assert_eq!(american.day("11.12.2026"), Some(date(2026, 12, 11)), "with points the day is first");
}
