//! `festival films import`: what it refuses, and that nothing is written then.

use std::io::Write as _;
use std::path::Path;

use crate::support::{Database, Program, TestApp, festival};

on_both!(a_wrong_row_keeps_the_whole_list_out, what_is_no_list_is_refused_and_nothing_is_written);

fn import(app: &TestApp, folder: &Path, arguments: &[&str]) -> Program {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, &[&["films", "import"], arguments].concat(), &environment)
}

/// All that an import could write.
async fn rows(app: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in ["films", "categories", "revisions", "admin_audit"] {
        counts.push(app.number(&format!("SELECT count(*) FROM {table}")).await);
    }
    counts
}

async fn a_wrong_row_keeps_the_whole_list_out(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Title,Director,Section,Country,Year,Duration\nRain,Uma Rao,Malayalam,India,2024,92\n\
                Sun,Dev Nair,Malayalam,India,soon,90\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let before = rows(&app).await;
    let refused = import(&app, folder.path(), &["list.csv"]);
    assert_eq!(refused.code, 1, "{}", refused.whole());
    assert!(refused.out.contains("line 3") && refused.out.contains("soon"), "{}", refused.whole());
    assert!(refused.err.contains("Nothing was imported."), "{}", refused.whole());
    assert_eq!(rows(&app).await, before);
    let partly = import(&app, folder.path(), &["list.csv", "--skip-invalid"]);
    assert!(partly.code == 1 && partly.out.contains("1 films: 1 new"), "{}", partly.whole());
    assert_eq!(rows(&app).await[0], before[0] + 1);
}

async fn what_is_no_list_is_refused_and_nothing_is_written(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..256 {
        packed.write_all(&[b'a'; 1 << 20]).unwrap();
    }
    write("bomb.csv", &packed.finish().unwrap());
    // A gigabyte that takes no room on the disk, and must not take any in memory.
    std::fs::File::create(folder.path().join("huge.csv")).unwrap().set_len(1 << 30).unwrap();
    write("noise.csv", &(0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<_>>());
    write("paper.xlsx", b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF");
    write("empty.csv", b"");
    write("words.csv", b"Title\n");
    write("other.csv", b"Colour,Shape\nred,round\n");
    let before = rows(&app).await;
    for (name, words) in [
        ("huge.csv", "the limit is 67108864"),
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
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{name}: {}", refused.whole());
        assert!(refused.err.starts_with("error: ") && refused.err.contains(words), "{name}: {}", refused.whole());
        assert!(!refused.err.contains("panicked"), "{name}: {}", refused.whole());
    }
    assert_eq!(rows(&app).await, before);
}
