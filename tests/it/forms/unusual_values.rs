//! Unusual values that real clients send: stored as sent, parsed where possible, flagged in the back office.

use std::time::Duration;

use festival_forms::DESK;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::requests::{
    FormRequest, assert_received, assert_refused, count_stored_files, lift_limits, send_message, set_forms_setting,
};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(
    unusual_values_are_accepted_and_flagged,
    form_that_started_before_the_deadline_is_accepted,
    interrupted_upload_can_be_retried_after_the_deadline,
);

const NOTATION: &str = "Telephone number in an unusual notation";
const SEVERAL: &str = "Several telephone numbers";
const WORDS: &str = "Words beside the telephone number";
const NO_DIGITS: &str = "Telephone number has no digits";

/// A field and its unusual values: the value, and the flag in the back office; empty if there is none.
type UnusualValues = (&'static str, &'static [(&'static str, &'static str)]);

const FILM: &[UnusualValues] = &[
    ("title_english", &[("A\tLight", ""), ("A\u{a0}Light\u{200b}", ""), ("A\u{b}Light", ""), ("🎬", ""), ("=1+1", "")]),
    ("title_original", &[("\u{202a}വെളിച്ചം\u{202c}", ""), ("A\nLight", ""), ("<b>", ""), ("{{7*7}}", "")]),
    (
        "producer_mobile",
        &[
            ("98765.43210", NOTATION),
            ("98765\u{a0}43210", ""),
            ("98765–43210", NOTATION),
            ("9876543210, 9876543211", SEVERAL),
            ("9876543210 / 9876543211", SEVERAL),
            ("9876543210 (WhatsApp)", WORDS),
            ("0484 1234567 ext 5", "Telephone number with an extension"),
            ("९८७६५४३२१०", NOTATION),
            ("൯൮൭൬൫൪൩൨൧൦", NOTATION),
            ("٩٨٧٦٥٤٣٢١٠", NOTATION),
            ("９８７６５４３２１０", NOTATION),
        ],
    ),
    (
        "director_mobile",
        &[
            ("987654321", "Telephone number has 9 digits"),
            ("call me", NO_DIGITS),
            ("N/A", NO_DIGITS),
            ("-", NO_DIGITS),
            ("📞", NO_DIGITS),
            ("\u{202a}+91 98765 43210\u{202c}", ""),
            ("12345678901234567890123456789012345678901234567890", "Telephone number has 50 digits"),
        ],
    ),
    (
        "duration_minutes",
        &[
            ("97.0", "“97.0” is read as 97"),
            ("1e2", "“1e2” is read as 100"),
            ("0", "0 is unusual here"),
            ("1500", "1500 is unusual here"),
            ("-3", "-3 is unusual here"),
            ("97,5", "“97,5” is read as 98"),
            ("97 min", "“97 min” is read as 97"),
            ("1h 37m", "“1h 37m” is read as 97"),
            ("९७", "“९७” is read as 97"),
            ("sixteen", "“sixteen” could not be read as a whole number"),
            ("99999999999999999999", "could not be read as a whole number"),
            ("NaN", "“NaN” could not be read as a whole number"),
            ("🎬", "“🎬” could not be read as a whole number"),
        ],
    ),
    (
        "year_of_production",
        &[
            ("25", "“25” is read as 2025"),
            ("2024-25", "“2024-25” could not be read as a year"),
            ("MMXXV", "“MMXXV” could not be read as a year"),
            ("1879", "1879 is unusual here"),
            ("2027", "2027 is unusual here"),
            ("٢٠٢٤", "“٢٠٢٤” is read as 2024"),
            ("2024.0", "“2024.0” is read as 2024"),
            ("-2024", "-2024 is unusual here"),
        ],
    ),
    (
        "screener_link",
        &[
            ("https://video.example.org/1 password abc", "Words beside the web address"),
            ("vimeo.com/1", ""),
            ("on request", "No web address could be read"),
            ("ftp://x.example/film", "No web address could be read"),
            ("https://a.example/1\nhttps://a.example/2", "Several web addresses"),
            ("/films", "No web address could be read"),
            ("see javascript: nothing", "No web address could be read"),
        ],
    ),
    ("subtitles", &[("yes", ""), ("TRUE", "“TRUE” is read as Yes"), ("Perhaps", "“Perhaps” is none of: Yes, No")]),
    (
        "film_type",
        &[
            ("feature film", ""),
            ("Feature-Film", ""),
            ("Animation", "“Animation” is none of: Fiction"),
            ("<b>", "is none of"),
        ],
    ),
    ("correspondence_email", &[("a@b", "E-mail address is unusual"), (".a@b.example", "E-mail address is unusual")]),
    ("presentation_format", &[("\u{200b}", ""), ("35 mm", "")]),
];

