import { TextPage } from '@/shared/ui/page/text-page';

/** Privacy policy and terms. */
export default function PrivacyPage() {
  return <TextPage slug="privacy-and-terms" title="Privacy and terms" />;
}
