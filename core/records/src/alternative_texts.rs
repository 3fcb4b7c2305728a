//! Alternative texts: what is to be seen on pictures, for those who do not see them.
//!
//! A text belongs to the picture, not to the row that shows it: whoever uses the picture again need not write it again. The API
//! has it beside the picture's address: `image`, `image_alt`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sqlx::AnyConnection;

use festival_base::db::Db;
use festival_base::error::{Error, Result};

/// The language of the texts: that of the pages around them.
const LANG: &str = "en";
/// The most characters of the text of one picture.
pub const LONGEST: usize = 300;

/// The text of every picture that has some, by the picture's key.
pub async fn all(connection: &mut AnyConnection) -> Result<BTreeMap<String, String>> {
    let rows = sqlx::query_as("SELECT key, alt FROM alternative_texts WHERE lang = $1")
        .bind(LANG)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().collect())
}

/// The text of the picture `key`; empty where there is none.
pub async fn find(connection: &mut AnyConnection, key: &str) -> Result<String> {
    let alt: Option<String> = sqlx::query_scalar("SELECT alt FROM alternative_texts WHERE key = $1 AND lang = $2")
        .bind(key.to_owned())
        .bind(LANG)
        .fetch_optional(connection)
        .await?;
    Ok(alt.unwrap_or_default())
}

/// What the text is called beside the picture that is called `name`: `image_alt`.
pub fn name(name: &str) -> String {
    format!("{name}_alt")
}

/// A text as it is stored: one line of at most [`LONGEST`] characters.
pub fn line(alt: &str) -> String {
    let alt: String = alt.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
    alt.trim_end().to_owned()
}

/// Gives a picture another text, or removes it. `seen` is the one that was there when the new one was written.
/// Answers whether that changed anything.
///
/// [`Error::Conflict`]: there is another by now, and it stays.
pub async fn keep(connection: &mut AnyConnection, key: &str, seen: &str, alt: &str) -> Result<bool> {
    let alt = line(alt);
    let now = find(connection, key).await?;
    if alt == seen || alt == now {
        return Ok(false);
    }
    // Each statement looks itself whether they still are as they were seen: two at once do not overwrite each other.
    let sql = match (seen.is_empty(), alt.is_empty()) {
        (true, _) => {
            "INSERT INTO alternative_texts (key, lang, alt) VALUES ($1, $2, $3) ON CONFLICT (key, lang) DO NOTHING"
        }
        (_, true) => "DELETE FROM alternative_texts WHERE key = $1 AND lang = $2 AND alt = $3",
        _ => "UPDATE alternative_texts SET alt = $3 WHERE key = $1 AND lang = $2 AND alt = $4",
    };
    let third = if alt.is_empty() { seen.to_owned() } else { alt.clone() };
    let mut query = sqlx::query(sql).bind(key.to_owned()).bind(LANG).bind(third);
    if !seen.is_empty() && !alt.is_empty() {
        query = query.bind(seen.to_owned());
    }
    if query.execute(connection).await?.rows_affected() == 1 {
        return Ok(true);
    }
    Err(Error::Conflict(match now.as_str() {
        "" => "Somebody else has taken away what was said of this picture.".to_owned(),
        now => format!("Somebody else has written of this picture: “{now}”."),
    }))
}

/// An answer of the API with the alternative texts of its pictures.
pub async fn add(db: &Db, answer: Vec<u8>, base_url: &str) -> Result<Vec<u8>> {
    let media = format!("{base_url}/media/");
    if !String::from_utf8_lossy(&answer).contains(&media) {
        return Ok(answer);
    }
    let alt = all(&mut *db.read().await?).await?;
    if alt.is_empty() {
        return Ok(answer);
    }
    let mut json = serde_json::from_slice(&answer)?;
    let alt_of = |address: &str| alt.get(address.strip_prefix(&media)?);
    Ok(if describe(&mut json, &alt_of) { serde_json::to_vec(&json)? } else { answer })
}

/// Puts texts beside the addresses of pictures, and answers whether there was one.
fn describe<'a>(json: &mut Value, alt_of: &impl Fn(&str) -> Option<&'a String>) -> bool {
    match json {
        Value::Array(items) => describe_all(items.iter_mut(), alt_of),
        Value::Object(fields) => {
            let found: Map<String, Value> = fields
                .iter()
                .filter_map(|(name, value)| Some((self::name(name), alt_of(value.as_str()?)?.clone().into())))
                .collect();
            let below = describe_all(fields.values_mut(), alt_of);
            let here = !found.is_empty();
            fields.extend(found);
            here || below
        }
        _ => false,
    }
}

fn describe_all<'a, 'b>(
    values: impl Iterator<Item = &'b mut Value>,
    alt_of: &impl Fn(&str) -> Option<&'a String>,
) -> bool {
    // Every one, also after one with words.
    values.map(|value| describe(value, alt_of)).filter(|any| *any).count() > 0
}
