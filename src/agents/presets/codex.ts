import { readCodex } from '../one-shot/read-codex.ts';
import { type Preset, openai } from './preset.ts';

/** The variable in which it finds the stand-in for a key. */
const KEY_VARIABLE = 'LOOPFOLD_METER_KEY';

const set = (name: string, value: string | number): readonly string[] => [
  '-c',
  `model_provider${name}=${JSON.stringify(value)}`,
];

/** Codex, in its own sandbox where there are no walls: it writes to the workspace alone. */
export const codex: Preset = {
  name: 'codex',
  title: 'Codex',
  install: 'npm install --global @openai/codex',
  words: ['codex', 'exec', '--json', '--skip-git-repo-check', '{task}'],
  resumeWords: (session) => ['codex', 'exec', '--json', '--skip-git-repo-check', 'resume', session, '{task}'],
  sessions: ['.codex/sessions'],
  openWords: ['--sandbox', 'workspace-write'],
  walledWords: ['--dangerously-bypass-approvals-and-sandbox'],
  modelWords: (model) => ['--model', model],
  environment: () => ({}),
  passes: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_HOME', 'OPENAI_BASE_URL'],
  logins: ['.codex/auth.json'],
  hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  providers: [
    {
      ...openai,
      keys: [...openai.keys, { variable: 'CODEX_API_KEY', header: 'authorization', text: 'Bearer {key}' }],
    },
  ],
  metered: ({ openai: address = '' }, key) => ({
    words: [
      ...set('', 'loopfold'),
      ...set('s.loopfold.name', 'loopfold'),
      ...set('s.loopfold.base_url', address),
      ...set('s.loopfold.env_key', KEY_VARIABLE),
      ...set('s.loopfold.wire_api', 'responses'),
      ...set('s.loopfold.request_max_retries', 0),
      ...set('s.loopfold.stream_max_retries', 0),
    ],
    environment: { [KEY_VARIABLE]: key },
  }),
  adapter: { kind: 'one-shot', reading: readCodex },
};
