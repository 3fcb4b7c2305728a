//! The server: Rocket with the site's routes and background tasks.

use std::sync::Arc;
use std::time::Duration;

use festival_core::db::{Backend, FestivalDb};
use festival_core::http::InFlightRequests;
use festival_core::mail::DeliveryWorker;
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{Program, Result, secrets};
use rocket::error::ErrorKind;
use rocket::fairing::AdHoc;
use rocket::figment::providers::{Env, Format as _, Serialized, Toml};
use rocket::figment::{Figment, Profile};
use rocket::{Build, Ignite, Rocket};
use tokio::sync::OnceCell;

use crate::front::FrontServer;

/// Returns Rocket's configuration: the program's defaults, overridden by Rocket.toml (or the file in `ROCKET_CONFIG`),
/// overridden by `ROCKET_*`.
pub fn figment(settings: &Settings) -> Figment {
    let database = format!("sqlite://{}", settings.data_dir.join("festival.db").display());
    let file = std::env::var("ROCKET_CONFIG").unwrap_or_else(|_| "Rocket.toml".into());
    Figment::from(rocket::Config::default())
        .merge(Serialized::default("log_level", "off")) // The site writes its own log.
        .merge(Serialized::default("cli_colors", false))
        .merge(Serialized::default("ident", false))
        // Seconds for requests in flight to end when the server is stopped, slow uploads included.
        .merge(Serialized::default("shutdown.grace", 30))
        .merge(Serialized::default("shutdown.mercy", 2))
        .merge(Serialized::default("databases.festival.url", database))
        .merge(Toml::file(file).nested())
        .merge(Env::prefixed("ROCKET_").ignore(&["PROFILE", "CONFIG"]).global())
        .select(Profile::from_env_or("ROCKET_PROFILE", rocket::Config::DEFAULT_PROFILE))
}

/// Returns the URL of the database.
///
/// # Errors
/// [`festival_core::Error::BadRequest`] if none is configured.
pub fn database_url(figment: &Figment) -> Result<String> {
    let url = figment.extract_inner("databases.festival.url");
    url.map_err(|error| festival_core::Error::BadRequest(format!("databases.festival.url: {error}")))
}

/// Applies pending migrations, if `migrate_on_start` is set, and builds the server of `app`.
///
/// # Errors
/// If a migration fails, or is pending and may not be applied; if the database or the media folder cannot be used.
pub async fn build(app: &Arc<Program>, figment: Figment) -> Result<Rocket<Build>> {
    let migrations = app.registry.all_migrations();
    if app.settings.migrate_on_start {
        for applied in festival_core::db::migrate(&app.db, &migrations, &app.clock).await? {
            tracing::info!(migration = applied, "applied");
        }
    } else if let Some(pending) = festival_core::db::pending(&app.db, &migrations).await?.first() {
        return Err(festival_core::Error::BadRequest(format!(
            "migration {}_{} is pending; run \"festival migrate\" first",
            pending.version, pending.name
        )));
    }
    for migration in festival_core::db::newer(&app.db, &migrations).await? {
        tracing::info!(migration, "a newer program changed the database; this one works with it");
    }
    let columns = secrets::encrypt_all(app, &app.secrets).await?;
    for message in secrets::undecryptable(&app.secrets, &columns) {
        tracing::error!("{message}");
    }
    // While no other server has the lock, the sweep may delete what an earlier one left unfinished.
    app.media.lock(app.db.backend() == Backend::Postgres).await?;
    let task_app = app.clone();
    let mail_app = app.clone();
    let templates = app.site.templates.clone();
    let postman = Arc::new(OnceCell::new());
    let postman_to_stop = postman.clone();
    let rocket = rocket::custom(figment)
        .manage(FestivalDb::from(app.db.clone()))
        .manage(app.clone())
        .attach(AdHoc::on_liftoff("background tasks", move |rocket| {
            Box::pin(async move {
                for task in task_app.registry.tasks() {
                    let (task, app, shutdown) = (task.clone(), task_app.app.clone(), rocket.shutdown());
                    tokio::spawn(async move {
                        tokio::select! {
                            () = task.call(app) => {}
                            () = shutdown => {}
                        }
                    });
                }
            })
        }))
        .attach(AdHoc::on_liftoff("load the templates", move |_| {
            Box::pin(async move { drop(tokio::spawn(async move { templates.load_now().await })) })
        }))
        .attach(AdHoc::on_liftoff("send mails", move |_| {
            Box::pin(async move {
                let Site { db, clock, settings, in_force, .. } = &*mail_app.site;
                let start = || DeliveryWorker::start(db.clone(), clock.clone(), settings, in_force.clone());
                postman.get_or_init(|| async { start() }).await;
            })
        }))
        .attach(AdHoc::on_shutdown("finish the current mail", move |rocket| {
            Box::pin(async move {
                // Counts as a request in flight: the server must not exit before a sent mail is marked as sent.
                let _in_flight = rocket.state::<InFlightRequests>().cloned();
                if let Some(postman) = postman_to_stop.get() {
                    postman.stop().await;
                }
            })
        }));
    Ok(app.mount(rocket))
}

/// Runs `rocket` until shutdown is requested and no request is in flight, or the grace period is over; then closes the
/// database.
///
/// Rocket alone would wait for the whole grace period if any request was in flight.
///
/// # Errors
/// If the server cannot start, or fails while running.
pub(crate) async fn run(rocket: Rocket<Ignite>, app: &Program, front: &FrontServer) -> Result<(), rocket::Error> {
    let shutdown = rocket.shutdown();
    let in_flight = rocket.state::<InFlightRequests>().cloned().unwrap_or_default();
    let result = tokio::select! {
        biased; // Rocket's own shutdown begins first.
        result = rocket.launch() => result.map(drop),
        () = async { shutdown.await; wait_until_idle(in_flight).await } => Ok(()),
    };
    front.finish().await;
    app.db.close().await;
    match result {
        // Uploads that did not end within the grace period are aborted, and nothing of them is stored.
        Err(error) if matches!(error.kind(), ErrorKind::Shutdown(..)) => {
            tracing::warn!("stopped with requests in flight");
            Ok(())
        }
        result => result,
    }
}

/// Waits until no request is in flight.
async fn wait_until_idle(in_flight: InFlightRequests) {
    while !in_flight.is_none() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
