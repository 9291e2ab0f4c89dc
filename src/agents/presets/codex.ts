import { readCodex } from '../one-shot/read-codex.ts';
import type { Preset } from './preset.ts';

/** Codex, in its own sandbox: it writes to the workspace alone. */
export const codex: Preset = {
  name: 'codex',
  title: 'Codex',
  install: 'npm install --global @openai/codex',
  words: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write', '{task}'],
  modelWords: (model) => ['--model', model],
  environment: () => ({}),
  passes: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_HOME'],
  adapter: { kind: 'one-shot', reading: readCodex },
};
