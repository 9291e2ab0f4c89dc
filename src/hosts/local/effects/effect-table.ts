import type { Services } from '../services.ts';
import { improvementEffects } from '../improvement/improvement-effects.ts';
import { admitCalls } from './admit-calls.ts';
import { askJudge } from './ask-judge.ts';
import { captureWorkspace } from './capture-workspace.ts';
import type { LocalEffect } from './local-effect.ts';
import { endStrategy } from './end-strategy.ts';
import { closeFile, readFile, writeFile } from './keep-state-file.ts';
import { runTool } from './run-tool.ts';
import { startTimer } from './start-timer.ts';
import { streamModel } from './stream-model.ts';
import { takeBaseline } from './take-baseline.ts';
import { verifyWork } from './verify-work.ts';
import { writeSummary } from './write-summary.ts';

/** The handlers of this host by the name under which charts start the effect. Each takes only the services it needs. */
export const effectTable = (services: Services) =>
  ({
    ...improvementEffects(services),
    admitCalls: admitCalls(services),
    captureWorkspace: captureWorkspace(services),
    closeStateFile: closeFile,
    endStrategy: endStrategy(services),
    judge: askJudge(services),
    readStateFile: readFile,
    runTool: runTool(services),
    streamModel: streamModel(services),
    summarise: writeSummary(services),
    takeBaseline: takeBaseline(services),
    timer: startTimer(services),
    verifyWork: verifyWork(services),
    writeStateFile: writeFile,
  }) satisfies Readonly<Record<string, LocalEffect>>;
