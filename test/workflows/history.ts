/** Reading histories: what activities were called, what people see of them, how many bytes they take. */

import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';

export type History = temporal.api.history.v1.IHistory;
type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payload = temporal.api.common.v1.IPayload;

/** The activities in the order in which they were scheduled. */
export function scheduledActivities(history: History): { readonly type: string; readonly summary: string | null }[] {
  return (history.events ?? []).flatMap((event) => {
    const type = event.activityTaskScheduledEventAttributes?.activityType?.name;
    return type === undefined || type === null ? [] : [{ type, summary: summaryOf(event) }];
  });
}

/** The first argument of each activity of a type. */
export function inputsOf<T>(history: History, type: string): T[] {
  return (history.events ?? []).flatMap((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    const payload = scheduled?.input?.payloads?.[0];
    return scheduled?.activityType?.name !== type || payload === undefined
      ? []
      : [defaultPayloadConverter.fromPayload<T>(payload)];
  });
}

/** Reasons why workflow tasks failed. */
export function taskFailures(history: History): string[] {
  return (history.events ?? []).flatMap((event) => event.workflowTaskFailedEventAttributes?.failure?.message ?? []);
}

export function eventCount(history: History): number {
  return history.events?.length ?? 0;
}

/** Bytes of all payloads: inputs, results, details, summaries. */
export function payloadBytes(history: History): number {
  return payloads(history).reduce((bytes, data) => bytes + data.length, 0);
}

/** JSON texts of all payloads. */
export function payloadTexts(history: History): string[] {
  return payloads(history).map((data) => Buffer.from(data).toString());
}

function payloads(history: History): Uint8Array[] {
  const found: Uint8Array[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
    const { data } = value as Payload;
    if (data instanceof Uint8Array) found.push(data);
    for (const item of Object.values(value)) visit(item);
  };
  visit(history.events ?? []);
  return found;
}

function summaryOf(event: HistoryEvent): string | null {
  const payload = event.userMetadata?.summary;
  return payload === undefined || payload === null ? null : defaultPayloadConverter.fromPayload<string>(payload);
}
