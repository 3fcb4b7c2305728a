//! What files of digital cinema change: prints are found by their playlist, others by the title of the film.

use festival_core::db::timestamp_text;
use festival_core::editing::{self, Editor};
use festival_core::entity::{Entity, Values, table};
use festival_core::importing;
use festival_core::importing::likeness::{fold, fold_title, is_alike};
use festival_core::{Error, Records, Result};
use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, FromRow};

use super::cpl::Cpl;
use super::files::{Content, File};
use super::kdm::Kdm;
use super::title::ContentTitle;
use crate::day;
use crate::entities::{PRINT, PRINT_KEY};

/// Letters of a title from which the beginning of a film's title is enough: the convention cuts titles.
const MIN_BEGINNING: usize = 10;
/// Share of letters in common from which a film is proposed.
const SIMILAR: f64 = 0.6;
/// Maximum number of films that are proposed.
const MAX_PROPOSALS: usize = 3;
/// Maximum number of characters that are stored of a content title, and of the names of files.
const MAX_TITLE: usize = 300;

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    New,
    Changed,
    Unchanged,
    Refused,
}

impl Outcome {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
            Self::Refused => "refused",
        }
    }
}

/// What became of a file, and what it says.
pub(crate) struct Line {
    pub(crate) file: String,
    pub(crate) outcome: Outcome,
    pub(crate) text: String,
}

/// What became of the files of an import.
pub(crate) struct Imported {
    /// The id of the import, by which it is undone.
    pub(crate) id: i64,
    pub(crate) lines: Vec<Line>,
}

impl Imported {
    /// The number of files with an outcome.
    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        self.lines.iter().filter(|line| line.outcome == outcome).count()
    }

    /// Whether a row was added or changed. Otherwise the transaction need not be committed.
    pub(crate) fn is_changed(&self) -> bool {
        self.count(Outcome::New) + self.count(Outcome::Changed) > 0
    }
}

/// An import into an edition, in the transaction of `connection`.
pub(crate) struct Import<'a> {
    pub(crate) records: &'a Records,
    pub(crate) connection: &'a mut AnyConnection,
    pub(crate) edition: i64,
    pub(crate) editor: Editor,
    /// The title or number of the film that all files are of; "" for what they say.
    pub(crate) film: &'a str,
}

/// A film of the edition, whether visitors see it or not.
#[derive(FromRow)]
struct Film {
    id: i64,
    name: String,
    original_title: Option<String>,
}

impl Film {
    fn titles(&self) -> impl Iterator<Item = &str> {
        [Some(self.name.as_str()), self.original_title.as_deref()].into_iter().flatten()
    }
}

#[derive(FromRow)]
struct Print {
    id: i64,
    film_id: i64,
    format: String,
    cpl_id: Option<String>,
}

#[derive(FromRow)]
struct Key {
    id: i64,
    cpl_id: String,
    device: String,
    valid_from: String,
    valid_until: String,
    hall: Option<String>,
}

#[derive(FromRow)]
struct Hall {
    name: String,
    venue: Option<String>,
}

/// The rows of the edition that files may belong to.
struct Stored {
    films: Vec<Film>,
    prints: Vec<Print>,
    keys: Vec<Key>,
    halls: Vec<Hall>,
}

impl Stored {
    /// The film of the print with this playlist.
    fn film_of(&self, cpl_id: &str) -> Option<&Film> {
        let print = self.prints.iter().find(|print| print.cpl_id.as_deref() == Some(cpl_id))?;
        self.films.iter().find(|film| film.id == print.film_id)
    }

    /// The hall of a server: that of its other keys, or the one with the name that the laboratory uses.
    fn hall_of(&self, kdm: &Kdm) -> Option<String> {
        let of_server = self.keys.iter().rev().filter(|key| key.device == kdm.device).find_map(|key| key.hall.clone());
        let is_meant = |hall: &&Hall| {
            let (name, venue) = (&hall.name, hall.venue.as_deref().unwrap_or_default());
            let description = kdm.description.as_deref().map(fold);
            let names = [name.clone(), format!("{name} {venue}"), format!("{venue} {name}")];
            names.iter().any(|name| Some(fold(name)) == description)
        };
        of_server.or_else(|| Some(self.halls.iter().find(is_meant)?.name.clone()))
    }
}

