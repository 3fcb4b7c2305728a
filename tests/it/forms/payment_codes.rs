//! The payment code and the UTR that forms include: optional, stored as sent, searchable for organisers.

use festival_forms::{DESK, REVIEWER};

use super::requests::{FormRequest, assert_received, lift_limits};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(payment_codes_are_stored_shown_and_searched, invalid_payment_codes_and_numbers_are_stored_and_flagged);

async fn payment_codes_are_stored_shown_and_searched(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    // Older clients send neither.
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let film = FormRequest::film().with("payment_code", " qrs-tua ").with("payment_utr", "5123 4567 8901");
    assert_received(&film.post(&site, "/api/asian-form/").await);
    let stored = site.texts("SELECT payment_code || '/' || payment_utr || '/' || flagged FROM film_submissions").await;
    assert_eq!(stored, ["QRSTUA/5123 4567 8901/"]);
    assert_eq!(site.texts("SELECT payment_code || payment_utr || flagged FROM delegates").await, [""]);
    let receipt = site.texts("SELECT body_text FROM outbox WHERE kind = 'film-receipt'").await.remove(0);
    assert!(receipt.contains("\nPayment code: QRSTUA\nUTR: 5123 4567 8901\n"), "{receipt}");
    let other = site.texts("SELECT body_text FROM outbox WHERE kind = 'delegate-receipt'").await.remove(0);
    assert!(!other.contains("Payment code"), "{other}");
    let page = format!("/admin/film-submissions/{}", site.id("film_submissions", "1 = 1").await);
    let text = desk.get(&page).await.text();
    assert!(text.contains("<b>QRSTUA</b>") && text.contains("5123 4567 8901"), "{text}");
    for query in ["qrstua", "5123 4567 8901"] {
        let path = format!("/admin/film-submissions?q={}", query.replace(' ', "+"));
        assert!(desk.get(&path).await.text().contains(&format!("href=\"{page}")), "{query}");
        assert!(!reviewer.get(&path).await.text().contains(&page), "{query} finds what is not shown");
    }
    let text = reviewer.get(&page).await.text();
    assert!(text.contains("A Light") && !text.contains("QRSTUA") && !text.contains("5123"), "{text}");
    // The number is compared with those of other submissions.
    let same = FormRequest::delegate().with("email", "b@example.org").with("transaction_details", "UPI 512345678901");
    assert_received(&same.post(&site, "/api/delegate-form/").await);
    let csv = desk.post("/admin/film-submissions/export", &[("format", "csv")]).await.text();
    assert!(csv.contains("QRSTUA"), "{csv}");
}

async fn invalid_payment_codes_and_numbers_are_stored_and_flagged(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let long = "x".repeat(300);
    for (number, (code, utr)) in
        [("QRSTUB", "12345"), ("my uncle paid", &long), ("ABC\u{200b}", "ഒന്ന്")].into_iter().enumerate()
    {
        let film = FormRequest::film().with("title_english", &format!("Film {number}"));
        let film = film.with("payment_code", code).with("payment_utr", utr);
        assert_received(&film.post(&site, "/api/malayalam-form/").await);
    }
    let stored = site.texts("SELECT payment_code || '/' || flagged FROM film_submissions ORDER BY id").await;
    let flagged = "payment_code payment_utr";
    assert_eq!(stored, [format!("QRSTUB/{flagged}"), format!("my uncle paid/{flagged}"), format!("ABC/{flagged}")]);
    let page = format!("/admin/film-submissions/{}", site.id("film_submissions", "1 = 1").await);
    let text = desk.get(&page).await.text();
    assert!(text.contains("This is no payment code") && text.contains("This is no UTR"), "{text}");
}
