//! Many rows of an entity at once: bulk actions on ticked rows or all of a filter, and their order.

use super::browser::{Browser, count_audited, hidden_inputs, site_with_owner};
use crate::support::Database;

on_both!(
    all_rows_of_a_filter_are_selected_at_once,
    bulk_actions_list_affected_rows_before_confirmation,
    confirmation_is_rejected_when_rows_changed_meanwhile,
    concurrent_reordering_is_rejected,
);

/// A list of 216 films must not need 216 ticks.
async fn all_rows_of_a_filter_are_selected_at_once(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let edition = site.number("SELECT edition_id FROM guests LIMIT 1").await;
    for number in 0..216 {
        let name = if number < 210 { "Visitor" } else { "Other" };
        site.write(&format!(
            "INSERT INTO guests (edition_id, name, position, is_published, created_at, updated_at) \
             VALUES ({edition}, '{name} {number:03}', 1, 1, '', '')"
        ))
        .await;
    }
    let list = "/admin/guests?q=visitor";
    let page = browser.get(list).await.text();
    assert!(page.contains("Select all 210 of this filter"), "{page}");
    let path = "/admin/guests/selected?q=visitor";
    let all = [("action", "hide"), ("all", "yes")];
    let confirmation = browser.post(path, &all).await;
    let text = confirmation.text();
    assert!(text.contains("Hide 210 guests?") && text.contains("and 190 more"), "{text}");
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE is_published = 0 AND name LIKE 'Visitor%'").await, 0);

    // Somebody changes one of them meanwhile.
    site.write("UPDATE guests SET name = 'Visitor changed' WHERE name = 'Visitor 100'").await;
    let conflict = browser.confirm(&confirmation, path).await;
    assert_eq!(conflict.status, 409, "{}", conflict.text());
    assert!(conflict.text().contains("Somebody else changed some of these in the meantime"), "{}", conflict.text());
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE is_published = 0 AND name LIKE 'Visitor%'").await, 0);

    let done = browser.confirm(&conflict, path).await;
    assert_eq!((done.status, done.header("Location")), (303, list.to_owned()), "{}", done.text());
    assert!(browser.get(list).await.text().contains("210 guests hidden."));
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE is_published = 0 AND name LIKE 'Visitor%'").await, 210);
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE is_published = 1 AND name LIKE 'Other%'").await, 6);
    let id = site.id("guests", "name = 'Visitor 007'").await;
    let history = browser.get(&format!("/admin/guests/{id}/history")).await.text();
    assert!(history.contains("hanged by"), "{history}");
    assert_eq!(count_audited(&site, "hide").await, 210);

    let deleted = browser.post(path, &[("action", "delete"), ("all", "yes")]).await;
    assert_eq!(browser.confirm(&deleted, path).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE name LIKE 'Visitor%'").await, 0);
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE name LIKE 'Other%'").await, 6);
}

async fn bulk_actions_list_affected_rows_before_confirmation(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let published = "SELECT count(*) FROM guests WHERE is_published = 1";
    let before = site.number(published).await;
    let id = site.id("guests", "is_published = 1").await.to_string();
    let confirmation = browser.post("/admin/guests/selected", &[("action", "hide"), ("row", &id)]).await;
    assert_eq!(confirmation.status, 200);
    assert!(confirmation.text().contains("Hide 1 guest?"), "{}", confirmation.text());
    assert_eq!(site.number(published).await, before, "nothing is changed before the confirmation");
    assert_eq!(browser.confirm(&confirmation, "/admin/guests/selected").await.status, 303);
    assert_eq!((site.number(published).await, count_audited(&site, "hide").await), (before - 1, 1));
    // All or nothing: one category still has a film, so the empty one is not deleted either.
    let (full, empty) = (site.id("categories", "slug = 'draft'").await, site.id("categories", "slug = 'empty'").await);
    let (full, empty) = (full.to_string(), empty.to_string());
    let both = [("action", "delete"), ("row", full.as_str()), ("row", empty.as_str())];
    assert_eq!(browser.post_and_confirm("/admin/categories/selected", &both).await.status, 303);
    assert!(browser.get("/admin/categories").await.text().contains("This category still has 1 film."));
    assert_eq!(site.number("SELECT count(*) FROM categories WHERE slug IN ('draft', 'empty')").await, 2);
    // Positions are submitted as numbers.
    let (name, seen) = (format!("position-{empty}"), format!("seen-{empty}"));
    let position = format!("SELECT position FROM categories WHERE id = {empty}");
    let current = site.number(&position).await.to_string();
    assert_eq!(browser.post("/admin/categories/order", &[(&name, "7"), (&seen, &current)]).await.status, 303);
    assert_eq!(site.number(&position).await, 7);
    let refused = browser.post("/admin/categories/order", &[(&name, "first"), (&seen, "7")]).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("value=\"first\""), "the input is kept: {}", refused.text());
}

