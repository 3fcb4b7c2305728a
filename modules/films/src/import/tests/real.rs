//! Lists that people really sent, if available; they are not part of the project.

use super::*;

/// `shared/real-data/films` next to the project, if it exists.
fn real_data() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().map(|folder| folder.join("shared/real-data/films")).find(|folder| folder.is_dir())
}

/// Reads a list and compares it with its own films: every row must match its film, and without films every row is new.
fn list(path: &Path, options: &ImportOptions) -> ParsedSheet {
    let name = path.display();
    let sheet = read_file(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let list = read_films(sheet, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let pairs: Vec<_> = (0..list.rows.len()).map(Pair::Stored).collect();
    assert_eq!(pair_rows(&list.rows, &list.rows), pairs, "{name}");
    assert_eq!(pair_rows(&[], &list.rows), vec![Pair::New; list.rows.len()], "{name}");
    println!("{name}: {} films, {} warnings", list.rows.len(), list.notes.len());
    list
}

#[test]
fn real_lists_are_read_and_paired() {
    let Some(folder) = real_data() else {
        println!("skipped: shared/real-data/films is not there");
        return;
    };
    let read = |name: &str, category: Option<&str>| list(&folder.join(name), &options(category, &[]));
    // File, section where it has none, films, errors, warnings.
    for (name, category, films, warnings) in [
        ("festival_216_excel_utf8bom_crlf.csv", None, 216, 19),
        ("festival_216_excel_unicode_text_utf16le.txt", None, 216, 19),
        ("cannes_competition_1946_gt.csv", Some("Competition"), 1873, 0),
        ("cannes_wiki_es.xlsx", None, 1661, 0),
        ("films_fr_semicolon_crlf.csv", None, 29, 0),
        ("bollywood_meta_1950_1989.csv", Some("Classics"), 2126, 34),
        ("shorts_as_printed_malayalam_mixed.csv", Some("Shorts"), 17, 0),
        ("titles_hindi_utf8.csv", Some("Classics"), 8, 0),
        ("filmfreeway_header.csv", None, 0, 1),
    ] {
        let list = read(name, category);
        assert_eq!((list.rows.len(), list.notes.len()), (films, warnings), "{name}");
        assert_eq!(list.errors, [], "{name}");
    }
    let first = read("festival_216_excel_utf8bom_crlf.csv", None).rows;
    let mut second = read("festival_216_excel_unicode_text_utf16le.txt", None).rows;
    assert!(first.iter().zip(&second).all(|(left, right)| left.values == right.values));
    second.reverse();
    let sections: std::collections::BTreeSet<_> = column(&first, "category").into_iter().collect();
    assert_eq!(sections.len(), 20);
    assert_eq!(column(&first, "country").iter().filter(|country| country.is_empty()).count(), 20);

    let refused = |name: &str| match read_file(&folder.join(name)) {
        Err(error) => error.to_string(),
        Ok(sheet) => read_films(sheet, &options(Some("Main"), &[])).unwrap_err().to_string(),
    };
    for (name, words) in [
        ("munin_film_latin1_ragged.csv", "the header has 10 cells, but line 3 has 13"),
        ("festival_library_bom_semicolon.csv", "this does not look like a list of films"),
        ("douban_top_gbk_noheader.csv", "the first row (1, 肖申克的救赎, 1234262, 9.6) looks like a film"),
    ] {
        assert!(refused(name).starts_with(words), "{name}: {}", refused(name));
    }
    let docpoint = list(&folder.join("docpoint_2026_helsinki.json"), &options(Some("Main"), &[]));
    assert_eq!((docpoint.rows.len(), &film(&docpoint.rows, "ABODE OF DAWN")["duration_minutes"]), (75, "105"));
    let mut with = options(Some("Main"), &["name=#2"]);
    with.no_header = true;
    let douban = list(&folder.join("douban_top_gbk_noheader.csv"), &with);
    assert_eq!(douban.rows.len(), 249);
}
