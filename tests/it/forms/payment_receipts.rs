//! Receipts of verified payments: their numbers, the mail that tells them, and the page to print.

use std::collections::BTreeSet;

use festival_core::admin::OWNER;
use festival_forms::DESK;

use super::requests::lift_limits;
use super::statement_matching::{HEADER, line, name, store_claims, upi, utr, verified};
use crate::admin::browser::{Browser, create_account, hidden_value};
use crate::admin::payments::{delegate, film, save, submit};
use crate::admin::records_command::run;
use crate::selection::status;
use crate::support::{Database, TestApp};

on_both!(
    payment_keeps_its_receipt_and_a_rejected_one_shows_none,
    numbers_are_one_series_without_gaps_and_nobody_shares_one,
    payments_confirmed_at_once_do_not_wait_for_each_other_for_ever,
    statement_tells_senders_only_if_that_is_asked_for,
    long_statement_is_numbered_told_and_undone_as_a_whole,
    decision_about_a_line_tells_the_sender_if_that_is_ticked,
    payments_of_earlier_builds_are_numbered_at_the_start,
);

const RECEIPTS: &str = "SELECT payment_receipt FROM delegates WHERE payment_receipt <> '' ORDER BY reference";

async fn payment_keeps_its_receipt_and_a_rejected_one_shows_none(database: Database) {
    let site = TestApp::with(database, status::settings).await;
    let account = create_account(&site, &OWNER).await;
    let desk = Browser::signed_in(&site, &account).await;
    let registration = submit(&site, &delegate("asha")).await;
    let link = status::link(&site, "delegate-receipt").await;
    let print = format!("/status/receipt?key={}", status::key(&link));
    assert_eq!(site.get(&print).await.status, 404, "not verified");
    let paid = [("payment", "verified"), ("payment_amount", "1300 Rs"), ("payment_transaction", "529312345678")];
    assert_eq!(save(&desk, &registration, &[&paid[..], &[("tell", "yes")]].concat()).await.status, 303);
    let mail = site.texts("SELECT subject || '\n\n' || body_text FROM outbox WHERE kind = 'payment-received'").await;
    assert_eq!(
        mail,
        ["Velicham 2025: we have received your payment (DL-2025-0001)\n\nDear asha,\n\n\
          we have received the payment for your registration. Thank you.\n\n\
          Reference: DL-2025-0001\nReceipt: R-2025-0001\nAmount: ₹1,300\n\n\
          Please quote your reference when you write to us.\n\n\
          Velicham International Film Festival\noffice@velicham.example\n+91 484 000 0000\n"]
    );
    assert!(desk.get(&registration).await.text().contains("<dt>Receipt</dt><dd><b>R-2025-0001</b></dd>"));
    let page = site.get(&link).await.text();
    assert!(page.contains("We have received the payment.") && page.contains("Receipt R-2025-0001, to print"), "{page}");
    let page = site.get(&print).await.text();
    for shown in [
        "Receipt R-2025-0001 <small lang=\"ml\">രസീത്</small>",
        "Velicham International Film Festival has received this payment.",
        "<dd>asha</dd>",
        "<dd>20th Velicham Delegate</dd>",
        "<dd>DL-2025-0001</dd>",
        "<dd><b>₹1,300</b></dd>",
        "<dd>529312345678</dd>",
        "<dd>26 October 2025</dd>",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    // The record keeps it, and the sender sees it again once the payment is verified again.
    site.clock.set("2025-10-28T06:30:00Z".parse().unwrap());
    let desk = Browser::signed_in(&site, &account).await;
    let rejected = [("payment", "rejected"), ("payment_reason", "Charged back")];
    assert_eq!(save(&desk, &registration, &rejected).await.status, 303);
    assert!(desk.get(&registration).await.text().contains("<dt>Receipt</dt><dd><b>R-2025-0001</b></dd>"));
    assert!(!site.get(&link).await.text().contains("R-2025-0001"));
    assert_eq!(site.get(&print).await.status, 404, "rejected");
    assert_eq!(save(&desk, &registration, &[("payment", "verified")]).await.status, 303);
    let page = site.get(&print).await.text();
    // The amount was not typed again, so the fee stands in its place.
    for shown in ["Receipt R-2025-0001", "26 October 2025", "Fee <span lang=\"ml\">ഫീസ്</span></dt><dd><b>₹1,300</b>"]
    {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let csv = desk.post("/admin/delegates/export", &[("format", "csv")]).await.text();
    assert!(csv.lines().next().unwrap().contains("Amount differs,Receipt,"), "{csv}");
    assert!(csv.contains(",Verified,,,,,,,,R-2025-0001,DL-2025-0001 asha/screenshot.png,"), "{csv}");
}

async fn numbers_are_one_series_without_gaps_and_nobody_shares_one(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let folder = tempfile::tempdir().unwrap();
    let film = submit(&site, &film("asian")).await;
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &(1..=8).map(claim).collect::<Vec<_>>()).await;
    assert_eq!(save(&desk, &film, &[("payment", "verified")]).await.status, 303);
    let list: Vec<String> = (1..=4).map(|number| upi(&utr(number), &name(number), "fee")).collect();
    std::fs::write(folder.path().join("bank.csv"), format!("{HEADER}{}", list.concat())).unwrap();
    // Verifies four in a transaction that is rolled back.
    let dry = run(&site, folder.path(), &["payments", "import", "bank.csv", "--dry-run"]);
    assert!(dry.out.contains("4 payments verified."), "{}", dry.transcript());
    assert_eq!(site.texts(RECEIPTS).await, Vec::<String>::new());
    assert_eq!(run(&site, folder.path(), &["payments", "import", "bank.csv"]).code, 0);
    assert_eq!(site.texts("SELECT payment_receipt FROM film_submissions").await, ["R-2025-0001"]);
    assert_eq!(site.texts(RECEIPTS).await, ["R-2025-0002", "R-2025-0003", "R-2025-0004", "R-2025-0005"]);
    // Two people at once, twice.
    let pages =
        site.texts("SELECT CAST(id AS TEXT) FROM delegates WHERE payment = 'unchecked' AND is_quarantined = 0").await;
    for pair in pages.chunks(2) {
        let pages: Vec<String> = pair.iter().map(|id| format!("/admin/delegates/{id}")).collect();
        let verified = [("payment", "verified")];
        let (one, two) = tokio::join!(save(&desk, &pages[0], &verified), save(&desk, &pages[1], &verified));
        assert_eq!((one.status, two.status), (303, 303));
    }
    let receipts: BTreeSet<String> = site.texts(RECEIPTS).await.into_iter().collect();
    let expected: BTreeSet<String> = (2..=9).map(|number| format!("R-2025-000{number}")).collect();
    assert_eq!(receipts, expected);
    // What was taken back keeps its number, and the next payment gets the next.
    let import = site.number("SELECT max(id) FROM statement_imports").await.to_string();
    assert_eq!(run(&site, folder.path(), &["payments", "undo", &import]).code, 0);
    assert_eq!(verified(&site).await.len(), 4);
    assert_eq!(run(&site, folder.path(), &["payments", "import", "bank.csv"]).code, 0);
    assert_eq!(site.texts(RECEIPTS).await.into_iter().collect::<BTreeSet<String>>(), expected);
}

async fn payments_confirmed_at_once_do_not_wait_for_each_other_for_ever(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &(1..=8).map(claim).collect::<Vec<_>>()).await;
    let films = [submit(&site, &film("asian")).await, submit(&site, &film("indian").with("title_english", "B")).await];
    let folder = tempfile::tempdir().unwrap();
    // Lines without the exact fee, which wait for a decision.
    let lines = (3..=5).map(|number| line("26 Oct 2025", &format!("UPI/{}", utr(number)), "", "1,000.00"));
    std::fs::write(folder.path().join("bank.csv"), format!("{HEADER}{}", lines.collect::<String>())).unwrap();
    assert_eq!(run(&site, folder.path(), &["payments", "import", "bank.csv"]).code, 0);
    let id = async |number: usize| {
        site.id("delegates", &format!("reference = 'DL-2025-{}'", 1000 + number)).await.to_string()
    };
    let ids = [id(1).await, id(2).await, id(6).await, id(7).await, id(8).await];
    let line_ids = site.texts("SELECT CAST(id AS TEXT) FROM statement_lines ORDER BY id DESC").await;
    let chosen = |ids: &[String], action: &'static str| {
        let rows = ids.iter().map(|id| ("row", id.clone()));
        rows.chain([("action", action.to_owned())]).collect::<Vec<(&str, String)>>()
    };
    let decide = async |path: &str, fields: Vec<(&str, String)>| {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        desk.post_and_confirm(path, &fields).await
    };
    let film_ids: Vec<String> = films.iter().rev().map(|page| page.rsplit('/').next().unwrap().to_owned()).collect();
    let (pages, verified) = ([&ids[0], &ids[1]].map(|id| format!("/admin/delegates/{id}")), [("payment", "verified")]);
    // Pages, lists and lines of a statement, films and registrations together.
    let done = tokio::join!(
        save(&desk, &pages[0], &verified),
        decide("/admin/delegates/selected", chosen(&ids[2..], "payment:verified")),
        decide("/admin/statements/selected", chosen(&line_ids, "accept")),
        decide("/admin/film-submissions/selected", chosen(&film_ids, "payment:verified")),
        save(&desk, &pages[1], &verified),
    );
    let done = [done.0, done.1, done.2, done.3, done.4];
    for response in &done {
        assert_eq!(response.status, 303, "{}", response.text());
    }
    let all = "SELECT payment_receipt FROM delegates WHERE payment_receipt <> '' \
               UNION ALL SELECT payment_receipt FROM film_submissions";
    let mut receipts = site.texts(all).await;
    receipts.sort();
    let expected: Vec<String> = (1..=10).map(|number| format!("R-2025-{number:04}")).collect();
    assert_eq!(receipts, expected);
}

