//! Texts of every kind are stored as sent; mails describe the submission without header injection.

use festival_core::entity::{Field, Kind};
use festival_forms::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};
use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;

use super::requests::{FormRequest, assert_received, decrypt_password, lift_limits, message, send_message};
use crate::support::{Database, TestApp};

on_both!(
    naughty_texts_are_stored_unchanged_but_for_invisible_characters,
    naughty_texts_are_accepted_in_every_field_of_every_form,
    receipt_and_notification_describe_the_submission,
);

/// Texts that have broken programs before.
const NAUGHTY: &[&str] = &[
    "' OR 1=1 --",
    "'); DROP TABLE contact_messages; --",
    "<script>alert(1)</script>",
    "{{7*7}} ${7*7} #{7*7} <%= 7*7 %>",
    "=HYPERLINK(\"http://x.example\")",
    "+91 98765",
    "-1",
    "@SUM(A1)",
    "%s%s%n %x",
    "\\x00 \\0 \\u0000",
    "../../etc/passwd",
    "NULL",
    "undefined",
    "nan",
    "ഒരു നല്ല സിനിമ",
    "അവൻ\u{200d}",
    "مرحبا \u{202e}abc\u{202c}",
    "👨‍👩‍👧‍👦 🏳️‍🌈 🎬",
    "Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮",
    "田中さんにあげて下さい",
    "𝕋𝕙𝕖 𝕢𝕦𝕚𝕔𝕜",
    "ﬀ ½ ²",
    "e\u{301}",
    "\u{feff}middle\u{feff}end",
    "a\u{2028}b",
    "tab\there",
    "line\nline\r\nline",
    "--------------------------7MA4YWxkTrZu0gW",
    "\"quoted\" 'text' \\ back",
];

async fn naughty_texts_are_stored_unchanged_but_for_invisible_characters(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    for text in NAUGHTY {
        let mut sent = message();
        sent["message"] = json!(text);
        assert_eq!(send_message(&app, &sent).await.status, 200, "{text:?}");
        let expected: String = text
            .replace("\r\n", "\n")
            .replace('\u{2028}', "\n")
            .replace(['\u{feff}', '\u{202e}', '\u{202c}'], "")
            .trim()
            .nfc()
            .collect();
        let stored: String = sqlx::query_scalar("SELECT message FROM contact_messages ORDER BY id DESC LIMIT 1")
            .fetch_one(&mut *app.app.db.read().await.unwrap())
            .await
            .unwrap();
        assert_eq!(stored, expected);
    }
    for text in ["a\0b", "a\u{1}b", "\u{1b}[31m", "a\u{7f}b"] {
        let mut sent = message();
        sent["message"] = json!(text);
        assert_eq!(send_message(&app, &sent).await.status, 422, "{text:?}");
        assert!(
            [400, 422].contains(&FormRequest::film().with("biography", text).post(&app, "/api/changed/").await.status)
        );
    }
    let headers = [("Content-Type", "application/json")];
    let broken = [b"{\"name\":\"".as_slice(), b"\xff\xfe", b"\"}"].concat();
    assert_eq!(app.post("/api/contact/", &headers, broken).await.status, 400);
    assert_eq!(app.post("/api/contact/", &headers, "{\"name\":\"\\ud800\"}").await.status, 400);
    let combining = format!("a{}", "\u{301}".repeat(50_000));
    let mut sent = message();
    sent["message"] = json!(combining);
    assert_eq!(send_message(&app, &sent).await.status, 422);
}

/// What is stored for a text in a single-line or a multi-line field.
fn expected(text: &str, lines: bool) -> String {
    let (line, tab) = if lines { ("\n", "\t") } else { (" ", " ") };
    let text = text.replace("\r\n", "\n").replace(['\n', '\u{2028}'], line).replace('\t', tab);
    text.replace(['\u{feff}', '\u{202e}', '\u{202c}'], "").trim().nfc().collect()
}

