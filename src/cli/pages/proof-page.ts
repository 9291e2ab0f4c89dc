import { type CheckedTests, hasLostTests } from '../../evidence/tests-of-checks.ts';
import { heldOutCount } from '../../evidence/held-out.ts';
import type { GroundChange } from '../../../machines/recorded-proof.ts';
import type { TestResult } from '../../evidence/test-list.ts';
import type { Proof, ProvenLeg } from '../../app/proof/run-proof.ts';
import { oneLine } from '../../projections/phrases.ts';
import { amount } from '../../text/money.ts';
import type { Colours } from '../terminal/output.ts';
import { controlLines } from '../../app/views/control-lines.ts';
import { DOUBTS, LEG_TEXT } from '../../app/views/proof-words.ts';
import { failing, testCounts } from './failure-lines.ts';
import { columns } from './table.ts';

const MAX_NAME_CHARS = 120;
const MAX_LISTED = 20;
const MAX_NAMED = 3;
const HASH_CHARS = 8;

const HOW: { readonly [how in GroundChange['how']]: string } = {
  restored: 'restored',
  absent: 'absent: the start has none',
  keys: 'restored by keys',
};

/** A proof as a page: the legs, what they were given, and the verdict last. */
export function proofLines(proof: Proof, colours: Colours): readonly string[] {
  const { run, base, work, legs } = proof;
  const notes = [base.note, work.note].filter((note) => note !== null);
  return [
    `run ${run}: ${work.name} against ${base.name}`,
    ...notes,
    ...legs.flatMap((leg) => legLines(leg, colours)),
    ...testSection(proof, colours),
    ...groundSection(proof),
    ...heldOutLines(proof.heldOut, colours),
    ...factLines(proof),
    '',
    ...verdict(proof, colours),
  ];
}

function legLines({ leg, tree, levels }: ProvenLeg, { green, red, dim }: Colours): readonly string[] {
  const checks = levels.flatMap(({ level, checks: results }) =>
    results.flatMap((result) => [
      `  ${result.passed ? green('✓') : red('✗')} ${level} ${shown(result.name)}  ${dim(testCounts(result).replace(/, $/, ''))}`.trimEnd(),
      ...(result.passed ? [] : failing(result).map((line) => `      ${line}`)),
    ]),
  );
  return ['', `${LEG_TEXT[leg]} (${tree.slice(0, HASH_CHARS)})`, ...checks];
}

function heldOutLines(heldOut: Proof['heldOut'], { red }: Colours): readonly string[] {
  if (!heldOut) return [];
  if (heldOut.kind === 'changed') return ['', red(shown(heldOut.because))];
  const { recorded, failing: failed } = heldOut;
  const replaced = recorded.replaced === 0 ? '' : `, in place of ${amount(recorded.replaced, 'file')} of the work`;
  return [
    '',
    `${heldOutCount(recorded)}${replaced}`,
    ...failed.flatMap((result) => [
      `  ${red('✗')} ${shown(result.name)}`,
      ...failing(result).map((line) => `      ${line}`),
    ]),
  ];
}

function testSection({ tests, flickering }: Proof, colours: Colours): readonly string[] {
  if (tests.length === 0) return ['', 'tests: none is known by name'];
  const count = flickering.reduce((sum, { tests: named, more = 0 }) => sum + named.length + more, 0);
  return [
    '',
    'tests, against those of its start',
    ...tests.flatMap((checked) => checkedLines(checked, colours)),
    ...(count === 0 ? [] : [`  not demanded, because they flickered on the start: ${count}`]),
  ];
}

