//! Generates the descriptions of the forms for the browser in `frontend/src/shared/api/generated/`: their types and
//! common parts (`forms.ts`), each form in a file of its own, so that a page loads no other (`form-asian.ts`), and the
//! checks of entries (`form-checks.ts`).
//!
//! `make types` writes them; a test fails while they are out of date.

use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use festival_core::checks::kind::{HEAD, PDF_START, SIGNATURES, Signature, TEXTS, format_names, mime_types};
use festival_core::checks::{AcceptedKinds, MAX_PIXELS, texts as file_texts};
use festival_core::entity::{Field, Kind};
use festival_core::text;
use festival_core::types::declaration;
use festival_core::upload::{Accepts, MAX_FILE_BYTES};
use serde::Serialize;
use serde_json::{Value, json};
use ts_rs::TS;

use crate::description::{FILM_FORMS, FORMS, Fee, Form, FormChoice, Section, extra_fields, texts};

/// First line of the files generated here.
const ORIGIN: &str = "// Generated from the description of the forms in modules/forms.\n";

/// The kind of a field, which decides its input and its validation.
#[derive(Clone, Copy, Serialize, TS)]
#[serde(rename_all = "lowercase")]
enum FieldKind {
    Text,
    Lines,
    Email,
    Phone,
    Link,
    Integer,
    Year,
    Choice,
    Membership,
    File,
}

/// A field of a form, for the browser.
#[derive(Serialize, TS)]
struct FormField {
    name: &'static str,
    label: &'static str,
    kind: FieldKind,
    required: bool,
    placeholder: &'static str,
    hint: &'static str,
    /// The value that is sent if the field is left empty.
    default: &'static str,
    /// Characters above which a text is unusual; 0: no limit.
    max_characters: usize,
    /// Maximum number of words; 0: no limit.
    words: usize,
    /// Whole numbers: the least of the usual range.
    min: Option<i64>,
    /// Whole numbers: the largest of the usual range. A year is usual up to next year.
    max: Option<i64>,
    /// The choices of a `choice`; those of a `membership` are the memberships in `/site/`.
    choices: Vec<FormChoice>,
    /// Files: the types that the file dialogue offers.
    accept: &'static str,
    max_bytes: u64,
}

/// A form, for the browser.
#[derive(Serialize, TS)]
struct FormDescription {
    #[ts(type = "FormKey")]
    key: &'static str,
    path: &'static str,
    api_path: &'static str,
    /// Path to upload its files to, one by one; empty if it takes none.
    files_path: &'static str,
    /// With the placeholders `{product}` and `{year}`.
    title: &'static str,
    lead: &'static str,
    fee: Fee,
    sections: &'static [Section],
    /// The fields in the order in which they are validated.
    fields: Vec<FormField>,
}

/// Types that the file dialogue offers for pictures.
const PICTURE: &str = mime_types(AcceptedKinds::Picture);
/// Types that the file dialogue offers for documents.
const PICTURE_OR_PDF: &str = mime_types(AcceptedKinds::PictureOrPdf);

fn field_kind(form: &Form, field: &Field) -> FieldKind {
    match field.kind {
        Kind::Email => FieldKind::Email,
        Kind::Phone => FieldKind::Phone,
        Kind::Link => FieldKind::Link,
        Kind::Integer { .. } => FieldKind::Integer,
        Kind::Year => FieldKind::Year,
        Kind::Choice(_) => FieldKind::Choice,
        Kind::File { .. } => FieldKind::File,
        Kind::Text { .. } if form.key == "delegate" && field.name == "category" => FieldKind::Membership,
        Kind::Text { .. } => FieldKind::Text,
        _ => FieldKind::Lines,
    }
}

fn describe_field(form: &Form, field: &Field) -> FormField {
    let (min, max) = match field.kind {
        Kind::Integer { min, max } => (Some(min), Some(max)),
        Kind::Year => (Some(1880), None),
        _ => (None, None),
    };
    let (accept, max_bytes) = match field.kind {
        Kind::File { pdf: true } => (PICTURE_OR_PDF, MAX_FILE_BYTES),
        Kind::File { pdf: false } => (PICTURE, MAX_FILE_BYTES),
        _ => ("", 0),
    };
    FormField {
        name: field.name,
        label: field.label,
        kind: field_kind(form, field),
        required: field.required,
        placeholder: field.placeholder,
        hint: field.hint,
        default: field.default,
        max_characters: field.max_characters().unwrap_or(0),
        words: field.max_words,
        min,
        max,
        choices: form.choices(field).unwrap_or_default(),
        accept,
        max_bytes,
    }
}

fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Returns the character class of a regular expression for `ranges`.
fn character_class(ranges: &[text::Range]) -> String {
    let ranges: String = ranges.iter().map(|(first, last)| format!("\\u{{{first:x}}}-\\u{{{last:x}}}")).collect();
    format!("[{ranges}]")
}

/// Returns `form-<key>.ts`: the description that the page of a form needs.
pub(crate) fn print_form(form: &Form) -> String {
    let description = pretty(&FormDescription {
        key: form.key,
        path: form.path,
        api_path: form.api_path,
        files_path: form.files_path(),
        title: form.title,
        lead: form.lead,
        fee: form.fee,
        sections: form.sections,
        fields: form.entity.fields.iter().map(|field| describe_field(form, field)).collect(),
    });
    let name = form.key;
    format!(
        "{ORIGIN}import type {{ FormDescription }} from './forms.ts';\n\nexport const {name}: FormDescription = {description};\n"
    )
}

/// Returns `film-forms.ts`: data for the page that links to the film forms.
pub(crate) fn print_film_forms() -> String {
    let forms = FILM_FORMS
        .iter()
        .map(|form| json!({ "key": form.key, "path": form.path, "title": form.title, "lead": form.lead }));
    let forms: Vec<Value> = forms.collect();
    format!("{ORIGIN}/** The forms for films, without their fields. */\nexport const filmForms = {};\n", pretty(&forms))
}

/// Returns `all-forms.ts`: every form, for tests and the style guide.
pub(crate) fn print_all_forms() -> String {
    let mut out = ORIGIN.to_owned();
    for Form { key, .. } in FORMS {
        let _ = writeln!(out, "import {{ {key} }} from './form-{key}.ts';");
    }
    let keys: Vec<&str> = FORMS.iter().map(|form| form.key).collect();
    let _ = writeln!(
        out,
        "import type {{ FormDescription, FormKey }} from './forms.ts';\n\n/** Every form; a page imports its own alone. */\n\
         export const forms: Record<FormKey, FormDescription> = {{ {} }};",
        keys.join(", ")
    );
    out
}

/// Returns `forms.ts`: the types of forms, and their common parts.
pub(crate) fn print() -> String {
    let keys: Vec<String> = FORMS.iter().map(|form| format!("'{}'", form.key)).collect();
    let mut out = format!("{ORIGIN}export type FormKey = {};\n\n", keys.join(" | "));
    for declaration in [
        declaration::<FieldKind>(),
        declaration::<Fee>(),
        declaration::<FormChoice>(),
        declaration::<FormField>(),
        declaration::<Section>(),
        declaration::<FormDescription>(),
    ] {
        out.push_str(&declaration);
    }
    let shared_texts = json!({
        "submit": texts::SUBMIT,
        "submitting": texts::SUBMITTING,
        "submitted": texts::SUBMITTED,
        "success": texts::SUCCESS,
        "failure": texts::FAILURE,
        "contact_success": texts::CONTACT_SUCCESS,
        "contact_failure": texts::CONTACT_FAILURE,
        "consent_sentence": texts::CONSENT_SENTENCE,
        "consent_box": texts::CONSENT_BOX,
        "closed": texts::CLOSED,
        "toast_ms": texts::TOAST_MS,
        "redirect_ms": texts::REDIRECT_MS,
    });
    let extra = json!({
        "award": extra_fields::AWARD,
        "declared_feature": extra_fields::DECLARED_FEATURE,
        "consent": extra_fields::CONSENT,
        "notice": extra_fields::NOTICE,
        "trap": extra_fields::TRAP,
        "elapsed": extra_fields::ELAPSED,
        "code": extra_fields::PAYMENT_CODE,
        "utr": extra_fields::PAYMENT_UTR,
        "fee_code": extra_fields::FEE_CODE,
    });
    for (comment, name, value) in [
        ("The texts and times that every form shares.", "texts", shared_texts),
        ("Names of the fields that are sent in addition to those of the form.", "extraFields", extra),
    ] {
        let _ = writeln!(out, "/** {comment} */\nexport const {name} = {};\n", pretty(&value));
    }
    out
}

