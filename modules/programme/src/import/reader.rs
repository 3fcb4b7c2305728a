//! Reads lists of screenings.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use festival_core::entity::Entity;
use festival_core::importing::dates::{Dates, Order};
use festival_core::importing::duration::{self, Clock};
use festival_core::importing::times::Times;
use festival_core::importing::values::people;
use festival_core::importing::{
    self, CellError, Columns, Import, ImportOptions, ListHeaders, Matches, Meaning, ParsedSheet, Reader, Refusal, Row,
    RowReader,
};
use festival_core::sheet::{self, Format, Sheet};
use festival_core::text::{is_missing, shortened};
use festival_core::{Records, Result};
use jiff::civil::{Date, DateTime};
use sqlx::AnyConnection;

use super::columns::{CANCELLED, COLUMNS, DATE, END, HALL, HEADERS, TIME};
use super::matching;
use super::starts::{Starts, heading, is_moment, without_label};

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
        let mut columns = Columns::decide(&HEADERS, &sheet, options)?;
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
        if options.columns.is_none() && options.mappings.is_empty() {
            let more = [(TIME, period(&sheet, &columns, &times)), (HALL, rest_of_hall(&sheet, &columns))];
            more.into_iter().for_each(|(field, column)| column.into_iter().for_each(|it| columns.add(field, it)));
        }
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
        let day = sheet.heading.as_ref().and_then(|text| dates.day(without_label(text)));
        let starts = Starts { dates, times, zone, day };
        let (times, state) = (Vec::new(), RandomState::new());
        let lines = HashMap::new();
        let mut lines = Lines { reader, starts, nested, clock, hall: None, inherited: None, times, lines, state };
        for row in &sheet.rows {
            lines.read(entity, row);
        }
        lines.note_unlikely_times(options.days);
        lines.note_halls();
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

/// The order of day and month in the column with the days.
fn date_order(
    sheet: &Sheet,
    columns: &Columns<'_>,
    options: &ImportOptions,
    records: &Records,
) -> Result<Order, Refusal> {
    let column = [DATE, "starts_at", TIME].into_iter().find_map(|field| columns.first_of(field));
    let Some(index) = column else { return Ok(options.order.unwrap_or_default()) };
    // A time such as 9.30 is no day of September.
    let dates = Dates { near: options.days(records).0, order: Order::Likely };
    let is_time = columns.first_of(TIME) == Some(index);
    let cells = sheet.rows.iter().map(|row| &row.cells[index]).filter(|cell| !is_time || is_moment(cell, &dates));
    let order = columns.described()[index].order(cells, options, records);
    order.map_err(|reason| columns.refusal(reason))
}

/// The column with the period of the day of all times beside it, none of which has one of its own: "AM", "PM", "Evening".
fn period(sheet: &Sheet, columns: &Columns<'_>, times: &Times) -> Option<usize> {
    let cells = |column: usize| sheet.rows.iter().map(move |row| row.cells[column].trim()).filter(|it| !it.is_empty());
    let time = columns.first_of(TIME)?;
    // 14:00 and 9.3, which is 9:30, mean the same without a period.
    let is_incomplete = |cell: &str| {
        let (bare, full) = (times.time(cell), times.time(&format!("{cell} PM")));
        full.is_some_and(|full| bare.is_none_or(|bare| bare.hour() <= 12 && bare.minute() == full.minute()))
    };
    let is_period =
        |column: &usize| columns.is_free(*column) && cells(*column).count() > 0 && cells(*column).all(Times::is_period);
    (0..sheet.header.len()).find(is_period).filter(|_| cells(time).all(is_incomplete))
}

/// The second column of halls, if it takes both to name one: screen 1 of a cinema is not screen 1 of another.
fn rest_of_hall(sheet: &Sheet, columns: &Columns<'_>) -> Option<usize> {
    let hall = columns.first_of(HALL)?;
    let means_hall = |header: &str| matches!(HEADERS.meaning(header), Meaning::Field { field: HALL, .. });
    let rest = (0..sheet.header.len()).find(|it| columns.is_free(*it) && means_hall(&sheet.header[*it]))?;
    let pairs = sheet.rows.iter().map(|row| [hall, rest].map(|column| row.cells[column].trim()));
    let mut rest_of: BTreeMap<&str, &str> = BTreeMap::new();
    let mut pairs = pairs.filter(|pair| pair.iter().all(|cell| !cell.is_empty()));
    let is_number = |hall: &str| hall.bytes().all(|digit| digit.is_ascii_digit());
    // "Kochi" and "Kochi, Kerala" are one place.
    let differ = |one: &str, other: &str| !one.contains(other) && !other.contains(one);
    pairs.any(|[hall, rest]| is_number(hall) || differ(rest_of.entry(hall).or_insert(rest), rest)).then_some(rest)
}

