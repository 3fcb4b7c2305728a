//! Tests of drawn cards: layout, colours, and shaping of text.

use image::{DynamicImage, Rgb, RgbImage};

use super::block::{TextBlock, TextBox};
use super::draw::{self, LEFT, RIGHT};
use super::shaping::{Cut, drawable, shape};
use super::social_card::Branding;
use super::{HEIGHT, SocialCard, WIDTH};

const LIGHT: [u8; 3] = [0xff, 0xe6, 0xa6];

fn branding() -> Branding {
    Branding {
        name: "Velicham".into(),
        full_name: "Velicham International Film Festival".into(),
        dates: "24 to 31 October 2025".into(),
        ordinal: None,
    }
}

fn drawn(card: &SocialCard, picture: Option<&DynamicImage>) -> RgbImage {
    let bytes = draw::draw(card, &branding(), picture).unwrap_or_default();
    let card = image::load_from_memory(&bytes).map(DynamicImage::into_rgb8).unwrap_or_default();
    assert_eq!(card.dimensions(), (WIDTH, HEIGHT));
    card
}

fn differs(pixel: &Rgb<u8>, from: [u8; 3]) -> bool {
    pixel.0.iter().zip(from).any(|(a, b)| a.abs_diff(b) > 40)
}

/// Titles that are hard to lay out.
fn titles() -> Vec<String> {
    vec![
        "Salt".into(),
        "word ".repeat(60),
        "x".repeat(300),
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter".into(),
        "ഇരുപതാമത് അന്താരാഷ്ട്ര ചലച്ചിത്രോത്സവം ".repeat(8),
        "ക്ഷ".repeat(100),
        "Đường về nhà của Nguyễn".into(),
        "😀 Love 🎬 in the time of 👩‍👩‍👧 cinema".into(),
        "الفيلم 2025 (4K) والظل".into(),
        "ا".repeat(200),
        "दिलवाले दुल्हनिया ले जाएंगे ".repeat(6),
        "ಕಾಂತಾರ ಅಧ್ಯಾಯ".into(),
        "映画".into(),
        "\u{0}\u{202e}Turned\u{200b} round".into(),
        "—".into(),
        String::new(),
    ]
}

#[test]
fn malayalam_is_shaped_as_a_browser_shapes_it() {
    // Widths in font units (2000 per em), as measured by Chromium with the same font: shaped, and unshaped.
    let measured = [
        ("ക്ഷ", 2731.0, 4749.0),
        ("ക്ക", 2417.0, 4503.0),
        ("കെ", 2869.0, 4048.0),
        ("കൊ", 3705.0, 4884.0),
        ("ന്റെ", 2899.0, 5868.0),
        ("ചലച്ചിത്രോത്സവം", 12885.0, 22906.0),
        ("സ്വപ്നങ്ങൾ", 9053.0, 14440.0),
        ("പട്ടാളത്തിന്റെ", 10491.0, 19451.0),
        ("സമ്പൂർണ്ണ", 7640.0, 13990.0),
        ("ക്ഷേത്രകല", 8608.0, 13708.0),
    ];
    for (text, width, unshaped) in measured {
        let shaped = shape(Cut::Closed, text).width * 2000.0;
        assert!((shaped - width).abs() < 1.0, "{text}: {shaped}, not {width}");
        assert!(unshaped > shaped, "{text}");
    }
}

#[test]
fn lines_break_only_between_glyph_clusters() {
    let breaks: Vec<usize> = shape(Cut::Closed, "ക്ഷേത്രം").breaks.into_iter().map(|(at, _)| at).collect();
    assert_eq!(breaks, [0, "ക്ഷേ".len()], "two syllables, one break between them");
}

#[test]
fn words_without_glyphs_in_any_font_are_left_out() {
    let drawable_text = |text: &str| drawable(text).unwrap_or_default();
    assert_eq!(drawable_text("Love 🎬❤️ in Đà Nẵng"), "Love in Đà Nẵng");
    assert_eq!(drawable_text("Amour (愛)"), "Amour");
    assert_eq!(drawable_text("Love 😀\u{301} 👨\u{200D}👩 മഴ"), "Love മഴ", "marks and joiners go with their base");
    for whole in [
        "दिलवाले दुल्हनिया",
        "ಫ್ಲೇಮ್ಸ್",
        "பரியேறும் பெருமாள்",
        "శంకరాభరణం",
        "পথের পাঁচালী",
        "ਚੌਥੀ ਕੂਟ",
        "હેલ્લારો",
        "କଳା",
        "Летят журавли",
        "Өмүр",
        "Λόλα",
        "جدایی نادر",
    ] {
        assert_eq!(drawable_text(whole), whole);
    }
    assert_eq!(drawable_text("ﬁlm  \n noir"), "film noir");
    assert_eq!(drawable_text("e\u{301}te\u{301}"), "été");
    for nothing in ["기생충", "映画", "😀", " — ", ""] {
        assert_eq!(drawable(nothing), None, "{nothing}");
    }
}

#[test]
fn text_stays_inside_its_box() {
    for cut in [Cut::Closed, Cut::Text, Cut::Open] {
        for (width, height) in [(448.0, 300.0), (600.0, 110.0), (196.0, 48.0)] {
            for text in titles() {
                let bounds = TextBox { width, height, sizes: (150.0, 24.0) };
                let Some(path) = TextBlock::fit(cut, &text, bounds).and_then(|block| block.path(0.0, 0.0)) else {
                    continue;
                };
                let ink = path.bounds();
                // The ink of a glyph may slightly exceed its advance width.
                let tolerance = 8.0;
                assert!(ink.left() > -tolerance && ink.right() < width + tolerance, "{text}: {ink:?} in {width}");
                assert!(ink.top() > -0.1 && ink.bottom() < height + 0.1, "{text}: {ink:?} in {height}");
            }
        }
    }
}

