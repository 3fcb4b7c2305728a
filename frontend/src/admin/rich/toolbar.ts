/** Toolbar of the editor, as in the ARIA toolbar pattern: one tab stop, arrow keys inside. */
import type { Editor } from '@tiptap/core';
import { make } from '../window';

/** A button of the toolbar. */
export interface Tool {
  /** Accessible name and tooltip. */
  label: string;
  /** Visible text. */
  icon: string;
  run: () => void;
  /** Whether the format is active at the cursor; only for toggle buttons. */
  isActive?: () => boolean;
  /** Whether the button is enabled; always, if missing. */
  isEnabled?: () => boolean;
}

/** Returns the index that gets the focus after `key` in a row of `count` buttons; undefined for other keys. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Creates the toolbar of an editor; its buttons follow the state of the editor. */
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
      const button = make('button', { type: 'button', 'aria-label': tool.label, title: tool.label }, tool.icon);
      button.addEventListener('click', () => {
        if (button.getAttribute('aria-disabled') !== 'true') tool.run();
      });
      all.push({ button, tool });
      group.append(button);
    }
    bar.append(group);
  }
  const update = () => {
    for (const { button, tool } of all) {
      if (tool.isActive) button.setAttribute('aria-pressed', String(tool.isActive()));
      // Not `disabled`: the button would lose the focus.
      if (tool.isEnabled) button.setAttribute('aria-disabled', String(!tool.isEnabled()));
    }
  };
  const setTabStop = (index: number) => {
    for (const [other, { button }] of all.entries()) button.tabIndex = other === index ? 0 : -1;
  };
  bar.addEventListener('keydown', (event) => {
    const current = all.findIndex(({ button }) => button === document.activeElement);
    const next = nextIndex(event.key, current, all.length);
    if (next === undefined) return;
    event.preventDefault();
    setTabStop(next);
    all[next]?.button.focus();
  });
  bar.addEventListener('focusin', (event) => setTabStop(all.findIndex(({ button }) => button === event.target)));
  setTabStop(0);
  update();
  editor.on('transaction', update);
  return bar;
}
