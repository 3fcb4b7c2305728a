/** The same with dragging, for what a finger can pull away; loaded where such a thing is. */
export { domMax as default } from 'framer-motion';
