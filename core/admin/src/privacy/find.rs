//! Finds a person in the data of all holders.

use sqlx::AnyConnection;

use super::{Holders, Person, PersonalRecord, erasures};
use festival_base::error::{Error, Result};
use festival_records::identity;
use festival_web::site::Site;

/// Finds the person with this e-mail address and all records about them.
///
/// # Errors
/// [`Error::BadRequest`] if `email` is not an address; any error of the database.
pub async fn find(site: &Site, holders: &Holders, email: &str) -> Result<(Person, Vec<PersonalRecord>)> {
    find_before(site, holders, email, None).await
}

/// Finds the person in what was stored before the time `before`; `None` for all.
pub(super) async fn find_before(
    site: &Site,
    holders: &Holders,
    email: &str,
    before: Option<String>,
) -> Result<(Person, Vec<PersonalRecord>)> {
    let email = normalized(email);
    if !email.contains('@') {
        return Err(Error::BadRequest(format!("\"{email}\" is not an e-mail address like name@example.org")));
    }
    let mut connection = site.db.read().await?;
    let hash = erasures::hash(&site_id(&mut connection).await?, &email);
    let mut person = Person { email, before, hash, ..Person::default() };
    let mut records = Vec::new();
    for holder in holders {
        records.extend(holder.find(site, &mut connection, &mut person).await?);
    }
    Ok((person, records))
}

/// Returns the id of the site, which the hashes of people depend on.
pub(super) async fn site_id(connection: &mut AnyConnection) -> Result<String> {
    Ok(identity::find(connection).await?.unwrap_or_default())
}

/// Returns an address in the form in which addresses are compared.
pub(super) fn normalized(address: &str) -> String {
    address.trim().to_lowercase()
}
