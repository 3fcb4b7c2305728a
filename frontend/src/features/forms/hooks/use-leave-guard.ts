import { useEffect, useRef, useState } from 'react';

/** What going on means: following the link, or one more step back. */
interface Next {
  leave: () => void;
  stay: () => void;
}

/** Marks of the two entries that a guarded form has in the browser's history. */
const BELOW = 'below';
const GUARD = 'guard';

/**
 * Asks before unsent work is left: the browser itself where the document goes, our own question where another page of
 * the site would be shown. A step back cannot be stopped, so the form stands twice in the browser's history: going
 * back leads from the upper entry to the lower one, which looks the same, and there the question is asked.
 */
export function useLeaveGuard(active: boolean): { asking: boolean; stay: () => void; leave: () => void } {
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
