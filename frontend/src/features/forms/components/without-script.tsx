import { useSite } from '@/shared/api';
import { When } from '@/shared/template';
import styles from './draft-notice.module.css';

/** What people without JavaScript read: the form is all there, but it cannot be sent. */
export function WithoutScript() {
  const { contact } = useSite();
  return (
    <noscript>
      <p className={styles.notice} data-kind="warning">
        Sending this form needs JavaScript, which is switched off in this browser.{' '}
        <When value={contact.email}>
          {(email) => (
            <>
              You can also write to <a href={`mailto:${email}`}>{email}</a>.
            </>
          )}
        </When>
      </p>
    </noscript>
  );
}