/// Each text in every text field of every form comes back as it was sent, however it was parsed.
async fn naughty_texts_are_accepted_in_every_field_of_every_form(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    for text in NAUGHTY {
        for (entity, path, form) in [
            (&FILM_SUBMISSION, "/api/malayalam-form/", Some(FormRequest::film())),
            (&DELEGATE, "/api/delegate-form/", Some(FormRequest::delegate())),
            (&CONTACT_MESSAGE, "/api/contact/", None),
        ] {
            let fields: Vec<&Field> = entity.columns().filter(|field| !matches!(field.kind, Kind::Email)).collect();
            match form {
                Some(form) => {
                    let form = fields.iter().fold(form, |form, field| form.with(field.name, text));
                    assert_received(&form.post(&app, path).await);
                }
                None => {
                    let mut message = message();
                    fields.iter().for_each(|field| message[field.name] = json!(text));
                    assert_eq!(send_message(&app, &message).await.status, 200, "{text:?}");
                }
            }
            for field in fields {
                let sql = format!(
                    "SELECT COALESCE(CAST({} AS TEXT), ''), findings, reference FROM {} ORDER BY id DESC LIMIT 1",
                    field.name, entity.table
                );
                let (mut stored, findings, reference): (String, String, String) =
                    sqlx::query_as(sqlx::AssertSqlSafe(sql))
                        .fetch_one(&mut *app.app.db.read().await.unwrap())
                        .await
                        .unwrap();
                if field.name == "screener_link_password" {
                    stored = decrypt_password(&app, &reference, &stored).unwrap();
                }
                let findings: Vec<serde_json::Value> = serde_json::from_str(&findings).unwrap();
                // If the column holds a parsed value, the input is stored with the findings.
                let sent = findings.iter().find(|finding| finding["field"] == field.name);
                let sent = sent.and_then(|finding| finding["sent"].as_str()).unwrap_or(&stored);
                let is_lines = matches!(field.kind, Kind::Lines { .. });
                assert_eq!(sent, expected(text, is_lines), "{text:?} in {} of {}", field.name, entity.table);
            }
        }
    }
}

/// Limits count characters, not bytes.
#[tokio::test]
async fn lengths_are_counted_in_characters() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let texts = [("ക", 300, ""), ("ക", 301, "title_original"), ("🎬", 300, ""), ("e\u{301}", 300, "")];
    for (number, (letter, count, flagged)) in texts.into_iter().enumerate() {
        // A fourth film of one address would have a remark about its receipt.
        let address = format!("person-{number}@example.org");
        let film = FormRequest::film().with("title_original", &letter.repeat(count));
        let film = film.with("correspondence_email", &address);
        let reference = assert_received(&film.post(&app, "/api/changed/").await);
        let sql = format!("SELECT flagged FROM film_submissions WHERE reference = '{reference}'");
        assert_eq!(app.texts(&sql).await, [flagged], "{count} of {letter}");
    }
}

async fn receipt_and_notification_describe_the_submission(database: Database) {
    let app = TestApp::with(database, |settings| {
        lift_limits(settings);
        settings.public_url = "https://festival.example".into();
        settings.mail.organisers = vec!["office@velicham.example".into()];
    })
    .await;
    let film = FormRequest::film().with("title_english", "Light =?utf-8?q?x?= {{name}} <b>");
    let reference = assert_received(&film.post(&app, "/api/malayalam-form/").await);
    assert_received(&FormRequest::delegate().post(&app, "/api/delegate-form/").await);
    assert_eq!(send_message(&app, &message()).await.status, 200);
    let rows: Vec<(String, String, Option<String>, String, String)> =
        sqlx::query_as("SELECT kind, to_address, reply_to_address, subject, body_text FROM outbox ORDER BY id")
            .fetch_all(&mut *app.app.db.read().await.unwrap())
            .await
            .unwrap();
    let kinds: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
    assert_eq!(
        kinds,
        ["film-receipt", "film-note", "delegate-receipt", "delegate-note", "contact-receipt", "contact-note"]
    );
    let (_, to, _, subject, body) = &rows[0];
    assert_eq!(to, "submitter@example.org");
    assert!(subject.contains(&reference) && subject.lines().count() == 1, "{subject}");
    assert!(body.contains(&reference) && body.contains("{{name}} <b>") && body.contains("ഒരു വെളിച്ചം"), "{body}");
    assert!(
        body.contains("Malayalam Cinema") && body.contains("film_poster.png") && !body.contains("secret"),
        "{body}"
    );
    let (_, to, reply_to, _, note) = &rows[1];
    assert_eq!((to.as_str(), reply_to.as_deref()), ("office@velicham.example", Some("submitter@example.org")));
    assert!(note.contains("https://festival.example/admin/film-submissions/1"), "{note}");
    assert!(rows[2].4.contains("₹1,300") && rows[2].4.contains("20th Velicham Delegate"), "{}", rows[2].4);
    assert!(!rows[4].4.contains("When does it begin?"), "a receipt does not forward the text of the message");
    assert!(rows[5].4.contains("When does it begin?"));
}
