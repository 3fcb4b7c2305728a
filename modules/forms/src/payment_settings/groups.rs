//! The settings of fees and payment that organisers change in the back office.

use festival_core::admin::role::SETTINGS;
use festival_core::browser_settings::{Confirmation, Group, Item, ItemKind};
use festival_core::entity::{Field, Kind};

use super::upi;
use crate::mails::templates::PAYMENT_CHANGED;

/// Payment details are confirmed: a wrong digit sends money to somebody else.
static CONFIRMATION: Confirmation = Confirmation {
    title: "Confirm the payment details",
    lead: "Compare every digit with the documents of your bank.",
    next: "the changes and the new QR code",
    picture: "QR code",
    without_picture: "Without a UPI ID the site shows no QR code.",
    illustration: upi::illustration,
    mail: &PAYMENT_CHANGED,
};

/// Maximum fee, in rupees or dollars.
const MAX_FEE: i64 = 10_000_000;
const AMOUNT: Kind = Kind::Integer { min: 0, max: MAX_FEE };

/// The amounts that people pay: `[fees]`.
pub(crate) const FEES: Group = Group {
    key: "fees",
    label: "Fees",
    lead: "The fees that people pay. A change takes effect on the site, in forms and in mails at once. Submissions that were already sent keep the old fee.",
    resource: &SETTINGS,
    confirmation: None,
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
        Item {
            field: Field::text("fees.codes", "Codes for waivers and discounts")
                .hint("Whoever writes one into a form owes less. Without any, forms do not ask for one. A code that is removed does not change what was sent."),
            kind: ItemKind::Rows(&[
                Field::text("code", "Code").required(),
                Field::text("reduction", "Taken off, such as 100%, 50% or 500 rupees").required(),
                Field::text("reason", "Why").required(),
            ]),
        },
    ],
};

/// The account that they pay to: `[payment]`.
pub(crate) const PAYMENT: Group = Group {
    key: "payment",
    label: "Bank and UPI",
    lead: "The account that fees are paid to. Every owner is notified by mail of a change. Without any details the site says that payment details will be announced.",
    resource: &SETTINGS,
    confirmation: Some(&CONFIRMATION),
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
