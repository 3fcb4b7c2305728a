import { TextPage } from '@/shared/ui/page/text-page';
import { Documents } from '../components/documents';
import { Programme } from '../components/programme';

/** The folklore film festival. */
export default function IfffPage() {
  return (
    <TextPage slug="ifff-9th" title="Folklore Film Festival">
      <Programme of="ifff-9th" />
      <Documents on="/ifff-9th" />
    </TextPage>
  );
}
