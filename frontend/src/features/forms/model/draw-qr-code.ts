import { encode } from 'uqr';

/** The pixels of a module, and the modules of white around the code that scanners need. */
const MODULE = 12;
const QUIET = 4;

/** Draws a QR code, black on white whatever the page's colours are. */
export function drawCode(canvas: HTMLCanvasElement, text: string): void {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  canvas.width = size * MODULE;
  canvas.height = size * MODULE;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  data.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark) context.fillRect(x * MODULE, y * MODULE, MODULE, MODULE);
    });
  });
}
