//! Actions on rows that were chosen in a list: those that were ticked, or all of its filter. A confirmation first shows
//! which ones are affected, and nothing is done if they have changed in between.

use std::collections::BTreeMap;

use serde_json::json;
use sqlx::AnyConnection;

use super::back_office::AdminRequest;
use super::input::Input;
use super::reply::{Page, Reply};
use festival_base::db::Write;
use festival_base::error::{Error, Result};
use festival_records::editing;
use festival_records::entity::Entity;

/// Maximum number of rows that are ticked one by one.
const MAX_TICKED: usize = 200;
/// Maximum number of rows of a filter that the confirmation names.
const MAX_NAMED: usize = 20;
/// Why nothing is done if ticked rows have changed.
const ROWS_CHANGED: &str = "Somebody else changed some of these in the meantime. Nothing was done. Check the marked rows, \
                            and confirm again if you still want to continue.";
/// Why nothing is done if the rows of a filter have changed.
const FILTER_CHANGED: &str = "Somebody else changed some of these in the meantime: the results of this filter have \
                              changed. Nothing was done. Look at them again, and confirm if you still want to continue.";

/// The rows of an action in ascending order of their ids, each with its version.
pub type Versions = BTreeMap<i64, String>;

/// The rows that were chosen in a list.
pub enum Chosen {
    /// Those with these ids, in ascending order.
    Ticked(Vec<i64>),
    /// All of the list's filter.
    Filter,
}

impl Chosen {
    /// Reads the form of a list or of a confirmation.
    ///
    /// # Errors
    /// [`Error::BadRequest`] for more ticked rows than a list shows.
    pub fn read(request: &AdminRequest) -> Result<Self> {
        if request.form.get("all") == "yes" {
            return Ok(Self::Filter);
        }
        let mut ids: Vec<i64> = request.form.all("row").filter_map(|id| id.parse().ok()).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() > MAX_TICKED {
            let message = format!("Select at most {MAX_TICKED} rows one by one, or all of the filter.");
            return Err(Error::BadRequest(message));
        }
        Ok(Self::Ticked(ids))
    }

    /// Maximum number of rows that the confirmation names.
    fn max_named(&self) -> usize {
        if matches!(self, Self::Filter) { MAX_NAMED } else { MAX_TICKED }
    }

    /// Whether the rows are those that the confirmation showed, as far as they still exist.
    fn are_unchanged(&self, request: &AdminRequest, versions: &Versions) -> bool {
        match self {
            Self::Filter => request.form.get("set") == editing::fingerprint(versions),
            Self::Ticked(_) => versions.iter().all(|(id, version)| seen_version(request, *id) == version),
        }
    }

    /// The hidden inputs of the confirmation, which name the rows and their versions.
    fn inputs(&self, versions: &Versions) -> Vec<Input> {
        let mut inputs = vec![Input::hidden("sure", "yes")];
        match self {
            Self::Filter => {
                inputs.extend([Input::hidden("all", "yes"), Input::hidden("set", editing::fingerprint(versions))]);
            }
            Self::Ticked(_) => inputs.extend(versions.iter().flat_map(|(id, version)| {
                [Input::hidden("row", id.to_string()), Input::hidden(version_name(*id), version)]
            })),
        }
        inputs
    }
}

/// A row that a confirmation names.
pub struct NamedRow {
    /// Row id.
    pub id: i64,
    /// Its title.
    pub title: String,
    /// The address of its page.
    pub href: String,
}

/// An action on chosen rows, with its inputs.
#[rocket::async_trait]
pub trait RowAction: Sync {
    /// The list in which the rows were chosen, and its address.
    fn list(&self) -> (&'static Entity, String);

    /// Reads the versions of the chosen rows that exist.
    async fn versions(&self, connection: &mut AnyConnection) -> Result<Versions>;

    /// Locks the chosen rows in a new transaction, and reads their versions.
    async fn lock(&self) -> Result<(Write, Versions)>;

    /// Checks the inputs of the confirmation.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// The confirmation, and the first of its rows, at most `limit`. The engine adds these and its inputs.
    async fn confirmation(
        &self,
        connection: &mut AnyConnection,
        versions: &Versions,
        limit: usize,
    ) -> Result<(Page, Vec<NamedRow>)>;

    /// Applies the action to the rows, which are locked, and commits.
    async fn apply(&self, write: Write, versions: &Versions) -> Result<Reply>;
}

/// Handles the form of a list: asks for confirmation, then applies the action to all chosen rows or to none.
///
/// # Errors
/// Those of the action.
pub async fn submit(request: &AdminRequest, chosen: &Chosen, action: &impl RowAction) -> Result<Reply> {
    if matches!(chosen, Chosen::Ticked(ids) if ids.is_empty()) {
        let (entity, address) = action.list();
        return Ok(Reply::redirect(address).problem(format!("Select at least one {}.", entity.singular)).into());
    }
    let is_confirmed = request.form.get("sure") == "yes";
    if !is_confirmed || request.form.get("then") == "preview" {
        return Ok(confirmation(request, chosen, action).await?.into());
    }
    if let Err(error) = action.check() {
        return Ok(confirmation(request, chosen, action).await?.refused(error)?.into());
    }
    let (write, versions) = action.lock().await?;
    if chosen.are_unchanged(request, &versions) {
        return action.apply(write, &versions).await;
    }
    drop(write);
    let message = if matches!(chosen, Chosen::Filter) { FILTER_CHANGED } else { ROWS_CHANGED };
    Ok(confirmation(request, chosen, action).await?.refused(Error::Conflict(message.into()))?.into())
}

/// Returns the confirmation page; marks ticked rows that changed since an earlier such page.
async fn confirmation(request: &AdminRequest, chosen: &Chosen, action: &impl RowAction) -> Result<Page> {
    let mut connection = request.read().await?;
    let versions = action.versions(&mut connection).await?;
    let (page, named) = action.confirmation(&mut connection, &versions, chosen.max_named()).await?;
    let may_mark = matches!(chosen, Chosen::Ticked(_)) && request.form.get("sure") == "yes";
    let is_changed = |id: i64| may_mark && versions.get(&id).is_none_or(|version| seen_version(request, id) != version);
    let more = versions.len().saturating_sub(named.len());
    let row = |row: NamedRow| json!({ "changed": is_changed(row.id), "title": row.title, "href": row.href });
    Ok(page
        .inputs(chosen.inputs(&versions))
        .with("rows", named.into_iter().map(row).collect::<Vec<_>>())
        .with("more", more))
}

/// Returns the version of a row that the confirmation page showed.
fn seen_version(request: &AdminRequest, id: i64) -> &str {
    request.form.get(&version_name(id))
}

fn version_name(id: i64) -> String {
    format!("version-{id}")
}
