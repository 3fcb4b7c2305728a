//! Personal data: export, erasure and reports, with the real program.

use std::path::{Path, PathBuf};

use festival_core::{backup, identity};
use serde_json::{Value, json};

use super::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(
    erasure_removes_every_trace_of_a_person,
    erasure_has_a_dry_run_and_requires_confirmation,
    erasure_keeps_the_accounting_data_of_verified_payments,
    erasure_removes_the_words_of_bank_statements,
    erasure_removes_a_producer_from_films_of_others,
    personal_data_export_is_complete_and_private,
    restoring_an_old_backup_repeats_erasures,
    breach_report_lists_the_affected_people,
    delegates_under_18_are_flagged,
);

pub(crate) const EMAIL: &str = "Asha.Erasable@example.org";
const TRACES: [&str; 5] = ["asha.erasable", "Asha Erasable-Nair", "98470 11223", "Lighthouse Road", "UTR-PRIVATE"];

/// The registration of the person to be erased.
pub(crate) fn registration() -> FormRequest {
    FormRequest::delegate()
        .with("name", "Asha Erasable-Nair")
        .with("email", EMAIL)
        .with("mobile", "+91 98470 11223")
        .with("address", "7 Lighthouse Road\nKochi")
        .with("transaction_details", "UTR-PRIVATE 77")
}

async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    site
}

/// Runs a command on the data of the running site.
pub(crate) fn run_command(site: &TestApp, arguments: &[&str]) -> CommandOutput {
    let data = site.directory.path().to_str().unwrap();
    let databases = format!("{{festival={{url=\"{}\"}}}}", site.database.url(site.directory.path()));
    let folder = tempfile::tempdir().unwrap();
    festival(folder.path(), arguments, &[("ROCKET_DATABASES", &databases), ("FESTIVAL_DATA_DIR", data)])
}

fn erase(site: &TestApp, email: &str) -> CommandOutput {
    let erased = run_command(site, &["privacy", "erase", "--email", email, "--yes"]);
    assert_eq!(erased.code, 0, "{}", erased.transcript());
    erased
}

pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// Finds a text, ignoring case, in the site's files and database.
pub(crate) async fn find_text(site: &TestApp, database: Database, text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let mut places = Vec::new();
    // Closing a SQLite file releases every lock of this process on it, and the next process that opens the database
    // then truncates the shared memory that the site still has mapped. So another process copies the files.
    let copy = tempfile::tempdir().unwrap();
    let copied =
        std::process::Command::new("cp").arg("-r").arg(site.directory.path()).arg(copy.path()).status().unwrap();
    assert!(copied.success());
    for path in files_below(copy.path()) {
        let bytes = std::fs::read(&path).unwrap().to_ascii_lowercase();
        if bytes.windows(text.len()).any(|part| part == text.as_bytes()) {
            places.push(path.display().to_string());
        }
    }
    if database == Database::Postgres {
        let all = site.texts("SELECT CAST(database_to_xml(true, false, '') AS TEXT)").await.remove(0);
        if all.to_lowercase().contains(&text) {
            places.push("the database".to_owned());
        }
    }
    places
}

