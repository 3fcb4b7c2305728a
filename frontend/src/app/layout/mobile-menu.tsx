import { useState } from 'react';
import { useSite } from '@/shared/api';
import { useLocation } from '@/shared/router';
import { Each, When } from '@/shared/template';
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
  // Forgotten, so that coming back to this page does not open it again.
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
      {open ? <MenuPanel onClose={() => setOpenAt(null)} /> : null}
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
          <Each of={menu.header} as="group">
            {(group) => (
              <li className={styles.group}>
                <When
                  value={group.items}
                  otherwise={<NavLink href={group.href} label={group.label} className={styles.link} />}
                >
                  <details>
                    <summary className={styles.link}>{group.label}</summary>
                    <ul className={styles.items}>
                      <Each of={group.items} as="entry">
                        {(entry) => (
                          <li>
                            <NavLink href={entry.href} label={entry.label} className={styles.link} />
                          </li>
                        )}
                      </Each>
                    </ul>
                  </details>
                </When>
              </li>
            )}
          </Each>
          <Each of={menu.actions} as="action">
            {(action) => (
              <li>
                <NavLink href={action.href} label={action.label} className={styles.link} />
              </li>
            )}
          </Each>
        </ul>
      </nav>
    </Overlay>
  );
}
