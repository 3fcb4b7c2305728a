//! `--files ZIP`.

use std::io::Read as _;

use festival_forms::description::FILM_SUBMISSION;

use super::*;

on_both!(archived_files_have_readable_names);

async fn archived_files_have_readable_names(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let picture = vec![7; 100_000];
    let film = Row::new(&FILM_SUBMISSION, "ML-2025-0042").text("title_english", "The Rain Road");
    let id = film.insert(&app).await;
    let malayalam = "മഴയുടെ വഴി: ".repeat(30);
    let other = Row::new(&FILM_SUBMISSION, "ML-2025-0043").text("title_english", &malayalam);
    let other_id = other.insert(&app).await;
    add_file(&app, &film, id, "film_poster", "film-submissions/aa.jpg", "image/jpeg", Some(&picture)).await;
    add_file(&app, &film, id, "documentation", "film-submissions/bb.pdf", "application/pdf", Some(&picture)).await;
    add_file(&app, &other, other_id, "film_poster", "film-submissions/cc.webp", "image/webp", Some(b"webp")).await;
    let all = export(&app, folder.path(), &["film", "-o", "films.csv", "--files", "films.zip"]);
    let message = "2 film submissions written to films.csv.\n3 files written to films.zip.\n";
    assert_eq!((all.code, all.err.as_str()), (0, message), "{}", all.transcript());
    let open = || {
        let bytes = std::fs::read(folder.path().join("films.zip")).unwrap();
        zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap()
    };
    let mut zip = open();
    let names: Vec<String> =
        (0..zip.len()).map(|index| zip.by_index(index).unwrap().name().unwrap().to_string()).collect();
    assert_eq!(names[0], "ML-2025-0042 The Rain Road/film_poster.jpg");
    assert_eq!(names[1], "ML-2025-0042 The Rain Road/documentation.pdf");
    assert!(names[2].starts_with("ML-2025-0043 മഴയുടെ വഴി_ ") && names[2].ends_with("/film_poster.webp"), "{names:?}");
    assert!(names[2].chars().count() <= 120 && names[2].split('/').all(|part| part.len() <= 200), "{names:?}");
    for (name, packed) in [(&names[0], false), (&names[1], true)] {
        let mut file = zip.by_name(name).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert!(bytes == picture, "{name}");
        assert_eq!(file.compressed_size() < file.size(), packed, "{name}");
        assert_eq!(file.last_modified().unwrap().to_string(), "2025-10-20 12:00:04", "the time of submission");
    }
    let sheet = read(&std::fs::read(folder.path().join("films.csv")).unwrap(), "films.csv");
    assert_eq!(column(&sheet, "Poster of the film"), [names[0].as_str(), &names[2]]);
    assert_eq!(column(&sheet, "Poster of the film, size in bytes"), ["100000", "4"]);
    assert_eq!(column(&sheet, "Screenshot of the payment"), ["", ""]);

    add_file(&app, &other, other_id, "signature", "film-submissions/dd.png", "image/png", None).await;
    let incomplete = export(&app, folder.path(), &["film", "-o", "films.csv", "--files", "films.zip", "--force"]);
    assert_eq!((incomplete.code, incomplete.out.as_str()), (1, ""), "{}", incomplete.transcript());
    assert!(incomplete.err.contains("/signature.png: the file is missing in the store"), "{}", incomplete.transcript());
    assert!(
        incomplete.err.contains("3 files written to films.zip.\n1 file is missing or incomplete"),
        "{}",
        incomplete.transcript()
    );
    assert_eq!(open().len(), 3, "the other files are exported");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary files are left");
}