async fn confirmation_is_rejected_when_rows_changed_meanwhile(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    site.write("UPDATE guests SET is_published = 1").await;
    let (one, other) = (site.id("guests", "is_published = 1").await, site.id("awards", "1 = 1").await);
    let two = site.number(&format!("SELECT min(id) FROM guests WHERE is_published = 1 AND id <> {one}")).await;
    let (first, second) = (one.to_string(), two.to_string());
    let hidden_now = format!("SELECT count(*) FROM guests WHERE id IN ({one}, {two}) AND is_published = 0");
    for action in ["hide", "delete"] {
        let path = "/admin/guests/selected";
        let confirmation = browser.post(path, &[("action", action), ("row", &first), ("row", &second)]).await;
        site.write(&format!("UPDATE guests SET name = 'Newly named for {action}' WHERE id = {two}")).await;
        let conflict = browser.confirm(&confirmation, path).await;
        assert_eq!(conflict.status, 409, "{action}");
        let text = conflict.text();
        assert!(text.contains("Nothing was done.") && text.contains("changed in the meantime"), "{text}");
        assert!(text.contains(&format!("Newly named for {action}")), "the current row is shown: {text}");
        assert_eq!(text.matches("changed in the meantime").count(), 1, "only one row has changed: {text}");
        assert_eq!(count_audited(&site, action).await, 0, "all or nothing");
        assert_eq!(site.number("SELECT count(*) FROM revisions").await, if action == "hide" { 0 } else { 4 });
        // The page with the current state can be confirmed.
        assert_eq!(browser.confirm(&conflict, path).await.status, 303);
        assert_eq!(count_audited(&site, action).await, 2);
        assert_eq!(site.number(&hidden_now).await, if action == "hide" { 2 } else { 0 });
    }

    // A single deletion is protected likewise.
    let delete = format!("/admin/awards/{other}/delete");
    let confirmation = browser.get(&delete).await;
    site.write(&format!("UPDATE awards SET name = 'Newly named' WHERE id = {other}")).await;
    let conflict = browser.confirm(&confirmation, &delete).await;
    assert_eq!(conflict.header("Location"), format!("/admin/awards/{other}"));
    assert!(browser.get(&conflict.header("Location")).await.text().contains("Somebody else changed this award"));
    assert_eq!(site.number(&format!("SELECT count(*) FROM awards WHERE id = {other}")).await, 1);
}

async fn concurrent_reordering_is_rejected(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let order_page = browser.get("/admin/venues/order").await;
    let seen = hidden_inputs(&order_page.text());
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
    let mut rotated = ids.clone();
    rotated.rotate_left(1);
    let conflict = order(&seen, &rotated).await;
    assert_eq!(conflict.status, 409);
    let text = conflict.text();
    assert!(text.contains("Somebody else changed the order") && text.contains("Saved order"), "{text}");
    assert!(text.contains(&format!("name=\"position-{}\" inputmode=\"numeric\" size=\"7\" value=\"100\"", rotated[0])));
    assert_eq!(site.number(now).await, last, "nothing was written");
    // After seeing both orders the editor may save.
    assert_eq!(order(&hidden_inputs(&text), &rotated).await.status, 303);
    assert_eq!(site.number(now).await, rotated[0]);
}
