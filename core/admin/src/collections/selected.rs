//! Actions on rows that were chosen in a list: those that were ticked, or all of its filter. A confirmation first shows
//! which ones are affected, and nothing is done if they have changed in between.

use std::collections::BTreeMap;

use serde_json::json;
use sqlx::AnyConnection;

use super::list::linked;
use super::{Collection, ListQuery};
use crate::back_office::AdminRequest;
use crate::serving::frame::capitalized;
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use crate::serving::request::nothing_here;
use festival_base::db::{Order, Select, Write};
use festival_base::error::{Error, Result};
use festival_records::editing;

/// Maximum number of rows that are ticked one by one.
const MAX_TICKED: usize = 200;
/// Maximum number of rows of a filter that the confirmation names.
const MAX_NAMED: i64 = 20;
/// Maximum number of rows of a filter.
const MAX_ROWS: usize = 100_000;
/// Why nothing is done if ticked rows have changed.
const ROWS_CHANGED: &str = "Somebody else changed some of these in the meantime. Nothing was done. Check the marked rows, \
                            and confirm again if you still want to continue.";
/// Why nothing is done if the rows of a filter have changed.
const FILTER_CHANGED: &str = "Somebody else changed some of these in the meantime: the results of this filter have \
                              changed. Nothing was done. Look at them again, and confirm if you still want to continue.";

/// The rows of an action in ascending order of their ids, each with its version.
pub type Versions = BTreeMap<i64, String>;

/// The rows that were chosen in a list.
enum Chosen {
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
    fn read(request: &AdminRequest) -> Result<Self> {
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

    /// Selects the rows, and their order.
    async fn select(
        &self,
        request: &AdminRequest,
        connection: &mut AnyConnection,
        collection: &impl Collection,
    ) -> Result<(Select, Order)> {
        let Self::Ticked(ids) = self else {
            let query = ListQuery::read(request, connection, collection).await?;
            return Ok((query.select, query.order));
        };
        let scope = collection.scope(request.viewer()?);
        let select = collection.select(connection, &scope, None).await?;
        Ok((select.narrowed(|all| all.among_ids("t.id", ids)), collection.default_order()))
    }

    /// The ids of the rows, in ascending order.
    async fn ids(
        &self,
        connection: &mut AnyConnection,
        collection: &impl Collection,
        select: &Select,
    ) -> Result<Vec<i64>> {
        let ids = select.ids(connection).await?;
        if ids.len() > MAX_ROWS {
            let message = format!("These are {} rows, {MAX_ROWS} at most. Narrow the filter.", ids.len());
            return Err(Error::BadRequest(message));
        }
        match self {
            // Whether a row exists that the account may not see, it must not learn.
            Self::Ticked(ticked) if ticked.len() != ids.len() && collection.resource().is_personal() => {
                Err(nothing_here())
            }
            _ => Ok(ids),
        }
    }

    /// Maximum number of rows that the confirmation names.
    fn max_named(&self) -> i64 {
        if matches!(self, Self::Filter) { MAX_NAMED } else { MAX_TICKED as i64 }
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

/// An action on chosen rows of a list, with its inputs.
#[rocket::async_trait]
pub trait RowAction<C: Collection>: Sync {
    /// Reads the versions of the rows with these ids.
    async fn versions(&self, connection: &mut AnyConnection, ids: &[i64]) -> Result<Versions>;

    /// Locks the rows with these ids.
    async fn lock(&self, write: &mut Write, ids: &[i64]) -> Result<()>;

    /// Checks the inputs of the confirmation.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// The confirmation for `count` rows, the first of which are `rows`. The engine adds their names and its inputs.
    async fn confirmation(
        &self,
        connection: &mut AnyConnection,
        select: &Select,
        rows: &[C::Row],
        count: usize,
    ) -> Result<Page>;

    /// Applies the action to the rows, which are locked, and commits.
    async fn apply(&self, write: Write, select: &Select, versions: &Versions) -> Result<Reply>;
}

/// Handles the form of a list: asks for confirmation, then applies the action to all chosen rows or to none.
///
/// # Errors
/// Those of the action, and [`Error::NotFound`] if the account may not see a ticked row of people.
pub async fn submit<C: Collection>(
    request: &AdminRequest,
    collection: &C,
    action: &impl RowAction<C>,
) -> Result<Reply> {
    let chosen = Chosen::read(request)?;
    if matches!(&chosen, Chosen::Ticked(ids) if ids.is_empty()) {
        let problem = format!("Select at least one {}.", collection.entity().singular);
        return Ok(Reply::redirect(request.address(&collection.path(), &[])).problem(problem).into());
    }
    let is_confirmed = request.form.get("sure") == "yes";
    if !is_confirmed || request.form.get("then") == "preview" {
        return Ok(confirmation(request, collection, &chosen, action).await?.into());
    }
    if let Err(error) = action.check() {
        return Ok(confirmation(request, collection, &chosen, action).await?.refused(error)?.into());
    }
    let mut write = match collection.resource().is_personal() {
        // Visitors see none of it.
        true => request.write_private().await?,
        false => request.write().await?,
    };
    let (select, _) = chosen.select(request, &mut write, collection).await?;
    let ids = chosen.ids(&mut write, collection, &select).await?;
    action.lock(&mut write, &ids).await?;
    let ids = chosen.ids(&mut write, collection, &select).await?;
    let versions = action.versions(&mut write, &ids).await?;
    if chosen.are_unchanged(request, &versions) {
        return action.apply(write, &select, &versions).await;
    }
    drop(write);
    let message = if matches!(chosen, Chosen::Filter) { FILTER_CHANGED } else { ROWS_CHANGED };
    let page = confirmation(request, collection, &chosen, action).await?;
    Ok(page.refused(Error::Conflict(message.into()))?.into())
}

/// Returns the confirmation page; marks ticked rows that changed since an earlier such page.
async fn confirmation<C: Collection>(
    request: &AdminRequest,
    collection: &C,
    chosen: &Chosen,
    action: &impl RowAction<C>,
) -> Result<Page> {
    let (mut connection, viewer) = (request.read().await?, request.viewer()?);
    let (select, order) = chosen.select(request, &mut connection, collection).await?;
    let ids = chosen.ids(&mut connection, collection, &select).await?;
    let versions = action.versions(&mut connection, &ids).await?;
    let first = (0, chosen.max_named());
    let rows = collection.read(viewer, &mut connection, (&select, &order), first, None).await?;
    let page = action.confirmation(&mut connection, &select, &rows, ids.len()).await?;
    let may_mark = matches!(chosen, Chosen::Ticked(_)) && request.form.get("sure") == "yes";
    let is_changed = |id: i64| may_mark && versions.get(&id).is_none_or(|version| seen_version(request, id) != version);
    let named = rows.iter().map(|row| {
        let heading = linked(request, collection, row, viewer);
        json!({ "changed": is_changed(heading.id), "heading": heading })
    });
    let list = request.address(&collection.path(), &[]);
    Ok(page
        .crumb(capitalized(collection.entity().plural), &list)
        .inputs(chosen.inputs(&versions))
        .with("rows", named.collect::<Vec<_>>())
        .with("more", versions.len().saturating_sub(rows.len()))
        .with("action", request.address(&format!("{}/selected", collection.path()), &[]))
        .with("back", list))
}

/// Returns the version of a row that the confirmation page showed.
fn seen_version(request: &AdminRequest, id: i64) -> &str {
    request.form.get(&version_name(id))
}

fn version_name(id: i64) -> String {
    format!("version-{id}")
}
