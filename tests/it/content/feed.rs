//! `/blogs/feed.xml`, and JSON-LD of blogs.

use crate::support::{Database, SECRET, TestApp, attribute, json_ld_item};

on_both!(blog_feed_is_valid_atom, feed_without_blogs_is_valid, blog_pages_have_json_ld);

const BASE: &str = "https://festival.example";

async fn public_site(database: Database) -> TestApp {
    TestApp::with(database, |settings| settings.public_url = BASE.into()).await
}

/// The content of the first element `<name ...>`.
fn element<'a>(xml: &'a str, name: &str) -> &'a str {
    let (_, rest) = xml.split_once(&format!("<{name}")).unwrap_or_else(|| panic!("no {name} in {xml}"));
    let (_, rest) = rest.split_once('>').unwrap();
    rest.split_once(&format!("</{name}>")).unwrap().0
}

async fn blog_feed_is_valid_atom(database: Database) {
    let app = public_site(database).await;
    app.write(
        "UPDATE blogs SET updated_at = '2025-10-22T00:00:00.000Z', content = content || '<a href=\"/films\">films</a>'",
    )
    .await;
    let response = app.get("/blogs/feed.xml").await;
    assert_eq!(response.header("Content-Type"), "application/atom+xml; charset=utf-8");
    let xml = response.text();
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\""));
    assert!(!xml.contains(SECRET) && !xml.contains("evil.example") && !xml.contains("alert(1"), "{xml}");
    let entries: Vec<&str> = xml.split("<entry").skip(1).collect();
    assert_eq!(entries.len(), 2);
    let new = app.id("blogs", "content LIKE '%New%'").await;
    // The id does not change with the address of the site.
    assert_eq!(element(entries[0], "id"), format!("urn:x-festival:velicham/blog/{new}"));
    assert_eq!(element(&xml, "id"), "urn:x-festival:velicham/blogs/feed.xml");
    assert_eq!(attribute(entries[0], "<link rel=\"alternate\"", "href"), format!("{BASE}/blog/{new}"));
    assert!(entries[0].starts_with(" xml:lang="));
    assert_eq!(element(entries[0], "title"), "പുതിയ വാർത്ത");
    assert_eq!(element(entries[0], "published"), "2025-10-20T09:05:00+05:30");
    assert_eq!(element(entries[0], "updated"), "2025-10-22T05:30:00+05:30");
    assert_eq!(element(&xml, "updated"), "2025-10-22T05:30:00+05:30", "the time of the latest change");
    let content = element(entries[0], "content");
    assert!(content.contains(&format!("&lt;p&gt;&lt;img src=&quot;{BASE}/media/")), "{content}");
    assert!(!content.contains("alert("), "{content}");
    assert!(content.contains(&format!("href=&quot;{BASE}/films&quot;")), "URLs are absolute: {content}");
    assert_eq!(
        element(entries[1], "title"),
        "Old &quot;news&quot; {{z}} &lt;/title&gt;&lt;script&gt;alert(&#39;blog&#39;)&lt;/script&gt;"
    );
    // Both pages link to the feed.
    for path in ["/blogs".to_owned(), format!("/blog/{new}")] {
        let html = app.get(&path).await.text();
        assert_eq!(
            attribute(&html, "<link rel=\"alternate\" type=\"application/atom+xml\"", "href"),
            "/blogs/feed.xml"
        );
    }
    assert!(app.get("/blogs").await.text().contains("<a href=\"/blogs/feed.xml\">"));
}

async fn feed_without_blogs_is_valid(database: Database) {
    let app = public_site(database).await;
    app.write("UPDATE blogs SET is_published = 0").await;
    let xml = app.get("/blogs/feed.xml").await.text();
    assert_eq!(element(&xml, "updated"), "1970-01-01T00:00:00Z");
    assert!(!xml.contains("<entry") && xml.ends_with("</feed>\n"));
}

async fn blog_pages_have_json_ld(database: Database) {
    let app = public_site(database).await;
    let new = app.id("blogs", "content LIKE '%New%'").await;
    app.write("UPDATE blogs SET updated_at = '2025-10-22T00:00:00.000Z'").await;
    let posting = json_ld_item(&app.get(&format!("/blog/{new}")).await.text(), "BlogPosting");
    assert_eq!((&posting["headline"], &posting["inLanguage"]), (&"പുതിയ വാർത്ത".into(), &"en".into()));
    assert_eq!(posting["datePublished"], "2025-10-20T09:05:00+05:30");
    assert_eq!(posting["dateModified"], "2025-10-22T05:30:00+05:30");
    for required in ["image", "author", "publisher", "mainEntityOfPage", "description"] {
        assert!(!posting[required].is_null(), "{required}");
    }
    let blog = json_ld_item(&app.get("/blogs").await.text(), "Blog");
    let titles: Vec<_> = blog["blogPost"].as_array().unwrap().iter().map(|post| post["headline"].clone()).collect();
    assert_eq!(titles, ["പുതിയ വാർത്ത", "Old \"news\" {{z}} </title><script>alert('blog')</script>"]);
    // The modification date is never before the publication date.
    app.write("UPDATE blogs SET updated_at = '2020-01-01T00:00:00.000Z'").await;
    let posting = json_ld_item(&app.get(&format!("/blog/{new}")).await.text(), "BlogPosting");
    assert_eq!(posting["dateModified"], posting["datePublished"]);
}
