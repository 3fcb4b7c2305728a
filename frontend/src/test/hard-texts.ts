/** Texts that break pages: other scripts, quotes, line ends, braces, markup, and text that looks like a template. */
export const hardTexts = [
  'വെളിച്ചം: ചലച്ചിത്രമേള',
  `"double" 'single' \`back\` “curly” = equals`,
  'first line\r\nsecond line\rthird line\n',
  '{{z}} {{{z}}} {{#if z}} \\{{z}}',
  '</script><script>alert(1)</script> <!-- --> <b>&amp; & &lt;</b>',
  '  spaces around \u00a0 and a family 👩‍👩‍👧 \u200d\u2028',
  '0',
] as const;

/** One of the hard texts. */
export function hard(index: number): string {
  return hardTexts[index % hardTexts.length] as string;
}

/** The address of a picture. */
export const image = 'https://festival.test/i.webp?a=1&b=2';
