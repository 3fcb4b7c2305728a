// Writes the names of months, weekdays, periods of the day and units of time in the languages whose headers the imports know,
// from the CLDR data of Node: node tests/support/date-names.mjs > core/records/src/importing/date_names.txt
const languages = ['en', 'en-GB', 'de', 'de-AT', 'fr', 'es', 'it', 'pt', 'pt-PT', 'ru', 'tr', 'ar', 'ar-LB', 'ar-MA', 'zh', 'zh-Hant', 'ja', 'ko',
  'hi', 'ml', 'ta'];
const found = { month: new Map(), weekday: new Map(), period: new Map(), word: new Map(), unit: new Map(), and: new Map() };
const seconds = { hour: 3600, minute: 60, second: 1 };

function add(kind, name, value) {
  const plain = name.trim().toLowerCase();
  if (plain && !/\p{N}/u.test(plain)) {
    const values = found[kind].get(plain) ?? new Set();
    found[kind].set(plain, values.add(value));
  }
}

function parts(language, options, date) {
  const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn', ...options });
  return format.formatToParts(date);
}

for (const language of languages) {
  for (const width of ['long', 'short']) {
    for (let month = 1; month <= 12; month += 1) {
      const date = new Date(Date.UTC(2026, month - 1, 12));
      // Names differ alone and beside a day: декабрь, 12 декабря.
      for (const options of [{ month: width }, { month: width, day: 'numeric' }, { month: width, day: 'numeric', year: 'numeric' }])
        for (const { type, value } of parts(language, options, date)) if (type === 'month') add('month', value, month);
    }
    for (let day = 1; day <= 7; day += 1) {
      // 1 June 2026 is a Monday.
      const date = new Date(Date.UTC(2026, 5, day));
      for (const options of [{ weekday: width }, { weekday: width, day: 'numeric', month: 'long' }])
        for (const { type, value } of parts(language, options, date)) if (type === 'weekday') add('weekday', value, day);
    }
  }
  for (let hour = 0; hour < 24; hour += 1) {
    const date = new Date(Date.UTC(2026, 0, 1, hour));
    const periods = ['long', 'short'].map((dayPeriod) => ({ hour: 'numeric', hour12: true, dayPeriod }));
    for (const options of [{ hour: 'numeric', hour12: true }, ...periods])
      for (const { type, value } of parts(language, options, date)) if (type === 'dayPeriod') add('period', value, hour);
  }
  // The words between the parts: "12 de diciembre de 2026", "20 Uhr".
  for (const options of [{ dateStyle: 'full' }, { dateStyle: 'long' }, { timeStyle: 'short' }, { hour: 'numeric' },
    { dateStyle: 'full', timeStyle: 'short' }])
    for (const { type, value } of parts(language, options, new Date(Date.UTC(2026, 11, 12, 20, 30))))
      if (type === 'literal') for (const word of value.match(/[\p{L}\p{M}]+/gu) ?? []) add('word', word, '');
  // Numbers of which one or the other needs each form of a plural.
  for (const unit of Object.keys(seconds)) for (const unitDisplay of ['long', 'short']) for (const number of [1, 2, 3, 5, 11])
    for (const { type, value } of new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).formatToParts(number))
      if (type === 'unit') add('unit', value, seconds[unit]);
  for (const { type, value } of new Intl.ListFormat(language, { type: 'conjunction' }).formatToParts(['', '']))
    if (type === 'literal') for (const word of value.match(/[\p{L}\p{M}]+/gu) ?? []) add('and', word, '');
}

console.log(`# Names of months, weekdays (1 is Monday), periods of the day (with their hours) and units of time (in seconds), and words around
# them in dates and between them. Generated from CLDR ${process.versions.cldr} by tests/support/date-names.mjs; not edited by hand.`);
const values = { month: Array.from({ length: 12 }, (_, index) => index + 1), weekday: [1, 2, 3, 4, 5, 6, 7], unit: [3600, 60, 1] };
for (const kind of ['month', 'weekday', 'unit']) {
  for (const value of values[kind]) {
    const names = [...found[kind]].filter(([, meanings]) => meanings.has(value)).map(([name, meanings]) => {
      if (meanings.size > 1) throw new Error(`${name} is more than one ${kind}`);
      return name;
    });
    console.log(`${kind} ${value}: ${names.join(', ')}`);
  }
}
for (const [name, hours] of found.period) console.log(`period ${[...hours].sort((a, b) => a - b).join(' ')}: ${name}`);
for (const kind of ['word', 'and']) console.log(`${kind}: ${[...found[kind].keys()].join(', ')}`);
