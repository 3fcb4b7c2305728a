import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** A POST as the browser sent it. */
export interface Post {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A proxy that records the POSTs of the browser, and can break their connections. */
export class CuttableProxy {
  /** Whether to break it before the response to a POST: the server has stored it, the browser gets nothing. */
  cutting = false;
  /** How many bytes of the bodies of POSTs still arrive before a connection is broken. */
  bytesUntilCut = Number.POSITIVE_INFINITY;
  readonly posts: Post[] = [];
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(target: string): Promise<CuttableProxy> {
    let proxy: CuttableProxy;
    const server = createServer((incoming, response) => {
      const { method, url: path = '', headers } = incoming;
      // One connection for each request: a browser repeats one by itself if its connection was used before.
      const outgoing = request(target + path, { agent: false, method, headers: { ...headers, connection: 'close' } });
      const end = () => {
        incoming.socket.destroy();
        outgoing.destroy();
      };
      outgoing.on('response', (upstream) => {
        if (method === 'POST' && proxy.cutting) return end();
        response.writeHead(upstream.statusCode ?? 502, { ...upstream.headers, connection: 'close' });
        upstream.pipe(response);
      });
      outgoing.on('error', end);
      incoming.on('error', end);
      if (method !== 'POST') return void incoming.pipe(outgoing);
      const post: Post = { path, headers, body: Buffer.alloc(0) };
      proxy.posts.push(post);
      incoming.on('data', (data: Buffer) => {
        post.body = Buffer.concat([post.body, data]);
        proxy.bytesUntilCut -= data.length;
        if (proxy.bytesUntilCut < 0) end();
        else outgoing.write(data);
      });
      incoming.on('end', () => outgoing.end());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    proxy = new CuttableProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return proxy;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** The parts of a multipart body in the order in which they were sent: texts, and files with their bytes. */
export async function partsOf({ headers, body }: Post): Promise<[name: string, value: string | { name: string; bytes: Buffer }][]> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } });
  const parts = [...(await response.formData())];
  return Promise.all(
    parts.map(async ([name, value]): Promise<[string, string | { name: string; bytes: Buffer }]> =>
      typeof value === 'string' ? [name, value] : [name, { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) }],
    ),
  );
}
