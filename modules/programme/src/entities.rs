//! What programmers edit: halls, prints, guests, certificates and screenings.

use festival_core::entity::{Entity, Field, Kind};

use crate::outline::{self, FILM};

/// A hall.
pub const HALL: Entity = Entity {
    table: "halls",
    singular: "hall",
    plural: "halls",
    fields: &[
        Field::text("name", "Name").required(),
        Field::text("venue", "Venue").hint("The house that it is in, as visitors know it."),
        Field::new("capacity", "Seats", Kind::Integer { min: 1, max: 100_000 }),
        Field::new("wheelchair_seats", "Places for wheelchairs", Kind::Integer { min: 0, max: 10_000 }),
        Field::new("changeover_minutes", "Changeover in minutes", Kind::Integer { min: 0, max: 240 })
            .default("15")
            .hint("How long it takes from the end of one screening until the next can begin."),
        Field::new("closing_time", "Closing time", Kind::Choice(CLOSING_TIMES))
            .hint("When the last screening has to be over. Leave it empty if there is no such time."),
        Field::new("map_link", "Address of a map", Kind::Link),
        Field::position(),
    ],
    key: &["name"],
    per_edition: true,
};

/// Closing times to choose from. Those after midnight belong to the evening before.
const CLOSING_TIMES: &[(&str, &str)] = &[
    ("18:00", "18:00"),
    ("19:00", "19:00"),
    ("20:00", "20:00"),
    ("20:30", "20:30"),
    ("21:00", "21:00"),
    ("21:30", "21:30"),
    ("22:00", "22:00"),
    ("22:30", "22:30"),
    ("23:00", "23:00"),
    ("23:30", "23:30"),
    ("00:00", "Midnight"),
    ("00:30", "00:30"),
    ("01:00", "01:00"),
    ("01:30", "01:30"),
    ("02:00", "02:00"),
    ("03:00", "03:00"),
    ("04:00", "04:00"),
];

/// The way between two halls, the same in both directions.
pub const HALL_WALK: Entity = Entity {
    table: "hall_walks",
    singular: "way between halls",
    plural: "ways between halls",
    fields: &[
        Field::new("hall", "From", Kind::Reference(&HALL)).required(),
        Field::new("other_hall", "To", Kind::Reference(&HALL)).required(),
        Field::new("minutes", "Minutes on foot", Kind::Integer { min: 0, max: 600 }).required(),
    ],
    key: &["hall", "other_hall"],
    per_edition: true,
};

/// A print of a film: a reel, a DCP with its key, a file.
pub const PRINT: Entity = Entity {
    table: "prints",
    singular: "print",
    plural: "prints",
    fields: &[
        Field::new("film", "Film", Kind::Reference(&FILM)).required(),
        Field::text("format", "Format").required().placeholder("DCP"),
        Field::text("location", "Where it is"),
        Field::new("available_from", "Available from", Kind::DateTime)
            .hint("When it arrives, or when its key begins. Leave it empty if that does not matter."),
        Field::new("available_until", "Available until", Kind::DateTime)
            .until()
            .hint("When it leaves, or when its key ends."),
        Field::new("transport_minutes", "Transport in minutes", Kind::Integer { min: 0, max: 1440 })
            .default("60")
            .hint("How long it takes to bring it from one hall to another."),
        Field::new("running_seconds", "Running time in seconds", Kind::Integer { min: 1, max: 100_000 })
            .section("From the file of a digital print"),
        Field::new("is_encrypted", "Encrypted", Kind::Flag)
            .hint("It plays only with a key for the server of the hall."),
        Field::text("subtitles", "Subtitles").placeholder("English, French"),
        Field::text("cpl_id", "Playlist (CPL)").hint("The id by which keys name it."),
        Field::text("content_title", "Title in the file"),
    ],
    key: &["film", "format"],
    per_edition: true,
};

/// A key (KDM) for an encrypted print: one server may play one playlist for a limited time.
pub const PRINT_KEY: Entity = Entity {
    table: "print_keys",
    singular: "key of a print",
    plural: "keys of prints",
    fields: &[
        Field::new("film", "Film", Kind::Reference(&FILM)).required(),
        Field::text("device", "Server").required().hint("The name in its certificate."),
        Field::new("hall", "Hall", Kind::Reference(&HALL))
            .hint("Where the server is. Empty: the key counts for every hall."),
        Field::new("valid_from", "Valid from", Kind::DateTime).required(),
        Field::new("valid_until", "Valid until", Kind::DateTime).required().until(),
        Field::text("cpl_id", "Playlist (CPL)").required().hint("The id of what it opens."),
    ],
    key: &["cpl_id", "device", "valid_from", "valid_until"],
    per_edition: true,
};

