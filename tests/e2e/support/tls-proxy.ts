import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, createServer as createHttp, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './program.ts';

/** A reverse proxy for https and http in front of a site. */
export class TlsProxy {
  /** The URL of the site; set once it has started. */
  target = '';
  /** Changes response headers; tests break them here. */
  change: (headers: NodeJS.Dict<string | string[]>) => void = () => {};

  /** Pages of another site, by path. */
  readonly foreign: Record<string, string> = {};

  private constructor(
    private readonly folder: string,
    private readonly servers: Server[],
  ) {}

  /** Opens both ports, with a certificate of its own for `localhost`. */
  static async open(): Promise<TlsProxy> {
    const folder = await temporaryFolder();
    const certificate = join(folder, 'certificate.pem');
    const key = join(folder, 'key.pem');
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', certificate]);
    const pass = (protocol: string) => (incoming: IncomingMessage, response: ServerResponse) => proxy.forward(protocol, incoming, response);
    const secure = createHttps({ key: await readFile(key), cert: await readFile(certificate) }, pass('https'));
    const proxy = new TlsProxy(folder, [secure, createHttp(pass('http'))]);
    for (const server of proxy.servers) {
      // Only the browser closes connections: one closed while it is being reused would fail a request.
      server.keepAliveTimeout = 0;
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    }
    return proxy;
  }

  /** The path of the certificate. */
  get certificate(): string {
    return join(this.folder, 'certificate.pem');
  }

  get httpsPort(): number {
    return (this.servers[0]?.address() as AddressInfo).port;
  }

  get httpPort(): number {
    return (this.servers[1]?.address() as AddressInfo).port;
  }

  private forward(protocol: string, incoming: IncomingMessage, response: ServerResponse): void {
    const foreign = this.foreign[incoming.url ?? ''];
    if (foreign) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(foreign);
      return;
    }
    const headers = {
      ...incoming.headers,
      'x-forwarded-proto': protocol,
      'x-forwarded-for': incoming.socket.remoteAddress ?? '',
    };
    // Without an agent: the site might close a kept-alive connection just as it is reused.
    const outgoing = request(this.target + incoming.url, { agent: false, method: incoming.method, headers }, (upstream) => {
      const changed = { ...upstream.headers };
      this.change(changed);
      response.writeHead(upstream.statusCode ?? 502, changed);
      upstream.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
