import { useState } from 'react';
import { useSite } from '@/shared/api';
import { Presence } from '@/shared/motion';
import { useLocation } from '@/shared/router';
import { Overlay } from '@/shared/ui/overlay';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './mobile-menu.module.css';
import { NavLink } from './nav-link';

/** The menu of narrow windows: slides in from the side. Without JavaScript it leads to the links of the footer. */
export function MobileMenu() {
  const hydrated = useHydrated();
  const { key } = useLocation();
  // Open on this page only: following a link closes the menu.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === key;
  // Reset, so that coming back to this page does not open it again.
  if (openAt !== null && !open) setOpenAt(null);

  return (
    <div className={styles.menu}>
      {hydrated ? (
        <button
          type="button"
          className={styles.open}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpenAt(key)}
        >
          Menu
        </button>
      ) : (
        <a href="#links" className={styles.open}>
          Menu
        </a>
      )}
      <Presence of={open}>{() => <MenuPanel onClose={() => setOpenAt(null)} />}</Presence>
    </div>
  );
}

function MenuPanel({ onClose }: { onClose: () => void }) {
  const { menu } = useSite();
  return (
    <Overlay label="Menu" kind="side" onClose={onClose}>
      <nav className={styles.panel} aria-label="Menu">
        <button type="button" className={styles.close} onClick={onClose}>
          Close
        </button>
        <ul>
          {menu.header.map((group) => (
            <li key={group.label}>
              {group.items.length > 0 ? (
                <details>
                  <summary className={styles.link}>{group.label}</summary>
                  <ul className={styles.items}>
                    {group.items.map((entry) => (
                      <li key={entry.label}>
                        <NavLink href={entry.href} label={entry.label} className={styles.link} />
                      </li>
                    ))}
                  </ul>
                </details>
              ) : (
                <NavLink href={group.href} label={group.label} className={styles.link} />
              )}
            </li>
          ))}
          {menu.actions.map((action) => (
            <li key={action.label}>
              <NavLink href={action.href} label={action.label} className={styles.link} />
            </li>
          ))}
        </ul>
      </nav>
    </Overlay>
  );
}
