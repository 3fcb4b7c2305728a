/** Between the text area's HTML and the editor. */

/** Elements that say the same, and those that say nothing by themselves. */
const SAME: Record<string, string> = { b: 'strong', i: 'em', del: 's', strike: 's' };
const SILENT = new Set(['p', 'br', 'span', 'div', 'tbody']);

function count(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll('*')) {
    const tag = element.localName;
    const name = SAME[tag] ?? (tag === 'span' && element.hasAttribute('lang') ? 'span lang' : tag);
    if (!SILENT.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The elements of `before` that `after` has fewer of: what the editor would lose. */
export function lost(before: string, after: string): string[] {
  const there = count(after);
  return [...count(before)].filter(([name, times]) => (there.get(name) ?? 0) < times).map(([name]) => `<${name}>`);
}

/** The editor's HTML as people write it: no paragraph around the only text of a list item, no empty one at the end. */
export function tidy(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const paragraph of body.querySelectorAll('li > p:first-child')) {
    const others = [...(paragraph.parentElement?.children ?? [])].slice(1);
    if (others.some((other) => !/^(ul|ol)$/.test(other.localName))) continue;
    const lang = paragraph.getAttribute('lang');
    if (lang) paragraph.parentElement?.setAttribute('lang', lang);
    paragraph.replaceWith(...paragraph.childNodes);
  }
  while (body.lastElementChild?.matches('p:empty')) body.lastElementChild.remove();
  return body.innerHTML;
}
