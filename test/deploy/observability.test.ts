import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FailureType } from '../../src/evaluation/index.ts';
import { readText, readYaml } from './files.ts';

const dashboard = z
  .object({
    panels: z.array(
      z.object({
        id: z.number(),
        title: z.string(),
        type: z.enum(['row', 'stat', 'timeseries']),
        description: z.string().optional(),
        gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
        targets: z.array(z.object({ expr: z.string() })).optional(),
      }),
    ),
  })
  .parse(JSON.parse(readText('deploy/observability/dashboard.json')));

const alerts = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.object({ summary: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(readYaml('deploy/observability/alerts.yml'));
const rules = alerts.groups.flatMap((group) => group.rules);

const shown = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));
const queries = [...shown, ...rules.map(({ alert, expr }) => [alert, expr] as const)];

/** Grafana puts a duration in its place. */
const queryOf = (expr: string) => expr.replaceAll('$__rate_interval', '5m');

describe.each(queries)('the query of "%s"', (_, expr) => {
  it('is PromQL', () => {
    const broken: string[] = [];
    parser.parse(queryOf(expr)).iterate({
      enter: ({ type, from, to }) => {
        if (type.isError) broken.push(`${String(from)}: ${queryOf(expr).slice(from, to)}`);
      },
    });
    expect(broken).toEqual([]);
  });

  it('asks for metrics that there are', () => {
    const source = readText('src/temporal/telemetry/metrics.ts');
    const names = [...expr.matchAll(/\btauflow_\w+/g)].map(([name]) =>
      name.replace(/_(?:total|sum|count|bucket)$/, ''),
    );
    expect(names.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
  });
});

it('queries over a while count the first event of a series, which increase() does not see', () => {
  const selectors = queries.flatMap(([, expr]) =>
    [...expr.matchAll(/increase\((tauflow_\w+(?:{[^}]*})?)\[(\w+)\]\)/g)].map((match) => ({ expr, match })),
  );
  expect(selectors.length).toBeGreaterThan(4);
  for (const { expr, match } of selectors) {
    const [whole, series, time] = match.map(String);
    expect(expr.replaceAll(/\s+/g, ' ')).toContain(`(${series} unless ${series} offset ${time}) or ${whole}`);
  }
});

it('queries name outcomes of model calls that there are', () => {
  const outcomes = queries.flatMap(([, expr]) =>
    [...expr.matchAll(/model_calls_total\{outcome=~?"([^"]+)"/g)].flatMap(([, named = '']) => named.split('|')),
  );
  expect(outcomes.length).toBeGreaterThan(1);
  for (const outcome of outcomes) expect(Object.values<string>(FailureType)).toContain(outcome);
});

it('the panels of the dashboard lie side by side, each with a sentence', () => {
  const cells = new Set<string>();
  for (const {
    title,
    type,
    description,
    gridPos: { h, w, x, y },
  } of dashboard.panels) {
    if (type !== 'row') expect(description, title).toBeTruthy();
    expect(x + w, title).toBeLessThanOrEqual(24);
    for (let row = y; row < y + h; row++) {
      for (let column = x; column < x + w; column++) {
        const cell = `${String(column)},${String(row)}`;
        expect(cells.has(cell), `${title} at ${cell}`).toBe(false);
        cells.add(cell);
      }
    }
  }
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

it('the operator’s guide says what to do for every alert', () => {
  const guide = readText('docs/operations.md');
  expect(rules.map(({ alert }) => alert).filter((alert) => !guide.includes(`\`${alert}\``))).toEqual([]);
});
