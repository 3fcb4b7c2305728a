//! Columns of fields as given on the command line: `--map field=Header`.

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

impl Mapping {
    /// Reads `field=Header`, `field=#2` or `field=`. `meaning` finds the field of a name that is none of `fields`.
    ///
    /// # Errors
    /// A sentence if it has no equals sign, or there is no such field.
    pub fn parse(
        text: &str,
        fields: &[&'static str],
        meaning: impl Fn(&str) -> Option<&'static str>,
    ) -> Result<Self, String> {
        let syntax = || format!("--map {text}: write field=Header or field=#number, for instance name=#2");
        let (field, source) = text.split_once('=').ok_or_else(syntax)?;
        let (name, source) = (field.trim(), source.trim());
        let named = fields.iter().copied().find(|field| *field == name);
        let field = named.or_else(|| meaning(name).filter(|field| fields.contains(field)));
        let field = field.ok_or_else(|| {
            let suggestion = did_you_mean(name, fields.iter().copied());
            format!("--map {name}=…: there is no field {name}{suggestion}; fields: {}", fields.join(", "))
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
    /// A sentence if the header has no such column.
    pub fn columns(&self, header: &[String]) -> Result<Vec<usize>, String> {
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
    fn several(&self, text: &str, header: &[String]) -> Option<Result<Vec<usize>, String>> {
        if let Some((first, last)) = text.split_once("..") {
            let ends = self.one(first.trim(), header).and_then(|first| Ok((first, self.one(last.trim(), header)?)));
            return Some(ends.map(|(first, last)| (first.min(last)..=first.max(last)).collect()));
        }
        text.contains(',').then(|| text.split(',').map(|name| self.one(name.trim(), header)).collect())
    }

    /// The column with this header or number.
    fn one(&self, name: &str, header: &[String]) -> Result<usize, String> {
        match name.strip_prefix('#').map(str::parse) {
            Some(Ok(number)) => self.by_number(number, header),
            _ => by_header(self.field, name, header),
        }
    }

    fn by_number(&self, number: usize, header: &[String]) -> Result<usize, String> {
        let (field, columns) = (self.field, header.len());
        let is_column = (1..=columns).contains(&number);
        is_column
            .then(|| number - 1)
            .ok_or_else(|| format!("--map {field}=#{number}: the columns are #1 to #{columns}"))
    }
}

/// Finds the column with a header: in the same spelling if there is one, else with case, accents and punctuation
/// folded.
fn by_header(field: &'static str, name: &str, header: &[String]) -> Result<usize, String> {
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
        [first, ..] => Err(format!(
            "--map {field}={name}: several columns are called {name}; name one by number: {field}=#{}",
            first + 1
        )),
        [] => {
            let suggestion = did_you_mean(name, header.iter().map(String::as_str));
            Err(format!("--map {field}={name}: there is no column {name}{suggestion}; columns: {}", header.join(", ")))
        }
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

fn did_you_mean<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(given, names).map(|name| format!(", did you mean {name}?")).unwrap_or_default()
}
