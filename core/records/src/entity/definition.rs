//! The description of an entity: its names, its table and its fields with their kinds, labels and limits.

use std::collections::BTreeMap;

use festival_files::checks::AcceptedKinds;
use festival_files::upload::AcceptedFile;

use festival_base::db::Datum;

/// The text of each field by its name, as in a submitted form or a row of a spreadsheet.
pub type Values = BTreeMap<String, String>;

/// The table of the festival's editions, which `edition_id` refers to.
pub(crate) const EDITIONS: &str = "editions";

/// Valid values, one for each field with a column, in the order of the fields.
pub type Record = Vec<Datum>;

/// A kind of thing that organisers edit.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The table, which is also the section of its rows in a seed file: "upcoming_events".
    pub table: &'static str,
    /// The noun for one row: "event".
    pub singular: &'static str,
    /// The noun for several rows: "upcoming events".
    pub plural: &'static str,
    /// The fields, in the order of forms and files.
    pub fields: &'static [Field],
    /// The names of the fields that identify a row within an edition: seeds and imports find rows by them.
    pub key: &'static [&'static str],
    /// Whether rows belong to an edition of the festival.
    pub per_edition: bool,
}

impl Entity {
    /// The field called `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The index of the field called `name` in a [`Record`].
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns().position(|field| field.name == name)
    }

    /// The fields that the table has a column for: all but files.
    pub fn columns(&self) -> impl Iterator<Item = &'static Field> + Clone {
        self.fields.iter().filter(|field| field.has_column())
    }

    /// The values of the key fields of `record`.
    pub fn key_of(&self, record: &[Datum]) -> Vec<Datum> {
        self.key.iter().filter_map(|name| Some(record.get(self.position(name)?)?.clone())).collect()
    }

    /// The name in URLs: "upcoming-events".
    pub fn slug(&self) -> String {
        self.table.replace('_', "-")
    }
}

/// The type of a field, which decides how it is parsed, checked and edited.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One line of text.
    Text {
        /// Maximum length, in characters.
        max: usize,
    },
    /// Several lines of text.
    Lines {
        /// Maximum length, in characters.
        max: usize,
    },
    /// HTML; sanitised when written.
    Html,
    /// A whole number.
    Integer {
        /// Smallest allowed number.
        min: i64,
        /// Largest allowed number.
        max: i64,
    },
    /// Yes or no.
    Flag,
    /// One of a list of options: stored key and label.
    Choice(&'static [(&'static str, &'static str)]),
    /// A name in URLs: lower-case letters, digits and hyphens, at most 100.
    Slug,
    /// An absolute http or https URL, or a path of this site.
    Url,
    /// An absolute http or https URL.
    Link,
    /// An e-mail address of at most 254 characters.
    Email,
    /// A telephone number: 6 to 20 digits with plus signs, hyphens, spaces and brackets.
    Phone,
    /// A year from 1880 on. Callers that know the current year also check that it is at most next year.
    Year,
    /// A day: 2025-10-24.
    Date,
    /// A point in time, 2025-10-24T18:00:00+05:30; stored in UTC.
    DateTime,
    /// A time on the visitor's own clock, without an offset: 2025-09-03T22:00:00.
    LocalDateTime,
    /// A picture in the public media store.
    Image,
    /// The alternative text of a picture, for people who cannot see it: one line of at most 300 characters. The picture
    /// is the field whose name this one has, with `_alt` after it.
    AlternativeText,
    /// A PDF in the public media store.
    Document,
    /// A short film (MP4) in the public media store.
    Video,
    /// A file that a visitor submits: an image, or also a PDF. It is in the private media store and listed in a table
    /// of its own; the entity's table has no column for it.
    File {
        /// Whether PDFs are accepted as well.
        pdf: bool,
    },
    /// A row of another entity, identified by the first field of that entity's key.
    Reference(&'static Entity),
}

/// How cells of people's lists are read. Lists that were exported here are read as they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reads {
    /// As it is written.
    #[default]
    Written,
    /// From exported lists only.
    Exported,
    /// A title in the language of the site.
    Title,
    /// A title in its own language.
    OriginalTitle,
    /// A name, of which no word counts as missing.
    Name,
    /// One line of text.
    Line,
    /// A text; several columns are its paragraphs.
    Paragraphs,
    /// A list of names.
    Names,
    /// A list of people, whose surnames may come first.
    People,
    /// A list of names with what they did.
    Credits,
    /// A list of countries, or of their codes.
    Countries,
    /// A list of languages, or of their codes.
    Languages,
    /// One year, also from a date.
    Year,
    /// A running time, as minutes.
    Minutes,
    /// Yes or no, also in words such as "published" and "draft".
    Flag,
}

/// A person whom fields of a row are about.
#[derive(Debug, PartialEq, Eq)]
pub struct Subject {
    /// The rows about the person, in the plural: "films as their producer".
    pub rows: &'static str,
}

