//! Every entity of the site in the back office: written, seen, changed, put back, taken away, brought back.

use festival_core::admin::Role;
use festival_core::entity::{Entity, Kind};
use rocket::futures::future::join_all;

use super::browser::{Browser, audited, hidden, hiddens, person, plain};
use crate::support::{Answer, Database, TestApp, fixture};

on_both!(
    every_entity_is_written_changed_and_brought_back,
    a_new_row_is_on_the_site_at_once,
    two_editors_see_both_versions,
    of_two_at_the_same_moment_one_is_told,
    what_was_typed_and_sent_is_not_lost,
    an_uploaded_picture_tells_nothing_of_its_maker,
    what_an_edit_changed_is_written_down,
    several_are_said_before_they_are_touched,
    what_changed_since_the_question_is_not_touched,
    of_two_orders_the_second_is_told,
    who_may_only_look_changes_nothing,
);

fn patient(settings: &mut festival_core::settings::Settings) {
    settings.uploads.mib_per_client_and_hour = 0;
    settings.uploads.keep_free_mib = 0;
}

pub(super) async fn at_work(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, patient).await;
    let owner = person(&site, Role::Owner).await;
    (site, owner)
}

pub(super) fn entities(site: &TestApp) -> Vec<&'static Entity> {
    site.app.registry.enabled().flat_map(|c| c.entities.iter().copied()).collect()
}

pub(super) fn has_files(entity: &Entity) -> bool {
    entity.columns().any(|field| matches!(field.kind, Kind::Image | Kind::Document | Kind::Video))
}

/// A value that the field takes; none for what may stay empty and for files.
fn sample(entity: &Entity, name: &str, kind: Kind, required: bool) -> Option<String> {
    let said = match kind {
        _ if name == "is_published" => "yes",
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
        Kind::Reference(_) => "about-us",
        Kind::Image | Kind::Document | Kind::Video | Kind::File { .. } => return None,
    };
    assert!(!entity.table.is_empty());
    Some(said.to_owned())
}

pub(super) async fn save(browser: &Browser<'_>, entity: &Entity, path: &str, fields: &[(&str, &str)]) -> Answer {
    if has_files(entity) { browser.post_with_files(path, fields, &[]).await } else { browser.post(path, fields).await }
}

