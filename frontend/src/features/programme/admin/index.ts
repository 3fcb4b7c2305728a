import './plan.css';

/** Turns the plan of a day into a grid, on the page that has it. */
export function enhance(): void {
  const plan = document.querySelector<HTMLElement>('main:has([data-plan])');
  if (plan) void import('./plan').then(({ makePlan }) => makePlan(plan));
}
