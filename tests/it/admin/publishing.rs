//! Editing for publication: drafts, schedules, previews, formatted texts, files.

use festival_core::admin::{EDITOR, READER};
use festival_core::editing;
use festival_core::entity::{Entity, Kind, table};

use super::browser::site_with_owner;
use super::browser::{Browser, count_audited, create_account, hidden_value};
use super::entities::{entities, save};
use crate::support::{Database, Response, TestApp, fixture};

on_both!(
    scheduled_publication_is_created_cancelled_and_carried_out,
    manual_publication_cancels_the_schedule,
    date_in_the_future_schedules_and_is_that_of_the_publication,
    preview_renders_the_real_page_and_stores_nothing,
    every_public_entity_has_a_preview,
    concurrent_edits_of_schedule_and_alternative_text_are_rejected,
    html_of_editors_is_sanitised,
    file_can_be_uploaded_before_the_form_is_complete,
);

const BLOG: [(&str, &str); 3] =
    [("title", "Lamps"), ("content", "<p>Lit <strong>early</strong>.</p>"), ("published_at", "2025-10-26T12:00")];

pub(super) fn blog_with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    BLOG.iter().copied().chain(more.iter().copied()).collect()
}

pub(super) async fn blog_id(site: &TestApp) -> i64 {
    site.id("blogs", "title = 'Lamps'").await
}

/// Saves the form of the blog again with these fields.
pub(super) async fn save_blog(browser: &Browser<'_>, path: &str, more: &[(&str, &str)]) -> Response {
    let version = hidden_value(&browser.get(path).await, "version").unwrap();
    let mut fields = blog_with(more);
    fields.push(("version", &version));
    browser.post_with_files(path, &fields, &[]).await
}

async fn scheduled_publication_is_created_cancelled_and_carried_out(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    // The test clock shows noon at the festival.
    let past = blog_with(&[("is_published", "planned"), ("publish_at", "2025-10-26T11:59")]);
    let refused = browser.post_with_files("/admin/blogs/new", &past, &[]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("This time is in the past"), "{}", refused.text());
    assert!(refused.text().contains("value=\"2025-10-26T11:59\""), "the input is kept");
    let never = blog_with(&[("is_published", "planned"), ("publish_at", "")]);
    assert_eq!(browser.post_with_files("/admin/blogs/new", &never, &[]).await.status, 422);

    let planned = blog_with(&[("is_published", "planned"), ("publish_at", "2025-10-26T12:30")]);
    assert_eq!(browser.post_with_files("/admin/blogs/new", &planned, &[]).await.status, 303);
    let path = format!("/admin/blogs/{}", blog_id(&site).await);
    assert!(browser.get("/admin/blogs").await.text().contains("from 26 Oct 2025, 12:30 PM"));
    let form = browser.get(&path).await.text();
    assert!(form.contains("value=\"2025-10-26T12:30\"") && form.contains("Asia/Kolkata, UTC+05:30"), "{form}");
    assert_eq!(count_audited(&site, "plan").await, 1);

    // The schedule is cancelled and set again for later.
    assert_eq!(save_blog(&browser, &path, &[("is_published", "no"), ("publish_at", "")]).await.status, 303);
    site.clock.set("2025-10-26T07:00:00Z".parse().unwrap());
    assert_eq!(editing::publish_due(&site.app.records).await.unwrap(), 0);
    let later = [("is_published", "planned"), ("publish_at", "2025-10-26T12:50")];
    assert_eq!(save_blog(&browser, &path, &later).await.status, 303);
    site.clock.set("2025-10-26T07:19:59Z".parse().unwrap());
    assert_eq!(editing::publish_due(&site.app.records).await.unwrap(), 0);
    assert!(!site.get("/blogs").await.text().contains("Lamps"));
    site.clock.set("2025-10-26T07:20:00Z".parse().unwrap());
    assert_eq!(editing::publish_due(&site.app.records).await.unwrap(), 1);
    assert!(site.get("/blogs").await.text().contains("Lamps"));
    let form = browser.get(&path).await.text();
    assert!(form.contains(&format!("href=\"/blog/{}\"", blog_id(&site).await)), "a link to the public page");
}

