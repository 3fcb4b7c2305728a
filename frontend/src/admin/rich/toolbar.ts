/** The buttons above a text: one stop for the Tab key, arrows inside, as the pattern "toolbar" of ARIA says. */
import type { Editor } from '@tiptap/core';
import { make } from '../window';

/** A button of the toolbar. */
export interface Tool {
  /** What is read out and shown when it is pointed at. */
  label: string;
  /** What stands on it. */
  face: string;
  run: () => void;
  /** Whether what is under the cursor is like that; a button without it is not one of on and off. */
  on?: () => boolean;
  /** Whether it can do something now. */
  can?: () => boolean;
}

/** Where the focus goes from `at` with this key in a row of `count`; nothing where the key is not one of ours. */
export function moved(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** The toolbar of an editor. It follows what the editor does. */
export function toolbar(editor: Editor, label: string, groups: Tool[][]): HTMLElement {
  const bar = make('div', {
    class: 'tools',
    role: 'toolbar',
    'aria-label': label,
    'aria-controls': editor.view.dom.id,
  });
  const all: { button: HTMLButtonElement; tool: Tool }[] = [];
  for (const tools of groups) {
    const group = make('span', {});
    for (const tool of tools) {
      const button = make('button', { type: 'button', 'aria-label': tool.label, title: tool.label }, tool.face);
      button.addEventListener('click', () => {
        if (button.getAttribute('aria-disabled') !== 'true') tool.run();
      });
      all.push({ button, tool });
      group.append(button);
    }
    bar.append(group);
  }
  const show = () => {
    for (const { button, tool } of all) {
      if (tool.on) button.setAttribute('aria-pressed', String(tool.on()));
      // Not `disabled`: the focus would fall out of the toolbar.
      if (tool.can) button.setAttribute('aria-disabled', String(!tool.can()));
    }
  };
  const stop = (index: number) => {
    for (const [place, { button }] of all.entries()) button.tabIndex = place === index ? 0 : -1;
  };
  bar.addEventListener('keydown', (event) => {
    const at = all.findIndex(({ button }) => button === document.activeElement);
    const to = moved(event.key, at, all.length);
    if (to === undefined) return;
    event.preventDefault();
    stop(to);
    all[to]?.button.focus();
  });
  bar.addEventListener('focusin', (event) => stop(all.findIndex(({ button }) => button === event.target)));
  stop(0);
  show();
  editor.on('transaction', show);
  return bar;
}
