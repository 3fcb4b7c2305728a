//! Registrations: categories, fees, and fields that clients cannot set.

use serde_json::json;
use sqlx::Row as _;

use super::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, TestApp};

on_both!(
    category_is_matched_by_label_or_key,
    registrations_ignore_internal_fields,
    films_and_messages_ignore_internal_fields,
    contact_messages_are_answered_as_specified
);

async fn category_is_matched_by_label_or_key(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    for (count, (sent, key, label, fee)) in [
        ("20th Velicham Delegate", "delegate", "20th Velicham Delegate", 1300),
        ("delegate", "delegate", "20th Velicham Delegate", 1300),
        ("Membership", "membership", "Membership", 2000),
        (" student  delegate ", "student", "Student Delegate", 500),
        ("institutional", "institutional", "Institutional Member", 25000),
        ("Life Membership", "life", "Life Membership", 10000),
    ]
    .into_iter()
    .enumerate()
    {
        let delegate =
            FormRequest::delegate().with("category", sent).with("transaction_details", &format!("UTR {count}"));
        let reference = assert_received(&delegate.post(&app, "/api/delegate-form").await);
        assert_eq!(reference, format!("DL-2025-{:04}", count + 1));
        let row = sqlx::query("SELECT category_key, category, fee_inr FROM delegates WHERE reference = $1")
            .bind(reference)
            .fetch_one(&mut *app.app.db.read().await.unwrap())
            .await
            .unwrap();
        let stored: (String, String, i64) = (row.get(0), row.get(1), row.get(2));
        assert_eq!(stored, (key.to_owned(), label.to_owned(), fee), "{sent}");
    }
}

async fn registrations_ignore_internal_fields(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let mut delegate = FormRequest::delegate();
    for (name, value) in [
        ("id", "4711"),
        ("reference", "DL-1"),
        ("fee_inr", "1"),
        ("fee", "1"),
        ("status", "accepted"),
        ("is_quarantined", "1"),
        ("category_key", "life"),
        ("edition_id", "1"),
        ("created_at", "2001-01-01T00:00:00.000Z"),
        ("fingerprint", "x"),
    ] {
        delegate = delegate.with(name, value);
    }
    assert_eq!(assert_received(&delegate.post(&app, "/api/delegate-form/").await), "DL-2025-0001");
    let stored = "SELECT count(*) FROM delegates WHERE id < 4711 AND fee_inr = 1300 AND status = 'new' AND is_quarantined = 0 \
                AND category_key = 'delegate' AND created_at LIKE '2025-10-26%'";
    assert_eq!(app.number(stored).await, 1);
}

async fn films_and_messages_ignore_internal_fields(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let internal = [
        ("id", "4711"),
        ("reference", "XX-1"),
        ("status", "selected"),
        ("payment", "verified"),
        ("payment_amount", "5000"),
        ("payment_transaction", "x"),
        ("fee", "1"),
        ("fee_inr", "1"),
        ("is_quarantined", "1"),
        ("is_late", "0"),
        ("is_possible_duplicate", "1"),
        ("category_source", "desk"),
        ("edition_id", "1"),
        ("created_at", "2001-01-01T00:00:00.000Z"),
        ("updated_at", "2001-01-01T00:00:00.000Z"),
        ("consented_at", "2001-01-01T00:00:00.000Z"),
        ("fingerprint", "x"),
        ("subject_hash", "x"),
        ("findings", "[]"),
        ("flagged", "title_english"),
        ("over_long", "biography"),
    ];
    let unaffected = "id < 4711 AND status = 'new' AND is_quarantined = 0 AND is_possible_duplicate = 0 AND fingerprint <> 'x' \
                AND subject_hash <> 'x' AND created_at LIKE '2025-10-26%' AND updated_at LIKE '2025-10-26%' \
                AND consented_at IS NULL AND flagged = '' AND over_long = '' \
                AND edition_id = (SELECT id FROM editions WHERE year = 2025)";
    for (award, prefix, number) in [("asian", "AS", 1), ("indian", "IN", 2), ("malayalam", "ML", 3)] {
        let film = internal.iter().fold(FormRequest::film(), |film, (name, value)| film.with(name, value));
        let film = film.with("title_english", award).with_own_files(number);
        assert_eq!(
            assert_received(&film.post(&app, &format!("/api/{award}-form/")).await),
            format!("{prefix}-2025-0001")
        );
        let stored = format!(
            "SELECT count(*) FROM film_submissions WHERE {unaffected} AND title_english = '{award}' AND is_late = 1 \
             AND payment = 'unchecked' AND payment_amount = '' AND payment_transaction = '' AND category_source = 'address'"
        );
        assert_eq!(app.number(&stored).await, 1, "{award}");
    }
    let mut sent = message();
    sent["contact"] = json!("+91 484 1234567");
    for (name, value) in internal {
        sent[name] = json!(value);
    }
    assert_eq!(send_message(&app, &sent).await.status, 200);
    let stored = format!("SELECT count(*) FROM contact_messages WHERE {unaffected} AND reference = 'CM-2025-0001'");
    assert_eq!(app.number(&stored).await, 1);
}

async fn contact_messages_are_answered_as_specified(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let response = send_message(&app, &message()).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let text = "Message sent successfully!";
    assert_eq!(response.json(), json!({ "message": text, "success": text }));
    assert_eq!(app.number("SELECT count(*) FROM contact_messages WHERE reference = 'CM-2025-0001'").await, 1);
    let mut other = message();
    other["message"] = json!("Another");
    other["contact"] = json!(91_484_123_456_i64); // A number is accepted like a string of its digits.
    assert_eq!(send_message(&app, &other).await.status, 200);
    for body in ["", "[]", "{\"name\":", "\u{0}", "{\"name\":NaN}", &"[".repeat(100_000)] {
        let response = app.post("/api/contact/", &[("Content-Type", "application/json")], body).await;
        assert_eq!(response.status, 400, "{body:.20}");
    }
    let huge = json!({ "message": "x".repeat(200_000) });
    assert_eq!(send_message(&app, &huge).await.status, 413);
    assert_eq!(send_message(&app, &json!({ "name": ["a"] })).await.status, 422);
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 2);
}
