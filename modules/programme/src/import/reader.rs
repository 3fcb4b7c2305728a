//! Reads lists of screenings.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use festival_core::entity::{Entity, Reads};
use festival_core::importing::dates::{Dates, Order};
use festival_core::importing::duration::{self, Clock};
use festival_core::importing::times::Times;
use festival_core::importing::values::people;
use festival_core::importing::{
    self, CellError, Columns, Import, ImportOptions, ListField, ListHeaders, Matches, Meaning, ParsedSheet, Reader,
    Refusal, Row, RowReader,
};
use festival_core::sheet::{self, Format, Sheet};
use festival_core::text::shortened;
use festival_core::{Records, Result};
use jiff::civil::{Date, DateTime};
use sqlx::AnyConnection;

use super::matching;
use super::starts::{DATE, Start, Starts, TIME};
use crate::entities::SCREENING;

const CANCELLED: &str = "is_cancelled";

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
    CANCELLED,
];

/// The columns that lists may have, with their names.
static HEADERS: LazyLock<Arc<ListHeaders>> = LazyLock::new(|| {
    let field = |name: &&'static str| match *name {
        DATE => ListField::extra(DATE, "Date"),
        TIME => ListField::extra(TIME, "Time"),
        CANCELLED => ListField { reads: Reads::Flag, ..ListField::extra(CANCELLED, "Cancelled") },
        name => ListField::extra(name, SCREENING.field(name).map_or(name, |field| field.label)),
    };
    ListHeaders::new(&SCREENING, COLUMNS.iter().map(field).collect()).into()
});

/// Reads lists of screenings as festivals write them.
pub(crate) struct ScreeningLists;

