export { Rotator } from './rotator';