async fn statement_tells_senders_only_if_that_is_asked_for(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &[claim(1), claim(2), claim(3)]).await;
    site.write("UPDATE delegates SET email = '' WHERE reference = 'DL-2025-1003'").await;
    let import = |file: &str, numbers: &[usize], more: &[&str]| {
        let list: Vec<String> = numbers.iter().map(|number| upi(&utr(*number), &name(*number), "fee")).collect();
        std::fs::write(folder.path().join(file), format!("{HEADER}{}", list.concat())).unwrap();
        let done = run(&site, folder.path(), &[&["payments", "import", file], more].concat());
        assert_eq!(done.code, 0, "{}", done.transcript());
    };
    let mails = "SELECT to_address || ': ' || subject FROM outbox WHERE kind = 'payment-received' ORDER BY id";
    import("one.csv", &[1], &[]);
    assert_eq!(site.texts(mails).await, Vec::<String>::new());
    import("two.csv", &[1, 2, 3], &["--tell", "--dry-run"]);
    assert_eq!(site.texts(mails).await, Vec::<String>::new());
    for _ in 0..2 {
        import("two.csv", &[1, 2, 3], &["--tell"]);
        assert_eq!(
            site.texts(mails).await,
            ["person1@example.org: Festival 2025: we have received your payment (DL-2025-1002)"]
        );
    }
    let body = site.texts("SELECT body_text FROM outbox WHERE kind = 'payment-received'").await.remove(0);
    assert!(body.contains("Receipt: R-2025-0002\nAmount: ₹1,300\n"), "{body}");
    let told = "SELECT who || ': ' || after_text FROM submission_events WHERE kind = 'mail'";
    assert_eq!(site.texts(told).await, ["command line: Told by mail that the payment was received"]);
    // Nobody is written to when an import is undone.
    let last = site.number("SELECT max(id) FROM statement_imports").await.to_string();
    assert_eq!(run(&site, folder.path(), &["payments", "undo", &last]).code, 0);
    assert_eq!(site.texts(mails).await.len(), 1);
}

