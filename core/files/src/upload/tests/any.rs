//! Property tests: any body is received or rejected with an expected status, and leaves no file.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// A form with a text and a file, with some bytes changed, and possibly truncated.
fn form() -> impl Strategy<Value = Vec<u8>> {
    let edits = proptest::collection::vec((any::<Index>(), any::<u8>()), 0..6);
    let end = prop_oneof![3 => Just(None), 1 => any::<Index>().prop_map(Some)];
    ("\\PC{0,40}", "\\PC{0,40}", edits, end).prop_map(|(text, name, edits, end)| {
        let mut form = Form::default().text("title", text).file("poster", &name, b"%PDF-1.4 nothing").end();
        for (at, byte) in edits {
            let at = at.index(form.len());
            form[at] = byte;
        }
        form.truncate(end.map_or(form.len(), |end| end.index(form.len())));
        form
    })
}

fn check_body(body: Vec<u8>, size: usize) -> std::result::Result<(), TestCaseError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let store = Store::new();
    let result = runtime.block_on(store.receive_as(CONTENT_TYPE, Pieces::of(body, vec![size])));
    if let Ok(received) = &result {
        prop_assert!(received.values.values().map(String::len).sum::<usize>() <= 8 * 64 * 1024);
    }
    prop_assert!(matches!(status(&result), 200 | 400 | 413 | 422), "{}", status(&result));
    drop(result);
    prop_assert!(store.files("").is_empty());
    Ok(())
}

proptest! {
    #[test]
    fn any_body_gets_an_expected_status(body in proptest::collection::vec(any::<u8>(), 0..500), size in 1..200_usize) {
        check_body([format!("--{BOUNDARY}\r\n").into_bytes(), body.clone()].concat(), size)?;
        check_body(body, size)?;
    }

    #[test]
    fn mutated_forms_get_an_expected_status(body in form(), size in 1..200_usize) {
        check_body(body, size)?;
    }

    #[test]
    fn any_content_type_has_a_valid_boundary_or_is_rejected(text in "(multipart/form-data)?[ ;]*(boundary=)?[\"\\PC]{0,90}") {
        if let Ok(boundary) = crate::upload::boundary(&text) {
            prop_assert!((1..=70).contains(&boundary.len()) && boundary.is_ascii());
        }
    }
}
