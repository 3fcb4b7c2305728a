//! The server: Rocket with the site's routes.

use std::sync::Arc;
use std::time::Duration;

use festival_core::db::{Backend, FestivalDb};
use festival_core::http::InFlight;
use festival_core::mail::DeliveryWorker;
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{App, Result, changes, secrets};
use rocket::error::ErrorKind;
use rocket::fairing::AdHoc;
use rocket::figment::providers::{Env, Format as _, Serialized, Toml};
use rocket::figment::{Figment, Profile};
use rocket::{Build, Ignite, Rocket};
use tokio::sync::OnceCell;

/// Rocket's settings: ours as defaults, then Rocket.toml (or the file in `ROCKET_CONFIG`), then `ROCKET_*`.
pub fn figment(settings: &Settings) -> Figment {
    let database = format!("sqlite://{}", settings.data_dir.join("festival.db").display());
    let file = std::env::var("ROCKET_CONFIG").unwrap_or_else(|_| "Rocket.toml".into());
    Figment::from(rocket::Config::default())
        .merge(Serialized::default("log_level", "off")) // The site writes its own log.
        .merge(Serialized::default("cli_colors", false))
        .merge(Serialized::default("ident", false))
        // What is under way when the server is stopped may end, an upload on a slow line too.
        .merge(Serialized::default("shutdown.grace", 30))
        .merge(Serialized::default("shutdown.mercy", 2))
        .merge(Serialized::default("databases.festival.url", database))
        .merge(Toml::file(file).nested())
        .merge(Env::prefixed("ROCKET_").ignore(&["PROFILE", "CONFIG"]).global())
        .select(Profile::from_env_or("ROCKET_PROFILE", rocket::Config::DEFAULT_PROFILE))
}

/// The address of the database.
///
/// # Errors
/// If there is none.
pub fn database_url(figment: &Figment) -> Result<String> {
    let url = figment.extract_inner("databases.festival.url");
    url.map_err(|error| festival_core::Error::BadRequest(format!("databases.festival.url: {error}")))
}

/// Brings the schema up to date, if the settings allow, and builds the server of `app`.
pub async fn build(app: &Arc<App>, figment: Figment) -> Result<Rocket<Build>> {
    let migrations = app.registry.all_migrations();
    if app.settings.migrate_on_start {
        for applied in festival_core::db::migrate(&app.db, &migrations, &app.clock).await? {
            tracing::info!(migration = applied.name, "applied");
        }
    } else if let Some(open) = festival_core::db::pending(&app.db, &migrations).await?.first() {
        return Err(festival_core::Error::BadRequest(format!(
            "migration {}_{} is pending; run \"festival migrate\" first",
            open.version, open.name
        )));
    }
    let found = secrets::encrypt_all(app, &app.secrets).await?;
    for sentence in secrets::undecryptable(&app.secrets, &found) {
        tracing::error!("{sentence}");
    }
    // The sweep spares nothing that an earlier server left half done, where no other one is at work.
    app.media.lock(app.db.backend() == Backend::Postgres).await?;
    let watched = app.db.clone();
    let mailed = app.clone();
    let worked = app.clone();
    let postman = Arc::new(OnceCell::new());
    let stopped = postman.clone();
    let rocket = rocket::custom(figment)
        .manage(FestivalDb::from(app.db.clone()))
        .manage(app.clone())
        .attach(AdHoc::on_liftoff("watch for changes", move |rocket| {
            Box::pin(async move {
                let shutdown = rocket.shutdown();
                tokio::spawn(async move {
                    tokio::select! {
                        () = changes::watch(&watched) => {}
                        () = shutdown => {}
                    }
                });
            })
        }))
        .attach(AdHoc::on_liftoff("work of modules", move |rocket| {
            Box::pin(async move {
                for task in worked.registry.tasks() {
                    let (task, app, shutdown) = (task.clone(), worked.clone(), rocket.shutdown());
                    tokio::spawn(async move {
                        tokio::select! {
                            () = task.run(app) => {}
                            () = shutdown => {}
                        }
                    });
                }
            })
        }))
        .attach(AdHoc::on_liftoff("send mails", move |_| {
            Box::pin(async move {
                let Site { db, clock, settings, in_force, .. } = &**mailed;
                let start = || DeliveryWorker::start(db.clone(), clock.clone(), settings, in_force.clone());
                postman.get_or_init(|| async { start() }).await;
            })
        }))
        .attach(AdHoc::on_shutdown("end the mail under way", move |rocket| {
            Box::pin(async move {
                // What is sent must be marked as sent: the server does not end before.
                let _under_way = rocket.state::<InFlight>().cloned();
                if let Some(postman) = stopped.get() {
                    postman.stop().await;
                }
            })
        }));
    Ok(app.mount(rocket))
}

/// Runs `rocket` until it is told to stop and nothing is under way any more, or its grace is over; then closes the database.
///
/// Rocket itself lets nobody in any more, but waits for the whole grace as soon as one request is under way.
pub async fn run(rocket: Rocket<Ignite>, app: &App) -> Result<(), rocket::Error> {
    let shutdown = rocket.shutdown();
    let under_way = rocket.state::<InFlight>().cloned().unwrap_or_default();
    let ended = tokio::select! {
        biased; // What Rocket does at its end begins first.
        ended = rocket.launch() => ended.map(drop),
        () = async { shutdown.await; end_of(under_way).await } => Ok(()),
    };
    app.db.close().await;
    match ended {
        // Who was still sending when the grace was over is cut off; nothing of it is kept.
        Err(error) if matches!(error.kind(), ErrorKind::Shutdown(..)) => {
            tracing::warn!("stopped with requests under way");
            Ok(())
        }
        ended => ended,
    }
}

/// Waits until nothing is under way any more, and the last answer is with the system.
async fn end_of(under_way: InFlight) {
    while !under_way.is_none() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
}
