//! Sitemap and JSON-LD of categories and films.

use festival_core::json_ld::{About, Breadcrumb};
use festival_core::sitemap::Address;
use festival_core::{RequestContext, Result};
use serde_json::{Value, json};
use sqlx::FromRow;

use crate::category::{Category, find_category, list_categories};
use crate::film::{Film, PART_SIZE, load_film, load_part};

/// The sitemap entry of `/films`, with the time of the last change of any film.
pub(crate) async fn films_address(request: RequestContext) -> Result<Vec<Address>> {
    let changed_at = category_addresses(request).await?.into_iter().filter_map(|address| address.changed_at).max();
    Ok(vec![Address { path: "/films".into(), changed_at }])
}

/// The sitemap entries of categories, each followed by those of its films.
pub(crate) async fn category_addresses(request: RequestContext) -> Result<Vec<Address>> {
    #[derive(FromRow)]
    struct Row {
        category: i64,
        category_changed_at: String,
        film: Option<i64>,
        film_changed_at: Option<String>,
    }
    let sql = "SELECT c.id AS category, c.updated_at AS category_changed_at, f.id AS film, f.updated_at AS film_changed_at \
         FROM categories c LEFT JOIN films f ON f.category_id = c.id AND f.is_published = 1 \
         WHERE c.edition_id = $1 AND c.is_published = 1 ORDER BY c.position, c.id, f.position, f.id";
    let rows: Vec<Row> = request.rows_of_edition(sql).await?;
    let mut addresses: Vec<Address> = Vec::new();
    for films in rows.chunk_by(|left, right| left.category == right.category) {
        let changed = films.iter().flat_map(|row| [Some(&row.category_changed_at), row.film_changed_at.as_ref()]);
        let path = format!("/films/{}", films[0].category);
        addresses.push(Address { path: path.clone(), changed_at: changed.flatten().max().cloned() });
        addresses.extend(films.iter().filter_map(|row| {
            Some(Address { path: film_path(row.category, row.film?), changed_at: row.film_changed_at.clone() })
        }));
    }
    Ok(addresses)
}

fn film_path(category: i64, film: i64) -> String {
    format!("/films/{category}?film={film}")
}

/// JSON-LD of the page of all categories.
pub(crate) async fn films_about(request: RequestContext) -> Result<About> {
    let categories = list_categories(request.clone()).await?;
    let named = categories.iter().map(|Category { id, name, .. }| (name.as_str(), format!("/films/{id}")));
    Ok(About { things: vec![item_list("Films", &request, categories.len() as i64, 1, named)], ..About::default() })
}

/// JSON-LD of a category: the part of its films that the page shows, or the film that the query `film` names.
pub(crate) async fn category_about(request: RequestContext) -> Result<About> {
    let Category { id: category, name, .. } = find_category(&request).await?;
    let mut trail = vec![Breadcrumb::new(name.clone(), format!("/films/{category}"))];
    let thing = match request.query.get("film") {
        Some(film) => {
            let film = load_film(&request, film).await?;
            trail.push(Breadcrumb::new(film.name.clone(), film_path(category, film.id)));
            movie(&request, &film)
        }
        None => {
            let part = load_part(&request, request.query.get("part").map_or("1", String::as_str)).await?;
            let named = part.films.iter().map(|film| (film.name.as_str(), film_path(category, film.id)));
            item_list(&name, &request, part.count, 1 + (part.number - 1) * PART_SIZE, named)
        }
    };
    Ok(About { trail, things: vec![thing] })
}

/// A list of `count` items, of which `named` are given, numbered from `first`.
fn item_list<'a>(
    name: &str,
    request: &RequestContext,
    count: i64,
    first: i64,
    named: impl Iterator<Item = (&'a str, String)>,
) -> Value {
    let items: Vec<Value> = (first..)
        .zip(named)
        .map(|(position, (name, path))| {
            let url = format!("{}{path}", request.base_url);
            json!({ "@type": "ListItem", "position": position, "name": name, "url": url })
        })
        .collect();
    if items.is_empty() {
        return Value::Null;
    }
    json!({ "@type": "ItemList", "name": name, "numberOfItems": count, "itemListElement": items })
}

fn movie(request: &RequestContext, film: &Film) -> Value {
    let named = |kind: &str, name: &Option<String>| json!({ "@type": kind, "name": name });
    json!({
        "@type": "Movie",
        "url": format!("{}{}", request.base_url, film_path(film.category_id, film.id)),
        "name": film.name,
        "alternateName": film.original_title,
        "description": film.synopsis,
        "image": [film.poster, film.still_one, film.still_two],
        "director": people(film.director_name.as_deref()),
        "author": people(film.writer_name.as_deref()),
        "dateCreated": film.year.map(|year| year.to_string()),
        "countryOfOrigin": named("Country", &film.country),
        "inLanguage": named("Language", &film.language),
        "duration": film.duration_minutes.map(|minutes| format!("PT{minutes}M")),
    })
}

/// The people in a field with several names: "Anu Raj, B. Nair & C. Das".
fn people(names: Option<&str>) -> Vec<Value> {
    let names = names.unwrap_or_default().split([',', ';', '&', '\n']).map(str::trim);
    names.filter(|name| !name.is_empty()).map(|name| json!({ "@type": "Person", "name": name })).collect()
}
