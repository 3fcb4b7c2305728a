//! Prints the description of the forms for the browser, `frontend/src/shared/api/generated/forms.ts`, and what their
//! entries are checked with, `form-checks.ts`.
//!
//! `make types` writes it; a test fails while it is stale.

use std::fmt::Write as _;

use festival_core::checks::kind::{HEAD, PDF_START, SIGNATURES, Signature, TEXTS, allowed};
use festival_core::checks::{MOST_PIXELS, Takes, texts as file_texts};
use festival_core::entity::{Field, Kind};
use festival_core::upload::{Accepts, LARGEST_FILE};
use serde_json::{Value, json};

use crate::description::{ASIAN, CONTACT, DELEGATE_FORM, FORMS, Form, beside, texts};
use crate::text;

const TYPES: &str = "\
// Written from the description of the forms in modules/forms.
export type FormKey = 'delegate' | 'asian' | 'indian' | 'malayalam' | 'contact';

/** What a field holds, and so which input it gets and which check. */
export type FieldKind =
  | 'text'
  | 'lines'
  | 'email'
  | 'phone'
  | 'link'
  | 'integer'
  | 'year'
  | 'choice'
  | 'membership'
  | 'file';

export interface FormChoice {
  /** Tells it from the others of its field. */
  key: string;
  /** What is sent. */
  value: string;
  label: string;
}

export interface FormField {
  name: string;
  label: string;
  kind: FieldKind;
  required: boolean;
  placeholder: string;
  hint: string;
  /** What is sent where nothing is typed; empty: nothing. */
  default: string;
  /** Characters above which a text is unusual; 0: none. */
  max_characters: number;
  /** Words that are asked for at most; 0: any number. */
  words: number;
  /** Whole numbers: from where to where they are usual. A year is usual up to next year. */
  min: number | null;
  max: number | null;
  /** The choices of a `choice`; those of a `membership` are the memberships in `/site/`. */
  choices: FormChoice[];
  /** Files: what the file dialogue offers, and the largest size that is taken. */
  accept: string;
  max_bytes: number;
  /** What is said where it is required and empty. */
  missing: string;
}

export interface FormSection {
  title: string;
  text: string[];
  /** Names of fields, as they stand on the page. */
  fields: string[];
}

export interface FormDescription {
  key: FormKey;
  path: string;
  api_path: string;
  /** Where its files may be uploaded one by one; empty: it has none. */
  files_path: string;
  /** `{product}` and `{year}` are to be filled in. */
  title: string;
  lead: string;
  fee: 'none' | 'membership' | 'film' | 'film_or_dollars';
  sections: FormSection[];
  /** The fields in the order in which they are checked. */
  fields: FormField[];
}

/** The same fields, some of them with choices of a form's own. */
function own(fields: FormField[], changes: Record<string, Partial<FormField>>): FormField[] {
  return fields.map((field) => ({ ...field, ...changes[field.name] }));
}

";

const FUNCTIONS: &str = "
/** What is said where `name` is required and empty. */
export function missing(name: string): string {
  return `Please fill in ${name.replaceAll('_', ' ')}`;
}

/** What is said of a file above the limit. */
export function tooLarge(name: string): string {
  return `${name} file must be less than 5MB`;
}

/** What is said of a text with too many words, where the limits are hard. */
export function tooManyWords(label: string, count: number, limit: number): string {
  return `${label} has ${count} words, at most ${limit} are accepted`;
}
";

/// The types that the file dialogue offers.
const PICTURE: &str = "image/jpeg,image/png,image/webp";
const PICTURE_OR_PDF: &str = "image/jpeg,image/png,image/webp,application/pdf";

fn kind_name(form: &Form, field: &Field) -> &'static str {
    match field.kind {
        Kind::Email => "email",
        Kind::Phone => "phone",
        Kind::Link => "link",
        Kind::Integer { .. } => "integer",
        Kind::Year => "year",
        Kind::Choice(_) => "choice",
        Kind::File { .. } => "file",
        Kind::Text { .. } if form.key == "delegate" && field.name == "category" => "membership",
        Kind::Text { .. } => "text",
        _ => "lines",
    }
}

