import { Component, type ErrorInfo, type ReactNode } from 'react';
import styles from './error-boundary.module.css';
import { PageCodeError } from './pages';

interface Props {
  children: ReactNode;
}

interface State {
  /** Null without an error. */
  error: unknown;
  /** Number of retries so far. */
  attempts: number;
}

/** Waits between attempts to load a page's code, in milliseconds; the last one is repeated. */
const PAUSES_MS = [10_000, 20_000, 40_000, 60_000];

/** Keeps a page that failed from taking down the whole site; code that could not be loaded is retried, slowly. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, attempts: 0 };
  private timer: ReturnType<typeof setTimeout> | undefined;

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
    if (!(error instanceof PageCodeError)) return;
    // Once: a document whose code cannot be loaded is shown as the server rendered it.
    if (error.isGone) return location.reload();
    clearTimeout(this.timer);
    const pause = PAUSES_MS[Math.min(this.state.attempts, PAUSES_MS.length - 1)];
    this.timer = setTimeout(() => this.setState(({ attempts }) => ({ error: null, attempts: attempts + 1 })), pause);
  }

  override componentWillUnmount() {
    clearTimeout(this.timer);
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className={styles.failed} role="alert">
        <h1>This page could not be shown</h1>
        {error instanceof PageCodeError && error.isGone ? (
          <p>The site has been updated. This page is being loaded again.</p>
        ) : error instanceof PageCodeError ? (
          <p>It could not be loaded. Your connection may have been interrupted. It is tried again by itself.</p>
        ) : (
          <p>Something went wrong while it was loading. Your connection may have been interrupted.</p>
        )}
        <button type="button" className={styles.again} onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>
    );
  }
}
