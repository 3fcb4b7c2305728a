/** Titles in many scripts, of one letter, of one very long word, of a whole sentence. */
export const titles: readonly [title: string, lang: string][] = [
  ['FLAMES', 'en'],
  ['K', 'en'],
  ['8½', 'en'],
  ['REPUBLIC OF PIPOLIPINAS', 'en'],
  ['RAVANA RAJYADALLI NAVADAMPATHIGALU', 'en'],
  ['Donaudampfschifffahrtsgesellschaftskapitänswitwe', 'en'],
  ['A Conversation about Everything That Was Left Out of the Film and of the Years in Which Nobody Asked for It', 'en'],
  ['Łódź, Été, Đường về', 'en'],
  ['വെളിച്ചത്തിന്റെ പാതയിൽ', 'ml'],
  ['ചലച്ചിത്രപ്രദർശനോദ്ഘാടനസമ്മേളനത്തോടനുബന്ധിച്ചുള്ള സംവാദങ്ങൾ', 'ml'],
  ['दिलवाले दुल्हनिया ले जाएंगे', 'hi'],
  ['পথের পাঁচালী', 'bn'],
  ['ਚੌਥੀ ਕੂਟ', 'pa'],
  ['હેલ્લારો', 'gu'],
  ['କଳା ଶଙ୍ଖ', 'or'],
  ['பரியேறும் பெருமாள்', 'ta'],
  ['శంకరాభరణం', 'te'],
  ['ಕಾಂತಾರ ಅಧ್ಯಾಯ', 'kn'],
  ['Летят журавли', 'ru'],
  ['Λόλα', 'el'],
  ['كفرناحوم', 'ar'],
  ['جدایی نادر از سیمین', 'fa'],
  ['肖申克的救赎', 'zh'],
  ['アキラ', 'ja'],
  ['기생충', 'ko'],
];

/** A seed of films without posters: a long section with every title and three short ones. */
export function filmList(): string {
  const film = (category: string, name: string, at: number) => `[[films]]
category = "${category}"
name = "${name}"
original_title = ${at % 3 === 0 ? '"ಫ್ಲೇಮ್ಸ್"' : '""'}
director_name = "Director ${at}"
country = "Iran"
year = ${2000 + (at % 26)}
`;
  const sections = ['world', 'asian', 'indian', 'classics'];
  const long = Array.from({ length: 60 }, (_, at) => film('world', titles[at]?.[0] ?? `The Film of Day ${at}`, at));
  const short = sections.slice(1).flatMap((section) => [1, 2].map((at) => film(section, `${section} film ${at}`, at)));
  return `[edition]
year = 2025
ordinal = 20
name = "A festival without posters"
starts_on = 2025-10-24
ends_on = 2025-10-31
submission_deadline = 2025-09-01
${sections.map((section) => `[[categories]]\nslug = "${section}"\nname = "Section ${section}"\n`).join('')}
${[...long, ...short].join('')}`;
}
