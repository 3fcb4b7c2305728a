//! Names that are nearly the same.

use super::super::likeness::fold;
use super::is_near;

#[test]
fn misspelt_names_are_near_and_names_that_differ_in_a_word_are_not() {
    let near = |left: &str, right: &str| is_near(&fold(left), &fold(right));
    assert!(near("Asian Cinema Competition", "Asian Cinemas Competition"));
    assert!(near("Asian Cinema Competition", "Asian Cinema Competiton"));
    assert!(near("Retrospective: Smita Patil", "Retrospective Smitha Patil"));
    assert!(near("Indian Panorama", "Indian Panaroma"));
    assert!(!near("Italian Cinema of Today", "Iranian Cinema of Today"));
    assert!(near("Open Air Screenings", "OpenAir Screenings"));
    assert!(near("Documentarys", "Documentaries") && near("Documentary", "Documentaries"));
    assert!(near("Shorts & Documentaries", "Shorts and Documentaries"));
    assert!(near("The Masters", "Masters") && near("The World Cinema", "World Cinema"));
    assert!(near("Cinema World", "World Cinema") && !near("World Cinema", "World"));
    assert!(!near("Asian Cinema Competition", "Indian Cinema Competition"));
    assert!(!near("Short Films of Kerala 2024", "Short Films of Kerala 2025"));
    assert!(!near("Retrospective: Dr. Rajkumar", "Retrospective: Smita Patil"));
}