/// Returns `form-checks.ts`: the checks of entries and files. Pages load it later than the forms themselves.
pub(crate) fn print_checks() -> String {
    let mut out = ORIGIN.to_owned();
    let code_points = json!({
        "invisible": character_class(text::INVISIBLE),
        "shaping": character_class(text::SHAPING),
        "shaped": character_class(text::SHAPED),
        "zeros": text::ZEROS.iter().map(|zero| format!("{zero:x}")).collect::<Vec<_>>().join(" "),
    });
    let check_texts = json!({
        "missing": texts::MISSING,
        "too_large": texts::TOO_LARGE,
        "too_many_words": texts::TOO_MANY_WORDS,
        "consent_missing": texts::CONSENT_MISSING,
        "not_an_email": texts::NOT_AN_EMAIL,
        "link_runs": texts::UNSAFE_LINK,
        "read_as": texts::READ_AS,
        "not_read": texts::NOT_READ,
        "unusual": texts::UNUSUAL,
        "guardian": texts::GUARDIAN,
        "largest_text_bytes": Accepts::default().max_text_bytes,
    });
    for (comment, name, value) in [
        ("What is said of entries, and how long one may be.", "checkTexts", check_texts),
        (
            "The characters that cleaning and parsing texts treat specially: classes of regular expressions, and zeros in hexadecimal.",
            "codePoints",
            code_points,
        ),
        (
            "How types of files are detected, and the errors for files that are refused: the server's own tables.",
            "files",
            files_json(),
        ),
    ] {
        let _ = writeln!(out, "/** {comment} */\nexport const {name} = {};\n", pretty(&value));
    }
    out
}

/// Returns the tables by which the server detects types of files.
fn files_json() -> Value {
    let signatures: Vec<Value> = SIGNATURES
        .iter()
        .map(|signature| json!({ "name": signature.name, "mime": signature.mime, "bytes": pattern(signature) }))
        .collect();
    let texts: Vec<Value> = TEXTS.iter().map(|(name, text)| json!({ "name": name, "words": text })).collect();
    json!({
        "head": HEAD,
        "pdf_start": PDF_START,
        "most_pixels": MAX_PIXELS,
        "signatures": signatures,
        "texts": texts,
        "allowed": [
            { "accept": PICTURE, "words": format_names(AcceptedKinds::Picture) },
            { "accept": PICTURE_OR_PDF, "words": format_names(AcceptedKinds::PictureOrPdf) },
        ],
        "other_kind": file_texts::OTHER_KIND,
        "heic": file_texts::HEIC,
        "unknown_kind": file_texts::UNKNOWN_KIND,
        "too_many_pixels": file_texts::TOO_MANY_PIXELS,
        "moving": file_texts::MOVING,
        "unreadable": file_texts::UNREADABLE,
        "unreadable_pdf": file_texts::UNREADABLE_PDF,
    })
}

/// Returns the bytes that a file of this type begins with, in hexadecimal; ".." stands for any byte.
fn pattern(signature: &Signature) -> String {
    let mut pattern = String::new();
    for (at, bytes) in signature.parts {
        pattern.push_str(&".".repeat(at * 2 - pattern.len()));
        pattern.push_str(&HEXLOWER.encode(bytes));
    }
    pattern
}

#[cfg(test)]
mod tests {
    use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION, texts};
    use festival_core::upload::MAX_FILE_BYTES;

    #[test]
    fn the_error_for_large_files_names_the_limit() {
        assert_eq!(texts::TOO_LARGE, format!("{{field}} file must be less than {}MB", MAX_FILE_BYTES >> 20));
    }

    #[test]
    fn required_fields_have_the_error_that_browsers_show() {
        for entity in [&DELEGATE, &FILM_SUBMISSION, &CONTACT_MESSAGE] {
            for field in entity.fields {
                let message = texts::MISSING.replace("{field}", &field.name.replace('_', " "));
                assert_eq!(field.required_message(), message);
            }
        }
    }
}
