import { createPortal } from 'react-dom';
import { Appear, type Pose } from '@/shared/motion';
import { useHydrated } from '@/shared/use-hydrated';
import { closeToast, type ToastKind, useToasts } from './toast';
import styles from './toast.module.css';

const pose: Pose = {
  from: { opacity: 0, transform: 'translateX(16px)' },
  to: { opacity: 1, transform: 'translateX(0px)', transition: { duration: 0.25, ease: 'easeOut' } },
};

/** Container of toasts: outside the application, so that they outlive the page that shows them. */
export function Toasts() {
  if (!useHydrated()) return null;
  return createPortal(
    <div className={styles.stack}>
      {/* A live region for each kind: screen readers announce additions to an existing region. */}
      <Place kind="error" role="alert" />
      <Place kind="success" role="status" />
    </div>,
    document.body,
  );
}

function Place({ kind, role }: { kind: ToastKind; role: 'alert' | 'status' }) {
  const toasts = useToasts().filter((toast) => toast.kind === kind);
  return (
    <div role={role} className={styles.region}>
      {toasts.map(({ id, text }) => (
        // The click is a shortcut: a toast disappears by itself.
        <Appear as="p" key={id} pose={pose} className={styles.toast} data-kind={kind} onClick={() => closeToast(id)}>
          {text}
        </Appear>
      ))}
    </div>
  );
}
