//! Backups: the database and all files as a folder of their own, made while the site runs, and when the last one was.
//!
//! The database is copied first: every file that it names is there then, and is copied after it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sqlx::AnyConnection;

use crate::app::App;
use crate::blocking;
use crate::db::{Backend, timestamp_text};
use crate::error::{Error, Result};

/// The folders below `media` that cannot be made again from others.
const FILES: [&str; 2] = ["public", "private"];

/// Backs the site up into a new folder below `folder`, and answers its path. It is there when it is whole.
pub async fn make(app: &App, folder: &Path) -> Result<PathBuf> {
    if !folder.is_dir() {
        return Err(Error::BadRequest(format!("there is no folder {}", folder.display())));
    }
    let now = timestamp_text(app.clock.now());
    let kept = folder.join(format!("festival-{}", now.replace([':', '.'], "-")));
    // For its owner alone, and gone again if anything goes wrong.
    let unfinished = tempfile::Builder::new().prefix(".backup-").suffix(".unfinished").tempdir_in(folder)?;
    copy_database(app, unfinished.path()).await?;
    let (media, to) = (app.data_dir("media"), kept.clone());
    blocking(move || {
        for name in FILES {
            copy_folder(&media.join(name), &unfinished.path().join("media").join(name))?;
        }
        fs::rename(unfinished.path(), &to)?;
        drop(unfinished.keep());
        sync(to.parent().unwrap_or(Path::new(".")))?;
        Ok(())
    })
    .await?;
    let mut write = app.db.write().await?;
    sqlx::query("INSERT INTO backups (at) VALUES ($1)").bind(now).execute(&mut *write).await?;
    write.commit().await?;
    Ok(kept)
}

/// When the last backup was made, as stored.
pub(crate) async fn last(connection: &mut AnyConnection) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("SELECT max(at) FROM backups").fetch_one(connection).await?)
}

async fn copy_database(app: &App, folder: &Path) -> Result<()> {
    match app.db.backend() {
        Backend::Sqlite => {
            let file = folder.join("festival.db");
            let mut connection = app.db.read().await?;
            let path = file.to_string_lossy().into_owned();
            sqlx::query("VACUUM INTO $1").bind(path).execute(&mut *connection).await?;
            Ok(sync(&file)?)
        }
        Backend::Postgres => {
            let (url, password) = without_password(app.db.url());
            let file = folder.join("festival.dump");
            blocking(move || dump(&url, &password, &file)).await
        }
    }
}

/// Runs `pg_dump`. The password goes through the environment: arguments can be read by everybody on the machine.
fn dump(url: &str, password: &str, file: &Path) -> Result<()> {
    let mut command = Command::new("pg_dump");
    command.args(["--format=custom", "--file"]).arg(file).arg("--dbname").arg(url);
    if !password.is_empty() {
        command.env("PGPASSWORD", password);
    }
    let output = command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::BadRequest("pg_dump is missing; install PostgreSQL's client programs".into()),
        _ => Error::from(error),
    })?;
    if output.status.success() {
        return Ok(sync(file)?);
    }
    Err(Error::BadRequest(format!("pg_dump: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

/// The address without the password in it, and the password; "" where there is none.
fn without_password(url: &str) -> (String, String) {
    let none = || (url.to_owned(), String::new());
    let Some((scheme, rest)) = url.split_once("://") else { return none() };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let Some((user, host)) = rest[..end].rsplit_once('@') else { return none() };
    let Some((name, password)) = user.split_once(':') else { return none() };
    let typed = format!("p={}", password.replace('+', "%2B"));
    let password = form_urlencoded::parse(typed.as_bytes()).next().map(|(_, value)| value.into_owned());
    (format!("{scheme}://{name}@{host}{}", &rest[end..]), password.unwrap_or_default())
}

/// Copies a folder with everything in it. What vanishes meanwhile was named by nothing.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => copy_folder(&entry.path(), &to)?,
            _ => match fs::copy(entry.path(), &to) {
                Ok(_) => sync(&to)?,
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            },
        }
    }
    sync(to)
}

/// A copy counts when it is on the disk.
fn sync(path: &Path) -> io::Result<()> {
    if cfg!(unix) || path.is_file() { fs::File::open(path)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_no_argument() {
        let split = |url| without_password(url);
        assert_eq!(
            split("postgres://me:a%40b+c@db.example/festival?sslmode=require"),
            ("postgres://me@db.example/festival?sslmode=require".to_owned(), "a@b+c".to_owned())
        );
        for plain in ["postgres://me@localhost/festival", "postgres:///festival?host=/run", "postgres://db/a:b@c"] {
            assert_eq!(split(plain), (plain.to_owned(), String::new()));
        }
    }
}
