/** Compares and tidies HTML between text area and editor. */

/** Equivalent elements. */
const EQUIVALENT: Record<string, string> = { b: 'strong', i: 'em', del: 's', strike: 's' };
/** Elements without meaning of their own. */
const NEUTRAL = new Set(['p', 'br', 'span', 'div', 'tbody']);

function count(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll('*')) {
    const tag = element.localName;
    const name = EQUIVALENT[tag] ?? (tag === 'span' && element.hasAttribute('lang') ? 'span lang' : tag);
    if (!NEUTRAL.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Returns the elements that occur less often in `after` than in `before`: those that the editor would lose. */
export function lostElements(before: string, after: string): string[] {
  const remaining = count(after);
  return [...count(before)].filter(([name, times]) => (remaining.get(name) ?? 0) < times).map(([name]) => `<${name}>`);
}

/** Tidies the HTML of the editor: removes paragraphs around the only text of list items, and empty ones at the end. */
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
