//! Files that senders replace on the status page.

use festival_core::admin::OWNER;

use super::status::{key, link, send_film, settings};
use crate::admin::browser::{Browser, create_account};
use crate::forms::requests::{FormRequest, picture_number, set_forms_setting};
use crate::support::{Database, Response, TestApp};

on_both!(replaced_file_keeps_the_former_one_for_the_desk);

async fn post_file(app: &TestApp, link: &str, field: &str, name: &str, content: &[u8]) -> Response {
    let files = [("file", name, content)];
    let fields = [("key", key(link)), ("field", field)];
    Browser::new(app).send_with_files("/status/file", &fields, &files, &[("Sec-Fetch-Site", "same-origin")]).await
}

async fn replaced_file_keeps_the_former_one_for_the_desk(database: Database) {
    let app = TestApp::with(database, |all| {
        settings(all);
        set_forms_setting(all, "closes_at", serde_json::json!({ "malayalam": "2025-10-27T23:59:59" }));
    })
    .await;
    send_film(&app, &FormRequest::film()).await;
    let link = link(&app, "film-receipt").await;
    let desk = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    let id = app.id("film_submissions", "id > 0").await;
    let before = desk.get(&format!("/admin/film-submissions/{id}/files/film_poster")).await.body;
    // The checks of the form apply.
    let refused = post_file(
        &app,
        &link,
        "film_poster",
        "poster.pdf",
        &std::fs::read(crate::support::fixture("pictures/issue.pdf")).unwrap(),
    )
    .await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("This has to be a picture: JPEG, PNG or WebP."), "{}", refused.text());
    let refused = post_file(&app, &link, "film_poster", "poster.png", b"no picture at all").await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    let refused = post_file(&app, &link, "film_poster", "large.png", &vec![0; 5 * 1024 * 1024 + 1]).await;
    assert!([413, 422].contains(&refused.status), "{}", refused.text());
    assert_eq!(app.number("SELECT count(*) FROM submission_files WHERE field LIKE 'film_poster%'").await, 1);

    let replaced = post_file(&app, &link, "film_poster", "better.png", &picture_number(7)).await;
    assert_eq!((replaced.status, replaced.header("Location")), (303, link.clone()));
    let page = app.get(&link).await.text();
    assert!(page.contains("better.png") && page.contains("film_poster.png") && page.contains("replaced"), "{page}");
    let page = desk.get(&format!("/admin/film-submissions/{id}")).await.text();
    assert!(page.contains("better.png") && page.contains("film_poster.png"), "{page}");
    assert!(page.contains("Poster of the film, replaced"), "{page}");
    assert!(page.contains("Replaced: Poster of the film, by better.png") && page.contains("the sender"), "{page}");
    let former = desk.get(&format!("/admin/film-submissions/{id}/files/film_poster.1")).await;
    assert_eq!((former.status, former.body), (200, before.clone()));
    assert_ne!(desk.get(&format!("/admin/film-submissions/{id}/files/film_poster")).await.body, before);

    // After the deadline nothing is replaced, unless a payment was rejected: then its proof is.
    app.clock.set("2025-10-28T06:30:00Z".parse().unwrap());
    assert!(!app.get(&link).await.text().contains("Replace<"), "closed");
    let late = post_file(&app, &link, "film_poster", "late.png", &picture_number(8)).await;
    assert_eq!(late.status, 409, "{}", late.text());
    app.write("UPDATE film_submissions SET payment = 'rejected', payment_reason = '₹1,000 is missing'").await;
    let page = app.get(&link).await.text();
    assert!(page.contains("The payment could not be accepted: ₹1,000 is missing."), "{page}");
    assert_eq!(post_file(&app, &link, "screenshot", "paid.png", &picture_number(9)).await.status, 303);
    assert_eq!(app.number("SELECT count(*) FROM submission_files").await, 8);
}
