//! Estimates the memory for reading a workbook before it is opened.
//!
//! The workbook library trusts declared sizes and allocates what a few compressed bytes ask for. So every part is
//! decompressed once as a stream, and the memory that the library would allocate for it is counted.

use std::io::{self, BufReader, Cursor, Read};

use calamine::CellErrorType;
use memchr::memmem;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::hidden::Hidden;
use super::xml::attribute;
use super::{Limits, SheetError};
use crate::budget::{Budget, Metered};

/// Signature of an entry in the central directory of a ZIP archive.
const PART_SIGNATURE: &[u8] = b"PK\x01\x02";
/// Memory per part of the archive, for its name and position, which several readers hold.
const PART_MEMORY: u64 = 1024;
/// Work that is charged per part in addition to its bytes.
const PART_WORK: u64 = 1024;
/// Maximum length of a text or tag, in bytes: the library holds several copies. A cell has at most 32,767 characters.
const MAX_TOKEN: u64 = 16 << 20;
/// The attribute of cells with errors.
pub(super) const ERROR_CELL: &str = " t=\"e\"";
/// Memory per shared string in addition to its text, in bytes.
const STRING_MEMORY: u64 = 64;
/// Memory per cell style, in bytes.
const STYLE_MEMORY: u64 = 512;
/// Memory per other element in addition to its text, in bytes.
const OTHER_MEMORY: u64 = 256;

/// Counts the memory for the parts of an archive, before it is opened.
///
/// # Errors
/// If there are too many parts.
pub(crate) fn count_parts(bytes: &[u8], budget: &Budget) -> Result<(), SheetError> {
    let parts = memmem::find_iter(bytes, PART_SIGNATURE).count();
    Ok(budget.hold(parts as u64 * PART_MEMORY)?)
}

/// What [`measure`] found in the parts of a workbook.
#[derive(Default)]
pub(super) struct Measured {
    /// The actual size of the largest part.
    pub(super) largest: u64,
    /// There is a formula whose value is not stored.
    pub(super) has_uncomputed: bool,
    /// Parts that the library does not read as they are: with formatted text that has spaces at the ends of its runs but
    /// does not say so, or with errors that it does not know.
    pub(super) to_repair: Vec<String>,
    /// What is hidden in each part that has hidden rows or columns.
    hidden: Vec<(String, Hidden)>,
    /// Names of worksheets with the ids of their parts.
    sheets: Vec<(String, String)>,
    /// Ids of parts with their paths.
    targets: Vec<(String, String)>,
}

impl Measured {
    /// What is hidden in the worksheet with this name.
    pub(super) fn hidden_in(&self, name: &str) -> Option<&Hidden> {
        let (_, id) = self.sheets.iter().find(|(sheet, _)| sheet == name)?;
        let (_, path) = self.targets.iter().find(|(target, _)| target == id)?;
        let hidden = self.hidden.iter().find(|(part, _)| part.ends_with(path.trim_start_matches('/')))?;
        Some(&hidden.1)
    }
}

