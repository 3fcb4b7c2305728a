//! The edition that a list shows: the one that its address names, otherwise the current one.

use sqlx::AnyConnection;

use crate::back_office::AdminRequest;
use crate::identity::scope::{EDITIONS, Scope};
use crate::serving::input::Choice;
use festival_base::error::Result;
use festival_records::edition::{self, EDITION};
use festival_records::entity::table;

/// The edition that a list shows.
pub struct ChosenEdition {
    /// Row id; 0 before the first edition: then there is nothing to list.
    pub id: i64,
    /// Year; "" before the first edition.
    pub year: String,
    /// The editions to choose from; none if there are fewer than two.
    pub choices: Vec<Choice>,
}

impl ChosenEdition {
    /// Reads the edition that `request` names or the current one, as far as `scope` allows.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn read(request: &AdminRequest, connection: &mut AnyConnection, scope: &Scope) -> Result<Self> {
        let mut editions = table::choices(connection, &EDITION, None).await?;
        editions.retain(|edition| scope.allows(EDITIONS, &edition.key));
        let current = edition::find_current(connection).await?.map(|edition| edition.id);
        let chosen = editions.iter().find(|choice| choice.key == request.query.get("edition"));
        let chosen = chosen.or_else(|| editions.iter().find(|choice| Some(choice.id) == current)).or(editions.first());
        let (id, year) = chosen.map_or((0, String::new()), |choice| (choice.id, choice.key.clone()));
        let choices = editions.iter().filter(|_| editions.len() > 1);
        let choices = choices.map(|edition| Choice::new(&edition.key, &edition.name, &year)).collect();
        Ok(Self { id, year, choices })
    }
}
