//! One thing that is known of an entity.

use super::Entity;

/// What a field holds, and so how it is read, checked and edited.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One line of at most so many characters.
    Text {
        /// Characters.
        max: usize,
    },
    /// Several lines of at most so many characters.
    Lines {
        /// Characters.
        max: usize,
    },
    /// Formatted text; sanitised when written.
    Html,
    /// A whole number within limits, both included.
    Integer {
        /// The smallest.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// Yes or no.
    Flag,
    /// One of a few words: what is stored, and what people read.
    Choice(&'static [(&'static str, &'static str)]),
    /// A name in addresses: small letters, digits, hyphens.
    Slug,
    /// A whole address with http or https, or a path of this site.
    Url,
    /// A whole address with http or https.
    Link,
    /// An e-mail address of at most 254 characters.
    Email,
    /// A telephone number: 6 to 20 digits, and between them plus, hyphens, spaces, brackets.
    Phone,
    /// A year from 1880 on. That it is not later than next year is asked where the present year is known.
    Year,
    /// A day: 2025-10-24.
    Date,
    /// A moment: 2025-10-24T18:00:00+05:30; kept in UTC.
    DateTime,
    /// A moment on the visitor's own clock: 2025-09-03T22:00:00, no offset.
    LocalDateTime,
    /// A picture in the public media store.
    Image,
    /// A PDF in the public media store.
    Document,
    /// A short film (MP4) in the public media store.
    Video,
    /// A file that a visitor sends along: an image, or also a PDF. It is kept in the private store and named in
    /// a table of its own; the entity's table has no column for it.
    File {
        /// Whether a PDF will do.
        pdf: bool,
    },
    /// A row of another entity, named by the first field of that entity's key.
    Reference(&'static Entity),
}

/// One thing that is known of an entity: the column, the words for people, the rule.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The column and the key in seeds, imports and forms.
    pub name: &'static str,
    /// The words for people.
    pub label: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it must be filled.
    pub required: bool,
    /// What is meant where nothing is said; empty: nothing.
    pub default: &'static str,
    /// What stands in the empty input as an example.
    pub placeholder: &'static str,
    /// One sentence below the input.
    pub hint: &'static str,
    /// How many words are asked for at most; 0: any number. A wish, not a rule of the field.
    pub words: usize,
}

impl Field {
    /// An optional field.
    pub const fn new(name: &'static str, label: &'static str, kind: Kind) -> Self {
        Self { name, label, kind, required: false, default: "", placeholder: "", hint: "", words: 0 }
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

    /// The place in the list, 0 to 1,000,000; smaller comes first.
    pub const fn position() -> Self {
        Self { default: "0", ..Self::new("position", "Position", Kind::Integer { min: 0, max: 1_000_000 }) }
    }

    /// Whether the site shows it; yes where nothing is said.
    pub const fn published() -> Self {
        Self { default: "yes", ..Self::new("is_published", "Published", Kind::Flag) }
    }

    /// The same field, to be filled.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same field with an example in its empty input.
    pub const fn placeholder(mut self, text: &'static str) -> Self {
        self.placeholder = text;
        self
    }

    /// The same field with a sentence below its input.
    pub const fn hint(mut self, sentence: &'static str) -> Self {
        self.hint = sentence;
        self
    }

    /// The same field, asked to have at most so many words.
    pub const fn words(mut self, limit: usize) -> Self {
        self.words = limit;
        self
    }

    /// The same field with what is meant where nothing is said.
    pub const fn default(mut self, text: &'static str) -> Self {
        self.default = text;
        self
    }

    /// The name as sentences say it: `film_poster` is "film poster".
    pub fn spoken(&self) -> String {
        self.name.replace('_', " ")
    }

    /// Whether the entity's table has a column for it; files are kept elsewhere.
    pub const fn has_column(&self) -> bool {
        !matches!(self.kind, Kind::File { .. })
    }

    /// The column in the table: a reference is kept as `<name>_id`.
    pub fn column(&self) -> String {
        match self.kind {
            Kind::Reference(_) => format!("{}_id", self.name),
            _ => self.name.to_owned(),
        }
    }
}
