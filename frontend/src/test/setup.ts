import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// APIs that the simulated browser lacks.
window.matchMedia ??= (query: string) =>
  ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
window.scrollTo = () => {};
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false;
};

HTMLVideoElement.prototype.getVideoPlaybackQuality ??= () =>
  ({ totalVideoFrames: 0, droppedVideoFrames: 0 }) as VideoPlaybackQuality;

class NeverInView {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.IntersectionObserver ??= NeverInView as unknown as typeof IntersectionObserver;

configure({ asyncUtilTimeout: 30_000 });

afterEach(cleanup);
