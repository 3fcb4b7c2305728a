//! Submitted PDFs, shown as pictures that another process renders.

use std::io::{Read, Write as _};

use festival_forms::{DESK, REVIEWER};
use futures::FutureExt as _;

use super::browser::{Browser, count_audited, create_account};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, Response, TestApp, program_path};

on_both!(
    pdf_pages_are_shown_as_pictures_to_authorised_roles,
    pdf_that_cannot_be_drawn_is_offered_for_download,
    hostile_pdfs_affect_their_own_process_only,
    rendering_stops_with_its_request,
);

/// A site whose PDFs are rendered by the real program, since tests run in another one.
async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    site.app.media.pdf_renderer().use_program(program_path());
    site
}

/// Submits a film with this PDF as its documentation and returns the path of that file in the back office.
async fn submit(site: &TestApp, pdf: Vec<u8>) -> String {
    let request = FormRequest::film().with("award_category", "malayalam");
    let title = format!("Film {}", site.number("SELECT count(*) FROM film_submissions").await);
    let request = request.with("title_english", &title).with_file("documentation", "papers.pdf", pdf);
    let reference = assert_received(&request.post(site, "/api/changed/").await);
    let id = site.id("film_submissions", &format!("reference = '{reference}'")).await;
    format!("/admin/film-submissions/{id}/files/documentation")
}

/// A document of these objects, the first of which is its catalogue. Readers find them without a table.
fn document(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut pdf = b"%PDF-1.7\n".to_vec();
    for (index, object) in objects.iter().enumerate() {
        writeln!(pdf, "{} 0 obj", index + 1).unwrap();
        pdf.extend_from_slice(object);
        pdf.extend_from_slice(b"\nendobj\n");
    }
    write!(pdf, "trailer\n<</Root 1 0 R/Size {}>>\n%%EOF\n", objects.len() + 1).unwrap();
    pdf
}

fn stream(dictionary: &str, content: &[u8]) -> Vec<u8> {
    long_stream(dictionary, content)
}

fn long_stream(dictionary: &str, mut content: impl Read) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::copy(&mut content, &mut encoder).unwrap();
    let packed = encoder.finish().unwrap();
    let start = format!("<<{dictionary}/Filter/FlateDecode/Length {}>>\nstream\n", packed.len()).into_bytes();
    [start, packed, b"\nendstream".to_vec()].concat()
}

/// Pages that are black in their lower half.
fn pages(count: usize) -> Vec<u8> {
    let kids: Vec<String> = (0..count).map(|index| format!("{} 0 R", index + 4)).collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{}]/Count {count}>>", kids.join(" ")).into_bytes(),
        stream("", b"0 g 0 0 600 400 re f"),
    ];
    let page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<>>/Contents 3 0 R>>";
    objects.extend((0..count).map(|_| page.to_vec()));
    document(&objects)
}

/// A page with these resources and this content, and more objects from the fifth on.
fn page(resources: &str, content: &[u8], more: Vec<Vec<u8>>) -> Vec<u8> {
    let page =
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<{resources}>>/Contents 4 0 R>>").into();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        page,
        stream("", content),
    ];
    objects.extend(more);
    document(&objects)
}

fn assert_picture(response: &Response) {
    assert_eq!((response.status, response.header("Content-Type").as_str()), (200, "image/webp"));
    let picture = image::load_from_memory(&response.body).unwrap().into_luma8();
    assert_eq!(picture.dimensions(), (1200, 1600));
    assert!(picture.get_pixel(600, 200)[0] > 240, "the upper half is white");
    assert!(picture.get_pixel(600, 1400)[0] < 15, "the lower half is black");
}

/// Asserts that a picture says that the page cannot be shown.
fn assert_not_drawn(response: &Response) {
    assert_eq!((response.status, response.header("Content-Type").as_str()), (200, "image/svg+xml"));
    assert!(response.text().contains("This page cannot be shown here."));
}

