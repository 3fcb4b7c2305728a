import { useEffect, useMemo, useRef, useState } from 'react';
import { texts } from '@/shared/api/generated/forms';
import { useNavigate } from '@/shared/router';
import { toast } from '@/shared/ui/toast';
import { loadTools } from '../model/load-tools';
import type { Endings } from './use-public-form';

/**
 * What follows sending of the film forms and the delegate form: a toast, and after a success the confirmation page.
 * While that page cannot be loaded, the form's own page shows the receipt.
 */
export function useFormEndings(): { endings: Endings; waiting: boolean } {
  const navigate = useNavigate();
  const [waiting, setWaiting] = useState(false);
  const here = useRef(true);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const endings = useMemo<Endings>(
    () => ({
      begun: () => void loadTools().then(({ prepareSuccessPage }) => prepareSuccessPage()),
      accepted: async ({ reference }, receipt) => {
        toast('success', texts.success, texts.toast_ms);
        const { leadToSuccessPage } = await loadTools();
        await leadToSuccessPage(receipt, () => setWaiting(true));
        // A user who has gone elsewhere in the meantime stays there.
        if (here.current) navigate('/success', { state: { reference }, replace: true });
      },
      failed: () => toast('error', texts.failure, texts.toast_ms),
    }),
    [navigate],
  );
  return { endings, waiting };
}
