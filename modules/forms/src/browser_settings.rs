//! Settings of the forms that organisers change in the back office.

use festival_core::admin::role::SETTINGS;
use festival_core::browser_settings::{Group, Item};
use festival_core::entity::{Field, Kind};

const fn date_time(path: &'static str, label: &'static str) -> Item {
    Item::one(Field::new(path, label, Kind::DateTime))
}

const fn text(path: &'static str, label: &'static str, hint: &'static str) -> Item {
    Item::one(Field::new(path, label, Kind::Lines { max: 2_000 }).hint(hint))
}

/// When the forms close: `modules.forms.closes_at` and the grace period. Its form is that of `deadlines`, with the edition's
/// deadline and countdown.
pub(crate) const CLOSING: Group = Group {
    key: "closing",
    label: "Deadline, countdown and closing",
    lead: "The deadline for films, what the home page counts down to, and when each form closes, all in one place. They apply to the current edition.",
    resource: &SETTINGS,
    confirmation: None,
    items: &[
        date_time("modules.forms.closes_at.asian", "Films for the Asian awards, until"),
        date_time("modules.forms.closes_at.indian", "Films for the Indian award, until"),
        date_time("modules.forms.closes_at.malayalam", "Films for the Malayalam award, until"),
        date_time("modules.forms.closes_at.delegate", "Delegates and members, until"),
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

/// Texts after submission (`modules.forms.after_sending`), and how the fee in dollars is paid.
pub(crate) const AFTER_SENDING: Group = Group {
    key: "after-sending",
    label: "After a form was sent",
    lead: "What people read when their form has arrived, on the page and in the receipt.",
    resource: &SETTINGS,
    confirmation: None,
    items: &[
        text(
            "modules.forms.after_sending.film",
            "What happens with a film, and by when",
            "{festival_begins} stands for the first day of the festival.",
        ),
        text(
            "modules.forms.after_sending.delegate",
            "What happens with a registration, and by when",
            "{festival_begins} stands for the first day of the festival.",
        ),
        Item::one(
            Field::new("modules.forms.after_sending.corrections", "E-mail address for corrections", Kind::Email)
                .hint("Empty: the address under Contact."),
        ),
        text(
            "modules.forms.dollar_payment",
            "How the fee in dollars is paid",
            "On the form of the Asian awards. Empty: \u{201c}Write to us for payment in dollars\u{201d}.",
        ),
    ],
};
