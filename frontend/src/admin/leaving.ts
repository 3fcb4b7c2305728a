/** Whoever leaves a form with something typed in it is asked first. */

/** Asks before `form` is left with changes. */
export function guard(form: HTMLFormElement): void {
  let changed = false;
  form.addEventListener('input', () => (changed = true));
  form.addEventListener('submit', (event) => {
    if (event.submitter instanceof HTMLButtonElement && event.submitter.formTarget === '_blank') return;
    changed = false;
  });
  addEventListener('beforeunload', (event) => {
    if (changed) event.preventDefault();
  });
}
