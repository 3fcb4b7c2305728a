//! Titles by the Digital Cinema Naming Convention: `RainRoad_FTR-1_F_ML-EN_IN-UA16_51_2K_XX_20261101_XX_SMPTE_OV`.

use super::language;

/// What a title says. One that does not follow the convention is the title of the film.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ContentTitle {
    /// The film, as one word of at most 14 characters: "RainRoad".
    pub(super) film: String,
    /// Whether it follows the convention.
    pub(super) is_conventional: bool,
    /// Whether it is of a trailer or a teaser.
    pub(super) is_trailer: bool,
    /// Languages of the subtitles, also of those in the picture.
    pub(super) subtitles: Vec<String>,
    /// The rating in India, as it is written there: "UA 16+".
    pub(super) rating: Option<String>,
    /// "2K" or "4K".
    pub(super) resolution: Option<String>,
    /// "OV", the original version, or "VF", a version that needs it.
    pub(super) package: Option<String>,
}

/// Kinds of content, before a version: "FTR-1".
const KINDS: [&str; 17] = [
    "FTR", "EPS", "TLR", "TSR", "PRO", "TST", "RTG", "SHR", "ADV", "XSN", "PSA", "POL", "CLP", "STR", "HLT", "EVT",
    "NEWS",
];
/// Words among the languages that are none.
const NO_LANGUAGES: [&str; 4] = ["XX", "CCAP", "OCAP", "NULL"];
/// Territories that are no languages: India and all of the world.
const TERRITORIES: [&str; 2] = ["IN", "INT"];

impl ContentTitle {
    pub(super) fn read(text: &str) -> Self {
        let parts: Vec<&str> = text.trim().split('_').collect();
        // Some write underscores between the words of the film's title, too.
        let is_kind = |index: &usize| {
            let may_be = *index == 1 || index + 1 < parts.len();
            may_be && KINDS.contains(&parts[*index].split('-').next().unwrap_or_default())
        };
        let Some(kind) = (1..parts.len()).find(is_kind) else {
            return Self { film: text.trim().to_owned(), ..Self::default() };
        };
        let mut rest = parts[kind + 1..].iter().copied().peekable();
        rest.next_if(|part| matches!(part.split('-').next(), Some("F" | "S" | "C")));
        let languages = rest.next_if(|part| is_language(part));
        let territory = rest.next_if(|part| part.split('-').next().is_some_and(|code| is_code(code, 2..=3)));
        let others: Vec<&str> = rest.collect();
        let find = |known: [&str; 2]| {
            let found = others.iter().find(|part| known.contains(&part.split('-').next().unwrap_or_default()));
            found.map(|part| (*part).to_owned())
        };
        let subtitles = languages.iter().flat_map(|part| part.split('-').skip(1));
        Self {
            film: parts[..kind].join(" "),
            is_conventional: true,
            is_trailer: ["TLR", "TSR"].iter().any(|code| parts[kind].starts_with(code)),
            subtitles: subtitles.filter(|code| !NO_LANGUAGES.contains(code)).map(language::name).collect(),
            // "ML_IN-UA": a language without subtitles looks like a territory.
            rating: territory.iter().chain(others.first()).find_map(|part| indian_rating(part.strip_prefix("IN-")?)),
            resolution: find(["2K", "4K"]),
            package: find(["OV", "VF"]),
        }
    }
}

fn is_code(text: &str, length: std::ops::RangeInclusive<usize>) -> bool {
    length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// "ML-EN": the language of the sound, then those of the subtitles, in small letters if they are in the picture.
fn is_language(part: &str) -> bool {
    let mut codes = part.split('-');
    let is_subtitle = |code: &str| (2..=4).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphabetic());
    codes.next().is_some_and(|sound| is_code(sound, 2..=3) && !TERRITORIES.contains(&sound))
        && part.contains('-')
        && codes.all(is_subtitle)
}

/// The categories of the Central Board of Film Certification; "UA" alone is from before November 2024.
fn indian_rating(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    match &*plain {
        "U" | "UA" | "A" | "S" => Some(plain),
        "UA7" | "UA13" | "UA16" => Some(format!("UA {}+", &plain[2..])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_the_naming_convention_are_read() {
        let read = ContentTitle::read("RainRoad_FTR-1_F_ML-EN_IN-UA16_51_2K_KSFD_20261101_QUB_SMPTE_OV");
        let expected = ContentTitle {
            film: "RainRoad".into(),
            is_conventional: true,
            is_trailer: false,
            subtitles: vec!["English".into()],
            rating: Some("UA 16+".into()),
            resolution: Some("2K".into()),
            package: Some("OV".into()),
        };
        assert_eq!(read, expected);
        let subtitles = |title| ContentTitle::read(title).subtitles;
        assert_eq!(subtitles("Rain_FTR_S-239_ML-XX_IN_51_2K_OV"), [""; 0]);
        assert_eq!(subtitles("Rain_FTR-2-25_C_TA-en-FR-CCAP_51_4K_VF-1"), ["English", "French"]);
        assert_eq!(subtitles("Rain_FTR_F_ML-NULL_NULL_51_2K_NULL_20261101_NULL_SMPTE_OV"), [""; 0]);
        assert_eq!(subtitles("Rain_FTR_F_ML-QBP_BR-14_51_2K_OV"), ["Portuguese"]);
        // Underscores in the title of the film.
        let film = ContentTitle::read("The_Rain_Road_FTR-1_S_ML-EN_IN-U_51_2K_OV");
        assert_eq!((film.film.as_str(), film.subtitles), ("The Rain Road", vec!["English".to_owned()]));
        // Without a part for the languages, the territory is none.
        assert_eq!(subtitles("Rain_SHR_F_IN-UA_51_OV"), [""; 0]);
    }

    #[test]
    fn indian_ratings_of_both_rules_are_read() {
        let rating = |part| ContentTitle::read(&format!("Rain_FTR_F_ML-EN_{part}_51_2K_OV")).rating;
        for (part, read) in [("U", "U"), ("UA", "UA"), ("UA7", "UA 7+"), ("UA13+", "UA 13+"), ("A", "A"), ("S", "S")] {
            assert_eq!(rating(format!("IN-{part}")).as_deref(), Some(read), "{part}");
        }
        assert_eq!(ContentTitle::read("Rain_FTR_F_ML_IN-UA_51_2K_OV").rating.as_deref(), Some("UA"));
        assert_eq!([rating("IN".into()), rating("IN-UA12".into()), rating("INT-TD".into())], [None, None, None]);
    }

    #[test]
    fn other_titles_are_those_of_films() {
        for title in ["The Rain Road", "Rain_Road", "Rain_Road_FTR"] {
            let read = ContentTitle::read(title);
            assert_eq!((read.film.as_str(), read.is_conventional), (title, false));
        }
    }
}
