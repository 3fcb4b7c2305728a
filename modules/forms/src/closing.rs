//! When the forms close, as organisers change it in the browser.

use festival_core::admin::role::SETTINGS;
use festival_core::browser_settings::{Group, Item};
use festival_core::entity::{Field, Kind};

const fn moment(path: &'static str, label: &'static str) -> Item {
    Item::one(Field::new(path, label, Kind::DateTime))
}

/// The settings of `modules.forms.closes_at`.
pub(crate) const CLOSING: Group = Group {
    key: "closing",
    label: "Closing of the forms",
    lead: "From these moments on a form is not taken any more, on the festival's clock. Empty: it stays open, and what comes after the last day for submissions is marked as late.",
    resource: &SETTINGS,
    is_payment: false,
    items: &[
        moment("modules.forms.closes_at.asian", "Films for the Asian awards, until"),
        moment("modules.forms.closes_at.indian", "Films for the Indian award, until"),
        moment("modules.forms.closes_at.malayalam", "Films for the Malayalam award, until"),
        moment("modules.forms.closes_at.delegate", "Delegates and members, until"),
        Item::one(
            Field::new(
                "modules.forms.grace_minutes",
                "Minutes after that in which a form is still taken",
                Kind::Integer { min: 0, max: 100_000 },
            )
            .required()
            .hint("What begins to arrive in these minutes is taken and marked as late. What began before the end is taken however long it takes."),
        ),
    ],
};
