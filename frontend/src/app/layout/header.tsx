import { useSite } from '@/shared/api';
import { Each, When } from '@/shared/template';
import { Wordmark } from '@/shared/ui/wordmark';
import { Dropdown } from './dropdown';
import styles from './header.module.css';
import { MobileMenu } from './mobile-menu';
import { NavLink } from './nav-link';

/** The head of every page: name, menus, what there is to do. */
export function Header() {
  const site = useSite();
  return (
    <header className={styles.header}>
      <a href="/" className={styles.brand} aria-label={`${site.product.name}, home page`}>
        <Wordmark className={styles.name} />
      </a>
      <nav className={styles.nav} aria-label="Main">
        <ul className={styles.list}>
          <Each of={site.menu.header} as="group">
            {(group) => (
              <li>
                <When
                  value={group.items}
                  otherwise={<NavLink href={group.href} label={group.label} className={styles.link} />}
                >
                  <Dropdown group={group} />
                </When>
              </li>
            )}
          </Each>
        </ul>
      </nav>
      <ul className={styles.actions}>
        <Each of={site.menu.actions} as="action">
          {(action) => (
            <li>
              <a href={action.href} className={styles.action}>
                {action.label}
              </a>
            </li>
          )}
        </Each>
      </ul>
      <MobileMenu />
    </header>
  );
}
