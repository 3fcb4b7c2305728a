import { malayalam } from '@/shared/api/generated/form-malayalam';
import { FilmForm } from '../components/film-form';
import { malayalamTexts } from '../model/malayalam';
import { SecondLanguageContext } from '../model/second-language';

/** Film submission for Malayalam Cinema, in Malayalam and English. */
export default function FormMalayalamPage() {
  return (
    <SecondLanguageContext value={malayalamTexts}>
      <FilmForm form={malayalam} malayalam="മലയാള സിനിമ: ചിത്രം സമർപ്പിക്കാം" />
    </SecondLanguageContext>
  );
}
