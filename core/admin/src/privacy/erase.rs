//! Erases the data about a person, and again after an older backup was restored.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::json;

use super::find::{find, find_before, normalized, site_id};
use super::{Erased, Erasures, Holders, Person, erasures};
use crate::audit::{COMMAND_LINE, Entry, record};
use festival_base::db::Write;
use festival_base::error::Result;
use festival_web::site::Site;

/// Returns what [`erase`] would erase, without doing it.
///
/// # Errors
/// As [`erase`].
pub async fn preview_erasure(site: &Site, holders: &Holders, email: &str) -> Result<Erased> {
    let (person, _) = find(site, holders, email).await?;
    let mut write = site.db.write_private().await?;
    let erased = erase_from_all(site, holders, &mut write, &person).await?;
    write.rollback().await?;
    Ok(erased)
}

/// Erases all data about the person with this e-mail address: rows, files, mails, history, details of the audit log. A
/// hash is remembered, so that restoring an older backup erases the person again. `by` is the account and network of
/// the user.
///
/// # Errors
/// [`Error::BadRequest`] if `email` is not an address; any error of database or store. After an error either nothing is
/// erased, or the next run erases the rest.
pub async fn erase(site: &Site, holders: &Holders, email: &str, by: (Option<i64>, &str)) -> Result<Erased> {
    let (person, _) = find(site, holders, email).await?;
    let now = site.clock.now();
    let mut write = site.db.write_private().await?;
    let erased = erase_from_all(site, holders, &mut write, &person).await?;
    if erased.is_nothing() {
        write.rollback().await?;
        // An earlier run may have been interrupted before the purge.
        site.db.purge().await?;
        return Ok(erased);
    }
    // Before the commit: a remembered person who was not erased is erased by the next run, but an erased person who was
    // not remembered would come back with a backup.
    Erasures::add(&site.settings.data_dir, now, &person.hash)?;
    record_erasure(&mut write, &person, &erased, by, now).await?;
    write.commit().await?;
    remove_files(site, &erased).await?;
    site.db.purge().await?;
    Ok(erased)
}

/// Repeats `erasures` in a restored database: erases the data from before the time of each erasure. Returns the number
/// of people.
///
/// # Errors
/// As [`erase`].
pub async fn replay(site: &Site, holders: &Holders, erasures: &Erasures) -> Result<usize> {
    if erasures.is_empty() {
        return Ok(0);
    }
    let mut connection = site.db.read().await?;
    let site_id = site_id(&mut connection).await?;
    let mut addresses = BTreeSet::new();
    for holder in holders {
        addresses.extend(holder.addresses(&mut connection).await?.iter().map(|address| normalized(address)));
    }
    drop(connection);
    let mut people = 0;
    for address in addresses {
        let Some(before) = erasures.time_of(&erasures::hash(&site_id, &address)) else { continue };
        let (person, _) = find_before(site, holders, &address, Some(before.to_owned())).await?;
        let mut write = site.db.write_private().await?;
        let erased = erase_from_all(site, holders, &mut write, &person).await?;
        if erased.is_nothing() {
            write.rollback().await?;
            continue;
        }
        record_erasure(&mut write, &person, &erased, (None, COMMAND_LINE), site.clock.now()).await?;
        write.commit().await?;
        remove_files(site, &erased).await?;
        people += 1;
    }
    if people > 0 {
        site.db.purge().await?;
    }
    Ok(people)
}

async fn erase_from_all(site: &Site, holders: &Holders, write: &mut Write, person: &Person) -> Result<Erased> {
    let mut erased = Erased::default();
    for holder in holders {
        erased.add(holder.erase(site, write, person).await?);
    }
    erased.count("files", erased.files.len() as u64);
    Ok(erased)
}

async fn record_erasure(
    write: &mut Write,
    person: &Person,
    erased: &Erased,
    (account, network): (Option<i64>, &str),
    now: Timestamp,
) -> Result<()> {
    let after = json!({ "person": person.hash, "counts": erased.counts, "stay": erased.stays });
    record(write, account, network, Entry::new("erase", "person").after(after), now).await
}

/// Deletes the files of erased data, after the commit.
pub(super) async fn remove_files(site: &Site, erased: &Erased) -> Result<()> {
    site.media.erase_private(&erased.files).await?;
    for path in &erased.paths {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}
