// The HTTP API of a log, to mount in a server.
export type { Person } from './api-host.ts';
export { httpHandler, type HttpHandler, type HttpHandlerOptions } from './http-handler.ts';
export { HttpClient, HttpClientError, type HttpClientOptions, type Streamed } from './http-client.ts';

// What its requests and answers are.
export { ChangeView } from '../app/views/change-view.ts';
export { CompareView } from '../app/views/compare-view.ts';
export { ConversationView } from '../app/views/conversation-view.ts';
export { LabLine } from '../app/views/lab-view.ts';
export { ReportView } from '../app/views/report-view.ts';
export { RunSpan } from '../app/views/run-spans.ts';
export { RunSteps } from '../app/views/run-steps.ts';
export { AskedView, RunView } from '../app/views/run-parts-view.ts';
export { InboxView } from './inbox-routes.ts';
export { ListedView } from './list-view.ts';
export { Problem } from './problem.ts';
