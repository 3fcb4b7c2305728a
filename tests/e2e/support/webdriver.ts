import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** The browsers besides Chromium that the site is tested with. */
export type BrowserName = 'firefox' | 'webkit';

/** A command of the WebDriver standard: its name in Firefox's Marionette, its method and path over HTTP. */
const COMMANDS = {
  navigate: ['WebDriver:Navigate', 'POST', 'url'],
  back: ['WebDriver:Back', 'POST', 'back'],
  refresh: ['WebDriver:Refresh', 'POST', 'refresh'],
  script: ['WebDriver:ExecuteAsyncScript', 'POST', 'execute/async'],
  find: ['WebDriver:FindElement', 'POST', 'element'],
  click: ['WebDriver:ElementClick', 'POST', 'element/{id}/click'],
  keys: ['WebDriver:ElementSendKeys', 'POST', 'element/{id}/value'],
  clear: ['WebDriver:ElementClear', 'POST', 'element/{id}/clear'],
  actions: ['WebDriver:PerformActions', 'POST', 'actions'],
  size: ['WebDriver:SetWindowRect', 'POST', 'window/rect'],
  screenshot: ['WebDriver:TakeScreenshot', 'GET', 'screenshot'],
} as const;

type Command = keyof typeof COMMANDS;
type Parameters = Record<string, unknown>;
type Connection = { send(command: Command, parameters: Parameters): Promise<unknown>; end(): void };

/** The key under which WebDriver returns an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const PATIENCE_MS = 60_000;
/**
 * What Firefox prints of errors of a page: scripts, rejected promises, refused contents. WebKit prints none. `RSLoader` is no
 * page, but Firefox's loader of its maker's experiments, which says so as soon as it finds no server.
 */
const ERROR = /JavaScript error: http|console\.error: (?!RSLoader: )|Content-Security-Policy/;

/** A browser with one window. */
export class Browser {
  private constructor(
    readonly name: BrowserName,
    private readonly connection: Connection,
    private readonly processes: ChildProcess[],
    /** What it and its pages have printed. */
    private readonly printed: { text: string },
  ) {}

