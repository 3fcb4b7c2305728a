import { forms } from '@/shared/api/generated/forms';
import { FilmForm } from '../components/film-form';

/** Film submission for Indian Cinema. */
export default function FormIndianPage() {
  return <FilmForm form={forms.indian} />;
}
