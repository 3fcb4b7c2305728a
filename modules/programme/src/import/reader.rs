//! Reads lists of screenings.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use festival_core::entity::Entity;
use festival_core::importing::duration::{self, Clock};
use festival_core::importing::likeness::header_words;
use festival_core::importing::{
    self, CellError, Column, HeaderNames, Import, ImportOptions, Matches, ParsedSheet, Reader, Refusal, Row, RowPacker,
    dates,
};
use festival_core::sheet::{self, Sheet};
use festival_core::text::shortened;
use festival_core::{Records, Result};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use sqlx::AnyConnection;

use super::matching;
use crate::day;

/// The column of the day, for which [`SCREENING`] has no field.
const DATE: &str = "date";
/// The column of the time of day.
const TIME: &str = "time";

/// The columns that lists may have, in their order.
const COLUMNS: &[&str] = &[
    "film",
    "hall",
    DATE,
    TIME,
    "starts_at",
    "code",
    "kind",
    "title",
    "minutes",
    "talk_minutes",
    "guests",
    "language",
    "subtitles",
    "audience",
    "notes",
    "is_cancelled",
];

/// Headers that lists use, folded, with the columns that they mean.
static HEADERS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let names = HeaderNames::parse(include_str!("headers.txt"));
    let mut headers = HashMap::new();
    for column in COLUMNS {
        names.of(column).for_each(|name| _ = headers.entry(header_words(name).concat()).or_insert(*column));
    }
    headers
});

/// Reads lists of screenings as festivals write them.
pub(crate) struct ScreeningLists;

/// The field that a header means.
fn meaning(header: &str) -> Option<&'static str> {
    HEADERS.get(&header_words(header).concat()).copied()
}

#[rocket::async_trait]
impl Reader for ScreeningLists {
    fn fields(&self, entity: &'static Entity) -> Vec<(&'static str, &'static str)> {
        let label = |name: &'static str| match name {
            DATE => "Date",
            TIME => "Time",
            name => entity.field(name).map_or(name, |field| field.label),
        };
        COLUMNS.iter().map(|field| (*field, label(field))).collect()
    }

    fn field_of(&self, _entity: &'static Entity, header: &str) -> Option<&'static str> {
        meaning(header)
    }

    fn read(
        &self,
        records: &Records,
        entity: &'static Entity,
        sheet: Sheet,
        options: &ImportOptions,
    ) -> Result<ParsedSheet, Refusal> {
        let mut sheet = if options.no_header { sheet.without_header() } else { sheet };
        let zone = &records.time_zone;
        let today = options.near.unwrap_or_else(|| records.clock.now().to_zoned(zone.clone()).date());
        let columns = columns(&sheet, options, today)?;
        let unread = importing::leave_out_unread(&mut sheet.rows, &columns, |row| heading(row, today).is_some());
        let notes = sheet.notes.iter().map(ToString::to_string).chain(unread);
        let mut parsed = ParsedSheet { columns, notes: notes.collect(), ..ParsedSheet::default() };
        let mut lines = Lines { today, zone, day: None, options, packer: RowPacker::default() };
        for row in &sheet.rows {
            lines.read(&mut parsed, entity, row);
        }
        if sheet.rows.is_empty() {
            parsed.notes.push("there are no screenings in it, only a header".to_owned());
        }
        Ok(parsed)
    }

    async fn match_rows(
        &self,
        import: &Import<'_>,
        connection: &mut AnyConnection,
        rows: &[Row],
    ) -> Result<Option<Matches>> {
        let Some(edition) = import.edition else { return Ok(None) };
        matching::match_rows(connection, edition, &import.records.time_zone, rows, import.decisions).await.map(Some)
    }
}

/// The day of a row that has nothing else: a heading above the screenings of the day.
fn heading(row: &sheet::Row, today: Date) -> Option<Date> {
    let mut filled = row.cells.iter().filter(|cell| !cell.trim().is_empty());
    let text = filled.next().filter(|_| filled.next().is_none())?;
    dates::day(text, today)
}

fn columns(sheet: &Sheet, options: &ImportOptions, today: Date) -> Result<Vec<Column>, Refusal> {
    let mut columns: Vec<Column> = Vec::with_capacity(sheet.header.len());
    let own_name = |header: &str| COLUMNS.iter().find(|column| **column == header.trim()).copied();
    // In JSON, exports have the columns by their names; other lists call the film "title".
    let is_export = ["film", "title"].iter().all(|name| sheet.header.iter().any(|header| header.trim() == *name));
    let pairs = importing::column_fields(COLUMNS, &sheet.header, options, |index| {
        let header = &sheet.header[index];
        own_name(header).filter(|_| is_export).or_else(|| meaning(header))
    })?;
    for (index, header) in sheet.header.iter().enumerate() {
        let field = pairs.iter().find(|(column, _)| *column == index).map(|(_, field)| *field);
        let is_taken = field.is_some_and(|field| columns.iter().any(|column| column.field == Some(field)));
        let why = match field {
            Some(field) if is_taken => format!("another column fills {}", field.replace('_', " ")),
            Some(_) => String::new(),
            None => "no field of a screening".to_owned(),
        };
        columns.push(Column { header: header.trim().to_owned(), field: field.filter(|_| !is_taken), why });
    }
    let fills = |name: &str| columns.iter().any(|column| column.field == Some(name));
    let mut missing = Vec::new();
    if !fills("film") && !fills("title") {
        missing.push("Film");
    }
    if !fills("hall") && !options.for_all.contains_key("hall") {
        missing.push("Venue");
    }
    if !fills("starts_at") && !fills(TIME) {
        missing.push("Date and Time");
    } else if !fills("starts_at") && !fills(DATE) && !sheet.rows.iter().any(|row| heading(row, today).is_some()) {
        missing.push("Date");
    }
    if missing.is_empty() {
        return Ok(columns);
    }
    Err(Refusal::of_other_table("screenings", &format!("needed are also {}", missing.join(", ")), columns))
}

