//! Anybody can type a stranger's address into a form: what that person gets is little, and has no link.

use jiff::SignedDuration;
use serde_json::json;

use super::requests::{FormRequest, assert_received, lift_limits, message, picture, send_message};
use crate::support::{Database, TestApp};

on_both!(flood_in_one_name_sends_three_mails_and_stores_every_message, receipts_repeat_no_link_of_a_sender,);

async fn flood_in_one_name_sends_three_mails_and_stores_every_message(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let send = async |address: &str, number: usize| {
        let mut message = message();
        message["email"] = json!(address);
        message["message"] = json!(format!("Number {number}"));
        assert_eq!(send_message(&app, &message).await.status, 200, "{number}");
    };
    let victim = ["victim@example.org", "VICTIM@Example.org", "victim+a@example.org", "vic.tim@example.org"];
    for (number, address) in victim.iter().cycle().take(60).enumerate() {
        send(address, number).await;
    }
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 60, "nothing is lost");
    let receipts = "SELECT count(*) FROM outbox WHERE kind LIKE '%-receipt'";
    assert_eq!(app.number(receipts).await, 3);
    assert_eq!(app.number("SELECT count(*) FROM outbox WHERE kind = 'contact-note'").await, 60);
    let told =
        "SELECT count(*) FROM contact_messages WHERE flagged LIKE '%email' AND findings LIKE '%No receipt was sent%'";
    assert_eq!(app.number(told).await, 57);
    // The other forms are no way around it.
    let delegate = FormRequest::delegate().with("email", "victim@example.org");
    assert_received(&delegate.post(&app, "/api/delegate-form/").await);
    let film = FormRequest::film().with("correspondence_email", "victim@example.org");
    assert_received(&film.post(&app, "/api/changed/").await);
    assert_eq!(app.number(receipts).await, 3);
    // Others get their receipts, and so does this address later.
    send("visitor@example.org", 100).await;
    assert_eq!(app.number(receipts).await, 4);
    app.clock.set(app.app.clock.now() + SignedDuration::from_mins(10));
    send("victim@example.org", 101).await;
    assert_eq!(app.number(receipts).await, 5);
}

async fn receipts_repeat_no_link_of_a_sender(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let mut sent = message();
    sent["name"] = json!("Win at https://evil.example/a now");
    sent["message"] = json!("See evil.example or write to win@evil.example.");
    assert_eq!(send_message(&app, &sent).await.status, 200);
    let mut film = FormRequest::film();
    for (name, _) in film.texts.clone() {
        let is_address =
            name.ends_with("_email") || ["duration_minutes", "year_of_production"].contains(&name.as_str());
        let text = if name.ends_with("_link") {
            "https://evil.example/film"
        } else {
            "Go to www.evil.example or evil.example"
        };
        film = if is_address { film } else { film.with(&name, text) };
    }
    let film = film.with("producer_email", "win@evil.example").with("payment_code", "evil.example");
    let film = film.with_file("film_poster", "evil.example.png", picture());
    assert_received(&film.with("payment_utr", "evil.example").post(&app, "/api/malayalam-form/").await);
    let delegate = FormRequest::delegate().with("name", "K.G.George").with("category", "evil.example");
    let delegate = delegate.with("occupation", "evil.example").with("address", "at\nevil.example/x");
    assert_received(&delegate.with("transaction_details", "evil.example").post(&app, "/api/delegate-form/").await);

    let receipts = app.texts(
        "SELECT to_name || ' ' || subject || ' ' || body_text FROM outbox WHERE kind LIKE '%-receipt' ORDER BY id",
    );
    let receipts = receipts.await;
    assert_eq!(receipts.len(), 3);
    for receipt in &receipts {
        assert!(!receipt.contains("evil") && !receipt.contains("://") && !receipt.contains("www."), "{receipt}");
    }
    assert!(receipts[0].starts_with("Win at (link not repeated) now "), "{}", receipts[0]);
    assert!(receipts[0].contains("Dear Win at (link not repeated) now,"), "{}", receipts[0]);
    assert!(receipts[1].contains("submitter@example.org"), "one's own address stays: {}", receipts[1]);
    assert!(receipts[2].contains("Dear K.G. George,"), "{}", receipts[2]);
    // Organisers read what was sent.
    let notes = app.texts("SELECT subject || ' ' || body_text FROM outbox WHERE kind = 'contact-note'").await;
    assert!(notes[0].contains("See evil.example or write to win@evil.example."), "{}", notes[0]);
}
