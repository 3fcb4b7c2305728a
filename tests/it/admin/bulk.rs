//! Decisions about several submissions at once: ticked ones, or all of a filter.

use festival_forms::{DESK, REVIEWER};

use super::browser::{Browser, count_audited, create_account, hidden_value};
use super::payments::{delegate, film, save, submit};
use crate::forms::requests::lift_limits;
use crate::support::{Database, TestApp};

on_both!(
    all_of_a_filter_is_decided_if_it_is_still_the_same,
    several_payments_are_verified_or_rejected_at_once,
    mails_are_sent_only_if_that_is_ticked,
    registrations_are_verified_and_confirmed_in_one_pass,
    a_large_filter_is_decided_in_batches,
);

const LIST: &str = "/admin/delegates/selected";

async fn site_with(database: Database, names: &[&str]) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    for name in names {
        submit(&site, &delegate(name)).await;
    }
    site
}

async fn all_of_a_filter_is_decided_if_it_is_still_the_same(database: Database) {
    let names: Vec<String> = (0..24).map(|number| format!("person{number}")).collect();
    let site = site_with(database, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let first = format!("/admin/delegates/{}", site.id("delegates", "name = 'person0'").await);
    assert_eq!(save(&desk, &first, &[("payment", "verified")]).await.status, 303);
    let list = desk.get("/admin/delegates?payment=unchecked").await.text();
    assert!(list.contains("Select all 23 of this filter"), "{list}");
    let path = format!("{LIST}?payment=unchecked");
    let chosen = [("all", "yes"), ("action", "status:confirmed")];
    let confirmation = desk.post(&path, &chosen).await;
    assert_eq!(confirmation.status, 200, "{}", confirmation.text());
    let text = confirmation.text();
    for expected in ["Set 23 delegates to “Confirmed”?", "Status: Received <b>23</b>", "and 3 more", "person23"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains(">DL-2025-0001 person0<"), "it is not in the filter: {text}");
    let decided = "SELECT count(*) FROM delegates WHERE status = 'confirmed'";
    assert_eq!(site.number(decided).await, 0, "nothing is changed before the confirmation");
    // Another registration arrives: the set is not what was shown.
    submit(&site, &delegate("late")).await;
    let changed = desk.confirm(&confirmation, &path).await;
    assert_eq!((changed.status, site.number(decided).await), (409, 0));
    assert!(changed.text().contains("of this filter have changed") && changed.text().contains("Set 24 delegates"));
    // A decision about one of them changes the set too, although it has as many rows.
    let page = format!("/admin/delegates/{}", site.id("delegates", "name = 'late'").await);
    assert_eq!(save(&desk, &page, &[("status", "rejected")]).await.status, 303);
    let changed = desk.confirm(&changed, &path).await;
    assert_eq!((changed.status, site.number(decided).await), (409, 0));
    assert!(changed.text().contains("Status: Rejected <b>1</b>"), "{}", changed.text());
    let done = desk.confirm(&changed, &path).await;
    assert_eq!((done.status, done.header("Location")), (303, "/admin/delegates?payment=unchecked".into()));
    assert_eq!(site.number(decided).await, 24);
    assert_eq!(site.number("SELECT count(*) FROM delegates WHERE status = 'new'").await, 1, "the verified one");
    let events = "SELECT count(*) FROM submission_events WHERE kind = 'status' AND after_text = 'Confirmed'";
    assert_eq!((site.number(events).await, count_audited(&site, "set status").await), (24, 25));
    let message = desk.get("/admin/delegates").await.text();
    assert!(message.contains("24 delegates set to “Confirmed”."), "{message}");
}

async fn several_payments_are_verified_or_rejected_at_once(database: Database) {
    let site = site_with(database, &["asha", "binu", "chitra"]).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    let mut ids = Vec::new();
    for name in ["asha", "binu", "chitra"] {
        ids.push(site.id("delegates", &format!("name = '{name}'")).await.to_string());
    }
    let proof = [("payment", "unchecked"), ("payment_amount", "1000"), ("payment_transaction", "T-1")];
    assert_eq!(save(&desk, &format!("/admin/delegates/{}", ids[0]), &proof).await.status, 303);
    let both = [("row", ids[0].as_str()), ("row", &ids[1]), ("action", "payment:verified")];
    let done = desk.post_and_confirm(LIST, &both).await;
    assert_eq!(done.status, 303, "{}", done.text());
    let verified = "SELECT count(*) FROM delegates WHERE payment = 'verified'";
    assert_eq!(site.number(verified).await, 2);
    let kept = "SELECT count(*) FROM delegates WHERE payment_amount = '1000' AND payment_transaction = 'T-1'";
    assert_eq!(site.number(kept).await, 1, "what was typed from the proof stays");
    let page = desk.get(&format!("/admin/delegates/{}", ids[0])).await.text();
    assert!(page.contains("Verified, transaction T-1, amount 1000"), "{page}");
    // One reason for all of them.
    let reject = [("all", "yes"), ("action", "payment:rejected")];
    let confirmation = desk.post(LIST, &reject).await;
    assert!(confirmation.text().contains("Payment: Verified <b>2</b>"), "{}", confirmation.text());
    let refused = desk.confirm(&confirmation, LIST).await;
    assert_eq!(refused.status, 422, "a reason is needed");
    let set = hidden_value(&refused, "set").unwrap();
    let mut fields = reject.to_vec();
    fields.extend([("sure", "yes"), ("set", set.as_str()), ("payment_reason", "The account was closed")]);
    assert_eq!(desk.post(LIST, &fields).await.status, 303);
    let rejected =
        "SELECT count(*) FROM delegates WHERE payment = 'rejected' AND payment_reason = 'The account was closed'";
    assert_eq!(site.number(rejected).await, 3);
    assert_eq!(count_audited(&site, "check payment").await, 6);
    assert_eq!(site.number("SELECT count(*) FROM outbox WHERE kind LIKE 'payment-%'").await, 0, "nobody was told");
    assert_eq!(desk.post("/admin/contact-messages/selected", &[("action", "payment:verified")]).await.status, 303);
    assert_eq!(reviewer.post(LIST, &both).await.status, 403);
}

async fn mails_are_sent_only_if_that_is_ticked(database: Database) {
    let site = site_with(database, &["asha", "binu"]).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let mails = "SELECT count(*) FROM outbox WHERE kind = 'payment-not-found'";
    let start = [("all", "yes"), ("action", "payment:not-found")];
    let confirmation = desk.post(LIST, &start).await;
    let text = confirmation.text();
    assert!(
        text.contains("Tell 2 that no payment was found?") && text.contains("binu &lt;binu@example.org&gt;"),
        "{text}"
    );
    assert!(text.contains("Dear binu,") && text.contains("₹1,300 for 20th Velicham Delegate"), "{text}");
    assert_eq!(desk.confirm(&confirmation, LIST).await.status, 422, "it has to be ticked");
    assert_eq!(site.number(mails).await, 0);
    let set = hidden_value(&confirmation, "set").unwrap();
    let mut fields = start.to_vec();
    fields.extend([("sure", "yes"), ("set", set.as_str()), ("tell", "yes")]);
    let done = desk.post(LIST, &fields).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(site.number(mails).await, 2);
    assert!(desk.get("/admin/delegates").await.text().contains("2 mails are on their way."));
    let body = site
        .texts("SELECT body_text FROM outbox WHERE to_address = 'asha@example.org' AND kind = 'payment-not-found'")
        .await;
    assert!(body[0].starts_with("Dear asha,\n") && body[0].contains("DL-2025-0001"), "{body:?}");
    assert_eq!(count_audited(&site, "mail about payment").await, 2);
    let again = desk.post(LIST, &fields).await;
    assert_eq!((again.status, site.number(mails).await), (409, 2), "the same page again sends nothing");
}

async fn registrations_are_verified_and_confirmed_in_one_pass(database: Database) {
    let site = site_with(database, &["asha", "binu"]).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let start = [("all", "yes"), ("action", "payment:confirmed")];
    let confirmation = desk.post(LIST, &start).await;
    let text = confirmation.text();
    assert!(text.contains("Verify 2 payments, and confirm them?") && text.contains("Dear "), "{text}");
    let set = hidden_value(&confirmation, "set").unwrap();
    let mut fields = start.to_vec();
    fields.extend([("sure", "yes"), ("set", set.as_str()), ("tell", "yes")]);
    assert_eq!(desk.post(LIST, &fields).await.status, 303);
    let both = "SELECT count(*) FROM delegates WHERE payment = 'verified' AND status = 'confirmed'";
    assert_eq!(site.number(both).await, 2);
    let kinds = site.texts("SELECT DISTINCT kind FROM submission_events ORDER BY kind").await;
    assert!(kinds.contains(&"payment".to_owned()) && kinds.contains(&"status".to_owned()), "{kinds:?}");
    assert_eq!(site.number("SELECT count(*) FROM outbox WHERE kind = 'registration-confirmed'").await, 2);
    let page = desk.get("/admin/delegates").await.text();
    assert!(page.contains("2 delegates set to “Confirmed”. 2 mails are on their way."), "{page}");
    let films = desk.post("/admin/film-submissions/selected", &start).await;
    assert_eq!(films.status, 303);
    let page = desk.get(&films.header("Location")).await.text();
    assert!(page.contains("Choose first what to do."), "films are not confirmed here: {page}");
}

async fn a_large_filter_is_decided_in_batches(database: Database) {
    let site = site_with(database, &["asha"]).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let columns = "edition_id, reference, name, email, mobile, address, age, occupation, category, transaction_details, \
                   category_key, fee_inr, status, is_quarantined, is_late, is_possible_duplicate, over_long, fingerprint, \
                   subject_hash, created_at, updated_at";
    let copied = columns.replacen("reference", "'DL-' || n.id", 1);
    site.write("CREATE TABLE numbers (id BIGINT)").await;
    site.write(
        "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 1500) \
         INSERT INTO numbers SELECT id FROM n",
    )
    .await;
    site.write(&format!(
        "INSERT INTO delegates ({columns}) SELECT {} FROM delegates d, numbers n",
        copied
            .split(", ")
            .map(|column| if column.contains("n.id") { column.to_owned() } else { format!("d.{column}") })
            .collect::<Vec<_>>()
            .join(", ")
    ))
    .await;
    let done = desk.post_and_confirm(LIST, &[("all", "yes"), ("action", "payment:verified")]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(site.number("SELECT count(*) FROM delegates WHERE payment = 'verified'").await, 1501);
    assert_eq!(site.number("SELECT count(DISTINCT delegate_id) FROM submission_events").await, 1501);
    assert_eq!(count_audited(&site, "check payment").await, 1501);
    // Films are no delegates.
    submit(&site, &film("asian")).await;
    assert_eq!(site.number("SELECT count(*) FROM film_submissions WHERE payment = 'verified'").await, 0);
}