/// Reads a length: in the notations of film lists, or as a number of minutes among words.
fn read_minutes(text: &str) -> Option<i64> {
    let only_number = || {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        numbers.next().filter(|_| numbers.next().is_none())?.parse().ok()
    };
    duration::minutes(text, Clock::HoursMinutes).ok().or_else(only_number)
}

/// What a cell with a day is expected to contain.
const EXPECTED_DAY: &str = "a day like 12 December 2025 or 2025-12-12; a weekday before it must be that of the day";

/// Context for reading a line: facts about the file and the lines before it.
struct Lines<'a> {
    today: Date,
    zone: &'a TimeZone,
    /// The day of the line before: lists name it once for all screenings of a day, or in a line of its own above them.
    day: Option<Date>,
    options: &'a ImportOptions,
    packer: RowPacker,
}

impl Lines<'_> {
    /// Reads a row, or adds what is wrong with it to the errors.
    fn read(&mut self, parsed: &mut ParsedSheet, entity: &'static Entity, from: &sheet::Row) {
        if let Some(day) = heading(from, self.today) {
            self.day = Some(day);
            return;
        }
        let mut values: BTreeMap<&'static str, String> = BTreeMap::new();
        for (column, cell) in parsed.columns.iter().zip(from.cells.iter()) {
            let text = cell.trim();
            if let Some(field) = column.field.filter(|_| !text.is_empty()) {
                values.insert(field, text.to_owned());
            }
        }
        for (name, value) in &self.options.for_all {
            values.entry(name).or_insert_with(|| value.clone());
        }
        let mut errors = Vec::new();
        let header = |field: &str| {
            let column = parsed.columns.iter().find(|column| column.field == Some(field));
            column.map_or(field.to_owned(), |column| column.header.clone())
        };
        let mut wrong = |field: &str, value: &str, expected: &str| {
            let error = CellError {
                line: from.line,
                header: header(field),
                value: shortened(value),
                expected: expected.to_owned(),
            };
            errors.push(error);
        };
        let (date, clock) = (values.remove(DATE), values.remove(TIME));
        if let Some(text) = &date {
            self.day = dates::day(text, self.today);
            if self.day.is_none() {
                wrong(DATE, text, EXPECTED_DAY);
            }
        }
        if let Some(text) = &clock {
            match (dates::time(text), self.day) {
                (None, _) => wrong(TIME, text, "a time like 18:30 or 6:30 PM"),
                (Some(_), None) if date.is_none() => wrong(DATE, "", EXPECTED_DAY),
                (Some(_), None) => {}
                // A time after midnight belongs to the evening of the day.
                (Some(time), Some(day)) => {
                    if let Some(moment) = day::moment(day, time, self.zone) {
                        values.insert("starts_at", day::with_offset(moment, self.zone));
                    }
                }
            }
        } else if !values.contains_key("starts_at") {
            wrong(TIME, "", "a time like 18:30 or 6:30 PM");
        }
        if let Some(minutes) = values.get_mut("minutes")
            && let Some(read) = read_minutes(minutes)
        {
            *minutes = read.to_string();
        }
        if let Some(guests) = values.get_mut("guests") {
            let names: Vec<&str> =
                guests.split([',', ';', '\n']).map(str::trim).filter(|name| !name.is_empty()).collect();
            *guests = names.join("\n");
        }
        // Columns that are not fields of a screening were read above.
        values.retain(|name, _| entity.field(name).is_some());
        let row = Row { line: from.line, id: None, values: self.packer.pack(&values) };
        if errors.is_empty() { parsed.rows.push(row) } else { parsed.errors.extend(errors) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::SCREENING;

    #[test]
    fn minutes_are_read_as_people_write_them() {
        for (text, minutes) in [
            ("90", 90),
            ("10 min (each)", 10),
            ("90 min with talk", 90),
            ("1 h 30", 90),
            ("1:25", 85),
            ("2h", 120),
            ("92.4", 92),
            ("about 15", 15),
        ] {
            assert_eq!(read_minutes(text), Some(minutes), "{text}");
        }
        assert_eq!(["", "long", "15 to 20"].map(read_minutes), [None; 3]);
    }

    #[test]
    fn headers_mean_fields_of_screenings() {
        for field in COLUMNS.iter().filter(|field| ![DATE, TIME].contains(field)) {
            assert!(SCREENING.field(field).is_some(), "{field}");
        }
        assert_eq!(
            ["Film Title", "VENUE", "Show time", "Director"].map(meaning),
            [Some("film"), Some("hall"), Some(TIME), None]
        );
        for header in [
            "Film;Salle;Date;Heure",
            "FILMTITEL;Kino;Datum;Uhrzeit",
            "Película;Sala;Fecha;Hora",
            "Фильм;Зал;Дата;Время",
            "Film Adı;SALON;Tarih;Saat",
            "الفيلم;القاعة;التاريخ;الوقت",
            "片名;影厅;日期;时间",
            "फिल्म;हॉल;दिनांक;समय",
            "സിനിമ;വേദി;തീയതി;സമയം",
            "திரைப்படம்;அரங்கு;தேதி;நேரம்",
        ] {
            let columns: Vec<_> = header.split(';').map(meaning).collect();
            assert_eq!(columns, [Some("film"), Some("hall"), Some(DATE), Some(TIME)], "{header}");
        }
    }
}
