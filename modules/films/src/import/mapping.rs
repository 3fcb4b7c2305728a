//! Columns of fields as people give them: `--map field=Header`.

use std::str::FromStr;

use super::ImportError;
use super::fields::{self, FIELDS};
use super::headers::{Meaning, fold_header, meaning};

/// One `--map`: a field and its column.
#[derive(Debug, Clone)]
pub(super) struct Mapping {
    pub(super) field: &'static str,
    pub(super) source: Source,
}

/// Where the values of a field come from.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// The column with this header, or several: `director.1..director.9`, `First director, Second director`.
    Header(String),
    /// The column with this number, from 1.
    Column(usize),
    /// No column, whatever the headers say: `--map category=`.
    None,
}

impl FromStr for Mapping {
    type Err = ImportError;

    fn from_str(text: &str) -> Result<Self, ImportError> {
        let (field, source) = text.split_once('=').ok_or_else(|| ImportError::MapSyntax { text: text.to_owned() })?;
        let (name, source) = (field.trim(), source.trim());
        let by_meaning = || match meaning(name) {
            Meaning::Field { field, .. } => fields::field(field),
            _ => None,
        };
        let field = fields::field(name).or_else(by_meaning).ok_or_else(|| {
            let names: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
            let suggestion = nearest(name, names.iter().copied());
            ImportError::UnknownField { field: name.to_owned(), suggestion, fields: names.join(", ") }
        })?;
        let source = match source.strip_prefix('#').map(str::parse) {
            Some(Ok(column)) => Source::Column(column),
            _ if source.is_empty() => Source::None,
            _ => Source::Header(source.to_owned()),
        };
        Ok(Self { field: field.name, source })
    }
}

impl Mapping {
    /// Returns the columns, from 0, in the order in which their values are joined.
    pub(super) fn columns(&self, header: &[String]) -> Result<Vec<usize>, ImportError> {
        match &self.source {
            Source::None => Ok(Vec::new()),
            Source::Column(number) => Ok(vec![self.by_number(*number, header)?]),
            Source::Header(name) => {
                let whole = by_header(self.field, name, header);
                let several = || self.several(name, header);
                if whole.is_ok() { Ok(vec![whole?]) } else { several().unwrap_or_else(|| Ok(vec![whole?])) }
            }
        }
    }

    /// The columns from one to another one, or those of a list; `None` if `text` is neither.
    fn several(&self, text: &str, header: &[String]) -> Option<Result<Vec<usize>, ImportError>> {
        if let Some((first, last)) = text.split_once("..") {
            let ends = self.one(first.trim(), header).and_then(|first| Ok((first, self.one(last.trim(), header)?)));
            return Some(ends.map(|(first, last)| (first.min(last)..=first.max(last)).collect()));
        }
        text.contains(',').then(|| text.split(',').map(|name| self.one(name.trim(), header)).collect())
    }

    /// The column with this header or number.
    fn one(&self, name: &str, header: &[String]) -> Result<usize, ImportError> {
        match name.strip_prefix('#').map(str::parse) {
            Some(Ok(number)) => self.by_number(number, header),
            _ => by_header(self.field, name, header),
        }
    }

    fn by_number(&self, number: usize, header: &[String]) -> Result<usize, ImportError> {
        let error = ImportError::NoSuchColumn { field: self.field, column: number, columns: header.len() };
        if (1..=header.len()).contains(&number) { Ok(number - 1) } else { Err(error) }
    }
}

/// Finds the column with a header: in the same spelling if there is one, else with case, accents and punctuation folded.
fn by_header(field: &'static str, name: &str, header: &[String]) -> Result<usize, ImportError> {
    let exact = |cell: &String| cell.trim() == name;
    let folded = |cell: &String| fold_header(cell) == fold_header(name);
    let columns = |matches: &dyn Fn(&String) -> bool| -> Vec<usize> {
        (0..header.len()).filter(|column| matches(&header[*column])).collect()
    };
    let mut matching = columns(&exact);
    if matching.is_empty() {
        matching = columns(&folded);
    }
    match matching[..] {
        [column] => Ok(column),
        [first, ..] => Err(ImportError::DoubleHeader { field, header: name.to_owned(), column: first + 1 }),
        [] => Err(ImportError::UnknownHeader {
            field,
            header: name.to_owned(),
            suggestion: nearest(name, header.iter().map(String::as_str)),
            columns: header.join(", "),
        }),
    }
}

/// Finds the most similar name, if any is similar enough for a suggestion.
fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let given = fold_header(given);
    let similarity = |name: &str| strsim::jaro_winkler(&given, &fold_header(name));
    let best = names.into_iter().max_by(|left, right| similarity(left).total_cmp(&similarity(right)))?;
    (similarity(best) > 0.75).then(|| best.to_owned())
}
