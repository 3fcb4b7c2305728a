//! The letters about decisions: one for each outcome, in English, and in Malayalam for entries to the Malayalam award.

use festival_core::admin::audit::Entry;
use festival_core::admin::{PreviewCase, PreviewContext};
use festival_core::edition::{self, Edition};
use festival_core::mail::{FESTIVAL, Mailbox, Message, Template, Values, Variable, festival_values};
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{Registry, Result};
use serde::Serialize;
use serde_json::Value;
use sqlx::{AnyConnection, FromRow};

use crate::decision::OUTCOMES;
use crate::outline::{FILM_SUBMISSION, find_award, title};
use crate::status::{KEEP_SECRET, without_secret};

const ENTRY: &[Variable] = &[
    Variable::new("sender", "The name of the sender.", "Anu Das"),
    Variable::new("film", "The title, with the original one in brackets if it is another.", "The Rain Road (മഴവഴി)"),
    Variable::new("reference", "The reference number.", "AS-2025-0001").required(),
    Variable::new("award", "The award that the film was submitted for. Empty if it is not known.", "Asian Cinema"),
];

const MESSAGE: &[Variable] = &[Variable::block(
    "message",
    "The words for the film-maker from the page of the decision. Empty without any.",
    "The jury was moved by the quiet of the last scene.",
)
.required()];

const CONFIRM: &[Variable] = &[Variable::block(
    "confirm",
    "Until when, and by which secret link, the film is confirmed.",
    "Please confirm by 1 October 2025 that your film can be shown: https://velicham.example/status?key=5f0c…\nWhoever has this link sees what you sent. Keep it to yourself.",
)
.required()];

const SELECTED: &[&[Variable]] = &[FESTIVAL, ENTRY, MESSAGE, CONFIRM];
const OTHERS: &[&[Variable]] = &[FESTIVAL, ENTRY, MESSAGE];
const REMINDED: &[&[Variable]] = &[FESTIVAL, ENTRY, CONFIRM];

const ON_RELEASE: &str = "When a release says so, to each entry with this outcome.";
const ON_REMINDER: &str = "Three days before the last day to confirm, once, to each selected entry without an answer.";

/// A letter, with the file of its text, the end of its name and of its subject, its variables, and when it is sent.
macro_rules! letter {
    ($file:literal, $name:literal, $subject:literal, $variables:expr, $when:expr) => {
        Template {
            key: concat!("selection-", $file),
            kind: "selection-letter",
            name: concat!("Letter: ", $name),
            when: $when,
            to: "The sender of the film",
            subject: concat!("{{short_name}} {{year}}: ", $subject),
            text: include_str!(concat!("../templates/", $file, ".txt")),
            variables: $variables,
            fixed: None,
        }
    };
}

/// The letters in English and in Malayalam: for each outcome, in the order of [`OUTCOMES`], and the [`REMINDER`].
static LETTERS: [[Template; 2]; 4] = [
    [
        letter!("selected", "selected", "your film has been selected", SELECTED, ON_RELEASE),
        letter!("selected-ml", "selected (Malayalam)", "നിങ്ങളുടെ ചിത്രം തിരഞ്ഞെടുക്കപ്പെട്ടു", SELECTED, ON_RELEASE),
    ],
    [
        letter!("waiting", "waiting list", "your film is on the waiting list", OTHERS, ON_RELEASE),
        letter!("waiting-ml", "waiting list (Malayalam)", "നിങ്ങളുടെ ചിത്രം കാത്തിരിപ്പുപട്ടികയിൽ", OTHERS, ON_RELEASE),
    ],
    [
        letter!("not-selected", "not selected", "about your film", OTHERS, ON_RELEASE),
        letter!("not-selected-ml", "not selected (Malayalam)", "നിങ്ങളുടെ ചിത്രത്തെക്കുറിച്ച്", OTHERS, ON_RELEASE),
    ],
    [
        letter!("reminder", "reminder", "please confirm your film", REMINDED, ON_REMINDER),
        letter!("reminder-ml", "reminder (Malayalam)", "നിങ്ങളുടെ ചിത്രം ദയവായി സ്ഥിരീകരിക്കുക", REMINDED, ON_REMINDER),
    ],
];
const REMINDER: usize = 3;

