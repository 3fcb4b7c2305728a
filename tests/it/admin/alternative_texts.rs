//! Alternative texts of pictures: stored, shown, restored, and changed once for all rows with the picture.

use super::browser::site_with_owner;
use super::browser::{Browser, count_audited, hidden_value, unescape_html};
use super::publishing::{blog_id, blog_with, save_blog, upload_picture};
use crate::support::{Database, fixture};

on_both!(
    alternative_texts_are_stored_and_shown,
    alternative_texts_are_restored_from_history,
    concurrent_picture_descriptions_are_rejected,
    picture_description_replaces_the_old_one_in_every_row,
);

async fn alternative_texts_are_stored_and_shown(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let described = [("words", "A \"lamp\" & its light")];
    let sent = browser.post_with_files("/admin/pictures", &described, &[("picture", "lamp.png", &picture)]).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    let key = sent.header("Location").split_once("first=").unwrap().1.to_owned();
    let page = browser.get(&sent.header("Location")).await.text();
    let first = page.split("<li data-key=\"").nth(1).unwrap();
    assert!(first.starts_with(&key) && first.contains("A &quot;lamp&quot; &amp; its light"), "{first}");

    // Scripts set the text of a chosen picture in the form.
    let text = "A \"lamp\" & its light";
    let stored = [("is_published", "yes"), ("kept_image", key.as_str()), ("image_alt", text)];
    assert_eq!(browser.post_with_files("/admin/blogs/new", &blog_with(&stored), &[]).await.status, 303);
    let id = blog_id(&site).await;
    let shown = async || site.get(&format!("/api/blog/{id}/")).await.json()["image_alt"].clone();
    assert_eq!(shown().await, text);
    assert!(site.get(&format!("/blog/{id}")).await.text().contains("alt=\"A &quot;lamp&quot; &amp; its light\""));

    // The form shows and changes the alternative text; cached responses are invalidated.
    let path = format!("/admin/blogs/{id}");
    assert!(browser.get(&path).await.text().contains("value=\"A &quot;lamp&quot; &amp; its light\""));
    let night = [stored[0], stored[1], ("image_alt", "A lamp at night")];
    assert_eq!(save_blog(&browser, &path, &night).await.status, 303);
    assert!(site.get(&format!("/blog/{id}")).await.text().contains("alt=\"A lamp at night\""));
    let long = [stored[0], stored[1], ("image_alt", &"x".repeat(301))];
    let refused = save_blog(&browser, &path, &long).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("has 301 characters, at most 300 are kept"), "{}", refused.text());

    // A replaced picture does not inherit the text, unless one is entered for it; a removed picture has none.
    let still = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let replace = async |alt: &str| {
        let version = hidden_value(&browser.get(&path).await, "version").unwrap();
        let fields = blog_with(&[night[0], night[1], ("image_alt", alt), ("version", &version)]);
        browser.post_with_files(&path, &fields, &[("image", "still.jpg", &still)]).await.status
    };
    assert_eq!(replace("A lamp at night").await, 303);
    assert_eq!(shown().await, serde_json::Value::Null);
    assert_eq!(save_blog(&browser, &path, &night).await.status, 303);
    assert_eq!(replace("A street").await, 303);
    assert_eq!(shown().await, "A street");
    let removed = [night[0], night[1], ("image_alt", "A street"), ("remove_image", "yes")];
    assert_eq!(save_blog(&browser, &path, &removed).await.status, 303);
    assert_eq!(shown().await, serde_json::Value::Null);

    let drawing: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    let refused = browser.post_with_files("/admin/pictures", &described, &[("picture", "a.png", drawing)]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("SVG drawing"), "{}", refused.text());
    assert_eq!(browser.post_with_files("/admin/pictures", &described, &[]).await.status, 422);
}

