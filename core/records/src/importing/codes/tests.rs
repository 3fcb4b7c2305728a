//! Codes of countries and languages.

use super::{countries, languages};

#[test]
fn country_codes_and_flags_become_names() {
    for (text, expected) in [
        ("IT,FR", "Italy, France"),
        ("IN", "India"),
        ("🇫🇷 France", "France"),
        ("🇫🇷", "France"),
        ("🇫🇷🇧🇪", "France, Belgium"),
        ("Peru- Venezuela", "Peru, Venezuela"),
        ("Guinea-Bissau", "Guinea-Bissau"),
        ("Canada / China", "Canada, China"),
        ("Bosnia and Herzegovina", "Bosnia and Herzegovina"),
        ("Bosnia & Herzegovina", "Bosnia & Herzegovina"),
        ("Spain & Portugal", "Spain, Portugal"),
        ("India and France", "India, France"),
        ("INDIA + FRANCE", "INDIA, FRANCE"),
        ("India-France", "India, France"),
        ("UK–Ireland", "UK, Ireland"),
        ("Trinidad and Tobago", "Trinidad and Tobago"),
        ("Serbia and Montenegro", "Serbia and Montenegro"),
        ("West Germany & France", "West Germany, France"),
        ("D/A/CH", "Germany, Austria, Switzerland"),
        ("F/B", "France, Belgium"),
        ("UK/IRL", "UK, Ireland"),
        ("UK", "UK"),
        ("India | Nepal", "India, Nepal"),
        ("SU", "Soviet Union"),
        ("FRA, IND", "France, India"),
        ("in|np", "India, Nepal"),
        ("FRANCE, USA", "FRANCE, USA"),
        ("France, France, Italy", "France, Italy"),
        ("Congo - Kinshasa", "Congo - Kinshasa"),
        ("France - Congo - Brazzaville", "France, Congo - Brazzaville"),
    ] {
        assert_eq!(countries(text), expected, "{text}");
    }
}

#[test]
fn language_codes_become_names() {
    for (text, expected) in [
        ("ml", "Malayalam"),
        ("EN; fra", "English, French"),
        ("ger/hi", "German, Hindi"),
        ("Ewe, Lao", "Ewe, Lao"),
        ("Hindi, ta", "Hindi, ta"),
        ("no", "no"),
        ("no, sv", "Norwegian, Swedish"),
        ("Hindi | Tamil", "Hindi, Tamil"),
        ("Malayalam & English", "Malayalam, English"),
        ("Malayalam and Tamil", "Malayalam, Tamil"),
        ("Hindi-English", "Hindi, English"),
        ("Old English and Signs", "Old English and Signs"),
    ] {
        assert_eq!(languages(text), expected, "{text}");
    }
}
