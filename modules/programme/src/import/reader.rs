//! Reads lists of screenings.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use festival_core::entity::Entity;
use festival_core::importing::dates::{Dates, Order};
use festival_core::importing::duration::{self, Clock};
use festival_core::importing::likeness::header_words;
use festival_core::importing::times::Times;
use festival_core::importing::{
    self, CellError, Column, HeaderNames, Import, ImportOptions, Matches, ParsedSheet, Reader, Refusal, Row, RowPacker,
};
use festival_core::sheet::{self, Format, Sheet};
use festival_core::text::shortened;
use festival_core::{Records, Result};
use jiff::civil::Date;
use sqlx::AnyConnection;

use super::matching;
use super::starts::{DATE, Start, Starts, TIME};

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
        let near = options.days(records).0;
        let columns = columns(&sheet, options, near)?;
        let order = date_order(&sheet, &columns, options, records)?;
        let dates = Dates { near, order };
        let unread = importing::leave_out_unread(&mut sheet.rows, &columns, |row| heading(row, &dates).is_some());
        let notes = sheet.notes.iter().map(ToString::to_string).chain(unread);
        let mut parsed = ParsedSheet { columns, notes: notes.collect(), ..ParsedSheet::default() };
        let abbreviation =
            dates.near.to_zoned(zone.clone()).map(|day| zone.to_offset_info(day.timestamp()).abbreviation().to_owned());
        let clocks = column_of(&parsed.columns, TIME).into_iter();
        let clocks = clocks.flat_map(|column| sheet.rows.iter().map(move |row| &row.cells[column]));
        let times = Times::of_column(clocks, abbreviation.into_iter().collect());
        let nested = nested(&sheet, &parsed.columns);
        let starts = Starts { dates, times, zone, day: None };
        let mut lines = Lines { starts, nested, options, packer: RowPacker::default() };
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
fn heading(row: &sheet::Row, dates: &Dates) -> Option<Date> {
    let mut filled = row.cells.iter().filter(|cell| !cell.trim().is_empty());
    let text = filled.next().filter(|_| filled.next().is_none())?;
    dates.day(text)
}

/// The index of the column of a field.
fn column_of(columns: &[Column], field: &str) -> Option<usize> {
    columns.iter().position(|column| column.field == Some(field))
}

/// The order of day and month in the column with the days.
fn date_order(sheet: &Sheet, columns: &[Column], options: &ImportOptions, records: &Records) -> Result<Order, Refusal> {
    let column = column_of(columns, DATE).or_else(|| column_of(columns, "starts_at"));
    let Some(index) = column else { return Ok(options.order.unwrap_or_default()) };
    let cells = sheet.rows.iter().map(|row| &row.cells[index]);
    let order = columns[index].order(cells, options, records);
    order.map_err(|reason| Refusal { reason, columns: columns.to_vec() })
}

/// The columns with values of the objects in a list in JSON, one for each screening of a film.
fn nested(sheet: &Sheet, columns: &[Column]) -> Vec<usize> {
    let list = |index: usize| columns[index].header.rsplit_once('.').map(|(list, _)| list);
    let times = [DATE, TIME, "starts_at"].into_iter().find_map(|field| column_of(columns, field));
    match times.and_then(list).filter(|_| sheet.format == Format::Json) {
        Some(name) => (0..columns.len()).filter(|index| list(*index) == Some(name)).collect(),
        None => Vec::new(),
    }
}

fn columns(sheet: &Sheet, options: &ImportOptions, near: Date) -> Result<Vec<Column>, Refusal> {
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
    let dates = Dates { near, order: Order::Likely };
    let fills = |name: &str| column_of(&columns, name).is_some();
    let mut missing = Vec::new();
    if !fills("film") && !fills("title") {
        missing.push("Film");
    }
    if !fills("hall") && !options.for_all.contains_key("hall") {
        missing.push("Venue");
    }
    // A column of days may have the times, too.
    let has_times = column_of(&columns, DATE).is_some_and(|column| {
        let mut cells = sheet.rows.iter().map(|row| &row.cells[column]);
        cells.any(|cell| dates.moment(cell).is_some_and(|moment| moment.time.is_some()))
    });
    if !fills("starts_at") && !fills(TIME) && !has_times {
        missing.push("Date and Time");
    } else if !fills("starts_at") && !fills(DATE) && !sheet.rows.iter().any(|row| heading(row, &dates).is_some()) {
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

/// Context for reading a line: facts about the file and the lines before it.
struct Lines<'a> {
    starts: Starts<'a>,
    /// Columns whose cells have an item for each of several screenings.
    nested: Vec<usize>,
    options: &'a ImportOptions,
    packer: RowPacker,
}

impl Lines<'_> {
    /// Reads a row, or adds what is wrong with it to the errors.
    fn read(&mut self, parsed: &mut ParsedSheet, entity: &'static Entity, from: &sheet::Row) {
        if let Some(day) = heading(from, &self.starts.dates) {
            self.starts.day = Some(day);
            return;
        }
        let items = |column: &usize| from.cells[*column].split(", ").map(str::to_owned).collect::<Vec<String>>();
        let nested: Vec<(usize, Vec<String>)> = self.nested.iter().map(|column| (*column, items(column))).collect();
        let count = nested.first().map_or(1, |(_, items)| items.len());
        if let Some((column, items)) = nested.iter().find(|(_, items)| count > 1 && items.len() != count) {
            let expected = format!("{count} values, one for each screening; there are {}", items.len());
            let (header, value) = (parsed.columns[*column].header.clone(), shortened(&from.cells[*column]));
            parsed.errors.push(CellError { line: from.line, header, value, expected });
            return;
        }
        for screening in 0..count {
            let mut cells: Vec<&str> = from.cells.iter().map(str::trim).collect();
            for (column, items) in nested.iter().filter(|_| count > 1) {
                cells[*column] = items[screening].trim();
            }
            self.read_cells(parsed, entity, from.line, &cells);
        }
    }

    fn read_cells(&mut self, parsed: &mut ParsedSheet, entity: &'static Entity, line: u64, cells: &[&str]) {
        let mut values: BTreeMap<&'static str, String> = BTreeMap::new();
        for (column, text) in parsed.columns.iter().zip(cells) {
            if let Some(field) = column.field.filter(|_| !text.is_empty()) {
                values.insert(field, (*text).to_owned());
            }
        }
        for (name, value) in &self.options.for_all {
            values.entry(name).or_insert_with(|| value.clone());
        }
        let header = |field: &str| {
            let column = parsed.columns.iter().find(|column| column.field == Some(field));
            column.map_or(field.to_owned(), |column| column.header.clone())
        };
        let mut wrong = Vec::new();
        let starts = match self.starts.of_row(&values) {
            Ok(starts) => starts,
            Err((field, expected)) => {
                let value = values.get(field).map(|text| shortened(text)).unwrap_or_default();
                wrong.push(CellError { line, header: header(field), value, expected: expected.to_owned() });
                Vec::new()
            }
        };
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
        for Start { at, minutes } in starts {
            let mut values = values.clone();
            values.insert("starts_at", at);
            if let Some(minutes) = minutes {
                values.entry("minutes").or_insert_with(|| minutes.to_string());
            }
            parsed.rows.push(Row { line, id: None, values: self.packer.pack(&values) });
        }
        parsed.errors.extend(wrong);
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
