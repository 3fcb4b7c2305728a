//! The kinds of submissions: films, registrations, messages.

use super::State;
use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION, SENDER};
use crate::mails::templates;
use crate::role;
use festival_core::admin::{Resource, capitalized, collections};
use festival_core::db::{Select, Test};
use festival_core::entity::{Datum, Entity, Field, Kind, Subject};
use festival_core::mail::Template;
use festival_core::search_key;

/// A kind of submission: its table, its columns, and who may see it.
#[derive(Debug)]
pub(crate) struct SubmissionKind {
    /// Name on the command line: `film`, `delegate` or `contact`.
    pub(crate) name: &'static str,
    pub(crate) entity: &'static Entity,
    /// Columns that are not fields of the form and that not every kind has.
    pub(crate) own_columns: &'static [&'static str],
    /// Column with what is paid for: the award, or the category; "" if nothing is paid.
    pub(crate) payment_category: &'static str,
    /// SQL expression: 1 if the amount on the proof differs from what is due, otherwise 0. It agrees with
    /// [`Due::difference`](crate::amount::Due::difference).
    pub(crate) amount_differs: &'static str,
    /// Column that titles a submission in the back office.
    pub(crate) title_column: &'static str,
    /// Column that lists show next to the title.
    pub(crate) subtitle_column: &'static str,
    /// Columns with long texts, which a search covers as well if the list is short.
    pub(crate) long_columns: &'static [&'static str],
    /// Index of its table that searches on SQLite use.
    pub(crate) search_index: &'static str,
    /// Columns with search keys, which match texts in other scripts, and the fields of these texts.
    pub(crate) search_keys: SearchKeys,
    /// The same for accounts that may see contact details.
    pub(crate) personal_search_keys: SearchKeys,
    /// Statuses that organisers can choose, in the order of the work.
    pub(crate) states: &'static [State],
    /// Resource of the back office that permissions refer to.
    pub(crate) resource: &'static Resource,
    /// Column in which files and events refer to it.
    pub(crate) owner_column: &'static str,
    /// The mail to the sender when it has arrived.
    pub(crate) receipt: &'static Template,
    /// The mail to the organisers when it has arrived.
    pub(crate) note: &'static Template,
}

/// Columns with search keys, each with the fields whose words are its source.
type SearchKeys = &'static [(&'static str, &'static [&'static str])];

/// Every kind: films, registrations, messages.
pub(crate) static KINDS: [SubmissionKind; 3] = [
    SubmissionKind {
        name: "film",
        entity: &FILM_SUBMISSION,
        own_columns: &[
            "award_category",
            "category_source",
            "declared_feature_label",
            "fee_inr",
            "fee_usd",
            "fee_code",
            "fee_reduction_inr",
            "fee_reduction_usd",
            "fee_reduction_reason",
            "payment",
            "payment_reason",
            "payment_transaction",
            "payment_amount",
            "payment_code",
            "payment_utr",
            "payment_receipt",
            "payment_receipt_at",
        ],
        payment_category: "award_category",
        amount_differs: "CASE WHEN payment_amount = '' THEN 0 WHEN payment_read IS NULL THEN 1 \
                         WHEN payment_currency = 'INR' AND payment_read = (fee_inr - fee_reduction_inr) * 100 THEN 0 \
                         WHEN payment_currency = 'USD' AND payment_read = (fee_usd - fee_reduction_usd) * 100 \
                         AND award_category = 'asian' THEN 0 ELSE 1 END",
        title_column: "title_english",
        subtitle_column: "director_name",
        long_columns: &["cast_and_crew", "synopsis_short", "synopsis_long", "biography", "technical_features"],
        search_index: "film_submissions_searched",
        search_keys: &[("search_keys", &["title_english", "title_original", "director_name"])],
        personal_search_keys: &[("sender_search_keys", &["name_of_submitter"])],
        states: FILM_STATES,
        resource: &role::FILMS,
        owner_column: "film_submission_id",
        receipt: &templates::FILM_RECEIPT,
        note: &templates::FILM_NOTE,
    },
    SubmissionKind {
        name: "delegate",
        entity: &DELEGATE,
        own_columns: &[
            "category_key",
            "fee_inr",
            "fee_code",
            "fee_reduction_inr",
            "fee_reduction_reason",
            "payment",
            "payment_reason",
            "payment_transaction",
            "payment_amount",
            "payment_code",
            "payment_utr",
            "payment_receipt",
            "payment_receipt_at",
        ],
        payment_category: "category_key",
        amount_differs: "CASE WHEN payment_amount = '' THEN 0 WHEN payment_read IS NULL THEN 1 WHEN category_key = '' THEN 0 \
                         WHEN payment_currency = 'INR' AND payment_read = (fee_inr - fee_reduction_inr) * 100 THEN 0 \
                         ELSE 1 END",
        title_column: "name",
        subtitle_column: "category",
        long_columns: &[],
        search_index: "delegates_searched",
        search_keys: &[("search_keys", &["name"])],
        personal_search_keys: &[],
        states: DELEGATE_STATES,
        resource: &role::DELEGATES,
        owner_column: "delegate_id",
        receipt: &templates::DELEGATE_RECEIPT,
        note: &templates::DELEGATE_NOTE,
    },
    SubmissionKind {
        name: "contact",
        entity: &CONTACT_MESSAGE,
        own_columns: &[],
        payment_category: "",
        amount_differs: "0",
        title_column: "name",
        subtitle_column: "message",
        long_columns: &["message"],
        search_index: "contact_messages_searched",
        search_keys: &[("search_keys", &["name"])],
        personal_search_keys: &[],
        states: MESSAGE_STATES,
        resource: &role::MESSAGES,
        owner_column: "contact_message_id",
        receipt: &templates::CONTACT_RECEIPT,
        note: &templates::CONTACT_NOTE,
    },
];

