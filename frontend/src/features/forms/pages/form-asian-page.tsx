import { asian } from '@/shared/api/generated/form-asian';
import { DollarPayment } from '../components/dollar-payment';
import { FilmForm } from '../components/film-form';

/** Film submission for Asian Cinema. */
export default function FormAsianPage() {
  return (
    <FilmForm form={asian}>
      <DollarPayment />
    </FilmForm>
  );
}
