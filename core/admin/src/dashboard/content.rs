//! What is to be done with what the site shows.

use super::{DashboardContext, PendingTask};
use festival_base::error::Result;
use festival_records::editing;
use festival_records::entity::{Entity, table};

pub(super) async fn tasks(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let Some(edition) = &context.edition else {
        let words = "There is no edition yet: the site is empty.".to_owned();
        return Ok(vec![PendingTask { words, href: "/admin/editions/new".into(), is_urgent: true }]);
    };
    let mut connection = context.read().await?;
    let entities: Vec<&'static Entity> = context.site.records.enabled().collect();
    let called = |name: &str| entities.iter().find(|entity| entity.table == name);
    let mut tasks = Vec::new();
    for (name, count) in editing::due_before(&mut connection, &context.days.end()).await? {
        let Some(entity) = called(&name) else { continue };
        let (one, many) = (
            format!("{} is published by itself today", entity.singular),
            format!("{} are published by themselves today", entity.plural),
        );
        tasks.extend(PendingTask::counted(count, &one, &many, format!("/admin/{}", entity.slug())));
    }
    for (entity, count) in table::count_hidden(&mut connection, &entities, edition.id).await? {
        let (one, many) = (
            format!("{} that the site does not show", entity.singular),
            format!("{} that the site does not show", entity.plural),
        );
        tasks.extend(PendingTask::counted(count, &one, &many, format!("/admin/{}?is_published=no", entity.slug())));
    }
    Ok(tasks)
}
