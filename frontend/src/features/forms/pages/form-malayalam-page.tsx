import { forms } from '@/shared/api/generated/forms';
import { FilmForm } from '../components/film-form';

/** Film submission for Malayalam Cinema. */
export default function FormMalayalamPage() {
  return <FilmForm form={forms.malayalam} />;
}
