//! Payments in the back office: amounts due and paid, and one form for all decisions about a submission.

use festival_core::admin::OWNER;
use festival_forms::{DESK, REVIEWER};

use super::browser::{Browser, count_audited, create_account, hidden_value, unescape_html};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp};

on_both!(
    paid_amounts_are_compared_with_what_is_due,
    due_amount_is_the_fee_on_the_day_of_submission,
    one_form_saves_every_decision_or_none,
    saving_leads_to_the_next_of_the_filtered_list,
    same_payment_is_found_in_other_digits_and_spaces,
    refunds_on_proofs_are_no_payments,
);

/// Submits a form and returns the path of its page.
pub(crate) async fn submit(site: &TestApp, request: &FormRequest) -> String {
    let is_film = request.texts.iter().any(|(name, _)| name == "title_english");
    let (path, table) =
        if is_film { ("/api/changed/", "film_submissions") } else { ("/api/delegate-form/", "delegates") };
    let reference = assert_received(&request.post(site, path).await);
    let id = site.id(table, &format!("reference = '{reference}'")).await;
    format!("/admin/{}/{id}", table.replace('_', "-"))
}

pub(crate) fn film(award: &str) -> FormRequest {
    FormRequest::film().with("award_category", award)
}

/// A registration with an e-mail address and a transaction of its own.
pub(crate) fn delegate(name: &str) -> FormRequest {
    let details = format!("UTR 0001112{}", name.bytes().map(u32::from).sum::<u32>());
    FormRequest::delegate()
        .with("name", name)
        .with("email", &format!("{name}@example.org"))
        .with("transaction_details", &details)
}

/// Saves these fields on the page of a submission, as from a page that was just opened.
pub(crate) async fn save(desk: &Browser<'_>, page: &str, fields: &[(&str, &str)]) -> crate::support::Response {
    let version = hidden_value(&desk.get(page).await, "version").unwrap();
    let mut all = vec![("version", version.as_str())];
    all.extend(fields);
    desk.post(page, &all).await
}

async fn paid_amounts_are_compared_with_what_is_due(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    let registration = submit(&site, &delegate("asha")).await;
    let unknown = submit(&site, &delegate("binu").with("category", "Friend of the house")).await;
    let asian = submit(&site, &film("asian")).await;
    let malayalam = submit(&site, &film("malayalam").with("title_english", "Another")).await;
    for (page, due) in
        [(&registration, "₹1,300 <small>for"), (&asian, "₹5,000 or $60"), (&malayalam, "<dd>₹5,000</dd>")]
    {
        let text = desk.get(page).await.text();
        assert!(text.contains(due) && text.contains("not entered yet"), "{page}: {text}");
    }
    for (page, amount, difference) in [
        (&registration, "Rs. 1,300/-", ""),
        (&registration, "₹1000", "₹300 less than is due."),
        (&registration, "INR 1,500.00", "₹200 more than is due."),
        (&registration, "by GPay", "This amount cannot be read as a number."),
        (&unknown, "1300", ""),
        (&unknown, "thirteen hundred", "This amount cannot be read as a number."),
        (&asian, "$60", ""),
        (&asian, "5000", ""),
        (&asian, "USD 50", "$10 less than is due."),
        (&malayalam, "$60", "₹5,000 less than is due."),
        (&malayalam, "5,000", ""),
        (&malayalam, "", ""),
    ] {
        let saved = save(&desk, page, &[("payment", "unchecked"), ("payment_amount", amount)]).await;
        assert_eq!(saved.status, 303, "{amount}: {}", saved.text());
        let text = desk.get(page).await.text();
        assert_eq!(text.contains("class=\"differs\""), !difference.is_empty(), "{page} {amount}: {text}");
        assert!(text.contains(difference), "{page} {amount}: {text}");
        assert!(text.contains("name=\"payment_amount\"") && text.contains(amount), "as it was typed: {text}");
        // The filter, which is SQL, agrees with the page.
        let list = page.rsplit_once('/').unwrap().0;
        let flagged = desk.get(&format!("{list}?flag=amount")).await.text();
        assert_eq!(flagged.contains(&format!("href=\"{page}?")), !difference.is_empty(), "{page} {amount}: {flagged}");
    }
    // Nobody else sees amounts or conclusions from them.
    assert_eq!(save(&desk, &asian, &[("payment", "unchecked"), ("payment_amount", "USD 50")]).await.status, 303);
    for path in ["/admin/film-submissions", "/admin/film-submissions?flag=amount", &asian] {
        let text = reviewer.get(path).await.text();
        assert!(text.contains("A Light"), "{path}: the filter does not exist here: {text}");
        for private in ["amount differs", "Amount", "$50", "$60", "₹5,000", "USD"] {
            assert!(!text.contains(private), "{path} {private}: {text}");
        }
    }
    let csv = desk.post("/admin/film-submissions/export?flag=amount", &[("format", "csv")]).await.text();
    assert!(csv.contains("$10 less than is due") && csv.contains("₹5,000 or $60"), "{csv}");
    assert!(csv.lines().next().unwrap().contains("Amount on the proof,Amount as read,Amount differs"), "{csv}");
}