/// Unusual values of the first-feature field, whose choices depend on the award.
const FEATURES: &[(&str, &str, &str)] = &[
    ("asian", "First Film", "“First Film” is read as First"),
    ("asian", "Second Film", "“Second Film” is read as Second"),
    ("indian", "First Film", "“First Film” is read as First"),
    ("indian", "No", "“No” is none of: First, Second, Indian Panorama"),
    ("asian", "Indian_Panorama", "“Indian_Panorama” is none of: First, Second, No"),
    ("malayalam", "first", ""),
    ("malayalam", "debut", "“debut” is none of: First Film, Second Film, No"),
    ("", "First Film", "“First Film” is read as First"),
];

const DELEGATE: &[UnusualValues] = &[
    (
        "age",
        &[
            ("21 years", "“21 years” is read as 21"),
            ("0", "0 is unusual here"),
            ("121", "121 is unusual here"),
            ("ten", "“ten” could not be read as a whole number"),
            ("३४", "“३४” is read as 34"),
            ("-5", "-5 is unusual here"),
            ("34.0", "“34.0” is read as 34"),
        ],
    ),
    (
        "category",
        &[
            ("20th Lantern Delegate", "“20th Lantern Delegate” is taken for 20th Velicham Delegate"),
            ("20TH\u{a0}velicham – delegate", ""),
            ("student-delegate", ""),
            ("Membership (Rs. 2,000)", "“Membership (Rs. 2,000)” is taken for Membership"),
            ("King", "“King” is no category of this festival"),
            ("2000", "“2000” is no category of this festival"),
        ],
    ),
    ("email", &[("x@y", "E-mail address is unusual")]),
    ("occupation", &[("\u{feff}Teacher", "")]),
];

const CONTACT: &[UnusualValues] = &[
    ("contact", &[("", ""), ("whatsapp only", NO_DIGITS), ("?", NO_DIGITS), ("9876543210/9876543211", SEVERAL)]),
    ("email", &[("", ""), ("x@y", "E-mail address is unusual")]),
    ("name", &[("", ""), ("\u{200b}", "")]),
    ("message", &[("", ""), ("🎬", "")]),
];

/// Posts `body` over a plain TCP connection.
async fn send(address: &str, path: &str, content_type: &str, body: &[u8]) -> (u16, Value) {
    let mut stream = start_request(address, path, content_type, body.len(), "").await;
    stream.write_all(body).await.unwrap();
    read_response(stream).await
}

/// Opens a connection and sends the request head.
async fn start_request(address: &str, path: &str, content_type: &str, length: usize, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: {content_type}\r\n\
         Content-Length: {length}\r\n{more}\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

async fn read_response(mut stream: TcpStream) -> (u16, Value) {
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap_or(Value::Null))
}

/// Combines the n-th unusual value of every field into the n-th submission.
fn combine_values(odd: &[UnusualValues]) -> Vec<Vec<(&'static str, &'static str, &'static str)>> {
    let count = odd.iter().map(|(_, values)| values.len()).max().unwrap();
    let round = |place| {
        odd.iter().filter_map(move |(field, values)| values.get(place).map(|(value, reason)| (*field, *value, *reason)))
    };
    (0..count).map(|place| round(place).collect()).collect()
}

/// HTML-escapes a text as pages do.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('=', "&#x3D;")
}

async fn assert_flagged(desk: &Browser<'_>, list: &str, id: i64, values: &[(&str, &str, &str)]) {
    let page = desk.get(&format!("/admin/{list}/{id}")).await.text();
    let rows = desk.get(&format!("/admin/{list}")).await.text();
    for (field, value, reason) in values {
        if reason.is_empty() {
            continue;
        }
        assert!(page.contains(&escaped(reason)), "{field} {value:?}: {reason} in {page}");
        assert!(page.contains(&escaped(value).replace('\n', " ")), "{field} {value:?} as it was sent in {page}");
        assert!(rows.contains(&field.replace('_', " ")), "{field} {value:?} in the list: {rows}");
    }
}

