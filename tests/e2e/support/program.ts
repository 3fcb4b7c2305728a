import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '../../..');

/** The path of the program. */
export const program = process.env.FESTIVAL_TEST_PROGRAM ?? join(root, 'target/debug/festival');

/** Creates a temporary folder; the caller removes it. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'festival-e2e-'));
}

/** A running server with its own data directory. */
export interface Site {
  url: string;
  /** Its data directory. */
  data: string;
  /** Runs a command of the program on the server's data. */
  run(...args: string[]): Promise<string>;
  /** Runs a command with text on its standard input. */
  runWithInput(input: string, ...args: string[]): Promise<string>;
  /** Calls the API, e.g. `get('/blogs/')`. */
  get<T>(path: string): Promise<T>;
  /** Kills the server without letting it finish anything. */
  kill(): Promise<void>;
  /** Starts a killed server again, with its data and at its address. */
  launch(): Promise<void>;
  stop(): Promise<void>;
}

/** The environment of the program, without the developer's festival settings. */
function environment(data: string, settings: Record<string, string>): NodeJS.ProcessEnv {
  const outer = Object.entries(process.env).filter(([name]) => !/^(FESTIVAL|ROCKET)_/.test(name));
  return {
    ...Object.fromEntries(outer),
    FESTIVAL_DATA_DIR: data,
    FESTIVAL_LOG__FILTER: 'warn',
    ROCKET_ADDRESS: '127.0.0.1',
    ROCKET_PORT: '0',
    ROCKET_CONFIG: join(root, 'Rocket.toml'),
    // Every seed uses the demonstration's festival name.
    FESTIVAL_PRODUCT__NAME: 'Velicham',
    FESTIVAL_PRODUCT__SLUG: 'velicham',
    FESTIVAL_PRODUCT__FULL_NAME: 'Velicham International Film Festival',
    FESTIVAL_PRODUCT__NATIVE_NAME: 'വെളിച്ചം',
    FESTIVAL_PRODUCT__CITY: 'Kochi',
    FESTIVAL_PRODUCT__TAGLINE: 'Twenty years of first light',
    ...settings,
  };
}

/** Runs a command and returns its output; rejects with it if the command fails. */
export async function run(
  data: string,
  args: string[],
  settings: Record<string, string> = {},
  input = '',
): Promise<string> {
  if (!existsSync(program)) throw new Error(`${program} is not there; build it first: cargo build -p festival`);
  // Not in the repository, so that a developer's config/local.toml has no effect.
  const running = promisify(execFile)(program, args, { cwd: data, env: environment(data, settings) });
  // A program may exit without reading its input; its exit code says whether that is an error.
  running.child.stdin?.on('error', () => {}).end(input);
  return (await running).stdout;
}

/** Starts a server on a copy of `filled`, or on an empty directory. */
export async function start(filled: string | null, settings: Record<string, string> = {}): Promise<Site> {
  const data = await temporaryFolder();
  if (filled) await cp(filled, data, { recursive: true });
  let child: ChildProcess;
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
  };
  const site: Site = {
    // Port 0 is any free one.
    url: 'http://127.0.0.1:0',
    data,
    run: (...args) => run(data, args, settings),
    runWithInput: (input, ...args) => run(data, args, settings, input),
    get: async (path) => (await fetch(`${site.url}/api${path}`)).json(),
    kill: () => end('SIGKILL'),
    launch: async () => {
      child = spawn(program, ['serve'], {
        cwd: data,
        env: environment(data, { ROCKET_PORT: new URL(site.url).port, ...settings }),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      site.url = await address(child);
    },
    stop: async () => {
      await end('SIGTERM');
      await rm(data, { recursive: true, force: true });
    },
  };
  await site.launch();
  return site;
}

/** Waits until the server reports its URL. */
function address(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const found = /The site is at (http:\/\/\S+)\n/.exec(output);
      if (found?.[1]) done(found[1]);
    });
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${output}`)));
  });
}
