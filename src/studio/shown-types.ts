// What the page shows, as the API answers it: types alone, so that no schema is part of the page.
export type { ChangeView } from '../app/change-view.ts';
export type { ChartLayout } from '../app/chart-layout.ts';
export type { CompareView } from '../app/compare-view.ts';
export type { ConversationView } from '../app/conversation-view.ts';
export type { LabLine } from '../app/lab-view.ts';
export type { PreviewView } from '../app/preview-view.ts';
export type { BlockView, ReportView } from '../app/report-view.ts';
export type { RunSpan } from '../app/run-spans.ts';
export type { RunStep, RunSteps } from '../app/run-steps.ts';
export type { AskedView, CheckView, RoundView, RunView } from '../app/viewed-run.ts';
export type { InboxView } from '../http/inbox-routes.ts';
export type { ListedView } from '../http/listed-view.ts';
