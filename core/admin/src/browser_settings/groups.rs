//! The settings of core that organisers change in the browser.

use super::{Group, Item, Shape};
use crate::BackOfficeContents;
use crate::role::{CONTENT, SETTINGS};
use festival_records::entity::{Field, Kind};

/// The most rupees or dollars that a fee can be.
const MOST: i64 = 10_000_000;
const AMOUNT: Kind = Kind::Integer { min: 0, max: MOST };

const FEES: Group = Group {
    key: "fees",
    label: "Fees",
    lead: "What people pay. The site, the forms and the mails say the new fee at once; who has paid already keeps the old one.",
    resource: &SETTINGS,
    is_payment: false,
    items: &[
        Item::one(Field::new("fees.film_submission_inr", "Entry fee of a film, in rupees", AMOUNT).required()),
        Item::one(
            Field::new("fees.film_submission_usd", "Entry fee of a film, in dollars", AMOUNT)
                .required()
                .hint("Offered in the Asian form, to people who pay from abroad."),
        ),
        Item::one(
            Field::new("fees.science_public", "Public registration of the science film festival, in rupees", AMOUNT)
                .required(),
        ),
        Item {
            field: Field::text("fees.memberships", "Delegates and members")
                .required()
                .hint("What one can become, in the order of the form. {product} stands for the festival's short name."),
            shape: Shape::Rows(&[
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
    lead: "Where the fees go. Every owner gets a mail when this is changed. Where nothing is filled in, the site says that payment details will be announced.",
    resource: &SETTINGS,
    is_payment: true,
    items: &[
        Item::one(Field::text("payment.bank.account_name", "Name of the account")),
        Item::one(
            Field::new("payment.bank.account_number", "Number of the account", Kind::Text { max: 34 })
                .hint("Without it the site shows no bank transfer."),
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
                .hint("Without it the site shows no UPI and no QR code."),
        ),
        Item::one(
            Field::new("payment.upi.payee", "Payee's name in UPI", Kind::Text { max: 100 })
                .hint("The name that apps show to who pays."),
        ),
    ],
};

const LINK: &[Field] =
    &[Field::text("label", "Text").required(), Field::new("href", "Address", Kind::Text { max: 2_000 }).required()];

const MENUS: Group = Group {
    key: "menus",
    label: "Menus",
    lead: "The links at the top and at the bottom of every page. A link to a page that is switched off is left out by itself.",
    resource: &CONTENT,
    is_payment: false,
    items: &[
        Item {
            field: Field::text("menu.header", "Header").hint(
                "An address is a path of this site like /films, or begins with https://. document:rules-asian leads to \
                 the document of that name. A group has no address: its links stand below it.",
            ),
            shape: Shape::Tree(&[
                Field::text("label", "Text").required(),
                Field::new("href", "Address", Kind::Text { max: 2_000 }),
            ]),
        },
        Item { field: Field::text("menu.actions", "Buttons of the header"), shape: Shape::Rows(LINK) },
        Item { field: Field::text("menu.footer", "Quick links of the footer"), shape: Shape::Rows(LINK) },
    ],
};

const SOCIAL: Group = Group {
    key: "social",
    label: "Social links",
    lead: "Where else the festival is. They stand at the bottom of every page.",
    resource: &CONTENT,
    is_payment: false,
    items: &[Item { field: Field::text("social", "Links"), shape: Shape::Rows(LINK) }],
};

const CONTACT: Group = Group {
    key: "contact",
    label: "Contact",
    lead: "How visitors reach the office, and who is told of what arrives.",
    resource: &SETTINGS,
    is_payment: false,
    items: &[
        Item::one(Field::new("contact.email", "E-mail address of the office", Kind::Email).required()),
        Item::one(Field::new("contact.phone", "Telephone number", Kind::Phone)),
        Item::one(Field::text("contact.address", "Postal address").hint("On one line.")),
        Item {
            field: Field::new("mail.organisers", "Who is told of what arrives", Kind::Lines { max: 4_000 })
                .hint("E-mail addresses, one on each line. Empty: the office."),
            shape: Shape::Lines,
        },
    ],
};

/// Core's own groups, in the order in which they are listed.
pub(crate) fn register(contents: &mut BackOfficeContents) {
    contents.settings_group(&FEES).settings_group(&PAYMENT).settings_group(&MENUS).settings_group(&SOCIAL);
    contents.settings_group(&CONTACT);
}
