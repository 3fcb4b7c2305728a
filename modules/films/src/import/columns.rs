//! Which column fills which field.

use festival_core::text::shortened;

use super::headers::{Meaning, is_bare_name, is_english_title, meaning};
use super::{Field, Ignored, ImportError, Mapping, Reason, Understood};

/// The columns of a list, decided.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) understood: Vec<Understood>,
    pub(super) ignored: Vec<Ignored>,
    /// A person said which column the title is: it is neither doubted nor exchanged.
    pub(super) name_is_given: bool,
}

impl Columns {
    /// The column of a field, from 0.
    pub(super) fn of(&self, field: Field) -> Option<usize> {
        self.understood.iter().find(|understood| understood.field == field).map(|found| found.column - 1)
    }
}

/// Decides from the headers and from what the person said. `header` holds `#1`, `#2` where there is none.
pub(super) fn decide(header: &[String], mappings: &[Mapping], has_header: bool) -> Result<Columns, ImportError> {
    let meanings: Vec<Meaning> = header.iter().map(|cell| meaning(cell)).collect();
    if has_header && looks_like_data(header, &meanings) {
        return Err(ImportError::NoHeader { seen: listed(header) });
    }
    let mut fields: Vec<(Field, usize)> = Vec::new();
    let mut given: Vec<Field> = Vec::new();
    for mapping in mappings {
        if given.contains(&mapping.field) {
            return Err(ImportError::MappedTwice { field: mapping.field.name() });
        }
        given.push(mapping.field);
        fields.extend(mapping.column(header)?.map(|column| (mapping.field, column)));
    }
    let name_is_given = fields.iter().any(|(field, _)| *field == Field::Name);
    for field in Field::ALL.into_iter().filter(|field| !given.contains(field)) {
        let taken: Vec<usize> = fields.iter().map(|(_, column)| *column).collect();
        fields.extend(best(&meanings, field, &taken).map(|column| (field, column)));
    }
    if !name_is_given {
        pair_titles(header, &meanings, &given, &mut fields);
    }
    if !has_header && !name_is_given {
        return Err(ImportError::NoTitleColumn { columns: header.len() });
    }
    if !name_is_given && !is_film_list(header, &fields) {
        return Err(ImportError::NotFilms { seen: format!("the columns are {}", listed(header)) });
    }
    fields.sort_unstable();
    Ok(Columns { ignored: ignored(header, &meanings, &fields), understood: understood(header, &fields), name_is_given })
}

/// The column with the best name for a field; of two equals the left one.
fn best(meanings: &[Meaning], wanted: Field, taken: &[usize]) -> Option<usize> {
    let ranked = meanings.iter().enumerate().filter_map(|(column, meaning)| match meaning {
        Meaning::Field { field, rank } if *field == wanted && !taken.contains(&column) => Some((*rank, column)),
        _ => None,
    });
    ranked.min().map(|(_, column)| column)
}

/// `Title` beside `English Title` is the original one, unless a column says so itself.
fn pair_titles(header: &[String], meanings: &[Meaning], given: &[Field], fields: &mut Vec<(Field, usize)>) {
    let column = |wanted: Field| fields.iter().find(|(field, _)| *field == wanted).map(|(_, column)| *column);
    let (Some(name), None) = (column(Field::Name), column(Field::OriginalTitle)) else {
        return;
    };
    if !is_english_title(&header[name]) || given.contains(&Field::OriginalTitle) {
        return;
    }
    let taken: Vec<usize> = fields.iter().map(|(_, column)| *column).collect();
    fields.extend(best(meanings, Field::Name, &taken).map(|column| (Field::OriginalTitle, column)));
}

/// A title alone may name anything. A bare "Name" may also be a person's or a festival's, and these have countries
/// and years, too.
fn is_film_list(header: &[String], fields: &[(Field, usize)]) -> bool {
    let has = |wanted: &[Field]| fields.iter().any(|(field, _)| wanted.contains(field));
    let named = fields.iter().any(|(field, column)| *field == Field::Name && is_bare_name(&header[*column]));
    let titled = has(&[Field::Name]) && !named;
    let telling = has(&[Field::DirectorName, Field::DurationMinutes, Field::Synopsis]);
    let original = has(&[Field::OriginalTitle]);
    match (titled, named) {
        (true, _) => telling || original || has(&[Field::Year, Field::Country]),
        (_, true) => telling || original,
        _ => original && (telling || has(&[Field::Year, Field::Country])),
    }
}

/// A first row with a number in it and no word we know is a film already.
fn looks_like_data(header: &[String], meanings: &[Meaning]) -> bool {
    let number = |cell: &String| cell.trim().replace(',', ".").parse::<f64>().is_ok();
    meanings.iter().all(|meaning| *meaning == Meaning::Unknown) && header.iter().any(number)
}

fn understood(header: &[String], fields: &[(Field, usize)]) -> Vec<Understood> {
    let one = |(field, column): &(Field, usize)| Understood {
        field: *field,
        column: column + 1,
        header: header[*column].trim().to_owned(),
    };
    fields.iter().map(one).collect()
}

fn ignored(header: &[String], meanings: &[Meaning], fields: &[(Field, usize)]) -> Vec<Ignored> {
    let left_out = (0..header.len()).filter(|column| fields.iter().all(|(_, used)| used != column));
    left_out
        .map(|column| {
            let reason = match meanings[column] {
                Meaning::Personal => Reason::Personal,
                Meaning::Field { field, .. } if fields.iter().any(|(used, _)| *used == field) => Reason::Taken(field),
                Meaning::Field { field, .. } => Reason::Unwanted(field),
                Meaning::Unknown => Reason::Unknown,
            };
            Ignored { column: column + 1, header: header[column].trim().to_owned(), reason }
        })
        .collect()
}

/// The first headers, for a sentence.
fn listed(header: &[String]) -> String {
    const SHOWN: usize = 6;
    let names: Vec<String> = header.iter().take(SHOWN).map(|cell| shortened(cell)).collect();
    match header.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
