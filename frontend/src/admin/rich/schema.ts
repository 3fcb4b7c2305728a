/** Schema of the editor: exactly the elements that the server accepts. */
import { type AnyExtension, Extension, Mark, mergeAttributes, Node } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';

/** Attribute `lang` of a block. */
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

/** Inline text in another language. */
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

/** A picture of this site, as a block. */
const Picture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes() {
    return { src: { default: '' }, alt: { default: '' } };
  },
  parseHTML() {
    // Pictures of other sites are dropped: pages load nothing from third parties.
    return [{ tag: 'img[src^="/media/"]' }];
  },
  renderHTML({ HTMLAttributes }) {
    return ['img', mergeAttributes(HTMLAttributes)];
  },
});

/** The extensions of the editor. */
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
