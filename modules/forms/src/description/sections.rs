//! The five sections of a film form.

use super::form::Section;

const DETAILS: Section = Section {
    title: "Film Details",
    text: &[],
    fields: &[
        "title_original",
        "title_english",
        "film_language",
        "subtitles",
        "film_type",
        "is_first_or_second_feature",
        "duration_minutes",
        "year_of_production",
        "country_of_origin",
        "technical_features",
        "origination_format",
        "presentation_format",
    ],
};

const PEOPLE: Section = Section {
    title: "Producer/Director Details",
    text: &[],
    fields: &[
        "producer_name",
        "producer_email",
        "producer_mobile",
        "director_name",
        "director_email",
        "director_mobile",
        "director_photo",
        "biography",
        "screener_link",
        "screener_link_password",
    ],
};

const INFORMATION: Section = Section {
    title: "Film Information",
    text: &[],
    fields: &["synopsis_long", "synopsis_short", "stills_link", "cast_and_crew", "film_poster"],
};

const DECLARATION: Section = Section {
    title: "Declaration",
    text: &[
        "What is said in this form is true and complete.",
        "The festival may publish the contact details of the production company in its catalogue and on its site.",
        "Telephone numbers, addresses, documents and the screener are seen by the organisers and the jury only.",
        "The rules of the award have been read and are accepted.",
    ],
    fields: &[
        "name_of_submitter",
        "correspondence_contact",
        "correspondence_email",
        "producer_consent",
        "documentation",
        "signature",
    ],
};

const fn payment(text: &'static [&'static str]) -> Section {
    Section { title: "Payment Verification", text, fields: &["screenshot"] }
}

/// The sections of the Asian and the Indian form.
pub(super) const FILM_SECTIONS: &[Section] = &[
    DETAILS,
    PEOPLE,
    INFORMATION,
    DECLARATION,
    payment(&["Pay the entry fee first, then add a screenshot of the payment."]),
];

/// The sections of the Malayalam form.
pub(super) const MALAYALAM_SECTIONS: &[Section] = &[
    DETAILS,
    PEOPLE,
    INFORMATION,
    DECLARATION,
    payment(&["Pay the entry fee with the QR code or to the UPI ID, then upload the payment screenshot."]),
];
