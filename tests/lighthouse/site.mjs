import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A festival server with the demonstration festival in a folder of its own. */
export class Site {
  static async start(program) {
    if (!existsSync(program)) throw new Error(`${program} is not there; "make build" makes it`);
    const site = new Site();
    site.data = mkdtempSync(join(tmpdir(), 'festival-lighthouse-'));
    const port = await freePort();
    site.url = `http://localhost:${port}`;
    const own = { FESTIVAL_DATA_DIR: site.data, FESTIVAL_LOG__FILTER: 'warn', ROCKET_PORT: String(port) };
    const options = { cwd: site.data, env: { ...process.env, ...own } };
    execFileSync(program, ['seed', '--demo', '--relative-dates'], { ...options, stdio: 'ignore' });
    execFileSync(program, ['programme', 'release', '--note', 'The programme'], { ...options, stdio: 'ignore' });
    site.server = spawn(program, ['serve'], { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
    await site.awake();
    return site;
  }

  async awake() {
    for (let attempt = 0; attempt < 500; attempt++) {
      if (await fetch(`${this.url}/api/site/`).then((answer) => answer.ok, () => false)) return;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error('the server does not answer');
  }

  /** Every page of the sitemap; of blogs, categories and films the first. */
  async routes() {
    const map = await (await fetch(`${this.url}/sitemap.xml`)).text();
    const kinds = new Set();
    return [...map.matchAll(/<loc>([^<]+)<\/loc>/g)]
      .map(([, address]) => new URL(address.replaceAll('&amp;', '&')))
      .map(({ pathname, search }) => pathname + search)
      .filter((route) => {
        const kind = route.replaceAll(/\d+/g, (number) => (/\/(blog|films)\/\d|film=/.test(route) ? '0' : number));
        return !kinds.has(kind) && kinds.add(kind);
      });
  }

  async stop() {
    const ended = new Promise((done) => this.server.once('exit', done));
    this.server.kill('SIGTERM');
    await ended;
    rmSync(this.data, { recursive: true, force: true });
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}
