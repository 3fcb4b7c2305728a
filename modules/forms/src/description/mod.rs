//! The description of the forms: fields, rules, order, sections, choices and texts.
//!
//! The server validates by it, and the forms in `frontend/src/shared/api/generated/` are generated from it, so that both
//! sides agree. How a form is received and stored is the subject of `submit`.

mod all_forms;
mod contact;
mod delegate;
pub mod extra_fields;
mod film;
mod form;
mod sections;
pub mod texts;

pub use all_forms::FORMS;
pub(crate) use all_forms::forms_of;
pub use contact::{CONTACT, CONTACT_MESSAGE};
pub use delegate::{DELEGATE, DELEGATE_FORM};
pub use film::{ASIAN, FILM_FORMS, FILM_SUBMISSION, INDIAN, MALAYALAM};
pub use form::{Fee, Form, FormChoice, Section};
pub(crate) use form::{SENDER, all_choices, short_label};
