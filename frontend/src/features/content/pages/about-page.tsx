import { TextPage } from '@/shared/ui/page/text-page';

/** About the festival. */
export default function AboutPage() {
  return <TextPage slug="about-us" title="About" />;
}
