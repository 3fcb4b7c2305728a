import type { SecondLanguage } from './second-language';

const OF_FILE = '(5 MB-യിൽ താഴെ)';
const PICTURE = 'JPEG, PNG അല്ലെങ്കിൽ WebP.';
const DOCUMENT = 'PDF, JPEG, PNG അല്ലെങ്കിൽ WebP.';

/** The film submission form for Malayalam Cinema in Malayalam. U+2060 keeps an ending on the line of its abbreviation. */
export const malayalamTexts: SecondLanguage = {
  lang: 'ml',
  fields: {
    title_original: { label: 'ചിത്രത്തിന്റെ പേര് (യഥാർത്ഥ ഭാഷയിൽ)' },
    title_english: { label: 'ചിത്രത്തിന്റെ പേര് (ഇംഗ്ലീഷിൽ)' },
    film_language: { label: 'ചിത്രത്തിന്റെ ഭാഷ' },
    subtitles: { label: 'ഇംഗ്ലീഷ് സബ്ടൈറ്റിലുകൾ' },
    film_type: { label: 'ചിത്രത്തിന്റെ തരം' },
    is_first_or_second_feature: { label: 'സംവിധായകന്റെ ഒന്നാമത്തെയോ രണ്ടാമത്തെയോ ചിത്രം' },
    duration_minutes: { label: 'ദൈർഘ്യം (മിനിറ്റിൽ)' },
    year_of_production: { label: 'നിർമ്മിച്ച വർഷം' },
    country_of_origin: { label: 'നിർമ്മിച്ച രാജ്യം' },
    technical_features: { label: 'സാങ്കേതിക വിവരങ്ങൾ' },
    origination_format: { label: 'ചിത്രീകരിച്ച ഫോർമാറ്റ്' },
    presentation_format: { label: 'പ്രദർശന ഫോർമാറ്റ്', hint: 'ചിത്രങ്ങൾ DCP-\u2060യിൽ മാത്രമേ പ്രദർശിപ്പിക്കൂ.' },
    producer_name: { label: 'നിർമ്മാതാവിന്റെ പേര്' },
    producer_email: { label: 'നിർമ്മാതാവിന്റെ ഇമെയിൽ' },
    producer_mobile: { label: 'നിർമ്മാതാവിന്റെ മൊബൈൽ നമ്പർ' },
    director_name: { label: 'സംവിധായകന്റെ പേര്' },
    director_email: { label: 'സംവിധായകന്റെ ഇമെയിൽ' },
    director_mobile: { label: 'സംവിധായകന്റെ മൊബൈൽ നമ്പർ' },
    director_photo: { label: `സംവിധായകന്റെ ഫോട്ടോ ${OF_FILE}`, hint: PICTURE },
    biography: { label: 'സംവിധായകന്റെ ജീവചരിത്രക്കുറിപ്പ് (200 വാക്കുകൾ വരെ)' },
    screener_link: {
      label: 'ചിത്രം കാണാനുള്ള ലിങ്ക്',
      hint: 'ജൂറിക്ക് ചിത്രം മുഴുവനായി കാണാൻ കഴിയുന്ന ലിങ്ക്.',
    },
    screener_link_password: { label: 'ലിങ്കിന്റെ പാസ്‌വേഡ് (ഇല്ലെങ്കിൽ NO എന്നു രേഖപ്പെടുത്തും)' },
    synopsis_long: { label: 'വിശദമായ കഥാസംഗ്രഹം (300 വാക്കുകൾ വരെ)' },
    synopsis_short: { label: 'ചുരുക്കിയ കഥാസംഗ്രഹം (100 വാക്കുകൾ വരെ)' },
    stills_link: {
      label: 'നിശ്ചലദൃശ്യങ്ങളുടെ ലിങ്ക്',
      hint: 'അച്ചടിക്കാൻ പറ്റിയ നിലവാരത്തിലുള്ള നിശ്ചലദൃശ്യങ്ങളുടെ ഫോൾഡർ.',
    },
    cast_and_crew: { label: 'അഭിനേതാക്കളും അണിയറപ്രവർത്തകരും' },
    film_poster: { label: `ചിത്രത്തിന്റെ പോസ്റ്റർ ${OF_FILE}`, hint: PICTURE },
    producer_consent: { label: `നിർമ്മാതാവിന്റെ സമ്മതപത്രം ${OF_FILE}`, hint: DOCUMENT },
    documentation: { label: `രേഖകൾ ${OF_FILE}`, hint: DOCUMENT },
    name_of_submitter: { label: 'സമർപ്പിക്കുന്നയാളുടെ പേര്' },
    correspondence_contact: { label: 'ബന്ധപ്പെടാനുള്ള ഫോൺ നമ്പർ' },
    correspondence_email: {
      label: 'ബന്ധപ്പെടാനുള്ള ഇമെയിൽ',
      hint: 'രസീത് ഈ വിലാസത്തിലേക്ക് അയയ്ക്കും.',
    },
    signature: { label: `സമർപ്പിക്കുന്നയാളുടെ ഒപ്പ് ${OF_FILE}`, hint: PICTURE },
    screenshot: { label: `പണമടച്ചതിന്റെ സ്ക്രീൻഷോട്ട് ${OF_FILE}`, hint: PICTURE },
    fee_code: {
      label: 'ഫീസിളവിനുള്ള കോഡ് (ഉണ്ടെങ്കിൽ)',
      hint: 'കോഡിനൊപ്പം അറിയിച്ച തുക മാത്രം അടയ്ക്കുക: QR കോഡിലുള്ളത് മുഴുവൻ ഫീസാണ്. ഒന്നും അടയ്ക്കാനില്ലെങ്കിൽ, ഇളവ് അനുവദിച്ച കത്തിന്റെ ചിത്രം സ്ക്രീൻഷോട്ടിനു പകരം ചേർക്കുക.',
    },
    payment_utr: {
      label: 'പണമടച്ചതിന്റെ UTR നമ്പർ (നിർബന്ധമില്ല)',
      hint: 'ബാങ്കിലെ ഇടപാടുനമ്പർ: UPI-\u2060യിൽ 12 അക്കങ്ങൾ, NEFT-\u2060ൽ 16 അക്ഷരങ്ങൾ, RTGS-\u2060ൽ 22.',
    },
  },
  sections: {
    'Film Details': { title: 'ചിത്രത്തിന്റെ വിവരങ്ങൾ', text: [] },
    'Producer/Director Details': { title: 'നിർമ്മാതാവും സംവിധായകനും', text: [] },
    'Film Information': { title: 'ചിത്രത്തെക്കുറിച്ച്', text: [] },
    Declaration: {
      title: 'സത്യപ്രസ്താവന',
      text: [
        'ഈ ഫോമിൽ പറയുന്നതെല്ലാം സത്യവും പൂർണ്ണവുമാണ്.',
        'നിർമ്മാണക്കമ്പനിയുമായി ബന്ധപ്പെടാനുള്ള വിവരങ്ങൾ മേളയ്ക്ക് കാറ്റലോഗിലും വെബ്സൈറ്റിലും പ്രസിദ്ധീകരിക്കാം.',
        'ഫോൺ നമ്പറുകളും വിലാസങ്ങളും രേഖകളും ചിത്രത്തിന്റെ ലിങ്കും സംഘാടകരും ജൂറിയും മാത്രമേ കാണൂ.',
        'പുരസ്കാരത്തിന്റെ നിയമങ്ങൾ വായിച്ചു, അവ അംഗീകരിക്കുന്നു.',
      ],
    },
    'Payment Verification': {
      title: 'പണമടച്ചതിന്റെ സ്ഥിരീകരണം',
      text: ['QR കോഡ് വഴിയോ UPI ID-\u2060യിലേക്കോ പ്രവേശനഫീസ് അടച്ച ശേഷം സ്ക്രീൻഷോട്ട് ചേർക്കുക.'],
    },
  },
  problems: {
    missing: 'ഇതു പൂരിപ്പിക്കുക.',
    email: 'ഇമെയിൽ വിലാസം ശരിയായി നൽകുക.',
    link: 'https:// എന്നു തുടങ്ങുന്ന വെബ് വിലാസം നൽകുക.',
    size: 'ഫയൽ 5 MB-യിൽ താഴെയായിരിക്കണം.',
    otherFile: 'ഈ ഫയൽ ഇവിടെ ചേർക്കാനാവില്ല. മറ്റൊന്നു തിരഞ്ഞെടുക്കുക.',
    other: 'ഇതു തിരുത്തുക.',
  },
};
