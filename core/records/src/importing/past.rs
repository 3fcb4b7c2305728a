//! Past imports, and undoing one of them.
//!
//! Each revision that an import writes carries the id of the import. Undoing restores the rows that it changed and
//! deletes those that it created, the last first; rows that were changed since are left as they are and listed.

use sqlx::AnyConnection;

use crate::Records;
use crate::editing::{self, Action, Current, Editor};
use crate::entity::{Entity, table};
use festival_base::db::{insert_row, timestamp_text, update_rows};
use festival_base::deadline;
use festival_base::error::{Error, Result};

/// Rows that are read and deleted together.
const STEPS_AT_ONCE: usize = 400;

/// An import that was made.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct PastImport {
    /// Its id.
    pub id: i64,
    /// The table of the rows.
    #[sqlx(rename = "entity")]
    pub table: String,
    /// The edition of the rows.
    #[sqlx(rename = "edition_id")]
    pub edition: Option<i64>,
    /// The name of the file.
    pub source: String,
    /// Who imported it.
    pub editor: String,
    /// When, as stored.
    pub at: String,
    /// Rows that it created.
    pub created: i64,
    /// Rows that it changed.
    pub changed: i64,
    /// Who undid it.
    pub undone_by: Option<String>,
    /// When, as stored.
    pub undone_at: Option<String>,
}

/// What undoing an import does, or did.
#[derive(Debug)]
pub struct Undo {
    /// The import.
    pub import: PastImport,
    /// Titles of the rows that have their earlier values again.
    pub restored: Vec<String>,
    /// Titles of the rows that are deleted.
    pub deleted: Vec<String>,
    /// Titles of the rows that stay as they are, and why.
    pub left: Vec<(String, String)>,
}

/// Records that an import is about to be written at a time, `now`, and returns its id: what an [`Editor`] with it writes can
/// be undone as a whole.
///
/// # Errors
/// If the database cannot be written.
pub async fn record_import(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    source: &str,
    editor: &Editor,
    now: &str,
) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "INSERT INTO imports (entity, edition_id, source, account_id, editor, at, created, changed) \
         VALUES ($1, $2, $3, $4, $5, $6, 0, 0) RETURNING id",
    )
    .bind(entity.table)
    .bind(edition)
    .bind(source.to_owned())
    .bind(editor.account)
    .bind(editor.name.clone())
    .bind(now.to_owned())
    .fetch_one(connection)
    .await?)
}

/// Records how many rows an import has created and changed.
///
/// # Errors
/// If the database cannot be written.
pub async fn count_rows(connection: &mut AnyConnection, id: i64, (created, changed): (usize, usize)) -> Result<()> {
    let counts = [("created", (created as i64).into()), ("changed", (changed as i64).into())];
    update_rows(connection, "imports", &counts, &[id]).await
}

/// Stores the time at which a row was to be published before an import changes it: revisions do not have it.
pub(super) async fn keep_schedule(
    connection: &mut AnyConnection,
    entity: &Entity,
    editor: &Editor,
    before: &Current,
) -> Result<()> {
    let values = [
        ("import_id", editor.import.into()),
        ("entity", entity.table.into()),
        ("row_id", before.id.into()),
        ("publish_at", before.publish_at.as_deref().into()),
    ];
    insert_row(connection, "import_schedules", &values).await
}

/// Restores the time of publication that a row had before the import, if the import changed it.
async fn restore_schedule(
    connection: &mut AnyConnection,
    entity: &Entity,
    (import, row): (i64, i64),
    editor: &Editor,
) -> Result<()> {
    let schedule: Option<(Option<String>,)> =
        sqlx::query_as("SELECT publish_at FROM import_schedules WHERE import_id = $1 AND entity = $2 AND row_id = $3")
            .bind(import)
            .bind(entity.table)
            .bind(row)
            .fetch_optional(&mut *connection)
            .await?;
    match schedule {
        Some((publish_at,)) => editing::schedule(connection, entity, row, publish_at.as_deref(), editor).await,
        None => Ok(()),
    }
}

/// The statement that reads imports; `$end` is appended.
macro_rules! select_imports {
    ($end:literal) => {
        concat!(
            "SELECT id, entity, edition_id, source, editor, at, created, changed, undone_by, undone_at FROM imports ",
            $end
        )
    };
}

/// Up to `limit` imports with an id below `before` (0: any), the latest first; of `entity`, or of all.
///
/// # Errors
/// If the database cannot be read.
pub async fn past_imports(
    connection: &mut AnyConnection,
    entity: Option<&Entity>,
    (before, limit): (i64, i64),
) -> Result<Vec<PastImport>> {
    Ok(sqlx::query_as(select_imports!(
        "WHERE ($1 = '' OR entity = $1) AND ($2 = 0 OR id < $2) ORDER BY id DESC LIMIT $3"
    ))
    .bind(entity.map_or("", |entity| entity.table))
    .bind(before)
    .bind(limit)
    .fetch_all(connection)
    .await?)
}

/// The import with this id.
///
/// # Errors
/// [`Error::NotFound`] if there is none.
pub async fn past_import(connection: &mut AnyConnection, id: i64) -> Result<PastImport> {
    let import = sqlx::query_as(select_imports!("WHERE id = $1")).bind(id).fetch_optional(connection).await?;
    import.ok_or_else(|| Error::NotFound(format!("There is no import {id}.")))
}

