//! The three film submission forms: they share their fields and differ in texts and choices.

use festival_core::entity::{Entity, Field, Kind, Subject};

use super::form::SENDER;
use super::form::{Fee, Form, FormChoice};
use super::form::{document, email, phone, picture};
use super::sections::{FILM_SECTIONS, MALAYALAM_SECTIONS};

/// The producer, whom somebody else may have named.
const PRODUCER: &Subject = &Subject { rows: "films as their producer" };
/// The director, whom somebody else may have named.
const DIRECTOR: &Subject = &Subject { rows: "films as their director" };

/// A submitted film.
pub const FILM_SUBMISSION: Entity = Entity {
    table: "film_submissions",
    singular: "film submission",
    plural: "film submissions",
    fields: &[
        Field::text("title_original", "Title of the film (original)").required().placeholder("In its own script"),
        Field::text("title_english", "Title of the film (English)").required(),
        Field::text("film_language", "Language of the film").required(),
        Field::new("subtitles", "English subtitles", Kind::Choice(&[("Yes", "Yes"), ("No", "No")])).required(),
        Field::new(
            "film_type",
            "Type of film",
            Kind::Choice(&[
                ("Fiction", "Fiction"),
                ("Experimental", "Experimental"),
                ("Documentary", "Documentary"),
                ("Short Film", "Short Film"),
                ("Feature Film", "Feature Film"),
                ("Others", "Others"),
            ]),
        )
        .required(),
        // The values of all three forms; each form offers some of them.
        Field::new(
            "is_first_or_second_feature",
            "First or second feature of the director",
            Kind::Choice(&[
                ("First", "First"),
                ("Second", "Second"),
                ("No", "No"),
                ("Indian_Panorama", "Indian Panorama"),
            ]),
        )
        .required(),
        Field::new("duration_minutes", "Duration in minutes", Kind::Integer { min: 1, max: 1000 }).required(),
        Field::new("year_of_production", "Year of production", Kind::Year).required(),
        Field::text("country_of_origin", "Country of origin").required(),
        Field::new("technical_features", "Technical features", Kind::Lines { max: 2_000 })
            .required()
            .placeholder("Colour or black and white, aspect ratio, sound"),
        Field::text("origination_format", "Origination format").required().placeholder("What it was shot on"),
        Field::text("presentation_format", "Presentation format")
            .required()
            .default("DCP")
            .hint("Films are shown from DCP only."),
        Field::text("producer_name", "Name of the producer").about(PRODUCER).required(),
        email("producer_email", "E-mail of the producer", PRODUCER).required(),
        phone("producer_mobile", "Mobile number of the producer", PRODUCER).required(),
        Field::text("director_name", "Name of the director").about(DIRECTOR).required(),
        email("director_email", "E-mail of the director", DIRECTOR).required(),
        phone("director_mobile", "Mobile number of the director", DIRECTOR).required(),
        Field::lines("biography", "Biography of the director (up to 200 words)")
            .about(DIRECTOR)
            .required()
            .max_words(200),
        Field::new("screener_link", "Link to the screener", Kind::Link)
            .required()
            .placeholder("https://")
            .hint("A link under which the jury can see the whole film."),
        Field::text("screener_link_password", "Password of the screener link (NO is set if there is none)")
            .required()
            .default("NO")
            .placeholder("Leave it empty if there is none"),
        Field::lines("synopsis_long", "Long synopsis (up to 300 words)").required().max_words(300),
        Field::lines("synopsis_short", "Short synopsis (up to 100 words)").required().max_words(100),
        Field::new("stills_link", "Link to stills", Kind::Link)
            .required()
            .placeholder("https://")
            .hint("A folder with stills of the film in print quality."),
        Field::lines("cast_and_crew", "Cast and crew").required(),
        Field::text("name_of_submitter", "Name of the submitter").about(SENDER).required(),
        phone("correspondence_contact", "Telephone number for correspondence", SENDER).required(),
        email("correspondence_email", "E-mail for correspondence", SENDER)
            .required()
            .hint("The receipt goes to this address."),
        picture("film_poster", "Poster of the film (less than 5 MB)"),
        picture("director_photo", "Photo of the director (less than 5 MB)").about(DIRECTOR),
        document("producer_consent", "Consent of the producer (less than 5 MB)").about(PRODUCER),
        document("documentation", "Documentation (less than 5 MB)"),
        picture("signature", "Signature of the submitter (less than 5 MB)"),
        picture("screenshot", "Screenshot of the payment (less than 5 MB)"),
    ],
    key: &["title_english", "correspondence_email"],
    per_edition: true,
};

/// The three film forms; their keys are the awards.
pub const FILM_FORMS: [&Form; 3] = [&ASIAN, &INDIAN, &MALAYALAM];

const FEATURE: &str = "is_first_or_second_feature";

const fn choice(value: &'static str, label: &'static str) -> FormChoice {
    FormChoice { key: value, value, label }
}

/// Submission for the Asian awards, at `/form-asian`.
pub const ASIAN: Form = Form {
    key: "asian",
    path: "/form-asian",
    api_path: "/changed/",
    title: "Film submission: Asian Cinema",
    lead: "For the awards to a debut Asian film and a debut Asian director.",
    entity: &FILM_SUBMISSION,
    sections: FILM_SECTIONS,
    options: &[(FEATURE, &[choice("First", "First"), choice("Second", "Second"), choice("No", "No")])],
    fee: Fee::FilmOrDollars,
};

/// Submission for the Indian award, at `/form-indian`.
pub const INDIAN: Form = Form {
    key: "indian",
    path: "/form-indian",
    api_path: "/changed/",
    title: "Film submission: Indian Cinema",
    lead: "For the award to a debut Indian film in any language, and for the Indian Panorama.",
    entity: &FILM_SUBMISSION,
    sections: FILM_SECTIONS,
    options: &[(
        FEATURE,
        &[choice("First", "First"), choice("Second", "Second"), choice("Indian_Panorama", "Indian Panorama")],
    )],
    fee: Fee::Film,
};

/// Submission for the Malayalam award, at `/form-malayalam`.
pub const MALAYALAM: Form = Form {
    key: "malayalam",
    path: "/form-malayalam",
    api_path: "/changed/",
    title: "Film submission: Malayalam Cinema",
    lead: "For the award to a debut Malayalam film: a director's first or second film.",
    entity: &FILM_SUBMISSION,
    sections: MALAYALAM_SECTIONS,
    // "No" is sent as "Second", with the chosen label in a field of its own.
    options: &[(
        FEATURE,
        &[
            FormChoice { key: "first_film", value: "First", label: "First Film" },
            FormChoice { key: "second_film", value: "Second", label: "Second Film" },
            FormChoice { key: "neither", value: "Second", label: "No" },
        ],
    )],
    fee: Fee::Film,
};
