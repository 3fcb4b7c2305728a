//! Media files and the built frontend.

use std::collections::BTreeSet;

use rocket::http::Method;

use crate::support::{Database, Response, Server, TestApp, festival, fixture, repository};

/// The path of the fixtures' PDF, and its bytes.
async fn document(app: &TestApp) -> (String, Vec<u8>) {
    let issues = app.get("/api/kottaka-magazines/").await.json();
    let address = issues[0]["magazine"].as_str().unwrap().strip_prefix("http://localhost").unwrap().to_owned();
    (address, std::fs::read(fixture("pictures/issue.pdf")).unwrap())
}

#[tokio::test]
async fn media_have_content_type_etag_and_immutable_caching() {
    let app = TestApp::new(Database::Sqlite).await;
    let (path, bytes) = document(&app).await;
    let response = app.get(&path).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.body, bytes);
    assert_eq!(response.header("Content-Type"), "application/pdf");
    assert_eq!(response.header("Cache-Control"), "public, max-age=31536000, immutable");
    assert_eq!(response.header("Accept-Ranges"), "bytes");
    let again = app.get_with(&path, &[("If-None-Match", &response.header("ETag"))]).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    let head = app.request(Method::Head, &path, &[]).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    for (list, extension, kind) in [("/api/posters/", "png", "image/png"), ("/api/venues/", "jpg", "image/jpeg")] {
        let address = app.get(list).await.json()[0]["image"].as_str().unwrap().replace("http://localhost", "");
        assert!(address.ends_with(extension), "{address}");
        assert_eq!(app.get(&address).await.header("Content-Type"), kind);
    }
}

#[tokio::test]
async fn pictures_are_served_at_every_width_used_in_pages() {
    let app = TestApp::new(Database::Sqlite).await;
    let mut named = BTreeSet::new();
    for path in app.pages().await {
        let html = app.get(&path).await.text();
        let addresses = html.split(['"', ' ']).filter_map(|word| word.strip_prefix("http://localhost/media/"));
        named.extend(addresses.filter(|key| key.contains("?w=")).map(|key| format!("/media/{key}")));
    }
    let mut made = 0;
    for path in &named {
        let response = app.get(path).await;
        assert_eq!(response.status, 200, "{path}");
        assert_eq!(response.header("Cache-Control"), "public, max-age=31536000, immutable", "{path}");
        let original = app.get(path.split('?').next().unwrap()).await;
        assert!(response.body.len() <= original.body.len(), "{path} is larger than the original");
        if response.body != original.body {
            made += 1;
            assert_eq!(response.header("Content-Type"), "image/webp", "{path}");
            assert_ne!(response.header("ETag"), original.header("ETag"), "{path}");
            let again = app.get_with(path, &[("If-None-Match", &response.header("ETag"))]).await;
            assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        }
    }
    assert!(made > 0 && named.len() >= 15, "{made} of {}", named.len());

    let path = named.first().unwrap().split('?').next().unwrap().to_owned();
    for width in ["241", "0", "-240", "x", ""] {
        assert_eq!(app.get(&format!("{path}?w={width}")).await.status, 400, "{width}");
    }
    assert_eq!(app.get("/media/posters/none.png?w=240").await.status, 404);
    let (document, bytes) = document(&app).await;
    assert_eq!(app.get(&format!("{document}?w=240")).await.body, bytes);
}

#[tokio::test]
async fn range_requests_return_exactly_the_requested_bytes() {
    let app = TestApp::new(Database::Sqlite).await;
    let (path, bytes) = document(&app).await;
    let length = bytes.len();
    let ask = |range: String| {
        let (app, path) = (&app, path.clone());
        async move { app.get_with(&path, &[("Range", &range)]).await }
    };
    for (range, first, last) in [
        ("bytes=0-0".to_owned(), 0, 0),
        ("bytes=10-19".to_owned(), 10, 19),
        ("bytes=100-".to_owned(), 100, length - 1),
        ("bytes=-5".to_owned(), length - 5, length - 1),
        (format!("bytes=-{}", length + 10), 0, length - 1),
        (format!("bytes=10-{}", length + 10), 10, length - 1),
    ] {
        let response = ask(range.clone()).await;
        assert_eq!(response.status, 206, "{range}");
        assert_eq!(response.header("Content-Range"), format!("bytes {first}-{last}/{length}"), "{range}");
        assert_eq!(response.header("Content-Length"), (last - first + 1).to_string(), "{range}");
        assert_eq!(response.body, bytes[first..=last], "{range}");
    }
    for range in [format!("bytes={length}-"), format!("bytes={}-{}", length + 1, length + 2), "bytes=-0".to_owned()] {
        let response = ask(range.clone()).await;
        assert_eq!((response.status, response.body.len()), (416, 0), "{range}");
        assert_eq!(response.header("Content-Range"), format!("bytes */{length}"), "{range}");
    }
    let tag = app.get(&path).await.header("ETag");
    let modified = "Sun, 26 Oct 2025 06:30:00 GMT";
    for (of, status) in [(tag.as_str(), 206), ("\"another\"", 200), (&format!("W/{tag}"), 200), (modified, 200)] {
        let response = app.get_with(&path, &[("Range", "bytes=0-9"), ("If-Range", of)]).await;
        assert_eq!(response.status, status, "If-Range: {of}");
    }
    for range in ["bytes=5-2", "bytes=a-b", "lines=1-2", "bytes=0-1,5-6", "bytes=", "bytes=-"] {
        let response = ask(range.to_owned()).await;
        assert_eq!((response.status, response.body.len()), (200, length), "{range}");
    }
}