/// Payments are written in batches of 200: each keeps its own receipt, mail and history.
async fn long_statement_is_numbered_told_and_undone_as_a_whole(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    submit(&site, &film("asian")).await;
    let film_number = utr(900);
    site.write(&format!("UPDATE film_submissions SET fee_inr = 1300, payment_utr = '{film_number}'")).await;
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &(1..=275).map(claim).collect::<Vec<_>>()).await;
    site.write("UPDATE delegates SET email = '' WHERE reference = 'DL-2025-1007'").await;
    let state = "SELECT reference || payment || payment_transaction || payment_amount || coalesce(payment_read, -1) \
                 FROM delegates WHERE reference <> 'DL-2025-1003' ORDER BY reference";
    let before = site.texts(state).await;
    let list: Vec<String> = (1..=250).rev().map(|number| upi(&utr(number), &name(number), "fee")).collect();
    let film_line = line("26 Oct 2025", &format!("UPI/{film_number}"), "", "1,300.00");
    std::fs::write(folder.path().join("bank.csv"), format!("{HEADER}{film_line}{}", list.concat())).unwrap();
    let import = run(&site, folder.path(), &["payments", "import", "bank.csv", "--tell"]);
    assert!(import.out.contains("251 lines: 251 new, 0 known. 251 payments verified."), "{}", import.transcript());
    // The first 20 are printed.
    let more = "DL-2025-1270 and 5 more; in the back office, Bank statements, Sums, lists all\n";
    assert!(
        import.out.contains("    25  submissions without a payment: DL-2025-1251, DL-2025-1252, "),
        "{}",
        import.out
    );
    assert!(import.out.contains(more), "{}", import.out);
    let all = "SELECT payment_receipt FROM delegates WHERE payment_receipt <> '' \
               UNION ALL SELECT payment_receipt FROM film_submissions";
    let mut receipts = site.texts(all).await;
    receipts.sort();
    assert_eq!(receipts, (1..=251).map(|number| format!("R-2025-{number:04}")).collect::<Vec<_>>());
    assert_eq!(site.number("SELECT count(*) FROM outbox WHERE kind = 'payment-received'").await, 250);
    let own = "SELECT count(*) FROM outbox o JOIN delegates d ON d.email = o.to_address WHERE kind = 'payment-received' \
               AND o.body_text LIKE '%Receipt: ' || d.payment_receipt || '%' AND o.subject LIKE '%' || d.reference || '%'";
    assert_eq!(site.number(own).await, 249);
    let numbers = "SELECT DISTINCT payment_transaction || ' ' || payment_amount || ' ' || coalesce(payment_read, -1) \
                   FROM delegates WHERE reference IN ('DL-2025-1001', 'DL-2025-1250') ORDER BY 1";
    assert_eq!(site.texts(numbers).await, [format!("{} ₹1,300 130000", utr(1)), format!("{} ₹1,300 130000", utr(250))]);
    let histories = "SELECT kinds || ' ' || CAST(count(*) AS TEXT) FROM (SELECT delegate_id, count(*) || ' ' || \
                     min(kind) || ' ' || max(kind) AS kinds FROM submission_events WHERE delegate_id IS NOT NULL \
                     GROUP BY delegate_id) AS of_delegates GROUP BY kinds ORDER BY kinds";
    assert_eq!(site.texts(histories).await, ["2 payment statement 1", "3 mail statement 249"]);
    assert_eq!(site.number("SELECT count(*) FROM admin_audit WHERE action = 'check payment'").await, 251);
    // What a person decided since stays; all the others are as they were.
    site.write("UPDATE delegates SET payment_reason = 'checked by eye' WHERE reference = 'DL-2025-1003'").await;
    let id = site.number("SELECT max(id) FROM statement_imports").await.to_string();
    let undone = run(&site, folder.path(), &["payments", "undo", &id]);
    assert!(undone.out.contains("250 verified payments are as they were."), "{}", undone.transcript());
    assert!(undone.err.contains("1 stay as they are"), "{}", undone.transcript());
    assert_eq!(site.texts(state).await, before);
    assert_eq!(verified(&site).await, ["DL-2025-1003"]);
    assert_eq!(site.number("SELECT count(*) FROM outbox WHERE kind = 'payment-received'").await, 250);
}

