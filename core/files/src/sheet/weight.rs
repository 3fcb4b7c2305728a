//! What a workbook would take of the memory, before it is opened.
//!
//! The reader of workbooks believes what they say of themselves, and makes of a few packed bytes as much as they ask for.
//! So every part is unpacked once, piece by piece, and what the reader would keep of it is counted.

use std::io::{self, BufReader, Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::{Limits, SheetError};
use crate::budget::{Budget, Metered};

/// How a part begins in the list at the end of an archive.
const PART: &[u8] = b"PK\x01\x02";
/// What a part of the archive costs beside its bytes: memory for its name and place, which several readers keep.
const PART_MEMORY: u64 = 1024;
const PART_WORK: u64 = 1024;
/// The longest text or tag of a part: the reader has it in hand several times. A cell has a few ten thousand letters.
const LONGEST_TOKEN: u64 = 16 << 20;
/// What the reader keeps of elements beside their text: of a text that cells share, of the look of cells, of others.
const STRING: u64 = 64;
const STYLE: u64 = 512;
const OTHER: u64 = 256;

/// Refuses an archive with more parts than may be held in memory. Nothing of it was read until now.
pub(super) fn count_parts(bytes: &[u8], budget: &Budget) -> Result<(), SheetError> {
    let parts = bytes.windows(PART.len()).filter(|window| *window == PART).count();
    Ok(budget.hold(parts as u64 * PART_MEMORY)?)
}

/// Unpacks every part once and counts: what an archive declares about its sizes need not be true. Answers the size of the
/// largest part.
pub(super) fn weigh(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<u64, SheetError> {
    let mut archive = ZipArchive::new(Metered::new(Cursor::new(bytes), budget)).map_err(unreadable)?;
    let mut weight = Weight { budget, uses: Uses::default() };
    let (mut left, mut largest) = (limits.unpacked_bytes, 0);
    for index in 0..archive.len() {
        budget.charge(PART_WORK)?;
        let part = archive.by_index(index).map_err(unreadable)?;
        let name = part.name().map(|name| name.to_ascii_lowercase()).unwrap_or_default();
        let mut part = Part { source: part.take(left + 1), read: 0, token: 0, budget };
        if [".xml", ".rels"].iter().any(|ending| name.ends_with(ending)) {
            weight.add(&mut part)?;
        }
        part.token = 0;
        io::copy(&mut Untokened(&mut part), &mut io::sink()).map_err(unreadable)?;
        left = left.checked_sub(part.read).ok_or(SheetError::UnpackedTooLarge { limit: limits.unpacked_bytes })?;
        largest = largest.max(part.read);
    }
    weight.finish()?;
    Ok(largest)
}

fn unreadable(error: impl std::fmt::Display) -> SheetError {
    SheetError::Workbook { reason: error.to_string() }
}

/// A part that is being unpacked: what comes out is charged, and a token may not be too long.
struct Part<'b, R> {
    source: R,
    read: u64,
    /// Bytes that came since the last token ended.
    token: u64,
    budget: &'b Budget,
}

impl<R: Read> Read for Part<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.token > LONGEST_TOKEN {
            return Err(io::Error::other("a text in it is too long"));
        }
        let count = self.source.read(buffer)?;
        self.budget.charge(count as u64)?;
        self.read += count as u64;
        self.token += count as u64;
        Ok(count)
    }
}

/// The rest of a part, of which nothing is kept.
struct Untokened<'p, 'b, R>(&'p mut Part<'b, R>);

impl<R: Read> Read for Untokened<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.token = 0;
        self.0.read(buffer)
    }
}

/// What is used again and again, however often: with each use the reader makes a copy.
#[derive(Default)]
struct Uses {
    styles: u64,
    longest_style: u64,
    sheets: u64,
    longest_target: u64,
}

struct Weight<'b> {
    budget: &'b Budget,
    uses: Uses,
}

impl Weight<'_> {
    /// Counts what the reader keeps of this part. Where it is no XML, the reader keeps nothing either.
    fn add<R: Read>(&mut self, part: &mut Part<'_, R>) -> Result<(), SheetError> {
        let mut reader = Reader::from_reader(BufReader::new(part));
        reader.config_mut().check_end_names = false;
        let mut keeps_text = false;
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            match reader.read_event_into(&mut buffer) {
                Ok(Event::Start(tag) | Event::Empty(tag)) => keeps_text |= self.add_tag(&tag)?,
                Ok(Event::Text(text)) if keeps_text => self.budget.hold(text.len() as u64)?,
                Ok(Event::CData(text)) if keeps_text => self.budget.hold(text.len() as u64)?,
                Ok(Event::Eof) => return Ok(()),
                Ok(_) => {}
                Err(_) if reader.get_ref().get_ref().token > LONGEST_TOKEN => return Err(SheetError::TooMuch),
                Err(quick_xml::Error::Io(error)) => return Err(unreadable(error)),
                Err(_) => return Ok(()),
            }
            reader.get_mut().get_mut().token = 0;
        }
    }

    /// Counts what the reader keeps of this element; answers whether it keeps the text that follows.
    fn add_tag(&mut self, tag: &BytesStart<'_>) -> Result<bool, SheetError> {
        let length = tag.len() as u64;
        let (kept, keeps_text) = match tag.local_name().as_ref() {
            // Room is made for as many texts as it says.
            "sst" => (unique_count(tag).saturating_mul(size_of::<String>() as u64), true),
            "si" => (STRING, true),
            "definedName" => (OTHER + 2 * length, true),
            "xf" => {
                self.uses.styles += 1;
                (STYLE, false)
            }
            "numFmt" | "name" => {
                self.uses.longest_style = self.uses.longest_style.max(length);
                (OTHER + length, false)
            }
            "sheet" => {
                self.uses.sheets += 1;
                (OTHER + 2 * length, false)
            }
            "Relationship" => {
                self.uses.longest_target = self.uses.longest_target.max(length);
                (OTHER + 2 * length, false)
            }
            "font" | "fill" | "border" => (OTHER, false),
            _ => (0, false),
        };
        self.budget.hold(kept)?;
        Ok(keeps_text)
    }

    fn finish(self) -> Result<(), SheetError> {
        let Uses { styles, longest_style, sheets, longest_target } = self.uses;
        let kept = styles.saturating_mul(longest_style).saturating_add(sheets.saturating_mul(longest_target));
        Ok(self.budget.hold(kept)?)
    }
}

/// The largest number that stands behind `uniqueCount`, however it stands there.
fn unique_count(tag: &str) -> u64 {
    let numbers = tag.split("uniqueCount").skip(1).filter_map(|rest| {
        let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        (end > 0).then(|| digits[..end].parse().unwrap_or(u64::MAX))
    });
    numbers.max().unwrap_or(0)
}
