/**
 * The animation features, loaded once the page is hydrated and idle. Without gestures, layout and dragging, which
 * nothing here needs.
 */
export { domMin as default } from 'framer-motion';