  /** Starts a browser with its data in an empty folder. `isPrivate`: in a private window; WebKit's always is. */
  static async start(name: BrowserName, program: string, folder: string, isPrivate = false): Promise<Browser> {
    await mkdir(folder, { recursive: true });
    const processes: ChildProcess[] = [];
    const printed = { text: '' };
    const run = (file: string, args: string[], environment: Record<string, string>) => {
      const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, MOZ_HEADLESS: '1', ...environment };
      const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      processes.push(child);
      const collect = (data: Buffer) => {
        printed.text += String(data);
      };
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', collect);
      return child;
    };
    try {
      const connection = await (name === 'firefox' ? startFirefox(program, folder, isPrivate, run) : startWebKit(program, run));
      return new Browser(name, connection, processes, printed);
    } catch (error) {
      stop(processes);
      throw new Error(`${name} did not start: ${printed.text}`, { cause: error });
    }
  }

  /** Opens an address and waits for the page's load event. */
  async open(url: string): Promise<void> {
    await this.connection.send('navigate', { url });
  }

  async back(): Promise<void> {
    await this.connection.send('back', {});
  }

  async reload(): Promise<void> {
    await this.connection.send('refresh', {});
  }

  /** Sets the size of the window in CSS pixels. */
  async size(width: number, height: number): Promise<void> {
    await this.connection.send('size', { width, height });
  }

  /** Runs a function in the page and returns its value; it sees only its arguments. */
  async evaluate<A extends unknown[], T>(body: (...args: A) => T | Promise<T>, ...args: A): Promise<T> {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve((${body})(...[...arguments].slice(0, -1))).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const result = (await this.connection.send('script', { script, args })) as { value: T; error?: string };
    if (result.error) throw new Error(result.error);
    return result.value;
  }

  /** Waits until a function in the page returns something true, and returns it. */
  async until<A extends unknown[], T>(body: (...args: A) => T | Promise<T>, ...args: A): Promise<T> {
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const value = await this.evaluate(body, ...args).catch(() => undefined);
      if (value) return value;
      if (Date.now() > end) throw new Error(`never true on ${await this.evaluate(() => location.href)}: ${body} (${args})`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  /**
   * Clicks an element as a person does; waits until it is there. WebKit's driver clicks where the element is before the
   * page has scrolled smoothly to it: it is scrolled to at once.
   */
  async click(selector: string): Promise<void> {
    const id = await this.find(selector);
    if (!selector.startsWith('//')) await this.evaluate(scrollTo, selector);
    await this.connection.send('click', { id });
  }

  /** Types into an input; into one for files, their paths. */
  async type(selector: string, text: string): Promise<void> {
    await this.connection.send('keys', { id: await this.find(selector), text });
  }

  /** Empties an input. */
  async clear(selector: string): Promise<void> {
    await this.connection.send('clear', { id: await this.find(selector) });
  }

  /** Presses a key, given as WebDriver names it, such as "\uE00C" for Escape. */
  async press(key: string): Promise<void> {
    const actions = [{ type: 'keyDown', value: key }, { type: 'keyUp', value: key }];
    await this.connection.send('actions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  /** Presses the main button on the element of a CSS selector, moves by some pixels in steps, and releases it. */
  async drag(selector: string, x: number, y: number): Promise<void> {
    const origin = { [ELEMENT]: await this.find(selector) };
    await this.evaluate((selector) => document.querySelector(selector)?.scrollIntoView({ block: 'center' }), selector);
    const steps = Array.from({ length: 8 }, () => ({ type: 'pointerMove', duration: 50, origin: 'pointer', x: Math.round(x / 8), y: Math.round(y / 8) }));
    const actions = [{ type: 'pointerMove', duration: 0, origin, x: 0, y: 0 }, { type: 'pointerDown', button: 0 }, ...steps, { type: 'pointerUp', button: 0 }];
    await this.connection.send('actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] });
  }

  async screenshot(path: string): Promise<void> {
    await writeFile(path, Buffer.from(String(await this.connection.send('screenshot', { full: false })), 'base64'));
  }

  /** Errors that pages have printed since the last call; none of WebKit's. */
  errors(): string[] {
    const lines = this.printed.text.split('\n').filter((line) => ERROR.test(line));
    this.printed.text = '';
    return lines;
  }

  async end(): Promise<void> {
    this.connection.end();
    stop(this.processes);
    await Promise.all(this.processes.map((child) => child.exitCode ?? child.signalCode ?? new Promise((done) => child.once('exit', done))));
  }

  /** The element of a CSS selector, or of an XPath, as soon as there is one. */
  private find(selector: string): Promise<string> {
    const using = selector.startsWith('//') ? 'xpath' : 'css selector';
    return eventually(async () => {
      const element = (await this.connection.send('find', { using, value: selector })) as Record<string, string>;
      return element[ELEMENT];
    });
  }
}

type Run = (file: string, args: string[], environment: Record<string, string>) => ChildProcess;

/** Firefox answers the commands itself, over a socket. */
async function startFirefox(program: string, folder: string, isPrivate: boolean, run: Run): Promise<Connection> {
  const preferences = {
    'marionette.port': 0,
    'network.proxy.type': 0,
    'browser.privatebrowsing.autostart': isPrivate,
    'browser.dom.window.dump.enabled': true,
    'devtools.console.stdout.content': true,
    'dom.disable_beforeunload': true,
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  await writeFile(join(folder, 'user.js'), lines.join(''));
  run(program, ['--headless', '--marionette', '--no-remote', '--profile', folder], {});
  const port = await eventually(async () => Number(await readFile(join(folder, 'MarionetteActivePort'), 'utf8')) || null);
  const socket = await eventually(() => connected(port));
  const send = marionette(socket);
  await send('WebDriver:NewSession', { unhandledPromptBehavior: 'accept', timeouts: { script: PATIENCE_MS } });
  return { send: (command, parameters) => send(COMMANDS[command][0], parameters), end: () => socket.destroy() };
}

/** Sends commands as `length:[0, id, name, parameters]`; answers are `length:[1, id, error, result]`. */
function marionette(socket: Socket) {
  const waiting = new Map<number, (error: { message: string } | null, result: unknown) => void>();
  let received = Buffer.alloc(0);
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const colon = received.indexOf(':');
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (colon < 0 || received.length < end) return;
      const message = JSON.parse(String(received.subarray(colon + 1, end)));
      received = received.subarray(end);
      // The first message is the greeting.
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3]);
    }
  });
  socket.on('close', () => {
    for (const answer of waiting.values()) answer({ message: 'the browser has ended' }, null);
  });
  let last = 0;
  return (name: string, parameters: Parameters) =>
    new Promise<unknown>((resolve, reject) => {
      last += 1;
      const message = JSON.stringify([0, last, name, parameters]);
      waiting.set(last, (error, result) => {
        if (error) reject(new Error(error.message));
        else resolve((result as { value?: unknown } | null)?.value ?? result);
      });
      socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
}

/** WebKit has a driver, and needs a screen. */
async function startWebKit(program: string, run: Run): Promise<Connection> {
  const screen = run('Xvfb', ['-displayfd', '1', '-screen', '0', '2600x1600x24', '-nolisten', 'tcp'], {});
  const display = await new Promise<string>((resolve, reject) => {
    screen.stdout?.once('data', (data: Buffer) => resolve(String(data).trim()));
    screen.once('exit', () => reject(new Error('no screen')));
  });
  const port = await freePort();
  run(program, [`--port=${port}`, '--host=127.0.0.1'], {
    GDK_BACKEND: 'x11',
    DISPLAY: `:${display}`,
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    no_proxy: '127.0.0.1',
  });
  const base = `http://127.0.0.1:${port}/session`;
  const send = async (method: string, url: string, parameters: Parameters) => {
    const body = method === 'GET' ? undefined : JSON.stringify(parameters);
    const response = await fetch(url, { method, body, headers: { 'content-type': 'application/json' } });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
    return value as unknown;
  };
  const alwaysMatch = { unhandledPromptBehavior: 'accept', timeouts: { script: PATIENCE_MS }, 'webkitgtk:browserOptions': { binary: miniBrowser(program), args: ['--automation'] } };
  await eventually(() => connected(port).then((socket) => socket.destroy() && true));
  const { sessionId } = (await send('POST', base, { capabilities: { alwaysMatch } })) as { sessionId: string };
  return {
    send: (command, { id, ...parameters }) => {
      const [, method, path] = COMMANDS[command];
      return send(method, `${base}/${sessionId}/${path.replace('{id}', String(id))}`, parameters);
    },
    end: () => void fetch(`${base}/${sessionId}`, { method: 'DELETE' }).catch(() => {}),
  };
}

/** The browser that comes with WebKitGTK, in the folder of its libraries. */
function miniBrowser(driver: string): string {
  return join(driver, '../..', 'lib', `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`);
}

/** Scrolls to an element, or to the select that it is an option of. */
function scrollTo(selector: string): void {
  const element = document.querySelector(selector);
  (element?.closest('select') ?? element)?.scrollIntoView({ block: 'center', behavior: 'instant' });
}

function stop(processes: ChildProcess[]): void {
  for (const { pid } of processes) {
    try {
      // With the browser that a driver has started.
      if (pid) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<NonNullable<T>> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    try {
      const value = await attempt();
      if (value) return value;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
