//! Waivers and discounts of fees: by a code in the form, by hand, of several submissions, and with bank statements.

use festival_core::admin::OWNER;
use festival_forms::{DESK, REVIEWER};

use super::requests::lift_limits;
use super::statement_matching::{HEADER, line, name, store_claims, upi, utr, verified};
use crate::admin::browser::{Browser, count_audited, create_account, hidden_value, unescape_html};
use crate::admin::payments::{delegate, film, save, submit};
use crate::admin::records_command::run;
use crate::admin::settings;
use crate::selection::status;
use crate::support::{Database, TestApp};

on_both!(
    codes_in_forms_reduce_the_fee_and_the_history_says_why,
    fees_are_reduced_and_waived_by_hand_with_a_reason,
    fees_of_several_are_reduced_at_once,
    reduced_fee_is_the_exact_fee_of_bank_statements,
);

const HISTORY: &str = "SELECT who || ' | ' || before_text || ' | ' || after_text FROM submission_events ORDER BY id";

async fn codes_in_forms_reduce_the_fee_and_the_history_says_why(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    assert_eq!(site.get("/api/forms/").await.json()["takes_fee_codes"], false);
    let code = |values: [&'static str; 3]| {
        ["fees.codes.0.code", "fees.codes.0.reduction", "fees.codes.0.reason"]
            .into_iter()
            .zip(values)
            .collect::<Vec<_>>()
    };
    let refused = settings::save(&owner, "fees", &code(["HALF", "half", "Film schools"])).await.text();
    assert!(refused.contains("needs 5 letters and digits or more"), "{refused}");
    assert!(unescape_html(&refused).contains("\"half\" is no share such as 50%"), "{refused}");
    let saved = settings::save(&owner, "fees", &code(["Film-School 25", "50%", "Film schools"])).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let more = [
        ("fees.codes.1.code", "GUEST7"),
        ("fees.codes.1.reduction", "100%"),
        ("fees.codes.1.reason", "Guests of the festival"),
    ];
    assert_eq!(settings::save(&owner, "fees", &more).await.status, 303);
    assert_eq!(site.get("/api/forms/").await.json()["takes_fee_codes"], true);
    let half = submit(&site, &film("asian").with("fee_code", " filmschool25 ")).await;
    let guest = submit(&site, &delegate("asha").with("fee_code", "GUEST-7")).await;
    let unknown = submit(&site, &delegate("binu").with("fee_code", "GUEST8")).await;
    assert_eq!(
        site.texts(HISTORY).await,
        [
            "The form | ₹5,000 or $60 | ₹2,500 or $30: Film schools (code Film-School 25)",
            "The form | ₹1,300 | ₹0: Guests of the festival (code GUEST7)",
        ]
    );
    let page = owner.get(&half).await.text();
    for expected in [
        "<dd>₹2,500 or $30 <small>in place of ₹5,000 or $60: Film schools (code Film-School 25)</small></dd>",
        "<dt>Discount code</dt><dd><b>filmschool25</b></dd>",
        "<h3>Fee <small>The form, ",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let page = owner.get(&unknown).await.text();
    assert!(page.contains("<dd>₹1,300 <small>for") && page.contains("This code is not known</span>"), "{page}");
    assert_eq!(
        site.texts("SELECT payment || ' ' || flagged FROM delegates ORDER BY id").await,
        ["waived ", "unchecked fee_code"]
    );
    assert!(owner.get(&guest).await.text().contains("<span class=\"badge good\">Waived</span>"));
    let preview = [("payment", "unchecked"), ("then", "preview")];
    let mail = save(&owner, &half, &preview).await.text();
    assert!(mail.contains("₹2,500 or $30 for the entry of a film, Asian Cinema"), "{mail}");
    // The amounts on proofs are compared with what is due, by the page and by the filter.
    for (amount, differs) in [("2500", false), ("$30", false), ("5000", true), ("$60", true)] {
        assert_eq!(save(&owner, &half, &[("payment", "unchecked"), ("payment_amount", amount)]).await.status, 303);
        assert_eq!(owner.get(&half).await.text().contains("class=\"differs\""), differs, "{amount}");
        let list = owner.get("/admin/film-submissions?flag=amount").await.text();
        assert_eq!(list.contains(&format!("href=\"{half}?")), differs, "{amount}: {list}");
    }
    // A code that is removed does not change what was sent.
    site.write("DELETE FROM settings WHERE path = 'fees.codes'").await;
    assert!(owner.get(&half).await.text().contains("₹2,500 or $30"));
}

async fn fees_are_reduced_and_waived_by_hand_with_a_reason(database: Database) {
    let site = TestApp::with(database, status::settings).await;
    let account = create_account(&site, &DESK).await;
    let desk = Browser::signed_in(&site, &account).await;
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    let page = submit(&site, &delegate("asha")).await;
    let link = status::link(&site, "delegate-receipt").await;
    let other = submit(&site, &delegate("binu")).await;
    let fee = |reduction: &'static str, reason: &'static str, more: &[(&'static str, &'static str)]| {
        let fields = [("fee_reduction", reduction), ("fee_reduction_reason", reason), ("payment", "unchecked")];
        [&fields[..], more].concat()
    };
    for (reduction, reason, problem) in [
        ("500", "", "Write why the fee is reduced."),
        ("half", "Student", "Write a share such as 50%, or an amount in whole rupees."),
        ("$5", "Student", "Write a share such as 50%, or an amount in whole rupees."),
    ] {
        let refused = save(&desk, &page, &fee(reduction, reason, &[])).await;
        assert!(refused.status == 422 && refused.text().contains(problem), "{reduction}: {}", refused.text());
    }
    assert_eq!(save(&desk, &page, &fee("300", "Student of a film school", &[])).await.status, 303);
    let shown = desk.get(&page).await.text();
    assert!(shown.contains("DL-2025-0001 saved: fee."), "{shown}");
    assert!(shown.contains("in place of ₹1,300: Student of a film school"), "{shown}");
    assert!(shown.contains("name=\"fee_reduction\"") && shown.contains("value=\"300\""), "{shown}");
    // The same again changes nothing; reviewers neither see nor change it.
    assert!(save(&desk, &page, &fee("300", "Student of a film school", &[])).await.status == 303);
    let film = submit(&site, &film("asian")).await;
    assert!(!reviewer.get(&film).await.text().contains("fee_reduction"));
    let foreign = [("version", "0"), ("fee_reduction", "100%"), ("fee_reduction_reason", "Friend")];
    assert_eq!(reviewer.post(&film, &foreign).await.status, 403);
    assert_eq!(site.texts(HISTORY).await, ["Test Desk | ₹1,300 | ₹1,000: Student of a film school"]);
    assert_eq!(count_audited(&site, "reduce fee").await, 1);
    let waived = fee("100%", "Volunteer", &[("tell", "yes")]);
    let refused = save(&desk, &page, &waived).await;
    assert!(refused.text().contains("There is no mail about a waived fee."), "{}", refused.text());
    assert_eq!(save(&desk, &page, &waived[..3]).await.status, 303);
    assert_eq!(site.texts("SELECT payment FROM delegates ORDER BY id").await, ["waived", "unchecked"]);
    // Nothing is due: no mail, no open payment, no entry that is unpaid at the door.
    let status_page = site.get(&link).await.text();
    assert!(status_page.contains("The fee is waived."), "{status_page}");
    let money = desk.get("/admin/money").await.text();
    for expected in ["₹1,300 <small>₹1,300 taken off</small>", "₹1,300 <small>1</small>"] {
        assert!(money.contains(expected), "{expected}: {money}");
    }
    let csv = desk.post("/admin/money/table", &[("format", "csv")]).await.text();
    assert!(csv.contains(",2,1300,0,0,1,1300,0,0,0,0,0,2025,1300"), "{csv}");
    assert!(desk.get("/admin/").await.text().contains("1 payment of a registration to check"));
    let door = desk.get("/admin/delegates/print").await.text();
    assert!(door.contains("asha") && door.matches("unpaid: not checked yet").count() == 1, "{door}");
    let csv = desk.post("/admin/delegates/export", &[("format", "csv")]).await.text();
    assert!(csv.contains(",1300,₹0,Volunteer,Waived,"), "{csv}");
    // The whole fee is due again.
    let back = [("fee_reduction", ""), ("fee_reduction_reason", "Volunteer"), ("payment", "waived")];
    assert_eq!(save(&desk, &page, &back).await.status, 303);
    assert_eq!(
        site.texts("SELECT payment || fee_reduction_reason FROM delegates ORDER BY id").await,
        ["unchecked", "unchecked"]
    );
    // A payment that somebody decided about stays as it is.
    assert_eq!(save(&desk, &other, &[("payment", "verified")]).await.status, 303);
    let late = [("fee_reduction", "100%"), ("fee_reduction_reason", "Guest"), ("payment", "verified")];
    assert_eq!(save(&desk, &other, &late).await.status, 303);
    assert_eq!(site.texts("SELECT payment FROM delegates ORDER BY id").await, ["unchecked", "verified"]);
}

async fn fees_of_several_are_reduced_at_once(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    for (name, category) in [("asha", "Student Delegate"), ("binu", "20th Velicham Delegate"), ("chitra", "Friend")] {
        submit(&site, &delegate(name).with("category", category)).await;
    }
    let path = "/admin/delegates/selected";
    let start = [("all", "yes"), ("action", "fee:reduce")];
    let confirmation = desk.post(path, &start).await;
    assert!(confirmation.text().contains("Change what is due for 3 delegates?"), "{}", confirmation.text());
    let set = hidden_value(&confirmation, "set").unwrap();
    let sure = |reduction: &'static str, reason: &'static str| {
        let fields = [("sure", "yes"), ("set", &set), ("fee_reduction", reduction), ("fee_reduction_reason", reason)];
        [&start[..], &fields[..]].concat()
    };
    assert_eq!(desk.post(path, &sure("50%", "")).await.status, 422);
    let done = desk.post(path, &sure("50%", "Early registration")).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert!(desk.get("/admin/delegates").await.text().contains("What is due is changed for 2 delegates."));
    assert_eq!(
        site.texts("SELECT name || ' ' || fee_reduction_inr || ' ' || fee_reduction_reason FROM delegates ORDER BY id")
            .await,
        ["asha 250 Early registration", "binu 650 Early registration", "chitra 0 "]
    );
    assert_eq!(
        site.texts(HISTORY).await,
        ["Test Desk | ₹500 | ₹250: Early registration", "Test Desk | ₹1,300 | ₹650: Early registration"]
    );
}

async fn reduced_fee_is_the_exact_fee_of_bank_statements(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let folder = tempfile::tempdir().unwrap();
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &[claim(1), claim(2), claim(3)]).await;
    for (reference, reduction) in [("DL-2025-1001", "50%"), ("DL-2025-1002", "300"), ("DL-2025-1003", "100%")] {
        let page = format!("/admin/delegates/{}", site.id("delegates", &format!("reference = '{reference}'")).await);
        let fields = [("fee_reduction", reduction), ("fee_reduction_reason", "Film school")];
        assert_eq!(save(&desk, &page, &fields).await.status, 303);
    }
    let list = [
        HEADER.to_owned(),
        line("26 Oct 2025", &format!("UPI/CR/{}/{}/SBIN", utr(1), name(1).to_uppercase()), "", "650.00"),
        upi(&utr(2), &name(2), "fee"),
    ]
    .concat();
    std::fs::write(folder.path().join("bank.csv"), list).unwrap();
    let import = run(&site, folder.path(), &["payments", "import", "bank.csv"]);
    assert_eq!(import.code, 0, "{}", import.transcript());
    assert_eq!(verified(&site).await, ["DL-2025-1001"]);
    assert!(import.out.contains("More than is due. ₹300 more than is due [DL-2025-1002]"), "{}", import.transcript());
    assert!(!import.out.contains("without a payment"), "a waived fee needs none: {}", import.transcript());
}
