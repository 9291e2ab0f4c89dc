// A process of its own that plays a scenario in a folder, from the start or from where the log ends, and may be told to
// kill itself. In the end it says how many appends it made.
import { join } from 'node:path';
import type { Model } from '../../src/actors/model/model.ts';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { localHandlers } from '../../src/hosts/local/local-handlers.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { localServices } from '../../src/hosts/local/local-services.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { Supervisor } from '../../src/runtime/supervisor.ts';
import type { Live, Watch } from '../../src/runtime/own-tree.ts';
import { type Kill, killing } from './killing.ts';
import { ledgered } from './ledger.ts';
import { type Scenario, type ScenarioName, scenarios } from './scenarios.ts';

const [name = '', folder = '', generation = '1', kill = 'null'] = process.argv.slice(2);
const scenario: Scenario = scenarios[name as ScenarioName];
const opened = openSqliteLog(join(folder, 'log.db'));
const { log, appends } = killing(opened, JSON.parse(kill) as Kill | null);
const handed = new Map(
  Object.entries(scenario.handedOver ?? {}).map(([task, script]) => [task, scriptedModel(script)]),
);
const first = scriptedModel(scenario.script);
const model: Model = {
  name: first.name,
  answer: (request, call) => {
    const [task] = request.messages;
    return ((task?.role === 'user' && handed.get(task.text)) || first).answer(request, call);
  },
};
const services = localServices({ model });
const makeHandlers = ledgered(folder, Number(generation), (run, settings, loop) =>
  localHandlers(run, settings, loop, services),
);
const supervisor = new Supervisor({ log, loops: shippedLoops, makeHandlers });

let live: Live | null = null;
const watch: Watch = (_facts, deltas) => {
  deltas.subscribe(({ text }) => {
    if (scenario.abortAt !== undefined && text.includes(scenario.abortAt)) void live?.abort('that is enough');
  });
};

live = await begin();
if (scenario.leavesWhenAsked) live?.waiting.subscribe((isWaiting) => void (isWaiting && live?.pause('waiting')));
await live?.done;
await opened.close();
process.stdout.write(String(appends()));

async function begin(): Promise<Live | null> {
  const [first] = await opened.runs();
  if (!first) {
    const resolved = resolveSettings({ ...scenario.options, directory: join(folder, 'work') });
    if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
    return supervisor.start(resolved.settings, watch);
  }
  const resumed = await supervisor.resume(first.run, watch);
  if (resumed.kind === 'over') return null;
  if (resumed.kind !== 'live') throw new Error(`not resumed: ${JSON.stringify(resumed)}`);
  return resumed.live;
}
