//! The replies of a screen: a page, a redirect, a download.

use std::borrow::Cow;
use std::io::Seek as _;

use rocket::http::{ContentType, Status};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::fs::File;

use crate::audit::Entry;
use crate::serving::input::Input;
use festival_base::error::{Error, FieldError};
use festival_files::media::{Content, OpenFile};

/// The reply of a screen.
#[must_use]
pub enum Reply {
    /// A page.
    Page(Page),
    /// A redirect (303) to another page of the back office.
    Redirect(Redirect),
    /// A file to download.
    File(Download),
    /// The HTML of a page of the website, as a preview.
    Website(String),
}

/// A page: template, title and data.
#[must_use]
pub struct Page {
    pub(crate) template: Cow<'static, str>,
    pub(crate) title: String,
    pub(crate) status: Status,
    pub(crate) crumbs: Vec<Crumb>,
    pub(crate) data: Map<String, Value>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) retry_after: Option<u32>,
    pub(crate) disclosure: Disclosure,
}

/// Links to other pages, for the template `partials/pager`.
pub(crate) struct PageLinks {
    pub(crate) newest: Option<String>,
    pub(crate) older: Option<String>,
}

/// Which personal data of people who write to the festival a reply discloses.
#[derive(Default)]
pub(crate) enum Disclosure {
    /// Not declared; allowed only where the resource of the screen is not personal.
    #[default]
    Undeclared,
    /// No personal data.
    Nobody,
    /// Personal data; this entry goes into the audit log first.
    People(Box<Entry>),
}

/// A breadcrumb.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Crumb {
    label: String,
    href: String,
}

/// A redirect, with an optional flash message.
#[must_use]
pub struct Redirect {
    pub(crate) to: String,
    pub(crate) flash: Option<Flash>,
    pub(crate) cookie: Option<SessionCookie>,
}

/// A flash message: the next page shows it once.
#[derive(Clone, Debug, Serialize, serde::Deserialize)]
pub(crate) struct Flash {
    /// "done" or "problem".
    pub(crate) kind: String,
    pub(crate) text: String,
    /// A link to continue with, if there is one.
    #[serde(default)]
    pub(crate) link: Option<FlashLink>,
}

/// A link of a flash message.
#[derive(Clone, Debug, Serialize, serde::Deserialize)]
pub(crate) struct FlashLink {
    pub(crate) href: String,
    pub(crate) label: String,
}

/// A change of the session cookie.
pub(crate) enum SessionCookie {
    Set(String),
    Remove,
}

/// A file to download; it is never displayed inline.
pub struct Download {
    pub(crate) name: String,
    pub(crate) content_type: ContentType,
    pub(crate) body: Body,
    pub(crate) disclosure: Disclosure,
}

pub(crate) enum Body {
    Bytes(Vec<u8>),
    Stream(Content, u64),
}

impl Reply {
    /// Creates a page from the template `admin/<template>`.
    pub fn page(template: impl Into<Cow<'static, str>>, title: impl Into<String>) -> Page {
        Page {
            template: template.into(),
            title: title.into(),
            status: Status::Ok,
            crumbs: Vec::new(),
            data: Map::new(),
            inputs: Vec::new(),
            retry_after: None,
            disclosure: Disclosure::Undeclared,
        }
    }

    /// Creates a redirect to `to`, a path of the back office.
    pub fn redirect(to: impl Into<String>) -> Redirect {
        Redirect { to: to.into(), flash: None, cookie: None }
    }

    /// Offers bytes in memory for download under `name`.
    pub fn bytes(name: impl Into<String>, content_type: ContentType, bytes: Vec<u8>) -> Self {
        Self::download(name, content_type, Body::Bytes(bytes))
    }

    /// Offers a temporary file that was just written for download under `name`.
    ///
    /// # Errors
    /// If the file cannot be rewound.
    pub fn written(name: impl Into<String>, content_type: ContentType, mut file: std::fs::File) -> Result<Self, Error> {
        let length = file.stream_position()?;
        file.rewind()?;
        Ok(Self::download(name, content_type, Body::Stream(Box::new(File::from_std(file)), length)))
    }

    /// Offers a stored file for download under `name`.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer.
    pub async fn file(name: impl Into<String>, content_type: ContentType, file: OpenFile) -> Result<Self, Error> {
        let length = file.length();
        Ok(Self::download(name, content_type, Body::Stream(file.content().await?, length)))
    }

    fn download(name: impl Into<String>, content_type: ContentType, body: Body) -> Self {
        Self::File(Download { name: name.into(), content_type, body, disclosure: Disclosure::Undeclared })
    }

    /// Declares that the reply discloses personal data: `entry` is recorded in the audit log before it is sent.
    pub fn shows_people(mut self, entry: Entry) -> Self {
        match &mut self {
            Self::Page(page) => page.disclosure = Disclosure::People(Box::new(entry)),
            Self::File(file) => file.disclosure = Disclosure::People(Box::new(entry)),
            Self::Redirect(_) | Self::Website(_) => {}
        }
        self
    }

