//! What the chair edits with lists and forms: rounds, criteria, reviewers, assignments.

use festival_core::entity::{Entity, Field, Kind};

use crate::outline::{AWARDS, REFERENCE};

/// A round of review.
pub const ROUND: Entity = Entity {
    table: "selection_rounds",
    singular: "round",
    plural: "rounds of review",
    fields: &[
        Field::text("name", "Name").required().placeholder("First round"),
        Field::new("award", "Award", Kind::Choice(AWARDS)).hint("Leave it empty for the entries of all awards."),
        Field::new(
            "entries",
            "Entries",
            Kind::Choice(&[(ALL_ENTRIES, "All that were received"), (SHORTLISTED, "Shortlisted ones only")]),
        )
        .default(ALL_ENTRIES),
        Field::new("starts_at", "Begins", Kind::DateTime).required(),
        Field::new("ends_at", "Ends", Kind::DateTime)
            .required()
            .until()
            .hint("Reviews can be written and changed until then."),
        Field::new("is_blind", "Blind: reviewers do not see who made the films", Kind::Flag),
        Field::new("reviews_per_film", "Reviews of each entry", Kind::Integer { min: 1, max: 50 }).default("3"),
    ],
    key: &["name"],
    per_edition: true,
};

/// Rounds with all entries.
pub(crate) const ALL_ENTRIES: &str = "all";
/// Rounds with shortlisted entries, which have this status.
pub(crate) const SHORTLISTED: &str = "shortlisted";

/// A criterion that reviewers score from 1 to 5.
pub const CRITERION: Entity = Entity {
    table: "selection_criteria",
    singular: "criterion",
    plural: "criteria",
    fields: &[
        Field::text("name", "Name").required().placeholder("Direction"),
        Field::new("round", "Round", Kind::Reference(&ROUND)).required(),
        Field::text("hint", "Explanation").hint("Reviewers read it beside the scores."),
        Field::new("weight", "Weight", Kind::Integer { min: 1, max: 100 })
            .default("1")
            .hint("A criterion with weight 2 counts twice as much as one with weight 1."),
        Field::position(),
    ],
    key: &["round", "name"],
    per_edition: true,
};

/// A reviewer of an edition.
pub const JUROR: Entity = Entity {
    table: "selection_jurors",
    singular: "reviewer",
    plural: "reviewers",
    fields: &[
        Field::text("name", "Name").required(),
        Field::new("email", "E-mail", Kind::Email).required().hint("That of the account with the role Juror."),
        Field::new("round", "Round", Kind::Reference(&ROUND)).hint("Leave it empty for all rounds."),
        Field::new("award", "Award", Kind::Choice(AWARDS)).hint("Leave it empty for the entries of all awards."),
        Field::text("languages", "Languages")
            .placeholder("Malayalam, Tamil")
            .hint("Only entries in these are assigned automatically. Leave it empty for every language."),
        Field::new("has_left", "Has left", Kind::Flag).hint("Entries that were not reviewed go to others."),
    ],
    key: &["email"],
    per_edition: true,
};

/// An entry that a reviewer is to review in a round.
pub const ASSIGNMENT: Entity = Entity {
    table: "selection_assignments",
    singular: "assignment",
    plural: "assignments",
    fields: &[
        Field::new("film_submission", "Entry", Kind::Reference(&REFERENCE)).required(),
        Field::new("round", "Round", Kind::Reference(&ROUND)).required(),
        Field::new("juror", "Reviewer", Kind::Reference(&JUROR)).required(),
    ],
    key: &["film_submission", "round", "juror"],
    per_edition: true,
};