/// A title as one word, in small letters.
fn word(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

impl Import<'_> {
    /// Stores what can be stored, and says of each file what it is.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub(crate) async fn store(mut self, files: Vec<File>) -> Result<Imported> {
        let names = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ");
        let source: String = names.chars().take(MAX_TITLE).collect();
        let now = timestamp_text(self.records.clock.now());
        let edition = Some(self.edition);
        let id = importing::record_import(self.connection, &PRINT, edition, &source, &self.editor, &now).await?;
        self.editor.import = Some(id);
        let mut stored = Stored {
            films: self.rows("SELECT id, name, original_title FROM films WHERE edition_id = $1 ORDER BY id").await?,
            prints: self
                .rows("SELECT id, film_id, format, cpl_id FROM prints WHERE edition_id = $1 ORDER BY id")
                .await?,
            keys: self
                .rows(
                    "SELECT k.id, k.cpl_id, k.device, k.valid_from, k.valid_until, h.name AS hall FROM print_keys k \
                     LEFT JOIN halls h ON h.id = k.hall_id WHERE k.edition_id = $1 ORDER BY k.id",
                )
                .await?,
            halls: self.rows("SELECT name, venue FROM halls WHERE edition_id = $1 ORDER BY id").await?,
        };
        let mut lines = Vec::new();
        for File { name, content } in files {
            let result = match content {
                Ok(Content::Cpl(cpl)) => self.store_cpl(&mut stored, cpl).await,
                Ok(Content::Kdm(kdm)) => self.store_kdm(&mut stored, kdm).await,
                Err(reason) => Err(Error::BadRequest(format!("It {reason}."))),
            };
            let (outcome, text) = match result {
                Ok(stored) => stored,
                Err(Error::BadRequest(reason)) => (Outcome::Refused, reason),
                Err(error @ Error::Invalid(_)) => (Outcome::Refused, error.to_string()),
                Err(error) => return Err(error),
            };
            lines.push(Line { file: name, outcome, text });
        }
        let imported = Imported { id, lines };
        let counts = (imported.count(Outcome::New), imported.count(Outcome::Changed));
        importing::count_rows(self.connection, id, counts).await?;
        Ok(imported)
    }

    async fn rows<T: for<'r> FromRow<'r, AnyRow> + Send + Unpin>(&mut self, sql: &'static str) -> Result<Vec<T>> {
        Ok(sqlx::query_as(sql).bind(self.edition).fetch_all(&mut *self.connection).await?)
    }

    async fn store_cpl(&mut self, stored: &mut Stored, cpl: Cpl) -> Result<(Outcome, String)> {
        let film = match stored.film_of(&cpl.id) {
            Some(film) => film,
            None if cpl.is_trailer && self.film.is_empty() => {
                return Err(Error::BadRequest(format!(
                    "It is the trailer “{}”. If it is screened in place of a film, import it again with the film's title or \
                     number.",
                    cpl.title
                )));
            }
            None => self.film(&stored.films, &cpl.title)?,
        };
        let known = stored.prints.iter().find(|print| print.cpl_id.as_deref() == Some(&*cpl.id));
        let of_film = || stored.prints.iter().filter(|print| print.film_id == film.id);
        // The print that was entered before its file came.
        let expected: Vec<&Print> =
            of_film().filter(|it| it.cpl_id.is_none() && it.format.to_uppercase().starts_with("DCP")).collect();
        let row = known.or(if let [only] = expected[..] { Some(only) } else { None }).map(|print| print.id);
        let mut format = cpl.format;
        if of_film().any(|print| print.format == format && Some(print.id) != row) {
            format.push_str(&format!(", CPL {}", &cpl.id[..8]));
        }
        let subtitles = cpl.subtitles.join(", ");
        let mut values = vec![
            ("film", film.id.to_string()),
            ("cpl_id", cpl.id.clone()),
            ("content_title", cpl.title.chars().take(MAX_TITLE).collect()),
            ("running_seconds", cpl.seconds.map(|seconds| seconds.to_string()).unwrap_or_default()),
            ("is_encrypted", if cpl.is_encrypted { "yes" } else { "no" }.to_owned()),
            ("subtitles", subtitles.clone()),
        ];
        // The format of a known print may have been edited.
        values.extend(known.is_none().then(|| ("format", format.clone())));
        let details = [
            Some(format.clone()),
            cpl.seconds.map(running_time),
            Some(if cpl.is_encrypted { "encrypted" } else { "not encrypted" }.to_owned()),
            Some(if subtitles.is_empty() { "no subtitles".to_owned() } else { format!("subtitles: {subtitles}") }),
            ContentTitle::read(&cpl.title).rating.map(|rating| format!("rated {rating} in India")),
        ];
        let details = details.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let (text, film_id) = (format!("Print of “{}”: {details}.", film.name), film.id);
        let (id, outcome) = self.write(&PRINT, row, &values).await?;
        stored.prints.retain(|print| print.id != id);
        stored.prints.push(Print { id, film_id, format, cpl_id: Some(cpl.id) });
        Ok((outcome, text))
    }

    async fn store_kdm(&mut self, stored: &mut Stored, kdm: Kdm) -> Result<(Outcome, String)> {
        let film = match stored.film_of(&kdm.cpl_id) {
            Some(film) => film,
            None => self.film(&stored.films, &kdm.title)?,
        };
        let window = [timestamp_text(kdm.from), timestamp_text(kdm.until)];
        let is_same = |key: &&Key| {
            (&key.cpl_id, &key.device) == (&kdm.cpl_id, &kdm.device)
                && [&key.valid_from, &key.valid_until] == window.each_ref()
        };
        let known = stored.keys.iter().find(is_same).map(|key| key.id);
        let hall = stored.hall_of(&kdm);
        let [valid_from, valid_until] = window;
        let mut values = vec![
            ("film", film.id.to_string()),
            ("cpl_id", kdm.cpl_id.clone()),
            ("device", kdm.device.clone()),
            ("valid_from", valid_from.clone()),
            ("valid_until", valid_until.clone()),
        ];
        // A hall that somebody has entered stays.
        values.extend(hall.iter().filter(|_| known.is_none()).map(|hall| ("hall", hall.clone())));
        let time = |time: Timestamp| day::text_with_year(time, &self.records.time_zone);
        let text = format!(
            "Key of “{}” for {}{}: {} to {}.{}",
            film.name,
            kdm.device,
            hall.as_ref().map(|hall| format!(" ({hall})")).unwrap_or_default(),
            time(kdm.from),
            time(kdm.until),
            if kdm.is_without_offset { " Its times have no time zone and are read as UTC." } else { "" },
        );
        let is_of_print = stored.prints.iter().any(|print| print.cpl_id.as_ref() == Some(&kdm.cpl_id));
        let text = match is_of_print {
            true => text,
            false => format!("{text} It is for the playlist {}, which no print has.", kdm.cpl_id),
        };
        let (id, outcome) = self.write(&PRINT_KEY, known, &values).await?;
        if known.is_none() {
            stored.keys.push(Key { id, cpl_id: kdm.cpl_id, device: kdm.device, valid_from, valid_until, hall });
        }
        Ok((outcome, text))
    }

    /// The film that `title` names.
    ///
    /// # Errors
    /// [`Error::BadRequest`] with what to do if it names none, or more than one.
    fn film<'f>(&self, films: &'f [Film], title: &str) -> Result<&'f Film> {
        let said = ContentTitle::read(title);
        let wanted = if self.film.is_empty() { &said.film } else { self.film };
        let (folded, with_article) = (word(&fold_title(wanted)), word(&fold(wanted)));
        let of = |is_meant: &dyn Fn(&str) -> bool| -> Vec<&'f Film> {
            films.iter().filter(|film| film.titles().any(is_meant)).collect()
        };
        let mut found: Vec<&Film> = films.iter().filter(|film| film.id.to_string() == self.film).collect();
        if found.is_empty() && !with_article.is_empty() {
            found = of(&|title| word(&fold_title(title)) == folded || word(&fold(title)) == with_article);
        }
        if found.is_empty() && said.is_conventional && with_article.len() >= MIN_BEGINNING {
            found = of(&|title| {
                word(&fold(title)).starts_with(&with_article) || word(&fold_title(title)).starts_with(&folded)
            });
        }
        if let [only] = found[..] {
            return Ok(only);
        }
        if found.is_empty() {
            found = of(&|title| is_alike(&folded, &word(&fold_title(title)), SIMILAR));
        }
        let names: Vec<String> =
            found.iter().take(MAX_PROPOSALS).map(|film| format!("“{}” (film {})", film.name, film.id)).collect();
        let question = match &*names {
            [] => "No film is called so.".to_owned(),
            names => format!("Is it {}?", names.join(", or ")),
        };
        Err(Error::BadRequest(format!(
            "Its title is “{wanted}”. {question} Import it again with the film's title or number."
        )))
    }

    /// Changes a row or adds one, and returns its id. Values that are not named stay.
    async fn write(&mut self, entity: &Entity, id: Option<i64>, values: &[(&str, String)]) -> Result<(i64, Outcome)> {
        let named = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let Some(id) = id else {
            let defaults = entity.columns().map(|field| (field.name.to_owned(), field.default.to_owned()));
            let values: Values = defaults.chain(named).collect();
            let edition = Some(self.edition);
            let id = editing::create(self.records, self.connection, entity, edition, &values, &self.editor).await?;
            return Ok((id, Outcome::New));
        };
        let current = editing::find_to_write(self.connection, entity, id).await?;
        let current = current.ok_or_else(|| Error::NotFound("The row is not here any more.".into()))?;
        let mut record = current.record.clone();
        table::unresolve(self.connection, entity, &mut record).await?;
        let mut values = entity.print(&record, &self.records.time_zone);
        values.extend(named);
        let version = current.version();
        let change =
            editing::update(self.records, self.connection, entity, (id, &version), &values, &self.editor).await?;
        Ok((id, if change.is_some() { Outcome::Changed } else { Outcome::Unchanged }))
    }
}

/// "1:42:10".
pub(crate) fn running_time(seconds: i64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
