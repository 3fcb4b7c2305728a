//! The list of the chair: the entries with what their reviews come to, and what is decided.

use std::fs::File;

use festival_core::admin::collections::{self, Cell, Collection, Column, Heading, State, Viewer, label_of, tone_of};
use festival_core::admin::scope::EDITIONS;
use festival_core::admin::{Action, AdminRequest, Choice, Input, Page, Reply, Resource, Scope};
use festival_core::db::{Order, Searched, Select, SelectedRow, Test};
use festival_core::edition::EDITION;
use festival_core::entity::{Datum, Entity, table};
use festival_core::export::{self, Format, TableWriter};
use festival_core::{Result, deadline, search_key};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::decision::{ANSWERS, MOVE_UP, OUTCOMES, UNANSWERED, UNDECIDED};
use crate::outline::{AWARDS, FILM_SUBMISSION, award_name};
use crate::role::{SELECTION, WHOLE_SELECTION};
use crate::round::{Round, are_results_outdated, compute_results};
use crate::score;

pub(crate) const HOME: &str = "/admin/selection";

/// Key of the limit of accounts to sections, which the module of the forms registers.
const SECTIONS: &str = "section";
/// Rows that an export reads at a time.
const BATCH: i64 = 1_000;
/// Longest list of countries or languages to filter by.
const MAX_CHOICES: usize = 300;

/// How the value of a column is shown.
enum Shown {
    Text,
    Award,
    State(&'static [State]),
    Figure,
    Hundredths,
}
use Shown::{Award, Figure, Hundredths, Text};

/// The columns: key, heading, SQL of the value, how it is shown.
const COLUMNS: &[(&str, &str, &str, Shown)] = &[
    ("title_english", "Entry", "t.title_english", Text),
    ("award", "Award", "t.award_category", Award),
    ("country", "Country", "t.country_of_origin", Text),
    ("language", "Language", "t.film_language", Text),
    ("reviews", "Reviews", "coalesce(s.reviews, 0)", Figure),
    ("median", "Median", "s.median", Hundredths),
    ("mean", "Mean", "s.mean", Hundredths),
    ("spread", "Spread", "s.spread", Hundredths),
    ("deviation", "Disagreement", "s.deviation", Hundredths),
    (DECISION, "Decision", "d.outcome", Shown::State(OUTCOMES)),
    ("answer", "Answer", "nullif(d.answer, '')", Shown::State(ANSWERS)),
    ("payment", "Payment", "t.payment", Text),
    (
        "conflicts",
        "Conflicts",
        "(SELECT count(*) FROM selection_conflicts c WHERE c.film_submission_id = t.id)",
        Figure,
    ),
];
const DECISION: &str = "decision";

/// SQL of the fields of [`Row`] that precede the columns.
const HEADING: [&str; 4] = [
    "t.reference",
    "coalesce(nullif(t.title_english, ''), nullif(t.title_original, ''), t.reference)",
    "t.director_name",
    "coalesce(d.released_at, '')",
];

/// SQL: the outcome of the decision about `t`, and its answer, "none" without one. Filters count rows without joins.
const OUTCOME: &str =
    "coalesce((SELECT o.outcome FROM selection_decisions o WHERE o.film_submission_id = t.id), 'none')";
const ANSWER: &str =
    "coalesce((SELECT nullif(o.answer, '') FROM selection_decisions o WHERE o.film_submission_id = t.id), 'none')";

/// The entries, with the results of a round.
#[derive(Default)]
pub(crate) struct EntryList {
    rounds: Vec<Round>,
    /// Id of the round whose results are shown; 0 without one.
    round: i64,
}

/// An entry in the list.
pub(crate) struct Row {
    id: i64,
    /// Reference, title, director, and when the decision was released.
    heading: [String; 4],
    /// The values of [`COLUMNS`].
    values: Vec<Datum>,
}

impl EntryList {
    /// The list for a request, which may name a round; its results are up to date.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub(crate) async fn of(request: &AdminRequest) -> Result<Self> {
        let mut connection = request.read().await?;
        let edition = collections::ChosenEdition::read(request, &mut connection, &request.scope()).await?;
        let rounds = Round::all(&mut connection, edition.id).await?;
        let named = rounds.iter().find(|round| round.id.to_string() == request.query.get("round"));
        let round = named.or_else(|| Round::present(&rounds, request.now())).map_or(0, |round| round.id);
        let is_outdated = round != 0 && are_results_outdated(&mut connection, round).await?;
        drop(connection);
        if is_outdated {
            let mut write = request.write_private().await?;
            compute_results(&mut write, round, 0).await?;
            write.commit().await?;
        }
        Ok(Self { rounds, round })
    }
}

/// Handles `GET` of the list.
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let list = EntryList::of(&request).await?;
    collections::show(request, &list).await
}

