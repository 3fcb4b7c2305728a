//! The demonstration's dates agree with each other on every page, whenever it is seeded, and nothing already published
//! lies in the future.
//!
//! All dates of the seed file move by the same number of days, so every date on a page must be one of the moved ones.
//! Facts that several pages state are compared as well.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use festival::modules;
use festival_core::seed::{self, Seed};
use festival_core::{db, settings};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use regex::{Captures, Regex};
use serde_json::Value;

use crate::support::{Database, TestApp, fixture, repository, sections};

/// The first days of a year, the middle of a year, its last hours (already the next year in Kerala), a leap day, a
/// distant year in which no date can be right by chance, and a day from which the festival begins on New Year's Day; on
/// a Monday the festival is as far away as it can be, on a Sunday as near.
const CLOCKS: [&str; 6] = [
    "2027-01-02T06:30:00Z",
    "2026-08-30T06:30:00Z",
    "2027-12-31T20:00:00Z",
    "2028-02-29T06:30:00Z",
    "2033-05-16T06:30:00Z",
    "2026-11-05T06:30:00Z",
];

const MONTHS: &str = "January|February|March|April|May|June|July|August|September|October|November|December";
const SHORT: &str = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";

/// Texts that look like dates of this festival but are not: fixed addresses, an earlier catalogue, the weather.
const FIXED: [&str; 6] =
    ["isff-2025", "ndsf-2025", "iffoc-2025", "IFFOC 2025", "In June it falls", "by August the moss"];

static ISO: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(\d{4})-(\d\d)-(\d\d)").unwrap());
static COMPACT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(20\d\d)(\d\d)(\d\d)T\d{6}").unwrap());
static DAY_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?:\b([A-Z][a-z]+day),? )?(?:\b(\d{{1,2}}) to )?\b(\d{{1,2}}) ({MONTHS})(?: (\d{{4}}))?\b"))
        .unwrap()
});
static MONTH_FIRST: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"\b({MONTHS}|{SHORT}) (\d{{1,2}}), (\d{{4}})\b")).unwrap());
static MONTH: LazyLock<Regex> = LazyLock::new(|| Regex::new(&format!(r"\b({MONTHS})\b")).unwrap());
static OF_HISTORY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"\b({MONTHS}) (19\d\d|200\d|201\d|202[0-4])\b")).unwrap());
/// A year within a text of the seed file; those of the history's rows appear on its page only.
static OF_YEAR: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"[^"]\{(\d{4})\}"#).unwrap());
static YEAR: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:^|[^\d.,#&/=\w-])(20[2-9]\d)\b").unwrap());

/// A site with the demonstration's settings and without rows.
pub(crate) async fn bare_site() -> TestApp {
    let directory = tempfile::tempdir().unwrap();
    let copy = Database::Sqlite.empty().await;
    let text = demonstration();
    let file: toml::Table = toml::from_str(&text).unwrap();
    let own = settings::defaults_with(&file["settings"].as_table().unwrap().to_string(), &sections()).unwrap();
    let app = TestApp::on_database(directory, copy, &modules(), |settings| {
        settings.product = own.product;
        settings.contact = own.contact;
        settings.sections = own.sections;
    })
    .await;
    db::migrate(&app.app.db, &app.app.registry.all_migrations(), &app.app.clock).await.unwrap();
    app
}

pub(crate) fn demonstration() -> String {
    std::fs::read_to_string(repository("config/editions/2025.toml")).unwrap()
}

/// Seeds `text` with placeholder files, and returns the number of days by which dates moved.
pub(crate) async fn seed_text(app: &TestApp, text: &str, relative: bool) -> i64 {
    let read = Box::new(|name: &str| {
        let file = match name.rsplit_once('.').unwrap().1 {
            "pdf" => fixture("pictures/issue.pdf"),
            "mp4" => repository("config/editions").join(name),
            "png" => fixture("pictures/poster.png"),
            _ => fixture("pictures/cover.webp"),
        };
        std::fs::read(file).ok()
    });
    let seed = Seed { text: text.to_owned(), read };
    let report = seed::seed(&app.app.records, &app.app.in_force, &seed, relative)
        .await
        .unwrap_or_else(|error| panic!("{}", error.for_terminal()));
    report.moved_days
}

/// The paths of all pages, endpoints and documents with text.
async fn addresses(app: &TestApp) -> Vec<String> {
    let mut addresses = app.pages().await;
    addresses.retain(|path| !path.starts_with("/blog/") && !path.starts_with("/films/"));
    for (table, path) in [("blogs", "/blog/"), ("categories", "/films/")] {
        let mut connection = app.app.db.read().await.unwrap();
        let sql = sqlx::AssertSqlSafe(format!("SELECT id FROM {table}"));
        let ids: Vec<i64> = sqlx::query_scalar(sql).fetch_all(&mut *connection).await.unwrap();
        addresses.extend(ids.iter().map(|id| format!("{path}{id}")));
    }
    addresses.extend(app.endpoints().await.iter().map(|path| format!("/api{path}/")));
    let documents = app.app.contents.documents.iter().map(|document| document.path.for_openapi());
    // The expiry date of security.txt is not a date of the festival.
    addresses.extend(documents.filter(|path| !path.contains('{') && !path.starts_with("/.well-known/")));
    addresses
}

/// The dates that may appear.
struct Days {
    days: BTreeSet<Date>,
    /// Years that stand alone in its texts.
    years: BTreeSet<i16>,
}

impl Days {
    /// Every date and year of the seed file, moved, and today, in Kerala and in UTC, which the sitemap uses.
    fn of(text: &str, moved: i64, now: Timestamp) -> Self {
        let first: Date = "2025-10-24".parse().unwrap();
        let further = first.checked_add(moved.days()).unwrap().year() - first.year();
        let years = OF_YEAR.captures_iter(text).map(|found| found[1].parse::<i16>().unwrap() + further).collect();
        let moved = |found: Captures<'_>| {
            let day: Date = found[0].parse().unwrap();
            day.checked_add(moved.days()).unwrap()
        };
        let mut days: BTreeSet<Date> = ISO.captures_iter(text).map(moved).collect();
        days.extend([TimeZone::get("Asia/Kolkata").unwrap(), TimeZone::UTC].map(|zone| now.to_zoned(zone).date()));
        Self { days, years }
    }

    fn has(&self, year: i16, month: i8, day: i8) -> bool {
        year < 2025 || Date::new(year, month, day).is_ok_and(|day| self.days.contains(&day))
    }

    fn has_day(&self, month: i8, day: i8, weekday: Option<&str>) -> bool {
        let mut found = self.days.iter().filter(|known| (known.month(), known.day()) == (month, day));
        found.any(|known| weekday.is_none_or(|name| known.strftime("%A").to_string() == name))
    }
}

