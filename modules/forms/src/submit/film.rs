//! Receives films.

use std::sync::Arc;

use rocket::{Data, Request};

use super::intake::Intake;
use super::new_submission::normalized;
use super::received::ReceivedForm;
use crate::description::{FILM_FORMS, FILM_SUBMISSION, Form, extra_fields, texts};
use crate::payment_settings::Fees;
use crate::submissions::{self, UNCLASSIFIED};
use festival_core::entity::Datum;
use festival_core::post::Receiver;
use festival_core::site::Site;
use festival_core::{Error, Result};

/// Receives films at one endpoint.
pub(crate) struct FilmReceiver {
    pub(crate) intake: Arc<Intake>,
    /// The award that the endpoint is for; `None` if it is for all of them.
    pub(crate) award: Option<&'static Form>,
}

#[rocket::async_trait]
impl Receiver<Site> for FilmReceiver {
    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Vec<u8>> {
        // The body may still change the award, unless the endpoint is for one award.
        match self.award {
            Some(form) => self.intake.admit(site, request, &[form]).await?,
            None => self.intake.admit(site, request, &FILM_FORMS).await?,
        }
        let form = ReceivedForm::receive(site, request, data, submissions::film()).await?;
        let started_at = form.started_at;
        let award = Award::from_request(self.award, request).with_body(&form);
        if award.form.is_some_and(|award| form.settings.is_closed(award.key, started_at, &site.time_zone)) {
            return Err(Error::Closed(texts::CLOSED.into()));
        }
        let valid = form.validate(award.form)?;
        let declared_feature = declared_feature(award, &form);
        let fees = Fees::of(&form.in_force);
        let is_after_closing =
            award.form.is_some_and(|award| form.settings.is_late(award.key, started_at, &site.time_zone));
        let mut submission = form.submission(valid, award.reference_prefix()).await?;
        let today = started_at.to_zoned(site.time_zone.clone()).date().to_string();
        let deadline = submission.edition.submission_deadline.as_ref();
        submission.is_late = is_after_closing || deadline.is_some_and(|last_day| today > *last_day);
        submission.own_columns.extend([
            ("award_category", Datum::Text(award.key().into())),
            ("category_source", Datum::Text(award.source.into())),
            ("declared_feature_label", declared_feature),
        ]);
        submission.charge(&fees, fees.film_submission_inr, Some(fees.film_submission_usd));
        submission.subject =
            ["title_english", "title_original", "director_name"].map(|name| normalized(submission.text(name))).into();
        submission.store_and_reply(request).await
    }
}

/// Returns the label that was chosen for a value that two labels share.
fn declared_feature(award: Award, sent: &ReceivedForm<'_>) -> Datum {
    let field = FILM_SUBMISSION.field("is_first_or_second_feature");
    let Some(choices) = award.form.zip(field).and_then(|(form, field)| form.choices(field)) else { return Datum::Null };
    let (label, value) = (sent.text(extra_fields::DECLARED_FEATURE), sent.text("is_first_or_second_feature"));
    let chosen = choices
        .iter()
        .find(|choice| choice.label == label && (choice.value == value || choice.label == value))
        // An older client may send the label in place of the value.
        .or_else(|| choices.iter().find(|choice| choice.label == value && choice.value != value));
    chosen.map_or(Datum::Null, |choice| Datum::Text(choice.label.to_owned()))
}

/// The award of a film, as far as it is known.
#[derive(Clone, Copy)]
struct Award {
    /// The form of the award; `None` if the award is not known.
    form: Option<&'static Form>,
    /// Where the award was found, as stored: `address`, `field`, `query`, `referer`, `answer` or `none`.
    source: &'static str,
}

impl Award {
    /// Finds the award without the body: by the endpoint, its query, or the page that the form was on.
    fn from_request(endpoint: Option<&'static Form>, request: &Request<'_>) -> Self {
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
    fn with_body(self, sent: &ReceivedForm<'_>) -> Self {
        if self.source == "address" {
            return self;
        }
        if let Some(form) = film_form(sent.text(extra_fields::AWARD)) {
            return Self { form: Some(form), source: "field" };
        }
        if self.form.is_some() {
            return self;
        }
        let key = match sent.text("is_first_or_second_feature") {
            "No" => "asian",
            "Indian_Panorama" => "indian",
            _ => return self,
        };
        Self { form: film_form(key), source: "answer" }
    }

    /// The stored value: the key of the award, or `unclassified`.
    fn key(self) -> &'static str {
        self.form.map_or(UNCLASSIFIED, |form| form.key)
    }

    /// The letters that references of its films begin with.
    fn reference_prefix(self) -> &'static str {
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
