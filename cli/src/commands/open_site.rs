//! Opens the site that a command works on.

use std::path::Path;
use std::sync::Arc;

use festival_core::{Error, Program, Result, identity};

use crate::Setup;
use crate::server::database_url;

/// Opens a site whose database is made, or brought up to date, first.
///
/// # Errors
/// If database and media folder belong to different sites.
pub(super) async fn open_and_migrate(setup: Setup) -> Result<Arc<Program>> {
    let app = setup.open().await?;
    identity::verify_before_migrating(&app.db, &app.media).await?;
    festival_core::db::migrate(&app.db, &app.registry.all_migrations(), &app.clock).await?;
    identity::verify(&app.db, &app.media).await?;
    Ok(app)
}

/// Opens a site whose database is up to date.
///
/// # Errors
/// If there is no database, migrations are pending, or database and media folder belong to different sites.
pub(super) async fn open(setup: Setup) -> Result<Arc<Program>> {
    let url = database_url(&setup.figment)?;
    if let Some(file) = url.strip_prefix("sqlite://")
        && !Path::new(file).exists()
    {
        return Err(Error::BadRequest(format!(
            "there is no site here: {file} does not exist. Name the folder of the site with data_dir or FESTIVAL_DATA_DIR, \
             or begin one with \"festival init\""
        )));
    }
    let app = setup.open().await?;
    if let Some(pending) = festival_core::db::pending(&app.db, &app.registry.all_migrations()).await?.first() {
        return Err(Error::BadRequest(format!(
            "the database is not up to date ({}_{} is pending); run \"festival migrate\" first",
            pending.version, pending.name
        )));
    }
    identity::verify(&app.db, &app.media).await?;
    Ok(app)
}
