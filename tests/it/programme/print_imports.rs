//! The import of files of digital cinema in the browser: shown before it is made, and undone as a whole.

use festival_core::admin::EDITOR;

use super::planned;
use super::prints::{HOME, ID, KEY_ID, NOW, SMPTE, key, picture, playlist};
use crate::admin::browser::{Browser, count_audited, create_account, unescape_html};
use crate::support::Database;

on_both!(files_are_shown_before_their_import_which_can_be_undone);

async fn files_are_shown_before_their_import_which_can_be_undone(database: Database) {
    let app = planned(database).await;
    let browser = Browser::signed_in(&app, &create_account(&app, &EDITOR).await).await;
    app.write("INSERT INTO prints (edition_id, film_id, format, location, created_at, updated_at) SELECT edition_id, id, 'DCP', 'Archive', '', '' FROM films WHERE name = 'Bare'").await;
    let encrypted = format!("<EditRate>24 1</EditRate><IntrinsicDuration>144000</IntrinsicDuration>{KEY_ID}");
    let cpl = playlist(SMPTE, ID, "Bare", &[picture(&encrypted)]);
    let window = ("2025-10-20T00:00:00Z", "2025-10-31T00:00:00Z");
    let other_id = ID.replace("81fb54df", "0eb3d1b9");
    let (own, other) = (key(ID, "Bare", ("S1", ""), window), key(&other_id, "Bare", ("S2", ""), window));
    let files = [
        ("files", "cpl.xml", cpl.as_bytes()),
        ("files2", "1.xml", own.as_bytes()),
        ("files3", "2.xml", other.as_bytes()),
    ];
    let stored = async || {
        let prints = app.texts("SELECT format || ' ' || coalesce(cpl_id, '-') FROM prints ORDER BY id").await;
        (prints, app.number("SELECT count(*) FROM print_keys").await)
    };
    let preview = browser.post_with_files(HOME, &[("film", "")], &files).await;
    let text = unescape_html(&preview.text());
    assert!(text.contains("<h2>This would be imported</h2>") && text.contains("Print of “Bare”: DCP"), "{text}");
    let warned = format!("It is for the playlist {other_id}, which no print has.");
    assert_eq!(text.matches(&warned).count(), 1, "{text}");
    assert_eq!(stored().await, (vec!["DCP -".to_owned()], 0));
    assert_eq!(count_audited(&app, "import").await, 0);
    let done = browser.confirm(&preview, NOW).await;
    assert!(done.text().contains("<h2>Imported</h2>"), "{}", done.text());
    assert_eq!(stored().await, (vec![format!("DCP, Flat, 24 fps {ID}")], 2));
    // The files are gone; files of others are not read.
    let again = browser.confirm(&preview, NOW).await;
    assert_eq!((again.status, again.header("Location")), (303, HOME.into()));
    let foreign = [("file", "film-submissions/1.png"), ("name", "1.png"), ("film", "")];
    assert_eq!(browser.post(NOW, &foreign).await.header("Location"), HOME);
    let past = unescape_html(&browser.get("/admin/prints/imports").await.text());
    assert!(past.contains("cpl.xml, 1.xml, 2.xml"), "{past}");
    let undo = format!("/admin/prints/imports/{}/undo", app.number("SELECT max(id) FROM imports").await);
    let asked = browser.get(&undo).await;
    let undone = browser.confirm(&asked, &undo).await;
    assert_eq!(undone.status, 303, "{}", undone.text());
    assert_eq!(stored().await, (vec!["DCP -".to_owned()], 0));
}
