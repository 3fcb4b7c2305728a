//! Database and media folder carry one id: a database that is not the site's own never meets its files.
//!
//! Both get it at the first start. From then on a start with a wrong, a new or an older database, or without the files,
//! is refused, because everything that the database does not name would count as superfluous.

use sqlx::AnyConnection;

use festival_base::db::Db;
use festival_base::error::{Error, Result};
use festival_files::media::{Media, random_name};

/// Checks that `media` are the files of the database's site; at the first start it makes them so.
///
/// # Errors
/// [`Error::Conflict`] where they are not, with what to do; its schema must be up to date.
pub async fn verify(db: &Db, media: &Media) -> Result<()> {
    let folder = media.folder().display();
    if media.is_restoring() {
        return Err(Error::Conflict(format!("a restore into {folder} was not finished; run it again")));
    }
    let named = media.site_id().await?;
    match (find(&mut *db.read().await?).await?, named) {
        (Some(ours), Some(theirs)) if ours == theirs => Ok(()),
        (Some(_), Some(_)) => Err(Error::Conflict(format!(
            "the database is of one site and the files in {folder} are of another. Look at databases.festival.url and \
             data_dir: one of them is wrong. Nothing was changed."
        ))),
        (Some(ours), None) => Err(Error::Conflict(format!(
            "the database is of a site that has files, and {folder} is not its folder. Look at data_dir, or put the \
             files back. If they are lost for good, write the line {ours} into {folder}/site-id. Nothing was changed."
        ))),
        (None, Some(_)) => Err(Error::Conflict(format!(
            "the database is new, and the files in {folder} are of a site that has another one. Look at \
             databases.festival.url, or restore the database. To begin a new site, move {folder} away."
        ))),
        (None, None) => begin(db, media).await,
    }
}

/// The same before the database is migrated: another site's is left as it is.
///
/// # Errors
/// As those of [`verify`], where the database has an id.
pub async fn verify_before_migrating(db: &Db, media: &Media) -> Result<()> {
    // A database that was never migrated has no such table.
    match find(&mut *db.read().await?).await {
        Ok(Some(_)) => verify(db, media).await,
        _ => Ok(()),
    }
}

/// The id of the database's site; none before its first start.
///
/// # Errors
/// If the database cannot be read.
pub async fn find(connection: &mut AnyConnection) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("SELECT site_id FROM site_identity WHERE id = 1").fetch_optional(connection).await?)
}

async fn begin(db: &Db, media: &Media) -> Result<()> {
    let id = random_name()?;
    let mut write = db.write().await?;
    sqlx::query("INSERT INTO site_identity (id, site_id) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
        .bind(id)
        .execute(&mut *write)
        .await?;
    // Another process may have been quicker; its id counts.
    let id = find(&mut write).await?.unwrap_or_default();
    write.commit().await?;
    media.set_site_id(&id).await
}
