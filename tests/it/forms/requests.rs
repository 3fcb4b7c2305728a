//! Form submissions as browsers and scripts send them.

use festival_core::settings::Settings;
use serde_json::{Value, json};

use crate::support::{Response, TestApp, fixture};

const BOUNDARY: &str = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

/// A multipart form submission: text fields (name, value) and files (field, file name, content).
#[derive(Clone)]
pub(crate) struct FormRequest {
    pub(crate) texts: Vec<(String, String)>,
    pub(crate) files: Vec<(String, String, Vec<u8>)>,
}

impl FormRequest {
    /// A complete film submission as sent by a script that knows only the specification.
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
        let mut request = Self::from_fields(&texts);
        for field in images {
            request.files.push((field.into(), format!("{field}.png"), picture()));
        }
        for field in documents {
            request.files.push((
                field.into(),
                format!("{field}.pdf"),
                std::fs::read(fixture("pictures/issue.pdf")).unwrap(),
            ));
        }
        request
    }

    /// A complete registration.
    pub(crate) fn delegate() -> Self {
        let mut request = Self::from_fields(&[
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
            request.files.push((field.into(), format!("{field}.png"), picture()));
        }
        request
    }

    fn from_fields(texts: &[(&str, &str)]) -> Self {
        let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Self { texts, files: Vec::new() }
    }

    /// Sets a text field.
    pub(crate) fn with(mut self, name: &str, text: &str) -> Self {
        self.texts.retain(|(known, _)| known != name);
        self.texts.push((name.to_owned(), text.to_owned()));
        self
    }

    /// Removes a text field or file.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.texts.retain(|(known, _)| known != name);
        self.files.retain(|(known, _, _)| known != name);
        self
    }

    /// Sets a file.
    pub(crate) fn with_file(mut self, field: &str, name: &str, bytes: Vec<u8>) -> Self {
        self.files.retain(|(known, _, _)| known != field);
        self.files.push((field.to_owned(), name.to_owned(), bytes));
        self
    }

    /// Replaces the files that no two submissions share by those of another sender.
    pub(crate) fn with_own_files(self, number: u32) -> Self {
        let is_film = self.files.iter().any(|(field, ..)| field == "film_poster");
        let form = self.with_file("screenshot", "paid.png", picture_number(number));
        if is_film { form.with_file("film_poster", "poster.png", picture_number(number)) } else { form }
    }

    /// The multipart body, encoded as browsers do.
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

    /// The content type of the body.
    pub(crate) fn content_type() -> String {
        format!("multipart/form-data; boundary={BOUNDARY}")
    }

    /// Posts the form.
    pub(crate) async fn post(&self, app: &TestApp, path: &str) -> Response {
        self.post_with(app, path, &[]).await
    }

    /// Posts the form with additional headers.
    pub(crate) async fn post_with(&self, app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Response {
        let content_type = Self::content_type();
        let mut all = vec![("Content-Type", content_type.as_str())];
        all.extend(headers);
        app.post(path, &all, self.body()).await
    }
}

/// A complete contact message.
pub(crate) fn message() -> Value {
    json!({ "name": "Visitor", "email": "visitor@example.org", "contact": "+91 484 123456", "message": "When does it begin?" })
}

/// Posts a contact message.
pub(crate) async fn send_message(app: &TestApp, message: &Value) -> Response {
    app.post("/api/contact/", &[("Content-Type", "application/json")], message.to_string()).await
}

/// A small picture.
pub(crate) fn picture() -> Vec<u8> {
    std::fs::read(fixture("pictures/poster.png")).unwrap()
}

/// A small picture unlike those with other numbers.
pub(crate) fn picture_number(number: u32) -> Vec<u8> {
    let [_, red, green, blue] = number.to_be_bytes();
    let picture = image::RgbImage::from_pixel(40, 30, image::Rgb([red, green, blue]));
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

/// Sets a setting of the module.
pub(crate) fn set_forms_setting(settings: &mut Settings, key: &str, value: Value) {
    settings.modules.entry("forms".into()).or_default().own.insert(key.into(), value);
}

/// Decrypts the stored password of a screener.
pub(crate) fn decrypt_password(app: &TestApp, reference: &str, stored: &str) -> Option<String> {
    let column = app.app.admin.contents.secrets.iter().find(|column| column.table == "film_submissions")?;
    assert!(stored.starts_with("encrypted."), "{stored}");
    app.app.secrets.decrypt(column, reference, stored)
}

/// Lifts the limits on forms, upload volume and disk space.
pub(crate) fn lift_limits(settings: &mut Settings) {
    set_forms_setting(settings, "posts_per_10_minutes", json!(100_000));
    settings.uploads.keep_free_mib = 0;
    settings.uploads.mib_per_client_and_hour = 0;
}

/// Asserts status 422 and returns the field and message of the first error.
pub(crate) fn assert_refused(response: &Response) -> (String, String) {
    assert_eq!(response.status, 422, "{}", response.text());
    let body = response.json();
    let first = &body["fields"][0];
    assert_eq!(first["message"], body["error"]);
    (first["field"].as_str().unwrap().to_owned(), body["error"].as_str().unwrap().to_owned())
}

/// Asserts status 201 and returns the reference of the submission.
pub(crate) fn assert_received(response: &Response) -> String {
    assert_eq!(response.status, 201, "{}", response.text());
    let body = response.json();
    assert_eq!(body["message"], "Form submitted successfully!");
    assert!(body["id"].as_i64().unwrap() > 0);
    let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
    let all = ["id", "reference", "message", "received_at", "received_text", "is_late"];
    assert_eq!(keys, all, "the response has no personal data");
    body["reference"].as_str().unwrap().to_owned()
}

/// The number of files in the private store, including staged ones.
pub(crate) fn count_stored_files(app: &TestApp) -> usize {
    fn count(directory: &std::path::Path) -> usize {
        let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
        entries.map(|e| e.unwrap().path()).map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
    }
    let media = app.directory.path().join("media");
    count(&media.join("private")) + count(&media.join("staging"))
}
