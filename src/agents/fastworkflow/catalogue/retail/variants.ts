/** What defects that are brought back do to the commands of retail. */

import type { DomainDefinition } from '../domain.ts';
import type { CommandDefinition, FieldDefinition } from '../types.ts';
import { REFERENCE_EXAMPLES } from './reference-examples.ts';
import { equallyMany, noneForItself } from './rules.ts';

export const VARIANTS: DomainDefinition['variants'] = {
  'fastworkflow-self-exchange': withoutSelfExchange,
  'fastworkflow-any-reason': withAnyReason,
  'fastworkflow-legacy-catalogue': withReferenceExamples,
  'fastworkflow-example-refusal': withReferenceExamples,
};

function withoutSelfExchange(command: CommandDefinition): CommandDefinition {
  if (command.validate !== equallyMany) return command;
  return { ...command, validate: (parameters) => [...equallyMany(parameters), ...noneForItself(parameters)] };
}

/** Missing reasons are filled in and wrong ones left to the tool; the allowed ones are only examples. */
function withAnyReason(command: CommandDefinition): CommandDefinition {
  return withFields(command, (field) => {
    if (field.name !== 'reason') return field;
    const { allowed = [], ...rest } = field;
    return { ...rest, required: false, default: 'ordered by mistake', examples: allowed };
  });
}

function withReferenceExamples(command: CommandDefinition): CommandDefinition {
  return withFields(command, (field) => {
    const examples = REFERENCE_EXAMPLES[`${command.name}.${field.name}`] ?? REFERENCE_EXAMPLES[field.name];
    return examples === undefined ? field : { ...field, examples };
  });
}

function withFields(command: CommandDefinition, change: (field: FieldDefinition) => FieldDefinition) {
  return { ...command, fields: command.fields.map(change) };
}
