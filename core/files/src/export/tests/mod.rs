mod files;
mod tables;

use std::path::{Path, PathBuf};

use super::*;

/// A CSV file with these texts in the first column, and their indices in the second.
fn csv(texts: &[String]) -> Vec<u8> {
    let columns = [Column::new("text", "Text"), Column::new("number", "Number")];
    let mut table = TableWriter::csv(Vec::new(), &columns, false).unwrap();
    for (number, text) in (0..).zip(texts) {
        table.row(&[Cell::text(text), Cell::Number(number)]).unwrap();
    }
    table.finish().unwrap()
}

/// Parses CSV with the `csv` crate.
fn read_csv(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// A real-world file outside of the repository; without it a test prints a note and passes.
fn real(path: &str) -> Option<String> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real-data");
    let folder = std::env::var_os("FESTIVAL_TEST_REAL_DATA").map_or(default, PathBuf::from);
    let text = std::fs::read_to_string(folder.join(path)).ok();
    if text.is_none() {
        println!("skipped: no {path}");
    }
    text
}

/// A pseudo-random generator that is the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }

    /// A text of up to thirty characters, many of them special in some format.
    fn text(&mut self) -> String {
        const SPECIAL: &[char] = &[
            '=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n', '\0', '"', '\'', ',', ';', '|', ' ',
            '\u{a0}', '\u{3000}', '\u{1f}', '\u{7f}', '\u{feff}', '\u{200d}', '\u{202e}', '0', '9', 'a', 'Z', 'é', 'മ',
            'ല', '്', '👩', '𝒳', '\u{ffff}', '_', 'x', '<', '&', '\\',
        ];
        let length = self.next(30);
        (0..length)
            .map(|_| match self.next(4) {
                0 => char::from_u32(u32::try_from(self.next(0x11_0000)).unwrap()).unwrap_or('?'),
                _ => SPECIAL[usize::try_from(self.next(SPECIAL.len() as u64)).unwrap()],
            })
            .collect()
    }
}
