//! Fields that several people and forms have.

use festival_core::entity::{Field, Kind, Subject};

/// The e-mail address of a person.
pub(super) const fn email(name: &'static str, label: &'static str, person: &'static Subject) -> Field {
    Field::new(name, label, Kind::Email).about(person).placeholder("name@example.org")
}

/// The telephone number of a person.
pub(super) const fn phone(name: &'static str, label: &'static str, person: &'static Subject) -> Field {
    Field::new(name, label, Kind::Phone).about(person).placeholder("+91 00000 00000")
}

/// A required picture.
pub(super) const fn picture(name: &'static str, label: &'static str) -> Field {
    Field::new(name, label, Kind::File { pdf: false }).required().hint("JPEG, PNG or WebP.")
}

/// A required picture or PDF.
pub(super) const fn document(name: &'static str, label: &'static str) -> Field {
    Field::new(name, label, Kind::File { pdf: true }).required().hint("PDF, JPEG, PNG or WebP.")
}
