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

use crate::decision::{ANSWERS, OUTCOMES};
use crate::outline::{AWARDS, FILM_SUBMISSION, award_name};
use crate::role::SELECTION;
use crate::round::{Round, are_results_outdated, compute_results};
use crate::score;

pub(crate) const HOME: &str = "/admin/selection";

/// Key of the limit of accounts to sections, which the module of the forms registers.
const SECTIONS: &str = "section";
/// Rows that an export reads at a time.
const BATCH: i64 = 1_000;
/// Longest list of countries or languages to filter by.
const MAX_CHOICES: i64 = 300;

/// The columns that are read, in the order of [`Row`].
const COLUMNS: &[&str] = &[
    "t.reference",
    "t.title_english",
    "t.title_original",
    "t.director_name",
    "t.award_category",
    "t.country_of_origin",
    "t.film_language",
    "t.payment",
    "s.reviews",
    "s.median",
    "s.mean",
    "s.spread",
    "s.deviation",
    "d.outcome",
    "d.released_at",
    "d.answer",
    "(SELECT count(*) FROM selection_conflicts c WHERE c.film_submission_id = t.id)",
];

/// SQL: the outcome of the decision about `t`, "none" without one.
const OUTCOME: &str =
    "coalesce((SELECT o.outcome FROM selection_decisions o WHERE o.film_submission_id = t.id), 'none')";
/// SQL: the answer to the decision about `t`.
const ANSWER: &str = "coalesce((SELECT o.answer FROM selection_decisions o WHERE o.film_submission_id = t.id), '')";

/// The entries, with the results of a round.
pub(crate) struct EntryList {
    pub(crate) rounds: Vec<Round>,
    /// Id of the round whose results are shown; 0 without one.
    pub(crate) round: i64,
}

/// An entry in the list.
pub(crate) struct Row {
    pub(crate) id: i64,
    values: Vec<Datum>,
}

impl Row {
    fn text(&self, column: &str) -> &str {
        match self.value(column) {
            Some(Datum::Text(text)) => text,
            _ => "",
        }
    }

