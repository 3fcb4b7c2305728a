import { useSite } from '@/shared/api';
import { forms } from '@/shared/api/generated/forms';
import { Head } from '@/shared/template';
import { Page } from '@/shared/ui/page';
import { DelegatePayment } from '../components/delegate-payment';
import { PublicForm } from '../components/public-form';
import { useFormEndings } from '../hooks/use-form-endings';
import { fillIn } from '../model/fill-in';

const form = forms.delegate;

/** Registration as delegate or member. */
export default function FormPage() {
  const { product, edition } = useSite();
  const endings = useFormEndings();
  return (
    <Page title={fillIn(form.title, { product: `${product.name}`, year: `${edition.year}` })} lead={form.lead}>
      <Head
        title={`Delegate / member form · ${product.name} ${edition.year}`}
        description={`Register as delegate or member of the ${product.full_name}, ${edition.dates_text}.`}
      />
      <PublicForm
        form={form}
        endings={endings}
        before={(field, values) =>
          field === 'transaction_details' ? <DelegatePayment category={values.category ?? ''} /> : null
        }
      />
    </Page>
  );
}
