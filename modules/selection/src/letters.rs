//! The letters about decisions: one for each outcome, in English, and in Malayalam for entries to the Malayalam award.

use festival_core::admin::audit::Entry;
use festival_core::admin::{PreviewCase, PreviewContext};
use festival_core::edition::{self, Edition};
use festival_core::mail::{FESTIVAL, Mailbox, Message, Template, Values, Variable, festival_values};
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{Registry, Result};
use serde::Serialize;
use sqlx::{AnyConnection, FromRow};

use crate::decision::OUTCOMES;
use crate::outline::{FILM_SUBMISSION, find_award, title};

const ENTRY: &[Variable] = &[
    Variable::new("sender", "The name of the sender.", "Anu Das"),
    Variable::new("film", "The title, with the original one in brackets if it is another.", "The Rain Road (മഴവഴി)"),
    Variable::new("reference", "The reference number.", "AS-2025-0001").required(),
    Variable::new("award", "The award that the film was submitted for. Empty if it is not known.", "Asian Cinema"),
    Variable::block(
        "message",
        "The words for the film-maker from the page of the decision. Empty without any.",
        "The jury was moved by the quiet of the last scene.",
    )
    .required(),
];

const CONFIRM: &[Variable] = &[Variable::block(
    "confirm",
    "Until when, and where, the film is confirmed. Empty without a last day.",
    "Please confirm by 1 October 2025 that your film can be shown: https://velicham.example/status",
)
.required()];

/// A letter, with the file of its text, the end of its name and of its subject, and its variables.
macro_rules! letter {
    ($file:literal, $name:literal, $subject:literal, $variables:expr) => {
        Template {
            key: concat!("selection-", $file),
            kind: "selection-letter",
            name: concat!("Letter: ", $name),
            when: "When a release says so, to each entry with this outcome.",
            to: "The sender of the film",
            subject: concat!("{{short_name}} {{year}}: ", $subject),
            text: include_str!(concat!("../templates/", $file, ".txt")),
            variables: $variables,
            fixed: None,
        }
    };
}

/// The letters: for each outcome one in English and one in Malayalam, in the order of [`OUTCOMES`].
static LETTERS: [Template; 6] = [
    letter!("selected", "selected", "your film has been selected", &[FESTIVAL, ENTRY, CONFIRM]),
    letter!("selected-ml", "selected (Malayalam)", "നിങ്ങളുടെ ചിത്രം തിരഞ്ഞെടുക്കപ്പെട്ടു", &[FESTIVAL, ENTRY, CONFIRM]),
    letter!("waiting", "waiting list", "your film is on the waiting list", &[FESTIVAL, ENTRY]),
    letter!("waiting-ml", "waiting list (Malayalam)", "നിങ്ങളുടെ ചിത്രം കാത്തിരിപ്പുപട്ടികയിൽ", &[FESTIVAL, ENTRY]),
    letter!("not-selected", "not selected", "about your film", &[FESTIVAL, ENTRY]),
    letter!("not-selected-ml", "not selected (Malayalam)", "നിങ്ങളുടെ ചിത്രത്തെക്കുറിച്ച്", &[FESTIVAL, ENTRY]),
];

pub(crate) fn register(registry: &mut Registry) {
    for (place, letter) in LETTERS.iter().enumerate() {
        registry.mail_with_preview(letter, move |context| latest(context, OUTCOMES[place / 2].key, place % 2 == 1));
    }
}

/// The latest decision with this outcome in the current edition, for the preview of its letter.
async fn latest(context: PreviewContext, outcome: &'static str, is_malayalam: bool) -> Result<Option<PreviewCase>> {
    if context.scope().is_limited() {
        return Ok(None);
    }
    let settings = context.site.in_force().await?;
    let mut connection = context.site.db.read().await?;
    let Some(edition) = edition::find_current(&mut connection).await? else { return Ok(None) };
    let film: Option<i64> = sqlx::query_scalar(
        "SELECT film_submission_id FROM selection_decisions WHERE edition_id = $1 AND outcome = $2 \
         AND (CASE WHEN award = 'malayalam' THEN 1 ELSE 0 END) = $3 ORDER BY id DESC LIMIT 1",
    )
    .bind(edition.id)
    .bind(outcome)
    .bind(i64::from(is_malayalam))
    .fetch_optional(&mut *connection)
    .await?;
    let Some(film) = film else { return Ok(None) };
    let decided = decided(&mut connection, edition.id, film).await?.pop();
    Ok(decided.map(|decided| PreviewCase {
        label: decided.reference.clone(),
        values: decided.values(&context.site, &settings, &edition),
        disclosure: Entry::new("view", FILM_SUBMISSION.table).id(film),
    }))
}

