//! How the bytes come: in any pieces, slowly, not to the end, too many.

use tokio::io::AsyncWriteExt as _;

use super::*;

/// A form with everything in it that looks like a boundary and is none.
fn tricky() -> Vec<u8> {
    let content =
        format!("\r\n--{BOUNDARY}x\r\n--{}\r\n\r\r\n-\r\n--", &BOUNDARY[..8]).replace(&format!("--{BOUNDARY}x"), "--x");
    let pdf = [b"%PDF-1.4\r\n".as_slice(), content.as_bytes(), b"\r\n%%EOF\r\n"].concat();
    Form::default().text("title", "one\r\ntwo\r\n").file("consent", "a.pdf", &pdf).text("director", "").end()
}

#[tokio::test]
async fn pieces_of_any_size_are_the_same_form() {
    let store = Store::new();
    let whole = store.receive(tricky()).await.expect("a form");
    let mut dice = Dice(7);
    let random = (0..60).map(|_| (0..9).map(|_| 1 + dice.roll(90)).collect());
    for sizes in (1..40).map(|size| vec![size]).chain(random) {
        let received = store.receive_as(CONTENT_TYPE, Pieces::of(tricky(), sizes.clone())).await;
        let received = received.unwrap_or_else(|error| panic!("{sizes:?}: {error}"));
        assert_eq!(received.values, whole.values, "{sizes:?}");
        assert_eq!(received.files["consent"].sent_sha256, whole.files["consent"].sent_sha256, "{sizes:?}");
    }
}

#[tokio::test]
async fn a_form_that_breaks_off_anywhere_leaves_nothing() {
    let store = Store::new();
    let form = tricky();
    // The form is whole with the two hyphens of its last boundary; the line break after it may be missing.
    for end in 0..form.len() - 2 {
        let result = store.receive_as(CONTENT_TYPE, Pieces::of(form[..end].to_vec(), vec![1 + end % 70])).await;
        assert_eq!(status(&result), 400, "{end} of {}", form.len());
    }
    assert!(store.files("").is_empty());
}

#[tokio::test]
async fn noise_is_refused_without_a_trace() {
    let store = Store::new();
    let mut dice = Dice(99);
    for round in 0..1500 {
        let mut form = tricky();
        for _ in 0..=dice.roll(6) {
            let (at, length) = (dice.roll(form.len()), dice.roll(12));
            let noise = match dice.roll(4) {
                0 => dice.bytes(length),
                1 => b"\r\n".to_vec(),
                2 => format!("\r\n--{BOUNDARY}").into_bytes(),
                _ => Vec::new(),
            };
            let end = (at + dice.roll(30)).min(form.len());
            form.splice(at..end, noise);
        }
        let sizes = (0..5).map(|_| 1 + dice.roll(200)).collect();
        let result = store.receive_as(CONTENT_TYPE, Pieces::of(form, sizes)).await;
        assert!(matches!(status(&result), 200 | 400 | 413 | 422), "round {round}: {}", status(&result));
    }
    assert!(store.files("").is_empty());
}

#[tokio::test]
async fn a_sender_who_stalls_is_told_so() {
    let store = Store::new();
    let form = Form::default().file("poster", "a.png", picture(64, 64, ImageFormat::Png)).end();
    let source = Pieces { stalls: true, ..Pieces::whole(form[..form.len() / 2].to_vec()) };
    let result = store.receive_as(CONTENT_TYPE, source).await;
    assert_eq!(status(&result), 408);
    assert!(store.files("staging").is_empty());
}

#[tokio::test]
async fn a_sender_who_drips_is_told_so() {
    let store = Store::new();
    let (mut sender, source) = tokio::io::duplex(64);
    let drip = tokio::spawn(async move {
        let _ = sender.write_all(format!("--{BOUNDARY}\r\n").as_bytes()).await;
        while sender.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let pace = Pace { idle: Duration::from_secs(5), window: Duration::from_millis(200), least: 1024 };
    let head = RequestHead { content_type: CONTENT_TYPE, length: None, ..RequestHead::default() };
    let result = store.receiver().receive_body(head, Body::new(source, LARGEST_FORM, pace), &accepts(true)).await;
    assert_eq!(status(&result), 408);
    drip.await.expect("the sender");
}

#[tokio::test]
async fn a_form_that_is_too_large_is_refused_by_word_and_by_count() {
    let store = Store::new();
    let head = RequestHead { content_type: CONTENT_TYPE, length: Some(LARGEST_FORM + 1), ..RequestHead::default() };
    let body = Body::new(tokio::io::empty(), LARGEST_FORM, Pace::default());
    assert_eq!(status(&store.receiver().receive_body(head, body, &accepts(true)).await), 413);
    let form = Form::default().file("unknown", "a", vec![b'x'; LARGEST_FORM as usize]).end();
    let result = store.receive(form).await;
    assert_eq!(words(result, "form"), "This form is too large. All files together must be less than 32MB.");
}

#[tokio::test]
async fn only_so_many_at_a_time() {
    let mut store = Store::new();
    store.settings.at_once = 1;
    let head = RequestHead { content_type: CONTENT_TYPE, length: None, ..RequestHead::default() };
    let patient = Pace { idle: Duration::from_secs(60), ..Pace::default() };
    let (one, one_source) = tokio::io::duplex(64);
    let (mut two, two_source) = tokio::io::duplex(4096);
    two.write_all(&Form::default().text("title", "x").end()).await.expect("sent");
    drop(two);
    let (wanted, desk) = (accepts(true), store.receiver());
    let first = desk.receive_body(head, Body::new(one_source, LARGEST_FORM, patient), &wanted);
    let second = desk.receive_body(head, Body::new(two_source, LARGEST_FORM, patient), &wanted);
    let third = desk.receive_body(head, Body::new(tokio::io::empty(), LARGEST_FORM, patient), &wanted);
    tokio::pin!(first, second, third);
    let moment = Duration::from_millis(100);
    assert!(tokio::time::timeout(moment, &mut first).await.is_err(), "the first is being received");
    assert!(tokio::time::timeout(moment, &mut second).await.is_err(), "the second waits");
    let refused = third.await;
    assert_eq!(status(&refused), 503, "the queue is full");
    assert_eq!(refused.err().and_then(|error| error.retry_after()), Some(5));
    drop(one);
    assert_eq!(status(&first.await), 400);
    assert_eq!(status(&second.await), 200, "its turn came");
}
