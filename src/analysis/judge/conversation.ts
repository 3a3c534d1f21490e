/** A conversation as a judge reads it: line by line, tool calls and their answers included, system messages left out. */

/** A message of any results file; tools differ in what they add and leave out. */
export interface JudgedMessage {
  readonly role: string;
  /** Text, null, or a provider's list of parts. */
  readonly content?: unknown;
  readonly tool_calls?:
    | readonly { readonly function?: { readonly name: string; readonly arguments: string } | null | undefined }[]
    | null
    | undefined;
  readonly name?: string | null | undefined;
}

export interface Line {
  readonly speaker: string;
  readonly text: string;
}

/** How agents without a tool API are told what a tool has answered. */
const TOOL_ANSWER = 'API output: ';

export function conversationLines(messages: readonly JudgedMessage[]): Line[] {
  return messages.flatMap(linesOf);
}

/** `[3] Agent: Hello.` */
export function renderLines(lines: readonly Line[]): string {
  return lines.map(({ speaker, text }, at) => `[${at + 1}] ${speaker}: ${text}`).join('\n');
}

function linesOf(message: JudgedMessage): Line[] {
  const text = textOf(message.content);
  switch (message.role) {
    case 'user':
      return text.startsWith(TOOL_ANSWER)
        ? [{ speaker: 'Answer of the tool', text: text.slice(TOOL_ANSWER.length) }]
        : [{ speaker: 'Customer', text }];
    case 'assistant':
      return [
        ...(text.trim() === '' ? [] : [{ speaker: 'Agent', text }]),
        ...(message.tool_calls ?? []).flatMap(({ function: call }) =>
          call ? [{ speaker: 'Agent calls', text: `${call.name}(${call.arguments})` }] : [],
        ),
      ];
    case 'tool':
      return [{ speaker: `Answer of ${message.name ?? 'the tool'}`, text }];
    default:
      return [];
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join('');
}
