//! Publishing, hiding and deleting rows that were chosen in a list.

use serde_json::Value;
use sqlx::AnyConnection;

use super::list::{BulkAction, RecordList};
use super::paths::{bin, home};
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
use festival_records::entity::{Entity, ListedRow, table};

/// Maximum number of rows that are deleted at once: for each, everything that may refer to it is searched.
const MAX_DELETED: usize = 2_000;

pub(super) async fn submit(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let chosen = request.form.get("action");
    let Some(action) = BulkAction::ALL.into_iter().find(|action| action.key() == chosen) else {
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
        table::lock_tables(write, self.request.site.db.backend(), &[self.list.entity]).await
    }

    async fn confirmation(&self, _: &mut AnyConnection, _: &Select, _: &[ListedRow], count: usize) -> Result<Page> {
        let [key, _, consequence] = self.action.texts();
        let button = capitalized(key);
        Ok(Reply::page("selected", format!("{button} {count} {}?", noun(self.list.entity, count)))
            .inputs([Input::hidden("action", key)])
            .with("counts", Vec::<Value>::new())
            .with("preview", Value::Null)
            .with("may_preview", false)
            .with("message", consequence)
            .with("button", button)
            .with("danger", self.action == BulkAction::Delete))
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
                        let title = editing::title_of(entity, &current.record);
                        let problem = format!("Nothing was changed because of “{title}”. {message}");
                        return Ok(Reply::redirect(home(entity)).problem(problem).into());
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
        let [_, done, _] = self.action.texts();
        let message = format!("{} {} {done}.", ids.len(), noun(entity, ids.len()));
        let redirect = Reply::redirect(request.address(&self.list.path(), &[])).done(message);
        Ok(match self.action {
            BulkAction::Delete => redirect.link(bin(entity), format!("Deleted {}", entity.plural)),
            BulkAction::Publish | BulkAction::Hide => redirect,
        }
        .into())
    }
}

fn noun(entity: &Entity, count: usize) -> &'static str {
    if count == 1 { entity.singular } else { entity.plural }
}
