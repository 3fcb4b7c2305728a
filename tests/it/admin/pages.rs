//! History and bin are turned over like every list: nothing of them is out of reach.

use festival_core::admin::Role;

use super::browser::{Browser, person};
use crate::support::{Answer, Database, TestApp};

on_both!(the_past_is_turned_over_to_its_end);

/// The address of the next older page.
fn older(page: &Answer) -> Option<String> {
    let text = page.text();
    let (before, _) = text.split_once("\" rel=\"next\">")?;
    Some(before.rsplit_once("href=\"")?.1.replace("&#x3D;", "=").replace("&amp;", "&"))
}

async fn the_past_is_turned_over_to_its_end(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    let numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 230)";
    for (id, row, entity, action, record) in [
        ("900000 + n", "900000 + n", "guests", "'deleted'", "'{\"name\":\"Gone ' || n || '.\"}'"),
        ("910000 + n", "999", "guests", "'changed'", "'{\"name\":\"Step ' || n || '.\"}'"),
        ("920000 + n", "0", "settings/fees", "'changed'", "'{\"fees.science_public\":' || (1000 + n) || '}'"),
    ] {
        site.write(&format!(
            "INSERT INTO revisions (id, entity, row_id, action, title, record, editor, at) {numbers} \
             SELECT {id}, '{entity}', {row}, {action}, 'Title ' || n || '.', {record}, 'Asha', '2025-10-26T06:30:00.000Z' \
             FROM numbers"
        ))
        .await;
    }
    for (path, first, last) in [
        ("/admin/guests/bin", "Title 230.", "Title 1."),
        ("/admin/guests/999/history", "Step 230.", "Step 1."),
        ("/admin/settings/fees/history", "1230", "1001"),
    ] {
        let mut page = owner.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text());
        assert!(page.text().contains(first) && !page.text().contains("rel=\"prev\""), "{path}");
        let mut turned = 1;
        while let Some(next) = older(&page) {
            assert!(!page.text().contains(&format!(">{last}<")), "{path}");
            page = owner.get(&next).await;
            assert_eq!(page.status, 200, "{next}");
            turned += 1;
        }
        assert_eq!(turned, 3, "{path}");
        assert!(page.text().contains(last) && page.text().contains(">Newest<"), "{path}: {}", page.text());
    }
    // A step on a later page is compared with the one before it, also over the edge of the page.
    let page = owner.get("/admin/guests/999/history?before=910131").await.text();
    assert!(page.contains("<del>Step 30.</del> <ins>Step 31.</ins>"), "{page}");
    assert_eq!(page.matches("Restore this version").count(), 100, "none is the latest");
}
