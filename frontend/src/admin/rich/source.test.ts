// @vitest-environment jsdom
import { Editor } from '@tiptap/core';
import { expect, it } from 'vitest';
import { withScheme } from './rich-text';
import { extensions } from './schema';
import { lostElements, tidy } from './source';

/** Returns the HTML after editing without changes. */
function roundTrip(html: string): string {
  const editor = new Editor({ extensions, content: html, injectCSS: false });
  const out = tidy(editor.getHTML());
  editor.destroy();
  return out;
}

const supported = [
  '<h2>Night</h2><p>Two <strong>bold</strong> and <em>thin</em> words.</p>',
  '<p lang="ml">ഒരു രാത്രി</p><p>The <span lang="ml">കൊട്ടക</span> opens.</p>',
  '<ul><li>one</li><li lang="ml">രണ്ട്<ul><li>deeper</li></ul></li></ul>',
  '<blockquote><p>Quiet, please.</p></blockquote><ol><li>first</li></ol>',
  '<p>See <a href="https://example.org/a?b=1&amp;c=2">this</a> or <a href="/films">that</a>.</p>',
  '<p>Before</p><img src="/media/pictures/0a1b.png?w=1080" alt="A lamp"><p>After</p>',
];

it.each(supported)('supported HTML survives a round trip: %s', (html) => {
  expect(roundTrip(html)).toBe(html);
});

it('reports lost elements, but not equivalent ones', () => {
  const unsupported = '<table><tbody><tr><td>1</td></tr></tbody></table><figure><img src="/media/a/b.png"></figure>';
  expect(lostElements(unsupported, roundTrip(unsupported))).toEqual(expect.arrayContaining(['<table>', '<figure>']));
  const external = '<p><img src="https://elsewhere.test/a.png"></p>';
  expect(lostElements(external, roundTrip(external))).toEqual(['<img>']);
  expect(lostElements('<p><b>a</b> <span>b</span></p>', roundTrip('<p><b>a</b> <span>b</span></p>'))).toEqual([]);
});

it('scheme is added to incomplete addresses', () => {
  expect(withScheme(' example.org/x ')).toBe('https://example.org/x');
  expect(withScheme('asha@example.org')).toBe('mailto:asha@example.org');
  expect(['/films', 'http://a.test', '#top', ''].map(withScheme)).toEqual(['/films', 'http://a.test', '#top', '']);
});
