//! The contact form.

use festival_core::entity::{Entity, Field, Kind};

use super::form::SENDER;
use super::form::{Fee, Form, Section};
use super::form::{email, phone};

/// A message to the organisers. The specification requires none of its fields.
pub const CONTACT_MESSAGE: Entity = Entity {
    table: "contact_messages",
    singular: "message",
    plural: "messages",
    fields: &[
        Field::text("name", "Name").about(SENDER).placeholder("Your name"),
        email("email", "E-mail", SENDER),
        phone("contact", "Contact number", SENDER),
        Field::new("message", "Message", Kind::Lines { max: 10_000 }).placeholder("What would you like to tell us?"),
    ],
    key: &["email", "message"],
    per_edition: true,
};

/// The contact form, at `/contact-us`.
pub const CONTACT: Form = Form {
    key: "contact",
    path: "/contact-us",
    api_path: "/contact/",
    title: "Contact us",
    lead: "Write to the festival office. We answer by e-mail.",
    entity: &CONTACT_MESSAGE,
    sections: &[Section { title: "", text: &[], fields: &["name", "email", "contact", "message"] }],
    options: &[],
    fee: Fee::None,
};