/// Waits until no trace is left. A mail that was being written to a file during the erasure is deleted just after it.
async fn wait_until_nothing_is_left(site: &TestApp, database: Database) {
    let began = std::time::Instant::now();
    for trace in TRACES {
        loop {
            let places = find_text(site, database, trace).await;
            if places.is_empty() {
                break;
            }
            assert!(began.elapsed() < std::time::Duration::from_secs(60), "{trace} is in {places:?}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}

async fn erasure_removes_every_trace_of_a_person(database: Database) {
    let site = site(database).await;
    let reference =
        assert_received(&registration().post_with(&site, "/api/delegate-form/", &[("Idempotency-Key", "k1")]).await);
    let apart = registration().with("website", "spam").with("transaction_details", "UTR-PRIVATE 78");
    assert_eq!(apart.post(&site, "/api/delegate-form/").await.status, 201);
    let film = FormRequest::film().with("correspondence_email", EMAIL).with("name_of_submitter", "Asha Erasable-Nair");
    assert_received(&film.with("title_english", "Erasable Light").post(&site, "/api/changed/").await);
    let mut contact = message();
    contact["email"] = EMAIL.into();
    contact["message"] = "I live at Lighthouse Road".into();
    assert_eq!(send_message(&site, &contact).await.status, 200);
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let id = site.id("delegates", &format!("reference = '{reference}'")).await;
    for sql in [
        format!(
            "INSERT INTO admin_audit (at, network, action, object, object_id, after_json) VALUES \
             ('2025-10-26T06:40:00.000Z', '127.0.0.1', 'check payment', 'delegates', {id}, '{{\"reason\":\"x\"}}'), \
             ('2025-10-26T06:40:00.000Z', '127.0.0.1', 'list', 'delegates', NULL, '{{\"asked\":\"erasable-nair asha.erasable@example.org\"}}')"
        ),
        format!(
            "INSERT INTO submission_events (delegate_id, kind, before_text, after_text, who, at) \
             VALUES ({id}, 'note', '', 'Asha Erasable-Nair called', 'Desk', '2025-10-26T06:40:00.000Z')"
        ),
        "INSERT INTO revisions (entity, row_id, action, title, record, editor, at) VALUES ('guests', 999, 'deleted', \
         'Asha Erasable-Nair', '{\"contact\":\"asha.erasable@example.org\"}', 'Desk', '2025-10-26T06:40:00.000Z')"
            .to_owned(),
    ] {
        site.write(&sql).await;
    }
    // One of the files is in the trash as well.
    let key = site.texts(&format!("SELECT key FROM submission_files WHERE delegate_id = {id}")).await.remove(0);
    let trashed = site.app.data_dir("media/trash/2025-10-01T00-00-00Z").join(&key);
    std::fs::create_dir_all(trashed.parent().unwrap()).unwrap();
    std::fs::write(&trashed, "trashed").unwrap();
    assert!(!find_text(&site, database, TRACES[0]).await.is_empty(), "there is something to erase");
    let before = files_below(&site.app.data_dir("media/private")).len();

    let erased = erase(&site, " asha.ERASABLE@example.org");
    for line in [
        "2  delegates",
        "1  film submissions",
        "1  messages",
        "mails",
        "1  receipts for sending again",
        "1  deleted records",
    ] {
        assert!(erased.out.contains(line), "{line}: {}", erased.transcript());
    }
    wait_until_nothing_is_left(&site, database).await;
    assert!(!trashed.exists());
    assert_eq!(files_below(&site.app.data_dir("media/private")).len(), before - 10, "two delegates and a film");
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 1, "other people are kept");
    assert_eq!(site.number("SELECT count(*) FROM submission_keys").await, 0);
    // Audit entries remain without their details.
    let details = site.texts("SELECT after_json FROM admin_audit WHERE action IN ('list', 'check payment')").await;
    assert!(details.len() == 2 && details.iter().all(|details| details.starts_with("{\"erased\":\"")), "{details:?}");
    let line = site.texts("SELECT after_json FROM admin_audit WHERE action = 'erase'").await.remove(0);
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["counts"]["delegates"], 2, "{line}");
    // Nothing else may change the audit log.
    let mut write = site.app.db.write_private().await.unwrap();
    let changed =
        sqlx::query("UPDATE admin_audit SET action = 'x', after_json = '{\"erased\":\"\"}', before_json = NULL");
    assert!(changed.execute(&mut *write).await.is_err());
}

async fn erasure_has_a_dry_run_and_requires_confirmation(database: Database) {
    let site = site(database).await;
    assert_received(&registration().post(&site, "/api/delegate-form/").await);
    let dry_run = run_command(&site, &["privacy", "erase", "--email", EMAIL, "--dry-run"]);
    assert!(
        dry_run.code == 0 && dry_run.out.contains("1  delegates") && dry_run.out.contains("2  files"),
        "{}",
        dry_run.transcript()
    );
    let unconfirmed = run_command(&site, &["privacy", "erase", "--email", EMAIL]);
    assert!(unconfirmed.code == 2 && unconfirmed.err.contains("--yes"), "{}", unconfirmed.transcript());
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 1);
    let wrong = run_command(&site, &["privacy", "erase", "--email", "asha", "--yes"]);
    assert!(wrong.code == 2 && wrong.err.contains("is not an e-mail address"), "{}", wrong.transcript());
    let nobody = run_command(&site, &["privacy", "erase", "--email", "nobody@example.org", "--yes"]);
    assert!(nobody.code == 0 && nobody.out.contains("Nothing is kept"), "{}", nobody.transcript());
}

async fn erasure_keeps_the_accounting_data_of_verified_payments(database: Database) {
    let site = site(database).await;
    let reference = assert_received(&registration().post(&site, "/api/delegate-form/").await);
    site.write(
        "UPDATE delegates SET payment = 'verified', payment_amount = '1180', payment_transaction = '512345678901', \
         payment_reason = 'seen by Asha Erasable-Nair'",
    )
    .await;
    let erased = erase(&site, EMAIL);
    assert!(erased.out.contains("1  payments that were received stay without the person"), "{}", erased.transcript());
    wait_until_nothing_is_left(&site, database).await;
    let left = site
        .texts(
            "SELECT reference || ' ' || payment_amount || ' ' || payment_transaction || ' ' || status || ' ' || \
             substr(created_at, 1, 10) || ' ' || name || email || fingerprint FROM delegates",
        )
        .await;
    assert_eq!(left, [format!("{reference} 1180 512345678901 erased 2025-10-26 ")]);
    assert!(erase(&site, EMAIL).out.contains("Nothing is kept"), "the remaining row belongs to nobody");
}

async fn erasure_removes_the_words_of_bank_statements(database: Database) {
    let site = site(database).await;
    let paid = registration().with("transaction_details", "UPI 529312345678");
    let reference = assert_received(&paid.post(&site, "/api/delegate-form/").await);
    let other = FormRequest::delegate().with("name", "Binu Thomas").with("transaction_details", "UPI 529312345679");
    let other = assert_received(&other.with("email", "other@example.org").post(&site, "/api/delegate-form/").await);
    let list = "Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance\n\
                26 Oct 2025,26 Oct 2025,UPI/CR/529312345678/ASHA ERASABLE/SBIN/9847011223@ybl/fee,,,\"1,300.00\",\n\
                26 Oct 2025,26 Oct 2025,UPI/CR/529312345679/BINU THOMAS/SBIN/fee,,,\"1,300.00\",\n\
                26 Oct 2025,26 Oct 2025,NEFT ASHA ERASABLE-NAIR donation,,,\"70.00\",\n\
                26 Oct 2025,26 Oct 2025,INTEREST,,,\"5.00\",\n";
    let bank = site.directory.path().join("bank.csv");
    std::fs::write(&bank, list).unwrap();
    let import = run_command(&site, &["payments", "import", bank.to_str().unwrap()]);
    assert_eq!(import.code, 0, "{}", import.transcript());
    let verified = "SELECT reference FROM delegates WHERE payment = 'verified' ORDER BY id";
    assert_eq!(site.texts(verified).await, [reference, other]);
    let erased = erase(&site, EMAIL);
    assert!(erased.out.contains("2  lines of bank statements stay"), "{}", erased.transcript());
    let lines = "SELECT hundredths || ' ' || narration || ' | ' || number FROM statement_lines ORDER BY id";
    let expected =
        ["130000  | 529312345678", "130000 UPI/CR/529312345679/BINU THOMAS/SBIN/fee | ", "7000  | ", "500 INTEREST | "];
    assert_eq!(site.texts(lines).await, expected);
    // The same period again brings nothing back, and the payment stays settled.
    let again = run_command(&site, &["payments", "import", bank.to_str().unwrap()]);
    assert!(again.out.contains("4 lines: 0 new, 4 known."), "{}", again.transcript());
    assert_eq!(site.texts(lines).await, expected);
    assert_eq!(site.number("SELECT count(*) FROM statement_lines WHERE status = 'settled'").await, 2);
    std::fs::remove_file(bank).unwrap();
    wait_until_nothing_is_left(&site, database).await;
}

async fn erasure_removes_a_producer_from_films_of_others(database: Database) {
    let site = site(database).await;
    assert_received(
        &FormRequest::film()
            .with("producer_email", EMAIL)
            .with("producer_name", "Asha Erasable-Nair")
            .post(&site, "/api/changed/")
            .await,
    );
    let erased = erase(&site, EMAIL);
    assert!(erased.out.contains("1  films as their producer"), "{}", erased.transcript());
    let film = site
        .texts("SELECT title_english || producer_name || producer_email || producer_mobile FROM film_submissions")
        .await;
    assert_eq!(film, ["A Light"]);
    assert_eq!(site.number("SELECT count(*) FROM submission_files").await, 5, "the producer's consent is gone");
    assert_eq!(site.number("SELECT count(*) FROM film_submissions WHERE director_name = 'D. Director'").await, 1);
}

async fn personal_data_export_is_complete_and_private(database: Database) {
    let site = site(database).await;
    let reference = assert_received(&registration().post(&site, "/api/delegate-form/").await);
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("asha");
    let arguments = ["privacy", "export", "--email", EMAIL, "-o", folder.to_str().unwrap()];
    let exported = run_command(&site, &arguments);
    assert_eq!(exported.code, 0, "{}", exported.transcript());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
    let text = std::fs::read_to_string(folder.join("person.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let delegates = all["kept"]["delegates"].as_array().unwrap();
    assert_eq!((delegates.len(), &delegates[0]["reference"]), (1, &json!(reference)));
    assert_eq!(delegates[0]["address"], "7 Lighthouse Road\nKochi");
    assert!(!text.contains("delegate@example.org"), "no data of other people");
    assert!(!all["kept"]["mails"].as_array().unwrap().is_empty(), "{text}");
    for file in delegates[0]["files"].as_array().unwrap() {
        assert!(folder.join(file.as_str().unwrap()).is_file(), "{file}");
    }
    assert_eq!(run_command(&site, &arguments).code, 2, "the folder is there already");
    assert_eq!(site.number("SELECT count(*) FROM admin_audit WHERE action = 'export' AND object = 'person'").await, 1);
    assert_eq!(site.number("SELECT count(*) FROM admin_audit WHERE after_json LIKE '%sha.%rasable%'").await, 0);
}

async fn restoring_an_old_backup_repeats_erasures(database: Database) {
    let site = site(database).await;
    assert_received(&registration().post(&site, "/api/delegate-form/").await);
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let folder = tempfile::tempdir().unwrap();
    let older = backup::create(&site.app, &folder.path().join("old"), &[]).await.unwrap();
    erase(&site, EMAIL);
    // The person submits again: what is sent after the erasure is kept.
    site.write("UPDATE delegates SET created_at = '2020-01-01T00:00:00.000Z'").await;
    assert_received(
        &registration().with("transaction_details", "UTR-PRIVATE 99").post(&site, "/api/delegate-form/").await,
    );
    site.write("UPDATE delegates SET created_at = '2099-01-01T00:00:00.000Z' WHERE transaction_details LIKE '%99'")
        .await;
    site.clock.set("2025-10-27T06:30:00Z".parse().unwrap());
    let newer = backup::create(&site.app, &folder.path().join("new"), &[]).await.unwrap();

    let restore = async |backup: &Path, more: &[&str]| {
        let target = tempfile::tempdir().unwrap();
        let copy = database.empty().await;
        let url = copy.url(&target.path().join("data"));
        let databases = format!("{{festival={{url=\"{url}\"}}}}");
        let environment = [("ROCKET_DATABASES", databases.as_str())];
        let mut arguments = vec!["restore", backup.to_str().unwrap()];
        arguments.extend(more);
        let restored = festival(target.path(), &arguments, &environment);
        assert_eq!(restored.code, 0, "{}", restored.transcript());
        let found = festival(target.path(), &["privacy", "erase", "--email", EMAIL, "--dry-run"], &environment);
        let other = festival(
            target.path(),
            &["privacy", "erase", "--email", "delegate@example.org", "--dry-run"],
            &environment,
        );
        assert!(other.out.contains("1  delegates"), "{}", other.transcript());
        (restored.out, found.out, target)
    };
    let erasures = site.app.data_dir("erasures");
    let list = std::fs::read_to_string(&erasures).unwrap();
    assert!(list.lines().count() == 1 && !list.contains("asha"), "{list}");

    let (output, found, _) = restore(&older, &[]).await;
    assert!(
        !output.contains("erased again") && found.contains("1  delegates"),
        "without the list of erasures the person is restored: {output}"
    );
    let (output, found, target) = restore(&older, &["--erasures", erasures.to_str().unwrap()]).await;
    assert!(output.contains("1 person who was erased since the backup: erased again."), "{output}");
    assert!(found.contains("Nothing is kept"), "{found}");
    assert_eq!(
        std::fs::read_to_string(target.path().join("data/erasures")).unwrap(),
        list,
        "the list is kept for the next restore"
    );
    let (output, found, _) = restore(&newer, &[]).await;
    assert!(found.contains("1  delegates"), "data sent after the erasure is kept: {output}{found}");
    // A newer backup in the same folder contains the list of erasures.
    std::fs::rename(&newer, older.parent().unwrap().join(newer.file_name().unwrap())).unwrap();
    let (output, found, _) = restore(&older, &[]).await;
    assert!(output.contains("erased again") && found.contains("Nothing is kept"), "{output}{found}");
}

async fn breach_report_lists_the_affected_people(database: Database) {
    let site = site(database).await;
    let one = assert_received(&registration().post(&site, "/api/delegate-form/").await);
    let other = assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let id = site.id("delegates", &format!("reference = '{one}'")).await;
    site.write(&format!(
        "INSERT INTO admin_audit (at, network, action, object, object_id, after_json) VALUES \
         ('2025-10-26T08:00:00.000Z', '127.0.0.1', 'view', 'delegates', {id}, NULL), \
         ('2025-10-26T08:05:00.000Z', '127.0.0.1', 'view file', 'delegates', {id}, NULL), \
         ('2025-10-27T08:00:00.000Z', '127.0.0.9', 'export', 'delegates', NULL, '{{\"rows\":2}}')"
    ))
    .await;
    let breach = |from: &str, to: &str| {
        let found = run_command(&site, &["privacy", "breach", "--from", from, "--to", to]);
        assert_eq!(found.code, 0, "{}", found.transcript());
        found.out
    };
    let seen = breach("2025-10-26T13:00", "2025-10-26T14:00");
    assert!(seen.contains(&format!("{one},Asha Erasable-Nair,{EMAIL},seen,")), "{seen}");
    assert!(seen.contains(",2,127.0.0.1") && !seen.contains(&other), "{seen}");
    let exported = breach("2025-10-27", "2025-10-28");
    assert!(
        exported.contains(&one) && exported.contains(&format!("{other},Delegate,delegate@example.org,exported,")),
        "{exported}"
    );
    assert_eq!(breach("2025-10-20", "2025-10-21").lines().count(), 1, "only the header line");
}

async fn delegates_under_18_are_flagged(database: Database) {
    let site = site(database).await;
    for (age, is_flagged) in [("17", true), ("15 years", true), ("18", false)] {
        let sent = FormRequest::delegate().with("age", age).with("transaction_details", &format!("UTR {age}"));
        assert_received(&sent.post(&site, "/api/delegate-form/").await);
        let findings = site.texts("SELECT findings FROM delegates ORDER BY id DESC").await.remove(0);
        assert_eq!(
            findings.contains("Under 18: consent of a parent is needed before the data are used"),
            is_flagged,
            "{findings}"
        );
    }
    assert_eq!(site.texts("SELECT flagged FROM delegates ORDER BY id").await, ["age", "age", ""]);
}
