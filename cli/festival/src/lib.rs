//! The list of modules. A new module needs a line here and a dependency in `Cargo.toml`.

use festival_core::Module;

/// Returns all modules, in the order of the command line's help and of seeding.
pub fn modules() -> Vec<Box<dyn Module>> {
    vec![
        Box::new(festival_festivals::FestivalsModule),
        Box::new(festival_films::FilmsModule),
        Box::new(festival_content::ContentModule),
        Box::new(festival_magazines::MagazinesModule),
        Box::new(festival_forms::FormsModule),
        Box::new(festival_programme::ProgrammeModule),
        Box::new(festival_selection::SelectionModule),
    ]
}
