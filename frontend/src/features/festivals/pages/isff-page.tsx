import { TextPage } from '@/shared/ui/page/text-page';
import { Documents } from '../components/documents';
import { Packages } from '../components/packages';
import { Programme } from '../components/programme';

/** The science film festival. */
export default function IsffPage() {
  return (
    <TextPage slug="isff-2025" title="Science Film Festival">
      <Programme of="isff-2025" />
      <Packages of="isff-2025" />
      <Documents on="/isff-2025" />
    </TextPage>
  );
}