    fn number(&self, column: &str) -> Option<i64> {
        match self.value(column) {
            Some(Datum::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    fn value(&self, column: &str) -> Option<&Datum> {
        self.values.get(COLUMNS.iter().position(|known| known.split('.').next_back() == Some(column))?)
    }

    fn conflicts(&self) -> i64 {
        match self.values.last() {
            Some(Datum::Integer(count)) => *count,
            _ => 0,
        }
    }

    fn title(&self) -> &str {
        let titles = ["title_english", "title_original", "reference"].map(|column| self.text(column));
        titles.into_iter().find(|title| !title.is_empty()).unwrap_or_default()
    }

    /// "Selected, not released", "Waiting list", "".
    fn decision(&self) -> String {
        let outcome = self.text("outcome");
        match outcome {
            "" => String::new(),
            _ if self.text("released_at").is_empty() => format!("{}, not released", label_of(OUTCOMES, outcome)),
            _ => label_of(OUTCOMES, outcome),
        }
    }
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
        let text = |column: &str| Some(Order::by(format!("lower(t.{column})")).last_if(format!("t.{column} = ''")));
        let result =
            |column: &str| Some(Order::by(format!("s.{column}")).of_joined().last_if(format!("s.{column} IS NULL")));
        let column = |key, label, order| Column::new(key, label, order).usual(true);
        vec![
            column("title_english", "Entry", text("title_english")),
            column("award", "Award", Some(Order::by("t.award_category"))),
            column("country", "Country", text("country_of_origin")),
            column("language", "Language", text("film_language")),
            column("reviews", "Reviews", result("reviews")).figures(),
            column("median", "Median", result("median")).figures(),
            column("mean", "Mean", result("mean")).figures(),
            column("spread", "Spread", result("spread")).figures(),
            column("deviation", "Disagreement", result("deviation")).figures(),
            column("decision", "Decision", Some(Order::by("d.outcome").of_joined().last_if("d.outcome IS NULL"))),
            column("answer", "Answer", Some(Order::by("d.answer").of_joined().last_if("coalesce(d.answer, '') = ''"))),
            Column::new("payment", "Payment", Some(Order::by("t.payment"))),
            Column::new("conflicts", "Conflicts", None).figures(),
        ]
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
        let select = Select::new(FILM_SUBMISSION.table, COLUMNS.iter().copied()).joined(&joins);
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
        Row { id, values }
    }

    async fn filters(&self, _: Viewer<'_>, connection: &mut AnyConnection, edition: Option<i64>) -> Result<Vec<Input>> {
        let choices = |states: &[State]| -> Vec<Choice> {
            states.iter().map(|state| Choice::new(state.key, state.label, "")).collect()
        };
        let rounds = self.rounds.iter().map(|round| Choice::new(round.id.to_string(), &round.name, ""));
        let awards = AWARDS.iter().map(|(key, name)| Choice::new(*key, *name, ""));
        let mut filters = vec![
            Input::choice("round", "Results of", rounds.collect()),
            Input::choice("award", "Award", awards.collect()),
        ];
        for (name, label, sql) in [
            (
                "country",
                "Country",
                "SELECT DISTINCT country_of_origin FROM film_submissions WHERE edition_id = $1 AND is_quarantined = 0 \
                 AND country_of_origin <> '' ORDER BY country_of_origin LIMIT $2",
            ),
            (
                "language",
                "Language",
                "SELECT DISTINCT film_language FROM film_submissions WHERE edition_id = $1 AND is_quarantined = 0 \
                 AND film_language <> '' ORDER BY film_language LIMIT $2",
            ),
        ] {
            let values: Vec<String> = sqlx::query_scalar(sql)
                .bind(edition.unwrap_or_default())
                .bind(MAX_CHOICES)
                .fetch_all(&mut *connection)
                .await?;
            let values = values.into_iter().map(|value| Choice::new(value.clone(), value, ""));
            filters.push(Input::choice(name, label, values.collect()));
        }
        let mut decisions = choices(OUTCOMES);
        decisions.push(Choice::new("none", "Undecided", ""));
        filters.push(Input::choice("decision", "Decision", decisions));
        filters.push(Input::choice("answer", "Answer", choices(ANSWERS)));
        Ok(filters)
    }

    fn filter(&self, select: Select, name: &str, value: &str) -> Select {
        let column = match name {
            "award" => "t.award_category",
            "country" => "t.country_of_origin",
            "language" => "t.film_language",
            "decision" => OUTCOME,
            "answer" => ANSWER,
            // The round is chosen when the list is made.
            _ => return select,
        };
        select.filter(column, Test::Is, Datum::Text(value.to_owned()))
    }

    fn heading(&self, _: Viewer<'_>, row: &Row) -> Heading {
        Heading {
            id: row.id,
            reference: row.text("reference").to_owned(),
            title: row.title().to_owned(),
            beside: collections::shortened(row.text("director_name")),
            picture: None,
            href: format!("{HOME}/{}", row.id),
        }
    }

    fn has_neighbours(&self) -> bool {
        true
    }

    fn cell(&self, _: Viewer<'_>, row: &Row, key: &str) -> Cell {
        let figure = |text: String| Cell { figure: true, ..Cell::text(text) };
        match key {
            "award" => Cell::text(award_name(row.text("award_category"))),
            "country" => Cell::text(collections::shortened(row.text("country_of_origin"))),
            "language" => Cell::text(collections::shortened(row.text("film_language"))),
            "reviews" => figure(row.number("reviews").unwrap_or_default().to_string()),
            "conflicts" => figure(row.conflicts().to_string()),
            "decision" => {
                let tone = tone_of(OUTCOMES, row.text("outcome"));
                Cell { is_badge: !row.decision().is_empty(), tone, ..Cell::text(row.decision()) }
            }
            "answer" if row.text("answer").is_empty() => Cell::default(),
            "answer" => Cell {
                is_badge: true,
                tone: tone_of(ANSWERS, row.text("answer")),
                ..Cell::text(label_of(ANSWERS, row.text("answer")))
            },
            "payment" => Cell::text(row.text("payment")),
            _ => figure(score::text(row.number(key))),
        }
    }

    fn distinction(&self, _: Viewer<'_>, row: &Row) -> String {
        row.text("reference").to_owned()
    }

    fn complete(&self, request: &AdminRequest, _: &str, page: Page) -> Page {
        let button = |path: &str, label: &str| json!({ "href": path, "label": label, "is_main": false });
        let choice = |key: &str, label: &str| json!({ "key": key, "label": label });
        let mut choices: Vec<Value> = OUTCOMES.iter().map(|state| choice(state.key, state.label)).collect();
        choices.push(choice("none", "Undecided"));
        let file = request.address(&format!("{HOME}/file"), &[("page", "")]);
        page.with("buttons", [button("/admin/selection-progress", "Progress"), button("/admin/selection-release", "Release")])
            .with("actions", [
                json!({ "label": "Prepare the decision", "choices": choices }),
                json!({ "label": "At once", "choices": [choice("move-up", "Move up from the waiting list …")] }),
            ])
            .with("links", [json!({ "href": request.address("/admin/selection-book", &[("page", "")]), "label": "Jury book, to print" })])
            .with("file", request.may(&SELECTION, Action::Export).then_some(file))
    }

    fn exported(&self, viewer: Viewer<'_>, _: Format) -> Vec<export::Column> {
        let others =
            self.columns(viewer).into_iter().skip(1).map(|column| export::Column::new(column.key, column.label));
        let first = [("reference", "Reference"), ("title", "Title"), ("director", "Director")];
        first.map(|(name, title)| export::Column::new(name, title)).into_iter().chain(others).collect()
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
                let first = [row.text("reference"), row.title(), row.text("director_name")].map(export::Cell::text);
                let columns = self.columns(viewer).into_iter().skip(1);
                let others = columns.map(|column| match column.key {
                    "reviews" => row.number("reviews").into(),
                    "conflicts" => export::Cell::Number(row.conflicts()),
                    key => export::Cell::text(self.cell(viewer, row, key).text),
                });
                table.row(&first.into_iter().chain(others).collect::<Vec<_>>())?;
            }
            deadline::progress();
            count += rows.len() as i64;
            if (rows.len() as i64) < BATCH {
                return Ok(count.unsigned_abs());
            }
        }
    }
}
