// A process of its own that runs an improvement loop in a folder, from the start or from where the log ends, and may be
// told to kill itself. It answers what the loop asks, and says in the end how many appends it made.
import { join } from 'node:path';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import type { LiveRun } from '../../src/app/running/live-runs.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type Kill, killing } from './killing.ts';

const [folder = '', kill = 'null', atOnce = '1'] = process.argv.slice(2);
const opened = openSqliteLog(join(folder, '.loopfold/log.db'));
const { log, appends } = killing(opened, JSON.parse(kill) as Kill | null);

/** Of each finding the same: the right work for `list.js`, and wrong work for `sum.js`. */
const model = scriptedModel(({ messages }) => {
  const [task] = messages;
  const title = /one respect: (.*)/.exec(task && 'text' in task ? task.text : '')?.[1];
  if (title === undefined || messages.length > 1) return { text: 'Done.' };
  const [path, content] = title.includes('list') ? ['list.js', 'sorted\n'] : ['list.js', null];
  const work =
    content === null ? { tool: 'shell', arguments: { command: 'rm kept.txt sum.js' } } : written(path, content);
  return { text: 'I see.', calls: [work] };
});
const written = (path: string, content: string) => ({ tool: 'write', arguments: { path, content } });

const loops = new Loops({ log, model, holds: join(folder, '.loopfold/holds.db'), warn: () => {} });
const live = await begin();
live?.waiting.subscribe((isWaiting) => void (isWaiting && approve(live.run)));
await live?.done;
await opened.close();
process.stdout.write(String(appends()));

async function begin(): Promise<LiveRun | null> {
  const [first] = (await opened.runs()).filter(({ parentEffect }) => parentEffect === null);
  if (!first) {
    return loops.start({
      loop: 'improvement',
      prompt: 'Mend it.',
      directory: folder,
      checks: ['L1:test -f kept.txt'],
      options: {
        phases: {
          discovery: { sources: ['todos'] },
          experiment: { maxParallel: Number(atOnce) },
          integrate: { requireApproval: true },
        },
      },
    });
  }
  const resumed = await loops.resume(first.run);
  if (resumed.kind === 'over') return null;
  if (resumed.kind !== 'live') throw new Error(`not resumed: ${JSON.stringify(resumed)}`);
  return resumed.live;
}

async function approve(run: string): Promise<void> {
  const [open] = (await loops.questions(run)) ?? [];
  if (!open?.approval) throw new Error('nothing is asked');
  await loops.grant(run, { call: open.callId, granted: true, digest: open.approval.digest });
}
