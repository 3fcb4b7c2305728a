import { useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Button, Page, Status } from '@/shared/ui/page';
import styles from './download-page.module.css';

/** The festival's logo, to download. */
export default function DownloadPage() {
  const { product, logo, logo_name } = useSite();
  return (
    <Page title="Download the logo" malayalam="ലോഗോ">
      <Head
        title={`Logo · ${product.name}`}
        description={`The logo of the ${product.full_name} to download.`}
        image={logo}
      />
      {logo ? (
        <>
          <img src={logo} alt={`Logo of the ${product.full_name}`} className={styles.logo} />
          <div className={styles.actions}>
            <Button href={logo} download={logo_name}>
              Download
            </Button>
            <Button href="/" kind="quiet">
              Back to Home
            </Button>
          </div>
        </>
      ) : (
        <Status whole>The logo will be available here.</Status>
      )}
    </Page>
  );
}
