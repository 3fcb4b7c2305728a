//! The roles of the people who select films, and what they may do.

use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, Personal, Resource, Role};

/// Leads the selection: rounds, assignments, decisions, letters.
pub const CHAIR: Role = Role {
    key: "chair",
    label: "Chair of the selection",
    noun: "a chair of the selection",
    description: "Leads the selection: rounds, assignments, decisions and letters.",
    grants: &[
        (&CONTENT, &[Action::View, Action::Edit, Action::Delete, Action::Export]),
        (&FILM_SUBMISSIONS, &[Action::View, Action::Edit, Action::Review, Action::Export]),
    ],
};

/// The submitted films, as the module of the forms declares them: permissions are found by the key.
const FILM_SUBMISSIONS: Resource =
    Resource { key: "film-submissions", label: "Film submissions", grants: &[], personal: Personal::InParts };

/// Reviews the entries of its own pile, and sees nothing else.
pub const JUROR_ROLE: Role = Role {
    key: "juror",
    label: "Juror",
    noun: "a juror",
    description: "Reviews the entries that were assigned to it, and sees nothing else.",
    grants: &[],
};

/// All entries with their reviews and decisions.
pub(crate) const SELECTION: Resource = Resource {
    key: "selection",
    label: "Selection",
    grants: &[(&CHAIR, &[Action::View, Action::Edit, Action::Review, Action::Export])],
    personal: Personal::InParts,
};

/// Progress and release, which are of all entries together.
pub(crate) const WHOLE_SELECTION: Resource = Resource { personal: Personal::StoredMail, ..SELECTION };

/// The assignments, which name entries by their titles: who may see them may see the content of the site.
pub(crate) const ASSIGNMENTS: Resource =
    Resource { key: CONTENT.key, label: "Assignments", grants: CONTENT.grants, personal: Personal::TitlesOnly };

/// The entries that were assigned to the account itself.
pub(crate) const PILE: Resource = Resource {
    key: "pile",
    label: "Entries to review",
    grants: &[(&CHAIR, &[Action::View, Action::Review]), (&JUROR_ROLE, &[Action::View, Action::Review])],
    personal: Personal::InParts,
};
