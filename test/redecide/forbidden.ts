import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

type Members = { [name: string]: unknown };

/** Forbids clocks, network, processes and the disk in this process until they are allowed again. */
export function forbidden(): () => void {
  const before: (() => void)[] = [];
  const forbid = (owner: object, name: string) => {
    const members = owner as Members;
    const was = members[name];
    before.push(() => {
      members[name] = was;
    });
    members[name] = () => {
      throw new Error(`${name} was touched`);
    };
  };
  const RealDate = globalThis.Date;
  // What a time means may be asked, what time it is may not.
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, words) => {
      if (words.length === 0) throw new Error('the clock was touched');
      return Reflect.construct(real, words);
    },
    get: (real, name) => {
      if (name === 'now') throw new Error('Date.now was touched');
      return Reflect.get(real, name);
    },
  });
  before.push(() => {
    globalThis.Date = RealDate;
  });
  for (const name of ['now', 'mark', 'measure']) forbid(performance, name);
  for (const name of ['fetch', 'setTimeout', 'setInterval', 'setImmediate']) forbid(globalThis, name);
  for (const name of ['connect', 'createConnection', 'createServer']) forbid(net, name);
  for (const name of ['spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync', 'execFileSync'])
    forbid(childProcess, name);
  const disk = [
    'readFile',
    'readFileSync',
    'writeFile',
    'writeFileSync',
    'appendFile',
    'appendFileSync',
    'open',
    'openSync',
    'mkdirSync',
    'rmSync',
    'statSync',
  ];
  for (const name of disk) forbid(fs, name);
  syncBuiltinESMExports();
  return () => {
    for (const allow of before) allow();
    syncBuiltinESMExports();
  };
}
