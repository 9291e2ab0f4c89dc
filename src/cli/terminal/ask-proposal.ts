import { plain } from '../../projections/phrases.ts';
import type { ConfirmedDefaults } from '../../config/consent-record.ts';
import type { Proposal } from '../args/proposal.ts';
import { checksText } from '../pages/proposal-lines.ts';
import { forgetTyped, readLine, isYes } from './question-lines.ts';
import type { Output } from './output.ts';

/** What the user said to a proposal. `unanswered`: the input has ended. */
export type Confirmed =
  | { readonly kind: 'confirmed'; readonly defaults: ConfirmedDefaults }
  | { readonly kind: 'refused' | 'unanswered' };

/** Shows on a terminal what would be used, and asks once. */
export async function askProposal(err: Output, proposal: Proposal): Promise<Confirmed> {
  const { needsModel, checks } = proposal;
  for (const line of linesOf(proposal)) err.line(plain(line));
  await forgetTyped(process.stdin);
  err.prompt(`${questionOf(proposal)} `);
  const reply = await readLine(process.stdin, new AbortController().signal);
  err.prompted(reply.kind === 'line');
  if (reply.kind !== 'line') return { kind: 'unanswered' };
  const model = needsModel ? modelIn(reply.text, proposal) : undefined;
  if (model === undefined && (needsModel || !isYes(reply.text))) return { kind: 'refused' };
  const commands = checks.map(({ command }) => command);
  return {
    kind: 'confirmed',
    defaults: { ...(model === undefined ? {} : { model }), ...(commands.length > 0 ? { checks: commands } : {}) },
  };
}

function linesOf(proposal: Proposal): readonly string[] {
  const { needsModel, models, checks } = proposal;
  const offered = models.map(({ model, variable }, index) => {
    const number = models.length > 1 ? `${index + 1}  ` : '';
    return `${index === 0 ? 'model ' : '      '}  ${number}${model} (${variable} is set)`;
  });
  return [...(needsModel ? offered : []), ...(checks.length > 0 ? [`checks  ${checksText(proposal)}`] : [])];
}

function questionOf({ needsModel, models, checks }: Proposal): string {
  if (!needsModel) return 'Prove the work with that in this folder, now and later? [y/N]';
  const what = checks.length > 0 ? 'Use these' : 'Use it';
  return `${what} in this folder, now and later? [y/N${models.length > 1 ? ', or the number of a model' : ''}]`;
}

/** The model that was agreed to: the first, or the one whose number was typed. */
function modelIn(typed: string, { models }: Proposal): string | undefined {
  if (isYes(typed)) return models[0]?.model;
  return models.length > 1 ? models[Number(typed.trim()) - 1]?.model : undefined;
}
