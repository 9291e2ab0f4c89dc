import type { ToolSpec } from '../../actors/tool-spec.ts';
import { estimatedTokens } from '../../budget/message-length.ts';
import { limitsText } from '../../budget/limits-text.ts';
import { goesByBaseline } from '../../config/check-timeout.ts';
import type { OfferedCap } from '../../app/start/cap-offer.ts';
import type { Preview } from '../../app/preview/preview-run.ts';
import { curedLacks, lackLines } from '../../evidence/checkout-lacks.ts';
import { withSteps } from '../../evidence/steps/with-steps.ts';
import { amount, oneLine, plain, span } from '../../projections/phrases.ts';
import { grouped, formatMoney, NANO_USD_PER_USD } from '../../text/money.ts';
import { flagOf } from '../../options/option-table.ts';
import { messageLines, systemLines } from './message-lines.ts';
import { permissionLines } from './boundary-lines.ts';
import { columns } from './table.ts';

const MAX_CHARS = 200;

/** What the description of a tool adds to each request. */
const tokensOfTool = (tool: ToolSpec): number => estimatedTokens(JSON.stringify(tool).length);

type Row = readonly [name: string, value: string];

/** What a run would begin with, as a page. */
export function previewPage(preview: Preview, offered: OfferedCap | null): readonly string[] {
  const { request, warnings } = preview;
  const rows = [
    ...placeRows(preview),
    ...requestRows(preview),
    ...capRows(preview, offered),
    ...permissionLines(preview.settings).map((line, index): Row => [index === 0 ? 'permissions' : '', line]),
    ...checkRows(preview),
    ...warnings.map((warning): Row => ['warning', oneLine(warning, MAX_CHARS * 2)]),
  ];
  return [
    'dry run: nothing is sent or recorded, and no check is started',
    '',
    ...columns(rows),
    ...(request ? requestLines(request) : []),
  ];
}

function placeRows(preview: Preview): Row[] {
  const { settings, contextTokens, isIsolated } = preview;
  const { loop, strategy, model, fallbackModel, directory } = settings;
  const window = contextTokens === null ? 'window unknown' : `window of ${amount(contextTokens, 'token')}`;
  const fallback = fallbackModel ? [`then ${oneLine(fallbackModel, MAX_CHARS)}`] : [];
  return [
    ['loop', [loop, ...(strategy ? [`strategy ${oneLine(strategy.name, MAX_CHARS)}`] : [])].join(', ')],
    ['model', [oneLine(model, MAX_CHARS), ...fallback, window].join(', ')],
    ['parameters', parametersText(preview)],
    ['workspace', `${oneLine(directory, MAX_CHARS)}${isIsolated ? ', in a worktree of its own' : ''}`],
  ];
}

/** How the model is asked: what no option says is left to its provider. */
function parametersText({ settings: { parameters = {} }, answerTokens }: Preview): string {
  const { effort, temperature, maxAnswerTokens, providerOptions } = parameters;
  const longest = answerTokens ?? maxAnswerTokens;
  const options = providerOptions && oneLine(JSON.stringify(providerOptions), MAX_CHARS);
  return [
    `effort ${effort ?? 'default'}`,
    `temperature ${temperature ?? 'default'}`,
    longest === undefined ? 'length of answers default' : `answers of at most ${amount(longest, 'token')}`,
    ...(options === undefined ? [] : [`options ${options}`]),
  ].join(', ');
}

function requestRows({ request, inputTokens, price, costNanoUsd, settings, addsBaseline }: Preview): Row[] {
  if (request === null || inputTokens === null)
    return [['request', `only the loop ${settings.loop} knows what it asks`]];
  return [
    ['request', `~${amount(inputTokens, 'token')}, ${costText(price, costNanoUsd)}`],
    ['', 'its answer comes on top, and each later request sends the conversation so far again'],
    ...(addsBaseline
      ? [['', 'the checks run first: what fails in them is added to it, and is not in that estimate'] as const]
      : []),
  ];
}

function costText(price: Preview['price'], costNanoUsd: number | null): string {
  if (price === null || costNanoUsd === null) return 'price unknown';
  const { inputPerMillion, outputPerMillion, source } = price;
  const perMillion = `$${inputPerMillion} in, $${outputPerMillion} out per million tokens`;
  return `~${formatMoney(costNanoUsd)} (${perMillion}; ${source})`;
}

