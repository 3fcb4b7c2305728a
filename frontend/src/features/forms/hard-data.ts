import type { FormsFacts } from '@/shared/api/generated/api';
import { hard } from '@/test/hard-texts';

/** What the forms add to the facts of the site. */
export const facts: FormsFacts = {
  fees: {
    memberships: [{ key: 'student', label: hard(3), amount: 500, amount_text: '₹500' }],
    film_submission_inr: 5000,
    film_submission_usd: 60,
    film_submission_text: hard(1),
    science_public: 200,
    science_public_text: '₹200',
  },
  payment: { bank: null, upi: { id: 'x@y', payee: hard(4) } },
};