fn month(name: &str) -> i8 {
    let at = SHORT.split('|').position(|short| name.starts_with(short)).expect("a month");
    i8::try_from(at + 1).unwrap()
}

/// Every date in `text` that is not one of `days`, with the text around it.
fn foreign_dates(text: &str, days: &Days) -> Vec<String> {
    let mut text = FIXED.iter().fold(text.to_owned(), |text, fixed| text.replace(fixed, "~"));
    let mut found = Vec::new();
    let mut check = |text: &mut String, pattern: &Regex, is_right: &dyn Fn(&Captures<'_>) -> bool| {
        for captures in pattern.captures_iter(text).filter(|captures| !is_right(captures)) {
            let whole = captures.get(0).unwrap();
            let start = text.floor_char_boundary(whole.start().saturating_sub(40));
            let end = text.ceil_char_boundary((whole.end() + 40).min(text.len()));
            found.push(text[start..end].replace('\n', " "));
        }
        // Parts of a date that has been checked as a whole are not checked again.
        *text = pattern.replace_all(text, "~").into_owned();
    };
    let number = |captures: &Captures<'_>, at: usize| captures[at].parse::<i16>().unwrap();
    let small = |captures: &Captures<'_>, at: usize| captures[at].parse::<i8>().unwrap();
    let iso = |captures: &Captures<'_>| days.has(number(captures, 1), small(captures, 2), small(captures, 3));
    check(&mut text, &ISO, &iso);
    check(&mut text, &COMPACT, &iso);
    check(&mut text, &DAY_FIRST, &|captures| {
        let (weekday, first) = (captures.get(1).map(|name| name.as_str()), captures.get(2));
        let month = month(&captures[4]);
        let mut ends = std::iter::once(small(captures, 3)).chain(first.map(|day| day.as_str().parse().unwrap()));
        let year = captures.get(5).map(|year| year.as_str().parse::<i16>().unwrap());
        ends.all(|day| match year {
            Some(year) if year < 2025 => true,
            Some(year) => days.has(year, month, day) && (weekday.is_none() || days.has_day(month, day, weekday)),
            None => days.has_day(month, day, weekday),
        })
    });
    check(&mut text, &MONTH_FIRST, &|captures| days.has(number(captures, 3), month(&captures[1]), small(captures, 2)));
    check(&mut text, &OF_HISTORY, &|_| true);
    check(&mut text, &MONTH, &|captures| days.days.iter().any(|day| day.month() == month(&captures[1])));
    check(&mut text, &YEAR, &|captures| {
        let year = number(captures, 1);
        year < 2025 || days.years.contains(&year) || days.days.iter().any(|day| day.year() == year)
    });
    found
}

