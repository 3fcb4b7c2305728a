//! Lists that are refused as a whole, and what has to be said about them first.

use super::*;

#[test]
fn tables_without_film_columns_are_refused() {
    let needed = "needed are a title and at least one of director, year, duration, country, synopsis or original title";
    for header in
        ["festival.id,fest.name,month", "Title", "Title,Price", "Director,Year", "Name,Country,Year", "പേര്,രാജ്യം,വർഷം"]
    {
        assert_eq!(
            refuse(&format!("{header}\na{}\n", ",b".repeat(header.matches(',').count())), Some("Main"), &[]),
            format!("this does not look like a list of films: {needed}")
        );
    }
    // Somebody may state that it is one.
    assert!(read_films(text("Title,Price\nRiver,3\n"), &options(Some("Main"), &["name=Title"])).is_ok());
}

#[test]
fn lists_without_a_header_need_column_numbers() {
    let csv = "1,River,Uma Rao,2025\n2,Hill,Ravi Nair,2024\n";
    assert_eq!(
        refuse(csv, Some("Main"), &[]),
        "the first row (1, River, Uma Rao, 2025) looks like a film, not like a header; say that it is one, and what each column is"
    );
    let mut with = options(Some("Main"), &["name=#2", "year=#4"]);
    with.no_header = true;
    let list = read_films(text(csv), &with).unwrap();
    assert_eq!(list.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 2]);
    assert_eq!((column(&list.rows, "name"), column(&list.rows, "year")), (vec!["River", "Hill"], vec!["2025", "2024"]));
    with.mappings.clear();
    assert_eq!(
        read_films(text(csv), &with).unwrap_err(),
        "say which column of this list without a header is the title, and what the others are; there are 4"
    );
}

#[test]
fn every_film_needs_a_section() {
    assert!(
        refuse("Title,Year\nRiver,2025\n", None, &[])
            .starts_with("no column says which section the films belong to; say which one does")
    );
    let csv = "Title,Year,Section\nRiver,2025,Asian\nHill,2025,\n";
    let list = read_films(text(csv), &options(Some("Main"), &[])).unwrap();
    assert_eq!(column(&list.rows, "category"), ["Asian", "Main"]);
    let list = read_films(text(csv), &options(None, &[])).unwrap();
    assert_eq!(
        list.errors[0].to_string(),
        "line 3, Section: \"\", expected the section of the film, or one for all that name none"
    );
}