async fn due_amount_is_the_fee_on_the_day_of_submission(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let early = submit(&site, &film("malayalam")).await;
    for (path, amount) in [("film_submission_inr", 6000), ("film_submission_usd", 70)] {
        let sql = "INSERT INTO settings (path, value, updated_at) VALUES";
        site.write(&format!("{sql} ('fees.{path}', '{amount}', '')")).await;
    }
    let late = submit(&site, &film("asian").with("title_english", "Later")).await;
    assert!(owner.get(&early).await.text().contains("<dd>₹5,000</dd>"));
    assert!(owner.get(&late).await.text().contains("<dd>₹6,000 or $70</dd>"));
}

async fn one_form_saves_every_decision_or_none(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let page = submit(&site, &film("malayalam")).await;
    let all = [
        ("status", "shortlisted"),
        ("award", "indian"),
        ("payment", "rejected"),
        ("payment_amount", "4000"),
        ("payment_reason", ""),
        ("note", "Call them."),
    ];
    let refused = save(&desk, &page, &all).await;
    assert_eq!(refused.status, 422);
    let text = refused.text();
    assert!(text.contains("id=\"problem-payment_reason\"") && text.contains("Call them."), "{text}");
    assert!(text.contains("value=\"shortlisted\" selected") && text.contains("value=\"4000\""), "{text}");
    let events = "SELECT count(*) FROM submission_events";
    assert_eq!(site.number(events).await, 0, "nothing is saved if one part is wrong");
    let fields =
        all.map(|(name, value)| if name == "payment_reason" { (name, "₹1,000 is missing") } else { (name, value) });
    let saved = save(&desk, &page, &fields).await;
    assert_eq!((saved.status, saved.header("Location")), (303, page.clone()), "{}", saved.text());
    let text = desk.get(&page).await.text();
    assert!(text.contains("ML-2025-0001 saved: status, award, payment and note."), "{text}");
    assert_eq!(site.number(events).await, 4);
    let stored = "SELECT count(*) FROM film_submissions WHERE status = 'shortlisted' AND award_category = 'indian' \
                  AND payment = 'rejected' AND payment_amount = '4000' AND payment_read = 400000";
    assert_eq!(site.number(stored).await, 1);
    for action in ["set status", "set award", "check payment", "note"] {
        assert_eq!(count_audited(&site, action).await, 1, "{action}");
    }
    // Sending the same again decides nothing; from an outdated page it is no conflict unless something would change.
    let again: Vec<_> = fields[..5].to_vec();
    let mut outdated = vec![("version", "0")];
    outdated.extend(&again);
    assert_eq!(desk.post(&page, &outdated).await.status, 303);
    assert_eq!(site.number(events).await, 4);
    outdated.push(("note", "Seen."));
    assert_eq!(desk.post(&page, &outdated).await.status, 303, "a note forces nobody to look again");
    assert_eq!(desk.post(&page, &[("version", "0"), ("status", "selected"), ("note", "No.")]).await.status, 409);
    assert_eq!(site.number(events).await, 5, "the note of a conflict is not saved twice");
}

async fn saving_leads_to_the_next_of_the_filtered_list(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let mut pages = Vec::new();
    for name in ["asha", "binu", "chitra"] {
        pages.push(submit(&site, &delegate(name)).await);
    }
    assert_eq!(save(&desk, &pages[1], &[("payment", "verified")]).await.status, 303);
    let page = format!("{}?payment=unchecked", pages[2]);
    let shown = unescape_html(&desk.get(&page).await.text());
    assert!(shown.contains(&format!("rel=\"next\" href=\"{}?payment=unchecked\"", pages[0])), "{shown}");
    let saved = save(&desk, &page, &[("payment", "verified"), ("then", "next")]).await;
    assert_eq!((saved.status, saved.header("Location")), (303, format!("{}?payment=unchecked", pages[0])));
}

async fn same_payment_is_found_in_other_digits_and_spaces(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let page = submit(&site, &delegate("asha").with("transaction_details", "UPI 098765432109")).await;
    submit(&site, &delegate("binu").with("transaction_details", "UPI 111222333444")).await;
    for (name, number) in [
        ("chandra", "൦൯൮൭൬൫൪൩൨൧൦൯"),
        ("devi", "०९८७ ६५४३ २१०९"),
        ("elias", "０９８７６５４３２１０９"),
        ("faizal", "0987\u{a0}6543\u{a0}2109"),
        ("gopan", "'098765432109"),
        ("hari", "98765432109"),
    ] {
        let same = submit(&site, &delegate(name).with("transaction_details", number)).await;
        let text = desk.get(&page).await.text();
        assert!(text.contains(&format!("href=\"{same}\"")), "{number}: {text}");
        let text = desk.get(&same).await.text();
        assert!(text.contains(&format!("href=\"{page}\"")) && !text.contains("111222333444"), "{number}: {text}");
    }
}

async fn refunds_on_proofs_are_no_payments(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let page = submit(&site, &film("malayalam")).await;
    for amount in ["5,000.00-", "(5,000.00)", "5,000.00 Dr"] {
        save(&desk, &page, &[("payment", "unchecked"), ("payment_amount", amount)]).await;
        let text = desk.get(&page).await.text();
        assert!(text.contains("This is an amount that was paid back"), "{amount}: {text}");
        assert!(desk.get("/admin/film-submissions?flag=amount").await.text().contains(&page), "{amount}");
    }
    save(&desk, &page, &[("payment", "unchecked"), ("payment_amount", "5,000.00 Cr")]).await;
    assert!(!desk.get(&page).await.text().contains("paid back"));
    assert!(!desk.get("/admin/film-submissions?flag=amount").await.text().contains(&page));
    assert!(desk.get("/admin/money").await.text().contains("₹5,000"));
}
