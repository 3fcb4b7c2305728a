//! The module `programme` needs films.

use festival::modules;
use festival_cli::embedded;
use festival_core::Registry;
use festival_core::settings::Settings;

use crate::support::switch_off;

#[test]
fn programme_without_films_is_reported() {
    let mut settings = Settings::default();
    switch_off(&mut settings, "films");
    let problems = |settings: &Settings| Registry::collect(settings, &modules()).check(embedded::FRONTEND);
    let texts: Vec<String> = problems(&settings).into_iter().map(|problem| problem.message).collect();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("modules.programme: it refers to films, and the module films is switched off")),
        "{texts:?}"
    );
    switch_off(&mut settings, "programme");
    assert_eq!(problems(&settings), []);
}