async fn every_entity_is_written_changed_and_brought_back(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let mut walked = 0;
    for entity in entities(&site) {
        let home = format!("/admin/{}", entity.slug());
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
        let made = if has_files(entity) {
            browser.post_with_files(&format!("{home}/new"), &fields, &files).await
        } else {
            browser.post(&format!("{home}/new"), &fields).await
        };
        assert_eq!(made.status, 303, "{}: {}", entity.table, made.text());
        let id = site.number(&format!("SELECT max(id) FROM {}", entity.table)).await;
        let page = browser.get(&format!("{home}/{id}")).await;
        assert_eq!(page.status, 200, "{}", entity.table);
        assert!(!page.text().contains("<b>new</b>") && !page.text().contains("<script>alert"), "{}", entity.table);
        assert!(browser.get(&home).await.text().contains(&format!("{home}/{id}\"")), "{}", entity.table);

        // Sent back as it was shown, nothing changes.
        let mark = hidden(&page, "mark").unwrap();
        let mut again = fields.clone();
        again.push(("mark", &mark));
        let keys: Vec<(String, String)> = files
            .iter()
            .filter_map(|(name, _, _)| Some((format!("kept_{name}"), hidden(&page, &format!("kept_{name}"))?)))
            .collect();
        again.extend(keys.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let same: Vec<(&str, &str)> =
            again.iter().copied().chain(entity.field("position").map(|_| ("position", "0"))).collect();
        let saved = save(&browser, entity, &format!("{home}/{id}"), &same).await;
        assert_eq!(saved.status, 303, "{}: {}", entity.table, saved.text());

        assert_eq!(browser.get(&format!("{home}/{id}/history")).await.status, 200);
        let delete = format!("{home}/{id}/delete");
        let gone = browser.go_on(&browser.get(&delete).await, &delete).await;
        assert_eq!((gone.status, gone.header("Location").as_str()), (303, home.as_str()), "{}", entity.table);
        assert_eq!(browser.get(&format!("{home}/{id}")).await.status, 404);
        let bin = browser.get(&format!("{home}/bin")).await.text();
        let back = bin.split("action=\"").find(|part| part.contains("/restore\"")).expect("a way back");
        let back = back.split('"').next().unwrap();
        let restored = browser.post(back, &[]).await;
        assert_eq!(restored.header("Location"), format!("{home}/{id}"), "{}", entity.table);
        walked += 1;
    }
    assert!(walked >= 18, "{walked}");
    assert!(audited(&site, "add").await >= 18 && audited(&site, "restore").await >= 18);
}

async fn a_new_row_is_on_the_site_at_once(database: Database) {
    let (site, owner) = at_work(database).await;
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

    // Not ticked: a draft.
    let draft = [("category", "night"), ("name", "Bat")];
    assert_eq!(browser.post_with_files("/admin/films/new", &draft, &[]).await.status, 303);
    assert!(!site.get(&format!("/api/categories/{id}/films/")).await.text().contains("Bat"));
}

async fn of_two_at_the_same_moment_one_is_told(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("awards", "1 = 1").await;
    let path = format!("/admin/awards/{id}");
    for round in 0..5 {
        let mark = hidden(&browser.get(&path).await, "mark").unwrap();
        let names = [format!("One {round}"), format!("Two {round}"), format!("Three {round}")];
        let save = |name: &str| {
            let (browser, path, mark, name) = (&browser, &path, mark.clone(), name.to_owned());
            async move { browser.post(path, &[("name", &*name), ("amount", "1"), ("mark", &*mark)]).await.status }
        };
        let mut answers = join_all(names.iter().map(|name| save(name))).await;
        answers.sort_unstable();
        assert_eq!(answers, [303, 409, 409], "round {round}");
    }
}

async fn two_editors_see_both_versions(database: Database) {
    let (site, owner) = at_work(database).await;
    let editor = person(&site, Role::Editor).await;
    let (first, second) = (Browser::signed_in(&site, &owner).await, Browser::signed_in(&site, &editor).await);
    let id = site.id("awards", "1 = 1").await;
    let path = format!("/admin/awards/{id}");
    let mark = hidden(&first.get(&path).await, "mark").unwrap();
    assert_eq!(hidden(&second.get(&path).await, "mark").unwrap(), mark);
    let mine = [("name", "By the first"), ("amount", "1"), ("mark", mark.as_str())];
    assert_eq!(first.post(&path, &mine).await.status, 303);
    let late = second.post(&path, &[("name", "By the second"), ("amount", "2"), ("mark", mark.as_str())]).await;
    assert_eq!(late.status, 409);
    assert!(late.text().contains("By the first") && late.text().contains("By the second"));
    assert_eq!(site.number("SELECT count(*) FROM awards WHERE name = 'By the second'").await, 0);
    // Who has seen both may decide.
    let seen = hidden(&late, "mark").unwrap();
    assert_ne!(seen, mark);
    let decided = [("name", "By both"), ("amount", "2"), ("mark", seen.as_str())];
    assert_eq!(second.post(&path, &decided).await.status, 303);
    let history = first.get(&format!("{path}/history")).await.text();
    assert!(["By both", "By the first", "found"].iter().all(|words| history.contains(words)), "{history}");
}

async fn what_an_edit_changed_is_written_down(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("awards", "1 = 1").await;
    let path = format!("/admin/awards/{id}");
    let page = browser.get(&path).await;
    let mark = hidden(&page, "mark").unwrap();
    let position = site.number(&format!("SELECT position FROM awards WHERE id = {id}")).await.to_string();
    let long = "A name that goes on and on ".repeat(6);
    assert_eq!(
        browser.post(&path, &[("name", &long), ("amount", "1"), ("position", &position), ("mark", &mark)]).await.status,
        303
    );
    let name = browser.get(&format!("{path}/history")).await.text();
    assert!(name.contains(long.trim()), "the history has all of it: {name}");
    let log = plain(&browser.get("/admin/audit?action=edit").await.text());
    assert!(log.contains("\"name\":\"A name that goes on and on") && log.contains("…\""), "{log}");
    assert!(!log.contains(long.trim()), "{log}");
    let row = format!("FROM admin_audit WHERE action = 'edit' AND object = 'awards' AND object_id = {id}");
    let short = format!("SELECT count(*) {row} AND length(after_json) < 200 AND before_json LIKE '{{\"%'");
    assert_eq!(site.number(&short).await, 1);
    assert_eq!(site.number(&format!("SELECT count(*) {row} AND after_json LIKE '%position%'")).await, 0, "what stayed");
}

async fn what_was_typed_and_sent_is_not_lost(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let typed = [("category", "malayalam"), ("synopsis", "Two\r\nlines  kept"), ("is_published", "yes")];
    let refused = browser.post_with_files("/admin/films/new", &typed, &[("poster", "p.png", &picture)]).await;
    assert_eq!(refused.status, 422);
    let text = refused.text();
    assert!(text.contains("Please fill in name") && text.contains("\nTwo\nlines  kept</textarea>"), "{text}");
    let key = hidden(&refused, "kept_poster").expect("the picture is kept");
    let again = [("category", "malayalam"), ("name", "Kept"), ("kept_poster", key.as_str())];
    assert_eq!(browser.post_with_files("/admin/films/new", &again, &[]).await.status, 303);
    let kept = format!("SELECT count(*) FROM films WHERE name = 'Kept' AND poster = '{key}'");
    assert_eq!(site.number(&kept).await, 1);

    let drawing: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    let wrong = [("category", "malayalam"), ("name", "Drawn")];
    let refused = browser.post_with_files("/admin/films/new", &wrong, &[("poster", "p.png", drawing)]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("SVG drawing") && refused.text().contains("value=\"Drawn\""), "{}", refused.text());
    let elsewhere = [("category", "malayalam"), ("name", "Stolen"), ("kept_poster", "../../secret.png")];
    assert_eq!(browser.post_with_files("/admin/films/new", &elsewhere, &[]).await.status, 422);
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name IN ('Drawn', 'Stolen')").await, 0);
}

async fn an_uploaded_picture_tells_nothing_of_its_maker(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let plain = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let segment = |marker: u8, content: &[u8]| {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker], length.as_slice(), content].concat()
    };
    let camera = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>Asha Private</x:xmpmeta>");
    let note = segment(0xFE, b"Asha Private, 9.9312 N 76.2673 E");
    let sent = [&plain[..2], &camera, &note, &plain[2..], b"Asha Private"].concat();
    let film = [("category", "malayalam"), ("name", "Cleaned")];
    assert_eq!(browser.post_with_files("/admin/films/new", &film, &[("poster", "p.jpg", &sent)]).await.status, 303);
    let key = site.texts("SELECT poster FROM films WHERE name = 'Cleaned'").await.remove(0);
    let served = site.get(&format!("/media/{key}")).await;
    assert_eq!(served.status, 200);
    assert!(!served.body.windows(12).any(|part| part == b"Asha Private"), "it is still there");
    // The same for what "Pictures" takes, and a drawing that runs is refused by every field for pictures.
    let drawing: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    for (path, field) in
        [("/admin/films/new", "still_one"), ("/admin/guests/new", "portrait"), ("/admin/blogs/new", "image")]
    {
        let refused = browser.post_with_files(path, &[], &[(field, "p.png", drawing)]).await;
        assert_eq!(refused.status, 422, "{path}");
        assert!(refused.text().contains("SVG drawing"), "{path}: {}", refused.text());
    }
}

