//! Columns of fields as people give them: `--map field=Header`.

use super::likeness::fold;

/// A field and its column.
#[derive(Debug, Clone)]
pub struct Mapping {
    /// The name of the field.
    pub field: &'static str,
    /// Where its values come from.
    pub source: Source,
}

/// Where the values of a field come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// The column with this header, or several: `director.1..director.9`, `First director, Second director`.
    Header(String),
    /// The column with this number, from 1.
    Column(usize),
    /// No column, whatever the headers say: `--map category=`.
    None,
}

/// Why a mapping cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MappingError {
    /// It has no equals sign.
    #[error("--map {text}: write field=Header or field=#number, for instance name=#2")]
    Syntax {
        /// The mapping as it was given.
        text: String,
    },
    /// There is no such field.
    #[error("--map {field}=…: there is no field {field}{}; fields: {fields}", did_you_mean(.suggestion.as_deref()))]
    UnknownField {
        /// The name as it was given.
        field: String,
        /// The nearest field.
        suggestion: Option<String>,
        /// All fields.
        fields: String,
    },
    /// No column has the header.
    #[error("--map {field}={header}: there is no column {header}{}; columns: {columns}", did_you_mean(.suggestion.as_deref()))]
    UnknownHeader {
        /// The field.
        field: &'static str,
        /// The header as it was given.
        header: String,
        /// The nearest header.
        suggestion: Option<String>,
        /// All headers.
        columns: String,
    },
    /// Several columns have the header.
    #[error("--map {field}={header}: several columns are called {header}; name one by number: {field}=#{column}")]
    DoubleHeader {
        /// The field.
        field: &'static str,
        /// The header.
        header: String,
        /// The number of the first, from 1.
        column: usize,
    },
    /// There is no column with the number.
    #[error("--map {field}=#{column}: the columns are #1 to #{columns}")]
    NoSuchColumn {
        /// The field.
        field: &'static str,
        /// The number as it was given.
        column: usize,
        /// How many columns there are.
        columns: usize,
    },
}

impl Mapping {
    /// Reads `field=Header`, `field=#2` or `field=`. `meaning` finds the field of a name that is none of `fields`.
    ///
    /// # Errors
    /// [`MappingError::Syntax`] and [`MappingError::UnknownField`].
    pub fn parse(
        text: &str,
        fields: &[&'static str],
        meaning: impl Fn(&str) -> Option<&'static str>,
    ) -> Result<Self, MappingError> {
        let (field, source) = text.split_once('=').ok_or_else(|| MappingError::Syntax { text: text.to_owned() })?;
        let (name, source) = (field.trim(), source.trim());
        let named = fields.iter().copied().find(|field| *field == name);
        let field = named.or_else(|| meaning(name).filter(|field| fields.contains(field)));
        let field = field.ok_or_else(|| MappingError::UnknownField {
            field: name.to_owned(),
            suggestion: nearest(name, fields.iter().copied()),
            fields: fields.join(", "),
        })?;
        let source = match source.strip_prefix('#').map(str::parse) {
            Some(Ok(column)) => Source::Column(column),
            _ if source.is_empty() => Source::None,
            _ => Source::Header(source.to_owned()),
        };
        Ok(Self { field, source })
    }

    /// Returns the columns, from 0, in the order in which their values are joined.
    ///
    /// # Errors
    /// If the header has no such column.
    pub fn columns(&self, header: &[String]) -> Result<Vec<usize>, MappingError> {
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
    fn several(&self, text: &str, header: &[String]) -> Option<Result<Vec<usize>, MappingError>> {
        if let Some((first, last)) = text.split_once("..") {
            let ends = self.one(first.trim(), header).and_then(|first| Ok((first, self.one(last.trim(), header)?)));
            return Some(ends.map(|(first, last)| (first.min(last)..=first.max(last)).collect()));
        }
        text.contains(',').then(|| text.split(',').map(|name| self.one(name.trim(), header)).collect())
    }

    /// The column with this header or number.
    fn one(&self, name: &str, header: &[String]) -> Result<usize, MappingError> {
        match name.strip_prefix('#').map(str::parse) {
            Some(Ok(number)) => self.by_number(number, header),
            _ => by_header(self.field, name, header),
        }
    }

    fn by_number(&self, number: usize, header: &[String]) -> Result<usize, MappingError> {
        let error = MappingError::NoSuchColumn { field: self.field, column: number, columns: header.len() };
        if (1..=header.len()).contains(&number) { Ok(number - 1) } else { Err(error) }
    }
}

/// Finds the column with a header: in the same spelling if there is one, else with case, accents and punctuation folded.
fn by_header(field: &'static str, name: &str, header: &[String]) -> Result<usize, MappingError> {
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
        [first, ..] => Err(MappingError::DoubleHeader { field, header: name.to_owned(), column: first + 1 }),
        [] => Err(MappingError::UnknownHeader {
            field,
            header: name.to_owned(),
            suggestion: nearest(name, header.iter().map(String::as_str)),
            columns: header.join(", "),
        }),
    }
}

/// Folds a header to the form in which different spellings are equal: `Run time`, `run_time`, `RUNTIME`.
pub(super) fn fold_header(header: &str) -> String {
    fold(header).replace(' ', "")
}

/// Finds the most similar name, if any is similar enough for a suggestion.
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let given = fold_header(given);
    let similarity = |name: &str| strsim::jaro_winkler(&given, &fold_header(name));
    let best = names.into_iter().max_by(|left, right| similarity(left).total_cmp(&similarity(right)))?;
    (similarity(best) > 0.75).then(|| best.to_owned())
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(", did you mean {name}?")).unwrap_or_default()
}
