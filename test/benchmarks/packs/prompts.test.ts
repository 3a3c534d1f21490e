import { describe, expect, it } from 'vitest';
import { generatePack } from '../../../packages/task-generator/src/testing.ts';
import { renderUserSystemPrompt, toolsJson, readPack, hashData } from '../../../src/benchmarks/testing.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { inMemory, rejection, SMALL } from './folders.ts';

const pack = inMemory(generatePack(SMALL));

describe("the user's system prompt", () => {
  it.each(['llm', 'react', 'verify', 'reflection'])('holds the instruction word for word (%s)', (strategy) => {
    const instruction = 'You are {instruction} $& $1 $` é "quoted"\nand have two lines.';
    const prompt = renderUserSystemPrompt(pack, strategy, instruction);
    expect(prompt).toContain(`Your situation: ${instruction}\n`);
    expect(prompt).toContain('###STOP###');
  });

  it('can do without an instruction', () => {
    const prompt = renderUserSystemPrompt(pack, 'llm', null);
    expect(prompt).not.toContain('{instruction}');
    expect(prompt).not.toContain('Your situation:');
  });

  it('lists the strategies the pack has texts for', async () => {
    const asked = Promise.resolve().then(() => renderUserSystemPrompt(pack, 'human', 'You are Ann.'));
    expect(await rejection(asked)).toBe(
      'PackError: the pack alder-finch-7 has no prompts for the user strategy "human"; ' +
        'it has llm, react, verify and reflection.',
    );
  });
});

describe('the tools as JSON', () => {
  it('are one line in the spelling of Python', () => {
    const text = toolsJson(pack);
    expect(text).not.toContain('\n');
    expect(text.startsWith('[{"type": "function", "function": {"name": "calculate", "description": ')).toBe(true);
  });
});

describeWithReference("the reference's texts", (dir) => {
  it('are reproduced exactly', async () => {
    const reference = await readPack(`${dir}/retail`);
    expect(hashData(toolsJson(reference))).toBe('670eba513010bd281a5e5acc872ca203703b1aa26e992d8f276bcf3ffe0bc603');
    const react = `${reference.policy}\n#Available tools\n${toolsJson(reference)}${reference.agentPrompts['react_instruction'] ?? ''}`;
    expect(hashData(react)).toBe('00a3f58318aba490d0866da7f27cdf428d82c50347e6a9e615e90c1cb8eec805');
  });
});
