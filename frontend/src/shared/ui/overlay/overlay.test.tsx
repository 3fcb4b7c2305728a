import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { Overlay } from '.';

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      {open ? (
        <Overlay label="Details" onClose={() => setOpen(false)}>
          <p>inside</p>
        </Overlay>
      ) : null}
    </>
  );
}

beforeEach(() => {
  render(<Opener />);
  const opener = screen.getByText('open');
  opener.focus();
  fireEvent.click(opener);
});

const dialog = () => document.querySelector('dialog') as HTMLDialogElement;

const click = (element: Element) => {
  fireEvent.pointerDown(element);
  fireEvent.click(element);
};

describe('an overlay', () => {
  it('is a named modal dialog', () => {
    expect(dialog().open).toBe(true);
    expect(dialog().getAttribute('aria-label')).toBe('Details');
  });

  it('closes with Escape and gives the focus back', () => {
    // The browser turns Escape into this event.
    fireEvent(dialog(), new Event('cancel', { cancelable: true }));
    expect(dialog()).toBeNull();
    expect(document.activeElement).toBe(screen.getByText('open'));
  });

  it('closes with a click on the background, not with one inside', () => {
    click(screen.getByText('inside'));
    expect(dialog()).not.toBeNull();
    click(dialog());
    expect(dialog()).toBeNull();
  });

  it('stays open when a text selection ends outside', () => {
    fireEvent.pointerDown(screen.getByText('inside'));
    fireEvent.click(dialog());
    expect(dialog()).not.toBeNull();
  });
});
