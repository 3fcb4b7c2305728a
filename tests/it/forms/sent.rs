//! Forms as browsers and scripts send them.

use festival_core::settings::Settings;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, fixture};

const BOUNDARY: &str = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

/// A form with files that is about to be sent.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) texts: Vec<(String, String)>,
    pub(crate) files: Vec<(String, String, Vec<u8>)>,
}

impl Sent {
    /// A complete film submission as a script that knows the specification alone would send it.
    pub(crate) fn film() -> Self {
        let texts = [
            ("title_original", "ഒരു വെളിച്ചം"),
            ("title_english", "A Light"),
            ("film_language", "Malayalam"),
            ("subtitles", "Yes"),
            ("film_type", "Feature Film"),
            ("is_first_or_second_feature", "First"),
            ("duration_minutes", "92"),
            ("year_of_production", "2025"),
            ("country_of_origin", "India"),
            ("technical_features", "Colour, 1.85:1, 5.1"),
            ("origination_format", "4K"),
            ("presentation_format", "DCP"),
            ("producer_name", "P. Producer"),
            ("producer_email", "producer@example.org"),
            ("producer_mobile", "+91 98765 43210"),
            ("director_name", "D. Director"),
            ("director_email", "director@example.org"),
            ("director_mobile", "+91-98765-43211"),
            ("biography", "Born beside a river."),
            ("screener_link", "https://video.example.org/1"),
            ("screener_link_password", "secret"),
            ("synopsis_long", "A lamp is lit.\r\nA lamp goes out."),
            ("synopsis_short", "A lamp."),
            ("stills_link", "https://stills.example.org/1"),
            ("cast_and_crew", "Somebody: everything"),
            ("name_of_submitter", "S. Submitter"),
            ("correspondence_contact", "(0484) 123-4567"),
            ("correspondence_email", "submitter@example.org"),
        ];
        let images = ["film_poster", "director_photo", "signature", "screenshot"];
        let documents = ["producer_consent", "documentation"];
        let mut sent = Self::of(&texts);
        for field in images {
            sent.files.push((field.into(), format!("{field}.png"), picture()));
        }
        for field in documents {
            sent.files.push((
                field.into(),
                format!("{field}.pdf"),
                std::fs::read(fixture("pictures/issue.pdf")).unwrap(),
            ));
        }
        sent
    }

    /// A complete registration.
    pub(crate) fn delegate() -> Self {
        let mut sent = Self::of(&[
            ("name", "Delegate"),
            ("email", "delegate@example.org"),
            ("mobile", "9876543210"),
            ("address", "House\nStreet"),
            ("age", "33"),
            ("occupation", "Teacher"),
            ("category", "20th Velicham Delegate"),
            ("transaction_details", "UTR 000111222"),
        ]);
        for field in ["screenshot", "signature"] {
            sent.files.push((field.into(), format!("{field}.png"), picture()));
        }
        sent
    }

    fn of(texts: &[(&str, &str)]) -> Self {
        let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Self { texts, files: Vec::new() }
    }

    /// The same with another value, or one more.
    pub(crate) fn with(mut self, name: &str, text: &str) -> Self {
        self.texts.retain(|(known, _)| known != name);
        self.texts.push((name.to_owned(), text.to_owned()));
        self
    }

    /// The same without a field, text or file.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.texts.retain(|(known, _)| known != name);
        self.files.retain(|(known, _, _)| known != name);
        self
    }

    /// The same with another file.
    pub(crate) fn with_file(mut self, field: &str, name: &str, bytes: Vec<u8>) -> Self {
        self.files.retain(|(known, _, _)| known != field);
        self.files.push((field.to_owned(), name.to_owned(), bytes));
        self
    }

    /// The body, in the form that browsers write.
    pub(crate) fn body(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for (name, text) in &self.texts {
            let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(text.as_bytes());
            body.extend_from_slice(b"\r\n");
        }
        for (field, name, bytes) in &self.files {
            let head = format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
                 Content-Type: application/octet-stream\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        body
    }

    /// The content type of its body.
    pub(crate) fn content_type() -> String {
        format!("multipart/form-data; boundary={BOUNDARY}")
    }

    /// Sends it.
    pub(crate) async fn to(&self, app: &TestApp, path: &str) -> Answer {
        self.to_with(app, path, &[]).await
    }

    /// Sends it with headers.
    pub(crate) async fn to_with(&self, app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Answer {
        let content_type = Self::content_type();
        let mut all = vec![("Content-Type", content_type.as_str())];
        all.extend(headers);
        app.post(path, &all, self.body()).await
    }
}

/// A complete message.
pub(crate) fn message() -> Value {
    json!({ "name": "Visitor", "email": "visitor@example.org", "contact": "+91 484 123456", "message": "When does it begin?" })
}

/// Sends a message.
pub(crate) async fn send_message(app: &TestApp, message: &Value) -> Answer {
    app.post("/api/contact/", &[("Content-Type", "application/json")], message.to_string()).await
}

/// A small picture.
pub(crate) fn picture() -> Vec<u8> {
    std::fs::read(fixture("pictures/poster.png")).unwrap()
}

/// A setting of the module.
pub(crate) fn set(settings: &mut Settings, key: &str, value: Value) {
    settings.modules.entry("forms".into()).or_default().own.insert(key.into(), value);
}

/// The password of a screener as it was sent, of what is stored under this reference.
pub(crate) fn password(app: &TestApp, reference: &str, stored: &str) -> Option<String> {
    let column = app.app.admin.contents.secrets.iter().find(|column| column.table == "film_submissions")?;
    assert!(stored.starts_with("encrypted."), "{stored}");
    app.app.secrets.decrypt(column, reference, stored)
}

/// Lets a test send as much as it likes.
pub(crate) fn patient(settings: &mut Settings) {
    set(settings, "posts_per_10_minutes", json!(100_000));
    settings.uploads.keep_free_mib = 0;
    settings.uploads.mib_per_client_and_hour = 0;
}

/// The first error's field and the whole sentence; 422.
pub(crate) fn refused(answer: &Answer) -> (String, String) {
    assert_eq!(answer.status, 422, "{}", answer.text());
    let body = answer.json();
    let first = &body["fields"][0];
    assert_eq!(first["message"], body["error"]);
    (first["field"].as_str().unwrap().to_owned(), body["error"].as_str().unwrap().to_owned())
}

/// The reference of a form that was received; 201.
pub(crate) fn received(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.text());
    let body = answer.json();
    assert_eq!(body["message"], "Form submitted successfully!");
    assert!(body["id"].as_i64().unwrap() > 0);
    let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
    let all = ["id", "reference", "message", "received_at", "received_text", "is_late"];
    assert_eq!(keys, all, "nothing personal comes back");
    body["reference"].as_str().unwrap().to_owned()
}

/// How many files the private store holds, staged ones too.
pub(crate) fn files_kept(app: &TestApp) -> usize {
    fn count(directory: &std::path::Path) -> usize {
        let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
        entries.map(|e| e.unwrap().path()).map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
    }
    let media = app.directory.path().join("media");
    count(&media.join("private")) + count(&media.join("staging"))
}
