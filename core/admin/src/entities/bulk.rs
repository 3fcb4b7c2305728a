//! Publishing, hiding and deleting rows that were chosen in a list.

use sqlx::AnyConnection;

use super::bulk_action::{BulkAction, about, rejected};
use super::list::{self, list_query};
use super::paths::row_path;
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::role::{Action, CONTENT};
use crate::selected::{self, Chosen, NamedRow, RowAction, Versions};
use festival_base::db::Write;
use festival_base::error::{Error, Result};
use festival_records::editing;
use festival_records::entity::{Entity, Listing, table};

/// Maximum number of rows of a filter.
const MAX_ROWS: i64 = 100_000;
/// Maximum number of rows that are deleted at once: for each, everything that may refer to it is searched.
const MAX_DELETED: usize = 2_000;

pub(super) async fn submit(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(action) = BulkAction::from_key(request.form.get("action")) else {
        return Err(Error::BadRequest("Choose an action.".into()));
    };
    if action == BulkAction::Delete && !request.may(&CONTENT, Action::Delete) {
        return Err(Error::Closed("Your role may not delete. Ask an owner.".into()));
    }
    let chosen = Chosen::read(&request)?;
    selected::submit(&request, &chosen, &RecordAction { request: &request, entity, action, chosen: &chosen }).await
}

/// An action on chosen rows of an entity.
struct RecordAction<'r> {
    request: &'r AdminRequest,
    entity: &'static Entity,
    action: BulkAction,
    chosen: &'r Chosen,
}

impl RecordAction<'_> {
    /// The ids of the chosen rows, in the order of the list, at most `limit`.
    async fn ids(&self, connection: &mut AnyConnection, limit: i64) -> Result<Vec<i64>> {
        if let Chosen::Ticked(ids) = self.chosen {
            return Ok(ids.clone());
        }
        let query = list_query(self.request, connection, self.entity).await?;
        let listing = Listing { offset: 0, limit, ..query.listing };
        let page = table::list(connection, self.entity, &listing).await?;
        if page.total > MAX_ROWS {
            let message = format!("These are {} rows, {MAX_ROWS} at most. Narrow the filter.", page.total);
            return Err(Error::BadRequest(message));
        }
        Ok(page.rows.iter().map(|row| row.id).collect())
    }
}

#[rocket::async_trait]
impl RowAction for RecordAction<'_> {
    fn list(&self) -> (&'static Entity, String) {
        (self.entity, list::address(self.request, self.entity, &[]))
    }

    async fn versions(&self, connection: &mut AnyConnection) -> Result<Versions> {
        let ids = self.ids(connection, MAX_ROWS).await?;
        if ids.len() > MAX_DELETED && self.action == BulkAction::Delete {
            let message = format!("Delete at most {MAX_DELETED} rows at once. Narrow the filter.");
            return Err(Error::BadRequest(message));
        }
        editing::versions(connection, self.entity, &ids).await
    }

    async fn lock(&self) -> Result<(Write, Versions)> {
        let mut write = self.request.write().await?;
        editing::lock_rows(&self.request.site.records, &mut write, self.entity).await?;
        let versions = self.versions(&mut write).await?;
        Ok((write, versions))
    }

    async fn confirmation(
        &self,
        connection: &mut AnyConnection,
        versions: &Versions,
        limit: usize,
    ) -> Result<(Page, Vec<NamedRow>)> {
        let (request, entity, action) = (self.request, self.entity, self.action);
        let mut named = Vec::new();
        for id in self.ids(connection, limit as i64).await? {
            if let Some(current) = editing::find(connection, entity, id).await? {
                let title = editing::title_of(entity, &current.record);
                named.push(NamedRow { id, title, href: row_path(entity, id) });
            }
        }
        let page = Reply::page("selected", action.question(versions.len(), entity));
        let page = page.inputs([Input::hidden("action", action.key())]);
        Ok((about(request, page, action, entity), named))
    }

    async fn apply(&self, mut write: Write, versions: &Versions) -> Result<Reply> {
        let (request, entity) = (self.request, self.entity);
        let (records, editor) = (&request.site.records, request.editor()?);
        let mut ids: Vec<i64> = versions.keys().copied().collect();
        if self.action == BulkAction::Delete {
            for id in &ids {
                match editing::delete(records, &mut write, entity, *id, &editor).await {
                    Ok(_) => {}
                    Err(Error::Conflict(message)) => {
                        let current = editing::get(&mut write, entity, *id).await?;
                        return Ok(rejected(entity, &current, &message));
                    }
                    Err(error) => return Err(error),
                }
            }
        } else {
            let is_published = self.action == BulkAction::Publish;
            ids = editing::publish_many(records, &mut write, entity, &ids, is_published, &editor).await?;
        }
        let entry = |id: &i64| Entry::new(self.action.key(), entity.table).id(*id);
        request.audit_rows(&mut write, &ids.iter().map(entry).collect::<Vec<_>>()).await?;
        write.commit().await?;
        Ok(self.action.redirect(request, ids.len(), entity))
    }
}