async fn unusual_values_are_accepted_and_flagged(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let address = app.serve().await;
    let desk = Browser::signed_in(&app, &create_account(&app, &DESK).await).await;
    let form = FormRequest::content_type();
    for (number, values) in combine_values(FILM).into_iter().enumerate() {
        let film = FormRequest::film().with("director_name", &format!("Director {number}"));
        let film = values.iter().fold(film, |film, (field, value, _)| film.with(field, value));
        let (status, body) = send(&address, "/api/changed/", &form, &film.body()).await;
        assert_eq!((status, &body["message"]), (201, &json!("Form submitted successfully!")), "{values:?}: {body}");
        assert_flagged(&desk, "film-submissions", body["id"].as_i64().unwrap(), &values).await;
    }
    for (number, (award, value, reason)) in FEATURES.iter().enumerate() {
        let field = "is_first_or_second_feature";
        let film = FormRequest::film().with("director_name", &format!("Feature {number}")).with(field, value);
        let path = if award.is_empty() { "/api/changed/".to_owned() } else { format!("/api/{award}-form/") };
        let (status, body) = send(&address, &path, &form, &film.body()).await;
        assert_eq!(status, 201, "{award} {value}: {body}");
        assert_flagged(&desk, "film-submissions", body["id"].as_i64().unwrap(), &[(field, *value, *reason)]).await;
    }
    for (number, values) in combine_values(DELEGATE).into_iter().enumerate() {
        let delegate = FormRequest::delegate().with("transaction_details", &format!("UTR {number}"));
        let delegate = values.iter().fold(delegate, |sent, (field, value, _)| sent.with(field, value));
        let (status, body) = send(&address, "/api/delegate-form/", &form, &delegate.body()).await;
        assert_eq!(status, 201, "{values:?}: {body}");
        assert_flagged(&desk, "delegates", body["id"].as_i64().unwrap(), &values).await;
    }
    for (number, values) in combine_values(CONTACT).into_iter().enumerate() {
        let mut message = json!({ "name": "", "email": "", "contact": number.to_string(), "message": "" });
        for (field, value, _) in &values {
            message[*field] = json!(value);
        }
        // An entirely empty message is rejected.
        if number == 0 {
            message["message"] = json!("When does it begin?");
        }
        let (status, body) = send(&address, "/api/contact/", "application/json", message.to_string().as_bytes()).await;
        assert_eq!((status, &body["success"]), (200, &json!("Message sent successfully!")), "{message}: {body}");
        let id = app.number("SELECT max(id) FROM contact_messages").await;
        assert_flagged(&desk, "contact-messages", id, &values).await;
    }
    let flagged = desk.get("/admin/film-submissions?flag=odd").await.text();
    assert!(flagged.contains("unusual: "), "{flagged}");
    // Parsed values are stored next to the input; nothing visible is changed.
    for condition in [
        "duration_minutes = 97 AND findings LIKE '%1h 37m%'",
        "duration_minutes IS NULL AND findings LIKE '%sixteen%'",
        "year_of_production = 2025 AND findings LIKE '%“25”%'",
        "producer_mobile = '9876543210 / 9876543211' AND findings LIKE '%+919876543210, +919876543211%'",
        "screener_link = 'vimeo.com/1' AND findings LIKE '%https://vimeo.com/1%'",
        "title_english = 'A Light' AND presentation_format = 'DCP'",
        "is_first_or_second_feature = 'No' AND award_category = 'indian'",
    ] {
        let count = app.number(&format!("SELECT count(*) FROM film_submissions WHERE {condition}")).await;
        assert!(count > 0, "{condition}");
    }
    let receipts = "SELECT count(*) FROM outbox WHERE to_address = ''";
    assert_eq!(app.number(receipts).await, 0, "no mail without an address");
    let renamed = "SELECT count(*) FROM delegates WHERE category = '20th Lantern Delegate' AND category_key = 'delegate' \
                   AND fee_inr = 1300";
    assert_eq!(app.number(renamed).await, 1);
    assert_eq!(app.number("SELECT count(*) FROM delegates WHERE category = 'King' AND fee_inr = 0").await, 1);
}

/// Rejections required by section 5 of the specification or for safety, with their exact messages.
#[tokio::test]
async fn only_specified_violations_are_rejected() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let long = format!("{}@example.org", "a".repeat(243));
    let email = "This is not an e-mail address like name@example.org".to_owned();
    let film = [
        ("title_english", " \u{200b}\u{a0} ", "Please fill in title english".to_owned()),
        ("synopsis_long", "\u{feff}\n\u{2060}", "Please fill in synopsis long".to_owned()),
        ("duration_minutes", "\u{200b}", "Please fill in duration minutes".to_owned()),
        ("film_type", "", "Please fill in film type".to_owned()),
        ("director_email", "a", email.clone()),
        ("director_email", "a b@example.org", email.clone()),
        ("director_email", "@example.org", email.clone()),
        ("director_email", "a@example..org", email.clone()),
        ("director_email", "a@b.example\r\nBcc: c@d.example", email.clone()),
        ("director_email", long.as_str(), "has 255 characters, at most 254 are kept".to_owned()),
        ("screener_link", "javascript:alert(1)", LINK.to_owned()),
        ("screener_link", "JaVa\tScRiPt:alert(1)", LINK.to_owned()),
        ("stills_link", "data:text/html,x", LINK.to_owned()),
        ("stills_link", "file:///etc/passwd", LINK.to_owned()),
        ("film_language", "Malay\u{1}alam", "holds a control character (U+0001); remove it".to_owned()),
        ("biography", "a\u{1b}[31m", "holds a control character (U+001B); remove it".to_owned()),
    ];
    for (field, value, sentence) in film {
        let response = FormRequest::film().with(field, value).post(&app, "/api/changed/").await;
        assert_eq!(assert_refused(&response), (field.to_owned(), sentence), "{value:?}");
    }
    let large = FormRequest::film().with("biography", &"x".repeat(65 * 1024)).post(&app, "/api/changed/").await;
    assert_eq!((large.status, &large.json()["error"]), (413, &json!("biography must be shorter than 64 KB")));
    let delegate = FormRequest::delegate().with("category", "\u{200b}").post(&app, "/api/delegate-form/").await;
    assert_eq!(assert_refused(&delegate), ("category".to_owned(), "Please fill in category".to_owned()));
    let empty = json!({ "name": " ", "email": null, "contact": "\u{200b}" });
    assert_eq!(
        assert_refused(&send_message(&app, &empty).await),
        ("message".to_owned(), "Please fill in message".to_owned())
    );
    let wrong = json!({ "email": "nobody", "message": "x" });
    assert_eq!(assert_refused(&send_message(&app, &wrong).await), ("email".to_owned(), email.clone()));
    assert_eq!(count_stored_files(&app), 0);
}

