import { review } from './digits';
import './pile.css';

export function enhance(): void {
  document.addEventListener('keydown', review);
}
