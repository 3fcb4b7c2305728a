//! Lists of submissions: sorted by each column, and exported in every format.

use festival_core::sheet::{self, Limits};
use festival_forms::{DESK, REVIEWER};
use serde_json::{Value, json};

use super::browser::{Browser, create_account, unescape_html};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp};

on_both!(
    delegates_are_sorted_by_every_column,
    films_are_sorted_by_award_and_director_and_not_by_hidden_columns,
    sorted_list_keeps_its_order_on_every_page,
    delegates_are_exported_in_every_format,
);

/// Three delegates, who differ in every column.
async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    for (name, values) in [
        (
            "zoya",
            "email = 'b@example.org', mobile = '+91 3', address = 'Alappuzha', age = 41, occupation = 'editor', \
             category = 'Student', transaction_details = 'UTR 2', status = 'rejected', payment = 'verified', \
             fee_inr = 300, payment_amount = '300', payment_read = 30000, payment_currency = 'INR', is_late = 1, \
             is_possible_duplicate = 1",
        ),
        (
            "Anu",
            "email = 'C@example.org', mobile = '+91 1', address = 'kochi', age = NULL, occupation = '', \
             category = 'Delegate', transaction_details = 'UTR 3', status = 'confirmed', payment = 'rejected', \
             fee_inr = 500, payment_amount = '$6', payment_read = 600, payment_currency = 'USD', is_late = 0",
        ),
        (
            "biju",
            "email = 'a@example.org', mobile = '+91 2', address = 'Thrissur', age = 9, occupation = 'Actor', \
             category = 'member', transaction_details = 'UTR 1', status = 'new', payment = 'unchecked', \
             fee_inr = 1000, payment_amount = '', payment_read = NULL, payment_currency = '', is_late = 1",
        ),
    ] {
        let form = FormRequest::delegate().with("name", name).with("transaction_details", name);
        assert_received(&form.post(&site, "/api/delegate-form/").await);
        let others = "is_possible_duplicate = 0, flagged = '', category_key = 'delegate'";
        site.write(&format!("UPDATE delegates SET {others} WHERE name = '{name}'")).await;
        site.write(&format!("UPDATE delegates SET {values} WHERE name = '{name}'")).await;
    }
    site
}

/// The titles of a list, in its order.
async fn titles(browser: &Browser<'_>, path: &str) -> Vec<String> {
    let page = browser.get(path).await;
    assert_eq!(page.status, 200, "{path}: {}", page.text());
    let text = page.text();
    let rows = text.split("<span class=\"stacked\"><span>").skip(1);
    rows.filter_map(|row| Some(unescape_html(row.split_once('<')?.0))).collect()
}

async fn delegates_are_sorted_by_every_column(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    assert_eq!(titles(&desk, "/admin/delegates").await, ["biju", "Anu", "zoya"], "the newest first");
    for (column, up, down) in [
        ("name", ["Anu", "biju", "zoya"], ["zoya", "biju", "Anu"]),
        // In the order of the work, not of the alphabet.
        ("status", ["biju", "Anu", "zoya"], ["zoya", "Anu", "biju"]),
        ("payment", ["biju", "zoya", "Anu"], ["Anu", "zoya", "biju"]),
        ("due", ["zoya", "Anu", "biju"], ["biju", "Anu", "zoya"]),
        // Rupees before dollars; who wrote no amount comes last either way.
        ("paid", ["zoya", "Anu", "biju"], ["Anu", "zoya", "biju"]),
        // By the number of warnings: Anu has one, for the amount; biju one, for the time; zoya two.
        ("flags", ["Anu", "biju", "zoya"], ["zoya", "biju", "Anu"]),
        ("received", ["zoya", "Anu", "biju"], ["biju", "Anu", "zoya"]),
        ("email", ["biju", "zoya", "Anu"], ["Anu", "zoya", "biju"]),
        ("mobile", ["Anu", "biju", "zoya"], ["zoya", "biju", "Anu"]),
        ("address", ["zoya", "Anu", "biju"], ["biju", "Anu", "zoya"]),
        ("age", ["biju", "zoya", "Anu"], ["zoya", "biju", "Anu"]),
        ("occupation", ["biju", "zoya", "Anu"], ["zoya", "biju", "Anu"]),
        ("category", ["Anu", "biju", "zoya"], ["zoya", "biju", "Anu"]),
        ("transaction_details", ["biju", "zoya", "Anu"], ["Anu", "zoya", "biju"]),
    ] {
        assert_eq!(titles(&desk, &format!("/admin/delegates?sort={column}")).await, up, "{column}");
        assert_eq!(
            titles(&desk, &format!("/admin/delegates?sort={column}&down=1")).await,
            down,
            "{column}, descending"
        );
    }
    let page = unescape_html(&desk.get("/admin/delegates?status=new&sort=due").await.text());
    assert!(page.contains("aria-sort=\"ascending\"><a href=\"/admin/delegates?status=new&sort=due&down=1\">Due</a>"));
    assert!(page.contains("<a href=\"/admin/delegates?status=new&sort=payment\">Payment</a>"), "{page}");
    assert_eq!(titles(&desk, "/admin/delegates?sort=nothing").await, ["biju", "Anu", "zoya"]);
}

