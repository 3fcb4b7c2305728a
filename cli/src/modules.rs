//! THE list of modules. A new module is its folder, a line here and a dependency.

use festival_core::Module;

/// Every module, in the order in which menus of the command line and seeds take them.
pub fn modules() -> Vec<Box<dyn Module>> {
    vec![
        Box::new(festival_festivals::FestivalsModule),
        Box::new(festival_films::FilmsModule),
        Box::new(festival_content::ContentModule),
        Box::new(festival_magazines::MagazinesModule),
        Box::new(festival_forms::FormsModule),
    ]
}
