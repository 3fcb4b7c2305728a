//! What people read after sending, and how dollars are paid, as organisers change it in the browser.

use festival_core::admin::role::SETTINGS;
use festival_core::browser_settings::{Group, Item};
use festival_core::entity::{Field, Kind};

const fn text(path: &'static str, label: &'static str, hint: &'static str) -> Item {
    Item::one(Field::new(path, label, Kind::Lines { max: 2_000 }).hint(hint))
}

/// The settings of `modules.forms.after_sending`, and the payment in dollars.
pub(crate) const AFTER_SENDING: Group = Group {
    key: "after-sending",
    label: "After a form was sent",
    lead: "What people read when their form has arrived, on the page and in the receipt.",
    resource: &SETTINGS,
    is_payment: false,
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
