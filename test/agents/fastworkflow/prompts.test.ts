/** The default prompts as whole texts, to be read in `__snapshots__/prompts`. */

import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import {
  trajectoryParts,
  extractionMessages,
  promptMessages,
  signaturesFor,
  type PromptInputs,
  type Signature,
} from '../../../src/agents/fastworkflow/testing.ts';
import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import type { Message, PromptPart, StrategyOptions } from '../../../src/agents/index.ts';
import { OPTIONS } from '../fake-session.ts';

const COMMANDS = {
  retail: 'get_order_details <order_id>#W1</order_id>',
  airline: 'get_user_details <user_id>mia_li_1</user_id>',
};
type Domain = keyof typeof COMMANDS;
const EXTRACTED = { retail: 'cancel_pending_order', airline: 'search_direct_flight' } as const;
const names = ['plan', 'replan', 'react', 'extract', 'summary', 'clarify', 'rank'] as const;

/** Values of the input fields. */
function inputsOf({ inputs }: Signature, command: string): PromptInputs {
  const tool = { name: 'execute_workflow_query', args: new Map([['command', command]]) };
  const trajectory = trajectoryParts([
    { thought: 'I look first.', tool, observation: '{"status": "pending"}' },
    { thought: 'And once more.', tool },
  ]);
  return inputs.map(({ name }) => [name, name.endsWith('trajectory') ? trajectory : `(${name})`] as const);
}

function expand(content: Message['content'], domain: Domain, options: StrategyOptions): string {
  const text = (part: PromptPart) => {
    if (typeof part === 'string') return part;
    if (part.ref !== 'strategy-text') throw new Error(`FastWorkflow's prompts refer to no ${part.ref}`);
    const render = fastWorkflow.texts?.[part.key];
    return render?.({ env: domain, policy: '(the policy)', toolsJson: '[]', options }) ?? `no text ${part.key}`;
  };
  return typeof content === 'string' ? content : (content ?? []).map(text).join('');
}

function written(messages: readonly Message[], domain: Domain, options = OPTIONS): string {
  return messages.map(({ role, content }) => `----- ${role} -----\n${expand(content, domain, options)}\n`).join('\n');
}

function promptOf(
  name: (typeof names)[number],
  domain: Domain,
  options = OPTIONS,
  form: 'chat' | 'json' = 'chat',
): string {
  const signature = signaturesFor(options)[name];
  return written(promptMessages(signature, inputsOf(signature, COMMANDS[domain]), options, form), domain, options);
}

describe.each(['retail', 'airline'] as const)('the prompts of %s', (domain) => {
  const commands = expand([{ ref: 'strategy-text', key: 'commands' }], domain, OPTIONS);

  it.each(names)('%s', async (name) => {
    const prompt = promptOf(name, domain);
    // The command list is shown once, in the agent's prompt.
    const shown = name === 'react' ? prompt : prompt.replace(commands, '(the command list, as in react.txt)');
    await expect(shown).toMatchFileSnapshot(`__snapshots__/prompts/${domain}/${name}.txt`);
  });

  it('the parameters of a command', async () => {
    const messages = extractionMessages(EXTRACTED[domain], '(statement)', 'first');
    await expect(written(messages, domain)).toMatchFileSnapshot(`__snapshots__/prompts/${domain}/extraction.txt`);
  });

  it('show planner and agent every command and the policy', () => {
    for (const name of ['plan', 'replan', 'react', 'extract'] as const) {
      const prompt = promptOf(name, domain);
      for (const command of catalogueOf(domain).commands) expect(prompt).toContain(`\n- ${command.name}: `);
      expect(prompt).toContain('You must follow this policy:\n\n(the policy)\n\nWhere the policy speaks of a tool');
    }
  });

  it('have the same beginning in each step, and end with the reminder', () => {
    const { react } = signaturesFor(OPTIONS);
    const promptAfter = (steps: number) => {
      const tool = { name: 'execute_workflow_query', args: new Map([['command', 'x']]) };
      const trajectory = trajectoryParts(
        Array.from({ length: steps }, () => ({ thought: 'x', tool, observation: 'ok' })),
      );
      return written(
        promptMessages(
          react,
          [
            ['user_query', 'q'],
            ['trajectory', trajectory],
          ],
          OPTIONS,
          'chat',
        ),
        domain,
      );
    };
    const reminder = /\n\nAnswer with the fields[^\n]*\n$/;
    const [before, after] = [promptAfter(2), promptAfter(3)];
    expect(after).toMatch(reminder);
    expect(after.startsWith(before.replace(reminder, ''))).toBe(true);
  });
});

describe('the policy', () => {
  it('is mentioned nowhere when it is left out', () => {
    for (const name of names) expect(promptOf(name, 'retail', { ...OPTIONS, omitPolicy: true })).not.toMatch(/policy/i);
  });

  it('decides when to ask the user', () => {
    expect(promptOf('react', 'retail')).toContain('whenever the policy wants the user to be asked');
  });
});

describe('choosing and answering', () => {
  it("are two prompts, without each other's fields", () => {
    expect(promptOf('react', 'retail')).not.toMatch(/final_answer|reasoning/);
    expect(promptOf('extract', 'retail')).not.toMatch(/next_tool|next_thought|ask_user/);
  });

  it('are requested again as JSON with the same instructions', () => {
    for (const name of names) {
      const [chat, json] = [promptOf(name, 'airline'), promptOf(name, 'airline', OPTIONS, 'json')];
      expect(json.split('----- user -----')[0]).toBe(chat.split('----- user -----')[0]);
      expect(json).toMatch(/\n\nThis time answer with one JSON object and nothing else/);
    }
  });
});
