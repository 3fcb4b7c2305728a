//! The registration form for delegates and members.

use festival_core::entity::{Entity, Field, Kind};

use super::form::SENDER;
use super::form::{Fee, Form, Section};
use super::form::{email, phone};

/// A registration of a delegate or member.
pub const DELEGATE: Entity = Entity {
    table: "delegates",
    singular: "delegate",
    plural: "delegates",
    fields: &[
        Field::text("name", "Name").about(SENDER).required().placeholder("Your full name"),
        email("email", "E-mail", SENDER).required(),
        phone("mobile", "Mobile number", SENDER).required(),
        Field::new("address", "Address", Kind::Lines { max: 2_000 }).about(SENDER)
            .required()
            .placeholder("House, street, city, postal code"),
        Field::new("age", "Age", Kind::Integer { min: 1, max: 120 }).required(),
        Field::text("occupation", "Occupation").required(),
        Field::text("category", "Category of membership")
            .required()
            .hint("The fee stands beside each category. Pay it first, then send this form."),
        Field::new("transaction_details", "Transaction details", Kind::Lines { max: 1_000 })
            .required()
            .placeholder("Transaction number, date, bank or app")
            .hint("As your bank or app shows them. Best is the UTR: 12 digits with UPI, 16 characters with NEFT, 22 with RTGS."),
        Field::new("screenshot", "Screenshot of the payment", Kind::File { pdf: false })
            .required()
            .hint("JPEG, PNG or WebP, less than 5 MB."),
        Field::new("signature", "Signature", Kind::File { pdf: false })
            .required()
            .hint("A picture of your signature. JPEG, PNG or WebP, less than 5 MB."),
        Field::new("image", "Your photo (optional)", Kind::File { pdf: false })
            .hint("For the delegate card. JPEG, PNG or WebP, less than 5 MB."),
    ],
    key: &["email", "transaction_details"],
    per_edition: true,
};

/// The registration form for delegates and members, at `/form`.
pub const DELEGATE_FORM: Form = Form {
    key: "delegate",
    path: "/form",
    api_path: "/delegate-form/",
    title: "DELEGATE / MEMBER FORM - {product} {year}",
    lead: "Register as a delegate or become a member. Every field must be filled, only the photo is optional.",
    entity: &DELEGATE,
    sections: &[
        Section {
            title: "About you",
            text: &[],
            fields: &["name", "email", "mobile", "address", "age", "occupation", "image"],
        },
        Section {
            title: "Membership and payment",
            text: &["Pay the fee by bank transfer or UPI, then tell us the transaction and add a screenshot of it."],
            fields: &["category", "transaction_details", "screenshot"],
        },
        Section { title: "Signature", text: &[], fields: &["signature"] },
    ],
    options: &[],
    fee: Fee::Membership,
};
