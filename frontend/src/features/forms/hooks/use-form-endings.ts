import { useMemo } from 'react';
import { texts } from '@/shared/api/generated/forms';
import { useNavigate } from '@/shared/router';
import { toast } from '@/shared/ui/toast';
import type { Endings } from './use-public-form';

/** How the film forms and the delegate form end: a toast, and after a success the page that says so. */
export function useFormEndings(): Endings {
  const navigate = useNavigate();
  return useMemo(
    () => ({
      accepted: ({ reference }) => {
        toast('success', texts.success, texts.toast_ms);
        setTimeout(() => navigate('/success', { state: { reference }, replace: true }), texts.redirect_ms);
      },
      failed: () => toast('error', texts.failure, texts.toast_ms),
    }),
    [navigate],
  );
}
