//! Which award a film is submitted for, and how that was found.

use festival_core::entity::{Values, trim};
use rocket::Request;

use crate::description::{FILM_FORMS, Form, beside};

/// The award as far as it is known.
#[derive(Clone, Copy)]
pub(crate) struct Award {
    /// The award's form; `None`: it could not be told.
    pub(crate) form: Option<&'static Form>,
    /// How it was found: `address`, `field`, `query`, `referer`, `answer`, `none`.
    pub(crate) source: &'static str,
}

impl Award {
    /// What is known before the body is read: from the address, its query, the page that the form stood on.
    pub(crate) fn outside(address: Option<&'static Form>, request: &Request<'_>) -> Self {
        let of_query = || {
            let query = request.uri().query()?;
            let (_, value) = query.segments().find(|(name, _)| *name == "category")?;
            film_form(value)
        };
        let of_referer = || {
            let referer = request.headers().get_one("Referer")?;
            let path = referer.split(['?', '#']).next()?.trim_end_matches('/');
            FILM_FORMS.into_iter().find(|form| path.ends_with(form.path))
        };
        let found = |form, source| Self { form: Some(form), source };
        address
            .map(|form| found(form, "address"))
            .or_else(|| of_query().map(|form| found(form, "query")))
            .or_else(|| of_referer().map(|form| found(form, "referer")))
            .unwrap_or(Self { form: None, source: "none" })
    }

    /// What is known with the body: its field first, a telling answer last.
    pub(crate) fn with(self, values: &Values) -> Self {
        let value = |name: &str| values.get(name).map_or("", |text| trim(text));
        if self.source == "address" {
            return self;
        }
        if let Some(form) = film_form(value(beside::AWARD)) {
            return Self { form: Some(form), source: "field" };
        }
        if self.form.is_some() {
            return self;
        }
        let telling = match value("is_first_or_second_feature") {
            "No" => "asian",
            "Indian_Panorama" => "indian",
            _ => return self,
        };
        Self { form: film_form(telling), source: "answer" }
    }

    /// What is kept: the award's key, or `unclassified`.
    pub(crate) fn key(self) -> &'static str {
        self.form.map_or("unclassified", |form| form.key)
    }

    /// The letters in front of the numbers.
    pub(crate) fn prefix(self) -> &'static str {
        match self.key() {
            "asian" => "AS",
            "indian" => "IN",
            "malayalam" => "ML",
            _ => "FS",
        }
    }
}

fn film_form(key: &str) -> Option<&'static Form> {
    FILM_FORMS.into_iter().find(|form| form.key.eq_ignore_ascii_case(key.trim()))
}
