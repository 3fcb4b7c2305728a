/** The animation features with dragging, for elements that a finger can pull away; loaded only with such elements. */
export { domMax as default } from 'framer-motion';
