//! Letters with the sender's own link, and reminders of those who have not answered.

use data_encoding::HEXLOWER;
use festival_core::admin::OWNER;
use festival_selection::{CHAIR, send_reminders};
use sha2::{Digest as _, Sha256};

use super::release::{films, prepare, release};
use super::status;
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(
    letter_has_a_secret_link_that_only_its_recipient_sees,
    selected_film_is_reminded_exactly_once_and_in_time,
    nobody_is_reminded_within_a_day_of_the_letter,
);

async fn bodies(site: &TestApp, subject: &str) -> Vec<String> {
    site.texts(&format!("SELECT body_text FROM outbox WHERE subject LIKE '%{subject}' ORDER BY id")).await
}

async fn letter_has_a_secret_link_that_only_its_recipient_sees(database: Database) {
    let site = TestApp::with(database, status::settings).await;
    let chair = Browser::signed_in(&site, &create_account(&site, &CHAIR).await).await;
    let films = films(&site, 4).await;
    prepare(&chair, "selected", &films[..2], "2025-11-05").await;
    prepare(&chair, "selected", &films[2..3], "").await;
    prepare(&chair, "waiting", &films[3..], "").await;
    for page in ["/admin/selection-release", &format!("/admin/selection/{}", films[0])] {
        let page = chair.get(page).await.text();
        let shown =
            "Please confirm by 5 November 2025 that your film can be shown: http://localhost/status?key&#x3D;…\n";
        assert!(page.contains(shown), "{page}");
    }
    assert_eq!(site.number("SELECT count(*) FROM selection_links").await, 0, "a preview creates no link");
    release(&chair).await;
    let link = status::link(&site, "selection-letter' AND to_address = 'sender1@example.org").await;
    let letter = bodies(&site, "your film has been selected").await.remove(0);
    let expected = format!(
        "Please confirm by 5 November 2025 that your film can be shown: http://localhost{link}\n\
         Whoever has this link sees what you sent. Keep it to yourself.\n"
    );
    assert!(letter.contains(&expected), "{letter}");
    let letter = bodies(&site, "നിങ്ങളുടെ ചിത്രം തിരഞ്ഞെടുക്കപ്പെട്ടു").await.remove(0);
    let expected =
        "നിങ്ങളുടെ ചിത്രം പ്രദർശിപ്പിക്കാനാകുമെന്ന് 5 November 2025-നകം ദയവായി സ്ഥിരീകരിക്കുക: http://localhost/status?key=";
    assert!(letter.contains(expected), "{letter}");
    let letter = bodies(&site, "your film has been selected").await.remove(1);
    assert!(letter.contains("Please confirm that your film can be shown: http://localhost/status?key="), "{letter}");
    let letter = bodies(&site, "your film is on the waiting list").await.remove(0);
    assert!(!letter.contains("/status"), "{letter}");
    let page = site.get(&link).await;
    assert!(page.status == 200 && page.text().contains("Your film is selected."), "{}", page.text());
    // Of the three secrets the database has hashes, apart from the letters themselves.
    let hashes = site.texts("SELECT key_hash FROM selection_links ORDER BY film_submission_id").await;
    let key = status::key(&link);
    assert_eq!((hashes.len(), hashes[0].as_str()), (3, &*HEXLOWER.encode(&Sha256::digest(key))));
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let mail = site.id("outbox", "to_address = 'sender1@example.org'").await;
    let entry = format!("/admin/selection/{}", films[0]);
    for path in [&format!("/admin/mail/{mail}"), &entry, "/admin/audit", "/admin/settings/mails/selection-selected"] {
        let page = owner.get(path).await;
        assert!(page.status == 200 && !page.text().contains(key), "{path}: {}", page.text());
    }
    assert_eq!(site.number(&format!("SELECT count(*) FROM admin_audit WHERE after_json LIKE '%{key}%'")).await, 0);
}

