export { PauseButton } from './pause-button';
