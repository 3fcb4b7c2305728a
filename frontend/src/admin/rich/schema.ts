/** What a text may hold: what the server keeps of it, no more. */
import { type AnyExtension, Extension, Mark, mergeAttributes, Node } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';

/** The language of a whole block, as it stands in the HTML. */
const BlockLanguage = Extension.create({
  name: 'blockLanguage',
  addGlobalAttributes() {
    return [
      {
        types: ['paragraph', 'heading', 'listItem', 'bulletList', 'orderedList', 'blockquote'],
        attributes: {
          lang: {
            default: null,
            parseHTML: (element: HTMLElement) => element.getAttribute('lang'),
            renderHTML: ({ lang }: { lang?: string | null }) => (lang ? { lang } : {}),
          },
        },
      },
    ];
  },
});

/** Words in another language than those around them: hyphenated, spoken and set as such. */
const Language = Mark.create({
  name: 'language',
  addAttributes() {
    return { lang: { default: 'ml' } };
  },
  parseHTML() {
    return [{ tag: 'span[lang]' }];
  },
  renderHTML({ HTMLAttributes }) {
    return ['span', HTMLAttributes, 0];
  },
});

/** A picture of this site between two paragraphs. */
const Picture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes() {
    return { src: { default: '' }, alt: { default: '' } };
  },
  parseHTML() {
    // Pictures of other sites are not shown: pages load nothing from elsewhere.
    return [{ tag: 'img[src^="/media/"]' }];
  },
  renderHTML({ HTMLAttributes }) {
    return ['img', mergeAttributes(HTMLAttributes)];
  },
});

/** The parts of the editor. */
export const extensions: AnyExtension[] = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: { openOnClick: false, HTMLAttributes: { rel: null, target: null, class: null } },
    dropcursor: { width: 3, color: false },
  }),
  BlockLanguage,
  Language,
  Picture,
];
