import { z } from 'zod';
import {
  ContestEvent,
  ImprovementEvent,
  IterationEvent,
  type LoopEvent,
  RalphEvent,
  TurnEvent,
} from '../../machines/events.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { loopNamed } from '../../src/kernel/loop-named.ts';
import { contestEntry, improvementEntry } from '../../machines/index.ts';
import { contest } from '../../machines/contest.machine.ts';
import { improvement } from '../../machines/improvement.machine.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { actorOf } from '../../machines/life.ts';
import { ralph } from '../../machines/ralph.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { DEFAULTS } from '../../src/config/config.ts';
import { type Option, OPTION_GROUPS, OPTION_ROWS, flagOf } from '../../src/options/option-table.ts';
import { countingResults } from '../../src/detectors/complete-choice.ts';
import { DEFAULT_DETECTORS } from '../../src/detectors/profile.ts';
import { sourceTable } from '../corpus/source-table.ts';
import { mermaid } from '../../src/charts/mermaid.ts';
import { STRATEGY_FAULTS } from '../../src/strategies/strategy-error.ts';
import { cycleTable } from './cycle-table.ts';
import { plain, recordedDemo } from './demo-recording.ts';
import { attackTable, honestTable, namedList } from './evidence-tables.ts';
import { measuredPage } from '../bench/measured.ts';
import { detectorTable } from './detector-table.ts';
import { performanceSections } from './performance-text.ts';
import { strategySections } from './strategy-table.ts';
import { transitionTableOf } from './transition-table.ts';

/** These sections take seconds each: the demo runs, the corpus is scored, paths to every transition are searched. */
export const SLOW_SECTIONS = /^(?:demo|detectors-by-source|\w+-transitions)$/;

/** The sections that pages take from the code, by their names on the pages. */
export const sections: ReadonlyMap<string, () => string | Promise<string>> = new Map<
  string,
  () => string | Promise<string>
>([
  ['turn-overview', () => fenced('mermaid', mermaid(turn, { depth: 1 }))],
  ['iteration-overview', () => fenced('mermaid', mermaid(iteration, { depth: 1 }))],
  ['ralph-overview', () => fenced('mermaid', mermaid(ralph, { depth: 1 }))],
  ['improvement-overview', () => fenced('mermaid', mermaid(improvement, { depth: 1 }))],
  ['contest-overview', () => fenced('mermaid', mermaid(contest, { depth: 1 }))],
  ['turn-chart', () => fenced('mermaid', mermaid(turn))],
  ['iteration-chart', () => fenced('mermaid', mermaid(iteration))],
  ['ralph-chart', () => fenced('mermaid', mermaid(ralph))],
  ['improvement-chart', () => fenced('mermaid', mermaid(improvement))],
  ['contest-chart', () => fenced('mermaid', mermaid(contest))],
  ['turn-cycles', () => cycleTable(loopNamed('turn', shippedLoops).id)],
  ['iteration-cycles', () => cycleTable(loopNamed('iteration', shippedLoops).id)],
  ['ralph-cycles', () => cycleTable(loopNamed('ralph', shippedLoops).id)],
  ['improvement-cycles', () => cycleTable(loopNamed('improvement', shippedLoops).id)],
  ['contest-cycles', () => cycleTable(loopNamed('contest', shippedLoops).id)],
  ['events', eventTable],
  ['options', optionTable],
  // As the runs of agents have them.
  ['detectors-by-source', () => sourceTable(countingResults(DEFAULT_DETECTORS))],
  ['strategies', strategySections],
  ['detectors', detectorTable],
  ['attacks', attackTable],
  ['honest-changes', honestTable],
  ['named-cheats', namedList],
  ['strategy-faults', strategyFaultTable],
  ['turn-transitions', () => transitionTableOf('turn@1')],
  ...Object.entries(performanceSections).map(([name, make]) => [name, () => make(measuredPage())] as const),
  ['demo', () => fenced('text', plain(recordedDemo()))],
  ['iteration-transitions', () => transitionTableOf('iteration@1')],
  ['ralph-transitions', () => transitionTableOf('ralph@1')],
  ['improvement-transitions', () => transitionTableOf('improvement@1')],
  ['contest-transitions', () => transitionTableOf('contest@1')],
]);

const BETWEEN_MARKS = /(<!-- generated: ([\w-]+) -->\n)[^]*?(<!-- end -->)/g;

/** A page with its generated sections renewed, or some of them. Throws for a section that is unknown here. */
export async function regenerated(page: string, isRenewed: (name: string) => boolean = () => true): Promise<string> {
  const texts = new Map<string, string>();
  for (const name of sectionsOf(page).filter(isRenewed)) {
    const make = sections.get(name);
    if (!make) throw new Error(`nothing generates ${name}; known: ${[...sections.keys()].join(', ')}`);
    texts.set(name, await make());
  }
  return page.replaceAll(BETWEEN_MARKS, (section: string, begin: string, name: string, end: string) =>
    texts.has(name) ? `${begin}\n${texts.get(name)}\n\n${end}` : section,
  );
}

/** The sections that a page has. */
export const sectionsOf = (page: string): string[] => [...page.matchAll(BETWEEN_MARKS)].map(([, , name = '']) => name);

function eventTable(): string {
  const loops = {
    turn: TurnEvent.options,
    iteration: IterationEvent.options,
    ralph: RalphEvent.options,
    improvement: ImprovementEvent.options,
    contest: ContestEvent.options,
  };
  const options = new Map(
    Object.values(loops)
      .flat()
      .map((option) => [option.shape.type.value, option]),
  );
  const rows = [...options].map(([type, { shape }]) => {
    const takers = Object.entries(loops).filter(([, known]) =>
      known.some((option) => option.shape.type.value === type),
    );
    const loop = takers.length === Object.keys(loops).length ? 'all' : takers.map(([name]) => name).join(', ');
    return `| \`${type}\` | ${loop} | ${fieldsOf(shape.payload)} | ${answererOf(type)} |`;
  });
  return ['| event | loop | carries | is the result of |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function strategyFaultTable(): string {
  const rows = Object.entries(STRATEGY_FAULTS).map(([code, means]) => `| \`${code}\` | ${means} |`);
  return ['| code | what is wrong |', '| --- | --- |', ...rows].join('\n');
}

function optionTable(): string {
  const groups = Object.entries(OPTION_GROUPS);
  const tables = groups.map(([name, options]) => {
    const rows = (Object.keys(options) as Option[]).map((option) => {
      const value = DEFAULTS[option];
      const text = value === undefined || typeof value === 'object' ? '' : `\`${String(value)}\``;
      return `| \`${option}\` | \`${flagOf(option)}\` | ${OPTION_ROWS[option].means} | ${text} |`;
    });
    return [`### ${name}`, '', '| key | flag | what it is | default |', '| --- | --- | --- | --- |', ...rows].join(
      '\n',
    );
  });
  return tables.join('\n\n');
}

function fieldsOf({ shape }: z.ZodObject): string {
  const fields = Object.entries(shape).map(
    ([name, field]) => `\`${name}\`${field instanceof z.ZodOptional ? '?' : ''}`,
  );
  return fields.join(', ');
}

/** The id of the actor whose result an event is; the member that distinguishes several is in capitals. */
function answererOf(type: LoopEvent['type']): string {
  const payload = { callId: 'CALLID', timer: 'TIMER', actor: 'ACTOR' };
  const actor =
    improvementEntry.settles[type] ?? contestEntry.settles[type] ?? actorOf({ type, payload } as unknown as LoopEvent);
  return actor === null ? '' : `\`${actor}\``;
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
