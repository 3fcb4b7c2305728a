import { type ChildProcess, spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { program, root, run, scratch } from './program.ts';

/** A server with a data directory that outlives it: it can be killed and started again at the same address. */
export class FormsServer {
  private child: ChildProcess | null = null;
  private port = 0;

  private constructor(
    private readonly data: string,
    private readonly settings: Record<string, string>,
  ) {}

  /** Starts one on the demonstration's data, or on its own copy of `filled`. */
  static async start(settings: Record<string, string> = {}): Promise<FormsServer> {
    const filled = process.env.FESTIVAL_TEST_FILLED;
    if (!filled) throw new Error('support/prepare.ts has not run');
    const data = await scratch();
    await cp(join(filled, 'demo'), data, { recursive: true });
    // A test sends more forms than people do, and fills them in more quickly.
    const server = new FormsServer(data, {
      FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: '100000',
      FESTIVAL_MODULES__FORMS__MINIMUM_SECONDS: '0',
      ...settings,
    });
    await server.begin();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it; again: at the address it had. */
  async begin(): Promise<void> {
    const outer = Object.entries(process.env).filter(([name]) => !/^(FESTIVAL|ROCKET)_/.test(name));
    const child = spawn(program, ['serve'], {
      cwd: this.data,
      env: {
        ...Object.fromEntries(outer),
        FESTIVAL_DATA_DIR: this.data,
        FESTIVAL_LOG__FILTER: 'warn',
        ROCKET_ADDRESS: '127.0.0.1',
        ROCKET_PORT: String(this.port),
        ROCKET_CONFIG: join(root, 'Rocket.toml'),
        ...this.settings,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child = child;
    this.port = await new Promise((done, fail) => {
      let words = '';
      child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        words += chunk;
        const found = /The site is at http:\/\/[^:]+:(\d+)\n/.exec(words);
        if (found) done(Number(found[1]));
      });
      child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${words}`)));
    });
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.data, { recursive: true, force: true });
  }

  /** What was kept of a kind of form, as the organisers' export says it. */
  async kept(form: 'film' | 'delegate' | 'contact', ...options: string[]): Promise<Record<string, unknown>[]> {
    const json = await run(this.data, ['forms', 'export', form, '-o', '-', '--format', 'json', ...options], this.settings);
    return JSON.parse(json);
  }
}

/** A wire to a server that can be cut when the answer to a POST comes: the server has kept it, the browser cannot know. */
export class Wire {
  /** Cuts the next answer to a POST. */
  cutting = false;
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(target: string): Promise<Wire> {
    const port = Number(new URL(target).port);
    let wire: Wire;
    const server = createServer((browser) => {
      const far = connect(port, '127.0.0.1');
      let posted = false;
      const end = () => {
        browser.destroy();
        far.destroy();
      };
      browser.on('data', (data: Buffer) => {
        posted ||= data.subarray(0, 5).toString('latin1') === 'POST ';
        far.write(data);
      });
      far.on('data', (data: Buffer) => {
        if (posted && wire.cutting) end();
        else browser.write(data);
      });
      for (const socket of [browser, far] as Socket[]) socket.on('error', end).on('close', end);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    wire = new Wire(server, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
    return wire;
  }

  close(): void {
    this.server.close();
  }
}
