/** Command files of FastWorkflow: what is read of them, what is left out, and that nothing of them is run. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { catalogueOf, plan, readCatalogue, type CatalogueFile } from '../../../src/agents/fastworkflow/public.ts';
import { importWorkflow } from '../../../src/pack-tools/import-fastworkflow/index.ts';
import { expectSentence, scratchFolder, tauflow } from '../../cli/in-process.ts';
import { writeCommands, writeWorkflow } from './workflow-folder.ts';

async function imported(files: Readonly<Record<string, string>>) {
  const folder = scratchFolder();
  await writeCommands(folder, files);
  const { catalogue, notes } = await importWorkflow(folder);
  return { commands: catalogue.commands, notes };
}

const RENT = `
from enum import Enum
from typing import Annotated, Literal, Optional
import os
os.abort()

MONTHS = ['May', 'June']

class Kind(str, Enum):
    BOAT = 'boat'
    TENT = 'tent'

class Signature:
    """
    Rent a boat
    or a tent.
    """
    class Input(BaseModel):
        kind: Kind = Field(description='what is rented')
        days: int = Field(default=1, description='for how long')
        month: Literal['May', 'June']
        guest: Annotated[str, Field(default='NOT_FOUND', description='who rents', pattern=r'(?P<g>G\\d+)\\Z', examples=['G1'],
            json_schema_extra={'available_from': ['find_guest'], 'db_lookup': True})]
        note: Optional[str] = None
        code: str = Field(description='of the tent', pattern='(T+)+x')
        extras: list[str] = Field(default_factory=list, description='what else', min_length=2)
        when: datetime = Field(description='the first day')

        def validate_guest(cls, value):
            return value

    plain_utterances = ['a boat for ' + month for month in MONTHS]
    template_utterances = ['rent a {kind}']

    @staticmethod
    def validate_extracted_parameters(workflow, command, parameters):
        os.abort()
`;

describe('a command file', () => {
  it('gives its texts, fields, types, patterns, examples and sources', async () => {
    const { commands, notes } = await imported({ 'rent.py': RENT });
    expect(commands).toEqual([
      {
        name: 'rent',
        description: 'Rent a boat or a tent.',
        utterances: ['rent a {kind}'],
        context: '*',
        label: '',
        fields: [
          { name: 'kind', description: 'what is rented', type: 'text', required: true, allowed: ['boat', 'tent'] },
          { name: 'days', description: 'for how long', type: 'integer', required: false, default: '1' },
          { name: 'month', description: '', type: 'text', required: true, allowed: ['May', 'June'] },
          {
            name: 'guest',
            description: 'who rents',
            type: 'text',
            required: true,
            pattern: '(?<g>G\\d+)$',
            examples: ['G1'],
            availableFrom: ['find_guest'],
          },
          { name: 'note', description: '', type: 'text', required: false },
          { name: 'code', description: 'of the tent', type: 'text', required: true },
          { name: 'extras', description: 'what else', type: 'list', required: true },
          { name: 'when', description: 'the first day', type: 'text', required: true },
        ],
      },
    ]);
    for (const part of [
      'Input.guest: db_lookup of json_schema_extra is not read',
      'Input.code: its pattern can take very long on a long text, so it is left out',
      'Input.extras: min_length is not checked',
      'Input.when: its type datetime is read as text',
      'Input has Python code (validate_guest), which is not run',
      'validate_extracted_parameters is Python code, which is not run',
      'plain_utterances is not a list of texts that can be read',
    ]) {
      expect(notes).toContain(`_commands/rent.py: ${part}.`);
    }
  });

  it('is left out with a reason where it is none, and the others are read', async () => {
    const { commands, notes } = await imported({
      'rent.py': RENT,
      'helper.py': 'x = 1\n',
      'broken.py': 'class Signature(:\n',
      'no-name.py': RENT,
      '__init__.py': '',
      'Boat/rent.py': RENT,
      'Boat/repair.py': 'class Signature:\n    """Repair it."""\n',
      'Boat/_Boat.py': 'class Context: pass\n',
    });
    expect(commands.map(({ name, context }) => `${context}/${name}`).sort()).toEqual(['Boat/rent', 'Boat/repair']);
    const about = (file: string) => notes.filter((note) => note.startsWith(`_commands/${file}`)).join(' ');
    expect(about('helper.py')).toContain('no class Signature');
    expect(about('broken.py')).toContain('it is left out');
    expect(about('no-name.py')).toContain('cannot be a command');
    expect(about('__init__.py')).toBe('');
    expect(about('Boat/repair.py')).toContain('its context Boat is flattened');
    expect(about('Boat/_Boat.py')).toContain('a context, not a command');
  });
});

describe('a workflow', () => {
  it('of the benchmark’s commands comes back as they are', async () => {
    const folder = scratchFolder();
    const retail = catalogueOf('retail');
    await writeWorkflow(folder, retail.commands);
    const { catalogue, weights, read, notes } = await importWorkflow(folder);
    const shown = ({ commands }: Pick<CatalogueFile, 'commands'>) =>
      commands.map(({ name, description, utterances, isRead, fields }) => ({
        name,
        description,
        utterances,
        isRead,
        fields: fields.map(({ normalise: _, form: __, ...field }) => field),
      }));
    expect(shown(catalogue)).toEqual(shown(retail));
    expect([read.length, notes, catalogue.withoutCommand]).toEqual([15, [], ['think']]);
    expect(weights.commands).toEqual(retail.commands.map(({ name }) => name));
    expect(plan(readCatalogue(catalogue), 'get_order_details <order_id>#W1</order_id>')).toMatchObject({
      kind: 'plan',
      commandName: 'get_order_details',
    });
  });

  it('becomes an agent file, once, and is refused where there is none', async () => {
    const cwd = scratchFolder();
    await writeCommands(join(cwd, 'boat_workflow'), { 'rent.py': RENT });
    const words = ['data', 'import-fastworkflow', 'boat_workflow'];
    const { code, stdout, stderr } = await tauflow(words, { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^1 commands? from 1 files?: rent\nnote: .*\nagent boat-workflow in boat-workflow\/agent\.ts/s,
    );
    const written = readFileSync(join(cwd, 'boat-workflow/agent.ts'), 'utf8');
    expect(written).toContain("name: 'boat-workflow'");
    expect(Array.from(written.matchAll(/^import .* from '(.*)';$/gm), ([, from]) => from)).toEqual([
      'tauflow/agents/fastworkflow',
      './catalogue.json',
      './classifier.json',
    ]);
    expectSentence(await tauflow(words, { cwd }), 2, /error: boat-workflow has an imported workflow; replace it/);
    expect((await tauflow([...words, '--replace', '--json'], { cwd })).stdout).toContain('"commands": [\n');
    mkdirSync(join(cwd, 'empty/_commands'), { recursive: true });
    expectSentence(
      await tauflow(['data', 'import-fastworkflow', 'empty'], { cwd }),
      2,
      /error: .*no command could be read/,
    );
    expectSentence(await tauflow(['data', 'import-fastworkflow', '.'], { cwd }), 2, /error: .*no folder _commands/);
    expectSentence(await tauflow([...words, '--name', 'A B'], { cwd }), 2, /error: "A B" cannot be the agent's name/);
    writeFileSync(join(cwd, 'empty/_commands/x.py'), Buffer.from([0xff, 0xfe]));
    expectSentence(
      await tauflow(['data', 'import-fastworkflow', 'empty'], { cwd }),
      2,
      /error: .*no command could be read/,
    );
  });
});

describe('a catalogue’s file', () => {
  const command = { name: 'rent', description: 'Rent a boat.', utterances: [], fields: [] };
  const field = { name: 'days', description: '', type: 'integer' };

  it.each([
    [null, 'the catalogue must be an object'],
    [{ commands: {} }, 'commands must be a list'],
    [{ commands: [{ ...command, name: 'a b' }] }, 'commands[0].name must be letters, digits and _, at most 100'],
    [{ commands: [command, { ...command, name: 'RENT' }] }, 'commands has the command rent twice'],
    [{ commands: [{ ...command, colour: 1 }] }, 'commands[0] has colour, which is none of '],
    [{ commands: [{ ...command, fields: [{ ...field, type: 'date' }] }] }, 'commands[0].fields[0].type must be one of'],
    [{ commands: [{ ...command, fields: [{ ...field, pattern: '(' }] }] }, 'must be a regular expression'],
    [{ commands: [{ ...command, fields: [{ ...field, required: 'yes' }] }] }, 'required must be true or false'],
    [{ commands: [{ ...command, utterances: [1] }] }, 'commands[0].utterances[0] must be a text'],
  ])('that is %j is refused by its place', (file, message) => {
    expect(() => readCatalogue(file)).toThrow(message);
  });
});
