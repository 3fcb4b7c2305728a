import { type ChildProcess, spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { program, root, run, temporaryFolder } from './program.ts';

/** A server with a persistent data directory: it can be killed and restarted at the same address. */
export class FormsServer {
  private child: ChildProcess | null = null;
  private port = 0;

  private constructor(
    private readonly data: string,
    private readonly settings: Record<string, string>,
  ) {}

  /** Starts a server on a copy of the demonstration. */
  static async start(settings: Record<string, string> = {}): Promise<FormsServer> {
    const filled = process.env.FESTIVAL_TEST_FILLED;
    if (!filled) throw new Error('support/prepare.ts has not run');
    const data = await temporaryFolder();
    await cp(join(filled, 'demo'), data, { recursive: true });
    // Tests send more forms than people do, and faster.
    const server = new FormsServer(data, {
      FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: '100000',
      FESTIVAL_MODULES__FORMS__MINIMUM_SECONDS: '0',
      ...settings,
    });
    await server.launch();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the server, or restarts it at its previous address. */
  async launch(): Promise<void> {
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
      let output = '';
      child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        const found = /The site is at http:\/\/[^:]+:(\d+)\n/.exec(output);
        if (found) done(Number(found[1]));
      });
      child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${output}`)));
    });
  }

  /** Kills the server. */
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

  /** The stored submissions of a kind, from the export. */
  async submissions(form: 'film' | 'delegate' | 'contact', ...options: string[]): Promise<Record<string, unknown>[]> {
    const json = await run(this.data, ['forms', 'export', form, '-o', '-', '--format', 'json', ...options], this.settings);
    return JSON.parse(json);
  }
}

/** A proxy that can drop the connection before the response to a POST: the server has stored it, the browser gets nothing. */
export class CuttableProxy {
  /** Whether to drop the connection at the next response to a POST. */
  cutting = false;
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(target: string): Promise<CuttableProxy> {
    const port = Number(new URL(target).port);
    let proxy: CuttableProxy;
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
        if (posted && proxy.cutting) end();
        else browser.write(data);
      });
      for (const socket of [browser, far] as Socket[]) socket.on('error', end).on('close', end);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    proxy = new CuttableProxy(server, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
    return proxy;
  }

  close(): void {
    this.server.close();
  }
}
