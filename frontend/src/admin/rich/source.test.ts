import { Editor } from '@tiptap/core';
import { expect, it } from 'vitest';
import { whole } from './rich-text';
import { extensions } from './schema';
import { lost, tidy } from './source';

/** What the editor makes of a text. */
function through(html: string): string {
  const editor = new Editor({ extensions, content: html, injectCSS: false });
  const out = tidy(editor.getHTML());
  editor.destroy();
  return out;
}

const kept = [
  '<h2>Night</h2><p>Two <strong>bold</strong> and <em>thin</em> words.</p>',
  '<p lang="ml">ഒരു രാത്രി</p><p>The <span lang="ml">കൊട്ടക</span> opens.</p>',
  '<ul><li>one</li><li lang="ml">രണ്ട്<ul><li>deeper</li></ul></li></ul>',
  '<blockquote><p>Quiet, please.</p></blockquote><ol><li>first</li></ol>',
  '<p>See <a href="https://example.org/a?b=1&amp;c=2">this</a> or <a href="/films">that</a>.</p>',
  '<p>Before</p><img src="/media/pictures/0a1b.png?w=1080" alt="A lamp"><p>After</p>',
];

it.each(kept)('a text comes back as it went in: %s', (html) => {
  expect(through(html)).toBe(html);
});

it('says what it would lose, and not what only looks another way', () => {
  const strange = '<table><tbody><tr><td>1</td></tr></tbody></table><figure><img src="/media/a/b.png"></figure>';
  expect(lost(strange, through(strange))).toEqual(expect.arrayContaining(['<table>', '<figure>']));
  const far = '<p><img src="https://elsewhere.test/a.png"></p>';
  expect(lost(far, through(far))).toEqual(['<img>']);
  expect(lost('<p><b>a</b> <span>b</span></p>', through('<p><b>a</b> <span>b</span></p>'))).toEqual([]);
});

it('an address is made whole', () => {
  expect(whole(' example.org/x ')).toBe('https://example.org/x');
  expect(whole('asha@example.org')).toBe('mailto:asha@example.org');
  expect(['/films', 'http://a.test', '#top', ''].map(whole)).toEqual(['/films', 'http://a.test', '#top', '']);
});
