//! Publishing, hiding and deleting rows that were chosen in a list.

use serde_json::Value;
use sqlx::AnyConnection;

use super::bulk_action::{BulkAction, rejected};
use super::list::RecordList;
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::collections::{self, Collection as _, RowAction, Versions};
use crate::identity::role::{Action, CONTENT};
use crate::serving::frame::capitalized;
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use festival_base::db::{Select, Write};
use festival_base::error::{Error, Result};
use festival_records::editing;
use festival_records::entity::{Entity, ListedRow};

/// Maximum number of rows that are deleted at once: for each, everything that may refer to it is searched.
const MAX_DELETED: usize = 2_000;

pub(super) async fn submit(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(action) = BulkAction::from_key(request.form.get("action")) else {
        return Err(Error::BadRequest("Choose an action.".into()));
    };
    if action == BulkAction::Delete && !request.may(&CONTENT, Action::Delete) {
        return Err(Error::Closed("Your role may not delete. Ask an owner.".into()));
    }
    let list = RecordList { entity };
    collections::submit(&request, &list, &RecordAction { request: &request, list: &list, action }).await
}

/// An action on chosen rows of an entity.
struct RecordAction<'r> {
    request: &'r AdminRequest,
    list: &'r RecordList,
    action: BulkAction,
}

#[rocket::async_trait]
impl RowAction<RecordList> for RecordAction<'_> {
    async fn versions(&self, connection: &mut AnyConnection, ids: &[i64]) -> Result<Versions> {
        if ids.len() > MAX_DELETED && self.action == BulkAction::Delete {
            let message = format!("Delete at most {MAX_DELETED} rows at once. Narrow the filter.");
            return Err(Error::BadRequest(message));
        }
        editing::versions(connection, self.list.entity, ids).await
    }

    async fn lock(&self, write: &mut Write, _ids: &[i64]) -> Result<()> {
        editing::lock_rows(&self.request.site.records, write, self.list.entity).await
    }

    async fn confirmation(&self, _: &mut AnyConnection, _: &Select, _: &[ListedRow], count: usize) -> Result<Page> {
        let action = self.action;
        Ok(Reply::page("selected", action.question(count, self.list.entity))
            .inputs([Input::hidden("action", action.key())])
            .with("counts", Vec::<Value>::new())
            .with("preview", Value::Null)
            .with("may_preview", false)
            .with("message", action.consequence())
            .with("button", capitalized(action.key()))
            .with("danger", action == BulkAction::Delete))
    }

    async fn apply(&self, mut write: Write, _: &Select, versions: &Versions) -> Result<Reply> {
        let (request, entity) = (self.request, self.list.entity);
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
        let back = request.address(&self.list.path(), &[]);
        Ok(self.action.redirect(back, ids.len(), entity))
    }
}
