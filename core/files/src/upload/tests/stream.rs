//! Tests of the body as a stream: in pieces, slow, truncated, too large.

use std::net::IpAddr;

use jiff::Timestamp;
use tokio::io::AsyncWriteExt as _;

use super::*;
use crate::upload::body::PaceMeter;

/// A form whose content resembles boundaries.
fn tricky() -> Vec<u8> {
    let content =
        format!("\r\n--{BOUNDARY}x\r\n--{}\r\n\r\r\n-\r\n--", &BOUNDARY[..8]).replace(&format!("--{BOUNDARY}x"), "--x");
    let pdf = [b"%PDF-1.4\r\n".as_slice(), content.as_bytes(), b"\r\n%%EOF\r\n"].concat();
    Form::default().text("title", "one\r\ntwo\r\n").file("consent", "a.pdf", &pdf).text("director", "").end()
}

#[tokio::test]
async fn form_is_parsed_the_same_in_pieces_of_any_size() {
    let store = Store::new();
    let whole = store.receive(tricky()).await.expect("a form");
    let mut random = Random(7);
    let random_sizes = (0..60).map(|_| (0..9).map(|_| 1 + random.next(90)).collect());
    for sizes in (1..40).map(|size| vec![size]).chain(random_sizes) {
        let received = store.receive_as(CONTENT_TYPE, Pieces::of(tricky(), sizes.clone())).await;
        let received = received.unwrap_or_else(|error| panic!("{sizes:?}: {error}"));
        assert_eq!(received.values, whole.values, "{sizes:?}");
        assert_eq!(received.files["consent"].sent_sha256, whole.files["consent"].sent_sha256, "{sizes:?}");
    }
}

#[tokio::test]
async fn truncated_form_is_rejected_and_leaves_no_file() {
    let store = Store::new();
    let form = tricky();
    // The form is complete with the two hyphens of its last boundary; the line break after it may be missing.
    for end in 0..form.len() - 2 {
        let result = store.receive_as(CONTENT_TYPE, Pieces::of(form[..end].to_vec(), vec![1 + end % 70])).await;
        assert_eq!(status(&result), 400, "{end} of {}", form.len());
    }
    assert!(store.files("").is_empty());
}

#[tokio::test]
async fn noise_in_a_form_is_rejected_and_leaves_no_file() {
    let store = Store::new();
    let mut random = Random(99);
    for round in 0..1500 {
        let mut form = tricky();
        for _ in 0..=random.next(6) {
            let (at, length) = (random.next(form.len()), random.next(12));
            let noise = match random.next(4) {
                0 => random.bytes(length),
                1 => b"\r\n".to_vec(),
                2 => format!("\r\n--{BOUNDARY}").into_bytes(),
                _ => Vec::new(),
            };
            let end = (at + random.next(30)).min(form.len());
            form.splice(at..end, noise);
        }
        let sizes = (0..5).map(|_| 1 + random.next(200)).collect();
        let result = store.receive_as(CONTENT_TYPE, Pieces::of(form, sizes)).await;
        assert!(matches!(status(&result), 200 | 400 | 413 | 422), "round {round}: {}", status(&result));
    }
    assert!(store.files("").is_empty());
}

#[tokio::test]
async fn stalled_body_is_a_408() {
    let store = Store::new();
    let form = Form::default().file("poster", "a.png", picture(64, 64, ImageFormat::Png)).end();
    let source = Pieces { stalls: true, ..Pieces::whole(form[..form.len() / 2].to_vec()) };
    let result = store.receive_as(CONTENT_TYPE, source).await;
    assert_eq!(status(&result), 408);
    assert!(store.files("staging").is_empty());
}