#[tokio::test]
async fn files_outside_the_public_folders_are_404() {
    let app = TestApp::new(Database::Sqlite).await;
    let public = app.directory.path().join("media/public");
    std::fs::write(app.directory.path().join("media/secret.png"), "secret").unwrap();
    std::fs::write(public.join(".hidden.png"), "secret").unwrap();
    std::fs::create_dir(public.join(".git")).unwrap();
    std::fs::write(public.join(".git/config.png"), "secret").unwrap();
    for path in [
        "/media/../secret.png",
        "/media/%2e%2e/secret.png",
        "/media/%2e%2e%2fsecret.png",
        "/media/..%2f..%2ffestival.db",
        "/media/posters/..%2f..%2f..%2ffestival.db",
        "/media/%2fetc%2fpasswd",
        "/media//etc/passwd",
        "/media/.hidden.png",
        "/media/.git/config.png",
        "/media/posters",
        "/media/posters/",
        "/media/",
        "/media/posters%00.png",
        "/media/..%5csecret.png",
        "/assets/../templates/home.hbs",
        "/assets/..%2ftemplates%2fhome.hbs",
        "/assets/%2e%2e/templates/home.hbs",
        "/assets/../../../config/festival.toml",
        "/assets/.vite/manifest.json",
        "/templates/home.hbs",
        "/.env",
    ] {
        let response = app.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert!(!response.text().contains("secret") && !response.text().contains("{{{boot}}}"), "{path}");
    }
}

/// Over a real connection, as HTTP clients normalise paths.
#[test]
fn raw_paths_cannot_traverse_directories() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("secret.png"), "secret").unwrap();
    let environment = [("FESTIVAL_DATA_DIR", directory.path().to_str().unwrap())];
    let fixture = fixture("2025.toml");
    let seeded = festival(directory.path(), &["seed", fixture.to_str().unwrap()], &environment);
    assert_eq!(seeded.code, 0, "{}", seeded.transcript());
    let server = Server::start(directory.path(), &environment);
    let posters: serde_json::Value = server.get("/api/posters/").json();
    let picture = posters[0]["image"].as_str().unwrap();
    let picture = picture.strip_prefix(&format!("http://{}", server.address)).expect(picture).to_owned();
    let whole: Response = server.get(&picture);
    assert_eq!(whole.status, 200);
    assert_eq!(whole.body, std::fs::read(repository("tests/fixtures/pictures/poster.png")).unwrap());
    assert_eq!(whole.header("Content-Length"), whole.body.len().to_string());
    let part = server.send(&format!(
        "GET {picture} HTTP/1.1\r\nHost: {}\r\nRange: bytes=1-3\r\nConnection: close\r\n\r\n",
        server.address
    ));
    assert_eq!((part.status, part.body.as_slice(), part.header("Content-Length").as_str()), (206, &b"PNG"[..], "3"));
    for path in ["/media/../../secret.png", "/media/posters/../../../secret.png", "/assets/../../../../../etc/passwd"] {
        let response = server.get(path);
        assert!(matches!(response.status, 400 | 404), "{path}: {}", response.status);
        assert!(!response.text().contains("secret") && !response.text().contains("root:"), "{path}");
    }
    let head =
        server.send(&format!("HEAD {picture} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address));
    assert_eq!((head.status, head.body.len(), head.header("Content-Length")), (200, 0, whole.body.len().to_string()));
    let foreign = server.send("GET /api/posters/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    foreign.assert_error(400, "bad_request");
}

#[tokio::test]
async fn frontend_assets_are_compressed_and_immutable() {
    let app = TestApp::new(Database::Sqlite).await;
    let home = app.get("/").await.text();
    let assets: Vec<&str> = home
        .split(['"', ' '])
        .filter(|part| part.starts_with("/assets/"))
        .filter(|part| part.ends_with(".js") || part.ends_with(".css"))
        .collect();
    assert!(!assets.is_empty(), "the home page names no assets");
    for path in assets {
        let plain = app.get(path).await;
        assert_eq!(plain.status, 200, "{path}");
        assert_eq!(plain.header("Cache-Control"), "public, max-age=31536000, immutable");
        for encoding in ["gzip", "br"] {
            let squeezed = app.get_with(path, &[("Accept-Encoding", encoding)]).await;
            if plain.body.len() > 4096 {
                assert_eq!(squeezed.header("Content-Encoding"), encoding, "{path}");
            }
            assert_eq!(squeezed.unpacked(), plain.body, "{path} {encoding}");
            let tag = squeezed.header("ETag");
            let again = app.get_with(path, &[("Accept-Encoding", encoding), ("If-None-Match", &tag)]).await;
            assert_eq!((again.status, again.body.len()), (304, 0), "{path} {encoding}");
        }
    }
    let missing = app.get("/assets/no-such-file.js").await;
    assert_eq!(missing.status, 404);
}
