import { dirname } from 'node:path';
import { standWalls } from '../../../src/actors/proof/agent-walls.ts';

// A program of its own that builds walls in a folder, starts a command there that does not end, and says so.

const [directory = '', mark = ''] = process.argv.slice(2);
const walls = await standWalls({
  home: '',
  node: dirname(process.execPath),
  network: 'example.org',
  environment: {},
  limits: undefined,
  homeFiles: {},
  toolHomes: [],
  writable: [directory],
  kept: [],
});
if ('missing' in walls) throw new Error(walls.missing);
const limits = { timeoutMs: 600_000, maxOutputBytes: 1_000, signal: new AbortController().signal };
const command = `setsid sleep ${mark} & touch begun; sleep ${mark}`;
await walls.run({ run: 'a-run', command, directory, ...limits });
