import { Component, type ErrorInfo, type ReactNode } from 'react';
import styles from './error-boundary.module.css';

interface Props {
  children: ReactNode;
}

/** Keeps a page that failed from taking the whole site with it. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className={styles.failed} role="alert">
        <h1>This page could not be shown</h1>
        <p>Something went wrong while it was loading. Your connection may have been interrupted.</p>
        <button type="button" className={styles.again} onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>
    );
  }
}