/// The columns with values of the objects in a list in JSON, one for each screening of a film.
fn nested(sheet: &Sheet, columns: &Columns<'_>) -> Vec<usize> {
    let list = |index: usize| sheet.header[index].trim().rsplit_once('.').map(|(list, _)| list);
    let mut times = [DATE, TIME, "starts_at"].into_iter().filter_map(|field| columns.first_of(field));
    match times.find_map(list).filter(|_| sheet.format == Format::Json) {
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
    // A column of days may have the times, too, and one of times the days.
    let has_moments = |field: &str| {
        columns.first_of(field).is_some_and(|column| sheet.rows.iter().any(|row| is_moment(&row.cells[column], &dates)))
    };
    let above = sheet.heading.iter().filter_map(|text| dates.day(without_label(text)));
    let has_headings = || above.chain(sheet.rows.iter().filter_map(|row| heading(row, &dates))).next().is_some();
    if !fills("starts_at") && !fills(TIME) && !has_moments(DATE) {
        missing.push("Date and Time");
    } else if !fills("starts_at") && !fills(DATE) && !has_moments(TIME) && !has_headings() {
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

/// Context for reading a line: facts about the file and the lines before it.
struct Lines<'a> {
    reader: RowReader<'a>,
    starts: Starts<'a>,
    /// Columns whose cells have an item for each of several screenings.
    nested: Vec<usize>,
    /// How lengths are read.
    clock: Clock,
    /// The hall of the line before: lists name it once for all screenings of a day.
    hall: Option<String>,
    /// The first line that names none, the hall that it got, and how many others did.
    inherited: Option<(u64, String, usize)>,
    /// The lines of all screenings with the times at which they start, and whether these have letters, such as "PM".
    times: Vec<(u64, DateTime, bool)>,
    /// The lines of all screenings by the hashes of their values.
    lines: HashMap<u64, u64>,
    state: RandomState,
}

impl Lines<'_> {
    /// Reads a row, or reports what is wrong with it.
    fn read(&mut self, entity: &'static Entity, from: &sheet::Row) {
        if let Some(day) = heading(from, &self.starts.dates) {
            (self.starts.day, self.hall) = (Some(day), None);
            return;
        }
        // A lone title may be another film of the screening above, and a lone time another screening.
        let is_filled = |column: usize| !from.cells[column].trim().is_empty();
        let names_film = ["film", "title"].iter().any(|field| self.reader.columns.of(field).into_iter().any(is_filled));
        if let Some(text) = from.single_cell().filter(|text| !names_film && self.starts.times.time(text).is_none()) {
            let text = format!("\"{}\" stands alone in its line, which was left out", shortened(text));
            self.reader.warn(Some(from.line), &text);
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
        let is_outside = |(_, time, _): &&(u64, DateTime, bool)| {
            // The last night ends on the day after.
            days.is_some_and(|(first, last)| time.date() < first || time.date() > last.tomorrow().unwrap_or(last))
        };
        let mut outside = self.times.iter().filter(is_outside);
        if let Some((line, time, _)) = outside.next() {
            let more = match outside.count() {
                0 => String::new(),
                more => format!(", and {more} more like it"),
            };
            let text = format!("{} is no day of the edition{more}", time.strftime("%-d %B %Y"));
            self.reader.warn(Some(*line), &text);
        }
        let hours = 1..=12;
        let bare = || self.times.iter().filter(|(.., has_letters)| !has_letters);
        if !bare().all(|(_, time, _)| hours.contains(&time.hour())) {
            return;
        }
        if let Some((line, time, _)) = bare().find(|(_, time, _)| time.hour() < 7) {
            let time = time.strftime("%-H:%M");
            let are_all = bare().count() == self.times.len();
            let why = if are_all { "and no screening begins after noon" } else { "and other lines say AM or PM" };
            let text = format!("{time} was read as {time} AM, {why}; write PM where it is meant");
            self.reader.warn(Some(*line), &text);
        }
    }

    /// Notes that lines are in the hall of the line before.
    fn note_halls(&mut self) {
        let Some((line, hall, more)) = self.inherited.take() else { return };
        let more = if more > 0 { format!(", and {more} more like it") } else { String::new() };
        self.reader.warn(Some(line), &format!("names no hall; it is in that of the line above, \"{hall}\"{more}"));
    }

    /// Adds the hall of the line before to one that names neither hall nor day.
    fn inherit_hall(&mut self, line: u64, values: &mut BTreeMap<&'static str, String>) {
        if let Some(hall) = values.get("hall") {
            self.hall = Some(hall.clone());
        } else if let Some(hall) =
            self.hall.clone().filter(|_| ![DATE, "starts_at"].iter().any(|it| values.contains_key(it)))
        {
            match &mut self.inherited {
                Some((.., more)) => *more += 1,
                None => self.inherited = Some((line, hall.clone(), 0)),
            }
            values.insert("hall", hall);
        }
    }

    fn read_one(&mut self, entity: &'static Entity, row: &sheet::Row) {
        let (line, values) = (row.line, self.reader.values(row));
        let mut values: BTreeMap<&'static str, String> = values
            .into_iter()
            .map(|(field, text)| (field, text.trim().to_owned()))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        if let Some(day) = values.get_mut(DATE) {
            *day = without_label(day).to_owned();
        }
        let is_undated = self.starts.day.is_none() && !values.contains_key(DATE);
        if is_undated && values.get(TIME).is_some_and(|time| is_moment(time, &self.starts.dates)) {
            let moment = values.remove(TIME).unwrap_or_default();
            values.insert("starts_at", moment);
        }
        let end = values.remove(END).filter(|end| !is_missing(end));
        if let (Some(end), Some(time)) = (&end, values.get_mut(TIME)) {
            self.starts.complete(time, end);
        }
        self.inherit_hall(line, &mut values);
        if !["film", "title", "code", "kind"].iter().any(|field| values.contains_key(field)) {
            return self.reader.refuse(line, "film", "", "the title of a film or of an event");
        }
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
        let (notes, is_known) = (values.get("notes").cloned().unwrap_or_default(), values.contains_key(CANCELLED));
        if HEADERS.flag(notes.clone()) == "yes" {
            values.entry(CANCELLED).or_insert_with(|| "yes".to_owned());
        } else if !is_known && notes.split_whitespace().any(|word| HEADERS.flag(word.to_owned()) == "yes") {
            let text = format!("\"{}\" cancels nothing; a column \"Cancelled\" does", shortened(&notes));
            self.reader.warn(Some(line), &text);
        }
        if let Some(guests) = values.get_mut("guests") {
            let names = people(guests);
            *guests = names.split(", ").filter(|name| !is_missing(name)).collect::<Vec<_>>().join("\n");
        }
        let has_letters = values.get(TIME).is_some_and(|time| time.contains(char::is_alphabetic));
        let moments = starts.iter().filter_map(|start| start.at.get(..16)?.parse().ok());
        self.times.extend(moments.map(|moment| (line, moment, has_letters)));
        // Columns that are not fields of a screening were read above.
        values.retain(|name, _| entity.field(name).is_some());
        let talk = values.get("talk_minutes").and_then(|talk| talk.parse::<i64>().ok()).unwrap_or(0);
        for start in starts {
            let mut values = values.clone();
            let until_end = || self.starts.minutes_until(&start, end.as_ref()?);
            if let Some(minutes) = start.minutes.or_else(until_end) {
                values.entry("minutes").or_insert_with(|| (minutes - talk).max(1).to_string());
            } else if let Some(end) = &end {
                self.reader.warn(Some(line), &format!("\"{end}\" was not read as the end of the screening"));
            }
            values.insert("starts_at", start.at);
            if let Some(before) = self.lines.insert(self.state.hash_one(&values), line) {
                self.reader.warn(Some(line), &format!("repeats line {before} and was left out"));
                continue;
            }
            let values = self.reader.packer.pack(&values);
            self.reader.parsed.rows.push(Row { line, id: None, values });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
