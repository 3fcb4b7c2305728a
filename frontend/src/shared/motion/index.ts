export { Appear, inTurn, type Pose } from './appear';
export { MotionProvider, useMotionReady } from './motion-provider';
export { Presence } from './presence';
export { Pullable, usePulling } from './pullable';
export { Reveal } from './reveal';
export { useReducedMotion } from './use-reduced-motion';
export { type Rotation, useRotation } from './use-rotation';
