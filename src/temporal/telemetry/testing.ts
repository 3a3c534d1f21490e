/** Parts of this module that its tests use beyond its entry point. */

export { MAX_ATTRIBUTE_CHARS, MAX_TEXT_CHARS, traceContent, traceStepContent } from './content.ts';
export { formatLogLine, type LogLine } from './logs.ts';
export { toModelCall } from './model-calls.ts';
export { ListedOnly, describeActivitySpan } from './tracing.ts';
