/** Dragging with the pointer. */

/** Pixels that the pointer moves before that is dragging. */
const SLACK = 4;

/**
 * Follows the pointer until it lets go. `onMove` gets the event; `onDrop` whether it was dragged and not given up. What is
 * dragged changes its place in the document, so the whole page has the pointer.
 */
export function follow(
  main: HTMLElement,
  start: PointerEvent,
  onMove: (event: PointerEvent) => void,
  onDrop: (done: boolean) => void,
): void {
  let isDragged = false;
  const watch = new AbortController();
  const end = (done: boolean) => {
    watch.abort();
    if (!isDragged) return;
    // The click at the end of a drag opens nothing.
    const stop = (event: Event) => event.preventDefault();
    main.addEventListener('click', stop, { capture: true, once: true });
    setTimeout(() => main.removeEventListener('click', stop, { capture: true }));
    onDrop(done);
  };
  const on = { signal: watch.signal };
  main.addEventListener(
    'pointermove',
    (event) => {
      if (!isDragged && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < SLACK) return;
      if (!isDragged) main.setPointerCapture(start.pointerId);
      isDragged = true;
      onMove(event);
    },
    on,
  );
  main.addEventListener('pointerup', () => end(true), on);
  main.addEventListener('pointercancel', () => end(false), on);
  addEventListener('keydown', (event) => event.key === 'Escape' && end(false), on);
}
