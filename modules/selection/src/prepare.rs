//! Decisions about several entries at once, which were chosen in the list.

use std::collections::BTreeMap;

use festival_core::admin::audit::Entry;
use festival_core::admin::collections::{self, RowAction, Versions, label_of};
use festival_core::admin::{AdminRequest, Input, Page, Reply};
use festival_core::db::{Datum, Select, Write, timestamp_text, update_rows};
use festival_core::edition;
use festival_core::settings::Settings;
use festival_core::{Error, Result};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::chair_entry::{CONFIRM_BY, parse_day};
use crate::decision::{self, MOVE_UP, OUTCOMES, Preparation, UNDECIDED};
use crate::letters::{Letters, decided};
use crate::list::{EntryList, HOME, Row};
use crate::outline::FILM_SUBMISSION;
use crate::release;

/// Handles the form of the list.
pub(crate) async fn submit(request: AdminRequest) -> Result<Reply> {
    let outcome = request.form.get("action").to_owned();
    if ![UNDECIDED, MOVE_UP].contains(&&*outcome) && !OUTCOMES.iter().any(|state| state.key == outcome) {
        return Err(Error::BadRequest("Choose an action.".into()));
    }
    let settings = request.site.in_force().await?;
    let list = EntryList::of(&request).await?;
    collections::submit(&request, &list, &Prepare { request: &request, settings: &settings, outcome }).await
}

/// Prepares decisions.
struct Prepare<'r> {
    request: &'r AdminRequest,
    settings: &'r Settings,
    /// Key of the outcome, [`UNDECIDED`] or [`MOVE_UP`].
    outcome: String,
}

impl Prepare<'_> {
    /// "Selected", "Undecided".
    fn label(&self) -> String {
        match &*self.outcome {
            UNDECIDED => "Undecided".to_owned(),
            MOVE_UP => "Selected".to_owned(),
            key => label_of(OUTCOMES, key),
        }
    }
}

#[rocket::async_trait]
impl RowAction<EntryList> for Prepare<'_> {
    async fn versions(&self, connection: &mut AnyConnection, ids: &[i64]) -> Result<Versions> {
        let mut versions: Versions = ids.iter().map(|id| (*id, String::new())).collect();
        let (first, last) = (ids.first().copied().unwrap_or_default(), ids.last().copied().unwrap_or_default());
        let rows = sqlx::query_as(
            "SELECT film_submission_id, outcome || prepared_at || coalesce(released_at, '') FROM selection_decisions \
             WHERE film_submission_id >= $1 AND film_submission_id <= $2",
        );
        let rows: Vec<(i64, String)> = rows.bind(first).bind(last).fetch_all(connection).await?;
        versions.extend(rows.into_iter().filter(|(film, _)| ids.binary_search(film).is_ok()));
        Ok(versions)
    }

    async fn lock(&self, write: &mut Write, ids: &[i64]) -> Result<()> {
        let now = Datum::Text(timestamp_text(self.request.now()));
        update_rows(write, FILM_SUBMISSION.table, &[("updated_at", now)], ids).await
    }

    fn check(&self) -> Result<()> {
        parse_day(self.request).map(|_| ()).map_err(|error| Error::Invalid(vec![error]))
    }

    async fn confirmation(&self, _: &mut AnyConnection, _: &Select, rows: &[Row], count: usize) -> Result<Page> {
        let noun = if count == 1 { "entry" } else { "entries" };
        let mut inputs = vec![Input::hidden("action", &self.outcome)];
        if ["selected", MOVE_UP].contains(&&*self.outcome) {
            inputs.push(Input::of(&CONFIRM_BY, self.request.form.get(CONFIRM_BY.name)));
        }
        let (title, message, button) = match &*self.outcome {
            MOVE_UP => (
                format!("Move {count} {noun} up from the waiting list?"),
                "Those that are on the released waiting list are selected at once, and their letters go out.",
                "Move up and send the letters",
            ),
            _ => (
                format!("Prepare “{}” for {count} {noun}?", self.label()),
                "Nobody outside the selection sees it, and nobody is written to, until you release it. Released decisions \
                 stay as they are.",
                "Prepare the decisions",
            ),
        };
        Ok(Reply::page("selected", title)
            .inputs(inputs)
            .lists_people(FILM_SUBMISSION.table, rows.len(), json!({ "action": self.outcome, "selected": count }))
            .with("counts", Vec::<Value>::new())
            .with("preview", Value::Null)
            .with("may_preview", false)
            .with("message", message)
            .with("button", button)
            .with("danger", false))
    }

    async fn apply(&self, mut write: Write, _: &Select, versions: &Versions) -> Result<Reply> {
        let (request, now) = (self.request, self.request.now());
        let confirm_by = parse_day(request).ok().flatten();
        let by = &request.account()?.name;
        let preparation = Preparation { outcome: &self.outcome, message: None, confirm_by, by };
        let mut changed = BTreeMap::new();
        for id in versions.keys() {
            if decision::prepare(&mut write, *id, &preparation, now).await? {
                let entry = Entry::new("prepare decision", FILM_SUBMISSION.table).id(*id);
                changed.insert(*id, entry.after(json!({ "outcome": self.outcome })));
            }
        }
        if self.outcome == MOVE_UP {
            let edition = edition::current(&mut write).await?;
            let mut prepared = decided(&mut write, edition.id, 0).await?;
            prepared.retain(|decision| changed.contains_key(&decision.id));
            let letters = Letters { site: &request.site, settings: self.settings, edition: &edition };
            release::store(&mut write, request, letters, &prepared).await?;
        }
        let count = changed.len();
        request.audit_rows(&mut write, &changed.into_values().collect::<Vec<_>>()).await?;
        write.commit().await?;
        let noun = if count == 1 { "entry" } else { "entries" };
        let left = match versions.len() - count {
            0 => String::new(),
            left => format!(" {left} stayed as they were."),
        };
        let back = Reply::redirect(request.address(HOME, &[]));
        Ok(back.done(format!("{count} {noun}: {}.{left}", self.label().to_lowercase())).into())
    }
}