async fn manual_publication_cancels_the_schedule(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let planned = blog_with(&[("is_published", "planned"), ("publish_at", "2025-10-26T12:30")]);
    let left = "SELECT count(*) FROM publications";
    assert_eq!(browser.post_with_files("/admin/blogs/new", &planned, &[]).await.status, 303);
    let id = blog_id(&site).await.to_string();
    for action in ["publish", "hide", "delete"] {
        let path = format!("/admin/blogs/{id}");
        if action != "publish" {
            let again = [("is_published", "planned"), ("publish_at", "2025-10-26T12:30")];
            assert_eq!(save_blog(&browser, &path, &again).await.status, 303);
        }
        assert_eq!(site.number(left).await, 1);
        let done = [("action", action), ("row", id.as_str())];
        assert_eq!(browser.post_and_confirm("/admin/blogs/selected", &done).await.status, 303);
        assert_eq!(site.number(left).await, 0, "{action}");
    }
}

/// Publishing a blog dated tomorrow means that it appears tomorrow, with tomorrow's date.
async fn date_in_the_future_schedules_and_is_that_of_the_publication(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let save = async |path: &str, more: &[(&str, &str)]| {
        let version = hidden_value(&browser.get(path).await, "version").unwrap();
        let fields = [&[BLOG[0], BLOG[1], ("version", version.as_str()), ("then", "stay")], more].concat();
        let saved = browser.post_with_files(path, &fields, &[]).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
    };
    save("/admin/blogs/new", &[("published_at", "2025-10-27T09:00"), ("is_published", "yes")]).await;
    let id = blog_id(&site).await;
    let path = format!("/admin/blogs/{id}");
    let form = browser.get(&path).await.text();
    assert!(form.contains("It will be published on 27 Oct 2025, 9:00 AM."), "{form}");
    assert_eq!(site.number(&format!("SELECT is_published FROM blogs WHERE id = {id}")).await, 0);
    assert_eq!(site.texts("SELECT publish_at FROM publications").await, ["2025-10-27T03:30:00.000Z"]);

    let later = [("published_at", "2025-10-26T12:00"), ("is_published", "planned"), ("publish_at", "2025-10-28T09:00")];
    save(&path, &later).await;
    let dated = format!("SELECT published_at FROM blogs WHERE id = {id}");
    assert_eq!(site.texts(&dated).await, ["2025-10-28T03:30:00.000Z"], "the blog carries the date of its publication");

    let now = [("published_at", "2025-10-28T09:00"), ("is_published", "yes"), ("publish_at", "2025-10-28T09:00")];
    save(&path, &now).await;
    assert_eq!(site.texts(&dated).await, ["2025-10-26T06:30:00.000Z"], "a schedule that is ended is no date");
    assert_eq!(site.number(&format!("SELECT is_published FROM blogs WHERE id = {id}")).await, 1);
}