async fn alternative_texts_are_restored_from_history(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let key = upload_picture(&browser).await;
    let stored_image = ("kept_image", key.as_str());
    let blog = blog_with(&[("is_published", "yes"), stored_image, ("image_alt", "A lamp")]);
    assert_eq!(browser.post_with_files("/admin/blogs/new", &blog, &[]).await.status, 303);
    let id = blog_id(&site).await;
    let path = format!("/admin/blogs/{id}");
    let current_alt =
        async || site.get(&format!("/api/blog/{id}/")).await.json()["image_alt"].as_str().unwrap().to_owned();
    assert_eq!(current_alt().await, "A lamp");
    assert_eq!(
        save_blog(&browser, &path, &[("is_published", "yes"), stored_image, ("image_alt", "A ferry")]).await.status,
        303
    );
    assert_eq!(current_alt().await, "A ferry");
    let (before, after) = ("{\"image_alt\":\"A lamp\"}", "{\"image_alt\":\"A ferry\"}");
    let audited_change = format!(
        "SELECT count(*) FROM admin_audit WHERE action = 'edit' AND before_json = '{before}' AND after_json = '{after}'"
    );
    assert_eq!(site.number(&audited_change).await, 1);

    // The alternative text is changed on the pictures screen: open forms do not undo it, and the history records it.
    let version = hidden_value(&browser.get(&path).await, "version").unwrap();
    let (alt_field, seen_field) = (format!("words-{key}"), format!("seen-{key}"));
    let elsewhere = [(alt_field.as_str(), "A lighthouse"), (seen_field.as_str(), "A ferry")];
    assert_eq!(browser.post("/admin/pictures/words", &elsewhere).await.status, 303);
    let audited_change = "SELECT count(*) FROM admin_audit WHERE action = 'describe' AND before_json LIKE '%A ferry%' \
                   AND after_json LIKE '%A lighthouse%'";
    assert_eq!(site.number(audited_change).await, 1);
    let outdated = blog_with(&[("is_published", "yes"), stored_image, ("image_alt", "A ferry"), ("version", &version)]);
    assert_eq!(browser.post_with_files(&path, &outdated, &[]).await.status, 303);
    assert_eq!(current_alt().await, "A lighthouse", "what the form did not touch stays");
    assert_eq!(
        save_blog(&browser, &path, &[("is_published", "yes"), stored_image, ("image_alt", "A boat")]).await.status,
        303
    );

    let history = browser.get(&format!("{path}/history")).await.text();
    let (_, steps) = history.split_once("<ol class=\"history\">").unwrap();
    let steps: Vec<&str> = steps.split("<h2>").skip(1).collect();
    for (step, what, changed) in [
        (0, "changed by Test Owner", "<del>A lighthouse</del> <ins>A boat</ins>"),
        (1, "changed by Test Owner", "<del>A ferry</del> <ins>A lighthouse</ins>"),
        (2, "changed by Test Owner", "<del>A lamp</del> <ins>A ferry</ins>"),
        (3, "created by Test Owner", "<ins>A lamp</ins>"),
    ] {
        let (step, label) = (steps[step], "Picture: alternative text");
        assert!(step.starts_with(what) && step.contains(label) && step.contains(changed), "{what}: {step}");
    }
    let back = steps[3].split("action=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(browser.post(back, &[]).await.header("Location"), path);
    assert_eq!(current_alt().await, "A lamp");
}

async fn concurrent_picture_descriptions_are_rejected(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let key = upload_picture(&browser).await;
    let still = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let sent = browser.post_with_files("/admin/pictures", &[], &[("picture", "still.jpg", &still)]).await;
    let other = sent.header("Location").split_once("first=").unwrap().1.to_owned();
    let page = browser.get("/admin/pictures").await;
    assert_eq!(hidden_value(&page, &format!("seen-{key}")).as_deref(), Some(""));
    let names = [format!("words-{key}"), format!("seen-{key}"), format!("words-{other}"), format!("seen-{other}")];
    let describe = async |one: (&str, &str), two: (&str, &str)| {
        let values = [one.0, one.1, two.0, two.1];
        let fields: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(values).collect();
        browser.post("/admin/pictures/words", &fields).await
    };
    assert_eq!(describe(("A lamp", ""), ("", "")).await.status, 303);
    let conflict = describe(("A lantern", ""), ("A street", "")).await;
    assert_eq!(conflict.status, 409);
    let text = conflict.text();
    assert!(text.contains("Somebody else has changed the alternative text of this picture to “A lamp”."), "{text}");
    assert!(text.contains("value=\"A lantern\"") && text.contains("value=\"A street\""), "the input is kept: {text}");
    assert_eq!(text.matches("class=\"wrong\"").count(), 1, "the other picture is unchanged: {text}");
    let stored = "SELECT count(*) FROM pictures WHERE image_alt = 'A lamp'";
    assert_eq!((site.number(stored).await, site.number("SELECT count(*) FROM pictures").await), (1, 1));
    assert_eq!(count_audited(&site, "describe").await, 1);
    // After seeing the other text the user may save; an outdated field that was not edited overwrites nothing.
    assert_eq!(hidden_value(&conflict, &names[1]).as_deref(), Some("A lamp"));
    assert_eq!(describe(("A lantern", "A lamp"), ("A street", "")).await.status, 303);
    assert_eq!(describe(("A lamp", "A lamp"), ("A street", "A street")).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM pictures WHERE image_alt IN ('A lantern', 'A street')").await, 2);
    // Uploading the same picture again keeps its alternative text.
    let again = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let again =
        browser.post_with_files("/admin/pictures", &[("words", "A box")], &[("picture", "a.png", &again)]).await;
    assert_eq!(again.status, 409);
    assert!(again.text().contains("“A lantern”") && again.text().contains("value=\"A box\""), "{}", again.text());
}

async fn picture_description_replaces_the_old_one_in_every_row(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let film = site.id("films", "poster IS NOT NULL AND poster_alt IS NULL").await;
    let poster = format!("SELECT poster FROM films WHERE id = {film}");
    let mut connection = site.app.db.read().await.unwrap();
    let key: String = sqlx::query_scalar(sqlx::AssertSqlSafe(poster)).fetch_one(&mut *connection).await.unwrap();
    drop(connection);
    let with_text = |text: &str| format!("SELECT count(*) FROM films WHERE poster = '{key}' AND poster_alt {text}");
    let (own, none) = (site.number(&with_text("IS NOT NULL")).await, site.number(&with_text("IS NULL")).await);
    assert!(own > 0 && none > 0, "films with one poster, {own} with a text and {none} without");
    let (field, seen) = (format!("words-{key}"), format!("seen-{key}"));
    let shown = unescape_html(&hidden_value(&browser.get("/admin/pictures").await, &seen).unwrap());
    let sent = browser.post("/admin/pictures/words", &[(&field, "A ferry"), (&seen, &shown)]).await;
    assert_eq!(sent.status, 303);
    assert_eq!(site.number(&with_text("= 'A ferry'")).await, own, "a film without a text stays without");
    assert_eq!(site.number(&with_text("IS NULL")).await, none);
    assert_eq!(site.number("SELECT count(*) FROM pictures").await, 0, "the library repeats no text of a row");
    let id = site.id("films", "poster_alt = 'A ferry'").await;
    let history = browser.get(&format!("/admin/films/{id}/history")).await.text();
    assert!(history.contains("changed by Test Owner") && history.contains("<ins>A ferry</ins>"), "{history}");
    let long = "x".repeat(301);
    let refused = browser.post("/admin/pictures/words", &[(&field, &long), (&seen, "A ferry")]).await;
    assert_eq!(refused.status, 422);
}
