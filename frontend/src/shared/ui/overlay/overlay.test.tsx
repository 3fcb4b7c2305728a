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
    fireEvent.click(screen.getByText('inside'));
    expect(dialog()).not.toBeNull();
    fireEvent.click(dialog());
    expect(dialog()).toBeNull();
  });
});
