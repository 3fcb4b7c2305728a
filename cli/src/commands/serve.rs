//! `festival serve`

use clap::Command;
use festival_core::command::Outcome;
use festival_core::db::Backend;
use festival_core::{Error, Result, identity};

use crate::front::FrontServer;
use crate::{Setup, log, metrics, server};

pub(super) fn clap() -> Command {
    Command::new("serve")
        .about("Start the site")
        .after_help("Address and port are Rocket's.\n\nExample: ROCKET_ADDRESS=0.0.0.0 ROCKET_PORT=8080 festival serve")
}

pub(super) async fn run(setup: Setup) -> Result<Outcome> {
    let _log = log::start(&setup.settings);
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "starting");
    let figment = setup.figment.clone();
    let app = setup.open().await?;
    // Before anything is written: another server on the same files may be processing uploads.
    let may_share = app.db.backend() == Backend::Postgres;
    if !app.media.lock(may_share).await? && !may_share {
        return Err(Error::Conflict(format!(
            "another server uses {}; stop it first, or choose another data_dir",
            app.settings.data_dir.display()
        )));
    }
    identity::verify_before_migrating(&app.db, &app.media).await?;
    let (front, backend) = FrontServer::open(figment, &app.settings, Some(app.site.clone())).await?;
    let rocket = server::build(&app, backend).await?;
    identity::verify(&app.db, &app.media).await?;
    front.register_metrics(&app.metrics);
    if let Some(address) = metrics::serve(&app).await? {
        eprintln!("Metrics are at http://{address}/metrics");
    }
    let address = front.address();
    // The front server must catch signals before the address is printed.
    let rocket = rocket.attach(front.clone());
    let rocket = rocket.attach(rocket::fairing::AdHoc::on_liftoff("print the address", move |_| {
        Box::pin(async move { eprintln!("The site is at http://{address}") })
    }));
    let error = match rocket.ignite().await {
        Ok(rocket) => match server::run(rocket, &app, &front).await {
            Ok(()) => {
                tracing::info!("stopped");
                return Ok(Outcome::Done);
            }
            Err(error) => error,
        },
        Err(error) => error,
    };
    Err(Error::BadRequest(error.to_string()))
}
