// What the page shows, as the API answers it: types alone, so that no schema is part of the page.
export type { ChangeView } from '../app/views/change-view.ts';
export type { ChartLayout } from '../app/views/chart-layout.ts';
export type { CompareView } from '../app/views/compare-view.ts';
export type { ConversationView } from '../app/views/conversation-view.ts';
export type { LabLine } from '../app/views/lab-view.ts';
export type { PreviewView } from '../app/views/preview-view.ts';
export type { BlockView, ReportView } from '../app/views/report-view.ts';
export type { RunSpan } from '../app/views/run-spans.ts';
export type { RunStep, RunSteps } from '../app/views/run-steps.ts';
export type { AskedView, CheckView, RoundView, RunView } from '../app/views/run-parts-view.ts';
export type { InboxView } from '../http/inbox-routes.ts';
export type { ListedView } from '../http/list-view.ts';
