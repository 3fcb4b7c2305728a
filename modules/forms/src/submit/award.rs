//! Finds the award that a film is submitted for.

use festival_core::entity::{Values, trim};
use rocket::Request;

use crate::description::{FILM_FORMS, Form, extra_fields};
use crate::submissions::UNCLASSIFIED;

/// The award of a film, as far as it is known.
#[derive(Clone, Copy)]
pub(super) struct Award {
    /// The form of the award; `None` if the award is not known.
    pub(super) form: Option<&'static Form>,
    /// Where the award was found, as stored: `address`, `field`, `query`, `referer`, `answer` or `none`.
    pub(super) source: &'static str,
}

impl Award {
    /// Finds the award without the body: by the endpoint, its query, or the page that the form was on.
    pub(super) fn from_request(endpoint: Option<&'static Form>, request: &Request<'_>) -> Self {
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
        let known = |form, source| Self { form: Some(form), source };
        endpoint
            .map(|form| known(form, "address"))
            .or_else(|| of_query().map(|form| known(form, "query")))
            .or_else(|| of_referer().map(|form| known(form, "referer")))
            .unwrap_or(Self { form: None, source: "none" })
    }

    /// Finds the award with the body: its field overrides all but the endpoint; the last resort is an answer that only
    /// one form offers.
    pub(super) fn with_body(self, values: &Values) -> Self {
        let value = |name: &str| values.get(name).map_or("", |text| trim(text));
        if self.source == "address" {
            return self;
        }
        if let Some(form) = film_form(value(extra_fields::AWARD)) {
            return Self { form: Some(form), source: "field" };
        }
        if self.form.is_some() {
            return self;
        }
        let key = match value("is_first_or_second_feature") {
            "No" => "asian",
            "Indian_Panorama" => "indian",
            _ => return self,
        };
        Self { form: film_form(key), source: "answer" }
    }

    /// The stored value: the key of the award, or `unclassified`.
    pub(super) fn key(self) -> &'static str {
        self.form.map_or(UNCLASSIFIED, |form| form.key)
    }

    /// The letters that references of its films begin with.
    pub(super) fn reference_prefix(self) -> &'static str {
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
