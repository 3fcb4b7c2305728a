/** What animates: loaded once the page is alive and idle. Without gestures, layout and dragging, which nothing here needs. */
export { domMin as default } from 'framer-motion';
