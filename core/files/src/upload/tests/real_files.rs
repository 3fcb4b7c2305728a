//! Tests with real-world files: photographs, documents, attacks. They are not part of the repository; without them the
//! tests print a note and pass. `FESTIVAL_TEST_REAL_DATA` is the path of their folder.

use super::*;

fn real(path: &str) -> Option<Vec<u8>> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real-data");
    let folder = std::env::var_os("FESTIVAL_TEST_REAL_DATA").map_or(default, PathBuf::from);
    let bytes = std::fs::read(folder.join(path)).ok();
    if bytes.is_none() {
        println!("skipped: no {path}");
    }
    bytes
}

#[tokio::test]
async fn real_pictures_are_cleaned() {
    let store = Store::new();
    for (path, mime) in [
        ("images/jpeg_cmyk_adobe.jpg", "image/jpeg"),
        ("images/jpeg_exif_gps.jpg", "image/jpeg"),
        ("images/jpeg_exif_orientation6_portrait.jpg", "image/jpeg"),
        ("images/jpeg_phone_photo_iphone.jpg", "image/jpeg"),
        ("images/jpeg_progressive_cat.jpg", "image/jpeg"),
        ("images/png_rgba_alpha.png", "image/png"),
        ("images/webp_lossy.webp", "image/webp"),
        ("hostile/php_in_exif.jpg", "image/jpeg"),
        ("hostile/php_in_png_idat_32x32.png", "image/png"),
        ("hostile/double_ext_phpinfo.jpg.php", "image/jpeg"),
    ] {
        let Some(bytes) = real(path) else { continue };
        let start = std::time::Instant::now();
        let result = store.receive(Form::default().file("poster", path, &bytes).end()).await;
        if path.contains("double_ext") && status(&result) == 422 {
            println!("{path}: {}", message(result, "poster"));
            continue;
        }
        let received = result.unwrap_or_else(|error| panic!("{path}: {error}"));
        let file = &received.files["poster"];
        assert_eq!(file.mime, mime, "{path}");
        assert!(file.flags.is_empty() || path.starts_with("hostile"), "{path}: {:?}", file.flags);
        // One half of the file in CMYK is its profile.
        if path.starts_with("images/jpeg") && !path.contains("cmyk") {
            let half = [&bytes[..bytes.len() / 2], &[0xFF, 0xD9]].concat();
            let received = store.receive(Form::default().file("poster", path, &half).end()).await.expect(path);
            assert_eq!(received.files["poster"].flags, [DAMAGED], "half of {path}");
        }
        let clean = std::fs::read(file.path.as_ref().expect("staged")).expect("read");
        // "<?=" also occurs in encoded pixels by chance, so it is checked in crafted files only.
        let code: &[&str] = if path.starts_with("hostile") { &["<?php", "<?="] } else { &["<?php"] };
        for removed in ["http://ns.adobe", "8BIM", "tEXt", "iTXt", "zTXt"].iter().chain(code) {
            assert!(
                !clean.windows(removed.len()).any(|window| window == removed.as_bytes()),
                "{path}: {removed} is still there"
            );
        }
        image::load_from_memory(&clean).unwrap_or_else(|error| panic!("{path}: {error}"));
        println!("{path}: {} -> {} bytes in {:?}", bytes.len(), clean.len(), start.elapsed());
        if let Some(folder) = std::env::var_os("FESTIVAL_TEST_KEEP") {
            let name = path.rsplit('/').next().unwrap_or(path);
            std::fs::write(Path::new(&folder).join(format!("{name}.{}", file.extension)), clean).expect("written");
        }
    }
}

#[tokio::test]
async fn attacks_are_rejected() {
    let store = Store::new();
    for (path, pdf) in [
        ("images/avif_17000x17000_bomb.avif", true),
        ("images/avif_transparency.avif", true),
        ("images/heif_small.heif", true),
        ("images/svg_logo.svg", true),
        ("hostile/lottapixel_64250x64250.jpg", true),
        ("hostile/mvg_text_named_jpg.jpg", true),
        ("hostile/svg_xss_1.svg", true),
        ("hostile/html_xss.html", true),
        ("hostile/postscript_named_pdf.pdf", true),
        ("pdfs/small_empty_page.pdf", false),
    ] {
        let Some(bytes) = real(path) else { continue };
        let field = if pdf { "consent" } else { "poster" };
        let result = store.receive(Form::default().file(field, path, bytes).end()).await;
        assert_eq!(status(&result), 422, "{path}");
        println!("{path}: {}", message(result, field));
    }
    assert!(store.files("").is_empty());
    // A text chunk that decompresses to 50 MB is removed without decompressing it.
    if let Some(bytes) = real("images/png_decompression_dos_ztxt.png") {
        let result = store.receive(Form::default().file("poster", "a.png", bytes).end()).await;
        let received = result.expect("an ordinary picture");
        assert!(received.files["poster"].size < 100_000);
    }
}

#[tokio::test]
async fn real_documents_are_flagged() {
    let store = Store::new();
    for (path, flags) in [
        ("pdfs/small_empty_page.pdf", Some(vec![])),
        ("pdfs/javascript_evaljs.pdf", Some(vec!["active_content"])),
        ("pdfs/encrypted_R3V2_user_view.pdf", Some(vec!["may_hide_active_content", "encrypted"])),
        ("pdfs/medium_tracemonkey_1mb.pdf", None),
        ("pdfs/broken_xref_loop.pdf", None),
    ] {
        let Some(bytes) = real(path) else { continue };
        let result = store.receive(Form::default().file("consent", path, bytes).end()).await;
        match (result, flags) {
            (Ok(received), flags) => {
                let actual = &received.files["consent"].flags;
                println!("{path}: {actual:?}");
                assert!(flags.is_none_or(|flags| flags == *actual), "{path}: {actual:?}");
            }
            (Err(error), None) => println!("{path}: {error}"),
            (Err(error), Some(_)) => panic!("{path}: {error}"),
        }
    }
}

/// For manual inspection: receives all files of the folder `FESTIVAL_TEST_FOLDER`, and writes the cleaned ones to
/// `FESTIVAL_TEST_KEEP`.
#[tokio::test]
async fn files_of_a_folder_are_received() {
    let Some(folder) = std::env::var_os("FESTIVAL_TEST_FOLDER") else { return };
    let store = Store::new();
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let sent = std::fs::read(&path).expect("readable");
        let start = std::time::Instant::now();
        let result = store.receive(Form::default().file("consent", "a", &sent).end()).await;
        let duration = start.elapsed();
        let Ok(received) = &result else {
            println!("{name}: {}, {duration:?}", message(result, "consent"));
            continue;
        };
        let file = &received.files["consent"];
        println!("{name}: {} -> {} bytes, {:?}, {duration:?}", sent.len(), file.size, file.flags);
        let cleaned = std::fs::read(file.path.as_ref().expect("staged")).expect("readable");
        if let Some(folder) = std::env::var_os("FESTIVAL_TEST_KEEP") {
            std::fs::write(Path::new(&folder).join(&name), &cleaned).expect("written");
        }
        if let (Some(folder), Ok(picture)) = (std::env::var_os("FESTIVAL_TEST_SRGB"), decoded(cleaned)) {
            picture.into_rgba8().save(Path::new(&folder).join(format!("{name}.png"))).expect("written");
        }
    }
}