#[rocket::async_trait]
impl Reader for ScreeningLists {
    fn headers(&self, _entity: &'static Entity) -> Arc<ListHeaders> {
        HEADERS.clone()
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
        // In JSON, exports have the columns by their names; other lists call the film "title".
        let own_name = |header: &String| COLUMNS.iter().find(|column| **column == header.trim());
        let has = |name: &str| sheet.header.iter().any(|header| header.trim() == name);
        let by_name = sheet.header.iter().map(|header| match (own_name(header), HEADERS.meaning(header)) {
            (Some(name), _) => (*name).to_owned(),
            (None, Meaning::Field { field, .. }) if !has(field) => field.to_owned(),
            _ => String::new(),
        });
        let columns = options.columns.clone().or_else(|| (has("film") && has("title")).then(|| by_name.collect()));
        let options = &ImportOptions { columns, ..options.clone() };
        let columns = Columns::decide(&HEADERS, &sheet, options)?;
        check_columns(&columns, &sheet, options, near)?;
        let order = date_order(&sheet, &columns, options, records)?;
        let dates = Dates { near, order };
        let described = columns.described();
        let unread = importing::leave_out_unread(&mut sheet.rows, &described, |row| heading(row, &dates).is_some());
        let abbreviation =
            dates.near.to_zoned(zone.clone()).map(|day| zone.to_offset_info(day.timestamp()).abbreviation().to_owned());
        let clocks = columns.first_of(TIME).into_iter();
        let clocks = clocks.flat_map(|column| sheet.rows.iter().map(move |row| &row.cells[column]));
        let times = Times::of_column(clocks, abbreviation.into_iter().collect());
        let nested = nested(&sheet, &columns);
        let lengths = columns.first_of("minutes");
        let clock = lengths.map_or(Clock::HoursMinutes, |column| {
            duration::clock(&sheet.header[column], sheet.rows.iter().map(|row| &row.cells[column])).0
        });
        let mut reader = RowReader::new(&HEADERS, &sheet, columns, options, records.this_year());
        reader.parsed.notes.extend(unread);
        if sheet.rows.is_empty() {
            reader.warn(None, "there are no screenings in it, only a header");
        }
        let starts = Starts { dates, times, zone, day: None };
        let mut lines = Lines { reader, starts, nested, clock, has_letters: false, times: Vec::new() };
        for row in &sheet.rows {
            lines.read(entity, row);
        }
        lines.note_unlikely_times(options.days);
        Ok(lines.reader.finish())
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

/// The order of day and month in the column with the days.
fn date_order(
    sheet: &Sheet,
    columns: &Columns<'_>,
    options: &ImportOptions,
    records: &Records,
) -> Result<Order, Refusal> {
    let column = columns.first_of(DATE).or_else(|| columns.first_of("starts_at"));
    let Some(index) = column else { return Ok(options.order.unwrap_or_default()) };
    let cells = sheet.rows.iter().map(|row| &row.cells[index]);
    let order = columns.described()[index].order(cells, options, records);
    order.map_err(|reason| columns.refusal(reason))
}

/// The columns with values of the objects in a list in JSON, one for each screening of a film.
fn nested(sheet: &Sheet, columns: &Columns<'_>) -> Vec<usize> {
    let list = |index: usize| sheet.header[index].trim().rsplit_once('.').map(|(list, _)| list);
    let times = [DATE, TIME, "starts_at"].into_iter().find_map(|field| columns.first_of(field));
    match times.and_then(list).filter(|_| sheet.format == Format::Json) {
        Some(name) => (0..sheet.header.len()).filter(|index| list(*index) == Some(name)).collect(),
        None => Vec::new(),
    }
}

/// Refuses a list without a film, a hall or a time.
fn check_columns(columns: &Columns<'_>, sheet: &Sheet, options: &ImportOptions, near: Date) -> Result<(), Refusal> {
    let dates = Dates { near, order: Order::Likely };
    let fills = |name: &str| columns.first_of(name).is_some();
    let mut missing = Vec::new();
    if !fills("film") && !fills("title") {
        missing.push("Film");
    }
    if !fills("hall") && !options.for_all.contains_key("hall") {
        missing.push("Venue");
    }
    // A column of days may have the times, too.
    let has_times = columns.first_of(DATE).is_some_and(|column| {
        let mut cells = sheet.rows.iter().map(|row| &row.cells[column]);
        cells.any(|cell| dates.moment(cell).is_some_and(|moment| moment.time.is_some()))
    });
    if !fills("starts_at") && !fills(TIME) && !has_times {
        missing.push("Date and Time");
    } else if !fills("starts_at") && !fills(DATE) && !sheet.rows.iter().any(|row| heading(row, &dates).is_some()) {
        missing.push("Date");
    }
    if missing.is_empty() {
        return Ok(());
    }
    let needed = format!("needed are also {}", missing.join(", "));
    Err(Refusal::of_other_table("screenings", &needed, columns.described()))
}

/// Reads a length: in the notations of film lists, or as a number of minutes among words.
fn read_minutes(text: &str, clock: Clock) -> Option<i64> {
    let only_number = || {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        numbers.next().filter(|_| numbers.next().is_none())?.parse().ok()
    };
    duration::minutes(text, clock).ok().or_else(only_number)
}

/// What a list writes in brackets behind a title: "The Rain Road (cancelled)".
fn remark(title: &str) -> &str {
    let inner = title.trim().strip_suffix([')', ']']).and_then(|title| title.rsplit_once(['(', '[']));
    inner.map_or("", |(_, remark)| remark)
}

/// Context for reading a line: facts about the file and the lines before it.
struct Lines<'a> {
    reader: RowReader<'a>,
    starts: Starts<'a>,
    /// Columns whose cells have an item for each of several screenings.
    nested: Vec<usize>,
    /// How lengths are read.
    clock: Clock,
    /// Some times have letters, such as those of "PM".
    has_letters: bool,
    /// The lines of all screenings with the times at which they start.
    times: Vec<(u64, DateTime)>,
}

impl Lines<'_> {
    /// Reads a row, or reports what is wrong with it.
    fn read(&mut self, entity: &'static Entity, from: &sheet::Row) {
        if let Some(day) = heading(from, &self.starts.dates) {
            self.starts.day = Some(day);
            return;
        }
        let items = |column: &usize| from.cells[*column].split(", ").map(str::to_owned).collect::<Vec<String>>();
        let nested: Vec<(usize, Vec<String>)> = self.nested.iter().map(|column| (*column, items(column))).collect();
        let count = nested.first().map_or(1, |(_, items)| items.len());
        if let Some((column, items)) = nested.iter().find(|(_, items)| count > 1 && items.len() != count) {
            let expected = format!("{count} values, one for each screening; there are {}", items.len());
            let (header, value) = (self.reader.parsed.columns[*column].header.clone(), shortened(&from.cells[*column]));
            self.reader.parsed.errors.push(CellError { line: from.line, header, value, expected });
            return;
        }
        for screening in 0..count {
            let mut cells: Vec<&str> = from.cells.iter().collect();
            for (column, items) in nested.iter().filter(|_| count > 1) {
                cells[*column] = &items[screening];
            }
            self.read_one(entity, &sheet::Row { line: from.line, cells: cells.iter().collect() });
        }
    }

