import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from './program.ts';

const frontend = join(root, 'frontend');

/** Starts the frontend's development server, as `make dev` does, and returns the URL of the style guide. */
export async function startGuide(): Promise<{ url: string; stop: () => Promise<void> }> {
  const vite = join(frontend, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, '--port', String(await freePort()), '--strictPort', '--clearScreen', 'false'], {
    cwd: frontend,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await new Promise<string>((done, fail) => {
    let output = '';
    const read = (chunk: string) => {
      output += chunk;
      const found = /Every component: (http:\/\/\S+)/.exec(output);
      if (found?.[1]) done(found[1]);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the development server ended with ${code}: ${output}`)));
  });
  return {
    url,
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no port'))));
    });
  });
}