function capRows({ settings: { limits, attemptLimits } }: Preview, offered: OfferedCap | null): Row[] {
  const ofAttempt = attemptLimits ? [`${limitsText(attemptLimits)} an attempt`] : [];
  const missing = offered ? [`no cap on money or tokens: ${flagOf(offered.option)} ${offered.value}`] : [];
  return [['caps', [limitsText(limits), ...ofAttempt, ...missing].filter((text) => text !== '').join('; ')]];
}

function checkRows({ settings, checkIn, grounds, steps }: Preview): Row[] {
  if (checkIn === null) return [['checks', 'none: nothing proves the work (--verify COMMAND)']];
  const where = checkIn === 'proof' ? 'in a clean checkout' : 'in the workspace';
  const rows = withSteps(settings.checks, steps, []).checks.map((check, index): Row => {
    const { level, name, timeoutMs } = check;
    const atMost = checkIn === 'proof' && goesByBaseline(check) ? TIMES : span(timeoutMs);
    return [index === 0 ? 'checks' : '', `${level} ${oneLine(name, MAX_CHARS)}, ${where}, at most ${atMost}`];
  });
  if (grounds === null) return rows;
  const { size } = grounds.grounds;
  const rest = `${grouped(size)} of ${amount(grounds.files, 'file')}, which loopfold grounds lists`;
  const lacks = lackLines(grounds.lacks, grounds.build).map((line): Row => [
    'not in a checkout',
    oneLine(line, MAX_CHARS),
  ]);
  return [...rows, ...(checkIn === 'proof' ? AGAIN : []), ['grounds', rest], ...lacks];
}

const TIMES = 'ten times as long as before any work';
const AGAIN: readonly Row[] = [
  ['', 'before a success, tests that turned run again, on the start and on the work: alone where their runner can'],
  ['', '(node:test, vitest, jest, mocha, pytest, unittest, go test), else their whole check'],
  ['', 'then each check runs once more with an error added, which it has to report'],
];

function requestLines({ system, messages, tools }: NonNullable<Preview['request']>): readonly string[] {
  const sizes = tools.map((tool) => [`  ${plain(tool.name)}`, `~${amount(tokensOfTool(tool), 'token')}`]);
  return [
    ...(system === null ? [] : ['', ...systemLines(system)]),
    ...messages.flatMap((message) => ['', ...messageLines(message)]),
    ...(tools.length === 0 ? ['', 'tools: none'] : ['', `tools (${tools.length})`, ...columns(sizes)]),
  ];
}

/** The same for a program. */
export function previewJson(preview: Preview): object {
  const { settings, request, price, inputTokens, costNanoUsd, contextTokens, checkIn, grounds, warnings } = preview;
  const { loop, strategy, model, fallbackModel, directory, limits, attemptLimits, checks, parameters = {} } = settings;
  return {
    type: 'dry-run',
    loop,
    strategy,
    model,
    fallbackModel: fallbackModel ?? null,
    contextTokens,
    parameters: {
      effort: parameters.effort ?? null,
      temperature: parameters.temperature ?? null,
      maxAnswerTokens: parameters.maxAnswerTokens ?? null,
      providerOptions: parameters.providerOptions ?? null,
    },
    directory,
    isIsolated: preview.isIsolated,
    limits,
    attemptLimits,
    permissions: settings.permissions ?? null,
    request: request && {
      system: request.system,
      messages: request.messages,
      tools: request.tools.map((tool) => ({ ...tool, estimatedTokens: tokensOfTool(tool) })),
    },
    inputTokens,
    answerTokens: preview.answerTokens,
    addsBaseline: preview.addsBaseline,
    costUsd: costNanoUsd === null ? null : costNanoUsd / NANO_USD_PER_USD,
    price,
    checks,
    steps: preview.steps,
    checkIn,
    grounds: grounds && {
      root: grounds.root,
      files: grounds.files,
      paths: [...grounds.grounds.keys()],
      lacks: curedLacks(grounds.lacks, grounds.build),
    },
    warnings,
  };
}