/// Decompresses every part once and counts the memory for reading it.
///
/// # Errors
/// If a limit is exceeded or the archive is damaged.
pub(super) fn measure(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Measured, SheetError> {
    let mut archive = ZipArchive::new(Metered::new(Cursor::new(bytes), budget)).map_err(unreadable)?;
    let mut estimate = MemoryEstimate {
        budget,
        uses: Uses::default(),
        cell: OpenCell::default(),
        hidden: Hidden::default(),
        sheets: Vec::new(),
        targets: Vec::new(),
    };
    let (mut remaining, mut measured) = (limits.unpacked_bytes, Measured::default());
    for index in 0..archive.len() {
        budget.charge(PART_WORK)?;
        let part = archive.by_index(index).map_err(unreadable)?;
        let own_name = part.name().map(|name| name.to_string()).unwrap_or_default();
        let name = own_name.to_ascii_lowercase();
        estimate.cell = OpenCell::default();
        let mut part = Part::new(part, remaining, budget);
        if [".xml", ".rels"].iter().any(|ending| name.ends_with(ending)) {
            estimate.add(&mut part)?;
        }
        part.token = 0;
        io::copy(&mut Discarded(&mut part), &mut io::sink()).map_err(unreadable)?;
        remaining =
            remaining.checked_sub(part.read).ok_or(SheetError::UnpackedTooLarge { limit: limits.unpacked_bytes })?;
        measured.largest = measured.largest.max(part.read);
        measured.has_uncomputed |= estimate.cell.has_uncomputed || estimate.cell.has_formula;
        let hidden = std::mem::take(&mut estimate.hidden);
        if !hidden.is_empty() {
            measured.hidden.push((own_name.clone(), hidden));
        }
        // Other parts have ids of their own.
        let targets = std::mem::take(&mut estimate.targets);
        if name.ends_with("workbook.xml.rels") {
            measured.targets = targets;
        }
        if estimate.cell.needs_repair {
            measured.to_repair.push(own_name);
        }
    }
    measured.sheets = estimate.sheets;
    estimate.uses.hold(budget)?;
    Ok(measured)
}

pub(super) fn unreadable(error: impl std::fmt::Display) -> SheetError {
    SheetError::Workbook { reason: error.to_string() }
}

/// A part that is being decompressed: its bytes are charged and limited, and the length of tokens is limited.
pub(super) struct Part<'b, R> {
    source: io::Take<R>,
    read: u64,
    /// Bytes read since the last token ended.
    token: u64,
    budget: &'b Budget,
}

impl<'b, R: Read> Part<'b, R> {
    /// A part of which one byte more than `limit` is read.
    pub(super) fn new(source: R, limit: u64, budget: &'b Budget) -> Self {
        Self { source: source.take(limit.saturating_add(1)), read: 0, token: 0, budget }
    }

    /// Whether the part is larger than its limit.
    pub(super) fn is_too_large(&self) -> bool {
        self.source.limit() == 0
    }

    /// Marks the end of a token.
    pub(super) fn end_token(&mut self) {
        self.token = 0;
    }
}

impl<R: Read> Read for Part<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.token > MAX_TOKEN {
            return Err(io::Error::other("it contains a text that is too long"));
        }
        let count = self.source.read(buffer)?;
        self.budget.charge(count as u64)?;
        self.read += count as u64;
        self.token += count as u64;
        Ok(count)
    }
}

/// The rest of a part, which is discarded, so that the limit of tokens does not apply.
struct Discarded<'p, 'b, R>(&'p mut Part<'b, R>);

impl<R: Read> Read for Discarded<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.token = 0;
        self.0.read(buffer)
    }
}

/// Counts of references: the library makes a copy of the referenced value for each of them.
#[derive(Default)]
struct Uses {
    styles: u64,
    longest_style: u64,
    sheets: u64,
    longest_target: u64,
}

/// The cell that is being read.
#[derive(Default)]
struct OpenCell {
    /// It has a formula, and no value yet.
    has_formula: bool,
    /// A value is open.
    in_value: bool,
    /// Its value is an error.
    is_error: bool,
    /// A run of formatted text is open.
    in_run: bool,
    /// The text of a run is open that does not say whether its spaces count.
    in_text: bool,
    /// A cell before has a formula without a value.
    has_uncomputed: bool,
    /// A run before has spaces at its ends, or a cell before has an unknown error.
    needs_repair: bool,
}