/// An entry with its decision, as letters and releases need it.
#[derive(Clone, Debug, FromRow, Serialize)]
pub(crate) struct Decided {
    /// Id of the entry.
    pub(crate) id: i64,
    pub(crate) reference: String,
    pub(crate) title: String,
    title_original: String,
    award_category: String,
    pub(crate) status: String,
    pub(crate) payment: String,
    name_of_submitter: String,
    pub(crate) correspondence_email: String,
    pub(crate) outcome: String,
    pub(crate) message: String,
    pub(crate) confirm_by: Option<String>,
    /// When it was prepared, which changes with every change.
    pub(crate) prepared_at: String,
    /// Number of reviews in all rounds.
    pub(crate) reviews: i64,
}

/// The decisions of an edition that are prepared and not released, in the order of outcomes and entries, without those about
/// films that were withdrawn; if `film` is not 0, only the one about this entry, released or not.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn decided(connection: &mut AnyConnection, edition: i64, film: i64) -> Result<Vec<Decided>> {
    const SQL: &str = concat!(
        "SELECT f.id, f.reference, ",
        title!(),
        " AS title, f.title_original, f.award_category, f.status, f.payment, f.name_of_submitter, \
         f.correspondence_email, d.outcome, d.message, d.confirm_by, d.prepared_at, \
         (SELECT count(*) FROM selection_reviews v WHERE v.film_submission_id = f.id) AS reviews \
         FROM selection_decisions d JOIN film_submissions f ON f.id = d.film_submission_id \
         WHERE d.edition_id = $1 AND ($2 = 0 AND d.released_at IS NULL AND f.status <> 'withdrawn' OR f.id = $2) \
         ORDER BY CASE d.outcome WHEN 'selected' THEN 0 WHEN 'waiting' THEN 1 ELSE 2 END, f.id"
    );
    Ok(sqlx::query_as(SQL).bind(edition).bind(film).fetch_all(connection).await?)
}

impl Decided {
    /// The letter about the decision.
    ///
    /// # Errors
    /// If the original text of the letter is wrong.
    pub(crate) fn letter(&self, site: &Site, settings: &Settings, edition: &Edition) -> Result<Message> {
        let place = OUTCOMES.iter().position(|state| state.key == self.outcome).unwrap_or_default();
        let letter = &LETTERS[2 * place + usize::from(self.award_category == "malayalam")];
        let contact = &settings.contact;
        let reply_to = (!contact.email.is_empty()).then(|| Mailbox::new(&settings.product.name, &contact.email));
        let to = Mailbox::new(&self.name_of_submitter, &self.correspondence_email);
        letter.message((settings, &self.values(site, settings, edition)), (to, reply_to), site.clock.now())
    }

    /// The values of the variables of its letter.
    fn values(&self, site: &Site, settings: &Settings, edition: &Edition) -> Values {
        let film = match self.title_original.as_str() {
            original if original.is_empty() || original == self.title => self.title.clone(),
            original => format!("{} ({original})", self.title),
        };
        let page = site.hosts.public_url().map_or(".".to_owned(), |url| format!(": {url}/status"));
        let confirm = self.confirm_by.as_deref().map(edition::day_text).map_or(String::new(), |day| {
            match self.award_category == "malayalam" {
                true => format!("{day}-നകം സ്ഥിരീകരിക്കുക{page}"),
                false => format!("Please confirm by {day} that your film can be shown{page}"),
            }
        });
        let mut values = festival_values(settings, &edition.name, edition.year);
        values.extend([
            ("sender", self.name_of_submitter.clone()),
            ("film", film),
            ("reference", self.reference.clone()),
            ("award", find_award(&self.award_category).unwrap_or_default().to_owned()),
            ("message", self.message.clone()),
            ("confirm", confirm),
        ]);
        values
    }
}