/// Films.
pub(crate) fn film() -> &'static SubmissionKind {
    &KINDS[0]
}

/// Registrations of delegates and members.
pub(crate) fn delegate() -> &'static SubmissionKind {
    &KINDS[1]
}

/// Messages from the contact form.
pub(crate) fn contact() -> &'static SubmissionKind {
    &KINDS[2]
}

/// Returns the folders of the private store that hold files of submissions.
pub(crate) fn file_folders() -> Vec<String> {
    KINDS.iter().map(|kind| kind.entity.slug()).collect()
}

/// Stored as the award of a film whose award is not known.
pub(crate) const UNCLASSIFIED: &str = "unclassified";

/// Columns that searches cover: for every account, and for accounts that may see contact details.
pub(crate) const SEARCH_TEXT: &str = "search_text";
pub(crate) const PEOPLE_SEARCH_TEXT: &str = "people_search_text";

/// Columns that every kind has apart from the fields of its form.
const COMMON_COLUMNS: [&str; 12] = [
    "reference",
    "created_at",
    "updated_at",
    "status",
    "is_late",
    "over_long",
    "flagged",
    "findings",
    "is_possible_duplicate",
    "is_quarantined",
    "consent_notice",
    "consented_at",
];

impl SubmissionKind {
    /// Returns the kind called `name`.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// Returns the kind that is stored in `table`.
    pub(crate) fn of_table(table: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.entity.table == table)
    }

    /// Path of its list in the back office: "/admin/film-submissions".
    pub(crate) fn list_path(&self) -> String {
        format!("/admin/{}", self.entity.slug())
    }

    /// Returns the title of its list: "Film submissions".
    pub(crate) fn list_title(&self) -> String {
        capitalized(self.entity.plural)
    }

    /// Returns the noun for `count` of them: "delegate" or "delegates".
    pub(crate) fn noun(&self, count: u64) -> &'static str {
        if count == 1 { self.entity.singular } else { self.entity.plural }
    }

    /// Whether it is submitted for an award.
    pub(crate) fn has_award(&self) -> bool {
        self.own_columns.contains(&"award_category")
    }

    /// Whether a payment belongs to it.
    pub(crate) fn has_payment(&self) -> bool {
        self.own_columns.contains(&"payment")
    }

    /// Whether organisers answer it by mail on its page.
    pub(crate) fn can_be_answered(&self) -> bool {
        self.name == "contact"
    }

    /// Whether files belong to it.
    pub(crate) fn has_files(&self) -> bool {
        self.entity.fields.iter().any(|field| !field.has_column())
    }

    /// Returns the people whom it names, its sender first.
    pub(crate) fn people(&self) -> Vec<&'static Subject> {
        let mut people: Vec<&'static Subject> = self.entity.fields.iter().filter_map(|field| field.subject).collect();
        people.sort_by_key(|subject| (*subject != SENDER, subject.rows));
        people.dedup();
        people
    }

    /// Returns the fields with data of a person.
    pub(crate) fn fields_about(&self, subject: &'static Subject) -> impl Iterator<Item = &'static Field> {
        self.entity.fields.iter().filter(move |field| field.subject == Some(subject))
    }

    /// Returns the column with the e-mail address of a person.
    pub(crate) fn email_of(&self, subject: &'static Subject) -> &'static str {
        self.fields_about(subject).find(|field| matches!(field.kind, Kind::Email)).map_or("", |field| field.name)
    }

    /// Returns the column with the name of a person.
    pub(crate) fn name_of(&self, subject: &'static Subject) -> &'static str {
        self.fields_about(subject).find(|field| matches!(field.kind, Kind::Text { .. })).map_or("", |field| field.name)
    }

    /// Returns every column that leaves the table: all but row ids, the edition and hashes.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &'static str> {
        let fields = self.entity.columns().map(|field| field.name);
        COMMON_COLUMNS.into_iter().chain(self.own_columns.iter().copied()).chain(fields)
    }

    /// Returns the columns with search keys, each with the keys of a submission; `text` returns its texts.
    pub(crate) fn stored_search_keys<'t>(&self, text: impl Fn(&str) -> &'t str) -> Vec<(&'static str, Datum)> {
        let columns = self.search_keys.iter().chain(self.personal_search_keys);
        let keys = |fields: &[&str]| search_key::stored_keys(fields.iter().map(|field| text(field)));
        columns.map(|(column, fields)| (*column, Datum::Text(keys(fields)))).collect()
    }

    /// Returns a query for all columns of all its rows.
    pub(crate) fn select(&self) -> Select {
        Select::new(self.entity.table, self.columns())
    }

    /// Returns a query for the rows that are, or are not, in quarantine.
    pub(crate) fn select_quarantined(&self, is_quarantined: bool) -> Select {
        self.select().filter("is_quarantined", Test::Is, Datum::Integer(i64::from(is_quarantined)))
    }
}

