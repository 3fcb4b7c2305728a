//! Tasks about the content of the site.

use super::{DashboardContext, PendingTask};
use festival_base::error::Result;
use festival_records::editing;
use festival_records::entity::{Entity, table};

pub(super) async fn tasks(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let Some(edition) = &context.edition else {
        let text = "There is no edition yet. The site is empty.".to_owned();
        return Ok(vec![PendingTask { text, href: "/admin/editions/new".into(), is_urgent: true }]);
    };
    let mut connection = context.read().await?;
    let entities: Vec<&'static Entity> = context.site.records.enabled().collect();
    let entity_of = |table: &str| entities.iter().find(|entity| entity.table == table);
    let mut tasks = Vec::new();
    for (table, count) in editing::due_before(&mut connection, &context.days.end()).await? {
        let Some(entity) = entity_of(&table) else { continue };
        let singular = format!("{} scheduled for publication today", entity.singular);
        let plural = format!("{} scheduled for publication today", entity.plural);
        tasks.extend(PendingTask::counted(count, &singular, &plural, format!("/admin/{}", entity.slug())));
    }
    for (entity, count) in table::count_hidden(&mut connection, &entities, edition.id).await? {
        let (singular, plural) = (format!("unpublished {}", entity.singular), format!("unpublished {}", entity.plural));
        let href = format!("/admin/{}?is_published=no", entity.slug());
        tasks.extend(PendingTask::counted(count, &singular, &plural, href));
    }
    Ok(tasks)
}
