import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run, temporaryFolder } from './program.ts';
import { events } from './seeds.ts';

/** Seeds by name: the file, and whether its dates are moved to the future. */
const seeds: Record<string, { file: string; relative: boolean }> = {
  // The demonstration with the dates of the specification.
  exact: { file: join(root, 'config/editions/2025.toml'), relative: false },
  demo: { file: join(root, 'config/editions/2025.toml'), relative: true },
  hard: { file: join(root, 'tests/fixtures/e2e-hard.toml'), relative: false },
};

/**
 * Seeds one data directory per seed; every server works on a copy.
 *
 * Scaled pictures are created on the first request and named by their content; each takes a tenth of a second, so the
 * copies share one folder.
 */
export default async function prepare() {
  const folder = await temporaryFolder();
  process.env.FESTIVAL_TEST_FILLED = folder;
  for (const count of [0, 1, 2]) {
    const file = join(folder, `events-${count}.toml`);
    await writeFile(file, events(count));
    seeds[count === 0 ? 'empty' : `events-${count}`] = { file, relative: false };
  }
  const renditions = join(folder, 'renditions');
  await mkdir(renditions);
  for (const [name, { file, relative }] of Object.entries(seeds)) {
    if (!existsSync(file)) throw new Error(`${file} is not there`);
    const data = join(folder, name);
    await mkdir(join(data, 'media'), { recursive: true });
    await symlink(renditions, join(data, 'media/renditions'));
    const dates = relative ? ['--relative-dates'] : [];
    await run(data, ['seed', file, ...dates]);
    if (file.endsWith('editions/2025.toml')) {
      // The demonstration's programme, with the changes after its first release.
      await run(data, ['programme', 'release', '--first']);
      await run(data, ['seed', join(root, 'config/editions/2025-later.toml'), ...dates]);
      await run(data, ['programme', 'release']);
    }
  }
  // Tables without any rows, not even an edition.
  const bare = join(folder, 'bare');
  await mkdir(bare);
  await run(bare, ['migrate']);
  return () => rm(folder, { recursive: true, force: true });
}
