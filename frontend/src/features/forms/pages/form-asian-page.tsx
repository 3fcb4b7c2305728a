import { forms } from '@/shared/api/generated/forms';
import { FilmForm } from '../components/film-form';

/** Film submission for Asian Cinema. */
export default function FormAsianPage() {
  return <FilmForm form={forms.asian} />;
}