async fn selected_film_is_reminded_exactly_once_and_in_time(database: Database) {
    let site = TestApp::with(database, status::settings).await;
    let account = create_account(&site, &CHAIR).await;
    let chair = Browser::signed_in(&site, &account).await;
    let films = films(&site, 6).await;
    prepare(&chair, "selected", &films[..5], "2025-11-05").await;
    prepare(&chair, "waiting", &films[5..], "").await;
    release(&chair).await;
    let set = async |table: &str, values: &str, film: i64| {
        let id = if table == "film_submissions" { "id" } else { "film_submission_id" };
        site.write(&format!("UPDATE {table} SET {values} WHERE {id} = {film}")).await;
    };
    site.write("UPDATE outbox SET sent_at = '2025-10-26T07:00:00.000Z' WHERE to_address <> 'sender5@example.org'")
        .await;
    set("selection_decisions", "answer = 'confirmed'", films[2]).await;
    set("film_submissions", "status = 'withdrawn'", films[3]).await;
    let at = |time: &str| site.clock.set(time.parse().unwrap());
    at("2025-11-01T18:29:00Z");
    assert_eq!(send_reminders(&site.app).await.unwrap(), 0, "not yet 2 November in Kerala");
    at("2025-11-01T18:31:00Z");
    let (one, two) = tokio::join!(send_reminders(&site.app), send_reminders(&site.app));
    assert_eq!(one.unwrap() + two.unwrap(), 2, "two servers");
    at("2025-11-04T06:00:00Z");
    assert_eq!(send_reminders(&site.app).await.unwrap(), 0);
    let sent = "SELECT to_address || ': ' || subject FROM outbox WHERE id > (SELECT max(letter_id) FROM selection_decisions) \
                ORDER BY to_address";
    assert_eq!(
        site.texts(sent).await,
        [
            "sender1@example.org: Velicham 2025: please confirm your film",
            "sender2@example.org: Velicham 2025: നിങ്ങളുടെ ചിത്രം ദയവായി സ്ഥിരീകരിക്കുക",
        ]
    );
    let reminder = bodies(&site, "please confirm your film").await.remove(0);
    let (_, link) = reminder.split_once("http://localhost").unwrap_or_else(|| panic!("{reminder}"));
    let link = link.split_once('\n').unwrap().0;
    assert_eq!(
        reminder,
        format!(
            "Dear Sender 1,\n\nyour film Film 1 has been selected for Twentieth \"first light\" edition, and we have \
             not heard from you yet.\n\nReference: T-2025-0001\nAward: Indian Cinema\n\n\
             Please confirm by 5 November 2025 that your film can be shown: http://localhost{link}\n\
             Whoever has this link sees what you sent. Keep it to yourself.\n\n\
             If your film cannot take part, please tell us, so that another film can have its place.\n\n\
             Velicham International Film Festival\noffice@velicham.example\n+91 484 000 0000\n"
        )
    );
    assert!(site.get(link).await.text().contains("Please confirm by 5 November 2025"));
    // Organisers see it.
    let history = "SELECT who || ': ' || after_text FROM submission_events WHERE kind = 'mail' ORDER BY id";
    let reminded = "the program: Reminded by mail to confirm by 5 November 2025";
    assert_eq!(site.texts(history).await, [reminded, reminded]);
    let chair = Browser::signed_in(&site, &account).await;
    let page = chair.get(&format!("/admin/selection/{}", films[0])).await.text();
    assert!(page.contains("Reminded 2 Nov 2025"), "{page}");
    // A letter that was held back and leaves now: there is no reminder after the last day.
    site.write("UPDATE outbox SET sent_at = '2025-11-04T07:00:00.000Z' WHERE to_address = 'sender5@example.org'").await;
    at("2025-11-05T18:31:00Z");
    assert_eq!(send_reminders(&site.app).await.unwrap(), 0, "6 November in Kerala");
    at("2025-11-05T18:29:00Z");
    assert_eq!(send_reminders(&site.app).await.unwrap(), 1);
}

async fn nobody_is_reminded_within_a_day_of_the_letter(database: Database) {
    let site = TestApp::with(database, status::settings).await;
    let chair = Browser::signed_in(&site, &create_account(&site, &CHAIR).await).await;
    let films = films(&site, 1).await;
    prepare(&chair, "selected", &films, "2025-10-28").await;
    release(&chair).await;
    site.write("UPDATE outbox SET sent_at = '2025-10-26T07:00:00.000Z'").await;
    for (time, expected) in [("2025-10-26T08:00:00Z", 0), ("2025-10-27T06:29:00Z", 0), ("2025-10-27T06:31:00Z", 1)] {
        site.clock.set(time.parse().unwrap());
        assert_eq!(send_reminders(&site.app).await.unwrap(), expected, "{time}");
    }
}
