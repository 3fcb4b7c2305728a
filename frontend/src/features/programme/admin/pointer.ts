/** Dragging with the pointer. */

/** Distance in pixels after which a movement counts as dragging. */
const SLACK = 4;

/**
 * Follows the pointer until it is released. `onMove` gets the event; `onDrop` whether it was dragged and not cancelled.
 * The dragged element moves in the document, so the whole page captures the pointer.
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
    // Suppresses the click at the end of a drag.
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
