//! Bank statements in the back office: imported, decided about one by one or together, exported, undone.

use festival_forms::{DESK, REVIEWER};

use super::requests::lift_limits;
use super::statement_matching::{HEADER, line, name, store_claims, upi, utr, verified};
use crate::admin::browser::{Browser, count_audited, create_account, hidden_value};
use crate::admin::records_command::run;
use crate::support::{Database, TestApp};

on_both!(
    statements_are_imported_and_decided_in_the_browser,
    lines_that_were_chosen_in_the_list_are_decided_together_and_exported,
);

async fn statements_are_imported_and_decided_in_the_browser(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    assert_eq!(reviewer.get("/admin/statements").await.status, 403);
    store_claims(
        &site,
        &[(name(1), utr(1), String::new()), (name(2), utr(2), String::new()), (name(3), utr(3), String::new())],
    )
    .await;
    let list = [
        HEADER.to_owned(),
        upi(&utr(1), &name(1), "fee"),
        line("26 Oct 2025", &format!("UPI/{}", utr(2)), "", "1,000.00"),
        line("26 Oct 2025", &format!("UPI/{}", utr(3)), "", "1,400.00"),
        line("26 Oct 2025", "SOMEBODY ELSE", "", "20.00"),
    ]
    .concat();
    let page = desk.get("/admin/statements/import").await;
    let csrf = hidden_value(&page, "csrf").unwrap();
    let fields = [("csrf", csrf.as_str()), ("bank", ""), ("map", "")];
    let upload = |name: &'static str, content: Vec<u8>| {
        let (desk, fields) = (&desk, &fields);
        async move { desk.send_with_files("/admin/statements/import", fields, &[("statement", name, &content)], &[]).await }
    };
    let refused = upload("bank.csv", b"Title,Director\nA,B\n".to_vec()).await;
    assert!(refused.text().contains("no row has the headers of a statement"), "{}", refused.text());
    let preview = upload("bank.csv", list.into_bytes()).await;
    assert!(preview.text().contains("4 lines: 4 new, 0 known. 1 payment verified."), "{}", preview.text());
    assert_eq!(site.number("SELECT count(*) FROM statement_lines").await, 0, "nothing before the confirmation");
    let file = hidden_value(&preview, "file").unwrap();
    let imported = desk
        .post("/admin/statements/import/now", &[("file", &file), ("name", "bank.csv"), ("bank", ""), ("map", "")])
        .await;
    assert_eq!(imported.status, 303, "{}", imported.text());
    assert_eq!(verified(&site).await, ["DL-2025-1001"]);
    let page = desk.get("/admin/statements").await.text();
    for expected in [
        "₹1,000 on 26 October 2025",
        "Less than is due",
        "₹300 less than is due",
        "DL-2025-1002",
        "More than is due <b>1</b>",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let page = desk.get("/admin/statements?q=somebody").await.text();
    assert!(page.contains("₹20 on 26 October 2025") && !page.contains("₹1,000 on 26"), "{page}");
    let page = desk.get("/admin/statements/import").await.text();
    assert!(page.contains("bank.csv"), "{page}");
    // Each table adds up to the statement.
    let sums = desk.get("/admin/statements/sums").await.text();
    for (label, count, sum) in [
        ("Less than is due", 1, "₹1,000"),
        ("Settled", 1, "₹1,300"),
        ("26 October 2025", 4, "₹3,720"),
        ("All, money that went out subtracted", 4, "₹3,720"),
    ] {
        let row =
            format!("<th scope=\"row\">{label}</th><td class=\"figure\">{count}</td><td class=\"figure\">{sum}</td>");
        assert!(sums.contains(&row), "{row}: {sums}");
    }
    let line = |condition: &str| format!("hundredths {condition}");
    let version = |id: i64| {
        let site = &site;
        async move {
            site.texts(&format!("SELECT status || ' ' || reason FROM statement_lines WHERE id = {id}")).await.remove(0)
        }
    };
    // As the page of a line sends it.
    let decide = |id: i64, version: String, fields: Vec<(&'static str, String)>| {
        let desk = &desk;
        async move {
            let (row, seen) = (id.to_string(), format!("version-{id}"));
            let mut sent = vec![("row", &*row), (&*seen, &*version), ("sure", "yes"), ("is_page", "yes")];
            sent.extend(fields.iter().map(|(name, value)| (*name, value.as_str())));
            desk.post("/admin/statements/selected", &sent).await
        }
    };
    let delegate = |reference: &str| format!("reference = '{reference}'");
    let second = format!("delegate:{}", site.id("delegates", &delegate("DL-2025-1002")).await);
    let third = format!("delegate:{}", site.id("delegates", &delegate("DL-2025-1003")).await);
    let (short, over) =
        (site.id("statement_lines", &line("= 100000")).await, site.id("statement_lines", &line("= 140000")).await);
    let page = desk.get(&format!("/admin/statements/{short}")).await.text();
    assert!(page.contains("DL-2025-1002") && page.contains("Verify the payment"), "{page}");
    // An outdated page decides nothing, nor one on which nothing is ticked.
    let outdated = "over ₹100 more than is due".to_owned();
    decide(short, outdated, vec![("action", "accept".into()), ("claim", second.clone())]).await;
    decide(short, version(short).await, vec![("action", "accept".into())]).await;
    assert_eq!(verified(&site).await, ["DL-2025-1001"]);
    decide(short, version(short).await, vec![("action", "accept".into()), ("claim", second)]).await;
    assert_eq!(verified(&site).await, ["DL-2025-1001", "DL-2025-1002"]);
    let reject = |reason: &str| vec![("action", "reject".into()), ("claim", third.clone()), ("reason", reason.into())];
    let refused = decide(over, version(over).await, reject("")).await;
    assert!(refused.text().contains("Write why the payments are rejected."), "{}", refused.text());
    decide(over, version(over).await, reject("Not yours")).await;
    assert_eq!(
        site.texts("SELECT payment || payment_reason FROM delegates WHERE reference = 'DL-2025-1003'").await,
        ["rejectedNot yours"]
    );
    let other = site.id("statement_lines", &line("= 2000")).await;
    decide(other, version(other).await, vec![("action", "dismiss".into())]).await;
    assert_eq!(
        site.texts("SELECT status FROM statement_lines ORDER BY id").await,
        ["settled", "settled", "unclaimed", "dismissed"]
    );
    assert_eq!(count_audited(&site, "accept").await, 1);
    let history =
        desk.get(&format!("/admin/delegates/{}", site.id("delegates", &delegate("DL-2025-1002")).await)).await.text();
    assert!(history.contains("Bank statement") && history.contains("Less than is due"), "{history}");
    let undone =
        desk.post(&format!("/admin/statements/import/{}/undo", site.id("statement_imports", "1 = 1").await), &[]).await;
    assert_eq!(undone.status, 303, "{}", undone.text());
    assert_eq!(verified(&site).await, Vec::<String>::new());
    assert_eq!(site.number("SELECT count(*) FROM statement_lines").await, 0);
}

