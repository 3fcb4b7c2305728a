/** Editor of formatted texts, in place of a text area with HTML. The text area stays the submitted field. */
import { Editor } from '@tiptap/core';
import { Selection } from '@tiptap/pm/state';
import './rich.css';
import { ask, make } from '../window';
import { choosePicture } from './choose-picture';
import { extensions } from './schema';
import { lostElements, tidy } from './source';
import { type Tool, toolbar } from './toolbar';

/** Replaces `area` by the editor, unless the editor would lose parts of the text. */
export function richText(area: HTMLTextAreaElement): void {
  const field = area.closest('.field');
  const label = field?.querySelector('label');
  const name = label?.firstChild?.textContent?.trim() ?? 'Text';
  const id = area.id;
  const csrf = area.form?.querySelector<HTMLInputElement>('input[name="csrf"]')?.value ?? '';
  const place = make('div', { class: 'rich' });
  // Moves the focus from the text area to the editor.
  const isFocused = document.activeElement === area;
  // Label and error links lead to the editor. `required` is left to the server: a browser cannot show its message at a
  // hidden text area.
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
    const chosen = await choosePicture(csrf, file, (message) => (note.textContent = message));
    editor.commands.focus();
    if (!chosen) return;
    editor.commands.insertContent({ type: 'picture', attrs: { ...chosen } });
    // The next input goes after the picture instead of replacing it.
    editor.commands.command(({ tr }) => Boolean(tr.setSelection(Selection.near(tr.doc.resolve(tr.selection.to)))));
  }

  async function putLink() {
    const present: string = editor.getAttributes('link').href ?? '';
    const address = make('input', { id: 'link-address', autocomplete: 'off', value: present, placeholder: 'https://' });
    const content = [make('div', { class: 'field' }, make('label', { for: address.id }, 'Address'), address)];
    const buttons: [string, string][] = [['set', 'Set link']];
    if (present) buttons.push(['remove', 'Remove link']);
    const answer = await ask('Link', content, buttons);
    const chain = editor.chain().focus().extendMarkRange('link');
    const href = withScheme(address.value);
    if (answer === 'remove' || (answer === 'set' && !href)) chain.unsetLink();
    else if (answer === 'set' && editor.state.selection.empty && !present) {
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] });
    } else if (answer === 'set') chain.setLink({ href });
    chain.run();
  }

  /** Switches between HTML and editor. Stays in HTML if the editor would lose parts of the text. */
  const note = make('p', { class: 'hint', role: 'status' });
  function source(on: boolean): boolean {
    if (!on) {
      editor.commands.setContent(area.value, { emitUpdate: false });
      const missing = lostElements(area.value, editor.getHTML());
      if (missing.length > 0) {
        note.textContent = `The editor does not support ${missing.join(', ')}. Edit this text as HTML.`;
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
      { label: 'Paragraph', icon: 'Text', run: block(), isActive: is('paragraph') },
      { label: 'Heading', icon: 'Heading', run: block(2), isActive: is('heading', { level: 2 }) },
      { label: 'Subheading', icon: 'Subheading', run: block(3), isActive: is('heading', { level: 3 }) },
    ],
    [
      { label: 'Bold', icon: 'B', run: () => editor.chain().focus().toggleBold().run(), isActive: is('bold') },
      { label: 'Italic', icon: 'I', run: () => editor.chain().focus().toggleItalic().run(), isActive: is('italic') },
      {
        label: 'Malayalam',
        icon: 'മ',
        run: () => editor.chain().focus().toggleMark('language', { lang: 'ml' }).run(),
        isActive: is('language', { lang: 'ml' }),
      },
      { label: 'Link', icon: 'Link', run: () => void putLink(), isActive: is('link') },
    ],
    [
      {
        label: 'List',
        icon: '• List',
        run: () => editor.chain().focus().toggleBulletList().run(),
        isActive: is('bulletList'),
      },
      {
        label: 'Numbered list',
        icon: '1. List',
        run: () => editor.chain().focus().toggleOrderedList().run(),
        isActive: is('orderedList'),
      },
      {
        label: 'Quote',
        icon: 'Quote',
        run: () => editor.chain().focus().toggleBlockquote().run(),
        isActive: is('blockquote'),
      },
      { label: 'Picture', icon: 'Picture', run: () => void putPicture() },
    ],
    [
      {
        label: 'Undo',
        icon: 'Undo',
        run: () => editor.chain().focus().undo().run(),
        isEnabled: () => editor.can().undo(),
      },
      {
        label: 'Redo',
        icon: 'Redo',
        run: () => editor.chain().focus().redo().run(),
        isEnabled: () => editor.can().redo(),
      },
      { label: 'Edit HTML', icon: 'HTML', run: () => source(true) },
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

  const missing = lostElements(area.value, editor.getHTML());
  if (missing.length > 0) {
    note.textContent = `The editor does not support ${missing.join(', ')}. Edit this text as HTML.`;
    area.hidden = false;
    editor.view.dom.hidden = true;
    bar.hidden = true;
    back.hidden = false;
  }
  if (isFocused) (missing.length > 0 ? area : editor.view.dom).focus();
}

/** Completes an address that was entered without a scheme. */
export function withScheme(address: string): string {
  const trimmed = address.trim();
  if (trimmed === '' || /^(https?:\/\/|mailto:|tel:|\/|#)/i.test(trimmed)) return trimmed;
  if (/^[^\s/@]+@[^\s/@]+$/.test(trimmed)) return `mailto:${trimmed}`;
  return `https://${trimmed}`;
}