const fn state(key: &'static str, label: &'static str, tone: &'static str) -> State {
    State { key, label, tone }
}

/// Status of every submission when it arrives.
const RECEIVED: State = state("new", "Received", "");
/// Status of a submission that was reviewed in quarantine and not released.
pub(crate) const KEPT_IN_QUARANTINE: State = state("apart", "Kept apart", "bad");
/// Status of a row whose person was erased and whose payment is kept for the accounts.
const ERASED: State = state("erased", "Erased, payment kept", "");

/// Statuses of a film.
pub(crate) const FILM_STATES: &[State] = &[
    RECEIVED,
    state("in-review", "In review", ""),
    state("shortlisted", "Shortlisted", ""),
    state("selected", "Selected", "good"),
    state("not-selected", "Not selected", "bad"),
    state("withdrawn", "Withdrawn", "bad"),
];

/// Status of a registration that the desk has confirmed.
pub(crate) const CONFIRMED: &str = "confirmed";

/// Statuses of a registration.
pub(crate) const DELEGATE_STATES: &[State] =
    &[RECEIVED, state(CONFIRMED, "Confirmed", "good"), state("rejected", "Rejected", "bad")];

/// Statuses of a message.
pub(crate) const MESSAGE_STATES: &[State] =
    &[RECEIVED, state("answered", "Answered", "good"), state("closed", "Closed", "")];

/// Status of a payment while the whole fee is waived.
pub(crate) const WAIVED: &str = "waived";

/// Statuses of a payment.
pub(crate) const PAYMENTS: &[State] = &[
    state("unchecked", "Unchecked", ""),
    state("verified", "Verified", "good"),
    state("rejected", "Rejected", "bad"),
    state(WAIVED, "Waived", "good"),
];

/// Returns the label of the status `key`, or the key itself if no status has it.
pub(crate) fn label_of(states: &[State], key: &str) -> String {
    let apart = [KEPT_IN_QUARANTINE, ERASED];
    collections::label_of(if apart.iter().any(|state| state.key == key) { &apart } else { states }, key)
}