async fn pdf_pages_are_shown_as_pictures_to_authorised_roles(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    let file = submit(&site, pages(52)).await;
    let submission = desk.get(file.strip_suffix("/files/documentation").unwrap()).await.text();
    assert!(submission.contains(&format!("src=\"{file}/pages/1\"")), "{submission}");
    assert!(submission.contains(&format!("href=\"{file}/view\"")), "{submission}");
    assert_eq!(count_audited(&site, "view file").await, 0, "nothing was shown yet");
    assert_picture(&desk.get(&format!("{file}/pages/1")).await);
    assert_picture(&desk.get(&format!("{file}/pages/50")).await);
    assert_eq!(desk.get(&format!("{file}/pages/1")).await.header("Cache-Control"), "no-store");
    assert_eq!(count_audited(&site, "view file").await, 3);
    let view = desk.get(&format!("{file}/view")).await.text();
    for expected in [
        "alt=\"Page 1 of 52\" width=\"1200\" height=\"1600\"",
        &format!("src=\"{file}/pages/50\""),
        "These are the first 50 of 52 pages.",
    ] {
        assert!(view.contains(expected), "{expected}: {view}");
    }
    assert!(!view.contains("pages/51\""), "{view}");
    for page in ["0", "51", "53"] {
        assert_not_drawn(&desk.get(&format!("{file}/pages/{page}")).await);
    }
    for path in [format!("{file}/view"), format!("{file}/pages/1")] {
        assert_eq!(reviewer.get(&path).await.status, 404, "{path}");
        assert_eq!(Browser::new(&site).get(&format!("{file}/pages/1")).await.status, 404);
    }
    assert_eq!(count_audited(&site, "view file").await, 3, "what is not shown is not audited");
}

async fn pdf_that_cannot_be_drawn_is_offered_for_download(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let file = submit(&site, b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n%%EOF\n".to_vec()).await;
    let view = desk.get(&format!("{file}/view")).await;
    assert_eq!(view.status, 200);
    let text = view.text();
    assert!(text.contains("This PDF cannot be shown here"), "{text}");
    assert!(text.contains(&format!("<a href=\"{file}\" download>Download the file to see it</a>")), "{text}");
    assert_not_drawn(&desk.get(&format!("{file}/pages/1")).await);
    assert_eq!(desk.get(&file).await.status, 200);
}

/// A page on which each of twelve forms draws the next one twelve times: practically endless.
fn endless() -> Vec<u8> {
    let form = |index: usize| {
        let next = format!("/Resources<</XObject<</F {} 0 R>>>>", index + 6);
        let (resources, content) =
            if index < 11 { (next.as_str(), b"/F Do ".repeat(12)) } else { ("", b"0 0 9 9 re f ".to_vec()) };
        stream(&format!("/Type/XObject/Subtype/Form/BBox[0 0 600 800]{resources}"), &content)
    };
    page("/XObject<</F 5 0 R>>", b"/F Do", (0..12).map(form).collect())
}

async fn hostile_pdfs_affect_their_own_process_only(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let picture = "/Type/XObject/Subtype/Image/Width 30000/Height 30000/ColorSpace/DeviceGray/BitsPerComponent 8";
    for (name, pdf) in [
        (
            "much memory",
            page("/XObject<</I 5 0 R>>", b"/I Do", vec![long_stream(picture, std::io::repeat(0).take(300 << 20))]),
        ),
        ("a deep recursion", page(&format!("/X {}", "[".repeat(1_000_000)), b"0 0 9 9 re f", Vec::new())),
        ("no end", endless()),
    ] {
        let file = submit(&site, pdf).await;
        let response = desk.get(&format!("{file}/pages/1")).await;
        assert_eq!(response.status, 200, "{name}");
        assert_not_drawn(&response);
    }
    let file = submit(&site, pages(1)).await;
    assert_picture(&desk.get(&format!("{file}/pages/1")).await);
}

/// Pages are rendered one at a time, so the next one would have to wait for an abandoned process.
async fn rendering_stops_with_its_request(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let (endless, ordinary) = (submit(&site, endless()).await, submit(&site, pages(1)).await);
    let path = format!("{endless}/pages/1");
    let mut abandoned = Box::pin(desk.get(&path));
    while site.app.media.pdf_renderer().is_idle() {
        assert!((&mut abandoned).now_or_never().is_none(), "it has no end");
        rocket::tokio::task::yield_now().await;
    }
    drop(abandoned);
    assert!(site.app.media.pdf_renderer().is_idle());
    assert_picture(&desk.get(&format!("{ordinary}/pages/1")).await);
}