#[tokio::test]
async fn dripping_body_is_a_408() {
    let store = Store::new();
    let (mut sender, source) = tokio::io::duplex(64);
    let drip = tokio::spawn(async move {
        let _ = sender.write_all(format!("--{BOUNDARY}\r\n").as_bytes()).await;
        while sender.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let pace =
        Pace { idle: Duration::from_secs(5), window: Duration::from_millis(200), min_bytes: 1024, ..Pace::default() };
    let head = RequestHead { content_type: CONTENT_TYPE, length: None, ..RequestHead::default() };
    let result =
        store.receiver().receive_body(head, Body::new(source, MAX_FORM_BYTES, pace), &accepts(true), ready(())).await;
    assert_eq!(status(&result), 408);
    drip.await.expect("the sender");
}

#[tokio::test]
async fn too_large_form_is_rejected_by_declared_and_by_actual_size() {
    let store = Store::new();
    let head = RequestHead { content_type: CONTENT_TYPE, length: Some(MAX_FORM_BYTES + 1), ..RequestHead::default() };
    let body = Body::new(tokio::io::empty(), MAX_FORM_BYTES, Pace::default());
    assert_eq!(status(&store.receiver().receive_body(head, body, &accepts(true), ready(())).await), 413);
    let form = Form::default().file("unknown", "a", vec![b'x'; MAX_FORM_BYTES as usize]).end();
    let result = store.receive(form).await;
    assert_eq!(message(result, "form"), "This form is too large. All files together must be less than 32MB.");
}

/// Simulates `bytes` arriving at `rate` bytes per second for `on` seconds, then nothing for `off` seconds, repeatedly.
/// Returns the seconds until all arrived, or `None` if the pace was not kept.
fn seconds_to_arrive(bytes: u64, rate: u64, on: u64, off: u64) -> Option<u64> {
    let mut meter = PaceMeter::new(Pace::default());
    let (mut received, mut seconds) = (0, 0);
    while received < bytes {
        let wait = if seconds % (on + off) == on { off + 1 } else { 1 };
        seconds += wait;
        received += rate;
        if !meter.record(Duration::from_secs(wait), rate) {
            return None;
        }
    }
    Some(seconds)
}

#[test]
fn slow_phones_keep_the_pace_and_dripping_clients_do_not() {
    const LARGEST: u64 = 30 << 20;
    assert!(seconds_to_arrive(LARGEST, 12_500, 60, 0).is_some_and(|seconds| seconds < 45 * 60), "100 kbit/s");
    assert!(seconds_to_arrive(LARGEST, 12_500, 15, 15).is_some_and(|seconds| seconds > 80 * 60), "with pauses of 15 s");
    assert!(seconds_to_arrive(400_000, 12_500, 5, 15).is_some(), "pausing most of the time");
    assert!(seconds_to_arrive(60_000, 1_500, 60, 0).is_some(), "a small body may arrive slowly");
    for drip in [100, 1_500, 2_000] {
        assert_eq!(seconds_to_arrive(1 << 20, drip, 60, 0), None, "{drip} bytes a second");
    }
    let mut meter = PaceMeter::new(Pace::default());
    assert!(meter.record(Duration::from_secs(1), 20 << 20));
    assert!((0..120).any(|_| !meter.record(Duration::from_secs(1), 1_500)), "a burst does not count for ever");
    assert_eq!(seconds_to_arrive(u64::MAX, 2_600, 60, 0), None, "the total time is limited");
}

#[tokio::test]
async fn stalled_forms_do_not_block_other_forms() {
    let mut store = Store::new();
    store.settings.at_once = 64;
    store.settings.at_once_per_client = 4;
    let form = Form::default().file("poster", "a.png", picture(64, 64, ImageFormat::Png)).end();
    let from = |last| {
        let client = Some((IpAddr::from([192, 0, 2, last]), Timestamp::UNIX_EPOCH));
        RequestHead { content_type: CONTENT_TYPE, length: None, client }
    };
    let patient = Pace { idle: Duration::from_secs(600), ..Pace::default() };
    let (accepts, receiver) = (accepts(true), store.receiver());
    let mut waiting = futures::stream::FuturesUnordered::new();
    for client in 1..=40 {
        let source = Pieces { stalls: true, ..Pieces::whole(form[..form.len() / 2].to_vec()) };
        let body = Body::new(source, MAX_FORM_BYTES, patient);
        waiting.push(receiver.receive_body(from(client), body, &accepts, ready(())));
    }
    let normal = async {
        while store.files("staging").len() < 40 {
            tokio::task::yield_now().await;
        }
        let body = Body::new(Pieces::whole(form.clone()), MAX_FORM_BYTES, patient);
        receiver.receive_body(from(41), body, &accepts, ready(())).await
    };
    tokio::select! {
        biased;
        stopped = futures::StreamExt::next(&mut waiting) => panic!("a form was refused: {:?}", stopped.map(|result| status(&result))),
        received = normal => assert_eq!(status(&received), 200, "more forms are waiting than there are cores"),
    }
    drop(waiting);
    // A file that was being created when its client disconnected is deleted by the thread that created it.
    let deleted = async {
        while !store.files("staging").is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), deleted).await.expect("all staged files are deleted");
}

#[tokio::test]
async fn total_text_length_is_limited() {
    let store = Store::new();
    let text = "x".repeat(60 << 10);
    let names: Vec<String> = (0..12).map(|number| format!("text{number}")).collect();
    let form = names.iter().fold(Form::default(), |form, name| form.text(name, &text)).end();
    let accepts = Accepts { texts: names, ..accepts(true) };
    let head = RequestHead { content_type: CONTENT_TYPE, ..RequestHead::default() };
    let result = store.receiver().receive(head, Cursor::new(form), &accepts, ready(())).await;
    assert_eq!(message(result, "form"), "All texts together must be shorter than 512 KB.");
}
