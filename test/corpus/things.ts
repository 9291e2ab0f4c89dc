import type { Random } from './random.ts';
import type { Called } from './telling.ts';

const FOLDERS = [
  'src/billing',
  'src/auth',
  'lib/parser',
  'packages/api/src',
  'app/models',
  'internal/cache',
  'services/mail',
];
const NAMES = [
  'invoice',
  'session',
  'tokenizer',
  'router',
  'user',
  'eviction',
  'digest',
  'schema',
  'retry',
  'ledger',
  'webhook',
  'quota',
];
const ENDINGS = ['ts', 'py', 'go', 'rb'];
const SYMBOLS = [
  'parseAmount',
  'renewSession',
  'nextToken',
  'matchRoute',
  'evict',
  'buildDigest',
  'applyQuota',
  'signPayload',
];

export const path = (random: Random): string => `${random.one(FOLDERS)}/${random.one(NAMES)}.${random.one(ENDINGS)}`;
export const symbol = (random: Random): string => random.one(SYMBOLS);

/** So many files, no two alike. */
export function paths(random: Random, count: number): string[] {
  const all = FOLDERS.flatMap((folder) => NAMES.map((name) => `${folder}/${name}.ts`));
  return random.some(all, count);
}

export const read = (file: string, output = `export const ${file.replace(/\W+/g, '_')} = 1;`): Called => ({
  tool: 'read',
  arguments: { path: file },
  output,
});
export const edit = (file: string, find: string, replace: string): Called => ({
  tool: 'edit',
  arguments: { path: file, find, replace },
  output: `${file}: 1 replacement`,
});
export const shell = (command: string, output: string): Called => ({ tool: 'shell', arguments: { command }, output });
export const failing = (command: string, fails: string): Called => ({ tool: 'shell', arguments: { command }, fails });
export const grep = (pattern: string, output: string): Called => ({ tool: 'grep', arguments: { pattern }, output });
export const asks = (tool: string, given: Called['arguments'], output: string): Called => ({
  tool,
  arguments: given,
  output,
});

export const testsFail = (failed: number, total: number, ms: number): string =>
  `Tests: ${failed} failed, ${total - failed} passed, ${total} total\nTime: ${ms} ms`;
