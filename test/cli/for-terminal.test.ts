/** Texts that are not this program's, on a terminal and in Markdown. */

import { describe, expect, it } from 'vitest';

import { createContext } from '../../src/cli/testing.ts';
import { forTerminal } from '../../src/io/index.ts';
import { list, notes, paragraph, renderMarkdown, table } from '../../src/results/document/index.ts';
import { cpuMs } from '../helpers/linear.ts';

const ESC = '\u001b';
const BELL = '\u0007';

describe('a text for a terminal', () => {
  it.each([
    ['a title', `a${ESC}]0;owned${BELL}b`],
    ['a link', `${ESC}]8;;https://evil.example${ESC}\\ab${ESC}]8;;${ESC}\\`],
    ['the clipboard', `a${ESC}]52;c;cm0gLXJm${BELL}b`],
    ['the clipboard in C1', `a\u009d52;c;cm0gLXJm\u009cb`],
    ['cursor and screen', `${ESC}[2J${ESC}[1;1Ha\u009b2Jb`],
    ['a device string', `a${ESC}P1$r0m${ESC}\\b`],
    ['other escapes, and characters without one', `a${ESC}c${ESC}(0\r\u0008\u0000\u007f\u202eb`],
  ])('has no sequence of %s', (_name, text) => {
    expect(forTerminal(text)).toBe('ab');
    expect(forTerminal(text, true)).toBe('ab');
  });

  it('keeps lines, tabs, and the colors of this program only', () => {
    expect(forTerminal('one\n\ttwo é 漢 🎉')).toBe('one\n\ttwo é 漢 🎉');
    expect(forTerminal(`${ESC}[1;31mred${ESC}[0m`, true)).toBe(`${ESC}[1;31mred${ESC}[0m`);
    expect(forTerminal(`${ESC}[1;31mred${ESC}[0m`)).toBe('red');
  });

  it('takes time that grows with its length only', async () => {
    for (const piece of [`${ESC}]`, `${ESC}[`, `${ESC}]8;;x`, `${ESC}[1;`, '\u009d']) {
      expect(await cpuMs(() => forTerminal(piece.repeat(100_000)))).toBeLessThan(2_000);
    }
  });

  it('is what commands print, to a file as it is', () => {
    const written: string[] = [];
    const stream = (isTTY: boolean) => ({ isTTY, write: (text: string) => written.push(text) });
    const processWith = (isTTY: boolean) =>
      ({ cwd: () => '/', env: {}, stdout: stream(isTTY), stderr: stream(isTTY) }) as unknown as NodeJS.Process;
    const hostile = `a${ESC}]52;c;cm0gLXJm${BELL}b`;
    createContext(processWith(true), false).out(hostile);
    createContext(processWith(true), false).log(hostile);
    createContext(processWith(false), false).out(hostile);
    expect(written).toEqual(['ab\n', 'ab\n', `${hostile}\n`]);
  });
});

describe('a text in Markdown', () => {
  it('is neither HTML nor a link nor an image, and stays where it is', () => {
    const hostile = '<img src=x onerror=alert(1)> ![x](https://evil.example/x.png)\n# Heading </td>';
    const blocks = [notes([hostile]), paragraph(hostile), list([{ text: hostile, details: [hostile] }])];
    const text = renderMarkdown([...blocks, table([{ head: 'text' }], [[hostile]])]);
    expect(text).not.toMatch(/<\w|<\/|\]\(|^# /m);
    expect(renderMarkdown([paragraph('p < 0.05')])).toBe('p < 0.05\n');
  });
});
