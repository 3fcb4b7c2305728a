//! Who may do what with what people sent.

use festival_core::admin::{Action, AdminRequest, Personal, Resource, Role};
use festival_core::entity::{Field, Kind as FieldKind};

use crate::submissions::{Kind, Submission};

const DESK: (Role, &[Action]) = (Role::Desk, &[Action::View, Action::Edit, Action::Review, Action::Export]);

/// Films that were submitted. Reviewers judge them without knowing how to reach anybody.
pub(crate) const FILMS: Resource = Resource {
    key: "film-submissions",
    label: "Film submissions",
    grants: &[DESK, (Role::Reviewer, &[Action::View, Action::Review])],
    personal: Personal::InParts,
};

/// Registrations of delegates and members.
pub(crate) const DELEGATES: Resource =
    Resource { key: "delegates", label: "Delegates", grants: &[DESK], personal: Personal::InParts };

/// Messages to the organisers.
pub(crate) const MESSAGES: Resource =
    Resource { key: "messages", label: "Messages", grants: &[DESK], personal: Personal::InParts };

/// How to reach people, what they paid, what proves who they are; and what was set apart.
pub(crate) const PEOPLE: Resource =
    Resource { key: "people", label: "Contact details and payments", grants: &[DESK], personal: Personal::InParts };

/// Whether a field tells how to reach somebody, or proves a payment or a person.
pub(super) fn is_of_people(field: &Field) -> bool {
    match field.kind {
        FieldKind::Email | FieldKind::Phone => true,
        FieldKind::File { .. } => !matches!(field.name, "film_poster" | "director_photo"),
        _ => field.name == "name_of_submitter",
    }
}

/// Whether a field is shown to whoever asks. Kinds that are about people are open to nobody else anyway.
pub(super) fn may_see(request: &AdminRequest, field: &Field) -> bool {
    !is_of_people(field) || request.may(&PEOPLE, Action::View)
}

/// Whether a submission is there for whoever asks: what was set apart is for those who decide about it.
pub(super) fn is_open(request: &AdminRequest, kind: &Kind, submission: &Submission<'_>) -> bool {
    request.may(kind.resource, if submission.flag("is_quarantined") { Action::Edit } else { Action::View })
}
