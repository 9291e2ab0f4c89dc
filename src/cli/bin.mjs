#!/usr/bin/env node
// Starts the program: in a clone from its sources, where this Node reads TypeScript, otherwise as it was built. It is
// plain JavaScript, readable for any Node, because it starts the Node installed beside it where the running one
// is too old.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { keepCompiled } from './compile-cache.mjs';

const NEEDED = [22, 13];
/** The status of a fault of the environment. */
const STATUS = 5;
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const sources = join(root, 'src', 'cli', 'main.ts');
const isClone = existsSync(sources);
const { node: version } = process.versions;

if (isEnough(version)) await start();
else {
  const node = nodeBeside(root);
  if (node === null)
    refuse(`loopfold needs Node ${NEEDED.join('.')} or newer, and this is Node ${version}.`, newerNode());
  else handOver(node);
}

async function start() {
  const built = join(root, 'dist', 'src', 'cli', 'main.js');
  const program = isClone && process.features.typescript ? sources : built;
  if (!existsSync(program)) {
    const next = isClone ? 'Run: npm ci && npm run build' : 'Install it again.';
    return refuse(`loopfold is not built: there is no ${built}.`, next);
  }
  keepCompiled();
  return import(pathToFileURL(program).href);
}

function isEnough(one) {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/**
 * A Node that is new enough and installed as a package, in a folder where the modules of this one would be looked for.
 */
function nodeBeside(folder) {
  const node = join(folder, 'node_modules', '.bin', 'node');
  if (existsSync(node)) {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    if (isEnough(String(stdout).trim().replace('v', ''))) return node;
  }
  return dirname(folder) === folder ? null : nodeBeside(dirname(folder));
}

/** Ends as the other one ends. A terminal sends its signals to both. */
function handOver(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  const isTerminal = process.stdin.isTTY || process.stderr.isTTY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isTerminal) child.kill(signal);
    });
  }
  child.on('error', (error) => refuse(`${node} cannot be started: ${error.message}`, newerNode()));
  child.on('exit', (status, signal) => {
    process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0);
  });
}

function newerNode() {
  if (isClone)
    return `Run npm ci in ${root}, without --ignore-scripts: it brings one. Or install one (https://nodejs.org).`;
  // Its own path: npx would look up the name of the package in a registry where no project has it.
  const own = `'${fileURLToPath(import.meta.url).replaceAll("'", `'\\''`)}'`;
  return `Install a newer one (https://nodejs.org), or try: npx -p node@24 node ${own}`;
}

function refuse(...lines) {
  for (const line of lines) console.error(line);
  process.exitCode = STATUS;
}