    /// Declares that the reply discloses no personal data.
    pub fn shows_nobody(mut self) -> Self {
        match &mut self {
            Self::Page(page) => page.disclosure = Disclosure::Nobody,
            Self::File(file) => file.disclosure = Disclosure::Nobody,
            Self::Redirect(_) | Self::Website(_) => {}
        }
        self
    }

    /// The declared disclosure; a redirect discloses nobody.
    pub(crate) fn disclosure(&self) -> &Disclosure {
        match self {
            Self::Page(page) => &page.disclosure,
            Self::File(file) => &file.disclosure,
            Self::Redirect(_) => &Disclosure::Nobody,
            Self::Website(_) => &Disclosure::Undeclared,
        }
    }
}

impl Page {
    /// Adds a breadcrumb: Accounts › Asha.
    pub fn crumb(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.crumbs.push(Crumb { label: label.into(), href: href.into() });
        self
    }

    /// Adds a value to the data of the template.
    pub fn with(mut self, name: &'static str, value: impl Serialize) -> Self {
        // A value that cannot be serialized is missing, and the strict template fails.
        if let Ok(value) = serde_json::to_value(value) {
            self.data.insert(name.to_owned(), value);
        }
        self
    }

    /// Adds inputs of the form, rendered by `partials/inputs`.
    pub fn inputs(mut self, inputs: impl IntoIterator<Item = Input>) -> Self {
        self.inputs.extend(inputs);
        self
    }

    /// Declares that the page discloses personal data: `entry` is recorded in the audit log before it is sent.
    pub fn shows_people(mut self, entry: Entry) -> Self {
        self.disclosure = Disclosure::People(Box::new(entry));
        self
    }

    /// Declares that the page discloses no personal data.
    pub fn shows_nobody(mut self) -> Self {
        self.disclosure = Disclosure::Nobody;
        self
    }

    /// Declares that the page lists `rows` rows of the table `object`: the audit log records their number and the
    /// `query`. An empty list discloses nobody.
    pub fn lists_people(self, object: &'static str, rows: usize, query: Value) -> Self {
        if rows == 0 {
            return self.shows_nobody();
        }
        self.shows_people(Entry::new("list", object).after(json!({ "rows": rows, "query": query })))
    }

    /// Adds the links to other pages of a list.
    pub(crate) fn paged(self, links: PageLinks) -> Self {
        self.with("newest", links.newest).with("older", links.older)
    }

    /// Sets a status other than 200.
    pub fn status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// Shows the form again with the messages of `error`, above it and at its inputs, and with the status of the error.
    ///
    /// # Errors
    /// Returns `error` itself if it is not about the submitted form.
    pub fn refused(mut self, error: Error) -> Result<Self, Error> {
        let (status, retry_after) = (error.status(), error.retry_after());
        let problems = match error {
            Error::Invalid(fields) | Error::TooLarge(fields) => fields,
            Error::Conflict(message) | Error::TooMany { message, .. } | Error::BadRequest(message) => {
                vec![FieldError::new("", message)]
            }
            other => return Err(other),
        };
        for input in &mut self.inputs {
            if let Some(problem) = problems.iter().find(|problem| problem.field == input.name) {
                input.problem.clone_from(&problem.message);
            }
        }
        self.data.values_mut().for_each(|value| explain(value, &problems));
        let mut page = self.with("problems", problems).status(status);
        page.retry_after = retry_after;
        Ok(page)
    }
}

/// Sets the messages of the inputs that the data of a template holds.
fn explain(value: &mut Value, problems: &[FieldError]) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| explain(value, problems)),
        Value::Object(input) => {
            let name = input.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
            let problem = problems.iter().find(|problem| Some(problem.field.as_str()) == name);
            if let (Some(problem), Some(message)) = (problem, input.get_mut("problem")) {
                *message = problem.message.as_str().into();
            }
            input.values_mut().for_each(|value| explain(value, problems));
        }
        _ => {}
    }
}

impl From<Page> for Reply {
    fn from(page: Page) -> Self {
        Self::Page(page)
    }
}

impl Redirect {
    /// Sets the flash message of a success.
    pub fn done(mut self, text: impl Into<String>) -> Self {
        self.flash = Some(Flash { kind: "done".into(), text: text.into(), link: None });
        self
    }

    /// Sets the flash message of a failure.
    pub fn problem(mut self, text: impl Into<String>) -> Self {
        self.flash = Some(Flash { kind: "problem".into(), text: text.into(), link: None });
        self
    }

    /// Adds a link to the flash message, to a page of the back office.
    pub fn link(mut self, href: impl Into<String>, label: impl Into<String>) -> Self {
        if let Some(flash) = &mut self.flash {
            flash.link = Some(FlashLink { href: href.into(), label: label.into() });
        }
        self
    }

    pub(crate) fn session(mut self, cookie: SessionCookie) -> Self {
        self.cookie = Some(cookie);
        self
    }
}

impl From<Redirect> for Reply {
    fn from(redirect: Redirect) -> Self {
        Self::Redirect(redirect)
    }
}
