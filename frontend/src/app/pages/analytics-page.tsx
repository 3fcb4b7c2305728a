import { useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Button, Page, Status } from '@/shared/ui/page';
import styles from './analytics-page.module.css';

const explanation =
  'Here organisers see a dashboard of the visitor numbers, for example a Looker report on Google Analytics, with a link to its realtime view. Whoever runs the site sets the two addresses: analytics.frame and analytics.link.';

/** The dashboard of the visitor numbers. */
export default function AnalyticsPage() {
  const { product, analytics } = useSite();
  return (
    <Page title="Analytics" lead={analytics.frame ? undefined : explanation}>
      <Head title={`Analytics · ${product.name}`} description="Visitor numbers of this site." hidden />
      {analytics.frame ? (
        <iframe src={analytics.frame} title="Analytics dashboard" className={styles.frame} loading="lazy" />
      ) : (
        <Status whole>No dashboard has been set up.</Status>
      )}
      {analytics.link && (
        <Button href={analytics.link} target="_blank" rel="noopener">
          Open the realtime dashboard
        </Button>
      )}
    </Page>
  );
}
