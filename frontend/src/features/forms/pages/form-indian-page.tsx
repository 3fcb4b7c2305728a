import { indian } from '@/shared/api/generated/form-indian';
import { FilmForm } from '../components/film-form';

/** Film submission for Indian Cinema. */
export default function FormIndianPage() {
  return <FilmForm form={indian} />;
}
