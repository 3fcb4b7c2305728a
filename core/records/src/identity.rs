//! The site id, which the database and the media folder share, so that a wrong database is never used with the files.
//!
//! Both get it at the first start. Later starts with the database of another site, with a new one or without the files
//! are rejected: otherwise all files that the database does not refer to would be swept away.

use sqlx::AnyConnection;

use festival_base::db::Db;
use festival_base::error::{Error, Result};
use festival_files::media::{Media, random_name};

/// Checks that the database and `media` have the same site id; assigns one at the first start. The schema must be up to
/// date.
///
/// # Errors
/// [`Error::Conflict`] if the ids differ, one is missing or a restore was not finished, with what to do.
pub async fn verify(db: &Db, media: &Media) -> Result<()> {
    let folder = media.location();
    let setting = if media.folder().is_some() { "data_dir" } else { "s3.bucket" };
    if media.restoring().await?.is_some() {
        return Err(Error::Conflict(format!("a restore into {folder} was not finished; run it again")));
    }
    let media_id = media.site_id().await?;
    match (find(&mut *db.read().await?).await?, media_id) {
        (Some(database_id), Some(media_id)) if database_id == media_id => Ok(()),
        (Some(_), Some(_)) => Err(Error::Conflict(format!(
            "the database is of one site and the files in {folder} are of another. Check databases.festival.url and \
             {setting}: one of them is wrong. Nothing was changed."
        ))),
        (Some(id), None) => Err(Error::Conflict(format!(
            "the database belongs to a site that has files, but {folder} is not its folder. Check {setting}, or put the \
             files back. If they are lost for good, write the line {id} into {folder}/site-id. Nothing was changed."
        ))),
        (None, Some(_)) => Err(Error::Conflict(format!(
            "the database is new, but the files in {folder} belong to a site with another database. Check \
             databases.festival.url, or restore the database. To start a new site, move {folder} away."
        ))),
        (None, None) => assign_id(db, media).await,
    }
}

/// [`verify`] before migrating, so that another site's database is not changed. A database without an id passes.
///
/// # Errors
/// Those of [`verify`].
pub async fn verify_before_migrating(db: &Db, media: &Media) -> Result<()> {
    // A database that was never migrated has no such table.
    match find(&mut *db.read().await?).await {
        Ok(Some(_)) => verify(db, media).await,
        _ => Ok(()),
    }
}

/// The site id in the database; `None` before the first start.
///
/// # Errors
/// If the database cannot be read.
pub async fn find(connection: &mut AnyConnection) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("SELECT site_id FROM site_identity WHERE id = 1").fetch_optional(connection).await?)
}

async fn assign_id(db: &Db, media: &Media) -> Result<()> {
    let id = random_name()?;
    let mut write = db.write().await?;
    sqlx::query("INSERT INTO site_identity (id, site_id) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
        .bind(id)
        .execute(&mut *write)
        .await?;
    // Another process may have inserted one first.
    let id = find(&mut write).await?.unwrap_or_default();
    write.commit().await?;
    media.set_site_id(&id).await
}
