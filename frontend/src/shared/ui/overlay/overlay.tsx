import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './overlay.module.css';

interface OverlayProps {
  /** What the overlay is, for people who do not see it. */
  label: string;
  onClose: () => void;
  /** Where the focus goes afterwards if nothing on the page opened it. */
  focusAfter?: () => HTMLElement | null;
  /**
   * `full` covers the window, its background is what is marked with `data-background`; `window` lies in its middle, `side` slides in, `image` holds a picture alone.
   */
  kind?: 'full' | 'window' | 'side' | 'image';
  children: ReactNode;
}

/**
 * A native modal dialog: the browser keeps the focus inside and gives it back, Escape and a click on the background
 * close it. It is open as long as it is rendered; in the HTML that the server sends it lies open over the page, so that
 * it is there before any script and without one.
 */
export function Overlay({ label, onClose, focusAfter, kind = 'window', children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const hydrated = useHydrated();
  const [sent] = useState(!hydrated);
  const after = useRef(focusAfter);
  const pressed = useRef(false);

  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    const back = after.current;
    // One that the server sent is open, but keeps nothing inside.
    if (element?.open) element.close();
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected)
        opener.focus({ preventScroll: true });
      else back?.()?.focus();
    };
  }, []);

  const isBackground = ({ target }: MouseEvent) =>
    target === dialog.current ||
    (kind === 'full' && target instanceof Element && target.hasAttribute('data-background'));

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the browser's own
    <dialog
      ref={dialog}
      open={sent || undefined}
      data-sent={sent || undefined}
      className={styles.overlay}
      data-kind={kind}
      data-ground="night"
      aria-label={label}
      // Who marks text and lets go outside of it means the text.
      onPointerDown={(event) => {
        pressed.current = isBackground(event);
      }}
      onClick={(event) => {
        if (pressed.current && isBackground(event)) onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.content} data-background>
        {children}
      </div>
    </dialog>
  );
}
