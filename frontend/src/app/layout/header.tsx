import { useSite } from '@/shared/api';
import { Wordmark } from '@/shared/ui/wordmark';
import { Dropdown } from './dropdown';
import styles from './header.module.css';
import { MobileMenu } from './mobile-menu';
import { NavLink } from './nav-link';

/** The header of every page: name, menus, calls to action. */
export function Header() {
  const site = useSite();
  return (
    <header className={styles.header}>
      <a href="/" className={styles.brand} aria-label={`${site.product.name}, home page`}>
        <Wordmark className={styles.name} />
      </a>
      <nav className={styles.nav} aria-label="Main">
        <ul className={styles.list}>
          {site.menu.header.map((group) => (
            <li key={group.label}>
              {group.items.length > 0 ? (
                <Dropdown group={group} />
              ) : (
                <NavLink href={group.href} label={group.label} className={styles.link} />
              )}
            </li>
          ))}
        </ul>
      </nav>
      <ul className={styles.actions}>
        {site.menu.actions.map((action) => (
          <li key={action.label}>
            <a href={action.href} className={styles.action}>
              {action.label}
            </a>
          </li>
        ))}
      </ul>
      <MobileMenu />
    </header>
  );
}
