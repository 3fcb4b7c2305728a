//! Lists of the back office: search, filters, sorting, pages and export.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::browser::{Browser, count_audited, site_with_owner, unescape_html};
use crate::support::Database;

on_both!(
    lists_can_be_searched_filtered_and_paged,
    row_export_follows_the_filters_and_is_audited,
    export_is_a_consistent_snapshot_during_writes,
    list_is_shown_on_one_page_to_print
);

async fn lists_can_be_searched_filtered_and_paged(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let category = site.id("categories", "slug = 'malayalam'").await;
    let edition = site.number(&format!("SELECT edition_id FROM categories WHERE id = {category}")).await;
    site.write("DELETE FROM films").await;
    for number in 1..=120 {
        let director = if number % 2 == 0 { "NULL".to_owned() } else { format!("'Director {number:03}'") };
        site.write(&format!(
            "INSERT INTO films (edition_id, category_id, name, director_name, position, created_at, updated_at) \
             VALUES ({edition}, {category}, 'Film {number:03}', {director}, {number}, '', '')"
        ))
        .await;
    }
    // The numbers of the films on a page of the list, in its order. Late pages are read from the end of the list.
    let shown = async |query: &str| -> Vec<i64> {
        let text = browser.get(&format!("/admin/films?{query}")).await.text();
        let titles = text.split("<span>Film ").skip(1);
        titles.filter_map(|rest| rest.get(..3)?.parse().ok()).collect()
    };
    assert_eq!(shown("").await, (1..=50).collect::<Vec<_>>());
    assert_eq!(shown("p=2").await, (51..=100).collect::<Vec<_>>());
    assert_eq!(shown("p=3").await, (101..=120).collect::<Vec<_>>());
    assert_eq!(shown("sort=name&down=1&p=3").await, (1..=20).rev().collect::<Vec<_>>());
    // Rows without a value come last in both directions and on pages that are read from the end.
    let named = |number: &i64| number % 2 == 1;
    let (odd, even): (Vec<i64>, Vec<i64>) = (1..=120).partition(named);
    let up = [odd.clone(), even.clone()].concat();
    let down: Vec<i64> = odd.into_iter().rev().chain(even.into_iter().rev()).collect();
    for (query, all) in [("sort=director_name", &up), ("sort=director_name&down=1", &down)] {
        assert_eq!(shown(query).await, all[..50], "{query}");
        assert_eq!(shown(&format!("{query}&p=3")).await, all[100..], "{query}");
    }
    assert_eq!(shown(&format!("category={category}&p=3&sort=category")).await.len(), 20);
    assert_eq!(shown("q=director+11").await, [11, 111, 113, 115, 117, 119]);
    assert!(browser.get("/admin/films?q=film").await.text().contains("1 to 50 of 120"));
    assert_eq!(browser.get("/admin/films?p=9").await.header("Location"), "/admin/films?p=3");
    // The field `page` does not clash with the list's own page parameter `p`.
    let page = site.number("SELECT max(page_id) FROM page_pictures").await;
    assert_eq!(browser.get(&format!("/admin/page-pictures?page={page}")).await.status, 200);
}

async fn row_export_follows_the_filters_and_is_audited(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let formula = [("category", "malayalam"), ("name", "=cmd|' /C calc'!A0"), ("is_published", "yes")];
    assert_eq!(browser.post_with_files("/admin/films/new", &formula, &[]).await.status, 303);
    let file = browser.post("/admin/films/file?q=cmd", &[("format", "csv")]).await;
    assert_eq!(file.status, 200);
    assert!(file.header("Content-Disposition").starts_with("attachment; filename=\"films-2025.csv\""));
    let text = file.text();
    assert_eq!(text.lines().count(), 2, "filtered like the list: {text}");
    assert!(text.contains("'=cmd"), "the formula is guarded: {text}");
    let book = browser.post("/admin/films/file", &[("format", "xlsx")]).await;
    assert!(book.body.starts_with(b"PK"));
    assert_eq!(count_audited(&site, "export").await, 2);
}

async fn export_is_a_consistent_snapshot_during_writes(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let category = site.id("categories", "slug = 'malayalam'").await;
    let edition = site.number(&format!("SELECT edition_id FROM categories WHERE id = {category}")).await;
    site.write("DELETE FROM films").await;
    // Three database pages, so that a row can move from a page not read yet to one already read.
    let films: Vec<String> =
        (1..=5_000).map(|number| format!("({edition}, {category}, 'Film {number}', {number}, '', '')")).collect();
    let columns = "edition_id, category_id, name, position, created_at, updated_at";
    for films in films.chunks(500) {
        site.write(&format!("INSERT INTO films ({columns}) VALUES {}", films.join(", "))).await;
    }
    let (done, writes) = (AtomicBool::new(false), AtomicUsize::new(0));
    let write = async {
        while !done.load(Ordering::Relaxed) {
            site.write("UPDATE films SET position = 5001 - position").await;
            writes.fetch_add(1, Ordering::Relaxed);
        }
    };
    // Keeps exporting until writes have occurred during four of the exports.
    let export = async {
        let mut files = Vec::new();
        while files.len() < 4 {
            let before = writes.load(Ordering::Relaxed);
            let file = browser.post("/admin/films/file", &[("format", "csv")]).await;
            if writes.load(Ordering::Relaxed) > before {
                files.push(file);
            }
        }
        done.store(true, Ordering::Relaxed);
        files
    };
    let ((), files) = rocket::tokio::join!(write, export);
    for file in files {
        let text = file.text();
        let mut ids: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!((ids.len(), text.lines().count()), (5_000, 5_001), "every film exactly once");
    }
}

async fn list_is_shown_on_one_page_to_print(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let names: Vec<String> = (0..60).map(|number| format!("('Reel {number:02}', 'reel-{number:02}')")).collect();
    site.write(&format!(
        "INSERT INTO films (edition_id, category_id, created_at, updated_at, name, country) \
         SELECT edition_id, category_id, created_at, updated_at, reel.column1, reel.column2 \
         FROM films, (VALUES {}) AS reel WHERE films.name = 'Bare'",
        names.join(", ")
    ))
    .await;
    let path = "/admin/films?q=Reel";
    let first = browser.get(path).await.text();
    assert!(first.contains("1 to 50 of 60"), "{first}");
    assert!(unescape_html(&first).contains("href=\"/admin/films?q=Reel&all=1\""), "{first}");
    let all = browser.get(&format!("{path}&all=1")).await.text();
    assert!(all.contains("1 to 60 of 60") && !all.contains("rel=\"next\"") && !all.contains("to print"), "{all}");
    assert_eq!(all.matches("<span>Reel ").count(), 60, "{all}");
}
