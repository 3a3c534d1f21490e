/** An OTLP/HTTP collector on the loopback that keeps what it is sent. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** null for a root. */
  readonly parentSpanId: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Span ids. */
  readonly links: readonly string[];
  readonly statusCode: number;
}

export interface Received {
  readonly path: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface OtlpCollector {
  readonly url: string;
  readonly received: readonly Received[];
  /** Spans of all requests with traces, which must have been JSON. */
  spans(): ReceivedSpan[];
  close(): Promise<void>;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url = '' } = request;
      const sent = Buffer.concat(chunks);
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      received.push({ path: url, contentType: headers['content-type'] ?? '', headers, body });
      response.writeHead(200, { 'content-type': headers['content-type'] ?? 'application/json' });
      response.end(headers['content-type'] === 'application/json' ? '{}' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    spans: () => received.filter(({ path }) => path === '/v1/traces').flatMap(({ body }) => spansOf(body)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly kind: number;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly OtlpAttribute[];
        readonly links?: readonly { readonly spanId: string }[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

function spansOf(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body.toString('utf8')) as OtlpTraces;
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return spans.map(({ parentSpanId = '', ...span }) => ({
    name: span.name,
    kind: span.kind,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: parentSpanId === '' ? null : parentSpanId,
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, valueOf(value)])),
    links: (span.links ?? []).map(({ spanId }) => spanId),
    statusCode: span.status?.code ?? 0,
  }));
}

/** `{ stringValue: 'a' }` → `'a'` */
function valueOf(value: Readonly<Record<string, unknown>>): unknown {
  const [only] = Object.values(value);
  return only;
}
