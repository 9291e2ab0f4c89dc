// A process of its own that plays the example of a loop of one's own in a folder, from the start or from where the log
// ends, and may be told to kill itself. What its reviewer is asked is written down outside the log. In the end it says
// how many appends it made.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { loopModule } from '../../src/app/start/loop-module.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import type { EffectHandler } from '../../src/kernel/effect-spec.ts';
import { type Kill, killing } from './killing.ts';

const [module = '', folder = '', kill = 'null'] = process.argv.slice(2);
const loaded = await loopModule(module, 'reviewed.loop.ts');
if (loaded.kind === 'failed') throw new Error(loaded.why);
const { loop } = loaded;
const opened = openSqliteLog(join(folder, 'log.db'));
const { log, appends } = killing(opened, JSON.parse(kill) as Kill | null);

const DRAFTS = [
  'export const sum = (a, b) => ;',
  'export const add = (a, b) => a + b;',
  'export const sum = (a, b) => a + b;',
];
const model = scriptedModel(({ system, step, iteration }) => {
  if (system?.startsWith('You review'))
    return { text: iteration === 1 ? 'REJECTED\nCall it sum.' : 'APPROVED\nGood.', delayMs: 20 };
  if (step > 0) return { text: 'Done.' };
  return { calls: [{ tool: 'write', arguments: { path: 'sum.mjs', content: DRAFTS[iteration] ?? '' } }] };
});
const asked: EffectHandler = (input, call) => {
  appendFileSync(join(folder, 'asked.txt'), `${call.id}\n`);
  const { askReviewer } = loop.handlers ?? {};
  if (!askReviewer) throw new Error('the loop has no reviewer');
  return askReviewer(input, call);
};

const loops = new Loops({ log, model, loops: [{ ...loop, handlers: { askReviewer: asked } }] });
await (
  await begin()
)?.done;
await opened.close();
process.stdout.write(String(appends()));

async function begin() {
  const [first] = await opened.runs();
  const directory = join(folder, 'work');
  if (!first)
    return loops.start({ prompt: 'Export sum.', loop: 'reviewed', directory, checks: ['node --check sum.mjs'] });
  const resumed = await loops.resume(first.run);
  if (resumed.kind === 'over') return null;
  if (resumed.kind !== 'live') throw new Error(`not resumed: ${JSON.stringify(resumed)}`);
  return resumed.live;
}
