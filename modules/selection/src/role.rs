//! The roles of the people who select films, and what they may do.

use festival_core::admin::role::{CONTENT, MAIL};
use festival_core::admin::{Action, Personal, Resource, Role};

/// Leads the selection: rounds, assignments, decisions, letters.
pub const CHAIR: Role = Role {
    key: "chair",
    label: "Chair of the selection",
    noun: "a chair of the selection",
    description: "Leads the selection: rounds, assignments, decisions and letters.",
    grants: &[
        (&CONTENT, &[Action::View, Action::Edit, Action::Delete, Action::Export]),
        (&MAIL, &[Action::View, Action::Edit]),
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
