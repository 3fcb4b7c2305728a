import { useIsPresent } from 'framer-motion';
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Appear, type Pose, Pullable } from '@/shared/motion';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './overlay.module.css';

interface OverlayProps {
  /** Accessible name. */
  label: string;
  onClose: () => void;
  /** Where the focus goes afterwards if nothing on the page opened it. */
  focusAfter?: () => HTMLElement | null;
  /**
   * `full` covers the window, with elements marked `data-background` as its background; `window` is centred, `side`
   * slides in, `image` contains only a picture.
   */
  kind?: 'full' | 'window' | 'side' | 'image';
  /** Whether a finger can pull it down and away; see `usePulling`. */
  pulled?: boolean;
  children: ReactNode;
}

const fade: Pose = {
  // Late, so that a poster that flies away over it stays visible.
  from: { opacity: 0, transition: { duration: 0.26, ease: [0.7, 0, 1, 0.6] } },
  to: { opacity: 1, transition: { duration: 0.2 } },
};

const poses: Record<NonNullable<OverlayProps['kind']>, Pose> = {
  full: fade,
  window: fade,
  side: {
    from: { transform: 'translateX(100%)', transition: { duration: 0.2, ease: 'easeIn' } },
    to: { transform: 'translateX(0%)', transition: { duration: 0.3, ease: 'easeOut' } },
  },
  image: {
    from: { opacity: 0, transform: 'scale(0.94)', transition: { duration: 0.15, ease: 'easeIn' } },
    to: { opacity: 1, transform: 'scale(1)', transition: { duration: 0.25, ease: 'easeOut' } },
  },
};

/**
 * A native modal dialog over a shade: the browser keeps the focus inside and restores it afterwards, Escape and a click
 * on the background close it. It is open as long as it is rendered, inside `<Presence>` until it has animated out; in
 * the HTML that the server sends it is open over the page, so that it works before any script and without one.
 */
export function Overlay({ label, onClose, focusAfter, kind = 'window', pulled = false, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const hydrated = useHydrated();
  const [sent] = useState(!hydrated);
  const after = useRef(focusAfter);
  const close = useRef(onClose);
  const pressed = useRef(false);
  /** Open in the HTML that the server sent, before hydration. */
  const unmet = useRef(sent);
  /** It was closed before hydration. */
  const closed = useRef(false);
  const present = useIsPresent();

  useLayoutEffect(() => {
    const element = dialog.current;
    closed.current = unmet.current && !element?.open;
    if (closed.current) return;
    unmet.current = false;
    const opener = document.activeElement;
    const back = after.current;
    // An overlay that the server sent is open, but not modal.
    if (element?.open) element.close();
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected)
        opener.focus({ preventScroll: true });
      else back?.()?.focus();
    };
  }, []);

  useEffect(() => {
    if (closed.current) close.current();
  }, []);

  const isBackground = ({ target }: MouseEvent) =>
    target === dialog.current ||
    (target instanceof Element && target.matches(kind === 'full' ? '[data-background]' : '[data-shade]'));

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the browser's own
    <dialog
      ref={dialog}
      open={sent || undefined}
      className={styles.overlay}
      data-kind={kind}
      aria-label={label}
      // Ignores clicks while closing.
      inert={!present}
      // A text selection that ends outside is not a click on the background.
      onPointerDown={(event) => {
        pressed.current = isBackground(event);
      }}
      onClick={(event) => {
        if (present && pressed.current && isBackground(event)) onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (present) onClose();
      }}
    >
      <Appear pose={fade} className={styles.shade} data-shade />
      {pulled ? (
        <Pullable pose={poses[kind]} onPulled={onClose} className={styles.content} data-surface="night" data-background>
          {children}
        </Pullable>
      ) : (
        <Appear pose={poses[kind]} className={styles.content} data-surface="night" data-background>
          {children}
        </Appear>
      )}
    </dialog>
  );
}