async fn films_are_sorted_by_award_and_director_and_not_by_hidden_columns(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    for (title, director, form) in
        [("Rain", "meera", "malayalam"), ("Boat", "Arun", "asian"), ("Sea", "Zeba", "indian")]
    {
        let film = FormRequest::film().with("title_english", title).with("director_name", director);
        assert_received(&film.post(&site, &format!("/api/{form}-form/")).await);
    }
    site.write("UPDATE film_submissions SET correspondence_email = title_english || '@example.org'").await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    for browser in [&desk, &reviewer] {
        assert_eq!(titles(browser, "/admin/film-submissions?sort=award").await, ["Boat", "Sea", "Rain"]);
        assert_eq!(titles(browser, "/admin/film-submissions?sort=director_name").await, ["Boat", "Rain", "Sea"]);
    }
    let by_address = "/admin/film-submissions?sort=correspondence_email";
    assert_eq!(titles(&desk, by_address).await, ["Boat", "Rain", "Sea"]);
    assert_eq!(
        titles(&reviewer, by_address).await,
        ["Sea", "Boat", "Rain"],
        "reviewers see no addresses, nor their order"
    );
}

async fn sorted_list_keeps_its_order_on_every_page(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let columns = "edition_id, name, email, mobile, address, age, occupation, category, transaction_details, category_key, \
                   fee_inr, status, is_quarantined, is_late, is_possible_duplicate, over_long, fingerprint, subject_hash, \
                   created_at, updated_at";
    for number in 1..=120 {
        let values = columns.replace("name", &format!("'Delegate {number:03}'"));
        site.write(&format!(
            "INSERT INTO delegates (reference, {columns}) SELECT 'DL-2025-1{number:03}', {values} FROM delegates LIMIT 1"
        ))
        .await;
    }
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let mut all = Vec::new();
    for page in 1..=3 {
        all.extend(titles(&desk, &format!("/admin/delegates?sort=name&down=1&page={page}")).await);
    }
    let mut expected: Vec<String> = (1..=120).rev().map(|number| format!("Delegate {number:03}")).collect();
    expected.push("Delegate".to_owned());
    assert_eq!(all, expected);
    assert_eq!(titles(&desk, "/admin/delegates?page=3").await.len(), 21);
    assert_eq!(desk.get("/admin/delegates?page=9").await.header("Location"), "/admin/delegates?page=3");
}

async fn delegates_are_exported_in_every_format(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let export = async |format: &str| {
        let file = desk.post("/admin/delegates/export?payment=verified", &[("format", format)]).await;
        let name = format!("delegates-2025.{format}");
        assert_eq!(file.status, 200, "{format}: {}", file.text());
        assert!(
            file.header("Content-Disposition").starts_with(&format!("attachment; filename=\"{name}\"")),
            "{format}"
        );
        (name, file.body)
    };
    for format in ["csv", "xlsx", "ods"] {
        let (name, body) = export(format).await;
        let table = sheet::read(&body, &name, &Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(table.rows.len(), 1, "{format}: filtered like the list");
        let cell = |title: &str| {
            let column = table.header.iter().position(|header| header == title);
            table.rows[0].cells[column.unwrap_or_else(|| panic!("{format}: {title}"))].to_owned()
        };
        for (title, value) in [
            ("Reference", "DL-2025-0001"),
            ("Status", "Rejected"),
            ("Name", "zoya"),
            ("Age", "41"),
            ("Mobile number", "+91 3"),
            ("Fee on that day (rupees)", "300"),
            ("Payment", "Verified"),
            ("Amount as read", "₹300"),
        ] {
            let shown = cell(title);
            assert_eq!(shown.trim_start_matches('\''), value, "{format}: {title}");
        }
    }
    let (_, body) = export("json").await;
    let rows: Vec<Value> = serde_json::from_slice(&body).unwrap();
    assert_eq!(rows.len(), 1);
    for (name, value) in [
        ("reference", json!("DL-2025-0001")),
        ("status", json!("rejected")),
        ("name", json!("zoya")),
        ("age", json!(41)),
        ("mobile", json!("+91 3")),
        ("fee_inr", json!(300)),
        ("payment", json!("verified")),
        ("is_late", json!(1)),
    ] {
        assert_eq!(rows[0][name], value, "{name}");
    }
    let refused = desk.post("/admin/delegates/export", &[("format", "pdf")]).await;
    assert_eq!(refused.status, 400, "{}", refused.text());
}
