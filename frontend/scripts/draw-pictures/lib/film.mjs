import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const RATE = 24;

/** Draws a loop of `seconds` frame by frame and returns it as MP4; `frame(t)` is the picture at t, from 0 to 1. */
export async function film(studio, seconds, frame) {
  const desk = await mkdtemp(join(tmpdir(), 'film-'));
  const count = RATE * seconds;
  for (let i = 0; i < count; i++) {
    await writeFile(join(desk, `${String(i).padStart(4, '0')}.jpg`), await studio.shoot(frame(i / count), { type: 'jpeg' }));
  }
  const target = join(desk, 'film.mp4');
  const encode = ['-v', 'error', '-y', '-framerate', String(RATE), '-i', join(desk, '%04d.jpg'), '-an', '-c:v', 'libx264', '-preset', 'slow', '-crf', '27', '-pix_fmt', 'yuv420p', '-profile:v', 'high', '-movflags', '+faststart', target];
  await run(process.env.FFMPEG ?? 'ffmpeg', encode);
  const bytes = await readFile(target);
  await rm(desk, { recursive: true, force: true });
  return bytes;
}
