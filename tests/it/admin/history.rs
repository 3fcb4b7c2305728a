//! Paging through the history and the bin.

use festival_core::admin::OWNER;

use super::browser::{Browser, create_account};
use crate::support::{Database, Response, TestApp};

on_both!(history_and_bin_can_be_paged_to_the_end);

/// The path of the next older page.
fn older_page(page: &Response) -> Option<String> {
    let text = page.text();
    let (before, _) = text.split_once("\" rel=\"next\">")?;
    Some(before.rsplit_once("href=\"")?.1.replace("&#x3D;", "=").replace("&amp;", "&"))
}

async fn history_and_bin_can_be_paged_to_the_end(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
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
        let mut pages = 1;
        while let Some(next) = older_page(&page) {
            assert!(!page.text().contains(&format!(">{last}<")), "{path}");
            page = owner.get(&next).await;
            assert_eq!(page.status, 200, "{next}");
            pages += 1;
        }
        assert_eq!(pages, 3, "{path}");
        assert!(page.text().contains(last) && page.text().contains(">Newest<"), "{path}: {}", page.text());
    }
    // The first version on a page is compared with the one before it, which is on the next page.
    let page = owner.get("/admin/guests/999/history?before=910131").await.text();
    assert!(page.contains("<del>Step 30.</del> <ins>Step 31.</ins>"), "{page}");
    assert_eq!(page.matches("Restore this version").count(), 100, "every older version can be restored");
}
