/**
 * Makes a strategy's request ready for a provider: fills in the texts of the pack and the strategy, to which a
 * conversation only refers, and reads the requested fields of the reply.
 */

import type { ChatCompletionTool } from 'openai/resources';
import {
  fewShotOptions,
  withoutReasoningContent,
  type Message,
  type PromptContent,
  type PromptPart,
  type PromptRef,
  type ReplyFieldDefinition,
  type ReplyFieldValues,
  type StrategyDefinition,
  type StrategyOptions,
} from '../../agents/index.ts';
import { getContent } from '../../benchmarks/contents.ts';
import type { Task } from '../../benchmarks/index.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import type { ExpandedMessage, ModelRequest, ReplySchema } from '../index.ts';
import { fewShotsText } from './few-shots.ts';
import { readReplyFields } from './reply-fields.ts';
import { renderUserSystemPrompt, supervisorPart, toolsJson, type Pack } from '../../benchmarks/packs/index.ts';

interface PromptContext {
  readonly pack: Pack;
  readonly split: string;
  readonly taskId: number;
  readonly strategy: StrategyDefinition;
  readonly options: StrategyOptions;
  /** Seed of the episode: decides which displays a few-shot prompt shows. */
  readonly seed: number;
}

/** A prompt refers to a text that the pack or the strategy does not have. The message is one sentence. */
export class PromptError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PromptError';
  }
}

interface StrategyRequest extends Omit<ModelRequest, 'messages' | 'tools' | 'schema'> {
  readonly messages: readonly Message[];
  /** True if the model may call the domain's tools: the agent's, or the simulated user's own. */
  readonly tools: boolean;
  /** True for calls of the simulated user. @default false */
  readonly isUser?: boolean;
  /** See `CompletionRequest.replyFields`. */
  readonly replyFields?: string | undefined;
  /** See `CompletionRequest.schema`. */
  readonly schema?: string | undefined;
}

export interface ReadyRequest {
  readonly request: ModelRequest;
  /** Reads the fields of the reply; absent if the request asks for none. */
  readonly readFields?: (content: string | null) => ReplyFieldValues | null;
}

/** @throws PromptError, PackError for a request that refers to a text or to fields that do not exist */
export function prepareRequest(request: StrategyRequest, context: PromptContext): ReadyRequest {
  const { messages, tools, isUser = false, replyFields, schema, ...settings } = request;
  const offered = tools ? (isUser ? userToolSchemas(context.pack) : toolSchemas(context.pack)) : [];
  const ready: ModelRequest = {
    ...settings,
    messages: expandMessages(messages, context).map((message) =>
      message.role === 'assistant' ? withoutReasoningContent(message) : message,
    ),
    ...(offered.length > 0 ? { tools: offered } : {}),
    ...(schema === undefined ? {} : { schema: replySchema(schema, context) }),
  };
  if (replyFields === undefined) return { request: ready };
  const definitions = findReplyFields(replyFields, context);
  return { request: ready, readFields: (content) => readReplyFields(content, definitions) };
}

/**
 * Returns a schema for the reply. The strategy's own text is JSON; providers take only short names of plain characters.
 */
function replySchema(key: string, context: PromptContext): ReplySchema {
  const schema = JSON.parse(strategyText(key, context)) as ReplySchema['schema'];
  return { name: key.replaceAll(/\W/g, '_').slice(0, 64), schema };
}

function findReplyFields(key: string, { strategy, pack }: PromptContext): readonly ReplyFieldDefinition[] {
  const fields = strategy.replyFields?.(key, pack.domain);
  if (fields !== undefined) return fields;
  throw new PromptError(`the strategy ${strategy.name} has no reply fields ${JSON.stringify(key)} for ${pack.domain}`);
}

/** @throws PromptError, PackError */
export function expandMessages(messages: readonly Message[], context: PromptContext): ExpandedMessage[] {
  return messages.map((message) =>
    message.role === 'system' || message.role === 'user'
      ? { ...message, content: expandContent(message.content, context) }
      : message,
  );
}

