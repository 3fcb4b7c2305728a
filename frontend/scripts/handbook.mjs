/** Writes templates of the handbook's chapters (docs/handbook/*.md), a list of them, and copies of their pictures. */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const from = join(root, '../docs/handbook');
const templates = join(root, 'dist/templates/admin');
const pictures = join(root, 'dist/assets/handbook');

await mkdir(join(templates, 'handbook'), { recursive: true });
await mkdir(pictures, { recursive: true });
const chapters = [];
const files = (await readdir(from)).filter((name) => name.endsWith('.md')).sort();
for (const file of files) {
  const [comment, title, ...rest] = (await readFile(join(from, file), 'utf8')).split('\n');
  const screens = /^<!-- screens:(.*)-->$/.exec(comment)?.[1].split(' ').filter(Boolean);
  if (!screens || !title.startsWith('# '))
    throw new Error(`${file}: begins with the screens that it is about, then its title`);
  const name = nameOf(file);
  chapters.push({ name, title: title.slice(2), screens });
  await writeFile(join(templates, 'handbook', `${name}.hbs`), template(await html(rest.join('\n'))));
}
await writeFile(join(templates, 'handbook.json'), JSON.stringify(chapters));
console.log(`${chapters.length} chapters of the handbook`);

/** @param {string} file */
function nameOf(file) {
  const name = /^\d+-(.+)\.md$/.exec(file)?.[1];
  if (!name || !files.includes(file))
    throw new Error(`${file}: is no chapter; chapters are named like 01-first-day.md`);
  return name;
}

/** @param {string} heading */
function slug(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, '')
    .replaceAll(' ', '-');
}

/** @param {string} text */
function template(text) {
  return `{{#> admin/layout}}
<article class="handbook">
<h1>{{frame.title}}</h1>
${text}</article>
{{> admin/partials/chapters}}
{{/admin/layout}}
`;
}

/** @param {string} markdown */
async function html(markdown) {
  for (const [, picture] of markdown.matchAll(/\]\(pictures\/([^)]+)\)/g))
    await copyFile(join(from, 'pictures', picture), join(pictures, picture));
  const addressed = markdown
    .replaceAll('](pictures/', '](/assets/handbook/')
    .replaceAll(/\]\(([^)/#]+\.md)/g, (_, file) => `](/admin/handbook/${nameOf(file)}`);
  return marked
    .parse(addressed, { async: false })
    .replaceAll(/<h2>(.*?)<\/h2>/g, (_, heading) => `<h2 id="${slug(heading)}">${heading}</h2>`)
    .replaceAll('<img ', '<img loading="lazy" ')
    .replaceAll('<table>', '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('{{', '\\{{');
}
