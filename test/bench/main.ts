import { checkFigures } from './checking.ts';
import { detectorFigures } from './detectors.ts';
import { discoveryFigures } from './discovering.ts';
import { leftoverFigures } from './leftovers.ts';
import { longTurnFigures } from './long-turn.ts';
import { type Figure, holds } from './measure.ts';
import { openingFigures } from './opening.ts';
import { proofFigures } from './proof.ts';
import { rebuildFigures } from './rebuilding.ts';
import { recordingFigures } from './recording.ts';
import { redecideFigures } from './redeciding.ts';
import { ralphFigures } from './ralph.ts';
import { startingFigures } from './starting.ts';
import { stepFigures } from './steps.ts';
import { worktreeFigures } from './worktrees.ts';

const suites = {
  steps: stepFigures,
  recording: recordingFigures,
  rebuild: rebuildFigures,
  redecide: redecideFigures,
  check: checkFigures,
  opening: openingFigures,
  'long-turn': longTurnFigures,
  detectors: detectorFigures,
  ralph: ralphFigures,
  starting: startingFigures,
  worktrees: worktreeFigures,
  proof: proofFigures,
  leftovers: leftoverFigures,
  discovery: discoveryFigures,
};
const chosen = process.argv.slice(2);
let failed = 0;

for (const [name, figures] of Object.entries(suites)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n${name}`);
  for (const figure of await figures()) {
    const ok = holds(figure);
    if (!ok) failed += 1;
    console.log(
      `  ${ok ? 'ok  ' : 'MISS'} ${figure.name.padEnd(48)} ${rounded(figure.value).padStart(9)} ${figure.unit}${interval(figure)}${wanted(figure)}`,
    );
  }
}

process.exitCode = failed === 0 ? 0 : 1;

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function interval({ low, high }: Figure): string {
  return low === undefined || high === undefined ? '' : ` [${rounded(low)}, ${rounded(high)}]`;
}

function wanted({ bound, absolute }: Figure): string {
  if (bound === null) return '';
  const [word, number] = 'atLeast' in bound ? ['at least', bound.atLeast] : ['at most', bound.atMost];
  return `   (${word} ${number}${absolute ? `, asserted at ${'atLeast' in bound ? 'half' : 'twice'} that` : ''})`;
}