async fn decision_about_a_line_tells_the_sender_if_that_is_ticked(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &[claim(1), claim(2), claim(3), claim(4)]).await;
    let list = [
        HEADER.to_owned(),
        upi(&utr(1), &name(1), "fee"),
        line("26 Oct 2025", &format!("UPI/{}", utr(2)), "", "1,000.00"),
        line("26 Oct 2025", &format!("UPI/{}", utr(3)), "", "1,100.00"),
        line("26 Oct 2025", &format!("UPI/{}", utr(4)), "", "1,200.00"),
    ]
    .concat();
    let csrf = hidden_value(&desk.get("/admin/statements/import").await, "csrf").unwrap();
    let fields = [("csrf", csrf.as_str()), ("bank", ""), ("map", "")];
    let files = [("statement", "bank.csv", list.as_bytes())];
    let preview = desk.send_with_files("/admin/statements/import", &fields, &files, &[]).await;
    assert!(preview.text().contains("Tell the senders by mail whose payments are verified"), "{}", preview.text());
    let file = hidden_value(&preview, "file").unwrap();
    let sent = [("file", file.as_str()), ("name", "bank.csv"), ("bank", ""), ("map", ""), ("tell", "yes")];
    assert_eq!(desk.post("/admin/statements/import/now", &sent).await.status, 303);
    let decide = async |amount: &str, fields: &[(&str, &str)]| {
        let id = site.id("statement_lines", &format!("hundredths = {amount}")).await.to_string();
        let asked = desk.post("/admin/statements/selected", &[&[("row", id.as_str())], fields].concat()).await;
        let seen = format!("version-{id}");
        let version = hidden_value(&asked, &seen).unwrap_or_else(|| panic!("{}", asked.text()));
        let sure = [("row", id.as_str()), (seen.as_str(), version.as_str()), ("sure", "yes")];
        let done = desk.post("/admin/statements/selected", &[&sure, fields].concat()).await;
        assert_eq!(done.status, 303, "{}", done.text());
    };
    decide("100000", &[("action", "accept"), ("tell", "yes")]).await;
    decide("110000", &[("action", "accept")]).await;
    decide("120000", &[("action", "reject"), ("reason", "₹100 is missing"), ("tell", "yes")]).await;
    assert_eq!(
        site.texts("SELECT kind || ' ' || to_address FROM outbox WHERE kind LIKE 'payment-%' ORDER BY id").await,
        [
            "payment-received person0@example.org",
            "payment-received person1@example.org",
            "payment-rejected person3@example.org",
        ]
    );
    assert_eq!(site.texts(RECEIPTS).await, ["R-2025-0001", "R-2025-0002", "R-2025-0003"]);
    // What became of the payments adds up to the statement.
    let delegates = site.id("delegates", "reference = 'DL-2025-1003'").await;
    let rejected = [("payment", "rejected"), ("payment_reason", "Charged back")];
    assert_eq!(save(&desk, &format!("/admin/delegates/{delegates}"), &rejected).await.status, 303);
    let sums = desk.get("/admin/statements/sums").await.text();
    let (_, payments) = sums.split_once("<h2>Payment</h2>").unwrap_or_else(|| panic!("{sums}"));
    let (payments, _) = payments.split_once("</table>").unwrap();
    for (label, count, sum) in [
        ("Rejected", 1, "₹1,100"),
        ("Verified", 2, "₹2,300"),
        ("Nobody claims it", 1, "₹1,200"),
        ("All, money that went out subtracted", 4, "₹4,600"),
    ] {
        let row =
            format!("<th scope=\"row\">{label}</th><td class=\"figure\">{count}</td><td class=\"figure\">{sum}</td>");
        assert!(payments.contains(&row), "{row}: {payments}");
    }
}

async fn payments_of_earlier_builds_are_numbered_at_the_start(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &[claim(1), claim(2), claim(3)]).await;
    site.write("UPDATE delegates SET payment = 'verified' WHERE reference <> 'DL-2025-1002' AND is_quarantined = 0")
        .await;
    let (directory, database) = site.stop().await;
    let site = TestApp::on_database(directory, database, &festival::modules(), lift_limits).await;
    while site.texts(RECEIPTS).await.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let numbers = "SELECT reference || ' ' || payment_receipt FROM delegates WHERE payment_receipt <> '' ORDER BY id";
    assert_eq!(site.texts(numbers).await, ["DL-2025-1001 R-2025-0001", "DL-2025-1003 R-2025-0002"]);
}