/** Returns the domain's tools in OpenAI's form; the same array for every call of a pack. */
export function toolSchemas(pack: Pack): readonly ChatCompletionTool[] {
  const { tools } = getDerivedTexts(pack);
  if (tools.parsed === undefined) {
    // The form was checked when the pack was read.
    tools.parsed = JSON.parse(toolsText(pack)) as ChatCompletionTool[];
  }
  return tools.parsed;
}

function userToolSchemas(pack: Pack): readonly ChatCompletionTool[] {
  const { tools } = getDerivedTexts(pack);
  tools.ofUser ??= JSON.parse(dumpJson(pack.userTools ?? [])) as ChatCompletionTool[];
  return tools.ofUser;
}

function expandContent(content: PromptContent, context: PromptContext): string {
  return typeof content === 'string' ? content : content.map((part) => expandPart(part, context)).join('');
}

function expandPart(part: PromptPart, context: PromptContext): string {
  return typeof part === 'string' ? part : expandRef(part, context);
}

function expandRef(ref: PromptRef, context: PromptContext): string {
  const { pack } = context;
  switch (ref.ref) {
    case 'policy':
      return pack.systemPrompt ?? getContent(pack.domain).agentSystemPrompt(pack.policy);
    case 'tools':
      return toolsText(pack);
    case 'agent-prompt':
      return own(pack.agentPrompts, ref.key) ?? throwMissing(`the pack ${pack.ref.name} has no agent prompt`, ref.key);
    case 'strategy-text':
      return strategyText(ref.key, context);
    case 'user-system':
      return renderUserSystemPrompt(pack, ref.strategy, findPromptTask(context).instruction);
    case 'user-greeting':
      return pack.userPrompts.greeting;
    case 'few-shots':
      return fewShotsText(pack, findPromptTask(context), fewShotOptions(context.options) ?? {}, context.seed);
    case 'supervisor':
      return supervisorPart(pack, ref.key, ref.part);
    default:
      return throwMissing('no such kind of prompt text', JSON.stringify(ref satisfies never));
  }
}

function findPromptTask({ pack, split, taskId }: PromptContext): Task {
  const task = own(pack.splits, split)?.[taskId];
  if (task === undefined) return throwMissing(`the pack ${pack.ref.name} has no task`, `${split} ${String(taskId)}`);
  return task;
}

function strategyText(key: string, { pack, strategy, options }: PromptContext): string {
  const render = own(strategy.texts ?? {}, key) ?? throwMissing(`the strategy ${strategy.name} has no text`, key);
  const { byStrategy } = getDerivedTexts(pack);
  const known = byStrategy.get(strategy) ?? new Map<string, string>();
  byStrategy.set(strategy, known);
  const name = JSON.stringify([key, options]);
  const text =
    known.get(name) ?? render({ env: pack.domain, policy: pack.policy, toolsJson: toolsText(pack), options });
  known.set(name, text);
  return text;
}

function toolsText(pack: Pack): string {
  const { tools } = getDerivedTexts(pack);
  tools.json ??= toolsJson(pack);
  return tools.json;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function throwMissing(what: string, key: string): never {
  throw new PromptError(`${what} ${JSON.stringify(key)}, which a prompt refers to`);
}

/** Texts derived from a pack, kept because every call needs them and they never change. */
interface DerivedTexts {
  readonly tools: { json?: string; parsed?: readonly ChatCompletionTool[]; ofUser?: readonly ChatCompletionTool[] };
  readonly byStrategy: WeakMap<StrategyDefinition, Map<string, string>>;
}

const derived = new WeakMap<Pack, DerivedTexts>();

function getDerivedTexts(pack: Pack): DerivedTexts {
  let texts = derived.get(pack);
  if (texts === undefined) {
    texts = { tools: {}, byStrategy: new WeakMap() };
    derived.set(pack, texts);
  }
  return texts;
}
