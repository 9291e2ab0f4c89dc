import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamShim } from './stream-shim.ts';

// Runs the public suite of the Durable Streams protocol against the read side of this server. It needs the network: the
// suite is installed apart, since it has another version of the test runner.

const SUITE = ['@durable-streams/server-conformance-tests@0.3.6', 'vitest@4'];

/** The groups about reading. */
const GROUPS = [
  'Read Operations',
  'Long-Poll Operations',
  'HEAD Metadata',
  'Offset Validation and Resumability',
  'Long-Poll Edge Cases',
  'Caching and ETag',
  'SSE Mode',
  'JSON Mode',
  'Read-Your-Writes Consistency',
  'Read Closed Streams',
  'Long-poll with Stream Closure',
  'SSE with Stream Closure',
  'Browser Security Headers',
];
/** What a log of JSON that other origins do not read has not: streams of bytes, forks, times to live, CORS. */
const LEFT_OUT = ['base64', 'binary', 'Fork', 'TTL', 'CORS', 'Stream-SSE-Data-Encoding'];

const folder = mkdtempSync(join(tmpdir(), 'loopfold-streams-'));
const { url, close } = await streamShim();
try {
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  spawnSync('npm', ['install', '--no-audit', '--no-fund', ...SUITE], { cwd: folder, stdio: 'inherit' });
  const suite = `import { runConformanceTests } from '@durable-streams/server-conformance-tests';
runConformanceTests({ baseUrl: '${url}' });`;
  writeFileSync(join(folder, 'suite.test.js'), suite);
  writeFileSync(
    join(folder, 'vitest.config.js'),
    `export default { test: { include: ['suite.test.js'], testTimeout: 30000 } };`,
  );
  const chosen = `^(?!.*(${LEFT_OUT.join('|')})).*(${GROUPS.join('|')})`;
  const runner = join(folder, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [runner, 'run', '-t', chosen], { cwd: folder, stdio: 'inherit' });
  const [status] = (await once(child, 'exit')) as [number | null];
  process.exitCode = status ?? 1;
} finally {
  close();
  rmSync(folder, { recursive: true, force: true });
}
