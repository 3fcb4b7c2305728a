// Generates a festival with thousands of films, each with its own poster: a seed file and its pictures.
// Alone: node tests/support/many-films.mjs <folder> [films] [categories], then festival seed <folder>/edition.toml
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { png } from "../faults/support/files.mjs";

const WIDTH = 600;
const HEIGHT = 900;

/** Two colours with a beam between them, unique for each number below ten thousand. */
function poster(number) {
  const stride = WIDTH * 3 + 1;
  const rows = Buffer.alloc(stride * HEIGHT);
  const dark = [number % 64, (number * 7) % 64, (number * 13) % 64];
  const light = [128 + (number % 128), 128 + ((number >> 3) % 128), 64 + ((number * 31) % 192)];
  const foot = WIDTH * (0.3 + (number % 97) / 200);
  for (let y = 0; y < HEIGHT; y++) {
    const row = y * stride;
    const end = Math.round((foot * (y + number % 61)) / HEIGHT);
    for (let x = 0; x < WIDTH; x++) {
      const color = x < end || (x * 7 + y * 3) % (number % 211 + 40) < 3 ? light : dark;
      rows.set(color, row + 1 + x * 3);
    }
  }
  return png(WIDTH, HEIGHT, rows, 3);
}

const sentence = (number) =>
  `In the year of the ${number}th flood a ferryman of ${["Aluva", "Munambam", "Kumbalangi", "Vypin"][number % 4]} carries the last reel of a lost film across the backwaters, and everyone on board remembers another ending. `;

function film(number, category) {
  return `[[films]]
category = "section-${category}"
name = "Film ${number} of the lamp"
original_title = "വിളക്കിന്റെ ചിത്രം ${number}"
director_name = "Director ${number % 997} Menon"
writer_name = "Writer ${number % 499}"
producer_name = "Producer ${number % 301}"
cast_details = "Actor ${number}, Actor ${number + 1}, Actor ${number + 2}"
crew_details = "Camera: Person ${number}; Sound: Person ${number + 3}"
synopsis = "${sentence(number)}${sentence(number + 1)}"
year = ${1950 + (number % 76)}
country = "India"
language = "Malayalam"
duration_minutes = ${60 + (number % 90)}
poster = "posters/${number}.png"
`;
}

/** Writes `edition.toml` and its posters into `folder`; returns the path of the seed file. */
export function manyFilms(folder, films, categories) {
  mkdirSync(join(folder, "posters"), { recursive: true });
  const parts = [`[edition]\nyear = 2025\nordinal = 20\nname = "A festival of ${films} films"\nstarts_on = 2025-10-24\nends_on = 2025-10-31\nsubmission_deadline = 2025-09-01\n`];
  for (let category = 1; category <= categories; category++) {
    parts.push(`[[categories]]\nslug = "section-${category}"\nname = "Section ${category}"\ndescription = "What section ${category} is about."\n`);
  }
  for (let number = 1; number <= films; number++) {
    writeFileSync(join(folder, `posters/${number}.png`), poster(number));
    parts.push(film(number, 1 + (number % categories)));
  }
  const file = join(folder, "edition.toml");
  writeFileSync(file, parts.join("\n"));
  return file;
}

if (process.argv[1] === import.meta.filename) {
  const [folder, films = "2000", categories = "3"] = process.argv.slice(2);
  console.log(manyFilms(folder, Number(films), Number(categories)));
}
