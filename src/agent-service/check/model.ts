/**
 * The model of the check: calls the turn's tool, then says the turn's text. It reads requests, writes replies and
 * refuses requests as a run's scripted model does.
 */

import { parseObject } from '../../benchmarks/python/index.ts';
import { parsedJson } from '../../io/index.ts';
import {
  SERVED_WIRES,
  UnreadableRequest,
  anthropicError,
  openaiError,
  writeRawRequest,
  type PassThrough,
  type ServedRequest,
} from '../../models/index.ts';
import {
  findActionForm,
  offeredName,
  joinPrompt,
  readConversation,
  speakingTool,
  writeMove,
  type ActionForm,
} from '../../scripted-model/index.ts';
import type { ModelCallRequest, ModelCallResult } from '../payloads.ts';
import type { ScriptedTurn } from './script.ts';

/** An answered request, which a later one continues by the response's id. */
interface EarlierRequest {
  readonly text: string;
  readonly form: ActionForm | undefined;
}

export type EarlierResponses = Map<string, EarlierRequest>;

interface SeenModelCall {
  readonly call: Pick<ModelCallRequest, 'wire' | 'model' | 'digest'>;
  /** Items of the request. */
  readonly items: readonly string[];
  readonly earlier: EarlierResponses;
}

/** A readable request to the model. */
export interface ReadCall {
  /** The whole text that the model gets, with the conversation of the response that the request continues. */
  readonly text: string;
  /** True if the request offers tools, in its own field or in the prompt's text. */
  readonly offersTools: boolean;
  /** @param isCall true: the reply calls the turn's tool @param turn number of the user's message */
  reply(script: ScriptedTurn, turn: number, isCall: boolean): ModelCallResult;
}

/** @returns the refusal of an unreadable request */
export function readModelCall({ call, items, earlier }: SeenModelCall): ReadCall | ModelCallResult {
  const wire = SERVED_WIRES[call.wire];
  try {
    const request = wire.read(parsedJson(writeRawRequest(items, call.wire, call.model).body));
    const before = findContinued(request, earlier);
    const conversation = readConversation(request);
    const form = conversation.tools.length > 0 ? undefined : (findActionForm(joinPrompt(conversation)) ?? before?.form);
    const text = [...(before === undefined ? [] : [before.text]), ...items].join('\n');
    // Equal requests get equal ids, as for an answer from the history.
    const id = call.digest.slice(0, ID_CHARS);
    earlier.set(`resp_${id}`, { text, form });
    return {
      text,
      offersTools: conversation.tools.length > 0 || form !== undefined,
      reply: (script, turn, isCall) => {
        const made = form === undefined ? replyBy(conversation, script, turn, isCall) : replyIn(form, script, isCall);
        return { status: 200, body: wire.write({ ...ENVELOPE, id, model: call.model, ...made }) };
      },
    };
  } catch (error) {
    if (!(error instanceof UnreadableRequest)) throw error;
    const { code, message, param } = error;
    return { status: 400, body: wire.writeError({ status: 400, code, message, param }) };
  }
}

const ID_CHARS = 24;
/** Fields of every reply: a time in seconds since 1970, and a usage. */
const ENVELOPE = {
  created: 1_700_000_000,
  fingerprint: 'tauflow-agent-check',
  thought: null,
  promptTokens: 100,
  completionTokens: 20,
} as const;

/** @throws UnreadableRequest for a response of another episode */
function findContinued({ previousId }: ServedRequest, earlier: EarlierResponses): EarlierRequest | undefined {
  const before = previousId === null ? undefined : earlier.get(previousId);
  if (previousId === null || before !== undefined) return before;
  const message = `No response of this episode has the id ${previousId.slice(0, 100)}.`;
  throw new UnreadableRequest(message, 'previous_response_not_found', 'previous_response_id');
}

function replyBy(
  conversation: ReturnType<typeof readConversation>,
  script: ScriptedTurn,
  turn: number,
  isCall: boolean,
) {
  const call = (name: string, args: object) => {
    return { content: null, calls: [{ id: `call_${turn}`, name, arguments: JSON.stringify(args) }] };
  };
  if (isCall) return call(offeredName(script.tool, conversation.tools), script.arguments);
  const speaker = speakingTool(conversation);
  if (speaker === undefined) return { content: script.reply, calls: [] };
  const [tool, field] = speaker;
  return call(tool, { [field]: script.reply });
}

function replyIn(form: ActionForm, script: ScriptedTurn, isCall: boolean) {
  const kwargs = parseObject(JSON.stringify(script.arguments)) ?? new Map();
  const content = isCall
    ? writeMove({ kind: 'call', action: { name: script.tool, kwargs } }, form)
    : writeMove({ kind: 'say', text: script.reply }, form);
  return { content, calls: [] };
}

/** Refuses requests that are not model calls, as a run's scripted model does. */
export const refuseOther: PassThrough = ({ api, method, path }) => {
  const message = `The scripted model has no ${method.toUpperCase()} ${path}; it answers chat completions, Responses and Messages.`;
  const body = (api === 'openai' ? openaiError : anthropicError)({ status: 404, code: 'not_found', message });
  return Promise.resolve({ status: 404, contentType: 'application/json', body });
};