/// When a guest is at the festival.
pub const GUEST_STAY: Entity = Entity {
    table: "guest_stays",
    singular: "guest's stay",
    plural: "guests' stays",
    fields: &[
        Field::text("name", "Name").required().hint("As the screenings name the guest."),
        Field::new("film", "Film", Kind::Reference(&FILM)),
        Field::new("arrives_at", "Here from", Kind::DateTime),
        Field::new("leaves_at", "Here until", Kind::DateTime).until(),
    ],
    key: &["name"],
    per_edition: true,
};

/// Status of a film that has its certificate of exemption.
pub(crate) const GRANTED: &str = "granted";
/// Status of a film that is certified and needs no exemption.
pub(crate) const CERTIFIED: &str = "certified";

/// The certificate of a film, or its exemption from certification.
pub const CERTIFICATE: Entity = Entity {
    table: "certificates",
    singular: "certificate",
    plural: "certificates",
    fields: &[
        Field::new("film", "Film", Kind::Reference(&FILM)).required(),
        Field::new(
            "status",
            "Status",
            Kind::Choice(&[
                (CERTIFIED, "Certified"),
                ("applied", "Exemption applied for"),
                (GRANTED, "Exemption granted"),
                ("refused", "Exemption refused"),
            ]),
        )
        .required(),
        Field::text("number", "Number"),
        Field::new("issued_on", "Date", Kind::Date),
        Field::new("file", "Certificate (PDF)", Kind::Document),
    ],
    key: &["film"],
    per_edition: true,
};

/// A screening, or another event of the programme.
pub const SCREENING: Entity = Entity {
    table: "screenings",
    singular: "screening",
    plural: "screenings",
    fields: &[
        Field::text("code", "Code").placeholder("A12").hint("As in the printed programme. It can stay empty."),
        Field::new("film", "Film", Kind::Reference(&FILM)).hint("Further films of a package are added to it."),
        Field::text("title", "Title").hint("Leave it empty to show the film's title."),
        Field::new("hall", "Hall", Kind::Reference(&HALL)).required(),
        Field::new("starts_at", "Begins", Kind::DateTime).required(),
        Field::new(
            "kind",
            "Kind",
            Kind::Choice(&[("film", "Film"), ("package", "Package"), ("talk", "Talk"), ("ceremony", "Ceremony")]),
        )
        .default("film"),
        Field::new("minutes", "Minutes", Kind::Integer { min: 1, max: 1440 })
            .hint("Without the talk. Leave it empty for the running time of the films."),
        Field::new("talk_minutes", "Minutes of the talk", Kind::Integer { min: 0, max: 600 }).default("0"),
        Field::new("guests", "Guests", Kind::Lines { max: 2000 })
            .hint("A name on each line.")
            .section("Guests and language"),
        Field::new("with_guests", "With guests", Kind::Flag).hint("Also if their names are not known yet."),
        Field::text("language", "Language").hint("Leave it empty for that of the film."),
        Field::text("subtitles", "Subtitles"),
        Field::new(
            "audience",
            "Open to",
            Kind::Choice(&[("all", "Everybody"), ("delegates", "Delegates"), (JURY, "Jury only")]),
        )
        .default("all")
        .section("Audience and notes"),
        Field::new("is_cancelled", "Cancelled", Kind::Flag),
        Field::new("notes", "Notes of the programmers", Kind::Lines { max: 5000 }).hint("Visitors do not see them."),
    ],
    key: &["code"],
    per_edition: true,
};

/// Audience of screenings that are not in the public programme.
pub(crate) const JURY: &str = "jury";

/// A further film of a package.
pub const SCREENING_FILM: Entity = Entity {
    table: "screening_films",
    singular: "film of a package",
    plural: "films of packages",
    fields: &[
        Field::new("screening", "Package", Kind::Reference(&outline::SCREENING)).required(),
        Field::new("film", "Film", Kind::Reference(&FILM)).required(),
        Field::position(),
    ],
    key: &["screening", "film"],
    per_edition: true,
};