/// Handles `POST file`: the list as a table.
pub(crate) async fn download(request: AdminRequest) -> Result<Reply> {
    let list = EntryList::of(&request).await?;
    collections::download(request, &list).await
}

#[rocket::async_trait]
impl Collection for EntryList {
    type Row = Row;

    fn entity(&self) -> &'static Entity {
        &FILM_SUBMISSION
    }

    fn resource(&self) -> &'static Resource {
        &SELECTION
    }

    fn path(&self) -> String {
        HOME.to_owned()
    }

    fn columns(&self, _: Viewer<'_>) -> Vec<Column> {
        let column = |(key, label, sql, shown): &(&'static str, &'static str, &str, Shown)| {
            let order = match sql {
                sql if sql.starts_with("t.") => Order::by(format!("lower({sql})")).last_if(format!("{sql} = ''")),
                sql => Order::by(*sql).of_joined().last_if(format!("{sql} IS NULL")),
            };
            let column = Column::new(key, label, (*key != "conflicts").then_some(order));
            let column = column.usual(!["payment", "conflicts"].contains(key));
            if matches!(shown, Figure | Hundredths) { column.figures() } else { column }
        };
        COLUMNS.iter().map(column).collect()
    }

    fn default_order(&self) -> Order {
        Order::by("s.median").of_joined().last_if("s.median IS NULL").descending(true)
    }

    async fn select(&self, connection: &mut AnyConnection, scope: &Scope, edition: Option<i64>) -> Result<Select> {
        let joins = format!(
            " LEFT JOIN selection_results s ON s.film_submission_id = t.id AND s.round_id = {} \
             LEFT JOIN selection_decisions d ON d.film_submission_id = t.id",
            self.round
        );
        let columns = HEADING.into_iter().chain(COLUMNS.iter().map(|(.., sql, _)| *sql));
        let select = Select::new(FILM_SUBMISSION.table, columns).joined(&joins);
        let mut select = select.filter("t.is_quarantined", Test::Is, Datum::Integer(0));
        for status in ["apart", "erased"] {
            select = select.filter("t.status", Test::IsNot, Datum::Text(status.to_owned()));
        }
        if let Some(edition) = edition {
            select = select.filter("t.edition_id", Test::Is, Datum::Integer(edition));
        }
        if let Some(years) = scope.values(EDITIONS) {
            let editions = table::choices(connection, &EDITION, None).await?.into_iter();
            let open = editions.filter(|edition| years.contains(&edition.key));
            select = select.among("t.edition_id", open.map(|edition| Datum::Integer(edition.id)).collect());
        }
        if let Some(sections) = scope.values(SECTIONS) {
            select = select.among("t.award_category", sections.iter().cloned().map(Datum::Text).collect());
        }
        Ok(select)
    }

    fn searched(&self, _: Viewer<'_>, _: bool) -> Option<Searched> {
        Some(Searched {
            columns: vec!["t.search_text"],
            key_columns: vec!["t.search_keys"],
            keys: search_key::keys_of_searched,
            index: "film_submissions_searched",
        })
    }

    fn row(&self, _: Viewer<'_>, (id, values): SelectedRow) -> Row {
        let mut values = values.into_iter();
        let heading = HEADING.map(|_| match values.next() {
            Some(Datum::Text(text)) => text,
            _ => String::new(),
        });
        Row { id, heading, values: values.collect() }
    }

    async fn filters(
        &self,
        viewer: Viewer<'_>,
        connection: &mut AnyConnection,
        edition: Option<i64>,
    ) -> Result<Vec<Input>> {
        let choices = |states: &[State]| -> Vec<Choice> {
            states.iter().map(|state| Choice::new(state.key, state.label, "")).collect()
        };
        let rounds = self.rounds.iter().map(|round| Choice::new(round.id.to_string(), &round.name, ""));
        let awards = AWARDS.iter().map(|(key, name)| Choice::new(*key, *name, ""));
        let mut filters = vec![
            Input::choice("round", "Results of", rounds.collect()),
            Input::choice("award", "Award", awards.collect()),
        ];
        let all = self.select(connection, &self.scope(viewer), Some(edition.unwrap_or_default())).await?;
        for (key, label, column, _) in COLUMNS.iter().filter(|(key, ..)| ["country", "language"].contains(key)) {
            let values = all.counts(connection, column).await?.into_keys().filter(|value| !value.is_empty());
            let values = values.take(MAX_CHOICES).map(|value| Choice::new(value.clone(), value, ""));
            filters.push(Input::choice(*key, *label, values.collect()));
        }
        let mut decisions = choices(OUTCOMES);
        decisions.push(Choice::new(UNDECIDED, "Undecided", ""));
        filters.push(Input::choice(DECISION, "Decision", decisions));
        let mut answers = choices(ANSWERS);
        answers.push(Choice::new(UNANSWERED, "None yet", ""));
        filters.push(Input::choice("answer", "Answer", answers));
        Ok(filters)
    }

    fn filter(&self, _: Viewer<'_>, select: Select, name: &str, value: &str) -> Select {
        let column = match name {
            DECISION => OUTCOME,
            "answer" => ANSWER,
            _ => match COLUMNS.iter().find(|(key, ..)| *key == name) {
                Some((.., sql, _)) => sql,
                // The round is chosen when the list is made.
                None => return select,
            },
        };
        select.filter(column, Test::Is, Datum::Text(value.to_owned()))
    }

    fn heading(&self, _: Viewer<'_>, row: &Row) -> Heading {
        let [reference, title, director, _] = row.heading.clone();
        let href = format!("{HOME}/{}", row.id);
        Heading { id: row.id, reference, title, beside: collections::shortened(&director), picture: None, href }
    }

    fn has_neighbours(&self) -> bool {
        true
    }

    fn cell(&self, _: Viewer<'_>, row: &Row, key: &str) -> Cell {
        let figure = |text: String| Cell { figure: true, ..Cell::text(text) };
        let found = row.values.iter().zip(COLUMNS).find(|(_, (known, ..))| *known == key);
        match found.map(|(value, (.., shown))| (value, shown)) {
            Some((Datum::Text(award), Award)) => Cell::text(award_name(award)),
            Some((Datum::Text(state), Shown::State(states))) => {
                let is_prepared = key == DECISION && row.heading[3].is_empty();
                let text = label_of(states, state) + if is_prepared { ", not released" } else { "" };
                Cell { is_badge: true, tone: tone_of(states, state), ..Cell::text(text) }
            }
            Some((Datum::Text(text), _)) => Cell::text(collections::shortened(text)),
            Some((Datum::Integer(number), Hundredths)) => figure(score::text(Some(*number))),
            Some((Datum::Integer(number), _)) => figure(number.to_string()),
            Some((_, shown)) => Cell { figure: matches!(shown, Hundredths), ..Cell::default() },
            None => Cell::default(),
        }
    }

    fn distinction(&self, _: Viewer<'_>, row: &Row) -> String {
        row.heading[0].clone()
    }

    fn complete(&self, request: &AdminRequest, _: &str, page: Page) -> Page {
        let button = |path: &str, label: &str| json!({ "href": path, "label": label, "is_main": false });
        let choice = |key: &str, label: &str| json!({ "key": key, "label": label });
        let mut choices: Vec<Value> = OUTCOMES.iter().map(|state| choice(state.key, state.label)).collect();
        choices.push(choice(UNDECIDED, "Undecided"));
        let file = request.address(&format!("{HOME}/file"), &[("page", "")]);
        let whole = [button("/admin/selection-progress", "Progress"), button("/admin/selection-release", "Release")];
        let buttons = if request.may(&WHOLE_SELECTION, Action::View) { &whole[..] } else { &[] };
        page.with("buttons", buttons)
            .with("actions", [
                json!({ "label": "Prepare the decision", "choices": choices }),
                json!({ "label": "At once", "choices": [choice(MOVE_UP, "Move up from the waiting list …")] }),
            ])
            .with("links", [json!({ "href": request.address("/admin/selection-book", &[("page", "")]), "label": "Jury book, to print" })])
            .with("file", request.may(&SELECTION, Action::Export).then_some(file))
    }

    fn exported(&self, _: Viewer<'_>, _: Format) -> Vec<export::Column> {
        let first = [("reference", "Reference"), ("title", "Title"), ("director", "Director")];
        let others = COLUMNS.iter().skip(1).map(|(key, label, ..)| (*key, *label));
        first.into_iter().chain(others).map(|(name, title)| export::Column::new(name, title)).collect()
    }

    async fn write(
        &self,
        viewer: Viewer<'_>,
        snapshot: &mut AnyConnection,
        (select, order): (&Select, &Order),
        _: Format,
        table: &mut TableWriter<File>,
    ) -> Result<u64> {
        let mut count = 0;
        loop {
            let rows = self.read(viewer, snapshot, (select, order), (count, BATCH), None).await?;
            for row in &rows {
                let others =
                    row.values.iter().zip(COLUMNS).skip(1).map(|(value, (key, .., shown))| match (value, shown) {
                        (Datum::Integer(number), Figure) => export::Cell::Number(*number),
                        _ => export::Cell::text(self.cell(viewer, row, key).text),
                    });
                table.row(&row.heading[..3].iter().map(export::Cell::text).chain(others).collect::<Vec<_>>())?;
            }
            deadline::progress();
            count += rows.len() as i64;
            if (rows.len() as i64) < BATCH {
                return Ok(count.unsigned_abs());
            }
        }
    }
}