async fn lines_that_were_chosen_in_the_list_are_decided_together_and_exported(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &[claim(1), claim(2), claim(3), (name(4), utr(3), String::new())]).await;
    let list = [
        line("26 Oct 2025", &format!("UPI/{}", utr(1)), "", "1,000.00"),
        line("26 Oct 2025", &format!("UPI/{}", utr(2)), "", "1,400.00"),
        line("26 Oct 2025", &format!("UPI/{}", utr(3)), "", "1,300.00"),
        line("26 Oct 2025", "RENT", "20,000.00", ""),
    ];
    std::fs::write(folder.path().join("bank.csv"), format!("{HEADER}{}", list.concat())).unwrap();
    assert_eq!(run(&site, folder.path(), &["payments", "import", "bank.csv"]).code, 0);
    // All of a filter: the confirmation names them, and nothing is done yet.
    let rows = ["= 100000", "= 140000", "= 130000"];
    let mut ids = Vec::new();
    for row in rows {
        ids.push(site.id("statement_lines", &format!("hundredths {row}")).await.to_string());
    }
    let mut fields: Vec<(&str, &str)> = ids.iter().map(|id| ("row", id.as_str())).collect();
    fields.push(("action", "accept"));
    let confirmation = desk.post("/admin/statements/selected", &fields).await;
    for expected in ["Verify the payment: 3 lines", "₹1,000 on 26 October 2025", "₹1,400 on 26 October 2025"] {
        assert!(confirmation.text().contains(expected), "{expected}: {}", confirmation.text());
    }
    assert_eq!(verified(&site).await, Vec::<String>::new());
    let versions: Vec<(String, String)> = ids
        .iter()
        .map(|id| format!("version-{id}"))
        .map(|name| (name.clone(), hidden_value(&confirmation, &name).unwrap()))
        .collect();
    fields.push(("sure", "yes"));
    fields.extend(versions.iter().map(|(name, version)| (name.as_str(), version.as_str())));
    assert_eq!(desk.post("/admin/statements/selected", &fields).await.status, 303);
    // Whom the third pays for, its page asks.
    assert_eq!(verified(&site).await, ["DL-2025-1001", "DL-2025-1002"]);
    assert_eq!(
        site.texts("SELECT status FROM statement_lines ORDER BY id").await,
        ["settled", "settled", "twice", "outgoing"]
    );
    let export = desk.post("/admin/statements/file?status=outgoing", &[("format", "json")]).await;
    let exported: Vec<serde_json::Value> = serde_json::from_str(&export.text()).unwrap();
    assert_eq!(exported.len(), 1, "{exported:?}");
    assert_eq!(
        [&exported[0]["day"], &exported[0]["amount"], &exported[0]["narration"]],
        ["2025-10-26", "-20000.00", "RENT"]
    );
    // For the treasurer: what each settled line has paid.
    let export = desk.post("/admin/statements/file?status=settled", &[("format", "csv")]).await.text();
    for (amount, paid) in [
        ("1000.00", "DL-2025-1001,20th Velicham Delegate,Verified,R-2025-0001"),
        ("1400.00", "DL-2025-1002,20th Velicham Delegate,Verified,R-2025-0002"),
    ] {
        let row = export.lines().find(|line| line.contains(amount)).unwrap_or_else(|| panic!("{export}"));
        assert!(row.ends_with(paid), "{export}");
    }
}