pub(crate) fn register(registry: &mut Registry) {
    for (place, letters) in LETTERS.iter().enumerate() {
        // The reminder is about a selected entry.
        let outcome = OUTCOMES.get(place).unwrap_or(&OUTCOMES[0]).key;
        for (letter, is_malayalam) in letters.iter().zip([false, true]) {
            registry.mail_with_preview(letter, move |context| latest(context, outcome, is_malayalam));
        }
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
    let letters = Letters { site: &context.site, settings: &settings, edition: &edition };
    Ok(decided.map(|decided| PreviewCase {
        label: decided.reference.clone(),
        values: letters.values(&decided, without_secret(&context.site)),
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

impl Decided {
    fn is_malayalam(&self) -> bool {
        self.award_category == "malayalam"
    }
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

/// What letters about decisions are written with.
#[derive(Clone, Copy)]
pub(crate) struct Letters<'a> {
    pub(crate) site: &'a Site,
    /// Settings in force.
    pub(crate) settings: &'a Settings,
    pub(crate) edition: &'a Edition,
}

impl Letters<'_> {
    /// The letter about a decision. `link` opens the status page.
    ///
    /// # Errors
    /// If the original text of the letter is wrong.
    pub(crate) fn decision(&self, about: &Decided, link: Option<String>) -> Result<Message> {
        let place = OUTCOMES.iter().position(|state| state.key == about.outcome).unwrap_or_default();
        self.compose(place, about, link)
    }

    /// The letter as previews show it, without a secret.
    ///
    /// # Errors
    /// If the original text of the letter is wrong.
    pub(crate) fn preview(&self, about: &Decided) -> Result<Value> {
        Ok(self.decision(about, without_secret(self.site))?.preview())
    }

    /// The letter that asks once more to confirm.
    ///
    /// # Errors
    /// If the original text of the letter is wrong.
    pub(crate) fn reminder(&self, about: &Decided, link: Option<String>) -> Result<Message> {
        self.compose(REMINDER, about, link)
    }

    fn compose(&self, place: usize, about: &Decided, link: Option<String>) -> Result<Message> {
        let letter = &LETTERS[place][usize::from(about.is_malayalam())];
        let (product, contact) = (&self.settings.product, &self.settings.contact);
        let reply_to = (!contact.email.is_empty()).then(|| Mailbox::new(&product.name, &contact.email));
        let to = Mailbox::new(&about.name_of_submitter, &about.correspondence_email);
        letter.message((self.settings, &self.values(about, link)), (to, reply_to), self.site.clock.now())
    }

    /// The values of the variables of a letter.
    fn values(&self, about: &Decided, link: Option<String>) -> Values {
        let Self { settings, edition, .. } = self;
        let film = match about.title_original.as_str() {
            original if original.is_empty() || original == about.title => about.title.clone(),
            original => format!("{} ({original})", about.title),
        };
        let day = about.confirm_by.as_deref().map(edition::day_text);
        let by = |before, after| day.as_ref().map_or(String::new(), |day| format!("{before}{day}{after} "));
        let (request, keep_secret) = match about.is_malayalam() {
            true => (
                format!("നിങ്ങളുടെ ചിത്രം പ്രദർശിപ്പിക്കാനാകുമെന്ന് {}ദയവായി സ്ഥിരീകരിക്കുക", by("", "-നകം")),
                "ഈ ലിങ്ക് കൈവശമുള്ള ആർക്കും നിങ്ങൾ അയച്ചത് കാണാം. അത് മറ്റാർക്കും നൽകരുത്.",
            ),
            false => (format!("Please confirm {}that your film can be shown", by("by ", "")), KEEP_SECRET),
        };
        let confirm = match link {
            Some(link) => format!("{request}: {link}\n{keep_secret}"),
            None => format!("{request}."),
        };
        let mut values = festival_values(settings, &edition.name, edition.year);
        values.extend([
            ("sender", about.name_of_submitter.clone()),
            ("film", film),
            ("reference", about.reference.clone()),
            ("award", find_award(&about.award_category).unwrap_or_default().to_owned()),
            ("message", about.message.clone()),
            ("confirm", confirm),
        ]);
        values
    }
}
