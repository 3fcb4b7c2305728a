//! Every entity in the back office: create, edit, delete and restore.

use festival_core::admin::{EDITOR, READER};
use festival_core::entity::{Entity, Kind};
use rocket::futures::future::join_all;

use super::browser::{Browser, count_audited, create_account, hidden_value, site_with_owner, unescape_html};
use crate::selection::add_films;
use crate::support::{Database, Response, TestApp, fixture};

on_both!(
    every_picture_has_an_alternative_text,
    every_entity_is_created_edited_deleted_and_restored,
    new_row_appears_on_the_site_at_once,
    edit_conflict_shows_both_versions,
    simultaneous_saves_let_only_one_through,
    rejected_form_keeps_its_input_and_uploads,
    uploaded_pictures_are_stripped_of_metadata,
    edit_is_audited_with_its_changed_fields_only,
    readers_cannot_change_anything,
);

pub(super) fn entities(site: &TestApp) -> Vec<&'static Entity> {
    site.app.registry.enabled().flat_map(|c| c.entities.iter().copied()).collect()
}

pub(super) fn has_files(entity: &Entity) -> bool {
    entity.columns().any(|field| matches!(field.kind, Kind::Image | Kind::Document | Kind::Video))
}

/// A value that the field accepts; none for optional fields and for files.
fn sample(entity: &Entity, name: &str, kind: Kind, required: bool) -> Option<String> {
    let value = match kind {
        _ if name == "is_published" => "yes",
        Kind::AlternativeText => "A <b>new</b> \"picture\" & മലയാളം",
        _ if !required => return None,
        Kind::Text { .. } | Kind::Lines { .. } => "A <b>new</b> \"row\" & മലയാളം",
        Kind::Html => "<p>New<script>alert(1)</script></p>",
        Kind::Integer { min, .. } if min > 1000 => "2031",
        Kind::Integer { .. } => "21",
        Kind::Year => "2021",
        Kind::Flag => "yes",
        Kind::Choice(choices) => choices[0].0,
        Kind::Slug => "a-new-row",
        Kind::Url | Kind::Link => "https://example.org/new",
        Kind::Email => "new@example.org",
        Kind::Phone => "+91 484 000 0000",
        Kind::Date => "2031-10-24",
        Kind::DateTime | Kind::LocalDateTime => "2031-10-24T18:00",
        Kind::Reference(target) if target.table == "categories" => "malayalam",
        Kind::Reference(target) if target.table == "films" => "Bare",
        // Rows that were added before: modules register referenced entities first.
        Kind::Reference(target) if target.table == "halls" => "A <b>new</b> \"row\" & മലയാളം",
        Kind::Reference(target) if target.table == "screenings" => "1",
        Kind::Reference(target) if target.table == "selection_rounds" => "A <b>new</b> \"row\" & മലയാളം",
        Kind::Reference(target) if target.table == "selection_jurors" => "new@example.org",
        Kind::Reference(target) if target.table == "film_submissions" => "T-2025-0001",
        Kind::Reference(_) => "about-us",
        Kind::Image | Kind::Document | Kind::Video | Kind::File { .. } => return None,
    };
    assert!(!entity.table.is_empty());
    Some(value.to_owned())
}

pub(super) async fn save(browser: &Browser<'_>, entity: &Entity, path: &str, fields: &[(&str, &str)]) -> Response {
    if has_files(entity) { browser.post_with_files(path, fields, &[]).await } else { browser.post(path, fields).await }
}

async fn every_picture_has_an_alternative_text(database: Database) {
    let (site, _) = site_with_owner(database).await;
    // No page shows these to people who cannot see them: the alternative text is that of another picture, or fixed.
    let exempt = ["editions.logo", "pages.image_small", "pages.video_poster"];
    for entity in entities(&site) {
        for field in entity.columns() {
            let name = format!("{}.{}", entity.table, field.name);
            let is_described = entity.columns().any(|other| other.picture() == Some(field.name));
            match field.kind {
                Kind::Image => assert_ne!(is_described, exempt.contains(&name.as_str()), "{name}"),
                Kind::AlternativeText => {
                    let picture = field.picture().and_then(|picture| entity.field(picture));
                    assert!(picture.is_some_and(|picture| matches!(picture.kind, Kind::Image)), "{name}");
                }
                _ => assert!(!is_described, "{name}"),
            }
        }
    }
}

