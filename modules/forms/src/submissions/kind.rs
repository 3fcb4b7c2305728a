//! What there is: films, delegates, messages.

use festival_core::admin::Resource;
use festival_core::entity::Entity;

use super::state::{DELEGATE_STATES, FILM_STATES, MESSAGE_STATES, State};
use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};
use crate::review::role;

/// A kind of submission.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    pub(crate) entity: &'static Entity,
    /// Columns of its table that are not of the form and that no other kind has.
    pub(crate) own_columns: &'static [&'static str],
    /// The field by which people call one of them.
    pub(crate) title: &'static str,
    /// What a list says beside the title.
    pub(crate) beside: &'static str,
    /// Where a search looks, and where it looks besides for those who may know how to reach people.
    pub(crate) searched: &'static [&'static str],
    pub(crate) searched_of_people: &'static [&'static str],
    /// The address of whoever sent it, in small letters.
    pub(crate) sender: &'static str,
    /// The states on its way.
    pub(crate) states: &'static [State],
    /// Who may do what with it.
    pub(crate) resource: &'static Resource,
}

/// Every kind.
pub(crate) static KINDS: [Kind; 3] = [
    Kind {
        name: "film",
        entity: &FILM_SUBMISSION,
        own_columns: &[
            "award_category",
            "category_source",
            "declared_feature_label",
            "payment",
            "payment_reason",
            "payment_transaction",
            "payment_amount",
        ],
        title: "title_english",
        beside: "director_name",
        searched: &["reference", "title_english", "title_original", "director_name"],
        searched_of_people: &["name_of_submitter", "correspondence_email", "director_email", "payment_transaction"],
        sender: "lower(correspondence_email)",
        states: FILM_STATES,
        resource: &role::FILMS,
    },
    Kind {
        name: "delegate",
        entity: &DELEGATE,
        own_columns: &["category_key", "fee_inr", "payment", "payment_reason", "payment_transaction", "payment_amount"],
        title: "name",
        beside: "category",
        searched: &["reference", "name"],
        searched_of_people: &["email", "mobile", "transaction_details", "payment_transaction"],
        sender: "lower(email)",
        states: DELEGATE_STATES,
        resource: &role::DELEGATES,
    },
    Kind {
        name: "contact",
        entity: &CONTACT_MESSAGE,
        own_columns: &[],
        title: "name",
        beside: "message",
        searched: &["reference", "name"],
        searched_of_people: &["email", "contact", "message"],
        sender: "lower(email)",
        states: MESSAGE_STATES,
        resource: &role::MESSAGES,
    },
];

/// What the site itself keeps of a submission of any kind.
const COLUMNS: [&str; 12] = [
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

impl Kind {
    /// The kind called `name`.
    pub(crate) fn of_name(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// Where the back office has them: "/admin/film-submissions".
    pub(crate) fn home(&self) -> String {
        format!("/admin/{}", self.entity.slug())
    }

    /// Whether it is submitted for an award.
    pub(crate) fn has_award(&self) -> bool {
        self.own_columns.contains(&"award_category")
    }

    /// Whether something is paid with it.
    pub(crate) fn has_payment(&self) -> bool {
        self.own_columns.contains(&"payment")
    }

    /// Whether files belong to it.
    pub(crate) fn has_files(&self) -> bool {
        self.entity.fields.iter().any(|field| !field.has_column())
    }

    /// All that is kept of one in its table, but for hashes and ids that mean nothing outside.
    pub(crate) fn columns(&self) -> Vec<&'static str> {
        let fields = self.entity.columns().map(|field| field.name);
        COLUMNS.into_iter().chain(self.own_columns.iter().copied()).chain(fields).collect()
    }
}
