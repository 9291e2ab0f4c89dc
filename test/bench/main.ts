import { checkFigures } from './checking.ts';
import { claimingFigures } from './claiming.ts';
import { commitFigures } from './commit-figures.ts';
import { detectorFigures } from './detectors.ts';
import { discoveryFigures } from './discovering.ts';
import { leftoverFigures } from './leftovers.ts';
import { listingFigures } from './listing.ts';
import { listingPageFigures } from './listing-pages.ts';
import { labFigures } from './judging-runs.ts';
import { exportFigures } from './exporting.ts';
import { longTurnFigures } from './long-turn.ts';
import { holds } from './measure.ts';
import { meteringFigures } from './metering.ts';
import { openingFigures } from './opening.ts';
import { proofFigures } from './proof.ts';
import { readingFigures } from './reading-costs.ts';
import { rebuildFigures } from './rebuilding.ts';
import { recordingFigures } from './recording.ts';
import { redecideFigures } from './redeciding.ts';
import { lineOf } from './report-line.ts';
import { ralphFigures } from './ralph.ts';
import { restateFigures } from './restate-steps.ts';
import { serverAppendFigures } from './server-append.ts';
import { startingFigures } from './starting.ts';
import { stepFigures } from './steps.ts';
import { waitingFigures } from './waiting.ts';
import { wallFigures } from './walls.ts';
import { worktreeFigures } from './worktrees.ts';

const suites = {
  steps: stepFigures,
  commits: commitFigures,
  recording: recordingFigures,
  rebuild: rebuildFigures,
  reading: readingFigures,
  redecide: redecideFigures,
  lab: labFigures,
  export: exportFigures,
  check: checkFigures,
  opening: openingFigures,
  'long-turn': longTurnFigures,
  detectors: detectorFigures,
  ralph: ralphFigures,
  starting: startingFigures,
  walls: wallFigures,
  metering: meteringFigures,
  worktrees: worktreeFigures,
  proof: proofFigures,
  leftovers: leftoverFigures,
  discovery: discoveryFigures,
  waiting: waitingFigures,
  listing: listingFigures,
  pages: listingPageFigures,
  server: serverAppendFigures,
  claims: claimingFigures,
  restate: restateFigures,
};
const chosen = process.argv.slice(2);
let failed = 0;

for (const [name, figures] of Object.entries(suites)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n${name}`);
  for (const figure of await figures()) {
    if (!holds(figure)) failed += 1;
    console.log(lineOf(figure));
  }
}

process.exitCode = failed === 0 ? 0 : 1;
