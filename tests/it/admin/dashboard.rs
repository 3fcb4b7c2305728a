//! The dashboard: tasks by role, numbers by day, state of the server.

use festival_core::admin::OWNER;
use festival_core::backup;
use festival_forms::{DESK, REVIEWER};
use festival_selection::CHAIR;
use jiff::SignedDuration;

use super::browser::{Browser, create_account};
use super::editions::{NEXT, next_year};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, Response, TestApp};

on_both!(
    dashboard_shows_tasks_by_role,
    dashboard_omits_disabled_modules,
    submissions_come_first_in_navigation_and_tasks_on_the_dashboard,
    storage_size_is_measured_once_a_minute,
    dashboard_asks_for_a_backup_when_the_last_is_old,
    open_tasks_of_the_edition_before_stay_on_the_dashboard,
);

/// The tasks on the dashboard: label and link.
fn tasks(page: &Response) -> Vec<(String, String)> {
    let text = page.text();
    let list =
        text.split_once("class=\"tasks\"").map_or("", |(_, rest)| rest.split("</ul>").next().unwrap_or_default());
    let read = |item: &str| {
        let (href, rest) = item.split_once("\">")?;
        Some((rest.split('<').next()?.to_owned(), href.replace("&amp;", "&").replace("&#x3D;", "=")))
    };
    list.split("<a href=\"").skip(1).filter_map(read).collect()
}

async fn dashboard_shows_tasks_by_role(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    site.write(
        "INSERT INTO outbox (kind, to_name, to_address, subject, body_text, created_at, not_before, attempts, last_error) \
         VALUES ('film-receipt', 'Ravi', 'ravi@example.org', 'Hello', 'Hello', '2025-10-26T06:00:00.000Z', \
         '2099-01-01T00:00:00.000Z', 3, 'mailbox full')",
    )
    .await;
    let mut all = Vec::new();
    for role in site.app.admin.contents.roles.iter().copied() {
        let browser = Browser::signed_in(&site, &create_account(&site, role).await).await;
        let page = browser.get("/admin/").await;
        assert_eq!(page.status, 200, "{role:?}: {}", page.text());
        let tasks = tasks(&page);
        for (label, href) in &tasks {
            assert_eq!(browser.get(href).await.status, 200, "{role:?} {label} {href}");
        }
        let has = |label: &str| tasks.iter().any(|(known, _)| known == label);
        let handles_submissions = [OWNER, DESK].contains(role);
        assert_eq!(has("1 registration to confirm"), handles_submissions, "{role:?} {tasks:?}");
        assert_eq!(has("1 payment of a registration to check"), handles_submissions, "{role:?} {tasks:?}");
        assert_eq!(has("1 mail could not be sent"), handles_submissions, "{role:?} {tasks:?}");
        assert_eq!(has("Payment is not possible: enter bank details or a UPI ID."), role == &OWNER, "{role:?}");
        let text = page.text();
        let plot = "Delegates and members: 1 in 30 days, 1 today, most on 26 Oct: 1";
        assert_eq!(text.contains(plot), handles_submissions, "{role:?} {text}");
        assert_eq!(text.contains("Films: Asian"), handles_submissions || [REVIEWER, CHAIR].contains(role), "{role:?}");
        assert_eq!(text.contains("Storage and mail"), role == &OWNER, "{role:?}");
        all.extend(tasks);
    }
    assert!(all.iter().any(|(label, _)| label.contains(" unpublished ")), "{all:?}");
    let urgent = Browser::signed_in(&site, "owner@example.org").await.get("/admin/").await;
    assert!(
        tasks(&urgent)[0].0.contains("mail could not be sent") || tasks(&urgent)[1].0.contains("mail could not"),
        "urgent tasks come first"
    );
}

async fn dashboard_omits_disabled_modules(database: Database) {
    let site = TestApp::without(database, "forms").await;
    let browser = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let page = browser.get("/admin/").await;
    assert!(page.status == 200 && !page.text().contains("Delegates and members"), "{}", page.text());
    assert_eq!(browser.get("/admin/settings/closing").await.status, 404);
}

async fn submissions_come_first_in_navigation_and_tasks_on_the_dashboard(database: Database) {
    let site = TestApp::new(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let text = desk.get("/admin/").await.text();
    let position = |text_part: &str| text.find(text_part).unwrap_or_else(|| panic!("{text_part}: {text}"));
    let nav = [">Dashboard<", "</svg>What people sent</h2>", "</svg>Site</h2>"].map(position);
    assert!(nav.is_sorted(), "{nav:?}");
    let page = ["<h1>", "<h2>Tasks</h2>", "Your role is"].map(position);
    assert!(page.is_sorted(), "{page:?}");
}

async fn storage_size_is_measured_once_a_minute(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let size = |page: &Response| {
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

async fn dashboard_asks_for_a_backup_when_the_last_is_old(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let start = owner.get("/admin/").await;
    assert!(start.text().contains("There is no backup yet") && start.text().contains("Last backup</dt><dd>never"));
    let folder = tempfile::tempdir().unwrap();
    backup::create(&site.app, folder.path(), &[]).await.unwrap();
    let text = owner.get("/admin/").await.text();
    assert!(!text.contains("no backup") && text.contains("Last backup</dt><dd>26 Oct 2025, 12:00 PM"), "{text}");
    site.clock.set(site.clock.now() + SignedDuration::from_hours(49));
    let owner = Browser::signed_in(&site, "owner@example.org").await;
    assert!(owner.get("/admin/").await.text().contains("The last backup was on 26 Oct 2025"));
}

async fn open_tasks_of_the_edition_before_stay_on_the_dashboard(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    assert_eq!(owner.post(NEXT, &next_year()).await.status, 303);
    let id = site.id("editions", "year = 2026").await.to_string();
    let question = owner.get(&format!("/admin/current-edition/make-current?edition={id}")).await;
    let (label, href) = (
        "Twentieth &quot;first light&quot; edition: 1 registration to confirm",
        "/admin/delegates?status=new&edition=2025",
    );
    let expected = (label.to_owned(), href.to_owned());
    assert!(tasks(&question).contains(&expected), "{:?}", tasks(&question));
    let settings = "Payment is not possible";
    assert!(!question.text().contains(settings), "tasks without an edition are not left behind: {}", question.text());
    assert_eq!(owner.post("/admin/current-edition", &[("edition", &id)]).await.status, 303);
    let dashboard = tasks(&owner.get("/admin/").await);
    assert!(dashboard.contains(&expected), "{dashboard:?}");
    assert_eq!(dashboard.iter().filter(|(label, _)| label.contains(settings)).count(), 1, "{dashboard:?}");
    let list = owner.get(href).await.text();
    assert!(list.contains("DL-2025-0001"), "{list}");
}
