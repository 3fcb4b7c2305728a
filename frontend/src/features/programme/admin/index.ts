import './plan.css';
import { takeSeveralFiles } from './several-files';

/** Turns the plan of a day into a grid, on the page that has it, and lets files be dropped together. */
export function enhance(): void {
  const plan = document.querySelector<HTMLElement>('main:has([data-plan])');
  if (plan) void import('./plan').then(({ makePlan }) => makePlan(plan));
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-several-files]')) takeSeveralFiles(form);
}
