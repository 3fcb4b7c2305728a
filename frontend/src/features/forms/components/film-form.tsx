import type { ReactNode } from 'react';
import type { FormDescription } from '@/shared/api/generated/forms';
import { Head } from '@/shared/head';
import { Page } from '@/shared/ui/page';
import { useFormsFacts } from '../forms-facts';
import { useFormEndings } from '../hooks/use-form-endings';
import { Facts, Rules } from './facts';
import { Payment } from './payment';
import { PublicForm } from './public-form';

interface FilmFormProps {
  form: FormDescription;
  /** The title in Malayalam. */
  malayalam?: string;
  children?: ReactNode;
}

/** The page of a film submission: introduction, deadline, fees (with another way to pay), and the form. */
export function FilmForm({ form, malayalam, children }: FilmFormProps) {
  const { product, edition, fees } = useFormsFacts();
  const { endings, waiting } = useFormEndings();
  const rupees = `${fees.film_submission_inr} rupees`;
  const fee = form.fee === 'film_or_dollars' ? `${rupees} or ${fees.film_submission_usd} dollars` : rupees;
  return (
    <Page title={form.title} malayalam={malayalam} lead={form.lead}>
      <Head
        title={`${form.title} · ${product.name} ${edition.year}`}
        description={`${form.lead} Submit a film to the ${product.full_name}.`}
      />
      <Facts form={form}>
        {edition.submission_deadline_text && (
          <div>
            <dt>Last Date for Submission</dt>
            <dd>{edition.submission_deadline_text}</dd>
          </div>
        )}
        <div>
          <dt>Entry fee</dt>
          <dd>{fee}</dd>
        </div>
      </Facts>
      <PublicForm
        form={form}
        endings={endings}
        waiting={waiting}
        before={(field, _, draft) => {
          if (field === 'screenshot')
            return (
              <Payment
                fee={fee}
                amount={fees.film_submission_inr}
                amountText={rupees}
                note={`Entry fee, ${form.key} film`}
                utr
                codes
                draft={draft}
              >
                {children}
              </Payment>
            );
          // The rules come before the signature.
          return field === 'name_of_submitter' ? <Rules of={form} /> : null;
        }}
      />
    </Page>
  );
}
