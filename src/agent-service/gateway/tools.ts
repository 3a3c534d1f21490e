/** The tools endpoint: `{"name", "arguments"}` becomes a tool call, and its observation the answer. */

import { jsonMember, jsonObject, meansNoArguments } from '../../io/index.ts';
import { REPLY_LIMITS } from '../../evaluation/index.ts';
import type { ToolCallRequest, ToolCallResult } from '../payloads.ts';
import { GatewayProblem } from './problem.ts';
import type { Caller, GatewayTurn } from './turn.ts';

const MAX_NAME_CHARS = 200;
const FORM = 'send {"name": "TOOL", "arguments": {…}}';

/**
 * @param body JSON text; the arguments are an object, or its JSON text
 * @throws GatewayProblem
 */
export async function callTool(turn: GatewayTurn, body: string, caller: Caller): Promise<ToolCallResult> {
  return await takeTool(turn, readToolCall(body), caller);
}

/** @throws GatewayProblem */
export async function takeTool(
  turn: GatewayTurn,
  { name, argumentsJson }: Pick<ToolCallRequest, 'name' | 'argumentsJson'>,
  caller: Caller,
): Promise<ToolCallResult> {
  requireShort(name, argumentsJson);
  const { observation, done } = await turn.callOnce(
    'tool',
    { key: `${name} ${argumentsJson}`, caller },
    ({ request, attempt, toolCall }) => toolCall({ request, attempt, name, argumentsJson }),
  );
  return { observation, done };
}

function readToolCall(body: string): { readonly name: string; readonly argumentsJson: string } {
  const parsed = jsonObject(body);
  if (parsed === null) throw invalidProblem(`the body is no JSON object; ${FORM}`);
  const { name, arguments: given } = parsed;
  if (typeof name !== 'string' || name === '') throw invalidProblem(`"name" is no text, or an empty one; ${FORM}`);
  // The body's own text, because numbers have to keep their spelling.
  const written = jsonMember(body, 'arguments') ?? '{}';
  const text = typeof given === 'string' ? given : written;
  const isNone = given === null || (typeof given === 'string' && meansNoArguments(given));
  const argumentsJson = isNone ? '{}' : text;
  if (jsonObject(argumentsJson) === null) throw invalidProblem(`"arguments" is no JSON object; ${FORM}`);
  return { name, argumentsJson };
}

/** @throws GatewayProblem */
function requireShort(name: string, argumentsJson: string): void {
  const most = REPLY_LIMITS.toolArgumentChars;
  if (name.length > MAX_NAME_CHARS) throw invalidProblem(`"name" has more than ${MAX_NAME_CHARS} characters`);
  if (argumentsJson.length > most) throw invalidProblem(`"arguments" has more than ${most} characters`);
}

function invalidProblem(message: string): GatewayProblem {
  return new GatewayProblem('invalid', message);
}
