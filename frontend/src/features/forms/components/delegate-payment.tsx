import { useFormsFacts } from '../forms-facts';
import type { Draft } from '../model/draft-store';
import { Payment } from './payment';

/** Payment details for a membership, with the amount of the chosen category. */
export function DelegatePayment({ category, draft }: { category: string; draft: Draft }) {
  const { fees } = useFormsFacts();
  const chosen = fees.memberships.find(({ label }) => label === category);
  return (
    <Payment
      fee={
        chosen ? (
          <>
            {chosen.label}: {chosen.amount_text}
          </>
        ) : (
          'The fee of your category'
        )
      }
      amount={chosen?.amount ?? null}
      amountText={chosen?.amount_text ?? ''}
      note={chosen?.label ?? ''}
      codes
      draft={draft}
    />
  );
}