async fn preview_renders_the_real_page_and_stores_nothing(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let count = "SELECT (SELECT count(*) FROM blogs) + (SELECT count(*) FROM revisions)";
    let before = site.number(count).await;
    let draft = blog_with(&[("content", "<p>Never <b>saved</b><script>alert(1)</script></p>"), ("is_published", "no")]);
    let draft: Vec<_> =
        draft.into_iter().filter(|(name, value)| *name != "content" || value.contains("Never")).collect();
    let preview = browser.post_with_files("/admin/blogs/preview", &draft, &[]).await;
    let page = preview.text();
    assert_eq!(preview.status, 200, "{page}");
    for expected in ["Preview. Nobody else sees it", "<h1", "Lamps", "<p>Never <b>saved</b></p>", "noindex"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(
        !page.contains("<script type=\"module\"") && !page.contains("alert(1)"),
        "a preview runs no scripts: {page}"
    );
    assert_eq!(preview.header("Cache-Control"), "no-store");
    assert_eq!(preview.header("X-Robots-Tag"), "noindex, nofollow");
    assert_eq!(preview.header("ETag"), "");
    assert!(preview.header("Content-Security-Policy").contains("script-src 'self'"));
    assert_eq!(site.number(count).await, before);
    assert!(!site.get("/api/blogs/").await.text().contains("Lamps"));

    // A stored draft has no public page, and its preview shows the content of the form.
    assert_eq!(
        browser.post_with_files("/admin/blogs/new", &blog_with(&[("is_published", "no")]), &[]).await.status,
        303
    );
    let id = blog_id(&site).await;
    assert_eq!(site.get(&format!("/blog/{id}")).await.status, 404);
    let input = [("title", "Lanterns"), ("content", "<p>Other words.</p>"), ("published_at", "2025-10-26T12:00")];
    let other = browser.post_with_files(&format!("/admin/blogs/{id}/preview"), &input, &[]).await;
    assert!(other.text().contains("Lanterns") && other.text().contains("<p>Other words.</p>"), "{}", other.text());
    assert_eq!(site.get(&format!("/blog/{id}")).await.status, 404);
    assert_eq!(site.number("SELECT count(*) FROM blogs WHERE title = 'Lanterns'").await, 0);

    let empty = browser.post_with_files("/admin/blogs/preview", &[("title", "")], &[]).await;
    assert_eq!(empty.status, 422);
    assert!(empty.text().contains("Preview not available") && empty.text().contains("Please fill in title"));
    let reader = Browser::signed_in(&site, &create_account(&site, &READER).await).await;
    assert_eq!(reader.post_with_files("/admin/blogs/preview", &BLOG, &[]).await.status, 403);
    assert_eq!(
        site.get(&format!("/admin/blogs/{id}/preview")).await.status,
        405,
        "a preview has no address of its own"
    );
    // The finished preview holds no lock.
    assert_eq!(save_blog(&browser, &format!("/admin/blogs/{id}"), &[("is_published", "yes")]).await.status, 303);
}

/// The fields of a row as its form sends them.
async fn form_fields_of(site: &TestApp, entity: &Entity, id: i64) -> Vec<(String, String)> {
    let mut connection = site.app.db.read().await.unwrap();
    let mut record = editing::get(&mut connection, entity, id).await.unwrap().record;
    table::unresolve(&mut connection, entity, &mut record).await.unwrap();
    let values = entity.print(&record, &site.app.time_zone);
    let is_file = |name: &str| {
        entity.field(name).is_some_and(|field| matches!(field.kind, Kind::Image | Kind::Document | Kind::Video))
    };
    values
        .into_iter()
        .map(|(name, value)| (if is_file(&name) { format!("kept_{name}") } else { name }, value))
        .collect()
}

async fn every_public_entity_has_a_preview(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let mut seen = Vec::new();
    for entity in entities(&site) {
        if site.app.contents.public_url_of(entity).is_none() {
            continue;
        }
        let id = site.number(&format!("SELECT coalesce(min(id), 0) FROM {}", entity.table)).await;
        if id == 0 {
            continue;
        }
        let fields = form_fields_of(&site, entity, id).await;
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let shown = save(&browser, entity, &format!("/admin/{}/{id}/preview", entity.slug()), &fields).await;
        assert_eq!(shown.status, 200, "{}: {}", entity.table, shown.text());
        assert!(shown.text().contains("Preview. Nobody else sees it"), "{}", entity.table);
        seen.push(entity.table);
    }
    for table in ["blogs", "pages", "films", "categories", "guests", "venues", "upcoming_events"] {
        assert!(seen.contains(&table), "{table}: {seen:?}");
    }
    assert!(seen.len() >= 12, "{seen:?}");
}

/// Uploads a picture and returns its key.
pub(super) async fn upload_picture(browser: &Browser<'_>) -> String {
    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let sent = browser.post_with_files("/admin/pictures", &[], &[("picture", "lamp.png", &picture)]).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    sent.header("Location").split_once("first=").unwrap().1.to_owned()
}

async fn concurrent_edits_of_schedule_and_alternative_text_are_rejected(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let editor = create_account(&site, &EDITOR).await;
    let (first, second) = (Browser::signed_in(&site, &owner).await, Browser::signed_in(&site, &editor).await);
    let key = upload_picture(&first).await;
    let draft = [("is_published", "no"), ("kept_image", key.as_str()), ("image_alt", "A lamp")];
    assert_eq!(first.post_with_files("/admin/blogs/new", &blog_with(&draft), &[]).await.status, 303);
    let path = format!("/admin/blogs/{}", blog_id(&site).await);

    // The first editor schedules the blog while the second has the draft open.
    let version = hidden_value(&second.get(&path).await, "version").unwrap();
    let outdated = |more: &[(&'static str, &'static str)], version: &str| {
        let mut fields = blog_with(&[("kept_image", &key), ("version", version)])
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect::<Vec<_>>();
        fields.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        fields
    };
    let send = async |fields: Vec<(String, String)>| {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        second.post_with_files(&path, &fields, &[]).await
    };
    let planned = [draft[1], draft[2], ("is_published", "planned"), ("publish_at", "2025-10-26T12:30")];
    assert_eq!(save_blog(&first, &path, &planned).await.status, 303);
    let other = [("is_published", "planned"), ("publish_at", "2025-10-27T09:00"), ("image_alt", "A lamp")];
    let conflict = send(outdated(&other, &version)).await;
    assert_eq!(conflict.status, 409);
    let row = "<a href=\"#input-is_published\">Published</a></th><td class=\"text\">scheduled for 2025-10-26 12:30</td>\
               <td class=\"text\">scheduled for 2025-10-27 09:00</td>";
    assert!(conflict.text().contains(row), "both are shown: {}", conflict.text());
    assert!(conflict.text().contains("value=\"2025-10-27T09:00\""), "the input is kept");
    let scheduled = "SELECT count(*) FROM publications WHERE publish_at = '2025-10-26T07:00:00.000Z'";
    assert_eq!(site.number(scheduled).await, 1, "nothing was overwritten");

    // The first editor changes the alternative text while the second has the old one open.
    let version = hidden_value(&conflict, "version").unwrap();
    let night = [draft[1], ("image_alt", "A lamp at night"), planned[2], planned[3]];
    assert_eq!(save_blog(&first, &path, &night).await.status, 303);
    let description = [("is_published", "planned"), ("publish_at", "2025-10-26T12:30"), ("image_alt", "A ferry")];
    let conflict = send(outdated(&description, &version)).await;
    assert_eq!(conflict.status, 409);
    let row = "<a href=\"#input-image_alt\">Picture: alternative text</a></th><td class=\"text\">A lamp at night</td>\
               <td class=\"text\">A ferry</td>";
    assert!(conflict.text().contains(row), "both are shown: {}", conflict.text());
    assert!(
        !conflict.text().contains("#input-publish_at\">Publish on"),
        "the schedule is the same: {}",
        conflict.text()
    );
    assert_eq!(site.number("SELECT count(*) FROM blogs WHERE image_alt = 'A lamp at night'").await, 1);
    // After seeing both versions the second editor may save.
    let version = hidden_value(&conflict, "version").unwrap();
    assert_eq!(send(outdated(&description, &version)).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM blogs WHERE image_alt = 'A ferry'").await, 1);
}

async fn html_of_editors_is_sanitised(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let allowed = "<h2>One</h2><p lang=\"ml\">ഒന്ന് <span lang=\"ml\">രണ്ട്</span></p>\
        <img src=\"/media/pictures/a.png?w=1080\" alt=\"A lamp\"><blockquote><p>Quiet</p></blockquote><ul><li>x</li></ul>";
    let harm = "<img src=x onerror=alert(1)><p style=\"color:red\" onclick=\"alert(2)\">y</p>\
        <a href=\"javascript:alert(3)\">z</a><svg><script>alert(4)</script></svg>";
    let input = format!("{allowed}{harm}");
    let blog = [BLOG[0], BLOG[2], ("content", input.as_str()), ("is_published", "yes")];
    assert_eq!(browser.post_with_files("/admin/blogs/new", &blog, &[]).await.status, 303);
    let id = blog_id(&site).await;
    let api = site.get(&format!("/api/blog/{id}/")).await.json();
    let content = api["content"].as_str().unwrap();
    assert!(content.starts_with(allowed), "{content}");
    for removed in ["onerror", "onclick", "javascript", "style", "svg", "alert(4)"] {
        assert!(!content.contains(removed), "{removed}: {content}");
    }
}

async fn file_can_be_uploaded_before_the_form_is_complete(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let (pdf, keep) = (b"%PDF-1.4\n%%EOF\n".as_slice(), [("then", "keep")]);
    let before = site.number("SELECT count(*) FROM magazines").await;
    let page = browser.post_with_files("/admin/magazines/new", &keep, &[("magazine", "issue.pdf", pdf)]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let key = hidden_value(&page, "kept_magazine").expect("the key of the uploaded file");
    assert_eq!(site.get(&format!("/media/{key}")).await.body, pdf);
    assert_eq!(site.number("SELECT count(*) FROM magazines").await, before, "nothing is written yet");
    let refused = browser.post_with_files("/admin/magazines/new", &keep, &[("magazine", "issue.pdf", b"no PDF")]).await;
    assert_eq!(refused.status, 422);

    let rest = [("name", "Issue 9"), ("vol", "9"), ("issue", "1"), ("kept_magazine", key.as_str())];
    assert_eq!(browser.post_with_files("/admin/magazines/new", &rest, &[]).await.status, 303);
    let id = site.id("magazines", "name = 'Issue 9'").await;
    let path = format!("/admin/magazines/{id}");
    let other = b"%PDF-1.4\n% another\n%%EOF\n".as_slice();
    let page = browser.post_with_files(&path, &keep, &[("magazine", "other.pdf", other)]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    assert_ne!(hidden_value(&page, "kept_magazine"), Some(key.clone()));
    assert_eq!(hidden_value(&browser.get(&path).await, "kept_magazine"), Some(key), "the row still has the first file");
}
