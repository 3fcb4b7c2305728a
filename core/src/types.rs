//! Writes the TypeScript types of API responses for the frontend, generated from the Rust types.

use std::collections::BTreeMap;
use std::path::Path;

use festival_web::pattern::Pattern;
use festival_web::types::Declarations;
pub use festival_web::types::declaration;

use crate::registry::Registry;
use festival_base::error::{ErrorBody, Result};

/// Writes the types of every endpoint into `directory`, also those of modules that are switched off.
///
/// # Errors
/// If two types have the same name, or a file cannot be written.
pub fn write_all(registry: &Registry, directory: &Path) -> Result<()> {
    let mut api = Declarations::default();
    api.add::<ErrorBody>();
    let contributions = registry.contributions();
    contributions.iter().flat_map(|c| &c.site.endpoints).for_each(|endpoint| (endpoint.types)(&mut api));
    contributions.iter().flat_map(|c| &c.site.facts).for_each(|facts| (facts.types)(&mut api));
    contributions.iter().flat_map(|c| &c.site.posts).for_each(|post| (post.types)(&mut api));
    // The first line of each file is replaced by the note that all generated files have.
    std::fs::write(directory.join("api.ts"), format!("\n{}", api.print()?))?;
    for (name, print) in contributions.iter().flat_map(|c| &c.types) {
        std::fs::write(directory.join(name), print())?;
    }
    std::fs::write(directory.join("page-data.ts"), page_data(registry)?)?;
    Ok(std::fs::write(directory.join("modules.ts"), module_names(registry))?)
}

/// The names of the modules, which come after core.
fn module_names(registry: &Registry) -> String {
    let names = registry.contributions().iter().skip(1).map(|contribution| format!("\"{}\"", contribution.module));
    let names: Vec<String> = names.collect();
    format!("\n/** The modules that can be switched off. */\nexport type ModuleName = {};\n", names.join(" | "))
}

/// The API responses that each page shows, by its template, for the frontend to fetch before it shows the page.
/// Responses for each element of a list are left out, because only the list says which there are; so is the home page,
/// to which every module adds.
fn page_data(registry: &Registry) -> Result<String> {
    let pages = registry.contributions().iter().flat_map(|contribution| &contribution.site.pages);
    let pages = pages.filter(|page| page.path != Pattern::new("/"));
    let data = pages.map(|page| (page.template, page.first_data())).filter(|(_, data)| !data.is_empty());
    let data: BTreeMap<&str, Vec<String>> = data.collect();
    let data = serde_json::to_string_pretty(&data)?;
    Ok(format!(
        "\n/** What a page shows, by its template: paths of the API with the parameters of its address. */\n\
         export const pageData: Record<string, string[]> = {data};\n"
    ))
}
