//! The options of an import, read from query or form and sent again as hidden inputs.

use std::collections::BTreeMap;

use super::past::MAX_NAME;
use super::staged::{StagedTable, Ticket};
use crate::serving::fields::Fields;
use crate::serving::input::{Choice, Input};
use festival_files::sheet::Limits;
use festival_records::editing::IS_PUBLISHED;
use festival_records::entity::{Entity, Kind};
use festival_records::importing::dates::Order;
use festival_records::importing::{self, Decisions, EmptyCells, ImportOptions};

// Names of the inputs that decide how cells and new rows are handled.
const INVALID: &str = "invalid";
const EMPTY: &str = "empty";
const NEW: &str = "new";
const DATES: &str = "dates";
/// Name of the input with the chosen saved mapping.
pub(super) const MAPPING: &str = "mapping";
/// Name of the input for the name under which the mapping is saved.
const SAVE_MAPPING: &str = "save-mapping";

/// The staged table and how it is to be read.
pub(super) struct ImportForm {
    pub(super) staged: StagedTable,
    /// Year of the edition to import into; empty if the entity does not belong to editions.
    pub(super) year: String,
    pub(super) options: ImportOptions,
    /// The decisions that only a person can make.
    pub(super) decisions: Decisions,
    /// The choices for cells and new rows, by the name of the input.
    rules: Vec<(&'static str, String)>,
    /// The chosen saved mapping; "" for none of them, `None` if nothing was chosen.
    pub(super) mapping: Option<String>,
    /// The name under which the mapping is saved; empty: it is not saved.
    pub(super) save_mapping: String,
    /// The page of the preview's lines, from 1.
    pub(super) page: usize,
}

impl ImportForm {
    pub(super) fn read(fields: &Fields, entity: &'static Entity, ticket: Ticket) -> Self {
        let mut columns = Vec::new();
        for (name, field) in fields.iter() {
            let number = name.strip_prefix("column-").and_then(|number| number.parse::<usize>().ok());
            let Some(number) = number.filter(|number| (1..=Limits::default().columns).contains(number)) else {
                continue;
            };
            if columns.len() < number {
                columns.resize(number, String::new());
            }
            columns[number - 1] = field.to_owned();
        }
        let for_all: BTreeMap<&'static str, String> = importing::for_all(entity)
            .map(|field| (field.name, fields.get(&format!("all-{}", field.name)).trim().to_owned()))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let answer = |(name, text): (&str, &str)| Some((name.strip_prefix("decide-")?.to_owned(), text.parse().ok()?));
        let decisions = Decisions { chosen: fields.iter().filter_map(answer).collect(), ..Decisions::default() };
        Self {
            decisions,
            rules: [INVALID, EMPTY, DATES, NEW].map(|name| (name, fields.get(name).to_owned())).into(),
            mapping: fields.has(MAPPING).then(|| fields.get(MAPPING).to_owned()),
            save_mapping: fields.get(SAVE_MAPPING).trim().chars().take(MAX_NAME).collect(),
            page: fields.get("check").parse().unwrap_or(1).max(1),
            staged: StagedTable { ticket, name: fields.get("name").chars().take(80).collect() },
            year: fields.get("edition").to_owned(),
            options: ImportOptions {
                columns: (!columns.is_empty()).then_some(columns),
                for_all,
                no_header: fields.get("first-row") == "data",
                blank_invalid: fields.get(INVALID) == "blank",
                empty_cells: EmptyCells::of_name(fields.get(EMPTY)),
                publish_new: (fields.get(NEW) == "draft").then_some(false),
                order: Order::of_name(fields.get(DATES)),
                describe_new: true,
                ..ImportOptions::default()
            },
        }
    }

    /// Returns the same values as hidden inputs.
    pub(super) fn inputs(&self) -> Vec<Input> {
        let mut inputs = vec![
            Input::hidden("file", self.staged.ticket.text()),
            Input::hidden("name", &self.staged.name),
            Input::hidden("edition", &self.year),
        ];
        if self.options.no_header {
            inputs.push(Input::hidden("first-row", "data"));
        }
        inputs.extend(self.mapping.iter().map(|name| Input::hidden(MAPPING, name)));
        inputs.extend(self.rules.iter().map(|(name, chosen)| Input::hidden(*name, chosen)));
        for (index, field) in self.options.columns.iter().flatten().enumerate() {
            inputs.push(Input::hidden(format!("column-{}", index + 1), field));
        }
        for (field, text) in &self.options.for_all {
            inputs.push(Input::hidden(format!("all-{field}"), text));
        }
        inputs
    }

    /// The input for the name under which the mapping is saved.
    pub(super) fn save_input(&self) -> Input {
        Input::text(SAVE_MAPPING, "Save what the columns are as")
            .value(&self.save_mapping)
            .hint("A name like “Theatre office”. The next list with this header is read the same way.")
    }

    /// The inputs that decide how cells and new rows are handled.
    pub(super) fn rules(&self, entity: &Entity) -> Vec<Input> {
        let input = |name: &'static str, label: &str, choices: &[(&str, &str)]| {
            let chosen = self.rules.iter().find(|(rule, chosen)| *rule == name && !chosen.is_empty());
            let chosen = chosen.map_or(choices[0].0, |(_, chosen)| chosen);
            let choices = choices.iter().map(|(key, label)| Choice::new(*key, *label, chosen)).collect();
            Input::choice(name, label, choices).value(chosen).required()
        };
        let mut inputs = vec![
            input(
                INVALID,
                "A value that cannot be used",
                &[("line", "leaves its line out"), ("blank", "is left empty")],
            ),
            input(
                EMPTY,
                "An empty cell",
                &[
                    ("usual", "does what is usual for this kind of list"),
                    ("keep", "keeps the value that is here"),
                    ("clear", "removes it"),
                ],
            ),
        ];
        let is_date = |kind| matches!(kind, Kind::Date | Kind::DateTime | Kind::LocalDateTime);
        if entity.columns().any(|field| is_date(field.kind)) {
            inputs.push(input(
                DATES,
                "A date such as 3/4/2027",
                &[
                    ("usual", "is read like the others of its column"),
                    ("day-first", "is 3 April"),
                    ("month-first", "is 4 March"),
                ],
            ));
        }
        if entity.field(IS_PUBLISHED).is_some() {
            let label = format!("New {}, where the list does not say", entity.plural);
            inputs.push(input(NEW, &label, &[("shown", "are shown on the site"), ("draft", "are drafts")]));
        }
        inputs
    }
}
