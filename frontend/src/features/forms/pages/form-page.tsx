import { useSite } from '@/shared/api';
import { delegate as form } from '@/shared/api/generated/form-delegate';
import { Head } from '@/shared/head';
import { Page } from '@/shared/ui/page';
import { DelegatePayment } from '../components/delegate-payment';
import { MembershipInput } from '../components/membership-input';
import { PublicForm } from '../components/public-form';
import { useFormEndings } from '../hooks/use-form-endings';

/** Registration as delegate or member. */
export default function FormPage() {
  const { product, edition } = useSite();
  const { endings, waiting } = useFormEndings();
  const title = fillIn(form.title, { product: product.name, year: `${edition.year}` });
  return (
    <Page title={title} lead={form.lead}>
      <Head
        title={`Delegate / member form · ${product.name} ${edition.year}`}
        description={`Register as delegate or member of the ${[product.full_name, edition.dates_text].filter(Boolean).join(', ')}.`}
      />
      <PublicForm
        form={form}
        endings={endings}
        waiting={waiting}
        title={title}
        input={(field) => (field.kind === 'membership' ? <MembershipInput field={field} /> : undefined)}
        before={(field, values, draft) =>
          field === 'transaction_details' ? <DelegatePayment category={values.category ?? ''} draft={draft} /> : null
        }
      />
    </Page>
  );
}

/** Puts values in the place of `{names}`. */
export function fillIn(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
