//! Tests of the rules for forms.

use super::*;

#[tokio::test]
async fn texts_and_files_are_received() {
    let store = Store::new();
    let form =
        Form::default().text("title", "രാത്രി\r\nNight").file("poster", "../a.jpg", picture(40, 30, ImageFormat::Png));
    let received = store.receive(form.text("category", "asian").end()).await.expect("a form");
    assert_eq!(received.values.get("title").map(String::as_str), Some("രാത്രി\r\nNight"));
    assert_eq!(received.unknown, ["category"]);
    let poster = &received.files["poster"];
    assert_eq!(
        (poster.field, poster.name.as_str(), poster.mime, poster.extension),
        ("poster", "a.jpg", "image/png", "png")
    );
    assert_eq!(store.files("staging").len(), 1);
    drop(received);
    assert_eq!(store.files("staging"), Vec::<PathBuf>::new(), "uncommitted files are deleted");
}

#[tokio::test]
async fn empty_file_input_counts_as_missing() {
    let store = Store::new();
    let form = Form::default().file("poster", "", "").file("consent", "a.pdf", "").end();
    assert!(store.receive(form).await.expect("a form").files.is_empty());
    let form = Form::default().text("poster", "").file("title", "", "").end();
    let received = store.receive(form).await.expect("a form");
    assert!(received.files.is_empty() && received.values.is_empty());
}

#[tokio::test]
async fn each_violated_rule_has_its_status() {
    let store = Store::new();
    let field = |count: usize| (0..count).fold(Form::default(), |form, at| form.text(&format!("extra{at}"), "x")).end();
    let lines = String::from_utf8(Form::default().text("title", "x").end()).expect("text").replace("\r\n", "\n");
    let nested = "Content-Disposition: form-data; name=\"title\"\r\nContent-Type: multipart/mixed; boundary=x";
    for (case, form, expected) in [
        ("64 fields", field(64), 200),
        ("65 fields", field(65), 413),
        ("a text of 64 KiB", Form::default().text("title", "x".repeat(65_536)).end(), 200),
        ("a longer text", Form::default().text("title", "x".repeat(65_537)).end(), 413),
        ("a field twice", Form::default().text("title", "a").text("title", "b").end(), 422),
        ("a file for text", Form::default().file("title", "a.txt", "x").end(), 422),
        ("text for a file", Form::default().text("poster", "x").end(), 422),
        ("no UTF-8", Form::default().text("title", b"\xFF\xFE").end(), 422),
        ("NUL", Form::default().text("title", "a\0b").end(), 422),
        ("no name", Form::default().part("Content-Disposition: form-data", b"x").end(), 400),
        ("an empty name", Form::default().text("", "x").end(), 400),
        ("no headers", Form::default().part("X: y", b"x").end(), 400),
        ("a form in a form", Form::default().part(nested, b"x").end(), 400),
        ("bare line feeds", lines.into_bytes(), 400),
        ("headers without end", format!("--{BOUNDARY}\r\nX: {}", "y".repeat(100_000)).into_bytes(), 400),
        ("a long preamble", [vec![b'x'; 100_000], Form::default().text("title", "x").end()].concat(), 400),
        ("a short preamble", [b"hello\r\n".to_vec(), Form::default().text("title", "x").end()].concat(), 200),
        ("nothing", Vec::new(), 400),
        ("no part", format!("--{BOUNDARY}--\r\n").into_bytes(), 200),
    ] {
        assert_eq!(status(&store.receive(form).await), expected, "{case}");
        assert!(store.files("staging").is_empty(), "{case}");
    }
}

#[tokio::test]
async fn content_type_must_be_multipart_with_a_boundary() {
    let store = Store::new();
    let long = format!("multipart/form-data; boundary={}", "b".repeat(71));
    for (content_type, expected) in [
        ("", 415),
        ("application/json", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/mixed; boundary=----a1b2c3", 415),
        ("multipart/form-data", 400),
        ("multipart/form-data; boundary=", 400),
        ("multipart/form-data; boundary=\"\"", 400),
        ("multipart/form-data; charset=utf-8", 400),
        (long.as_str(), 400),
        ("multipart/form-data; boundary=other", 400),
        ("Multipart/Form-Data; Boundary=\"----a1b2c3\"", 200),
    ] {
        let form = Form::default().text("title", "x").end();
        let result = store.receive_as(content_type, Pieces::whole(form)).await;
        assert_eq!(status(&result), expected, "{content_type}");
    }
}

#[tokio::test]
async fn all_invalid_fields_are_reported_at_once() {
    let store = Store::new();
    let form = Form::default().text("title", "\0").file("poster", "a", "GIF89a").file("consent", "b", "MZ").end();
    let Err(Error::Invalid(fields)) = store.receive(form).await else { panic!("not refused") };
    let fields: Vec<String> = fields.into_iter().map(|error| error.field).collect();
    assert_eq!(fields, ["title", "consent", "poster"]);
    let strict = accepts(false);
    let head = RequestHead { content_type: CONTENT_TYPE, length: None, ..RequestHead::default() };
    let body = Body::new(Pieces::whole(Form::default().text("more", "x").end()), MAX_FORM_BYTES, Pace::default());
    assert_eq!(
        message(store.receiver().receive_body(head, body, &strict, ready(())).await, "more"),
        "is no field of this form"
    );
}

#[tokio::test]
async fn files_are_limited_to_five_megabytes() {
    let store = Store::new();
    let mut padded = picture(40, 30, ImageFormat::Jpeg);
    for (size, expected) in [(5_242_880, 200), (5_242_881, 413)] {
        padded.resize(size, 0);
        for field in ["poster", "consent"] {
            let result = store.receive(Form::default().file(field, "a.jpg", &padded).end()).await;
            assert_eq!(status(&result), expected);
            let expected_message =
                if expected == 413 { format!("{field} file must be less than 5MB") } else { String::new() };
            assert_eq!(message(result, field), expected_message);
            assert!(store.files("staging").is_empty());
        }
    }
}

#[tokio::test]
async fn file_name_that_is_not_utf8_still_marks_a_file() {
    let store = Store::new();
    let headers = b"Content-Disposition: form-data; name=\"poster\"; filename=\"caf\xE9.png\"".to_vec();
    let mut form = [format!("--{BOUNDARY}\r\n").into_bytes(), headers, b"\r\n\r\n".to_vec()].concat();
    form.extend(picture(8, 8, ImageFormat::Png));
    form.extend(format!("\r\n--{BOUNDARY}--\r\n").bytes());
    assert_eq!(store.receive(form).await.expect("a form").files["poster"].name, "file");
}
