import { useSite } from '@/shared/api';
import { Wordmark } from '@/shared/ui/wordmark';
import styles from './footer.module.css';

/** The footer of every page: quick links, contact, social links. */
export function Footer() {
  const { product, edition, menu, contact, social } = useSite();
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div>
          <Wordmark className={styles.mark} />
          <p className={styles.name}>{product.full_name}</p>
          <p>{edition.dates_text}</p>
          <p>{`${product.city ? `${product.city}, ` : ''}${product.region}, ${product.country}`}</p>
        </div>
        <nav id="links" aria-label="Quick links">
          <h2 className={styles.title}>Quick links</h2>
          <ul className={styles.links}>
            {menu.footer.map((entry) => (
              <li key={entry.label}>
                <a href={entry.href} className={styles.link}>
                  {entry.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {(contact.address || contact.email || contact.phone_href) && (
          <div>
            <h2 className={styles.title}>Contact</h2>
            <address className={styles.contact}>
              {contact.address && <p>{contact.address}</p>}
              {contact.email && (
                <a href={`mailto:${contact.email}`} className={styles.link}>
                  {contact.email}
                </a>
              )}
              {contact.phone_href && (
                <a href={contact.phone_href} className={styles.link}>
                  {contact.phone}
                </a>
              )}
            </address>
          </div>
        )}
        {social.length > 0 && (
          <div>
            <h2 className={styles.title}>Follow us</h2>
            <ul>
              {social.map((entry) => (
                <li key={entry.label}>
                  <a href={entry.href} className={styles.link} rel="noopener">
                    {entry.label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </footer>
  );
}
