//! The settings of core that organisers change in the browser.

use super::{Group, Item, ItemKind};
use crate::BackOfficeContents;
use crate::role::{CONTENT, SETTINGS};
use festival_records::entity::{Field, Kind};

/// Maximum fee, in rupees or dollars.
const MAX_FEE: i64 = 10_000_000;
const AMOUNT: Kind = Kind::Integer { min: 0, max: MAX_FEE };

const FEES: Group = Group {
    key: "fees",
    label: "Fees",
    lead: "The fees that people pay. A change takes effect on the site, in forms and in mails at once. Submissions that were already sent keep the old fee.",
    resource: &SETTINGS,
    is_payment: false,
    items: &[
        Item::one(Field::new("fees.film_submission_inr", "Entry fee of a film, in rupees", AMOUNT).required()),
        Item::one(
            Field::new("fees.film_submission_usd", "Entry fee of a film, in dollars", AMOUNT)
                .required()
                .hint("Offered in the Asian form to people who pay from abroad."),
        ),
        Item::one(
            Field::new("fees.science_public", "Public registration of the science film festival, in rupees", AMOUNT)
                .required(),
        ),
        Item {
            field: Field::text("fees.memberships", "Delegates and members")
                .required()
                .hint("The categories in the order of the form. {product} stands for the short name of the festival."),
            kind: ItemKind::Rows(&[
                Field::text("key", "Key"),
                Field::text("label", "Category").required(),
                Field::new("amount", "Fee in rupees", AMOUNT).required(),
            ]),
        },
    ],
};

const PAYMENT: Group = Group {
    key: "payment",
    label: "Bank and UPI",
    lead: "The account that fees are paid to. Every owner is notified by mail of a change. Without any details the site says that payment details will be announced.",
    resource: &SETTINGS,
    is_payment: true,
    items: &[
        Item::one(Field::text("payment.bank.account_name", "Account name")),
        Item::one(
            Field::new("payment.bank.account_number", "Account number", Kind::Text { max: 34 })
                .hint("If empty, bank transfer is not offered."),
        ),
        Item::one(Field::text("payment.bank.bank", "Bank")),
        Item::one(Field::text("payment.bank.branch", "Branch")),
        Item::one(
            Field::new("payment.bank.ifsc", "IFSC", Kind::Text { max: 11 })
                .hint("Four letters, a zero, six letters or figures, as on the cheque book."),
        ),
        Item::one(
            Field::new("payment.upi.id", "UPI ID", Kind::Text { max: 100 })
                .placeholder("festival@bank")
                .hint("If empty, UPI and its QR code are not offered."),
        ),
        Item::one(
            Field::new("payment.upi.payee", "Payee's name in UPI", Kind::Text { max: 100 })
                .hint("The name that apps show to the payer."),
        ),
    ],
};

const LINK: &[Field] =
    &[Field::text("label", "Text").required(), Field::new("href", "Address", Kind::Text { max: 2_000 }).required()];

const MENUS: Group = Group {
    key: "menus",
    label: "Menus",
    lead: "The links at the top and at the bottom of every page. Links to pages that are switched off are left out automatically.",
    resource: &CONTENT,
    is_payment: false,
    items: &[
        Item {
            field: Field::text("menu.header", "Header").hint(
                "An address is a path of this site like /films, or begins with https://. document:rules-asian leads to \
                 the document of that name. A group has no address; its links follow below it.",
            ),
            kind: ItemKind::Tree(&[
                Field::text("label", "Text").required(),
                Field::new("href", "Address", Kind::Text { max: 2_000 }),
            ]),
        },
        Item { field: Field::text("menu.actions", "Buttons of the header"), kind: ItemKind::Rows(LINK) },
        Item { field: Field::text("menu.footer", "Quick links of the footer"), kind: ItemKind::Rows(LINK) },
    ],
};

const SOCIAL: Group = Group {
    key: "social",
    label: "Social links",
    lead: "Links to the festival on other platforms, at the bottom of every page.",
    resource: &CONTENT,
    is_payment: false,
    items: &[Item { field: Field::text("social", "Links"), kind: ItemKind::Rows(LINK) }],
};

const CONTACT: Group = Group {
    key: "contact",
    label: "Contact",
    lead: "How visitors reach the office, and who is notified of submissions.",
    resource: &SETTINGS,
    is_payment: false,
    items: &[
        Item::one(Field::new("contact.email", "E-mail address of the office", Kind::Email).required()),
        Item::one(Field::new("contact.phone", "Phone number", Kind::Phone)),
        Item::one(Field::text("contact.address", "Postal address").hint("On a single line.")),
        Item {
            field: Field::new("mail.organisers", "Recipients of notifications", Kind::Lines { max: 4_000 })
                .hint("E-mail addresses, one per line. If empty, the office is notified."),
            kind: ItemKind::Lines,
        },
    ],
};

/// Registers the groups of core, in the order of the list.
pub(crate) fn register(contents: &mut BackOfficeContents) {
    contents.settings_group(&FEES).settings_group(&PAYMENT).settings_group(&MENUS).settings_group(&SOCIAL);
    contents.settings_group(&CONTACT);
}
