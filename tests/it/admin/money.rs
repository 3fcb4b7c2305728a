//! Sums of payments, by category and by day, and mails about a single payment.

use festival_core::admin::{EDITOR, READER};
use festival_forms::{DESK, REVIEWER};
use jiff::SignedDuration;

use super::browser::{Browser, count_audited, create_account, hidden_value, unescape_html};
use super::payments::{delegate, film, save, submit};
use crate::forms::requests::lift_limits;
use crate::support::{Database, TestApp};

on_both!(
    money_is_summed_by_category_and_day,
    sender_is_mailed_only_if_that_is_ticked,
    mail_about_a_payment_is_shown_before_it_is_sent,
);

/// The cells of the table row with this heading, without tags, separated by blanks.
fn row(page: &str, heading: &str) -> String {
    let (_, rest) = page.split_once(&format!(">{heading}<")).unwrap_or_else(|| panic!("{heading}: {page}"));
    let row = rest.split("</tr>").next().unwrap();
    let text: String =
        row.split('<').map(|part| part.split_once('>').map_or("", |(_, text)| text)).collect::<Vec<_>>().join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn money_is_summed_by_category_and_day(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let empty = desk.get("/admin/money").await;
    assert!(empty.status == 200 && empty.text().contains("None yet"), "{}", empty.text());
    let one = submit(&site, &delegate("asha")).await;
    let two = submit(&site, &delegate("binu")).await;
    let student = submit(&site, &delegate("chitra").with("category", "Student Delegate")).await;
    submit(&site, &delegate("trap").with("website", "x")).await;
    let asian = submit(&site, &film("asian")).await;
    // Half an hour before midnight in Kerala, and half an hour after it.
    site.clock.set("2025-10-27T18:00:00Z".parse().unwrap());
    submit(&site, &film("indian").with("title_english", "Late")).await;
    site.clock.set(site.clock.now() + SignedDuration::from_hours(1));
    submit(&site, &film("indian").with("title_english", "Later")).await;
    let desk = Browser::signed_in(&site, "desk@example.org").await;
    for (page, state, amount) in [
        (&one, "verified", "1300"),
        (&two, "rejected", "Rs 1,000.50"),
        (&student, "unchecked", "?"),
        (&asian, "verified", "$60"),
    ] {
        let fields = [("payment", state), ("payment_amount", amount), ("payment_reason", "Too little")];
        assert_eq!(save(&desk, page, &fields).await.status, 303);
    }
    let page = desk.get("/admin/money").await.text();
    for (heading, cells) in [
        ("20th Velicham Delegate", "2 ₹2,600 ₹1,300 1 ₹0 0 ₹1,300 1 ₹2,300.50 1"),
        ("Student Delegate", "1 ₹500 ₹0 0 ₹500 1 ₹0 0 1"),
        ("Asian Cinema", "1 ₹5,000 ₹5,000 1 ₹0 0 ₹0 0 $60 0"),
        ("Indian Cinema", "2 ₹10,000 ₹0 0 ₹10,000 2 ₹0 0 0"),
        ("27 October 2025", "1 ₹5,000 ₹0 0 ₹5,000 1 ₹0 0 0"),
        ("28 October 2025", "1 ₹5,000 ₹0 0 ₹5,000 1 ₹0 0 0"),
        ("All", "3 ₹15,000 ₹5,000 1 ₹10,000 2 ₹0 0 $60 0"),
    ] {
        assert_eq!(row(&page, heading), cells, "{heading}: {page}");
    }
    assert!(unescape_html(&page).contains("href=\"/admin/delegates?edition=2025&flag=amount\""), "{page}");
    let csv = desk.post("/admin/money/table", &[("format", "csv")]).await;
    assert!(csv.header("Content-Disposition").contains("money-2025.csv"), "{}", csv.header("Content-Disposition"));
    assert!(
        csv.text().contains("Delegates,20th Velicham Delegate,2025-10-26,2,2600,1,1300,0,0,1,1300,2300.50,0,1,2025"),
        "{}",
        csv.text()
    );
    assert!(desk.post("/admin/money/table", &[("format", "xlsx")]).await.body.starts_with(b"PK"));
    assert_eq!(count_audited(&site, "export").await, 2);
    for role in [&EDITOR, &REVIEWER, &READER] {
        let other = Browser::signed_in(&site, &create_account(&site, role).await).await;
        assert_eq!(other.get("/admin/money").await.status, 403, "{role:?}");
        assert_eq!(other.post("/admin/money/table", &[("format", "csv")]).await.status, 403, "{role:?}");
        assert!(!other.get("/admin/").await.text().contains("/admin/money"), "{role:?}");
    }
}

async fn sender_is_mailed_only_if_that_is_ticked(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let page = submit(&site, &film("asian").with("payment_code", "QRSTUA")).await;
    let mails = "SELECT count(*) FROM outbox WHERE kind LIKE 'payment-%'";
    let rejected = [("payment", "rejected"), ("payment_reason", "₹1,000 is missing")];
    assert_eq!(save(&desk, &page, &rejected).await.status, 303);
    assert_eq!(site.number(mails).await, 0, "not without the tick");
    // Nothing else changes: only the mail is sent, and recorded.
    let mut told = rejected.to_vec();
    told.push(("tell", "yes"));
    let version = hidden_value(&desk.get(&page).await, "version").unwrap();
    let saved = save(&desk, &page, &told).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_eq!(site.number(mails).await, 1);
    let mail = site.texts("SELECT subject || body_text FROM outbox WHERE kind = 'payment-rejected'").await.remove(0);
    for expected in [
        "could not be accepted (AS-2025-0001)",
        "Dear S. Submitter",
        "your film A Light",
        "Reason: ₹1,000 is missing",
        "₹5,000 or $60 for the entry of a film, Asian Cinema",
    ] {
        assert!(mail.contains(expected), "{expected}: {mail}");
    }
    let shown = desk.get(&page).await.text();
    assert!(
        shown.contains("Told by mail that the payment is rejected") && shown.contains("AS-2025-0001 saved: mail."),
        "{shown}"
    );
    assert_eq!(count_audited(&site, "mail about payment").await, 1);
    // A page opened before the mail does not send it a second time.
    let mut late = told.clone();
    late.push(("version", &version));
    assert_eq!(desk.post(&page, &late).await.status, 409);
    assert_eq!(site.number(mails).await, 1);
    // Reviewers see nothing of it.
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    assert!(!reviewer.get(&page).await.text().contains("Told by mail"));
    assert_eq!(reviewer.post(&page, &[("version", "0"), ("tell", "yes")]).await.status, 403);
}

async fn mail_about_a_payment_is_shown_before_it_is_sent(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let page = submit(&site, &delegate("asha")).await;
    let typed = [("payment", "unchecked"), ("payment_amount", "12"), ("note", "Ask again."), ("then", "preview")];
    let preview = save(&desk, &page, &typed).await;
    assert_eq!(preview.status, 200, "{}", preview.text());
    let text = preview.text();
    for expected in [
        "asha &lt;asha@example.org&gt;",
        "we have not found your payment (DL-2025-0001)",
        "Dear asha,",
        "Ask again.",
        "value=\"12\"",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(site.number("SELECT count(*) FROM submission_events").await, 0, "a preview saves nothing");
    let body = text.split_once("<pre class=\"mail-body\">").unwrap().1.split_once("</pre>").unwrap().0.to_owned();
    assert_eq!(save(&desk, &page, &[("payment", "unchecked"), ("tell", "yes")]).await.status, 303);
    let sent = site.texts("SELECT body_text FROM outbox WHERE kind = 'payment-not-found'").await.remove(0);
    assert_eq!(unescape_html(&body).trim(), sent.trim(), "the mail is what the preview showed");
    let verified = save(&desk, &page, &[("payment", "verified"), ("then", "preview")]).await.text();
    assert!(verified.contains("we have received your payment (DL-2025-0001)"), "{verified}");
}