    /// Notes a day outside of the edition, and times in the night where no screening is after noon: both are mostly
    /// read, or written, in another way than they are meant.
    fn note_unlikely_times(&mut self, days: Option<(Date, Date)>) {
        let is_outside = |(_, time): &&(u64, DateTime)| {
            // The last night ends on the day after.
            days.is_some_and(|(first, last)| time.date() < first || time.date() > last.tomorrow().unwrap_or(last))
        };
        let mut outside = self.times.iter().filter(is_outside);
        if let Some((line, time)) = outside.next() {
            let more = match outside.count() {
                0 => String::new(),
                more => format!(", and {more} more like it"),
            };
            let text = format!("{} is no day of the edition{more}", time.strftime("%-d %B %Y"));
            self.reader.warn(Some(*line), &text);
        }
        let hours = 1..=12;
        if self.has_letters || !self.times.iter().all(|(_, time)| hours.contains(&time.hour())) {
            return;
        }
        if let Some((line, time)) = self.times.iter().find(|(_, time)| time.hour() < 7) {
            let time = time.strftime("%-H:%M");
            let text =
                format!("{time} was read as {time} AM, and no screening begins after noon; write PM where it is meant");
            self.reader.warn(Some(*line), &text);
        }
    }

    fn read_one(&mut self, entity: &'static Entity, row: &sheet::Row) {
        let (line, values) = (row.line, self.reader.values(row));
        let mut values: BTreeMap<&'static str, String> = values
            .into_iter()
            .map(|(field, text)| (field, text.trim().to_owned()))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let starts = self.starts.of_row(&values).unwrap_or_else(|(field, expected)| {
            let value = values.get(field).map_or("", String::as_str);
            self.reader.refuse(line, field, value, expected);
            Vec::new()
        });
        if let Some(minutes) = values.get_mut("minutes")
            && let Some(read) = read_minutes(minutes, self.clock)
        {
            *minutes = read.to_string();
        }
        if values.get("film").is_some_and(|film| HEADERS.flag(remark(film).to_owned()) == "yes") {
            values.insert(CANCELLED, "yes".to_owned());
        }
        if let Some(guests) = values.get_mut("guests") {
            *guests = people(guests).replace(", ", "\n");
        }
        self.has_letters |= values.get(TIME).is_some_and(|time| time.contains(char::is_alphabetic));
        let moments = starts.iter().filter_map(|start| start.at.get(..16)?.parse().ok());
        self.times.extend(moments.map(|moment| (line, moment)));
        // Columns that are not fields of a screening were read above.
        values.retain(|name, _| entity.field(name).is_some());
        for Start { at, minutes } in starts {
            let mut values = values.clone();
            values.insert("starts_at", at);
            if let Some(minutes) = minutes {
                values.entry("minutes").or_insert_with(|| minutes.to_string());
            }
            let values = self.reader.packer.pack(&values);
            self.reader.parsed.rows.push(Row { line, id: None, values });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(header: &str) -> Option<&'static str> {
        match HEADERS.meaning(header) {
            Meaning::Field { field, .. } => Some(field),
            _ => None,
        }
    }

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
            assert_eq!(read_minutes(text, Clock::HoursMinutes), Some(minutes), "{text}");
        }
        assert_eq!(["", "long", "15 to 20"].map(|text| read_minutes(text, Clock::HoursMinutes)), [None; 3]);
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