const LINK: &str = "Please give a web address, one that begins with https://";

fn closing(settings: &mut festival_core::settings::Settings) {
    lift_limits(settings);
    set_forms_setting(settings, "closes_at", json!({ "asian": "2025-11-01T00:00:00Z" }));
}

pub(super) const CLOSES_AT: &str = "2025-11-01T00:00:00Z";

/// A site whose form for Asian films closes at [`CLOSES_AT`], without an edition deadline.
pub(super) async fn closing_site(database: Database) -> TestApp {
    let app = TestApp::with(database, closing).await;
    app.write("UPDATE editions SET submission_deadline = NULL WHERE year = 2025").await;
    app
}

async fn form_that_started_before_the_deadline_is_accepted(database: Database) {
    let app = closing_site(database).await;
    let address = app.serve().await;
    let closes_at: jiff::Timestamp = CLOSES_AT.parse().unwrap();
    app.clock.set(closes_at - SignedDuration::from_secs(1));
    // The award of the first is known from its address, that of the second only from its body.
    let sent = [
        ("/api/asian-form/", FormRequest::film()),
        ("/api/changed/", FormRequest::film().with("title_english", "Another").with("award_category", "asian")),
    ];
    let mut under_way = Vec::new();
    for (path, film) in &sent {
        let body = film.body();
        let mut stream = start_request(&address, path, &FormRequest::content_type(), body.len(), "").await;
        // Sends the first file and no more.
        let mut files = body.windows(10).enumerate().filter(|(_, part)| part == b"filename=\"").map(|(at, _)| at);
        let second = files.nth(1).expect("a film has several files");
        stream.write_all(&body[..second]).await.unwrap();
        under_way.push((stream, body, second));
    }
    // Once each has a stored file, both have been admitted.
    let let_in = async {
        while count_stored_files(&app) < under_way.len() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), let_in).await.expect("both forms are admitted");
    app.clock.set(closes_at + SignedDuration::from_mins(16));
    let (status, _) =
        send(&address, "/api/asian-form/", &FormRequest::content_type(), &FormRequest::film().body()).await;
    assert_eq!(status, 403, "the form is closed");
    for (mut stream, body, second) in under_way {
        stream.write_all(&body[second..]).await.unwrap();
        let (status, body) = read_response(stream).await;
        assert_eq!(status, 201, "{body}");
    }
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_late = 0").await, 2);
}

async fn interrupted_upload_can_be_retried_after_the_deadline(database: Database) {
    let app = closing_site(database).await;
    let closes_at: jiff::Timestamp = CLOSES_AT.parse().unwrap();
    app.clock.set(closes_at - SignedDuration::from_secs(1));
    let path = "/api/asian-form/";
    let content_type = FormRequest::content_type();
    let key = ("Idempotency-Key", "the-same");
    // The connection broke in the middle of the form.
    let body = FormRequest::film().body();
    let broken = app.post(path, &[("Content-Type", content_type.as_str()), key], &body[..body.len() / 2]).await;
    assert_eq!(broken.status, 400);
    app.clock.set(closes_at + SignedDuration::from_mins(16));
    FormRequest::film().post_with(&app, path, &[("Idempotency-Key", "another")]).await.assert_error(403, "forbidden");
    assert_received(&FormRequest::film().post_with(&app, path, &[key]).await);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_late = 0").await, 1);
    app.clock.set(closes_at + SignedDuration::from_mins(90));
    let late = FormRequest::film().with("title_english", "Too late");
    late.post_with(&app, path, &[key]).await.assert_error(403, "forbidden");
}
