import { useEffect } from 'react';
import { useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import styles from './admin-panel-page.module.css';

/** Sends the browser on to the admin area. */
export default function AdminPanelPage() {
  const { product } = useSite();
  useEffect(() => location.replace('/admin/'), []);
  return (
    <main className={styles.page} data-surface="night">
      <Head title={`Admin · ${product.name}`} description="The way to the admin area." hidden />
      <h1 className={styles.title}>Redirecting to Admin Panel...</h1>
      <a href="/admin/">Go to the admin panel</a>
    </main>
  );
}
