//! The inputs of a form, rendered by the template `partials/input`.

use serde::Serialize;

use festival_files::checks::AcceptedKinds;
use festival_files::checks::kind::mime_types;
use festival_records::entity::{Field, Kind};

/// One input of a form.
#[must_use]
#[derive(Clone, Debug, Default, Serialize)]
pub struct Input {
    /// Name of the form field.
    pub name: String,
    /// The label.
    pub label: String,
    /// How it is rendered: "text", "lines", "html", "number", "flag", "choice", "radio", "checks", "email", "phone",
    /// "url", "date", "datetime", "password", "code", "file", "hidden".
    pub kind: &'static str,
    /// The current value.
    pub value: String,
    /// A sentence below the label, or "".
    pub hint: String,
    /// The placeholder, or "".
    pub placeholder: String,
    /// Whether a value is required.
    pub required: bool,
    /// Whether it belongs to one choice of another input: it is not called optional.
    pub is_conditional: bool,
    /// The heading above it, which begins a part of a long form, or "".
    pub section: &'static str,
    /// Maximum length in characters; 0 for no limit.
    pub max: usize,
    /// Value of the attribute `autocomplete`.
    pub autocomplete: &'static str,
    /// The options to choose from.
    pub choices: Vec<Choice>,
    /// Value of the attribute `accept` of a file input.
    pub accept: &'static str,
    /// Whether the file is a picture.
    pub is_picture: bool,
    /// The error message of the submitted value, or "".
    pub problem: String,
}

/// An option of an input.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// The submitted value.
    pub key: String,
    /// The label.
    pub label: String,
    /// Whether it is chosen.
    pub chosen: bool,
}

impl Choice {
    /// Creates an option; it is chosen if `key` equals `current`.
    pub fn new(key: impl Into<String>, label: impl Into<String>, current: &str) -> Self {
        let key = key.into();
        Self { chosen: key == current, key, label: label.into() }
    }
}

impl Input {
    /// Creates an empty input of a kind.
    pub fn new(kind: &'static str, name: impl Into<String>, label: impl Into<String>) -> Self {
        Self { name: name.into(), label: label.into(), kind, autocomplete: "off", ..Self::default() }
    }

    /// Creates a single-line text input.
    pub fn text(name: impl Into<String>, label: impl Into<String>) -> Self {
        Self::new("text", name, label)
    }

    /// Creates a hidden input.
    pub fn hidden(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new("hidden", name, "").value(value)
    }

    /// Creates a select input.
    pub fn choice(name: impl Into<String>, label: impl Into<String>, choices: Vec<Choice>) -> Self {
        Self { choices, ..Self::new("choice", name, label) }
    }

    /// Creates radio buttons, for few options with long labels.
    pub fn radio(name: impl Into<String>, label: impl Into<String>, choices: Vec<Choice>) -> Self {
        Self { choices, ..Self::new("radio", name, label) }
    }

    /// Creates the input of an entity's field, with `value` in it. The options of a reference are for the caller to
    /// add.
    pub fn of(field: &Field, value: impl Into<String>) -> Self {
        let value = value.into();
        let (kind, max) = match field.kind {
            Kind::Text { max } => ("text", max),
            Kind::Lines { max } => ("lines", max),
            Kind::Html => ("html", 0),
            Kind::Integer { .. } | Kind::Year => ("number", 0),
            Kind::Flag => ("flag", 0),
            Kind::Choice(_) | Kind::Reference(_) => ("choice", 0),
            Kind::AlternativeText | Kind::Slug => ("text", field.max_characters().unwrap_or(100)),
            Kind::Url => ("text", 0),
            Kind::Link => ("url", 0),
            Kind::Email => ("email", 254),
            Kind::Phone => ("phone", 0),
            Kind::Date => ("date", 0),
            Kind::DateTime | Kind::LocalDateTime => ("datetime", 0),
            Kind::Image | Kind::Document | Kind::Video | Kind::File { .. } => ("file", 0),
        };
        let accept = match field.kind {
            Kind::Image | Kind::File { pdf: false } => mime_types(AcceptedKinds::Picture),
            Kind::File { pdf: true } => mime_types(AcceptedKinds::PictureOrPdf),
            Kind::Document => mime_types(AcceptedKinds::Pdf),
            Kind::Video => mime_types(AcceptedKinds::Video),
            _ => "",
        };
        let choices = match field.kind {
            Kind::Choice(options) => options.iter().map(|(key, label)| Choice::new(*key, *label, &value)).collect(),
            _ => Vec::new(),
        };
        Self {
            max,
            accept,
            is_picture: matches!(field.kind, Kind::Image | Kind::File { pdf: false }),
            choices,
            hint: field.hint.to_owned(),
            placeholder: field.placeholder.to_owned(),
            required: field.required,
            section: field.section,
            value,
            ..Self::new(kind, field.name, field.label)
        }
    }

    /// Sets the value.
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.value = value.into();
        self
    }

    /// Makes a value required.
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Makes it part of one choice of another input, which alone needs a value.
    pub fn conditional(mut self) -> Self {
        self.is_conditional = true;
        self
    }

    /// Sets the sentence below the label.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Sets the attribute `autocomplete`.
    pub fn autocomplete(mut self, token: &'static str) -> Self {
        self.autocomplete = token;
        self
    }
}
