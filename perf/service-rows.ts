/** Rows of agents that are services: their cost beside the built-in strategy's, with the same model and tasks. */

import { startTimedAgent } from './service-agent.ts';
import { measureSweep, type MeasuredSweep, type SweepSpec } from './sweep.ts';
import { count, median, ms, type Row } from './table.ts';

/** CPU time of server and worker an episode. */
const GOAL = 1.3;

/** @param spec of the built-in strategy's sweep */
export async function serviceRows(spec: SweepSpec): Promise<Row[]> {
  const agent = await startTimedAgent();
  try {
    const builtIn = await measureSweep(spec);
    const service = await measureSweep({ ...spec, strategy: 'agent-service', agentUrl: agent.url });
    const section = `Agent service, ${spec.latencyMs} ms model, ${spec.concurrency} at once (${service.records.length} episodes)`;
    const what = spec.strategy;
    const [before, after] = [averageCpu(builtIn), averageCpu(service)];
    const steps = builtIn.records.flatMap((record) => record.steps).filter(({ name }) => name !== 'respond');
    const beside = (name: string, measured: number, baseline: number): Row => ({
      section,
      name,
      measured: ms(measured),
      baseline: { ...ms(baseline), what },
    });
    const cpu = 'CPU per episode, server and worker';
    return [
      before === null || after === null
        ? { section, name: cpu, measured: null, note: 'needs Linux, for /proc' }
        : { ...beside(cpu, after, before), target: { atMost: GOAL, of: 'ratio' } },
      beside('time of a tool call', median(agent.toolMs), median(steps.map(({ durationMs }) => durationMs))),
      beside('time of a model call', median(agent.modelMs), median(steps.map(({ thinkMs }) => thinkMs))),
      beside('time in all', service.wallMs, builtIn.wallMs),
      {
        section,
        name: 'episodes with reward 1',
        measured: count(solved(service)),
        baseline: { ...count(solved(builtIn)), what },
        ...(agent.failed.length === 0 ? {} : { note: `${agent.failed.length} calls refused: ${agent.failed[0]}` }),
      },
    ];
  } finally {
    await agent.close();
  }
}

function solved({ records }: MeasuredSweep): number {
  return records.filter(({ reward }) => reward === 1).length;
}

function averageCpu({ server, worker, records }: MeasuredSweep): number | null {
  return server.cpuMs === null || worker.cpuMs === null ? null : (server.cpuMs + worker.cpuMs) / records.length;
}
