import * as m from 'framer-motion/m';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { MenuGroup } from '@/shared/api';
import { useMotionReady } from '@/shared/motion';
import { useLocation } from '@/shared/router';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './dropdown.module.css';
import { NavLink } from './nav-link';

const poses = {
  open: { opacity: 1, transform: 'translateY(0px)', transition: { duration: 0.18, ease: 'easeOut' } },
  closed: { opacity: 0, transform: 'translateY(-8px)', transition: { duration: 0.12, ease: 'easeIn' } },
} as const;

/**
 * A menu group of the header. A pointer opens it by hovering, the keyboard with Enter, Space or an arrow; arrow keys
 * move through it and Escape closes it. Without JavaScript the style sheet alone opens it on hover and focus.
 */
export function Dropdown({ group }: { group: MenuGroup }) {
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const { key } = useLocation();
  // Open on this page only: following a link closes the group.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === key;
  // Reset, so that coming back to this page does not open it again.
  if (openAt !== null && !open) setOpenAt(null);
  const setOpen = (open: boolean) => setOpenAt(open ? key : null);
  const ready = useMotionReady();
  // Open, or still closing: it is displayed in both cases.
  const [shown, setShown] = useState(false);
  if (shown !== open && (open || !ready)) setShown(open);

  const focusAt = (index: number) => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>('li a') ?? [])];
    links.at(index < 0 ? -1 : index % links.length)?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(box.current?.querySelectorAll('li a') ?? [])];
    const at = links.indexOf(document.activeElement as Element);
    if (event.key === 'Escape' && open) {
      setOpen(false);
      box.current?.querySelector('button')?.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
      // The list has to be displayed before something in it can get the focus.
      requestAnimationFrame(() => focusAt(at < 0 && event.key === 'ArrowUp' ? -1 : next));
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the control; here the group only listens
    <div
      ref={box}
      className={styles.dropdown}
      data-live={hydrated || undefined}
      onKeyDown={onKeyDown}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setOpen(true)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setOpen(false)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        type="button"
        className={styles.button}
        aria-expanded={open}
        // A mouse has opened it by hovering; its click must not close it again.
        onClick={(event) => setOpen(!open || (event.detail > 0 && matchMedia('(hover: hover)').matches))}
      >
        {group.label}
        <svg viewBox="0 0 12 8" width="12" height="8" aria-hidden="true">
          <path fill="none" stroke="currentColor" strokeWidth="2" d="M1 1l5 5 5-5" />
        </svg>
      </button>
      <m.ul
        className={styles.list}
        data-open={shown || undefined}
        initial={false}
        animate={ready ? poses[open ? 'open' : 'closed'] : undefined}
        onAnimationComplete={() => setShown(open)}
      >
        {group.items.map((entry) => (
          <li key={entry.label}>
            <NavLink href={entry.href} label={entry.label} className={styles.link} />
          </li>
        ))}
      </m.ul>
    </div>
  );
}