function checkedLines(checked: CheckedTests, { green, red }: Colours): readonly string[] {
  const { check, turned, kept, stillRed, fresh, lost, reportMissing, zero } = checked;
  const counts = [
    `${turned.length} turned green`,
    `${kept} stay green`,
    `${fresh.length} new`,
    ...(stillRed.length > 0 ? [`${stillRed.length} still red`] : []),
    ...(lost.length > 0 ? [`${lost.length} lost`] : []),
  ];
  const paint = hasLostTests(checked) ? red : green;
  return [
    `  ${shown(check)}: ${paint(counts.join(', '))}`,
    ...(reportMissing ? [`    ${red('its runner did not report to the end')}`] : []),
    ...(zero ? [`    ${red('no test ran')}`] : []),
    ...listed(
      'lost',
      lost.map(({ test, how }) => `${titleOf(test)} (${how})`),
    ),
    ...listed(
      'still red',
      stillRed.map(({ test, how }) => `${titleOf(test)} (${how})`),
    ),
    ...listed('turned green', turned.map(titleOf)),
    ...listed('new', fresh.map(titleOf)),
  ];
}

function listed(what: string, titles: readonly string[]): readonly string[] {
  const more = titles.length - MAX_LISTED;
  return [
    ...titles.slice(0, MAX_LISTED).map((title) => `    ${what}: ${title}`),
    ...(more > 0 ? [`    ${what}: ${more} more, with --json`] : []),
  ];
}

function titleOf({ file, name, occurrence }: TestResult): string {
  const title = [file ?? '', name].filter((part) => part !== '').join(' > ') || 'the run as a whole';
  return shown(occurrence === 1 ? title : `${title} (${occurrence})`);
}

function groundSection({ grounds, released, allowed, approved }: Proof): readonly string[] {
  const none = `the run changed no ${allowed.length === 0 ? '' : 'other '}ground`;
  const title = grounds.length === 0 ? none : 'grounds that the run changed, in the first leg';
  const rows = grounds.map(({ path, how, keys = [] }) => [
    `  ${shown(path)}`,
    keys.length === 0 ? HOW[how] : `${HOW[how]}: ${keys.map(shown).join(', ')}`,
  ]);
  const more = rows.length - MAX_LISTED;
  return [
    '',
    title,
    ...columns(rows.slice(0, MAX_LISTED)),
    ...(more > 0 ? [`  and ${more} more: --json`] : []),
    ...(approved ? ['  count, because a person has let exactly these changes count'] : []),
    ...(allowed.length === 0 ? [] : [`  count, because the run was started to let them: ${named(allowed)}`]),
    ...(released.length === 0 ? [] : [`  released by unprotect: ${named(released)}`]),
  ];
}

function factLines(proof: Proof): readonly string[] {
  const { walls, dependencies, pointers, providedChanged, missing } = proof;
  const { given, changed, trusted } = dependencies;
  const taken = trusted ? ', taken as they are' : '';
  return [
    '',
    ...controlLines(proof),
    walls.kind === 'full' ? 'walls: full' : `walls: none, in a copy: ${shown(walls.because)}`,
    `dependencies: ${given.length === 0 ? 'none' : `${named(given)}, as installed now`}`,
    ...(changed === null && given.length > 0 ? ['  whether they changed since the run began is not known'] : []),
    ...(changed !== null && changed.length > 0
      ? [`  ${amount(changed.length, 'file')} of them changed since the run began${taken}: ${named(changed)}`]
      : []),
    ...(pointers.length === 0 ? [] : [`  lead back into the workspace: ${named(pointers)}`]),
    ...(providedChanged.length === 0
      ? []
      : [`provided files that changed since the run began, not given: ${named(providedChanged)}`]),
    ...(missing.length === 0 ? [] : [`repositories within, not in the proof: ${named(missing)}`]),
  ];
}

function verdict({ proven, doubts }: Proof, { green, red }: Colours): readonly string[] {
  if (proven) return [green('proven: the checks pass')];
  return doubts.map((doubt) => red(`not proven: ${DOUBTS[doubt]}`));
}

function named(paths: readonly string[]): string {
  return `${paths.slice(0, MAX_NAMED).map(shown).join(', ')}${paths.length > MAX_NAMED ? ', …' : ''}`;
}

const shown = (text: string): string => oneLine(text, MAX_NAME_CHARS);
