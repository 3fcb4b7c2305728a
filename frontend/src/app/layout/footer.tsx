import { useSite } from '@/shared/api';
import { Each, When } from '@/shared/template';
import { Wordmark } from '@/shared/ui/wordmark';
import styles from './footer.module.css';

/** The foot of every page: quick links, contact, social links. */
export function Footer() {
  const { product, edition, menu, contact, social } = useSite();
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div>
          <Wordmark className={styles.mark} />
          <p className={styles.name}>{product.full_name}</p>
          <p>{edition.dates_text}</p>
          <p>
            {product.city}, {product.region}, {product.country}
          </p>
        </div>
        <nav id="links" aria-label="Quick links">
          <h2 className={styles.title}>Quick links</h2>
          <ul className={styles.links}>
            <Each of={menu.footer} as="entry">
              {(entry) => (
                <li>
                  <a href={entry.href} className={styles.link}>
                    {entry.label}
                  </a>
                </li>
              )}
            </Each>
          </ul>
        </nav>
        <div>
          <h2 className={styles.title}>Contact</h2>
          <address className={styles.contact}>
            <When value={contact.address}>{(address) => <p>{address}</p>}</When>
            <When value={contact.email}>
              {(email) => (
                <a href={`mailto:${email}`} className={styles.link}>
                  {email}
                </a>
              )}
            </When>
            <When value={contact.phone}>
              {(phone) => (
                <a href={`tel:${phone}`} className={styles.link}>
                  {phone}
                </a>
              )}
            </When>
          </address>
        </div>
        <When value={social}>
          <div>
            <h2 className={styles.title}>Follow us</h2>
            <ul>
              <Each of={social} as="entry">
                {(entry) => (
                  <li>
                    <a href={entry.href} className={styles.link} rel="noopener">
                      {entry.label}
                    </a>
                  </li>
                )}
              </Each>
            </ul>
          </div>
        </When>
      </div>
    </footer>
  );
}
