import { useMotionReady } from '@/shared/motion';
import { Outlet } from '@/shared/router';
import { Footer } from './footer';
import { Header } from './header';
import styles from './layout.module.css';

/** What all pages share: skip link, header, the page itself, footer. */
export function Layout() {
  const motion = useMotionReady();
  return (
    <div className={styles.layout} data-surface="night" data-motion={motion ? 'ready' : undefined}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <Header />
      <main id="content" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <Footer />
    </div>
  );
}
