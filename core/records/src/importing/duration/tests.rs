//! Running times as people print them.

use super::{clock, minutes};

fn in_a_column_of_its_own(text: &str) -> Result<i64, String> {
    let (clock, _) = clock("Duration", [text].into_iter());
    minutes(text, clock)
}

#[test]
fn running_times_are_read_to_whole_minutes() {
    for (text, expected) in [
        ("1h 32m", 92),
        ("2h", 120),
        ("58m", 58),
        ("92 min", 92),
        ("105 minutes", 105),
        ("22'", 22),
        ("55’", 55),
        ("34m", 34),
        ("28", 28),
        ("1h32", 92),
        ("PT1H32M", 92),
        ("٩٢ دقيقة", 92),
        ("൯൨ മിനിറ്റ്", 92),
        ("90 mins.", 90),
        ("1 hr, 32 mins", 92),
        ("1 h. 32 min.", 92),
        ("1 hour and 32 minutes", 92),
        ("1:32:10", 92),
        ("0:58:40", 59),
        ("22' 30\"", 23),
        ("1h32'", 92),
        ("92.0", 92),
        ("1.5 hours", 90),
        ("1,5 h", 90),
        ("75'", 75),
        ("2 heures 5 minutes", 125),
        ("61′", 61),
        ("0:20:24", 20),
        ("20 sec", 1),
        ("1h 16m 40s", 77),
        ("1:45 h", 105),
        ("23:15'", 23),
        ("92 MIN", 92),
        ("14h 28m", 868),
        ("5520 s", 92),
        ("1 h 32", 92),
        ("01h 32m 10s", 92),
        ("92′", 92),
        ("92分钟", 92),
        ("1小时32分", 92),
        ("92 dk.", 92),
        ("1 ч 32 мин", 92),
        ("1 Stunde und 32 Minuten", 92),
        ("1 hora y 32 minutos", 92),
        ("1 ora e 32 minuti", 92),
        ("1 saat 32 dakika", 92),
        ("1 час 32 минуты", 92),
        ("1 घंटा और 32 मिनट", 92),
        ("1 മണിക്കൂർ 32 മിനിറ്റ്", 92),
        ("1 மணி 32 நிமிடம்", 92),
        ("1 ساعة و 32 دقيقة", 92),
        ("1시간 32분", 92),
        ("1時間32分", 92),
        ("2.00 hrs", 120),
        ("92 Mts.", 92),
        ("1 hr 32 mts", 92),
        ("approx. 92 min", 92),
        ("92 minutes approx.", 92),
        ("~92", 92),
        ("1.32.00", 92),
        ("0.12.30", 13),
    ] {
        assert_eq!(in_a_column_of_its_own(text), Ok(expected), "{text}");
    }
    for text in [
        "",
        "0",
        "1.32",
        "abc",
        "90 days",
        "16h",
        "1000",
        "1h 90m",
        "32m 1h",
        "20:75",
        "92:00:00",
        "1:2:3:4",
        "-90",
        "90 90",
        "h",
        "1h 2h",
        "1.30 hrs",
        "1,25 h",
        "92 min (+10 min)",
        "1h (+32 min)",
        "2 x 45 min",
        "1..32",
    ] {
        assert!(in_a_column_of_its_own(text).is_err(), "{text}: {:?}", in_a_column_of_its_own(text));
    }
}

/// From 5:00 on they are minutes and seconds, below that hours and minutes; in a column with both the latter are
/// refused.
#[test]
fn the_column_decides_between_hours_and_minutes() {
    let read = |header: &str, cells: &[&str]| -> Vec<Result<i64, String>> {
        let (clock, _) = clock(header, cells.iter().copied());
        cells.iter().map(|cell| minutes(cell, clock)).collect()
    };
    assert_eq!(read("Duration", &["20:24", "5:10"]), [Ok(20), Ok(5)]);
    assert_eq!(read("Duration", &["01:45", "2:05"]), [Ok(105), Ok(125)]);
    assert_eq!(read("Duration (mm:ss)", &["01:45", "20:24"]), [Ok(2), Ok(20)]);
    assert_eq!(read("Duration (hh:mm)", &["01:45", "5:10"]), [Ok(105), Ok(310)]);
    assert_eq!(read("Duration (h)", &["2", "1.5", "1:45", "95 min"]), [Ok(120), Ok(90), Ok(105), Ok(95)]);
    assert!(read("Running time in hours", &["1.30"])[0].is_err(), "1 h 30 min, or 78 min");
    assert_eq!(read("Duration (h min)", &["92"]), [Ok(92)]);
    assert_eq!(read("Duration (s)", &["5520", "600", "12:30"]), [Ok(92), Ok(10), Ok(13)]);
    assert_eq!(read("Runtime in seconds", &["90"]), [Ok(2)]);
    assert_eq!(read("Film duration(s)", &["92"]), [Ok(92)], "a plural");
    assert_eq!(read("Film's duration", &["600"]), [Ok(600)]);
    let mixed = read("Duration", &["01:45", "20:24"]);
    assert_eq!(mixed[1], Ok(20));
    assert!(mixed[0].as_ref().is_err_and(|text| text.starts_with("1h 45m or 1 min 45 s")), "{mixed:?}");
}