#[test]
fn text_stays_inside_the_square_crop_of_previews() {
    for title in titles() {
        let card = SocialCard::new(title.clone())
            .above("Documentary Competition")
            .second(Some("ചിത്രങ്ങൾ"))
            .line(Some(title.clone()))
            .line(Some("India, 2025".into()));
        let picture = drawn(&card, None);
        let mut ink = 0;
        for (x, y, pixel) in picture.enumerate_pixels().filter(|(x, y, _)| *x > 275 && *y > 40) {
            if differs(pixel, LIGHT) {
                ink += 1;
                let (left, right) = (LEFT as u32 - 12, RIGHT as u32 + 12);
                assert!((left..right).contains(&x) && (48..600).contains(&y), "{title}: ink at {x}, {y}");
            }
        }
        assert!(ink > 2000, "{title}: {ink} pixels of ink");
    }
}

#[test]
fn card_shows_its_picture_or_falls_back_to_text() {
    let blue = DynamicImage::ImageRgb8(RgbImage::from_pixel(90, 50, Rgb([20, 40, 200])));
    let at = |card: &SocialCard, picture, x, y| drawn(card, picture).get_pixel(x, y).0;
    let is_blue = |pixel: [u8; 3]| pixel[2] > 150 && pixel[0] < 60;
    let poster = SocialCard::new("Salt").poster(Some("posters/a.png".into()));
    assert!(is_blue(at(&poster, Some(&blue), 1190, 620)) && is_blue(at(&poster, Some(&blue), 784, 4)));
    let wide = SocialCard::new("Salt").wide(Some("blogs/a.png".into()));
    assert!(is_blue(at(&wide, Some(&blue), 600, 200)) && !is_blue(at(&wide, Some(&blue), 600, 600)));
    assert!(!is_blue(at(&wide, Some(&blue), 20, 200)), "the picture stays inside the beam");
    for card in [poster, wide] {
        assert_eq!(drawn(&card, None), drawn(&SocialCard::new("Salt"), None), "the same as a card of text");
    }
}

#[test]
fn thin_and_tiny_pictures_are_drawn_too() {
    for (width, height) in [(1, 1), (3000, 1), (1, 3000), (2, 2)] {
        let picture = DynamicImage::new_rgba8(width, height);
        drawn(&SocialCard::new("Salt").poster(Some(String::new())), Some(&picture));
        drawn(&SocialCard::festival().wide(Some(String::new())), Some(&picture));
    }
}

#[test]
fn section_colours_are_used_and_undrawable_titles_are_replaced() {
    let at = |card: &SocialCard, x, y| drawn(card, None).get_pixel(x, y).0;
    let near = |pixel: [u8; 3], tone: [u8; 3]| pixel.iter().zip(tone).all(|(a, b)| a.abs_diff(b) < 12);
    let light = |section| at(&SocialCard::new("Salt").tone(section), 1190, 20);
    assert!(near(light(0), LIGHT) && near(light(1), [0x8f, 0xc3, 0xa5]) && near(light(7), light(1)));
    assert!(near(at(&SocialCard::new("Salt").tone(1), 4, 300), [0x12, 0x48, 0x3c]), "the dark beside the beam");
    let other = SocialCard::new("映画").second(Some("Light"));
    assert_eq!(drawn(&other, None), drawn(&SocialCard::new("Light"), None), "the other title replaces it");
}

#[test]
fn film_card_with_an_undrawable_title_shows_director_or_section() {
    let film = |title: &str, second: Option<&str>, lines: &[&str]| {
        let card = SocialCard::new(title).above("World Cinema").second(second).tone(1);
        lines.iter().fold(card, |card, line| card.line(Some((*line).to_owned())))
    };
    let shows =
        |card: &SocialCard, instead: &SocialCard| assert_eq!(drawn(card, None), drawn(instead, None), "{card:?}");
    shows(&film("기생충", Some("Parasite"), &["봉준호"]), &film("Parasite", None, &[]));
    shows(&film("Parasite", Some("기생충"), &["Bong Joon-ho"]), &film("Parasite", None, &["Bong Joon-ho"]));
    let by_director = film("Bong Joon-ho", None, &["South Korea, 2019"]);
    shows(&film("기생충", None, &["Bong Joon-ho", "South Korea, 2019"]), &by_director);
    shows(&film("寄生上流 2", Some("기생충"), &["봉준호 Bong Joon-ho", "South Korea, 2019"]), &by_director);
    shows(&film("기생충", None, &["봉준호"]), &SocialCard::new("World Cinema").tone(1));
    assert_ne!(drawn(&film("2046", None, &[]), None), drawn(&film("基", None, &[]), None), "digits may be a title");
    assert_eq!(
        drawn(&SocialCard::new("映画 2"), None),
        drawn(&SocialCard::new("😀"), None),
        "else the festival's name"
    );
}

#[test]
fn arabic_is_joined_and_runs_from_right_to_left() {
    // Joined, a word is narrower than its letters one by one.
    let letters: f32 = "كفرناحوم".chars().map(|c| shape(Cut::Closed, &c.to_string()).width).sum();
    assert!(shape(Cut::Closed, "كفرناحوم").width < letters * 0.95);
    let bounds = TextBox { width: 600.0, height: 300.0, sizes: (60.0, 24.0) };
    let ink = |text: &str| {
        TextBlock::fit(Cut::Closed, text, bounds).and_then(|block| block.path(0.0, 0.0)).map(|path| path.bounds())
    };
    let (latin, arabic) = (ink("Salt").unwrap(), ink("ملح").unwrap());
    assert!(latin.left() < 20.0 && arabic.right() > 580.0, "{latin:?} {arabic:?}");
}
