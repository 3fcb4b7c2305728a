mod files;
mod tables;

use std::path::{Path, PathBuf};

use super::*;

/// Text of one column and the cells of that column, in order.
fn csv(texts: &[String]) -> Vec<u8> {
    let columns = [Column::new("text", "Text"), Column::new("number", "Number")];
    let mut table = TableWriter::csv(Vec::new(), &columns, false).unwrap();
    for (number, text) in (0..).zip(texts) {
        table.row(&[Cell::text(text), Cell::Number(number)]).unwrap();
    }
    table.finish().unwrap()
}

/// The rows of CSV as any other program reads it.
fn read_csv(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// A file that others made, beside the project; without it a test says so and passes.
fn real(path: &str) -> Option<String> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real-data");
    let folder = std::env::var_os("FESTIVAL_TEST_REAL_DATA").map_or(beside, PathBuf::from);
    let text = std::fs::read_to_string(folder.join(path)).ok();
    if text.is_none() {
        println!("skipped: no {path}");
    }
    text
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    /// A text of up to thirty characters, full of what means something to somebody.
    fn text(&mut self) -> String {
        const TELLING: &[char] = &[
            '=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n', '\0', '"', '\'', ',', ';', '|', ' ',
            '\u{a0}', '\u{3000}', '\u{1f}', '\u{7f}', '\u{feff}', '\u{200d}', '\u{202e}', '0', '9', 'a', 'Z', 'é', 'മ',
            'ല', '്', '👩', '𝒳', '\u{ffff}', '_', 'x', '<', '&', '\\',
        ];
        let length = self.roll(30);
        (0..length)
            .map(|_| match self.roll(4) {
                0 => char::from_u32(u32::try_from(self.roll(0x11_0000)).unwrap()).unwrap_or('?'),
                _ => TELLING[usize::try_from(self.roll(TELLING.len() as u64)).unwrap()],
            })
            .collect()
    }
}
