//! Any body: it is read to its end or refused with a status of ours, and nothing of it stays on disk.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// A form of a text and a file, some of whose bytes were changed, and which may break off.
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

fn is_answered(body: Vec<u8>, size: usize) -> std::result::Result<(), TestCaseError> {
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
    fn any_body_is_answered(body in proptest::collection::vec(any::<u8>(), 0..500), size in 1..200_usize) {
        is_answered([format!("--{BOUNDARY}\r\n").into_bytes(), body.clone()].concat(), size)?;
        is_answered(body, size)?;
    }

    #[test]
    fn any_form_with_changes_is_answered(body in form(), size in 1..200_usize) {
        is_answered(body, size)?;
    }

    #[test]
    fn any_content_type_has_a_boundary_or_is_refused(text in "(multipart/form-data)?[ ;]*(boundary=)?[\"\\PC]{0,90}") {
        if let Ok(boundary) = crate::upload::boundary(&text) {
            prop_assert!((1..=70).contains(&boundary.len()) && boundary.is_ascii());
        }
    }
}
