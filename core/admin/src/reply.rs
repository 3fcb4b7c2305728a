//! What a screen answers: a page, the way to another one, a file.

use std::io::Seek as _;

use rocket::http::{ContentType, Status};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::fs::File;

use super::audit::Entry;
use super::input::Input;
use festival_base::error::{Error, FieldError};

/// What a screen answers.
pub enum Reply {
    /// A page.
    Page(Page),
    /// The way to another page of the back office (303).
    Redirect(Redirect),
    /// A file to be kept.
    File(Download),
    /// A page of the website, for the eyes of whoever asked.
    Website(String),
}

/// A page: its template, its title, what it shows.
pub struct Page {
    pub(super) template: &'static str,
    pub(super) title: String,
    pub(super) status: Status,
    pub(super) crumbs: Vec<Crumb>,
    pub(super) data: Map<String, Value>,
    pub(super) inputs: Vec<Input>,
    pub(super) retry_after: Option<u32>,
    pub(super) shows: Shows,
}

/// What an answer shows of the people who write to the festival.
#[derive(Default)]
pub(super) enum Shows {
    /// Nothing is said of it; fine where the screen is not about people.
    #[default]
    Unsaid,
    /// Nobody.
    Nobody,
    /// Somebody, which this line of the audit log says.
    People(Box<Entry>),
}

/// A step on the way to a page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Crumb {
    label: String,
    href: String,
}

/// The way to another page, with a message for it.
pub struct Redirect {
    pub(super) to: String,
    pub(super) flash: Option<Flash>,
    pub(super) cookie: Option<SessionCookie>,
}

/// A message that the next page shows once.
#[derive(Clone, Debug, Serialize, serde::Deserialize)]
pub(super) struct Flash {
    /// "done" or "problem".
    pub(super) kind: String,
    pub(super) text: String,
}

/// What becomes of the session's cookie.
pub(super) enum SessionCookie {
    Set(String),
    Remove,
}

/// A file to be kept. It is never shown inside a page of ours.
pub struct Download {
    pub(super) name: String,
    pub(super) content_type: ContentType,
    pub(super) body: Body,
    pub(super) shows: Shows,
}

pub(super) enum Body {
    Bytes(Vec<u8>),
    File(File, u64),
}

impl Reply {
    /// The page of the template `admin/<template>`.
    pub fn page(template: &'static str, title: impl Into<String>) -> Page {
        Page {
            template,
            title: title.into(),
            status: Status::Ok,
            crumbs: Vec::new(),
            data: Map::new(),
            inputs: Vec::new(),
            retry_after: None,
            shows: Shows::Unsaid,
        }
    }

    /// The way to `to`, a path of the back office.
    pub fn redirect(to: impl Into<String>) -> Redirect {
        Redirect { to: to.into(), flash: None, cookie: None }
    }

    /// A file in memory, offered under `name`.
    pub fn bytes(name: impl Into<String>, content_type: ContentType, bytes: Vec<u8>) -> Self {
        Self::download(name, content_type, Body::Bytes(bytes))
    }

    /// A file that was just written into `file`, offered under `name`.
    pub fn written(name: impl Into<String>, content_type: ContentType, mut file: std::fs::File) -> Result<Self, Error> {
        let length = file.stream_position()?;
        file.rewind()?;
        Ok(Self::file(name, content_type, File::from_std(file), length))
    }

    /// An open file of `length` bytes, offered under `name`.
    pub fn file(name: impl Into<String>, content_type: ContentType, file: File, length: u64) -> Self {
        Self::download(name, content_type, Body::File(file, length))
    }

    fn download(name: impl Into<String>, content_type: ContentType, body: Body) -> Self {
        Self::File(Download { name: name.into(), content_type, body, shows: Shows::Unsaid })
    }

    /// The same answer, which shows people: `entry` is written down before it leaves.
    #[must_use]
    pub fn shows_people(mut self, entry: Entry) -> Self {
        match &mut self {
            Self::Page(page) => page.shows = Shows::People(Box::new(entry)),
            Self::File(file) => file.shows = Shows::People(Box::new(entry)),
            Self::Redirect(_) | Self::Website(_) => {}
        }
        self
    }

    /// What it shows of people.
    pub(super) fn shows(&self) -> &Shows {
        match self {
            Self::Page(page) => &page.shows,
            Self::File(file) => &file.shows,
            Self::Redirect(_) => &Shows::Nobody,
            Self::Website(_) => &Shows::Unsaid,
        }
    }
}

impl Page {
    /// A page above this one: Accounts › Asha.
    #[must_use]
    pub fn crumb(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.crumbs.push(Crumb { label: label.into(), href: href.into() });
        self
    }

    /// A value for the template.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Serialize) -> Self {
        // What cannot be written as JSON is missing, and the strict template says so.
        if let Ok(value) = serde_json::to_value(value) {
            self.data.insert(name.to_owned(), value);
        }
        self
    }

    /// The inputs of its form, which the template draws with `partials/inputs`.
    #[must_use]
    pub fn inputs(mut self, inputs: impl IntoIterator<Item = Input>) -> Self {
        self.inputs.extend(inputs);
        self
    }

    /// It shows people: `entry` is written down before it leaves.
    #[must_use]
    pub fn shows_people(mut self, entry: Entry) -> Self {
        self.shows = Shows::People(Box::new(entry));
        self
    }

    /// It shows nobody of the people who write to the festival.
    #[must_use]
    pub fn shows_nobody(mut self) -> Self {
        self.shows = Shows::Nobody;
        self
    }

    /// It shows so many rows of `object`, a table: what was `asked` for is written down with their number. An empty list
    /// shows nobody.
    #[must_use]
    pub fn lists_people(self, object: &'static str, rows: usize, asked: Value) -> Self {
        if rows == 0 {
            return self.shows_nobody();
        }
        self.shows_people(Entry::new("list", object).after(json!({ "rows": rows, "asked": asked })))
    }

    /// Another status than 200.
    #[must_use]
    pub fn status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// The form again, with what was wrong: above it and at its inputs, with the status of the error. An error that is
    /// not about what was sent is passed on.
    pub fn refused(mut self, error: Error) -> Result<Self, Error> {
        let (status, retry_after) = (error.status(), error.retry_after());
        let problems = match error {
            Error::Invalid(fields) | Error::TooLarge(fields) => fields,
            Error::Conflict(words) | Error::TooMany { message: words, .. } | Error::BadRequest(words) => {
                vec![FieldError::new("", words)]
            }
            other => return Err(other),
        };
        for input in &mut self.inputs {
            if let Some(problem) = problems.iter().find(|problem| problem.field == input.name) {
                input.problem.clone_from(&problem.message);
            }
        }
        let mut page = self.with("problems", problems).status(status);
        page.retry_after = retry_after;
        Ok(page)
    }
}

impl From<Page> for Reply {
    fn from(page: Page) -> Self {
        Self::Page(page)
    }
}

impl Redirect {
    /// What the next page says: something was done.
    #[must_use]
    pub fn done(mut self, text: impl Into<String>) -> Self {
        self.flash = Some(Flash { kind: "done".into(), text: text.into() });
        self
    }

    /// What the next page says: something could not be done.
    #[must_use]
    pub fn problem(mut self, text: impl Into<String>) -> Self {
        self.flash = Some(Flash { kind: "problem".into(), text: text.into() });
        self
    }

    pub(super) fn session(mut self, cookie: SessionCookie) -> Self {
        self.cookie = Some(cookie);
        self
    }
}

impl From<Redirect> for Reply {
    fn from(redirect: Redirect) -> Self {
        Self::Redirect(redirect)
    }
}
