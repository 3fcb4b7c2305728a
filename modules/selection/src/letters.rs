//! The letters about decisions: one for each outcome, in English, and in Malayalam for entries to the Malayalam award.

use festival_core::admin::audit::Entry;
use festival_core::admin::{PreviewCase, PreviewContext};
use festival_core::edition::{self, Edition};
use festival_core::mail::{Mailbox, Message, Template, Values, Variable};
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{Registry, Result};
use sqlx::{AnyConnection, FromRow};

use crate::outline::{FILM_SUBMISSION, award_name};

const FESTIVAL: &[Variable] = &[
    Variable::new("festival", "The name of the edition.", "20th Velicham International Film Festival"),
    Variable::new("short_name", "The short name of the festival.", "Velicham"),
    Variable::new("year", "The year of the edition.", "2025"),
    Variable::block(
        "signature",
        "The full name of the festival, and how to reach the office: from the settings, Contact.",
        "Velicham International Film Festival\noffice@velicham.example\n+91 484 000 0000",
    ),
];

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

const WHEN: &str = "When a release says so, to each entry with this outcome.";
const KIND: &str = "selection-letter";

const fn letter(
    key: &'static str,
    name: &'static str,
    subject: &'static str,
    text: &'static str,
    variables: &'static [&'static [Variable]],
) -> Template {
    Template { key, kind: KIND, name, when: WHEN, to: "The sender of the film", subject, text, variables, fixed: None }
}

const SELECTED_VARIABLES: &[&[Variable]] = &[FESTIVAL, ENTRY, CONFIRM];
const OTHER_VARIABLES: &[&[Variable]] = &[FESTIVAL, ENTRY];

/// The letters, each with its outcome and whether it is in Malayalam.
static LETTERS: [(&str, bool, Template); 6] = [
    (
        "selected",
        false,
        letter(
            "selection-selected",
            "Letter: selected",
            "{{short_name}} {{year}}: your film has been selected",
            include_str!("../templates/selected.txt"),
            SELECTED_VARIABLES,
        ),
    ),
    (
        "selected",
        true,
        letter(
            "selection-selected-ml",
            "Letter: selected (Malayalam)",
            "{{short_name}} {{year}}: നിങ്ങളുടെ ചിത്രം തിരഞ്ഞെടുക്കപ്പെട്ടു",
            include_str!("../templates/selected-ml.txt"),
            SELECTED_VARIABLES,
        ),
    ),
    (
        "waiting",
        false,
        letter(
            "selection-waiting",
            "Letter: waiting list",
            "{{short_name}} {{year}}: your film is on the waiting list",
            include_str!("../templates/waiting.txt"),
            OTHER_VARIABLES,
        ),
    ),
    (
        "waiting",
        true,
        letter(
            "selection-waiting-ml",
            "Letter: waiting list (Malayalam)",
            "{{short_name}} {{year}}: നിങ്ങളുടെ ചിത്രം കാത്തിരിപ്പുപട്ടികയിൽ",
            include_str!("../templates/waiting-ml.txt"),
            OTHER_VARIABLES,
        ),
    ),
    (
        "not_selected",
        false,
        letter(
            "selection-not-selected",
            "Letter: not selected",
            "{{short_name}} {{year}}: about your film",
            include_str!("../templates/not-selected.txt"),
            OTHER_VARIABLES,
        ),
    ),
    (
        "not_selected",
        true,
        letter(
            "selection-not-selected-ml",
            "Letter: not selected (Malayalam)",
            "{{short_name}} {{year}}: നിങ്ങളുടെ ചിത്രത്തെക്കുറിച്ച്",
            include_str!("../templates/not-selected-ml.txt"),
            OTHER_VARIABLES,
        ),
    ),
];

pub(crate) fn register(registry: &mut Registry) {
    for (outcome, is_malayalam, template) in &LETTERS {
        registry.mail_with_preview(template, move |context| latest(context, outcome, *is_malayalam));
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
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Decided {
    /// Id of the entry.
    pub(crate) id: i64,
    pub(crate) reference: String,
    pub(crate) title_english: String,
    pub(crate) title_original: String,
    pub(crate) award_category: String,
    pub(crate) status: String,
    pub(crate) payment: String,
    pub(crate) name_of_submitter: String,
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
    Ok(sqlx::query_as(
        "SELECT f.id, f.reference, f.title_english, f.title_original, f.award_category, f.status, f.payment, \
         f.name_of_submitter, f.correspondence_email, d.outcome, d.message, d.confirm_by, d.prepared_at, \
         (SELECT count(*) FROM selection_reviews v WHERE v.film_submission_id = f.id) AS reviews \
         FROM selection_decisions d JOIN film_submissions f ON f.id = d.film_submission_id \
         WHERE d.edition_id = $1 AND ($2 = 0 AND d.released_at IS NULL AND f.status <> 'withdrawn' OR f.id = $2) \
         ORDER BY CASE d.outcome WHEN 'selected' THEN 0 WHEN 'waiting' THEN 1 ELSE 2 END, f.id",
    )
    .bind(edition)
    .bind(film)
    .fetch_all(connection)
    .await?)
}

impl Decided {
    pub(crate) fn title(&self) -> &str {
        [&self.title_english, &self.title_original].into_iter().find(|it| !it.is_empty()).unwrap_or(&self.reference)
    }

    fn is_malayalam(&self) -> bool {
        self.award_category == "malayalam"
    }

    /// The letter about the decision.
    ///
    /// # Errors
    /// If the original text of the letter is wrong.
    pub(crate) fn letter(&self, site: &Site, settings: &Settings, edition: &Edition) -> Result<Message> {
        let is_it = |(outcome, malayalam, _): &&(&str, bool, Template)| {
            *outcome == self.outcome && *malayalam == self.is_malayalam()
        };
        let (_, _, template) = LETTERS.iter().find(is_it).unwrap_or(&LETTERS[4]);
        let contact = &settings.contact;
        let reply_to = (!contact.email.is_empty()).then(|| Mailbox::new(&settings.product.name, &contact.email));
        let to = Mailbox::new(&self.name_of_submitter, &self.correspondence_email);
        let values = self.values(site, settings, edition);
        template.message((settings, &values), (to, reply_to), site.clock.now())
    }

    /// The values of the variables of its letter.
    fn values(&self, site: &Site, settings: &Settings, edition: &Edition) -> Values {
        let title = self.title();
        let film = match self.title_original.as_str() {
            original if original.is_empty() || original == title => title.to_owned(),
            original => format!("{title} ({original})"),
        };
        let page = site.hosts.public_url().map_or(".".to_owned(), |url| format!(": {url}/status"));
        let confirm = self.confirm_by.as_ref().map_or(String::new(), |day| {
            let day = edition::day_text(day);
            match self.is_malayalam() {
                true => format!("{day}-നകം സ്ഥിരീകരിക്കുക{page}"),
                false => format!("Please confirm by {day} that your film can be shown{page}"),
            }
        });
        let award = match award_name(&self.award_category) {
            "not known" => "",
            name => name,
        };
        let contact = &settings.contact;
        let signature = [&settings.product.full_name, &contact.email, &contact.phone];
        let signature: Vec<&str> = signature.into_iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
        Values::from([
            ("festival", edition.name.clone()),
            ("short_name", settings.product.name.clone()),
            ("year", edition.year.to_string()),
            ("signature", signature.join("\n")),
            ("sender", self.name_of_submitter.clone()),
            ("film", film),
            ("reference", self.reference.clone()),
            ("award", award.to_owned()),
            ("message", self.message.clone()),
            ("confirm", confirm),
        ])
    }
}
