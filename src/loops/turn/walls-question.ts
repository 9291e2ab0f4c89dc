import { isOnePlace } from '../../../machines/command-reach.ts';
import type { ToolCall } from '../../../machines/events.ts';
import { MAX_OPENED_PLACES, type ServerQuestion } from '../../../machines/server-question.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { CommandResult } from '../../actors/subprocess.ts';
import { signatureOf } from '../../detectors/signature.ts';
import { lacksNetwork } from '../../evidence/wall-refusals.ts';
import { canonicalText } from '../../log/canonical-text.ts';
import { sha256 } from '../../log/sha256.ts';
import { callParts } from '../../permissions/call-parts.ts';
import { isHostDenied } from '../../permissions/call-ruling.ts';
import { ruledBy } from '../call-permissions.ts';

/** The end of an output that a person reads, or a model whose call stays refused. */
const MAX_SHOWN_CHARS = 1_500;
/** The name under which walls ask. */
const WALLS = 'walls';
const WALLS_LINE = /^\[walls: .*\]\n?/gm;

/** The question about the places that walls have refused to a command. Null: they have refused it none. */
export function questionAbout(call: ToolCall, result: CommandResult, settings: RunSettings): ServerQuestion | null {
  if (result.kind !== 'exited' || result.exitCode === 0) return null;
  const ruled = ruledBy(settings);
  const named = () => callParts(call, settings.directory).flatMap(({ hosts }) => hosts);
  const isCutOff = settings.sandbox?.network === 'none' && lacksNetwork(result.output);
  const places = (result.refused ?? (isCutOff ? named() : []))
    .map((place) => place.toLowerCase())
    .filter((place) => isOnePlace(place) && !isHostDenied(place, call, ruled));
  const opens = [...new Set(places)].slice(0, MAX_OPENED_PLACES);
  if (opens.length === 0) return null;
  const printed = result.output.replaceAll(WALLS_LINE, '').trimEnd().slice(-MAX_SHOWN_CHARS);
  return {
    server: WALLS,
    message: `${printed}\n[exit code ${result.exitCode}]`.trimStart().toWellFormed(),
    form: {},
    digest: sha256(canonicalText([signatureOf(call) ?? '', ...opens])),
    opens,
  };
}
