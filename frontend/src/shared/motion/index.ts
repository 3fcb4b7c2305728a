export { Reveal } from './reveal';
export { useReducedMotion } from './use-reduced-motion';
export { type Rotation, useRotation } from './use-rotation';