/// A field of an entity: column, texts and rules.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in seeds, imports and forms, and of the column.
    pub name: &'static str,
    /// The label in forms and lists.
    pub label: &'static str,
    /// The type.
    pub kind: Kind,
    /// Whether it must not be empty.
    pub required: bool,
    /// The text that is parsed if the input is empty; "": none.
    pub default: &'static str,
    /// An example, shown in the empty input.
    pub placeholder: &'static str,
    /// A sentence below the input.
    pub hint: &'static str,
    /// Maximum number of words that people are asked to write; 0: any number. [`Field::parse`] does not check it.
    pub max_words: usize,
    /// The heading of the part of a long form that begins with this field; "": none.
    pub section: &'static str,
    /// Whether it is the time at which something ends: a day without a time means its last minute.
    pub ends: bool,
    /// The person whose data it is, which are exported and erased together.
    pub subject: Option<&'static Subject>,
    /// How cells of lists are read.
    pub reads: Reads,
}

impl Field {
    /// An optional field.
    pub const fn new(name: &'static str, label: &'static str, kind: Kind) -> Self {
        Self {
            name,
            label,
            kind,
            required: false,
            default: "",
            placeholder: "",
            hint: "",
            max_words: 0,
            section: "",
            ends: false,
            subject: None,
            reads: Reads::Written,
        }
    }

    /// An optional line of text of at most 300 characters.
    pub const fn text(name: &'static str, label: &'static str) -> Self {
        Self::new(name, label, Kind::Text { max: 300 })
    }

    /// An optional text of several lines, of at most 20,000 characters.
    pub const fn lines(name: &'static str, label: &'static str) -> Self {
        Self::new(name, label, Kind::Lines { max: 20_000 })
    }

    /// An optional picture.
    pub const fn image(name: &'static str, label: &'static str) -> Self {
        Self::new(name, label, Kind::Image)
    }

    /// The file that it accepts, which is served to everyone; `None` if it accepts none.
    pub const fn public_file(&self) -> Option<AcceptedFile> {
        let kinds = match self.kind {
            Kind::Image => AcceptedKinds::Picture,
            Kind::Document => AcceptedKinds::Pdf,
            Kind::Video => AcceptedKinds::Video,
            _ => return None,
        };
        Some(AcceptedFile::of_organisers(self.name, kinds))
    }

    /// The alternative text of a picture: `poster_alt` is that of `poster`.
    pub const fn alt(name: &'static str, label: &'static str) -> Self {
        Self::new(name, label, Kind::AlternativeText).hint(
            "Describe the picture for people who cannot see it. Leave it empty if the page already says the same.",
        )
    }

    /// The position in lists, 0 to 1,000,000 in ascending order; by default 0.
    pub const fn position() -> Self {
        Self { default: "0", ..Self::new("position", "Position", Kind::Integer { min: 0, max: 1_000_000 }) }
    }

    /// Whether the site shows the row; by default yes.
    pub const fn published() -> Self {
        Self { default: "yes", ..Self::new("is_published", "Published", Kind::Flag) }
    }

    /// The same field, required.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same field with an example in the empty input.
    pub const fn placeholder(mut self, text: &'static str) -> Self {
        self.placeholder = text;
        self
    }

    /// The same field with a sentence below the input.
    pub const fn hint(mut self, sentence: &'static str) -> Self {
        self.hint = sentence;
        self
    }

    /// The same field, as the time at which something ends.
    pub const fn until(mut self) -> Self {
        self.ends = true;
        self
    }

    /// The same field, which begins a part of a long form under a heading.
    pub const fn section(mut self, heading: &'static str) -> Self {
        self.section = heading;
        self
    }

    /// The same field, for which people are asked to write at most `limit` words.
    pub const fn max_words(mut self, limit: usize) -> Self {
        self.max_words = limit;
        self
    }

    /// The same field, as data of a person.
    pub const fn about(mut self, subject: &'static Subject) -> Self {
        self.subject = Some(subject);
        self
    }

    /// The same field, read from lists in this way.
    pub const fn reads(mut self, reads: Reads) -> Self {
        self.reads = reads;
        self
    }

    /// The same field with a default.
    pub const fn default(mut self, text: &'static str) -> Self {
        self.default = text;
        self
    }

    /// The name for sentences: "film poster" for `film_poster`.
    pub fn name_in_sentence(&self) -> String {
        self.name.replace('_', " ")
    }

    /// The name of the picture's field if this is an alternative text.
    pub fn picture(&self) -> Option<&'static str> {
        match self.kind {
            Kind::AlternativeText => self.name.strip_suffix("_alt"),
            _ => None,
        }
    }

    /// Whether the entity's table has a column for it; submitted files have a table of their own.
    pub const fn has_column(&self) -> bool {
        !matches!(self.kind, Kind::File { .. })
    }

    /// The column in the table: `<name>_id` for references.
    pub fn column(&self) -> String {
        match self.kind {
            Kind::Reference(_) => format!("{}_id", self.name),
            _ => self.name.to_owned(),
        }
    }
}
