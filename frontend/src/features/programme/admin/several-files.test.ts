// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { takeSeveralFiles } from './several-files';

function form(): { form: HTMLFormElement; input: HTMLInputElement } {
  document.body.innerHTML = '<form><input type="file" name="files"></form>';
  const [form, input] = [document.querySelector('form'), document.querySelector('input')];
  if (!form || !input) throw new Error('there is no form');
  takeSeveralFiles(form);
  return { form, input };
}

it('files that are dropped together are sent in a field each, the largest in the first', () => {
  const { form: sent, input } = form();
  expect(input.multiple).toBe(true);
  const formData = new FormData();
  formData.append('csrf', 'token');
  for (const [name, text] of [
    ['cpl.xml', 'a'],
    ['keys.zip', 'abc'],
    ['kdm.xml', 'ab'],
  ] as const) {
    formData.append('files', new File([text], name));
  }
  sent.dispatchEvent(Object.assign(new Event('formdata'), { formData }));
  const fields = [...formData].map(([name, value]) => [name, value instanceof File ? value.name : value]);
  expect(fields).toEqual([
    ['csrf', 'token'],
    ['files', 'keys.zip'],
    ['files2', 'kdm.xml'],
    ['files3', 'cpl.xml'],
  ]);
});

it('more files than there are fields are refused before they are sent', () => {
  const { input } = form();
  for (const [count, message] of [
    [20, ''],
    [21, 'Choose at most 20 files, or a ZIP archive of them.'],
  ] as const) {
    Object.defineProperty(input, 'files', { value: Array.from({ length: count }), configurable: true });
    input.dispatchEvent(new Event('change'));
    expect(input.validationMessage).toBe(message);
  }
});
