import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Site, start } from './program.ts';

export interface FormsServer extends Site {
  /** The stored submissions of a kind, from the export. */
  submissions(form: 'film' | 'delegate' | 'contact', ...options: string[]): Promise<Record<string, unknown>[]>;
}

/** Starts a server on a copy of the demonstration. */
export async function startFormsServer(settings: Record<string, string> = {}): Promise<FormsServer> {
  const site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'), {
    // Tests send more forms than people do, and faster.
    FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: '100000',
    FESTIVAL_MODULES__FORMS__MINIMUM_SECONDS: '0',
    ...settings,
  });
  return {
    ...site,
    submissions: async (form, ...options) =>
      JSON.parse(await site.run('forms', 'export', form, '-o', '-', '--format', 'json', ...options)),
  };
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
