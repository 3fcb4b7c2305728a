//! `festival films import`: rejected lists write nothing.

use std::io::Write as _;
use std::path::Path;

use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(invalid_row_blocks_the_whole_import, unusable_film_lists_are_rejected_and_write_nothing);

fn import(app: &TestApp, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, &[&["films", "import"], arguments].concat(), &environment)
}

/// Row counts of every table that an import could write.
async fn rows(app: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in ["films", "categories", "revisions", "admin_audit"] {
        counts.push(app.number(&format!("SELECT count(*) FROM {table}")).await);
    }
    counts
}

async fn invalid_row_blocks_the_whole_import(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Title,Director,Section,Country,Year,Duration\nRain,Uma Rao,Malayalam,India,2024,92\n\
                Sun,Dev Nair,Malayalam,India,soon,90\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let before = rows(&app).await;
    let refused = import(&app, folder.path(), &["list.csv"]);
    assert_eq!(refused.code, 1, "{}", refused.transcript());
    assert!(refused.out.contains("line 3") && refused.out.contains("soon"), "{}", refused.transcript());
    assert!(refused.err.contains("Nothing was imported."), "{}", refused.transcript());
    assert_eq!(rows(&app).await, before);
    let partly = import(&app, folder.path(), &["list.csv", "--skip-invalid"]);
    assert!(
        partly.code == 1 && partly.out.contains("2 films: 1 new, 0 changed, 0 unchanged, 1 left out"),
        "{}",
        partly.transcript()
    );
    assert_eq!(rows(&app).await[0], before[0] + 1);
}

async fn unusable_film_lists_are_rejected_and_write_nothing(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..256 {
        packed.write_all(&[b'a'; 1 << 20]).unwrap();
    }
    write("bomb.csv", &packed.finish().unwrap());
    // A sparse file of one gibibyte, which must not be read into memory.
    std::fs::File::create(folder.path().join("huge.csv")).unwrap().set_len(1 << 30).unwrap();
    write("noise.csv", &(0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<_>>());
    write("paper.xlsx", b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF");
    write("empty.csv", b"");
    write("words.csv", b"Title\n");
    write("other.csv", b"Colour,Shape\nred,round\n");
    let before = rows(&app).await;
    for (name, expected) in [
        ("huge.csv", "has 1.0 GB, the limit is 67.1 MB"),
        ("bomb.csv", "bomb.csv"),
        ("noise.csv", "noise.csv"),
        ("paper.xlsx", "paper.xlsx"),
        ("empty.csv", "empty.csv"),
        ("words.csv", "words.csv"),
        ("other.csv", "other.csv"),
        ("missing.csv", "cannot be read"),
        (".", "."),
    ] {
        let refused = import(&app, folder.path(), &[name]);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{name}: {}", refused.transcript());
        assert!(
            refused.err.starts_with("error: ") && refused.err.contains(expected),
            "{name}: {}",
            refused.transcript()
        );
        assert!(!refused.err.contains("panicked"), "{name}: {}", refused.transcript());
    }
    assert_eq!(rows(&app).await, before);
}
