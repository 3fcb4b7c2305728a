//! The roles of people who handle submissions, and what they may do with them.

use festival_core::admin::role::{CONTENT, MAIL};
use festival_core::admin::{Action, AdminRequest, Personal, Resource, Role};
use festival_core::entity::{Field, Kind as FieldKind};

/// Watches and rates submissions.
pub const REVIEWER: Role = Role {
    key: "reviewer",
    label: "Reviewer",
    noun: "a reviewer",
    description: "Watches and rates submissions.",
    grants: &[(&CONTENT, &[Action::View])],
};

/// Handles registrations, messages and the status of submissions.
pub const DESK: Role = Role {
    key: "desk",
    label: "Desk",
    noun: "a member of the desk",
    description: "Handles registrations, messages and the status of submissions.",
    grants: &[(&CONTENT, &[Action::View]), (&MAIL, &[Action::View, Action::Edit])],
};

const OF_DESK: (&Role, &[Action]) = (&DESK, &[Action::View, Action::Edit, Action::Review, Action::Export]);

/// Submitted films. Reviewers see no contact details.
pub(crate) const FILMS: Resource = Resource {
    key: "film-submissions",
    label: "Film submissions",
    grants: &[OF_DESK, (&REVIEWER, &[Action::View, Action::Review])],
    personal: Personal::InParts,
};

/// Registrations of delegates and members.
pub(crate) const DELEGATES: Resource =
    Resource { key: "delegates", label: "Delegates", grants: &[OF_DESK], personal: Personal::InParts };

/// Messages to the organisers.
pub(crate) const MESSAGES: Resource =
    Resource { key: "messages", label: "Messages", grants: &[OF_DESK], personal: Personal::InParts };

/// Contact details, payments, proofs of identity, and the quarantine.
pub(crate) const PEOPLE: Resource =
    Resource { key: "people", label: "Contact details and payments", grants: &[OF_DESK], personal: Personal::InParts };

/// Whether a field is a contact detail, or a proof of a payment or of identity.
fn is_personal(field: &Field) -> bool {
    match field.kind {
        FieldKind::Email | FieldKind::Phone => true,
        FieldKind::File { .. } => !matches!(field.name, "film_poster" | "director_photo"),
        _ => field.name == "name_of_submitter",
    }
}

/// Whether an account may see a field. Roles that may not see contact details have no access to registrations and messages
/// anyway.
pub(crate) fn is_visible(field: &Field, may_see_people: bool) -> bool {
    !is_personal(field) || may_see_people
}

/// Whether the account of the request may see a field.
pub(crate) fn may_see(request: &AdminRequest, field: &Field) -> bool {
    is_visible(field, request.may(&PEOPLE, Action::View))
}
