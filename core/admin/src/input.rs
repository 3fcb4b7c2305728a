//! The inputs of a form, as the template `partials/input` draws them.

use serde::Serialize;

use festival_records::entity::{Field, Kind};

/// One input of a form: what it is called, how it is typed, what stands in it, what is wrong with it.
#[derive(Clone, Debug, Serialize)]
pub struct Input {
    /// The name as it travels.
    pub name: String,
    /// The words for people.
    pub label: String,
    /// How it is drawn: "text", "lines", "html", "number", "flag", "choice", "radio", "checks", "email", "phone", "url", "date",
    /// "datetime", "password", "code", "file", "hidden".
    pub kind: &'static str,
    /// What stands in it.
    pub value: String,
    /// One sentence below the label.
    pub hint: String,
    /// An example in the empty input.
    pub placeholder: String,
    /// Whether it must be filled.
    pub required: bool,
    /// The most characters; 0: any number.
    pub max: usize,
    /// The browser's hint for filling it in.
    pub autocomplete: &'static str,
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// The kinds of files that can be chosen.
    pub accept: &'static str,
    /// What is wrong with what was sent.
    pub problem: String,
}

/// Something that can be chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// What travels.
    pub key: String,
    /// The words for people.
    pub label: String,
    /// Whether it is chosen.
    pub chosen: bool,
}

impl Choice {
    /// A choice; it is chosen where `key` is the `present` one.
    pub fn new(key: impl Into<String>, label: impl Into<String>, present: &str) -> Self {
        let key = key.into();
        Self { chosen: key == present, key, label: label.into() }
    }
}

impl Input {
    /// An empty input of a kind.
    pub fn new(kind: &'static str, name: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            label: label.into(),
            kind,
            value: String::new(),
            hint: String::new(),
            placeholder: String::new(),
            required: false,
            max: 0,
            autocomplete: "off",
            choices: Vec::new(),
            accept: "",
            problem: String::new(),
        }
    }

    /// A line of text.
    pub fn text(name: impl Into<String>, label: impl Into<String>) -> Self {
        Self::new("text", name, label)
    }

    /// A value that travels along unseen.
    pub fn hidden(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new("hidden", name, "").value(value)
    }

    /// A list to choose one from.
    pub fn choice(name: impl Into<String>, label: impl Into<String>, choices: Vec<Choice>) -> Self {
        Self { choices, ..Self::new("choice", name, label) }
    }

    /// Buttons to choose one from, for few choices with long words.
    pub fn radio(name: impl Into<String>, label: impl Into<String>, choices: Vec<Choice>) -> Self {
        Self { choices, ..Self::new("radio", name, label) }
    }

    /// The input that a field of an entity is edited in, with `value` in it. What can be chosen from other rows is for
    /// the caller to add.
    pub fn of(field: &Field, value: impl Into<String>) -> Self {
        let value = value.into();
        let (kind, max) = match field.kind {
            Kind::Text { max } => ("text", max),
            Kind::Lines { max } => ("lines", max),
            Kind::Html => ("html", 0),
            Kind::Integer { .. } | Kind::Year => ("number", 0),
            Kind::Flag => ("flag", 0),
            Kind::Choice(_) | Kind::Reference(_) => ("choice", 0),
            Kind::Slug => ("text", 100),
            Kind::Url => ("text", 0),
            Kind::Link => ("url", 0),
            Kind::Email => ("email", 254),
            Kind::Phone => ("phone", 0),
            Kind::Date => ("date", 0),
            Kind::DateTime | Kind::LocalDateTime => ("datetime", 0),
            Kind::Image | Kind::Document | Kind::Video | Kind::File { .. } => ("file", 0),
        };
        let accept = match field.kind {
            Kind::Image | Kind::File { pdf: false } => "image/jpeg,image/png,image/webp",
            Kind::File { pdf: true } => "image/jpeg,image/png,image/webp,application/pdf",
            Kind::Document => "application/pdf",
            Kind::Video => "video/mp4",
            _ => "",
        };
        let choices = match field.kind {
            Kind::Choice(words) => words.iter().map(|(key, label)| Choice::new(*key, *label, &value)).collect(),
            _ => Vec::new(),
        };
        Self {
            max,
            accept,
            choices,
            hint: field.hint.to_owned(),
            placeholder: field.placeholder.to_owned(),
            required: field.required,
            value,
            ..Self::new(kind, field.name, field.label)
        }
    }

    /// The same input with something in it.
    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.value = value.into();
        self
    }

    /// The same input, to be filled.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same input with a sentence below its label.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The same input with what the browser may fill in.
    #[must_use]
    pub fn autocomplete(mut self, token: &'static str) -> Self {
        self.autocomplete = token;
        self
    }
}
