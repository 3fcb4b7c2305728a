/** Whoever leaves a form with something typed in it is asked first. */

/** Whether a form is sent for a preview in a tab of its own: its page stays. */
export function isPreview(event: SubmitEvent): boolean {
  return event.submitter instanceof HTMLButtonElement && event.submitter.formTarget === '_blank';
}

/** Asks before `form` is left with changes. */
export function guard(form: HTMLFormElement): void {
  let changed = false;
  form.addEventListener('input', () => (changed = true));
  form.addEventListener('submit', (event) => {
    if (!isPreview(event)) changed = false;
  });
  addEventListener('beforeunload', (event) => {
    if (changed) event.preventDefault();
  });
}
