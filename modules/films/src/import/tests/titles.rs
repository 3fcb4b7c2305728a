//! Which column is the title, and which the original title.

use super::*;

#[test]
fn english_title_is_displayed_if_there_are_two() {
    assert_eq!(understand("Title,Kannada Title,Year"), ["name=Title", "original_title=Kannada Title", "year=Year"]);
    assert_eq!(
        understand("Title (Malayalam),Title (English)"),
        ["name=Title (English)", "original_title=Title (Malayalam)"]
    );
    assert_eq!(understand("title,title_english"), ["name=title_english", "original_title=title"]);
    assert_eq!(
        understand("Project Title,Project Title (Original Language),Year"),
        ["name=Project Title", "original_title=Project Title (Original Language)", "year=Year"]
    );
}

#[test]
fn title_next_to_the_english_one_is_the_original_title() {
    for header in [
        "片名,英文片名,導演",
        "Titre,Titre international,Réal.",
        "Title,International Title,Director",
        "제목,영문제목,감독",
    ] {
        let list = read_films(text(&format!("{header}\n河,River,Uma Rao\n")), &options(Some("Main"), &[])).unwrap();
        let titles = (list.rows[0].values.get("name"), list.rows[0].values.get("original_title"));
        assert_eq!(titles, (Some("River"), Some("河")), "{header}");
    }
}

#[test]
fn names_by_language_are_titles_and_empty_columns_fill_no_field() {
    let json = |text: &str| {
        read_films(read_bytes(text.as_bytes(), "films.json").unwrap(), &options(Some("Main"), &[])).unwrap()
    };
    let list = json(r#"[{"name": {"en": "Salt", "fi": "Suola"}, "director": "Uma Rao", "year": 2024}]"#);
    assert_eq!((&list.rows[0].values["name"], &list.rows[0].values["original_title"]), ("Salt", "Suola"));
    let list = json(r#"[{"title": {"en": "Salt", "fi": "Suola"}, "original_title": null, "director": "Uma Rao"}]"#);
    assert_eq!((&list.rows[0].values["name"], &list.rows[0].values["original_title"]), ("Salt", "Suola"));
}

#[test]
fn swapped_titles_are_noted() {
    let csv = "Title,Original title,Director\nചെമ്മീൻ,Chemmeen,Ramu Kariat\nSalt,उप्पु,Uma Rao\n";
    let list = read_films(text(csv), &options(Some("Main"), &[])).unwrap();
    assert_eq!(column(&list.rows, "name"), ["Chemmeen", "Salt"]);
    let note = "line 2: \"Chemmeen\", in Latin letters, is the title here and \"Title\" the original title; choose the columns of \
                both to leave them as they are";
    assert!(list.notes.iter().any(|known| known == note), "{:?}", list.notes);
    let list = read_films(text(csv), &options(Some("Main"), &["name=Title"])).unwrap();
    assert_eq!(column(&list.rows, "name"), ["ചെമ്മീൻ", "Salt"]);
    assert_eq!(list.notes, Vec::<String>::new());
}
