//! Lists in JSON.

use super::*;

#[test]
fn json_lists_are_flattened() {
    let list = "[\n {\"title\": {\"en\": \"Lamp\", \"fi\": \"Lamppu\"}, \"year\": 2024, \"cut\": true},\n {\"year\": null,\n \
                \"title\": {\"en\": \"Quay\"}, \"directors\": [{\"name\": \"Ido Pell\"}, {\"name\": \"Runa, Sast\"}], \"tags\": [\"a\", \"b\"]}\n]";
    let expected = ["title.en", "title.fi", "year", "cut", "directors.name", "tags"];
    let in_utf16 = utf16(list, u16::to_le_bytes);
    let bom: Vec<u8> = [0xff, 0xfe].into_iter().chain(in_utf16).collect();
    for bytes in [list.as_bytes().to_vec(), format!("\u{feff}{list}").into_bytes(), bom] {
        let sheet = read_bytes(&bytes).unwrap();
        assert_eq!((sheet.format, sheet.header_line, lines(&sheet)), (Format::Json, 2, vec![2, 3]));
        assert_eq!(sheet.header, expected);
        assert_eq!(sheet.rows[0].cells, ["Lamp", "Lamppu", "2024", "true", "", ""]);
        assert_eq!(sheet.rows[1].cells, ["Quay", "", "", "", "Ido Pell, Runa, Sast", "a, b"]);
    }
    let wrapped = read_text(r#"[{"node":{"item":{"a":1,"b.c":2}}},{"node":{"item":{"a":3}}}]"#);
    assert_eq!(wrapped.header, ["a", "b.c"]);
    assert_eq!(read_text(r#"[{"title":{"en":1}},{"title":{"en":2}}]"#).header, ["title.en"]);
    let parts = read_text(
        r#"[{"by": [{"first_name": "Uma", "last_name": "Rao"}, {"first": "Ido", "middle": null, "last": "Pell"}],
             "runtime": {"hours": 1, "minutes": 32, "seconds": 0}, "first": "a", "last": "b"}]"#,
    );
    assert_eq!(parts.header, ["by", "runtime", "first", "last"]);
    assert_eq!(parts.rows[0].cells, ["Uma Rao, Ido Pell", "1h 32m", "a", "b"]);
    let times = read_text(
        r#"[{"time": {"hours": 1, "minutes": 5}}, {"time": {"minutes": 45}}, {"time": {"hours": null, "minutes": 92}}]"#,
    );
    let times: Vec<_> = times.rows.iter().flat_map(|row| row.cells.iter()).collect();
    assert_eq!(times, ["1h 5m", "45m", "92m"]);
    assert_eq!(read_text(r#"[{"open": {"hours": "10-18"}, "a": 1}]"#).header, ["open.hours", "a"]);
}

#[test]
fn json_list_is_found_inside_objects_or_line_by_line() {
    let inside = r#"{"meta": {"ids": [1, 2, 3]}, "data": {"venues": [{"a": "x"}], "films": [{"a": "1"}, {"a": "2"}]}}"#;
    for text in [inside, "{\"a\": \"1\"}\n{\"a\": \"2\"}\n"] {
        let rows = read_text(text).rows;
        let cells: Vec<_> = rows.iter().flat_map(|row| row.cells.iter()).collect();
        assert_eq!(cells, ["1", "2"], "{text}");
    }
    for text in ["[]", "[1, 2]", "[{}, 1]", "{\"a\": 1}", "[[{\"a\": 1}]]"] {
        assert!(refused(text.as_bytes()).starts_with("the JSON file contains no list of objects"), "{text}");
    }
    let message = refused(b"[\n{\"a\": 1},\n{\"b\": oops}\n]");
    assert!(message.starts_with("line 3: the file is not valid JSON"), "{message}");
    assert_eq!(lines(&read_text(r#"[{"a":1},{"a":2},{"a":3}]"#)), [1, 2, 3]);
    assert_eq!(lines(&read_text("[{\"a\":1},\n{\"a\":2},{\"a\":3}]")), [1, 2, 2]);
}

#[test]
fn json_memory_and_size_are_limited() {
    let many_columns = (0..201).map(|n| format!("\"c{n}\": 1")).collect::<Vec<_>>().join(",");
    assert!(refused(format!("[{{{many_columns}}}]").as_bytes()).contains("201 columns"));
    // Comparing all of these keys with one another would take a minute.
    let many_keys = (0..200_000).map(|n| format!("\"{n}\":1")).collect::<Vec<_>>().join(",");
    assert!(refused(format!("[{{{many_keys}}}]").as_bytes()).contains("201 columns"));
    let deep = format!("[{{\"a\": {}1{}}}]", "[".repeat(100_000), "]".repeat(100_000));
    assert!(refused(deep.as_bytes()).contains("not valid JSON"), "{}", refused(deep.as_bytes()));
    let objects = format!("[{{\"a\": [{}1]}}]", "{},".repeat(4_000_000));
    assert_eq!(read_bytes(objects.as_bytes()), Err(SheetError::BudgetExceeded));
}
