/** The editor of formatted texts, in place of a text area with HTML in it. The text area stays what is sent. */
import { Editor } from '@tiptap/core';
import { Selection } from '@tiptap/pm/state';
import './rich.css';
import { ask, make } from '../window';
import { choosePicture } from './choose-picture';
import { extensions } from './schema';
import { lost, tidy } from './source';
import { type Tool, toolbar } from './toolbar';

/** Puts the editor in place of `area`, unless the text holds what the editor would lose. */
export function richText(area: HTMLTextAreaElement): void {
  const field = area.closest('.field');
  const label = field?.querySelector('label');
  const name = label?.firstChild?.textContent?.trim() ?? 'Text';
  const id = area.id;
  const csrf = area.form?.querySelector<HTMLInputElement>('input[name="csrf"]')?.value ?? '';
  const place = make('div', { class: 'rich' });
  // The problems of a form and the label lead to what is edited. The server says where something is missing:
  // a browser cannot show it at an area that nobody sees.
  area.id = `${id}-source`;
  area.required = false;
  area.hidden = true;
  area.setAttribute('aria-label', `${name} as HTML`);
  area.before(place);

  const described = area.getAttribute('aria-describedby');
  const editor = new Editor({
    element: place,
    extensions,
    content: area.value,
    injectCSS: false,
    editorProps: {
      attributes: {
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': name,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(area.getAttribute('aria-invalid') ? { 'aria-invalid': 'true' } : {}),
      },
      handlePaste: (_, event) => picturesOf(event.clipboardData),
      handleDrop: (_, event, __, inside) => !inside && picturesOf(event.dataTransfer),
    },
    onUpdate: ({ editor }) => {
      area.value = editor.isEmpty ? '' : tidy(editor.getHTML());
      area.dispatchEvent(new Event('input', { bubbles: true }));
    },
  });

  function picturesOf(data: DataTransfer | null): boolean {
    const file = [...(data?.files ?? [])].find((file) => file.type.startsWith('image/'));
    if (file) void putPicture(file);
    return file !== undefined;
  }

  async function putPicture(file?: File) {
    const chosen = await choosePicture(csrf, file, (words) => (note.textContent = words));
    editor.commands.focus();
    if (!chosen) return;
    editor.commands.insertContent({ type: 'picture', attrs: { ...chosen } });
    // What is typed next stands behind the picture, not in its place.
    editor.commands.command(({ tr }) => Boolean(tr.setSelection(Selection.near(tr.doc.resolve(tr.selection.to)))));
  }

  async function putLink() {
    const present: string = editor.getAttributes('link').href ?? '';
    const address = make('input', { id: 'link-address', autocomplete: 'off', value: present, placeholder: 'https://' });
    const content = [make('div', { class: 'field' }, make('label', { for: address.id }, 'Address'), address)];
    const buttons: [string, string][] = [['set', 'Set the link']];
    if (present) buttons.push(['remove', 'Take the link away']);
    const answer = await ask('Link', content, buttons);
    const chain = editor.chain().focus().extendMarkRange('link');
    const href = whole(address.value);
    if (answer === 'remove' || (answer === 'set' && !href)) chain.unsetLink();
    else if (answer === 'set' && editor.state.selection.empty && !present) {
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] });
    } else if (answer === 'set') chain.setLink({ href });
    chain.run();
  }

  /** The text as HTML and back. Words stay where the editor would lose something of it. */
  const note = make('p', { class: 'hint', role: 'status' });
  function source(on: boolean): boolean {
    if (!on) {
      editor.commands.setContent(area.value, { emitUpdate: false });
      const missing = lost(area.value, editor.getHTML());
      if (missing.length > 0) {
        note.textContent = `The editor does not know ${missing.join(', ')}. This text is written as HTML.`;
        return false;
      }
    }
    note.textContent = '';
    area.hidden = !on;
    editor.view.dom.hidden = on;
    bar.hidden = on;
    back.hidden = !on;
    (on ? area : editor.view.dom).focus();
    return true;
  }

  const is = (type: string, attributes?: object) => () => editor.isActive(type, attributes);
  const block = (level?: 2 | 3) => () => {
    const chain = editor.chain().focus();
    (level ? chain.setHeading({ level }) : chain.setParagraph()).run();
  };
  const groups: Tool[][] = [
    [
      { label: 'Paragraph', face: 'Text', run: block(), on: is('paragraph') },
      { label: 'Heading', face: 'Heading', run: block(2), on: is('heading', { level: 2 }) },
      { label: 'Subheading', face: 'Subheading', run: block(3), on: is('heading', { level: 3 }) },
    ],
    [
      { label: 'Bold', face: 'B', run: () => editor.chain().focus().toggleBold().run(), on: is('bold') },
      { label: 'Italic', face: 'I', run: () => editor.chain().focus().toggleItalic().run(), on: is('italic') },
      {
        label: 'Malayalam',
        face: 'മ',
        run: () => editor.chain().focus().toggleMark('language', { lang: 'ml' }).run(),
        on: is('language', { lang: 'ml' }),
      },
      { label: 'Link', face: 'Link', run: () => void putLink(), on: is('link') },
    ],
    [
      {
        label: 'List',
        face: '• List',
        run: () => editor.chain().focus().toggleBulletList().run(),
        on: is('bulletList'),
      },
      {
        label: 'Numbered list',
        face: '1. List',
        run: () => editor.chain().focus().toggleOrderedList().run(),
        on: is('orderedList'),
      },
      {
        label: 'Quote',
        face: 'Quote',
        run: () => editor.chain().focus().toggleBlockquote().run(),
        on: is('blockquote'),
      },
      { label: 'Picture', face: 'Picture', run: () => void putPicture() },
    ],
    [
      { label: 'Undo', face: 'Undo', run: () => editor.chain().focus().undo().run(), can: () => editor.can().undo() },
      { label: 'Redo', face: 'Redo', run: () => editor.chain().focus().redo().run(), can: () => editor.can().redo() },
      { label: 'As HTML', face: 'HTML', run: () => source(true) },
    ],
  ];
  const bar = toolbar(editor, `Formatting of ${name}`, groups);
  const back = make('button', { type: 'button', class: 'button quiet' }, 'Back to the editor');
  back.hidden = true;
  back.addEventListener('click', () => source(false));
  place.prepend(bar);
  place.after(note);
  area.after(back);
  label?.addEventListener('click', () => editor.commands.focus());
  field?.querySelector('[data-source-hint]')?.remove();

  const missing = lost(area.value, editor.getHTML());
  if (missing.length > 0) {
    note.textContent = `This text holds ${missing.join(', ')}, which the editor does not know. It is written as HTML.`;
    area.hidden = false;
    editor.view.dom.hidden = true;
    bar.hidden = true;
    back.hidden = false;
  }
}

/** An address as a link needs it: people leave out how it begins. */
export function whole(address: string): string {
  const trimmed = address.trim();
  if (trimmed === '' || /^(https?:\/\/|mailto:|tel:|\/|#)/i.test(trimmed)) return trimmed;
  if (/^[^\s/@]+@[^\s/@]+$/.test(trimmed)) return `mailto:${trimmed}`;
  return `https://${trimmed}`;
}
