//! Options of the export and their errors.

use festival_forms::description::CONTACT_MESSAGE;

use super::*;

on_both!(invalid_export_options_are_rejected_and_write_nothing);

#[test]
fn export_help_has_examples() {
    let folder = tempfile::tempdir().unwrap();
    snapshot!("forms export help", festival(folder.path(), &["forms", "export", "--help"], &[]).transcript());
}

async fn invalid_export_options_are_rejected_and_write_nothing(database: Database) {
    let app = TestApp::new(database).await;
    Row::new(&CONTACT_MESSAGE, "CM-2025-0001").insert(&app).await;
    let folder = tempfile::tempdir().unwrap();
    let mut messages = String::new();
    for wrong in [
        &["contact"][..],
        &["contact", "-o", "a"],
        &["contact", "-o", "a.pdf"],
        &["contact", "-o", "-"],
        &["contact", "-o", "-", "--format", "xlsx"],
        &["contact", "-o", "a.xlsx", "--bom"],
        &["contact", "-o", "a.csv", "--award", "asian"],
        &["contact", "-o", "a.csv", "--files", "a.zip"],
        &["film", "-o", "a.csv", "--files", "a.csv"],
        &["film", "-o", "a.csv", "--award", "nobel"],
        &["film", "-o", "a.csv", "--since", "yesterday"],
        &["guest", "-o", "a.csv"],
        &["contact", "-o", "no/a.csv"],
        &["contact", "-o", ".", "--format", "csv"],
    ] {
        let program = export(&app, folder.path(), wrong);
        assert_eq!((program.code, program.out.as_str()), (2, ""), "{wrong:?}: {}", program.transcript());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{wrong:?}");
        messages.push_str(&format!("{}\n{}\n", wrong.join(" "), program.err.lines().next().unwrap_or_default()));
    }
    if database == Database::Sqlite {
        snapshot!("forms export refused", messages);
    }
    let none = export(&app, folder.path(), &["contact", "-o", "a.csv", "--edition", "1999"]);
    assert_eq!(
        (none.code, none.err.as_str()),
        (1, "error: there is no edition 1999; festival editions list shows all\n")
    );
    assert_eq!(export(&app, folder.path(), &["contact", "-o", "a.csv"]).code, 0);
    let before = std::fs::read(folder.path().join("a.csv")).unwrap();
    let again = export(&app, folder.path(), &["contact", "-o", "a.csv"]);
    let sentence = "error: a.csv is there already; choose another name, or replace it with --force\n";
    assert_eq!((again.code, again.err.as_str()), (2, sentence));
    Row::new(&CONTACT_MESSAGE, "CM-2025-0002").insert(&app).await;
    let forced = export(&app, folder.path(), &["contact", "-o", "a.csv", "--force"]);
    assert_eq!((forced.code, forced.err.as_str()), (0, "2 messages written to a.csv.\n"));
    assert_ne!(std::fs::read(folder.path().join("a.csv")).unwrap(), before);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(folder.path().join("a.csv")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "exports are readable by their owner only");
    }
}
