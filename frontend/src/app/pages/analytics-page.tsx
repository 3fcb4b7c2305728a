import { useSite } from '@/shared/api';
import { Head, When } from '@/shared/template';
import { Button, Page, Status } from '@/shared/ui/page';
import styles from './analytics-page.module.css';

/** The dashboard of the visitor numbers. */
export default function AnalyticsPage() {
  const { product, analytics } = useSite();
  return (
    <Page title="Analytics">
      <Head title={`Analytics · ${product.name}`} description="Visitor numbers of this site." hidden />
      <When value={analytics.frame} otherwise={<Status>No dashboard has been set up.</Status>}>
        {(frame) => <iframe src={frame} title="Analytics dashboard" className={styles.frame} loading="lazy" />}
      </When>
      <When value={analytics.link}>
        {(link) => (
          <Button href={link} target="_blank" rel="noopener">
            Open the realtime dashboard
          </Button>
        )}
      </When>
    </Page>
  );
}