/// Every contradiction on the site, with the path where it appears.
async fn contradictions(app: &TestApp, days: &Days, now: Timestamp) -> Vec<String> {
    let mut found = Vec::new();
    for path in addresses(app).await {
        let response = app.get(&path).await;
        assert_eq!(response.status, 200, "{path}");
        // The days of earlier years have no year next to them.
        if path == "/history" || path == "/api/history/" || path == "/api/openapi.json/" {
            continue;
        }
        found.extend(foreign_dates(&response.text(), days).into_iter().map(|message| format!("{path}: {message}")));
    }
    let mut expect = |is_right: bool, message: String| {
        if !is_right {
            found.push(message);
        }
    };
    let facts = app.get("/api/site/").await.json();
    let edition = &facts["edition"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let year = edition["year"].to_string();
    expect(text(&edition["starts_on"]).starts_with(&year), format!("the edition of {year}: {edition}"));
    // The same fact on every page that states it.
    let deadline: Date = text(&edition["submission_deadline"]).parse().unwrap();
    for (path, fact) in [
        ("/", text(&edition["dates_text"])),
        ("/about-us", text(&edition["dates_text"])),
        ("/about-us", deadline.strftime("%-d %B %Y").to_string()),
        ("/submit-entry", text(&edition["submission_deadline_american_text"])),
        ("/form", format!("DELEGATE / MEMBER FORM - Velicham {year}")),
        ("/form-malayalam", year.clone()),
        ("/isff-2025", span(app, "isff-2025").await),
        ("/ifff-9th", span(app, "ifff-9th").await),
        ("/ndsf-2025", span(app, "ndsf-2025").await),
    ] {
        let page = app.get(path).await.text();
        expect(page.contains(&fact), format!("{path} does not say {fact}"));
    }
    let history = app.get("/api/history/").await.json();
    let years: Vec<i64> = history.as_array().unwrap().iter().map(|row| row["year"].as_i64().unwrap()).collect();
    let last = edition["year"].as_i64().unwrap() - 1;
    expect(years == (last - 20..=last).collect::<Vec<_>>(), format!("the history has {years:?}"));
    // Nothing already published or described as past lies in the future.
    let today = now.to_zoned(app.app.time_zone.clone()).date();
    for blog in app.get("/api/blogs/").await.json().as_array().unwrap() {
        let at: Timestamp = text(&blog["created_at"]).parse().unwrap();
        expect(at <= now, format!("a blog of the future: {}", blog["title"]));
    }
    let sessions = app.get("/api/sessions/ndsf-2025/").await.json();
    expect(text(&sessions[0]["day"]).parse::<Date>().unwrap() < today, "the winners are known too early".into());
    for film in app.get("/api/categories/1/films/").await.json().as_array().unwrap() {
        let made = film["year"].as_i64().unwrap();
        expect(
            (i64::from(today.year()) - 1..=i64::from(today.year())).contains(&made),
            format!("made in {made}: {film}"),
        );
    }
    found
}

/// The dates of a sister festival, from its sessions: "8 to 10 August 2025".
async fn span(app: &TestApp, festival: &str) -> String {
    let days = app.get(&format!("/api/sessions/{festival}/")).await.json();
    let days = days.as_array().unwrap();
    let day = |at: usize| days[at]["day"].as_str().unwrap().to_owned();
    festival_core::edition::dates_text(&day(0), &day(days.len() - 1))
}

#[tokio::test]
async fn demonstration_dates_agree_whenever_it_is_seeded() {
    let text = demonstration();
    for clock in CLOCKS {
        let app = bare_site().await;
        let now: Timestamp = clock.parse().unwrap();
        app.clock.set(now);
        let moved = seed_text(&app, &text, true).await;
        let today = now.to_zoned(app.app.time_zone.clone()).date();
        let days = Days::of(&text, moved, now);
        assert_eq!(contradictions(&app, &days, now).await, Vec::<String>::new(), "at {clock}");
        let edition = app.get("/api/site/").await.json()["edition"].clone();
        let ahead = |name: &str| edition[name].as_str().unwrap()[..10].parse::<Date>().unwrap() > today;
        assert!(ahead("submission_deadline") && ahead("countdown_at") && ahead("starts_on"), "{clock}: {edition}");
        assert_eq!(edition["is_near"], true, "{clock}: the home page leads to the programme");
    }
}

/// Titles and even the edition's year change, but the rows stay the same.
#[tokio::test]
async fn seeding_at_another_time_moves_dates_without_duplicates() {
    let app = bare_site().await;
    let text = demonstration();
    let mut seen = BTreeSet::new();
    for clock in CLOCKS {
        app.clock.set(clock.parse().unwrap());
        seed_text(&app, &text, true).await;
        for (table, count) in
            [("schedule_items", 8), ("editions", 1), ("sessions", 27), ("pages", 8), ("history_years", 21)]
        {
            assert_eq!(app.number(&format!("SELECT count(*) FROM {table}")).await, count, "{table} at {clock}");
        }
        let schedule = app.get("/api/screening-schedule/").await.json();
        let title = schedule[0]["title"].as_str().unwrap().to_owned();
        assert!(title.starts_with("Day 1, Friday ") && seen.insert(title.clone()), "{title}");
    }
}

#[tokio::test]
async fn plain_seed_has_the_dates_of_the_specification() {
    let app = bare_site().await;
    let text = demonstration();
    let now: Timestamp = "2025-08-30T06:30:00Z".parse().unwrap();
    app.clock.set(now);
    assert_eq!(seed_text(&app, &text, false).await, 0);
    let days = Days::of(&text, 0, now);
    assert_eq!(contradictions(&app, &days, now).await, Vec::<String>::new());
    for (path, fact) in [
        ("/", "24 to 31 October 2025"),
        ("/", "2025-09-03T22:00:00"),
        ("/submit-entry", "September 1, 2025"),
        ("/isff-2025", "Science Film Festival 2025"),
        ("/isff-2025", "8 to 10 August 2025"),
        ("/ifff-9th", "10 to 15 January 2026"),
        ("/ndsf-2025", "23 August 2025 at 4:00 PM"),
    ] {
        assert!(app.get(path).await.text().contains(fact), "{path}: {fact}");
    }
}

#[tokio::test]
async fn contradicting_dates_are_detected() {
    let app = bare_site().await;
    let now: Timestamp = CLOCKS[0].parse().unwrap();
    app.clock.set(now);
    let text = demonstration();
    let planted = [
        ("ended on {2025-08-23} at", "ended on 23 August 2025 at", "/ndsf-2025"),
        ("The last day for entries is {2025-09-01}.", "Entries are open until the end of October.", "/about-us"),
        ("works until {2025-10-31}", "works until 2025", "/submit-entry"),
        ("published_at = 2025-08-22T09", "published_at = 2025-09-22T09", "a blog of the future"),
        ("Day 2, {2025-10-25 %A %-d %B}", "Day 2, Sunday {2025-10-25 %-d %B}", "/api/screening-schedule/"),
    ];
    let mut wrong = text.clone();
    for (right, replacement, _) in planted {
        assert!(wrong.contains(right), "{right}");
        wrong = wrong.replace(right, replacement);
    }
    let moved = seed_text(&app, &wrong, true).await;
    let days = Days::of(&text, moved, now);
    let found = contradictions(&app, &days, now).await;
    for (_, replacement, place) in planted {
        assert!(found.iter().any(|line| line.starts_with(place)), "{replacement}: {found:#?}");
    }
}
