//! Registrations: categories, fees, and what a client may not say.

use serde_json::json;
use sqlx::Row as _;

use super::sent::{Sent, message, patient, received, send_message};
use crate::support::{Database, TestApp};

on_both!(
    categories_by_label_and_by_key,
    nobody_says_what_is_ours,
    nobody_says_what_is_ours_of_films_and_messages,
    a_message_is_answered_as_specified
);

async fn categories_by_label_and_by_key(database: Database) {
    let app = TestApp::with(database, patient).await;
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
        let delegate = Sent::delegate().with("category", sent).with("transaction_details", &format!("UTR {count}"));
        let reference = received(&delegate.to(&app, "/api/delegate-form").await);
        assert_eq!(reference, format!("DL-2025-{:04}", count + 1));
        let row = sqlx::query("SELECT category_key, category, fee_inr FROM delegates WHERE reference = $1")
            .bind(reference)
            .fetch_one(&mut *app.app.db.read().await.unwrap())
            .await
            .unwrap();
        let kept: (String, String, i64) = (row.get(0), row.get(1), row.get(2));
        assert_eq!(kept, (key.to_owned(), label.to_owned(), fee), "{sent}");
    }
}

async fn nobody_says_what_is_ours(database: Database) {
    let app = TestApp::with(database, patient).await;
    let mut delegate = Sent::delegate();
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
    assert_eq!(received(&delegate.to(&app, "/api/delegate-form/").await), "DL-2025-0001");
    let kept = "SELECT count(*) FROM delegates WHERE id < 4711 AND fee_inr = 1300 AND status = 'new' AND is_quarantined = 0 \
                AND category_key = 'delegate' AND created_at LIKE '2025-10-26%'";
    assert_eq!(app.number(kept).await, 1);
}

async fn nobody_says_what_is_ours_of_films_and_messages(database: Database) {
    let app = TestApp::with(database, patient).await;
    let ours = [
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
    let same = "id < 4711 AND status = 'new' AND is_quarantined = 0 AND is_possible_duplicate = 0 AND fingerprint <> 'x' \
                AND subject_hash <> 'x' AND created_at LIKE '2025-10-26%' AND updated_at LIKE '2025-10-26%' \
                AND consented_at IS NULL AND flagged = '' AND over_long = '' \
                AND edition_id = (SELECT id FROM editions WHERE year = 2025)";
    for (award, prefix) in [("asian", "AS"), ("indian", "IN"), ("malayalam", "ML")] {
        let film = ours.iter().fold(Sent::film(), |film, (name, value)| film.with(name, value));
        let film = film.with("title_english", award);
        assert_eq!(received(&film.to(&app, &format!("/api/{award}-form/")).await), format!("{prefix}-2025-0001"));
        let kept = format!(
            "SELECT count(*) FROM film_submissions WHERE {same} AND title_english = '{award}' AND is_late = 1 \
             AND payment = 'unchecked' AND payment_amount = '' AND payment_transaction = '' AND category_source = 'address'"
        );
        assert_eq!(app.number(&kept).await, 1, "{award}");
    }
    let mut sent = message();
    sent["contact"] = json!("+91 484 1234567");
    for (name, value) in ours {
        sent[name] = json!(value);
    }
    assert_eq!(send_message(&app, &sent).await.status, 200);
    let kept = format!("SELECT count(*) FROM contact_messages WHERE {same} AND reference = 'CM-2025-0001'");
    assert_eq!(app.number(&kept).await, 1);
}

async fn a_message_is_answered_as_specified(database: Database) {
    let app = TestApp::with(database, patient).await;
    let answer = send_message(&app, &message()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = "Message sent successfully!";
    assert_eq!(answer.json(), json!({ "message": text, "success": text }));
    assert_eq!(app.number("SELECT count(*) FROM contact_messages WHERE reference = 'CM-2025-0001'").await, 1);
    let mut other = message();
    other["message"] = json!("Another");
    other["contact"] = json!(91_484_123_456_i64); // A number is as good as its digits.
    assert_eq!(send_message(&app, &other).await.status, 200);
    for body in ["", "[]", "{\"name\":", "\u{0}", "{\"name\":NaN}", &"[".repeat(100_000)] {
        let answer = app.post("/api/contact/", &[("Content-Type", "application/json")], body).await;
        assert_eq!(answer.status, 400, "{body:.20}");
    }
    let huge = json!({ "message": "x".repeat(200_000) });
    assert_eq!(send_message(&app, &huge).await.status, 413);
    assert_eq!(send_message(&app, &json!({ "name": ["a"] })).await.status, 422);
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 2);
}
