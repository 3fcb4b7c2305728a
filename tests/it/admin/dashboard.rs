//! The first page: what waits for whom, numbers by day, how the machine is.

use festival_core::admin::Role;
use festival_core::backup;
use jiff::SignedDuration;

use super::browser::{Browser, person};
use crate::forms::sent::{Sent, patient, received};
use crate::support::{Answer, Database, TestApp, switch_off};

on_both!(
    what_waits_is_shown_to_those_who_may_do_it,
    a_switched_off_module_says_nothing,
    what_people_sent_comes_first,
    files_are_counted_once_a_minute,
    a_backup_is_asked_for_again,
);

/// The things to do, with where they are done.
fn todos(page: &Answer) -> Vec<(String, String)> {
    let text = page.text();
    let list =
        text.split_once("class=\"tasks\"").map_or("", |(_, rest)| rest.split("</ul>").next().unwrap_or_default());
    let read = |item: &str| {
        let (href, rest) = item.split_once("\">")?;
        Some((rest.split('<').next()?.to_owned(), href.replace("&amp;", "&").replace("&#x3D;", "=")))
    };
    list.split("<a href=\"").skip(1).filter_map(read).collect()
}

async fn what_waits_is_shown_to_those_who_may_do_it(database: Database) {
    let site = TestApp::with(database, patient).await;
    received(&Sent::delegate().to(&site, "/api/delegate-form/").await);
    site.write(
        "INSERT INTO outbox (kind, to_name, to_address, subject, body_text, created_at, not_before, attempts, last_error) \
         VALUES ('film-receipt', 'Ravi', 'ravi@example.org', 'Hello', 'Hello', '2025-10-26T06:00:00.000Z', \
         '2099-01-01T00:00:00.000Z', 3, 'mailbox full')",
    )
    .await;
    let mut seen = Vec::new();
    for role in Role::ALL {
        let browser = Browser::signed_in(&site, &person(&site, role).await).await;
        let page = browser.get("/admin/").await;
        assert_eq!(page.status, 200, "{role:?}: {}", page.text());
        let todos = todos(&page);
        for (words, href) in &todos {
            assert_eq!(browser.get(href).await.status, 200, "{role:?} {words} {href}");
        }
        let has = |words: &str| todos.iter().any(|(known, _)| known == words);
        let works = matches!(role, Role::Owner | Role::Desk);
        assert_eq!(has("1 registration to confirm"), works, "{role:?} {todos:?}");
        assert_eq!(has("1 payment of a registration to check"), works, "{role:?} {todos:?}");
        assert_eq!(has("1 mail could not be sent"), works, "{role:?} {todos:?}");
        assert_eq!(has("Payment is not possible: enter bank details or a UPI ID."), role == Role::Owner, "{role:?}");
        let text = page.text();
        let plot = "Delegates and members: 1 in 30 days, 1 today, most on 26 Oct: 1";
        assert_eq!(text.contains(plot), works, "{role:?} {text}");
        assert_eq!(text.contains("Films: Asian"), works || role == Role::Reviewer, "{role:?}");
        assert_eq!(text.contains("Storage and mail"), role == Role::Owner, "{role:?}");
        seen.extend(todos);
    }
    assert!(seen.iter().any(|(words, _)| words.contains(" unpublished ")), "{seen:?}");
    let urgent = Browser::signed_in(&site, "owner@example.org").await.get("/admin/").await;
    assert!(
        todos(&urgent)[0].0.contains("mail could not be sent") || todos(&urgent)[1].0.contains("mail could not"),
        "what should not wait comes first"
    );
}

async fn a_switched_off_module_says_nothing(database: Database) {
    let site = TestApp::with(database, |settings| switch_off(settings, "forms")).await;
    let browser = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    let page = browser.get("/admin/").await;
    assert!(page.status == 200 && !page.text().contains("Delegates and members"), "{}", page.text());
    assert_eq!(browser.get("/admin/settings/closing").await.status, 404);
}

async fn what_people_sent_comes_first(database: Database) {
    let site = TestApp::new(database).await;
    let desk = Browser::signed_in(&site, &person(&site, Role::Desk).await).await;
    let text = desk.get("/admin/").await.text();
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    let nav = [">Dashboard<", "<h2>What people sent</h2>", "<h2>Site</h2>"].map(place);
    assert!(nav.is_sorted(), "{nav:?}");
    let page = ["<h1>", "<h2>Tasks</h2>", "Your role is"].map(place);
    assert!(page.is_sorted(), "{page:?}");
}

async fn files_are_counted_once_a_minute(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    let size = |page: &Answer| {
        let text = page.text();
        let (_, rest) = text.split_once("Pictures, documents and uploads</dt><dd>").unwrap();
        rest.split('<').next().unwrap().to_owned()
    };
    let before = size(&owner.get("/admin/").await);
    std::fs::write(site.app.data_dir("media").join("public").join("more.png"), vec![0; 50_000_000]).unwrap();
    assert_eq!(size(&owner.get("/admin/").await), before);
    site.clock.set(site.clock.now() + SignedDuration::from_secs(60));
    assert_ne!(size(&owner.get("/admin/").await), before);
}

async fn a_backup_is_asked_for_again(database: Database) {
    let site = TestApp::with(database, patient).await;
    received(&Sent::delegate().to(&site, "/api/delegate-form/").await);
    let owner = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    let start = owner.get("/admin/").await;
    assert!(start.text().contains("There is no backup yet") && start.text().contains("Last backup</dt><dd>never"));
    let folder = tempfile::tempdir().unwrap();
    backup::create(&site.app, folder.path(), &[]).await.unwrap();
    let text = owner.get("/admin/").await.text();
    assert!(!text.contains("no backup") && text.contains("Last backup</dt><dd>Oct 26, 2025, 12:00 PM"), "{text}");
    site.clock.set(site.clock.now() + SignedDuration::from_hours(49));
    let owner = Browser::signed_in(&site, "owner@example.org").await;
    assert!(owner.get("/admin/").await.text().contains("The last backup was on Oct 26, 2025"));
}
