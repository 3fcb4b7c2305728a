import { useSite } from '@/shared/api';
import { Payment } from './payment';

/** Where to pay for a membership: the amount is that of the category which is chosen. */
export function DelegatePayment({ category }: { category: string }) {
  const { fees } = useSite();
  // Before the browser has a choice the list is not looked at.
  const chosen = category ? fees.memberships.find(({ label }) => label === category) : undefined;
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
      note={chosen?.label ?? ''}
    />
  );
}
