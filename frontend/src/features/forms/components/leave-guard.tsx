import { useEffect, useRef, useState } from 'react';
import { Presence } from '@/shared/motion';
import { Overlay } from '@/shared/ui/overlay';
import { type DraftStatus, isAllSaved } from '../model/draft-keeper';
import styles from './dialog.module.css';

/** Asks for confirmation before a form is left while `active`: something in it was not sent. */
export function LeaveGuard({ active, saved }: { active: boolean; saved: DraftStatus }) {
  const { asking, stay, leave } = useLeaveGuard(active);
  return <Presence of={asking}>{() => <LeaveQuestion saved={saved} onStay={stay} onLeave={leave} />}</Presence>;
}

interface LeaveQuestionProps {
  saved: DraftStatus;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before a form with unsent entries is left. */
export function LeaveQuestion({ saved, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <Overlay label="Leave this form?" onClose={onStay}>
      <div className={styles.dialog}>
        <h2 className={styles.title}>Leave this form?</h2>
        <p>
          {isAllSaved(saved)
            ? 'It was not sent. Your entries are kept on this device.'
            : saved.entries === 'saved'
              ? 'It was not sent. What you typed is kept on this device, but not every file.'
              : 'It was not sent, and this browser does not keep your entries.'}
        </p>
        <div className={styles.actions}>
          <button type="button" className={styles.action} onClick={onStay}>
            Stay here
          </button>
          <button type="button" className={styles.action} data-kind="quiet" onClick={onLeave}>
            Leave
          </button>
        </div>
      </div>
    </Overlay>
  );
}

/** What leaving means: following the link, or one more step back. */
interface Next {
  leave: () => void;
  stay: () => void;
}

/** Markers of the two entries that a guarded form has in the browser's history. */
const BELOW = 'below';
const GUARD = 'guard';

/**
 * Asks for confirmation before unsent work is left: by the browser's own question if the document is unloaded, by ours
 * if another page of the site would be shown. A step back cannot be stopped, so the form has two entries in the
 * browser's history: going back leads from the upper entry to the lower one, which looks the same, and there the
 * question is asked.
 */
function useLeaveGuard(active: boolean): { asking: boolean; stay: () => void; leave: () => void } {
  const [next, setNext] = useState<Next | null>(null);
  const passing = useRef(false);

  useEffect(() => {
    if (!active) return;
    const here = location.pathname;
    if (markOf(history.state) !== GUARD) {
      history.replaceState({ ...history.state, form: BELOW }, '');
      history.pushState({ ...history.state, form: GUARD }, '');
    }

    const onUnload = (event: BeforeUnloadEvent) => {
      if (!passing.current) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
      if (passing.current || link.pathname === here) return;
      event.preventDefault();
      event.stopPropagation();
      setNext({ leave: () => link.click(), stay: () => {} });
    };
    const onPop = (event: PopStateEvent) => {
      if (passing.current || markOf(event.state) !== BELOW) return;
      setNext({ leave: () => history.back(), stay: () => history.forward() });
    };

    addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, true);
    addEventListener('popstate', onPop);
    return () => {
      removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, true);
      removeEventListener('popstate', onPop);
    };
  }, [active]);

  return {
    asking: next !== null,
    stay: () => {
      setNext(null);
      next?.stay();
    },
    leave: () => {
      setNext(null);
      passing.current = true;
      next?.leave();
    },
  };
}

function markOf(state: unknown): unknown {
  return (state as { form?: unknown } | null)?.form;
}
