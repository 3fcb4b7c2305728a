//! Command-line arguments for the output of an export: `FILE --format csv --bom --force`.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};

use super::{Column, Format, PendingFile, TableWriter, Target};
use festival_base::durable::folder_of;
use festival_base::error::{Error, Result};

/// Returns the argument `FILE`.
pub fn file_argument() -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("The file to write; - is standard output, for CSV and JSON")
}

/// Returns the arguments that [`Output::read`] reads, apart from `file`.
pub fn arguments() -> [Arg; 3] {
    [
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .value_parser(PossibleValuesParser::new(Format::ALL.map(Format::name)))
            .help("The file format; by default it follows from the extension of FILE"),
        Arg::new("bom")
            .long("bom")
            .action(ArgAction::SetTrue)
            .help("Begin a CSV file with a byte order mark, by which Excel knows UTF-8"),
        Arg::new("force").long("force").action(ArgAction::SetTrue).help("Replace files that are there already"),
    ]
}

/// The destination and format of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The file; `None` is standard output.
    pub file: Option<PathBuf>,
    /// The file format.
    pub format: Format,
    /// Whether a CSV file begins with a byte order mark.
    pub bom: bool,
    /// Whether an existing file is replaced.
    pub force: bool,
}

impl Output {
    /// Reads `file` and the [`arguments`].
    ///
    /// # Errors
    /// [`Error::BadRequest`] that says what to do, if the arguments do not go together.
    pub fn read(arguments: &ArgMatches) -> Result<Self> {
        let file = arguments.get_one::<PathBuf>("file").cloned().unwrap_or_default();
        let named = arguments.get_one::<String>("format").and_then(|name| Format::of_name(name));
        let to_stdout = file == Path::new("-");
        let Some(format) = named.or_else(|| Format::of_file(&file)) else {
            let names = Format::ALL.map(Format::name);
            let file = if to_stdout { "standard output".to_owned() } else { file.display().to_string() };
            let names = names.join(" or --format ");
            return Err(Error::BadRequest(format!("which format should {file} have? Add --format {names}")));
        };
        if to_stdout && format.is_archive() {
            return Err(Error::BadRequest("a workbook needs a file; standard output takes the other formats".into()));
        }
        let (bom, force) = (arguments.get_flag("bom"), arguments.get_flag("force"));
        if bom && format != Format::Csv {
            return Err(Error::BadRequest("--bom is for CSV only".into()));
        }
        Ok(Self { file: (!to_stdout).then_some(file), format, bom, force })
    }

    /// The file of a report about `input`, in the format of its extension; `others` are the outputs that `--report` can
    /// name besides.
    ///
    /// # Errors
    /// [`Error::BadRequest`] that says what to do, if it has no such format, or is `input` itself.
    pub fn report(file: &Path, (input, noun): (&Path, &str), others: &str, force: bool) -> Result<Self> {
        let Some(format) = Format::of_file(file) else {
            let sentence = "a file that ends in .csv, .xlsx, .ods or .json";
            return Err(Error::BadRequest(format!("--report {}: {others} {sentence}", file.display())));
        };
        if file == input {
            return Err(Error::BadRequest(format!("--report names the {noun} itself; choose another file")));
        }
        // A CSV file of a report is usually opened in a spreadsheet.
        Ok(Self { file: Some(file.to_owned()), format, bom: format == Format::Csv, force })
    }

    /// Opens the destination and writes the header of the table.
    pub fn open(&self, columns: &[Column]) -> Result<TableWriter<Target>> {
        let target = match &self.file {
            None => Target::stdout(),
            Some(path) => Target::File(PendingFile::create(path, self.force)?),
        };
        let folder = self.file.as_deref().map_or(Path::new("."), folder_of);
        TableWriter::new(self.format, target, columns, self.bom, folder)
    }

    /// Stores the file, and prints how many `nouns` (one, several) were written to it, and how many texts a workbook
    /// cut.
    ///
    /// Returns whether no text was cut.
    pub fn finish(&self, table: TableWriter<Target>, count: u64, nouns: [&str; 2]) -> Result<bool> {
        let cut = table.truncated();
        table.finish()?.commit()?;
        eprintln!("{} written to {}.", counted(count, nouns), self.name());
        if cut > 0 {
            let texts = counted(cut, ["text was", "texts were"]);
            eprintln!("{texts} too long for a workbook and cut at the end; CSV, ODS and JSON have all of it.");
        }
        Ok(cut == 0)
    }

    /// Returns the destination's name for messages.
    pub fn name(&self) -> String {
        self.file.as_ref().map_or_else(|| "standard output".to_owned(), |file| file.display().to_string())
    }
}

/// Returns a number with its noun in the singular or plural.
pub fn counted(count: u64, [one, several]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