/// Undoes an import. To see what that would do, roll the transaction back.
///
/// # Errors
/// [`Error::NotFound`] if there is no such import, [`Error::Conflict`] if it was undone before.
pub async fn undo(records: &Records, connection: &mut AnyConnection, id: i64, editor: &Editor) -> Result<Undo> {
    // Only the request that marks it undoes it, so that two people do not both do it.
    let now = timestamp_text(records.clock.now());
    let marked = sqlx::query("UPDATE imports SET undone_at = $2, undone_by = $3 WHERE id = $1 AND undone_at IS NULL")
        .bind(id)
        .bind(now)
        .bind(editor.name.clone())
        .execute(&mut *connection)
        .await?;
    let import = past_import(connection, id).await?;
    if marked.rows_affected() == 0 {
        let by = import.undone_by.map_or_else(String::new, |by| format!(" by {by}"));
        return Err(Error::Conflict(format!("Import {id} was undone{by} already.")));
    }
    let mut undo = Undo { import, restored: Vec::new(), deleted: Vec::new(), left: Vec::new() };
    let steps: Vec<Step> =
        sqlx::query_as("SELECT id, entity, row_id, action, title FROM revisions WHERE import_id = $1 ORDER BY id DESC")
            .bind(id)
            .fetch_all(&mut *connection)
            .await?;
    for steps in steps.chunk_by(|step, next| step.entity == next.entity && step.action == next.action) {
        let Some(entity) = records.entities().find(|entity| entity.table == steps[0].entity) else {
            undo.left.extend(steps.iter().map(|step| (step.title.clone(), "its module is gone".to_owned())));
            continue;
        };
        for steps in steps.chunks(STEPS_AT_ONCE) {
            let left = match Action::from_name(&steps[0].action) {
                Action::Created => delete_created(records, connection, entity, steps, &mut undo, editor).await?,
                _ => steps.iter().collect(),
            };
            for step in left {
                undo_step(records, connection, entity, step, &mut undo, editor).await?;
            }
            deadline::progress();
        }
    }
    Ok(undo)
}

/// What an import did to a row: a revision.
#[derive(sqlx::FromRow)]
struct Step {
    id: i64,
    entity: String,
    row_id: i64,
    action: String,
    title: String,
}

/// Deletes, all at once, the rows that an import created and that were not changed since, and returns the other steps:
/// all steps, if something refers to one of the rows.
async fn delete_created<'s>(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &'static Entity,
    steps: &'s [Step],
    undo: &mut Undo,
    editor: &Editor,
) -> Result<Vec<&'s Step>> {
    let ids: Vec<i64> = steps.iter().map(|step| step.row_id).collect();
    table::lock(connection, entity, &ids).await?;
    let rows = editing::find_many(connection, entity, &ids).await?;
    let last = editing::last_revisions(connection, entity, &ids).await?;
    let is_as_imported = |step: &&Step| {
        let (Some(row), Some(last)) = (rows.get(&step.row_id), last.get(&step.row_id)) else { return false };
        last.id == step.id && last.record == row.record
    };
    let (created, left): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(is_as_imported);
    let unchanged: Vec<&Current> = created.iter().map(|step| &rows[&step.row_id]).collect();
    match editing::delete_many(records, connection, entity, &unchanged, editor).await {
        Ok(()) => undo.deleted.extend(created.into_iter().map(|step| step.title.clone())),
        Err(Error::Conflict(_)) => return Ok(steps.iter().collect()),
        Err(error) => return Err(error),
    }
    Ok(left)
}

/// Undoes what an import did to one row, or says why the row stays as it is.
async fn undo_step(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &'static Entity,
    step: &Step,
    undo: &mut Undo,
    editor: &Editor,
) -> Result<()> {
    let title = step.title.clone();
    match undo_row(records, connection, entity, step, editor).await {
        Ok(Action::Deleted) => undo.deleted.push(title),
        Ok(_) => {
            restore_schedule(connection, entity, (undo.import.id, step.row_id), editor).await?;
            undo.restored.push(title);
        }
        Err(Error::Conflict(reason)) => undo.left.push((title, reason)),
        Err(Error::Invalid(errors)) => {
            let reasons: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            undo.left.push((title, reasons.join("; ")));
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

async fn undo_row(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &'static Entity,
    step: &Step,
    editor: &Editor,
) -> Result<Action> {
    let conflict = |reason: &str| Err(Error::Conflict(reason.to_owned()));
    let revision = editing::revision(connection, entity, step.id).await?;
    let Some(current) = editing::find_to_write(connection, entity, revision.row_id).await? else {
        return conflict("it was deleted since");
    };
    let steps = editing::history(connection, entity, revision.row_id, (0, 1)).await?;
    if steps.first().is_none_or(|last| last.id != revision.id) || current.record != revision.record {
        return conflict("it was changed since");
    }
    if revision.action == Action::Created {
        editing::delete(records, connection, entity, revision.row_id, editor).await?;
        return Ok(Action::Deleted);
    }
    let before = editing::history(connection, entity, revision.row_id, (revision.id, 1)).await?;
    let Some(before) = before.first() else { return conflict("its earlier values are no longer kept") };
    editing::restore(records, connection, entity, before, editor).await?;
    Ok(Action::Restored)
}
