import { malayalam } from '@/shared/api/generated/form-malayalam';
import { FilmForm } from '../components/film-form';

/** Film submission for Malayalam Cinema. */
export default function FormMalayalamPage() {
  return <FilmForm form={malayalam} />;
}
