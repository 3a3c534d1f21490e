/**
 * tau-bench retail: the rules of its commands that JSON cannot have, and the changes that FastWorkflow's defects make to
 * the commands when a run brings them back (`--compat`).
 */

import reference from '#data/retail/fastworkflow-texts.json' with { type: 'json' };
import { isList, type PyDict } from '../../../benchmarks/python/index.ts';
import { TRANSFER_VARIANTS, withName, type CommandDefinition, type FieldDefinition } from './definitions.ts';
import type { DomainRules } from './read.ts';

export const RETAIL: DomainRules = {
  normalise: { order_id: (value) => (value.startsWith('#') ? value : `#${value}`) },
  validate: { modify_pending_order_items: equallyMany, exchange_delivered_order_items: equallyMany },
  variants: {
    'fastworkflow-legacy-catalogue': withReferenceTexts,
    'fastworkflow-example-refusal': withReferenceExamples,
    ...TRANSFER_VARIANTS,
  },
};

/** Each item needs its replacement; an item may be its own: three test tasks of tau-bench retail ask for it. */
function equallyMany(parameters: PyDict): readonly string[] {
  const [old, fresh] = [countItems(parameters, 'item_ids'), countItems(parameters, 'new_item_ids')];
  if (old === fresh) return [];
  return [
    `item_ids has ${String(old)} and new_item_ids ${String(fresh)} entries; each item needs exactly one replacement.`,
  ];
}

function countItems(parameters: PyDict, name: string): number {
  const list = parameters.get(name);
  return isList(list) ? list.length : 0;
}

/**
 * The example values of FastWorkflow 2.24.1's retail workflow. Some are values that tasks ask for (`USA`, `CA`, a
 * product's id), which matters where an example is mistaken for a copied value.
 */
function withReferenceExamples(command: CommandDefinition): CommandDefinition {
  return withFields(command, (field) => {
    const examples = findReference<readonly string[]>(reference.examples, command, field);
    return examples === undefined ? field : { ...field, examples };
  });
}

/**
 * All that FastWorkflow 2.24.1's command list shows of a command, in other words, no more and no less; but for the rule
 * when to transfer, which has variants.
 */
function withReferenceTexts(command: CommandDefinition): CommandDefinition {
  const answers: Readonly<Record<string, string>> = reference.outputs;
  const { outputs = [] } = command;
  const [output, ...more] = outputs.map((one) => ({ ...one, description: answers[command.name] ?? '' }));
  return {
    ...withFields(withReferenceExamples(command), (field) => {
      const description = findReference<string>(reference.descriptions, command, field) ?? field.description;
      return { ...field, description };
    }),
    description:
      command.name === 'find_user_id_by_name_zip'
        ? 'Look a user id up by name and zip.'
        : withName(command).description,
    ...(output === undefined ? {} : { outputs: [output, ...more] }),
  };
}

/** @param table by field; `command.field` takes precedence */
function findReference<T>(
  table: Readonly<Record<string, T>>,
  command: CommandDefinition,
  { name }: FieldDefinition,
): T | undefined {
  return table[`${command.name}.${name}`] ?? table[name];
}

function withFields(command: CommandDefinition, change: (field: FieldDefinition) => FieldDefinition) {
  return { ...command, fields: command.fields.map(change) };
}
