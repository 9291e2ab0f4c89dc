// `npm run test:agents`, with AGENT=claude or another name, and CASE=plain: installs each agent from the network, one
// at a time, drives it against a scripted provider, and prints a table. Exits with 1 where something does not hold.
// `--in-turn`: one agent, chosen by the commit, and as many cases as five minutes have room for.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../repository/tool.ts';
import { tierOfCommit } from '../../support/tier.ts';
import { CASES } from './cases.ts';
import { INSTALLED, REAL_AGENTS, type RealAgent, versionOf } from './real-agents.ts';

const TURN_MS = 300_000;
/** The room that a case needs. */
const CASE_MS = 120_000;

const { AGENT = '', CASE = '' } = process.env;
const isInTurn = process.argv.includes('--in-turn');
const cases = Object.entries(CASES).filter(([name]) => CASE === '' || CASE.split(',').includes(name));
const until = performance.now() + TURN_MS;

function chosen(): readonly RealAgent[] {
  if (AGENT !== '' || !isInTurn) return REAL_AGENTS.filter(({ name }) => AGENT === '' || name === AGENT);
  return REAL_AGENTS.slice(tierOfCommit(process.env, root).seed % REAL_AGENTS.length).slice(0, 1);
}

/** Installs an agent in the place of the one before. Returns whether it is there in time. */
function install(agent: RealAgent): boolean {
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options, `${agent.package}@${versionOf(agent)}`], {
    cwd: INSTALLED,
    stdio: 'inherit',
    timeout: TURN_MS,
  });
  return status === 0;
}

const rows: string[] = [];
const agents = chosen();
let isSound = agents.length > 0 && cases.length > 0;
if (!isSound) console.log(`there is no agent ${AGENT}, or no case ${CASE}`);
for (const agent of agents) {
  const title = `${agent.name} ${versionOf(agent)}`;
  if (!install(agent)) {
    console.log(`${title} cannot be installed within five minutes: it is left out.`);
    isSound &&= isInTurn;
    continue;
  }
  const cells: string[] = [];
  for (const [name, play] of cases) {
    const from = performance.now();
    if (isInTurn && from + CASE_MS > until) {
      console.log(`${title}, ${name}: left out, because five minutes have no room for it.`);
      cells.push('left out');
      continue;
    }
    const { wrong, notes } = await play(agent);
    const took = `${((performance.now() - from) / 1_000).toFixed(1)} s`;
    isSound &&= wrong.length === 0;
    cells.push(wrong.length === 0 ? 'holds' : 'fails');
    console.log(`${title}, ${name}: ${[...(wrong.length === 0 ? ['holds'] : wrong), ...notes, took].join('; ')}`);
  }
  rows.push(`| ${title} | ${cells.join(' | ')} |`);
}
rmSync(join(INSTALLED, 'node_modules'), { recursive: true, force: true });
const head = ['agent', ...cases.map(([name]) => name)];
console.log(['', `| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows].join('\n'));
process.exitCode = isSound ? 0 : 1;