fn field_json(form: &Form, field: &Field) -> Value {
    let (min, max) = match field.kind {
        Kind::Integer { min, max } => (json!(min), json!(max)),
        Kind::Year => (json!(1880), Value::Null),
        _ => (Value::Null, Value::Null),
    };
    let (accept, max_bytes) = match field.kind {
        Kind::File { pdf: true } => (PICTURE_OR_PDF, LARGEST_FILE),
        Kind::File { pdf: false } => (PICTURE, LARGEST_FILE),
        _ => ("", 0),
    };
    let choices = form.choices(field).unwrap_or_default();
    let choices: Vec<Value> =
        choices.iter().map(|c| json!({ "key": c.key, "value": c.value, "label": c.label })).collect();
    json!({
        "name": field.name,
        "label": field.label,
        "kind": kind_name(form, field),
        "required": field.required,
        "placeholder": field.placeholder,
        "hint": field.hint,
        "default": field.default,
        "max_characters": field.max_characters().unwrap_or(0),
        "words": field.words,
        "min": min,
        "max": max,
        "choices": choices,
        "accept": accept,
        "max_bytes": max_bytes,
        "missing": field.missing(),
    })
}

fn form_json(form: &Form) -> Value {
    let sections: Vec<Value> = form
        .sections
        .iter()
        .map(|section| json!({ "title": section.title, "text": section.text, "fields": section.fields }))
        .collect();
    let shared = fields_name(form);
    let fields = match form.options {
        [] => shared,
        options => {
            let changes: serde_json::Map<String, Value> = options
                .iter()
                .filter_map(|(name, _)| form.entity.field(name))
                .map(|field| {
                    let whole = field_json(form, field);
                    (field.name.to_owned(), json!({ "choices": whole["choices"] }))
                })
                .collect();
            format!("own({shared}, {})", literal(&json!(changes), 2, 200))
        }
    };
    json!({
        "key": form.key,
        "path": form.path,
        "api_path": form.api_path,
        "files_path": form.files_path(),
        "title": form.title,
        "lead": form.lead,
        "fee": form.fee.name(),
        "sections": sections,
        "fields": format!("{BARE}{fields}"),
    })
}

/// The name of the constant with the fields of a form's entity.
fn fields_name(form: &Form) -> String {
    form.entity
        .table
        .replace("film_submissions", "film")
        .replace("contact_messages", "message")
        .replace("delegates", "delegate")
        + "Fields"
}

/// Marks a text that is TypeScript already.
const BARE: char = '\0';

/// JSON as this project's TypeScript is written: single quotes, bare keys, at most 120 columns, a comma at the end.
fn literal(value: &Value, depth: usize, before: usize) -> String {
    let line = inline(value);
    if matches!(value, Value::String(text) if text.starts_with(BARE)) || before + line.chars().count() < 120 {
        return line;
    }
    let pad = "  ".repeat(depth + 1);
    let close = "  ".repeat(depth);
    let mut out = String::new();
    match value {
        Value::Object(map) => {
            out.push_str("{\n");
            for (key, value) in map {
                let _ = writeln!(out, "{pad}{key}: {},", literal(value, depth + 1, pad.len() + key.len() + 2));
            }
            let _ = write!(out, "{close}}}");
        }
        Value::Array(items) => {
            out.push_str("[\n");
            for item in items {
                let _ = writeln!(out, "{pad}{},", literal(item, depth + 1, pad.len()));
            }
            let _ = write!(out, "{close}]");
        }
        _ => out = line,
    }
    out
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) if text.starts_with(BARE) => text[1..].to_owned(),
        Value::String(text) if text.contains('\'') && !text.contains('"') => format!("\"{text}\""),
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Value::Array(items) if items.iter().all(|item| !item.is_object()) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        // Objects always stand over several lines: the formatter keeps them so.
        Value::Array(_) | Value::Object(_) => " ".repeat(200),
        other => other.to_string(),
    }
}

/// Ranges of characters as a class of a regular expression.
fn class(ranges: &[text::Range]) -> String {
    let ranges: String = ranges.iter().map(|(first, last)| format!("\\u{{{first:x}}}-\\u{{{last:x}}}")).collect();
    format!("[{ranges}]")
}

