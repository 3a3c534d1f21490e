/** The scripted model in the place of an episode's model calls. */

import { adaptStrategy, separateReasoning, type Message, type StrategyDefinition } from '../../src/agents/index.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import { toolChanges } from '../../src/conditions/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { SERVED_WIRES } from '../../src/models/index.ts';
import { packUnderCondition, prepareRequest } from '../../src/models/prompts/index.ts';
import { readConversation, type ScriptedResponder } from '../../src/scripted-model/index.ts';
import type { Cast } from '../episode/stage.ts';

interface Script {
  readonly pack: Pack;
  readonly responder: ScriptedResponder;
  readonly config: EvaluationConfig;
  readonly strategy: StrategyDefinition;
  readonly taskId: number;
  /** Model of the agent; the user is `oracle`. */
  readonly model: string;
}

export function completeByScript({ pack, responder, config, strategy, taskId, model }: Script): Cast['complete'] {
  return (call, messages) => {
    const asked = call.role === 'agent' || call.role.startsWith('agent/') ? model : 'oracle';
    const adapted = adaptStrategy(strategy, config.strategyOptions, toolChanges(call.condition));
    const { request } = prepareRequest(
      {
        ...call.model,
        ...call,
        messages: messages as Message[],
        isUser: call.role === 'user',
        idempotencyKey: '',
      } as never,
      {
        pack: packUnderCondition(pack, call.condition),
        ...{ split: config.split, taskId, strategy: adapted, options: config.strategyOptions, seed: call.seed },
      },
    );
    const body = JSON.parse(
      JSON.stringify({
        ...{ model: asked, messages: request.messages, tools: request.tools, seed: call.seed },
        ...(call.format === 'json' ? { response_format: { type: 'json_object' } } : {}),
      }),
    ) as never;
    const { content, toolCall, position } = responder.play(asked, readConversation(SERVED_WIRES.chat.read(body)));
    const calls =
      toolCall === undefined
        ? {}
        : { tool_calls: [{ id: `call_${position}`, type: 'function' as const, function: toolCall }] };
    return Promise.resolve({
      message: separateReasoning({ role: 'assistant', content, ...calls }),
      ...{ finishReason: 'stop', attempt: 1, latencyMs: 1, costUsd: 0, served: '' },
      usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 },
    } as never);
  };
}