async fn several_are_said_before_they_are_touched(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let shown = "SELECT count(*) FROM guests WHERE is_published = 1";
    let before = site.number(shown).await;
    let id = site.id("guests", "is_published = 1").await.to_string();
    let asked = browser.post("/admin/guests/selected", &[("deed", "hide"), ("row", &id)]).await;
    assert_eq!(asked.status, 200);
    assert!(asked.text().contains("Hide 1 guest?"), "{}", asked.text());
    assert_eq!(site.number(shown).await, before, "only said");
    assert_eq!(browser.go_on(&asked, "/admin/guests/selected").await.status, 303);
    assert_eq!((site.number(shown).await, audited(&site, "hide").await), (before - 1, 1));
    // All or none: the category with a film in it keeps the empty one where it is.
    let (full, empty) = (site.id("categories", "slug = 'draft'").await, site.id("categories", "slug = 'empty'").await);
    let (full, empty) = (full.to_string(), empty.to_string());
    let both = [("deed", "delete"), ("row", full.as_str()), ("row", empty.as_str())];
    assert_eq!(browser.post_and_go_on("/admin/categories/selected", &both).await.status, 303);
    assert!(browser.get("/admin/categories").await.text().contains("This category still has 1 film."));
    assert_eq!(site.number("SELECT count(*) FROM categories WHERE slug IN ('draft', 'empty')").await, 2);
    // The order is a row of numbers.
    let (name, seen) = (format!("position-{empty}"), format!("seen-{empty}"));
    let place = format!("SELECT position FROM categories WHERE id = {empty}");
    let was = site.number(&place).await.to_string();
    assert_eq!(browser.post("/admin/categories/order", &[(&name, "7"), (&seen, &was)]).await.status, 303);
    assert_eq!(site.number(&place).await, 7);
    let refused = browser.post("/admin/categories/order", &[(&name, "first"), (&seen, "7")]).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("value=\"first\""), "what was typed stays: {}", refused.text());
}

