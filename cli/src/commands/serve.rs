//! `festival serve`

use clap::Command;
use festival_core::command::Outcome;
use festival_core::db::Backend;
use festival_core::{Error, Result, identity};

use crate::{Setup, log, server};

pub(super) fn clap() -> Command {
    Command::new("serve")
        .about("Start the site")
        .after_help("Address and port are Rocket's: ROCKET_ADDRESS=0.0.0.0 ROCKET_PORT=8080 festival serve")
}

pub(super) async fn run(setup: Setup) -> Result<Outcome> {
    let _log = log::start(&setup.settings);
    let figment = setup.figment.clone();
    let app = setup.open().await?;
    // Before anything is written: whoever has these files is at work on what it has received.
    if !app.media.lock().await? && app.db.backend() == Backend::Sqlite {
        return Err(Error::Conflict(format!(
            "another festival serves from {}; end it first, or choose another data_dir",
            app.settings.data_dir.display()
        )));
    }
    identity::verify_before_migrating(&app.db, &app.media).await?;
    let rocket = server::build(&app, figment).await?;
    identity::verify(&app.db, &app.media).await?;
    let rocket = rocket.attach(rocket::fairing::AdHoc::on_liftoff("say where", |rocket| {
        Box::pin(async move {
            let config = rocket.config();
            eprintln!("The site is at http://{}:{}", config.address, config.port);
        })
    }));
    let error = match rocket.ignite().await {
        Ok(rocket) => match server::run(rocket, &app).await {
            Ok(()) => return Ok(Outcome::Done),
            Err(error) => error,
        },
        Err(error) => error,
    };
    let text = error.to_string();
    Err(Error::BadRequest(if text.contains("in use") {
        "the port is taken by another program; choose one with ROCKET_PORT=8001".to_owned()
    } else {
        text
    }))
}
