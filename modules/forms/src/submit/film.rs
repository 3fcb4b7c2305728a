//! Receives films.

use std::sync::Arc;

use festival_core::entity::{Datum, trim};
use festival_core::post::{Receiver, Reply};
use festival_core::site::Site;
use festival_core::{Error, Result, http};
use rocket::{Data, Request};

use super::award::Award;
use super::hash::{payload, plain};
use super::intake::{Intake, accepts, current_edition};
use super::new_submission::NewSubmission;
use super::staged;
use crate::description::{FILM_FORMS, FILM_SUBMISSION, Form, beside, texts};

/// Receives films at one address.
pub(crate) struct ReceiveFilm {
    pub(crate) intake: Arc<Intake>,
    /// The award that the address stands for, if it does.
    pub(crate) award: Option<&'static Form>,
}

const BESIDE: [&str; 6] =
    [beside::AWARD, beside::DECLARED_FEATURE, beside::CONSENT, beside::NOTICE, beside::TRAP, beside::ELAPSED];

#[rocket::async_trait]
impl Receiver for ReceiveFilm {
    async fn admit(&self, site: &Site, request: &Request<'_>) -> Result<()> {
        let outside = Award::outside(self.award, request);
        // What the body says may still change the award, unless the address has said it.
        match outside.form.filter(|_| outside.source == "address") {
            Some(form) => self.intake.admit(site, request, &[form]).await,
            None => self.intake.admit(site, request, &FILM_FORMS).await,
        }
    }

    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Reply> {
        let outside = Award::outside(self.award, request);
        let received = http::receive_multipart(site, request, data, &accepts(&FILM_SUBMISSION, &BESIDE)).await?;
        let award = outside.with(&received.values);
        let now = site.clock.now();
        let began = Intake::began(site, request);
        let settings = Intake::settings(site).await?;
        let uploads = staged::find(site, request, &FILM_SUBMISSION, &settings).await?;
        let files = staged::files_of(received.files, uploads);
        if award.form.is_some_and(|form| settings.is_closed(form.key, began, &site.time_zone)) {
            return Err(Error::Closed(texts::CLOSED.into()));
        }
        let checked = Intake::check(site, &settings, &FILM_SUBMISSION, award.form, &received.values, &files)?;
        let edition = current_edition(site).await?;
        let over =
            award.form.and_then(|form| settings.closes_at(form.key, &site.time_zone)).is_some_and(|end| began > end);
        let today = began.to_zoned(site.time_zone.clone()).date().to_string();
        let is_late = over || edition.submission_deadline.as_ref().is_some_and(|last_day| today > *last_day);
        let mut draft = NewSubmission {
            entity: &FILM_SUBMISSION,
            prefix: award.prefix(),
            edition,
            payload_hash: payload(&received.values, &files, beside::ELAPSED),
            is_quarantined: Intake::is_suspicious(&settings, &received.values),
            consent: Intake::consent(site, &settings, &FILM_SUBMISSION, &received.values, &checked).await?,
            own_columns: vec![
                ("award_category", Datum::Text(award.key().into())),
                ("category_source", Datum::Text(award.source.into())),
                ("declared_feature_label", declared_feature(award, &received.values)),
            ],
            files,
            over_long: checked.over_long,
            findings: checked.findings,
            record: checked.record,
            sender: Default::default(),
            title: String::new(),
            subject: Vec::new(),
            is_late,
            now,
        };
        draft.sender = (draft.text("name_of_submitter").into(), draft.text("correspondence_email").into());
        draft.title = draft.text("title_english").into();
        draft.subject = ["title_english", "title_original", "director_name"].map(|name| plain(draft.text(name))).into();
        let remarks = Intake::remarks(&draft.files);
        Intake::receipt(site, Intake::keep(site, &settings, request, draft).await?, remarks)
    }
}

/// The label that was chosen, where the form has two labels for one value.
fn declared_feature(award: Award, values: &festival_core::entity::Values) -> Datum {
    let field = FILM_SUBMISSION.field("is_first_or_second_feature");
    let Some(choices) = award.form.zip(field).and_then(|(form, field)| form.choices(field)) else { return Datum::Null };
    let sent = |name: &str| values.get(name).map_or("", |text| trim(text));
    let (label, value) = (sent(beside::DECLARED_FEATURE), sent("is_first_or_second_feature"));
    let chosen = choices
        .iter()
        .find(|choice| choice.label == label && (choice.value == value || choice.label == value))
        // An older client may send the label where the value belongs.
        .or_else(|| choices.iter().find(|choice| choice.label == value && choice.value != value));
    chosen.map_or(Datum::Null, |choice| Datum::Text(choice.label.to_owned()))
}