impl OpenCell {
    fn start(&mut self, tag: &BytesStart<'_>) {
        (self.in_value, self.in_text) = (false, false);
        match tag.local_name().as_ref() {
            "c" => {
                self.has_uncomputed |= self.has_formula;
                (self.has_formula, self.in_run, self.is_error) = (false, false, tag.contains(ERROR_CELL));
            }
            "f" => self.has_formula = true,
            "v" => self.in_value = true,
            "si" => self.in_run = false,
            "r" => self.in_run = true,
            "t" => self.in_text = self.in_run && !tag.contains("preserve"),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.has_formula &= !self.in_value;
        self.needs_repair |= self.in_text && text.trim() != text && !text.trim().is_empty();
        self.needs_repair |= self.in_value && self.is_error && text.parse::<CellErrorType>().is_err();
    }
}

impl Uses {
    fn hold(&self, budget: &Budget) -> Result<(), SheetError> {
        let Self { styles, longest_style, sheets, longest_target } = self;
        let memory = styles.saturating_mul(*longest_style).saturating_add(sheets.saturating_mul(*longest_target));
        Ok(budget.hold(memory)?)
    }
}

struct MemoryEstimate<'b> {
    budget: &'b Budget,
    uses: Uses,
    cell: OpenCell,
    hidden: Hidden,
    /// Names of worksheets with the ids of their parts.
    sheets: Vec<(String, String)>,
    /// Ids of parts with their paths.
    targets: Vec<(String, String)>,
}

impl MemoryEstimate<'_> {
    /// Counts the memory for an XML part. If it is malformed, the library stops there too.
    fn add<R: Read>(&mut self, part: &mut Part<'_, R>) -> Result<(), SheetError> {
        let mut reader = Reader::from_reader(BufReader::new(part));
        reader.config_mut().check_end_names = false;
        let mut keeps_text = false;
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            match reader.read_event_into(&mut buffer) {
                Ok(Event::Start(tag) | Event::Empty(tag)) => {
                    self.cell.start(&tag);
                    keeps_text |= self.add_tag(&tag)?;
                }
                Ok(Event::Text(text)) => {
                    self.cell.text(&text);
                    if keeps_text {
                        self.budget.hold(text.len() as u64)?;
                    }
                }
                Ok(Event::CData(text)) if keeps_text => self.budget.hold(text.len() as u64)?,
                Ok(Event::Eof) => return Ok(()),
                Ok(_) => {}
                Err(_) if reader.get_ref().get_ref().token > MAX_TOKEN => return Err(SheetError::BudgetExceeded),
                Err(quick_xml::Error::Io(error)) => return Err(unreadable(error)),
                Err(_) => return Ok(()),
            }
            reader.get_mut().get_mut().token = 0;
        }
    }

    /// Counts the memory for an element and returns whether the library also holds the text that follows.
    fn add_tag(&mut self, tag: &BytesStart<'_>) -> Result<bool, SheetError> {
        let length = tag.len() as u64;
        let (memory, keeps_text) = match tag.local_name().as_ref() {
            // The library allocates the declared number of texts.
            "sst" => (unique_count(tag).saturating_mul(size_of::<String>() as u64), true),
            "si" => (STRING_MEMORY, true),
            "definedName" => (OTHER_MEMORY + 2 * length, true),
            "xf" => {
                self.uses.styles += 1;
                (STYLE_MEMORY, false)
            }
            "numFmt" | "name" => {
                self.uses.longest_style = self.uses.longest_style.max(length);
                (OTHER_MEMORY + length, false)
            }
            "sheet" => {
                self.uses.sheets += 1;
                self.sheets.extend(attribute(tag, "name").zip(attribute(tag, "id")));
                (OTHER_MEMORY + 3 * length, false)
            }
            "Relationship" => {
                self.uses.longest_target = self.uses.longest_target.max(length);
                self.targets.extend(attribute(tag, "Id").zip(attribute(tag, "Target")));
                (OTHER_MEMORY + 3 * length, false)
            }
            "row" | "col" if tag.contains("hidden") => (self.hidden.add_tag(tag), false),
            "font" | "fill" | "border" => (OTHER_MEMORY, false),
            _ => (0, false),
        };
        self.budget.hold(memory)?;
        Ok(keeps_text)
    }
}

/// The largest number after `uniqueCount`, whatever is in between.
fn unique_count(tag: &str) -> u64 {
    let numbers = tag.split("uniqueCount").skip(1).filter_map(|rest| {
        let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        (end > 0).then(|| digits[..end].parse().unwrap_or(u64::MAX))
    });
    numbers.max().unwrap_or(0)
}
