import type { ProofSettings, RunSettings } from '../../../machines/settings.ts';
import type { ChildOf } from '../../kernel/effect-spec.ts';
import { attemptSettings, steeringText, roundSettings } from '../attempt-settings.ts';
import type { ImprovementMemory, CutWork } from './memory.ts';
import { head } from '../../text/excerpt.ts';
import { checksText } from '../checks-text.ts';
import { CANNOT } from './evaluation/experiment-end.ts';

/** How many of the newest refused experiments a prompt names. */
const MAX_NAMED_MISSES = 5;
const MAX_REASON_CHARS = 400;

const continuedText = ({ said }: CutWork): string =>
  `An earlier experiment on this was cut by a limit. You begin with the files that it has left: go on from there.\n${head(said, MAX_REASON_CHARS)}`;

/** What an experiment is told: the finding, a plan where there is one, what has not worked, and how it is judged. */
function experimentPrompt({ settings, steering, lane }: ChildOf, memory: ImprovementMemory): string {
  const { tried, plans } = memory;
  const candidate = memory.candidate(lane);
  if (!candidate) throw new Error('an experiment begins without a candidate');
  const plan = plans.of(candidate.id);
  const { acceptance = null, prepared } = memory.experiments.of(lane) ?? {};
  const { continues } = prepared ?? {};
  const cut = memory.cut.get(candidate.fingerprint);
  const misses = tried.filter(({ refused }) => refused !== null).slice(-MAX_NAMED_MISSES);
  const checks = checksText(settings);
  return [
    `Improve this repository in one respect: ${candidate.title}`,
    candidate.summary,
    `${settings.prompt}${steeringText(steering)}`,
    ...(acceptance
      ? [
          `A test was written before the work, and fails today: ${acceptance.path}. Your work is kept if it passes; ` +
            'the file itself stays as it is.',
        ]
      : []),
    ...(plan === null ? [] : [`A plan, made before the work:\n${plan}`]),
    ...(cut && continues !== undefined ? [continuedText(cut)] : []),
    ...(misses.length === 0
      ? []
      : [
          [
            'What was tried before in this repository and not kept:',
            ...misses.map(({ discovery, refused }) => `- ${discovery.title}: ${head(refused ?? '', MAX_REASON_CHARS)}`),
          ].join('\n'),
        ]),
    'Change only what this needs. Your work is kept if the finding is gone, nothing that passed before fails now, and ' +
      'no new finding appears. Existing tests, and configuration that checks rest on, stay as they are: put new tests into ' +
      `new files${candidate.source === 'skipped-tests' ? '; here, take out only the mark that skips the test' : ''}. ` +
      `Finish when that holds. If it cannot be done here, change nothing and say why in a line that begins with ${CANNOT}`,
    ...(checks === null ? [] : [checks]),
  ].join('\n\n');
}

/**
 * The settings of an experiment: a run of the loop that the options name, in the worktree that was made for it, with
 * its reservation as its share. A loop of attempts has the checks of the run; a turn is evaluated from outside alone.
 */
export function experimentSettings(of: ChildOf): RunSettings {
  const memory = of.memory as ImprovementMemory;
  const { phases } = memory.options;
  const { model, loop, maxIterations } = phases.experiment;
  const { prepared } = memory.experiments.of(of.lane) ?? {};
  if (!prepared) throw new Error(`${of.run}: an experiment begins without a worktree`);
  const own = { ...of, feedback: null };
  const settings =
    loop === 'turn' ? attemptSettings(own) : roundSettings(own, { loop, maxIterations, checks: of.settings.checks });
  const { proof } = settings;
  return {
    ...settings,
    prompt: experimentPrompt(of, memory),
    model: model ?? settings.model,
    directory: prepared.directory,
    isolation: prepared.isolation,
    // An experiment asks no person, and what counts is what the experiment begins with.
    ...(proof ? { proof: { ...withoutInherited(proof), base: prepared.base, wait: false } } : {}),
  };
}

/** All files of its worktree are those of the base, also where the run itself began with other grounds. */
function withoutInherited({ start: _start, inherited: _inherited, ...proof }: ProofSettings): ProofSettings {
  return proof;
}
