import { join } from 'node:path';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { serveApi } from '../../src/http/serve-api.ts';
import { root } from '../repository/tool.ts';
import { openStudio } from './browser.ts';
import { demoLog } from './demo-log.ts';

// Draws docs/studio.png: the run of the demo that ends in success, at the version of its first verification. The demo
// really runs, and its page is the one that the build makes.

const SIZE = { width: 1_180, height: 768 };
const PERSON = { name: 'Ada', email: null, isKnown: true };

const demo = await demoLog();
const studio = await openStudio();
const loops = new Loops({ log: demo.log });
const warn = (line: string) => void process.stderr.write(`${line}\n`);
const host = { loops, kept: null, defaults: {}, isReadOnly: false, warn };
const proof = { protect: [], unprotect: [], deps: [] };
const server = await serveApi(
  { ...host, proof },
  { host: '127.0.0.1', port: 0, person: PERSON, tokens: [], page: studio.page },
);
try {
  const page = await studio.browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  await page.goto(server.address());
  await page.goto(`http://127.0.0.1:${server.port}/#/run/${demo.success}/chart?at=${await firstVerification()}`);
  await page.getByRole('img', { name: /iteration/ }).waitFor();
  await page.getByText('verification.completed').first().waitFor();
  await page.screenshot({ path: join(root, 'docs', 'studio.png') });
} finally {
  await server.close();
  await studio.close();
  await demo.close();
}

/** The version of the first verification that judges an attempt. */
async function firstVerification(): Promise<number> {
  for await (const { type, version } of demo.log.read(demo.success))
    if (type === 'verification.completed') return version;
  throw new Error('nothing was verified');
}
