//! What is to be done with what the site shows.

use super::{Glance, Todo};
use festival_base::error::Result;
use festival_records::editing;
use festival_records::entity::{Entity, table};

pub(super) async fn todo(glance: Glance) -> Result<Vec<Todo>> {
    let Some(edition) = &glance.edition else {
        let words = "There is no edition yet: the site is empty.".to_owned();
        return Ok(vec![Todo { words, href: "/admin/editions/new".into(), is_urgent: true }]);
    };
    let mut connection = glance.read().await?;
    let entities: Vec<&'static Entity> = glance.site.records.enabled().collect();
    let called = |name: &str| entities.iter().find(|entity| entity.table == name);
    let mut todos = Vec::new();
    for (name, count) in editing::due_before(&mut connection, &glance.days.end()).await? {
        let Some(entity) = called(&name) else { continue };
        let (one, many) = (
            format!("{} is published by itself today", entity.singular),
            format!("{} are published by themselves today", entity.plural),
        );
        todos.extend(Todo::counted(count, &one, &many, format!("/admin/{}", entity.slug())));
    }
    for (entity, count) in table::count_hidden(&mut connection, &entities, edition.id).await? {
        let (one, many) = (
            format!("{} that the site does not show", entity.singular),
            format!("{} that the site does not show", entity.plural),
        );
        todos.extend(Todo::counted(count, &one, &many, format!("/admin/{}?is_published=no", entity.slug())));
    }
    Ok(todos)
}
