//! How the bytes come: in any pieces, slowly, not to the end, too many.

use std::net::IpAddr;

use jiff::Timestamp;
use tokio::io::AsyncWriteExt as _;

use super::*;
use crate::upload::body::Progress;

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
    let pace =
        Pace { idle: Duration::from_secs(5), window: Duration::from_millis(200), least: 1024, ..Pace::default() };
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

/// Lets `bytes` come at `rate` bytes a second for `on` seconds, then nothing for `off` seconds, over and over; answers
/// the seconds until they were there, or none where the body was given up.
fn arrives_within(bytes: u64, rate: u64, on: u64, off: u64) -> Option<u64> {
    let mut progress = Progress::new(Pace::default());
    let (mut come, mut seconds) = (0, 0);
    while come < bytes {
        let wait = if seconds % (on + off) == on { off + 1 } else { 1 };
        seconds += wait;
        come += rate;
        if !progress.keeps_pace(Duration::from_secs(wait), rate) {
            return None;
        }
    }
    Some(seconds)
}

#[test]
fn a_slow_phone_keeps_the_pace_and_a_drip_does_not() {
    const LARGEST: u64 = 30 << 20;
    assert!(arrives_within(LARGEST, 12_500, 60, 0).is_some_and(|seconds| seconds < 45 * 60), "100 kbit/s");
    assert!(arrives_within(LARGEST, 12_500, 15, 15).is_some_and(|seconds| seconds > 80 * 60), "with pauses of 15 s");
    assert!(arrives_within(400_000, 12_500, 5, 15).is_some(), "pausing most of the time");
    assert!(arrives_within(60_000, 1_500, 60, 0).is_some(), "what is small may come slowly");
    for drip in [100, 1_500, 2_000] {
        assert_eq!(arrives_within(1 << 20, drip, 60, 0), None, "{drip} bytes a second");
    }
    let mut progress = Progress::new(Pace::default());
    assert!(progress.keeps_pace(Duration::from_secs(1), 20 << 20));
    assert!((0..120).any(|_| !progress.keeps_pace(Duration::from_secs(1), 1_500)), "a burst is not good for ever");
    assert_eq!(arrives_within(u64::MAX, 2_600, 60, 0), None, "there is an end");
}

#[tokio::test]
async fn forms_that_wait_for_bytes_keep_nobody_from_work() {
    let mut store = Store::new();
    store.settings.at_once = 64;
    store.settings.at_once_per_client = 4;
    let begun = Form::default().file("poster", "a.png", picture(64, 64, ImageFormat::Png)).end();
    let from = |last| {
        let client = Some((IpAddr::from([192, 0, 2, last]), Timestamp::UNIX_EPOCH));
        RequestHead { content_type: CONTENT_TYPE, length: None, client }
    };
    let patient = Pace { idle: Duration::from_secs(600), ..Pace::default() };
    let (wanted, desk) = (accepts(true), store.receiver());
    let mut waiting = futures::stream::FuturesUnordered::new();
    for client in 1..=40 {
        let source = Pieces { stalls: true, ..Pieces::whole(begun[..begun.len() / 2].to_vec()) };
        let body = Body::new(source, LARGEST_FORM, patient);
        waiting.push(desk.receive_body(from(client), body, &wanted));
    }
    let normal = async {
        while store.files("staging").len() < 40 {
            tokio::task::yield_now().await;
        }
        let body = Body::new(Pieces::whole(begun.clone()), LARGEST_FORM, patient);
        desk.receive_body(from(41), body, &wanted).await
    };
    tokio::select! {
        biased;
        stopped = futures::StreamExt::next(&mut waiting) => panic!("one was refused: {:?}", stopped.map(|ended| status(&ended))),
        received = normal => assert_eq!(status(&received), 200, "more than cores and more than the old turns wait"),
    }
    drop(waiting);
    // A file that was being made when its client went is deleted by the thread that made it.
    let gone = async {
        while !store.files("staging").is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), gone).await.expect("nothing stays");
}

#[tokio::test]
async fn all_texts_together_have_an_end() {
    let store = Store::new();
    let text = "x".repeat(60 << 10);
    let names: Vec<String> = (0..12).map(|number| format!("text{number}")).collect();
    let form = names.iter().fold(Form::default(), |form, name| form.text(name, &text)).end();
    let wanted = Accepts { texts: names, ..accepts(true) };
    let head = RequestHead { content_type: CONTENT_TYPE, ..RequestHead::default() };
    let result = store.receiver().receive(head, Cursor::new(form), &wanted).await;
    assert_eq!(words(result, "form"), "All texts together must be shorter than 512 KB.");
}