/// `forms.ts`: what a page needs to show a form.
pub(crate) fn print() -> String {
    let mut out = String::from(TYPES);
    for form in [&DELEGATE_FORM, &ASIAN, &CONTACT] {
        let fields: Vec<Value> = form.entity.fields.iter().map(|field| field_json(form, field)).collect();
        let _ = writeln!(out, "const {}: FormField[] = {};\n", fields_name(form), literal(&json!(fields), 0, 200));
    }
    let forms: serde_json::Map<String, Value> =
        FORMS.iter().map(|form| (form.key.to_owned(), form_json(form))).collect();
    let _ =
        writeln!(out, "export const forms: Record<FormKey, FormDescription> = {};\n", literal(&json!(forms), 0, 200));
    let words = json!({
        "submit": texts::SUBMIT,
        "submitting": texts::SUBMITTING,
        "submitted": texts::SUBMITTED,
        "success": texts::SUCCESS,
        "failure": texts::FAILURE,
        "contact_success": texts::CONTACT_SUCCESS,
        "contact_failure": texts::CONTACT_FAILURE,
        "consent": texts::CONSENT,
        "consent_missing": texts::CONSENT_MISSING,
        "not_an_email": texts::NOT_AN_EMAIL,
        "link_runs": texts::LINK_RUNS,
        "read_as": texts::READ_AS,
        "not_read": texts::NOT_READ,
        "unusual": texts::UNUSUAL,
        "guardian": texts::GUARDIAN,
        "largest_text_bytes": Accepts::default().largest_text,
        "closed": texts::CLOSED,
        "toast_ms": texts::TOAST_MS,
        "redirect_ms": texts::REDIRECT_MS,
    });
    let _ = writeln!(out, "/** The words and times that every form shares. */");
    let _ = writeln!(out, "export const texts = {};\n", literal(&words, 0, 200));
    let names = json!({
        "award": beside::AWARD,
        "declared_feature": beside::DECLARED_FEATURE,
        "consent": beside::CONSENT,
        "notice": beside::NOTICE,
        "trap": beside::TRAP,
        "elapsed": beside::ELAPSED,
    });
    let _ = writeln!(out, "/** What is sent beside a form's own fields. */");
    let _ = writeln!(out, "export const beside = {};", literal(&names, 0, 200));
    out
}

/// `form-checks.ts`: what entries and files are checked with. Pages load it later than the forms themselves.
pub(crate) fn print_checks() -> String {
    let mut out = String::from("// Written from the checks of the forms in modules/forms.\n");
    let tables = json!({
        "invisible": class(text::INVISIBLE),
        "shaping": class(text::SHAPING),
        "shaped": class(text::SHAPED),
        "zeros": text::ZEROS.iter().map(|zero| format!("{zero:x}")).collect::<Vec<_>>().join(" "),
    });
    let _ = writeln!(
        out,
        "/** The characters that cleaning and reading texts is about: classes of regular expressions, and zeros in hexadecimal. */"
    );
    let _ = writeln!(out, "export const codePoints = {};", literal(&tables, 0, 200));
    let _ = writeln!(
        out,
        "\n/** What files are told by, and what is said of those that are not taken: the server's own tables. */"
    );
    let _ = writeln!(out, "export const files = {};", literal(&files_json(), 0, 200));
    out.push_str(FUNCTIONS);
    out
}

/// The tables that the server tells files by.
fn files_json() -> Value {
    let signatures: Vec<Value> = SIGNATURES
        .iter()
        .map(|signature| json!({ "name": signature.name, "mime": signature.mime, "bytes": pattern(signature) }))
        .collect();
    let texts: Vec<Value> = TEXTS.iter().map(|(name, words)| json!({ "name": name, "words": words })).collect();
    json!({
        "head": HEAD,
        "pdf_start": PDF_START,
        "most_pixels": MOST_PIXELS,
        "signatures": signatures,
        "texts": texts,
        "allowed": [
            { "accept": PICTURE, "words": allowed(Takes::Picture) },
            { "accept": PICTURE_OR_PDF, "words": allowed(Takes::PictureOrPdf) },
        ],
        "other_kind": file_texts::OTHER_KIND,
        "heic": file_texts::HEIC,
        "unknown_kind": file_texts::UNKNOWN_KIND,
        "too_many_pixels": file_texts::TOO_MANY_PIXELS,
        "moving": file_texts::MOVING,
    })
}

/// The bytes that a file of this kind begins with, in hexadecimal; points stand for any.
fn pattern(signature: &Signature) -> String {
    let mut pattern = String::new();
    for (at, bytes) in signature.parts {
        pattern.push_str(&".".repeat(at * 2 - pattern.len()));
        pattern.extend(bytes.iter().map(|byte| format!("{byte:02x}")));
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};

    /// The functions of the generated file are written by hand: these are the same sentences.
    #[test]
    fn the_sentences_of_the_generated_file_are_the_servers() {
        for entity in [&DELEGATE, &FILM_SUBMISSION, &CONTACT_MESSAGE] {
            for field in entity.fields {
                assert_eq!(field.missing(), format!("Please fill in {}", field.name.replace('_', " ")));
            }
        }
        let template = |sentence: &str| FUNCTIONS.contains(&format!("return `{sentence}`;"));
        assert!(template(&texts::too_large("${name}")));
        assert!(template(
            &texts::too_many_words("${label}", 77, 88).replace("77", "${count}").replace("88", "${limit}")
        ));
    }
}