async fn what_changed_since_the_question_is_not_touched(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    site.write("UPDATE guests SET is_published = 1").await;
    let (one, other) = (site.id("guests", "is_published = 1").await, site.id("awards", "1 = 1").await);
    let two = site.number(&format!("SELECT min(id) FROM guests WHERE is_published = 1 AND id <> {one}")).await;
    let (first, second) = (one.to_string(), two.to_string());
    let hidden_now = format!("SELECT count(*) FROM guests WHERE id IN ({one}, {two}) AND is_published = 0");
    for deed in ["hide", "delete"] {
        let path = "/admin/guests/selected";
        let asked = browser.post(path, &[("deed", deed), ("row", &first), ("row", &second)]).await;
        site.write(&format!("UPDATE guests SET name = 'Newly named for {deed}' WHERE id = {two}")).await;
        let told = browser.go_on(&asked, path).await;
        assert_eq!(told.status, 409, "{deed}");
        let text = told.text();
        assert!(text.contains("Nothing was done.") && text.contains("changed in the meantime"), "{text}");
        assert!(text.contains(&format!("Newly named for {deed}")), "what it is now: {text}");
        assert_eq!(text.matches("changed in the meantime").count(), 1, "the other one is as it was: {text}");
        assert_eq!(audited(&site, deed).await, 0, "none or all");
        assert_eq!(site.number("SELECT count(*) FROM revisions").await, if deed == "hide" { 0 } else { 4 });
        // Who has seen that may go on.
        assert_eq!(browser.go_on(&told, path).await.status, 303);
        assert_eq!(audited(&site, deed).await, 2);
        assert_eq!(site.number(&hidden_now).await, if deed == "hide" { 2 } else { 0 });
    }

    // One alone, and the question before it.
    let delete = format!("/admin/awards/{other}/delete");
    let asked = browser.get(&delete).await;
    site.write(&format!("UPDATE awards SET name = 'Newly named' WHERE id = {other}")).await;
    let told = browser.go_on(&asked, &delete).await;
    assert_eq!(told.header("Location"), format!("/admin/awards/{other}"));
    assert!(browser.get(&told.header("Location")).await.text().contains("Somebody else changed this award"));
    assert_eq!(site.number(&format!("SELECT count(*) FROM awards WHERE id = {other}")).await, 1);
}

async fn of_two_orders_the_second_is_told(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let shown = browser.get("/admin/venues/order").await;
    let seen = hiddens(&shown.text());
    let ids: Vec<i64> = seen.iter().filter_map(|(name, _)| name.strip_prefix("seen-")?.parse().ok()).collect();
    assert!(ids.len() >= 2, "{seen:?}");
    let order = async |seen: &[(String, String)], ids: &[i64]| {
        let numbers = ids.iter().zip(1..).map(|(id, place)| (format!("position-{id}"), (place * 100).to_string()));
        let fields: Vec<(String, String)> = numbers.chain(seen.iter().cloned()).collect();
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        browser.post("/admin/venues/order", &fields).await
    };
    let (last, now) = (ids[ids.len() - 1], "SELECT id FROM venues WHERE position = 100");
    let backwards: Vec<i64> = ids.iter().rev().copied().collect();
    assert_eq!(order(&seen, &backwards).await.status, 303);
    let mut turned = ids.clone();
    turned.rotate_left(1);
    let told = order(&seen, &turned).await;
    assert_eq!(told.status, 409);
    let text = told.text();
    assert!(text.contains("Somebody else changed the order") && text.contains("Saved order"), "{text}");
    assert!(text.contains(&format!("name=\"position-{}\" inputmode=\"numeric\" size=\"7\" value=\"100\"", turned[0])));
    assert_eq!(site.number(now).await, last, "nothing of it was written");
    // Who has seen both may decide.
    assert_eq!(order(&hiddens(&text), &turned).await.status, 303);
    assert_eq!(site.number(now).await, turned[0]);
}

async fn who_may_only_look_changes_nothing(database: Database) {
    let (site, _) = at_work(database).await;
    let reader = person(&site, Role::Reader).await;
    let browser = Browser::signed_in(&site, &reader).await;
    let id = site.id("guests", "1 = 1").await;
    let page = browser.get(&format!("/admin/guests/{id}")).await;
    assert_eq!(page.status, 200);
    assert!(!page.text().contains(">Save<"), "no button that does nothing");
    for path in ["new".to_owned(), "selected".to_owned(), "file".to_owned(), "order".to_owned(), format!("{id}/delete")]
    {
        assert_eq!(browser.post(&format!("/admin/guests/{path}"), &[("deed", "delete")]).await.status, 403, "{path}");
    }
}
