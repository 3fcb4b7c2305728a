import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Style links of every installed font; the file with both axes, if a font has one. */
async function fontLinks() {
  const root = join(here, 'node_modules', '@fontsource-variable');
  const links = [];
  for (const font of await readdir(root)) {
    const files = await readdir(join(root, font));
    const sheet = files.includes('standard.css') ? 'standard.css' : 'index.css';
    links.push(`<link rel="stylesheet" href="${pathToFileURL(join(root, font, sheet))}">`);
  }
  return links.join('');
}

/** Opens the browser that renders everything; `target` is the folder the pictures are written to. */
export async function openStudio(target) {
  const desk = await mkdtemp(join(tmpdir(), 'draw-pictures-'));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  const page = await browser.newPage();
  const fonts = await fontLinks();
  const sheet = join(desk, 'sheet.html');
  await writeFile(sheet, `<!doctype html><meta charset="utf-8">${fonts}<style>*{margin:0}svg{display:block}</style><body></body>`);
  await page.goto(pathToFileURL(sheet).href);

  /** Renders SVG text to PNG bytes. */
  async function shoot(svg, { type = 'png', clear = false } = {}) {
    const [, width, height] = svg.match(/width="(\d+)" height="(\d+)"/).map(Number);
    await page.setViewportSize({ width, height });
    await page.evaluate(async (markup) => {
      document.body.innerHTML = markup;
      // Fonts load when text needs them: wait for them, then fit the text, and wait for fonts that the fitting needs.
      document.body.getBoundingClientRect();
      await document.fonts.ready;
      for (const label of document.querySelectorAll('[data-fit]')) {
        label.setAttribute('font-size', (Number(label.getAttribute('font-size')) * Number(label.dataset.fit)) / label.getBBox().width);
      }
      await document.fonts.ready;
    }, svg);
    const quality = type === 'jpeg' ? { quality: 92 } : {};
    return page.screenshot({ type, ...quality, omitBackground: clear, animations: 'disabled' });
  }

  /** Renders and saves as WebP; the quality steps down until the file is small enough. */
  async function save(name, svg, { limit = 60_000, clear = false } = {}) {
    const pixels = await shoot(svg, { clear });
    const file = join(target, name);
    await mkdir(dirname(file), { recursive: true });
    for (let quality = 76; ; quality -= 6) {
      const bytes = await sharp(pixels).webp({ quality, effort: 5, alphaQuality: 90 }).toBuffer();
      if (bytes.length > limit && quality > 40) continue;
      await writeFile(file, bytes);
      return bytes.length;
    }
  }

  /** Renders and saves as PNG with few colours, for files that other programs must be able to open. */
  async function savePng(name, svg) {
    await write(name, await sharp(await shoot(svg)).png({ palette: true, colours: 64, effort: 9 }).toBuffer());
  }

  /** Prints an HTML document to PDF bytes, with the same fonts. */
  async function print(html, options) {
    const printed = await browser.newPage();
    const source = join(desk, 'print.html');
    await writeFile(source, html.replace('</head>', `${fonts}</head>`));
    await printed.goto(pathToFileURL(source).href);
    await printed.evaluate(() => document.fonts.ready);
    const bytes = await printed.pdf({ printBackground: true, preferCSSPageSize: true, tagged: true, outline: true, ...options });
    await printed.close();
    // The time of printing is the only thing that would differ from run to run.
    return Buffer.from(bytes.toString('latin1').replace(/\(D:\d{14}/g, '(D:20250101000000'), 'latin1');
  }

  /** Writes any other file below the target. */
  async function write(name, bytes) {
    const file = join(target, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }

  async function close() {
    await browser.close();
    await rm(desk, { recursive: true, force: true });
  }
  return { shoot, save, savePng, print, write, close, target };
}
