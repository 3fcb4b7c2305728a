//! What a person says about the columns: `--map field=Header`.

use std::str::FromStr;

use super::headers::fold_header;
use super::{Field, ImportError};

/// One `--map`: a field and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The field.
    pub field: Field,
    /// Its column.
    pub source: Source,
}

/// Where a field comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The column with this header.
    Header(String),
    /// The column with this number, from 1.
    Column(usize),
    /// From nowhere, whatever the headers say: `--map category=`.
    Nothing,
}

impl FromStr for Mapping {
    type Err = ImportError;

    fn from_str(text: &str) -> Result<Self, ImportError> {
        let (field, source) = text.split_once('=').ok_or_else(|| ImportError::MapSyntax { text: text.to_owned() })?;
        let (field, source) = (field.trim(), source.trim());
        let names = Field::ALL.map(Field::name);
        let field =
            Field::ALL.into_iter().find(|known| known.name() == field).ok_or_else(|| ImportError::UnknownField {
                field: field.to_owned(),
                suggestion: nearest(field, names),
                fields: names.join(", "),
            })?;
        let source = match source.strip_prefix('#').map(str::parse) {
            Some(Ok(column)) => Source::Column(column),
            _ if source.is_empty() => Source::Nothing,
            _ => Source::Header(source.to_owned()),
        };
        Ok(Self { field, source })
    }
}

impl Mapping {
    /// The column it means, from 0; `None` for [`Source::Nothing`].
    pub(super) fn column(&self, header: &[String]) -> Result<Option<usize>, ImportError> {
        let field = self.field.name();
        match &self.source {
            Source::Nothing => Ok(None),
            Source::Column(number) if (1..=header.len()).contains(number) => Ok(Some(number - 1)),
            Source::Column(number) => Err(ImportError::NoSuchColumn { field, column: *number, columns: header.len() }),
            Source::Header(name) => by_header(field, name, header).map(Some),
        }
    }
}

/// The column with a header: as it is written if there is one, else with case, accents and punctuation folded.
fn by_header(field: &'static str, name: &str, header: &[String]) -> Result<usize, ImportError> {
    let exact = |cell: &String| cell.trim() == name;
    let folded = |cell: &String| fold_header(cell) == fold_header(name);
    let columns = |matches: &dyn Fn(&String) -> bool| -> Vec<usize> {
        (0..header.len()).filter(|column| matches(&header[*column])).collect()
    };
    let mut found = columns(&exact);
    if found.is_empty() {
        found = columns(&folded);
    }
    match found[..] {
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

/// The name most like the given one, if any is like it at all.
fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let given = fold_header(given);
    let likeness = |name: &str| strsim::jaro_winkler(&given, &fold_header(name));
    let best = names.into_iter().max_by(|left, right| likeness(left).total_cmp(&likeness(right)))?;
    (likeness(best) > 0.75).then(|| best.to_owned())
}
