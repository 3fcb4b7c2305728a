/** Copies core's templates of the back office into dist/templates/admin/, with the names of the built styles and script. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminAssets } from './page-assets.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const from = join(root, 'src/admin/templates');
const to = join(root, 'dist/templates/admin');

const manifest = JSON.parse(await readFile(join(root, 'dist/.vite/admin.json'), 'utf8'));
const assets = adminAssets(manifest);
const head = [
  ...assets.fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin>`),
  ...assets.styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
  `<script type="module" src="/${assets.entry}"></script>`,
].join('\n');

let count = 0;
for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.hbs')) continue;
  const path = join(entry.parentPath, entry.name);
  const text = await readFile(path, 'utf8');
  const target = join(to, path.slice(from.length + 1));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text.replace('<!-- assets -->', head));
  count += 1;
}
console.log(`${count} templates of the back office`);