async fn every_entity_is_created_edited_deleted_and_restored(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    add_films(&site, 1).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let mut tested = 0;
    for entity in entities(&site) {
        let list_path = format!("/admin/{}", entity.slug());
        let values: Vec<(&str, String)> = entity
            .columns()
            .filter_map(|field| Some((field.name, sample(entity, field.name, field.kind, field.required)?)))
            .collect();
        let fields: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let files: Vec<(&str, &str, &[u8])> = entity
            .columns()
            .filter(|field| field.required)
            .filter_map(|field| match field.kind {
                Kind::Image => Some((field.name, "new.png", picture.as_slice())),
                Kind::Document => Some((field.name, "new.pdf", b"%PDF-1.4\n%%EOF\n".as_slice())),
                _ => None,
            })
            .collect();
        let created = if has_files(entity) {
            browser.post_with_files(&format!("{list_path}/new"), &fields, &files).await
        } else {
            browser.post(&format!("{list_path}/new"), &fields).await
        };
        assert_eq!(created.status, 303, "{}: {}", entity.table, created.text());
        let id = site.number(&format!("SELECT max(id) FROM {}", entity.table)).await;
        let page = browser.get(&format!("{list_path}/{id}")).await;
        assert_eq!(page.status, 200, "{}", entity.table);
        assert!(!page.text().contains("<b>new</b>") && !page.text().contains("<script>alert"), "{}", entity.table);
        assert!(browser.get(&list_path).await.text().contains(&format!("{list_path}/{id}\"")), "{}", entity.table);

        // Saving the form as it was shown changes nothing.
        let version = hidden_value(&page, "version").unwrap();
        let mut again = fields.clone();
        again.push(("version", &version));
        let keys: Vec<(String, String)> = files
            .iter()
            .filter_map(|(name, _, _)| Some((format!("kept_{name}"), hidden_value(&page, &format!("kept_{name}"))?)))
            .collect();
        again.extend(keys.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let same: Vec<(&str, &str)> =
            again.iter().copied().chain(entity.field("position").map(|_| ("position", "0"))).collect();
        let saved = save(&browser, entity, &format!("{list_path}/{id}"), &same).await;
        assert_eq!(saved.status, 303, "{}: {}", entity.table, saved.text());

        assert_eq!(browser.get(&format!("{list_path}/{id}/history")).await.status, 200);
        let delete = format!("{list_path}/{id}/delete");
        let deleted = browser.confirm(&browser.get(&delete).await, &delete).await;
        assert_eq!(
            (deleted.status, deleted.header("Location").as_str()),
            (303, list_path.as_str()),
            "{}",
            entity.table
        );
        assert_eq!(browser.get(&format!("{list_path}/{id}")).await.status, 404);
        let bin = browser.get(&format!("{list_path}/bin")).await.text();
        let other = browser.get(&format!("{list_path}/bin?q=neverwritten")).await.text();
        assert!(other.contains("No results") && !other.contains("/restore"), "{}: {other}", entity.table);
        let title = bin.split("<th scope=\"row\">").nth(1).and_then(|row| row.split('<').next()).unwrap();
        let word = title.split_whitespace().next().unwrap().to_lowercase();
        assert!(word.is_ascii() && !word.contains('&'), "{}: {word}", entity.table);
        let same = browser.get(&format!("{list_path}/bin?q={word}")).await.text();
        assert!(same.contains(title) && same.contains("/restore"), "{}: {same}", entity.table);
        let back = bin.split("action=\"").find(|part| part.contains("/restore\"")).expect("a restore form");
        let back = back.split('"').next().unwrap();
        let restored = browser.post(back, &[]).await;
        assert_eq!(restored.header("Location"), format!("{list_path}/{id}"), "{}", entity.table);
        tested += 1;
    }
    assert!(tested >= 18, "{tested}");
    assert!(count_audited(&site, "add").await >= 18 && count_audited(&site, "restore").await >= 18);
}

async fn new_row_appears_on_the_site_at_once(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    assert!(!site.get("/api/categories/").await.text().contains("Night films"));
    let category = [("slug", "night"), ("name", "Night films"), ("is_published", "yes")];
    assert_eq!(browser.post("/admin/categories/new", &category).await.status, 303);
    assert!(site.get("/api/categories/").await.text().contains("Night films"));
    assert!(site.get("/").await.text().contains("Night films"));

    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let film = [("category", "night"), ("name", "Owl"), ("is_published", "yes")];
    let made = browser.post_with_files("/admin/films/new", &film, &[("poster", "owl.png", &picture)]).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let id = site.id("categories", "slug = 'night'").await;
    let films = site.get(&format!("/api/categories/{id}/films/")).await.json();
    assert_eq!(films[0]["name"], "Owl");
    let poster = films[0]["poster"].as_str().unwrap();
    assert_eq!(
        site.get(poster.split_once("/media").map(|(_, rest)| format!("/media{rest}")).unwrap().as_str()).await.status,
        200
    );

    // With "published" unticked the film is a draft.
    let draft = [("category", "night"), ("name", "Bat")];
    assert_eq!(browser.post_with_files("/admin/films/new", &draft, &[]).await.status, 303);
    assert!(!site.get(&format!("/api/categories/{id}/films/")).await.text().contains("Bat"));
}

async fn simultaneous_saves_let_only_one_through(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("awards", "1 = 1").await;
    let path = format!("/admin/awards/{id}");
    for round in 0..5 {
        let version = hidden_value(&browser.get(&path).await, "version").unwrap();
        let names = [format!("One {round}"), format!("Two {round}"), format!("Three {round}")];
        let save = |name: &str| {
            let (browser, path, version, name) = (&browser, &path, version.clone(), name.to_owned());
            async move { browser.post(path, &[("name", &*name), ("amount", "1"), ("version", &*version)]).await.status }
        };
        let mut responses = join_all(names.iter().map(|name| save(name))).await;
        responses.sort_unstable();
        assert_eq!(responses, [303, 409, 409], "round {round}");
    }
}

async fn edit_conflict_shows_both_versions(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let editor = create_account(&site, &EDITOR).await;
    let (first, second) = (Browser::signed_in(&site, &owner).await, Browser::signed_in(&site, &editor).await);
    let id = site.id("awards", "1 = 1").await;
    let path = format!("/admin/awards/{id}");
    let version = hidden_value(&first.get(&path).await, "version").unwrap();
    assert_eq!(hidden_value(&second.get(&path).await, "version").unwrap(), version);
    let mine = [("name", "By the first"), ("amount", "1"), ("version", version.as_str())];
    assert_eq!(first.post(&path, &mine).await.status, 303);
    let conflict =
        second.post(&path, &[("name", "By the second"), ("amount", "2"), ("version", version.as_str())]).await;
    assert_eq!(conflict.status, 409);
    assert!(conflict.text().contains("By the first") && conflict.text().contains("By the second"));
    assert_eq!(site.number("SELECT count(*) FROM awards WHERE name = 'By the second'").await, 0);
    // After seeing both versions the editor may save.
    let current = hidden_value(&conflict, "version").unwrap();
    assert_ne!(current, version);
    let decided = [("name", "By both"), ("amount", "2"), ("version", current.as_str())];
    assert_eq!(second.post(&path, &decided).await.status, 303);
    let history = first.get(&format!("{path}/history")).await.text();
    assert!(["By both", "By the first", "found"].iter().all(|expected| history.contains(expected)), "{history}");
}

async fn edit_is_audited_with_its_changed_fields_only(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("awards", "1 = 1").await;
    let path = format!("/admin/awards/{id}");
    let page = browser.get(&path).await;
    let version = hidden_value(&page, "version").unwrap();
    let position = site.number(&format!("SELECT position FROM awards WHERE id = {id}")).await.to_string();
    let long = "A name that goes on and on ".repeat(6);
    assert_eq!(
        browser
            .post(&path, &[("name", &long), ("amount", "1"), ("position", &position), ("version", &version)])
            .await
            .status,
        303
    );
    let name = browser.get(&format!("{path}/history")).await.text();
    assert!(name.contains(long.trim()), "the history has the whole text: {name}");
    let log = unescape_html(&browser.get("/admin/audit?action=edit").await.text());
    assert!(log.contains(" → A name that goes on and on") && log.contains("…<"), "{log}");
    assert!(!log.contains(long.trim()), "{log}");
    let row = format!("FROM admin_audit WHERE action = 'edit' AND object = 'awards' AND object_id = {id}");
    let short = format!("SELECT count(*) {row} AND length(after_json) < 200 AND before_json LIKE '{{\"%'");
    assert_eq!(site.number(&short).await, 1);
    assert_eq!(site.number(&format!("SELECT count(*) {row} AND after_json LIKE '%position%'")).await, 0, "what stayed");
}

async fn rejected_form_keeps_its_input_and_uploads(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let input = [("category", "malayalam"), ("synopsis", "Two\r\nlines  kept"), ("is_published", "yes")];
    let refused = browser.post_with_files("/admin/films/new", &input, &[("poster", "p.png", &picture)]).await;
    assert_eq!(refused.status, 422);
    let text = refused.text();
    assert!(text.contains("Please fill in name") && text.contains("\nTwo\nlines  kept</textarea>"), "{text}");
    let key = hidden_value(&refused, "kept_poster").expect("the uploaded picture is kept");
    let again = [("category", "malayalam"), ("name", "Kept"), ("kept_poster", key.as_str())];
    assert_eq!(browser.post_with_files("/admin/films/new", &again, &[]).await.status, 303);
    let stored = format!("SELECT count(*) FROM films WHERE name = 'Kept' AND poster = '{key}'");
    assert_eq!(site.number(&stored).await, 1);

    let drawing: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    let wrong = [("category", "malayalam"), ("name", "Drawn")];
    let refused = browser.post_with_files("/admin/films/new", &wrong, &[("poster", "p.png", drawing)]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("SVG drawing") && refused.text().contains("value=\"Drawn\""), "{}", refused.text());
    let elsewhere = [("category", "malayalam"), ("name", "Stolen"), ("kept_poster", "../../secret.png")];
    assert_eq!(browser.post_with_files("/admin/films/new", &elsewhere, &[]).await.status, 422);
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name IN ('Drawn', 'Stolen')").await, 0);
}

async fn uploaded_pictures_are_stripped_of_metadata(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let original = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let segment = |marker: u8, content: &[u8]| {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker], length.as_slice(), content].concat()
    };
    let camera = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>Asha Private</x:xmpmeta>");
    let note = segment(0xFE, b"Asha Private, 9.9312 N 76.2673 E");
    let sent = [&original[..2], &camera, &note, &original[2..], b"Asha Private"].concat();
    let film = [("category", "malayalam"), ("name", "Cleaned")];
    assert_eq!(browser.post_with_files("/admin/films/new", &film, &[("poster", "p.jpg", &sent)]).await.status, 303);
    let key = site.texts("SELECT poster FROM films WHERE name = 'Cleaned'").await.remove(0);
    let served = site.get(&format!("/media/{key}")).await;
    assert_eq!(served.status, 200);
    assert!(!served.body.windows(12).any(|part| part == b"Asha Private"), "the metadata is still there");
    // Files uploaded under "Pictures" are cleaned likewise, and every picture field rejects SVG.
    let drawing: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    for (path, field) in
        [("/admin/films/new", "still_one"), ("/admin/guests/new", "portrait"), ("/admin/blogs/new", "image")]
    {
        let refused = browser.post_with_files(path, &[], &[(field, "p.png", drawing)]).await;
        assert_eq!(refused.status, 422, "{path}");
        assert!(refused.text().contains("SVG drawing"), "{path}: {}", refused.text());
    }
}

async fn readers_cannot_change_anything(database: Database) {
    let (site, _) = site_with_owner(database).await;
    let reader = create_account(&site, &READER).await;
    let browser = Browser::signed_in(&site, &reader).await;
    let id = site.id("guests", "1 = 1").await;
    let page = browser.get(&format!("/admin/guests/{id}")).await;
    assert_eq!(page.status, 200);
    assert!(!page.text().contains(">Save<"), "readers have no save button");
    let edition = site.id("editions", "starts_on = '2025-10-24'").await;
    let dates = browser.get(&format!("/admin/editions/{edition}")).await.text();
    assert!(dates.contains("24 Oct 2025") && !dates.contains("2025-10-24"), "{dates}");
    for path in ["new".to_owned(), "selected".to_owned(), "file".to_owned(), "order".to_owned(), format!("{id}/delete")]
    {
        assert_eq!(browser.post(&format!("/admin/guests/{path}"), &[("action", "delete")]).await.status, 403, "{path}");
    }
}
