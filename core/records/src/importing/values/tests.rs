//! Years and names as people write them.

use super::{Year, is_error, names, people, year};

#[test]
fn years_are_read_from_years_and_dates() {
    for (text, expected) in [
        ("2025", 2025),
        ("1880", 1880),
        ("2027", 2027),
        ("2025.0", 2025),
        ("2025-03-01", 2025),
        ("2025-03-01 10:00", 2025),
        ("01/03/2025", 2025),
        ("1.3.2025", 2025),
        ("2019.", 2019),
        ("©1999", 1999),
        ("(c) 1999", 1999),
        ("[2001]", 2001),
        ("2004年", 2004),
        ("2004-05", 2004),
        ("April 25, 2019", 2019),
        ("25 Apr 2019", 2019),
        ("२०२४", 2024),
        ("45717", 2025),
        ("2024[1]", 2024),
        ("2024.00", 2024),
        ("2024*", 2024),
        ("2,024", 2024),
        ("٢٠٢٤", 2024),
        ("２０２５", 2025),
    ] {
        assert_eq!(year(text, 2026), Ok(Year { year: expected, is_exact: text != "2004-05" }), "{text}");
    }
    for (text, expected) in [
        ("c. 1975", 1975),
        ("ca. 1975", 1975),
        ("1975-76", 1975),
        ("1975/1976", 1975),
        ("1999–00", 1999),
        ("2024 (premiere)", 2024),
        ("Copyright 2024", 2024),
        ("© 2024 Uma Films", 2024),
        ("Year: 2024", 2024),
        ("approx. 1975", 1975),
    ] {
        assert_eq!(year(text, 2026), Ok(Year { year: expected, is_exact: false }), "{text}");
    }
    for text in [
        "1879",
        "2028",
        "2024-27",
        "2024/22",
        "25",
        "1975?",
        "1975 or 1976",
        "1990s",
        "20255",
        "March",
        "-2025",
        "+2025",
        "2019 (restored 2021)",
        "2019 4K",
        "20,24",
    ] {
        let error = year(text, 2026).unwrap_err();
        assert_eq!(error, "one year from 1880 to 2027, for instance 2026", "{text}");
    }
}

#[test]
fn errors_of_spreadsheet_programs_are_recognised() {
    assert!(
        ["#REF!", "#NAME?", "#DIV/0!", "#SPILL!", "#GETTING_DATA", "Err:509", "########"].into_iter().all(is_error)
    );
    assert!(!["", "#", "#1", "##", "#Alive", "#ALIVE!", "Err: 509", "Err:5th"].into_iter().any(is_error));
}

#[test]
fn names_are_joined_by_commas() {
    assert_eq!(people("UMA RAO AND RAVI NAIR"), "UMA RAO, RAVI NAIR");
    assert_eq!(people("Uma Rao & Ravi Nair; Anders And"), "Uma Rao, Ravi Nair, Anders");
    assert_eq!(people("Uma Rao\nRavi  Nair"), "Uma Rao, Ravi Nair");
    assert_eq!(people("Sandra Andrews"), "Sandra Andrews");
    assert_eq!(people("王小明、李华"), "王小明, 李华");
    assert_eq!(names("Hindi | Tamil"), "Hindi, Tamil");
    for text in
        ["M/s. Green Chillies", "M/S Prathama Films", "C/o Ravi Films", "24/7 Films", "AC/DC Kumar", "A/B Writers Room"]
    {
        assert_eq!(people(text), text);
    }
    assert_eq!(people("Ferdinand Lapuz / Pelikula"), "Ferdinand Lapuz, Pelikula");
    assert_eq!(people("Uma Rao/Ravi Nair"), "Uma Rao, Ravi Nair");
    assert_eq!(people("A.R. Rahman/K.J. Yesudas"), "A.R. Rahman, K.J. Yesudas");
    assert_eq!(people("Ravi Varma and Sons"), "Ravi Varma and Sons");
    assert_eq!(people("M/s Ravi & Co.; Uma Rao"), "M/s Ravi & Co., Uma Rao");
    assert_eq!(people("Sammy Davis, Jr. & Harry Connick, Jr."), "Sammy Davis, Jr., Harry Connick, Jr.");
    assert_eq!(people("王小明/李华"), "王小明, 李华");
    assert_eq!(people("Uma Rao + Ravi Nair"), "Uma Rao, Ravi Nair");
    assert_eq!(people("Anne Petit et Jean Roux"), "Anne Petit, Jean Roux");
    assert_eq!(people("Anne Petit & Jean Roux et Marie Blanc"), "Anne Petit, Jean Roux, Marie Blanc");
    assert_eq!(people("Karl May und Uwe Boll"), "Karl May, Uwe Boll");
    assert_eq!(people("Ayşe Kaya ve Ali Veli"), "Ayşe Kaya, Ali Veli");
    assert_eq!(people("राम शर्मा और श्याम वर्मा"), "राम शर्मा, श्याम वर्मा");
    assert_eq!(people("김철수 및 이영희"), "김철수, 이영희");
    assert_eq!(names("Bengali w/ English subtitles/Hindi"), "Bengali w/ English subtitles, Hindi");
}

#[test]
fn names_of_people_are_not_split() {
    assert_eq!(people("Wong, Kar-wai; Lee, Ang"), "Kar-wai Wong, Ang Lee");
    assert_eq!(people("Doe, John & Roe, Jane"), "John Doe, Jane Roe");
    assert_eq!(people("Uma Rao, Ravi Nair & Leela Menon"), "Uma Rao, Ravi Nair, Leela Menon");
    assert_eq!(people("Joel and Ethan Coen"), "Joel and Ethan Coen");
    assert_eq!(people("Uma Rao, Ravi Nair and 3 others"), "Uma Rao, Ravi Nair and 3 others");
    assert_eq!(people("Uma Rao & others"), "Uma Rao & others");
    assert_eq!(people("José Ortega y Gasset"), "José Ortega y Gasset");
    assert_eq!(people("Ana e Rui Melo"), "Ana e Rui Melo");
    assert_eq!(people("Robert E Lee Jones"), "Robert E Lee Jones");
    assert_eq!(people("A & B Brothers; Uma Rao and Anil"), "A & B Brothers, Uma Rao, Anil");
    assert_eq!(people("Sreejesh, Uma Rao; Anil"), "Sreejesh, Uma Rao, Anil");
}
