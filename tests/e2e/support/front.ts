import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, createServer as createHttp, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scratch } from './program.ts';

/** What stands in front of a site: https and http, passed on as proxies do. */
export class Front {
  /** Where the site is; set when it has started. */
  target = '';
  /** What is done to the headers of answers; tests break them here. */
  change: (headers: NodeJS.Dict<string | string[]>) => void = () => {};

  /** Pages that another site has at this address. */
  readonly foreign: Record<string, string> = {};

  private constructor(
    private readonly folder: string,
    private readonly servers: Server[],
  ) {}

  /** Opens both ports, with a certificate of its own for `localhost`. */
  static async open(): Promise<Front> {
    const folder = await scratch();
    const certificate = join(folder, 'certificate.pem');
    const key = join(folder, 'key.pem');
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', certificate]);
    const pass = (protocol: string) => (asked: IncomingMessage, answer: ServerResponse) => front.pass(protocol, asked, answer);
    const secure = createHttps({ key: await readFile(key), cert: await readFile(certificate) }, pass('https'));
    const front = new Front(folder, [secure, createHttp(pass('http'))]);
    for (const server of front.servers) {
      // A connection is closed by the browser alone: one that ends while the browser uses it again fails the page.
      server.keepAliveTimeout = 0;
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    }
    return front;
  }

  /** The certificate's file. */
  get certificate(): string {
    return join(this.folder, 'certificate.pem');
  }

  get httpsPort(): number {
    return (this.servers[0]?.address() as AddressInfo).port;
  }

  get httpPort(): number {
    return (this.servers[1]?.address() as AddressInfo).port;
  }

  private pass(protocol: string, asked: IncomingMessage, answer: ServerResponse): void {
    const foreign = this.foreign[asked.url ?? ''];
    if (foreign) {
      answer.writeHead(200, { 'content-type': 'text/html' }).end(foreign);
      return;
    }
    const headers = {
      ...asked.headers,
      'x-forwarded-proto': protocol,
      'x-forwarded-for': asked.socket.remoteAddress ?? '',
    };
    // Without an agent: a connection that is kept may be closed by the site at the moment it is used again.
    const further = request(this.target + asked.url, { agent: false, method: asked.method, headers }, (answered) => {
      const changed = { ...answered.headers };
      this.change(changed);
      answer.writeHead(answered.statusCode ?? 502, changed);
      answered.pipe(answer);
    });
    further.on('error', () => answer.destroy());
    asked.pipe(further);
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
