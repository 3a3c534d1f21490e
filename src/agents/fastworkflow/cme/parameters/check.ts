/** Checks what is known of a command's parameters against its fields. */

import type { PyDict, PyValue } from '../../../../benchmark/python/index.ts';
import type { CommandDefinition, FieldDefinition } from '../../catalogue/types.ts';
import type { RawParameters } from '../types.ts';
import { coerceField } from './coerce.ts';
import { brokenRulesText, fieldProblemsText, type InvalidField } from './error-text.ts';

export type Checked =
  /** All parameters that the tool is given, in the command's order. */
  | { readonly kind: 'valid'; readonly parameters: PyDict }
  | {
      readonly kind: 'invalid';
      /** Names of fields that must be given and are not. */
      readonly missing: readonly string[];
      /** Names of fields with values that they cannot take; none when fields are valid but do not go together. */
      readonly invalid: readonly string[];
      /** What the agent reads: every problem once, and what to do. */
      readonly message: string;
    };

/**
 * A field that is not given takes its default; without one it is missing when it is required, else it is left out.
 * The command's own rules are asked when every field is valid.
 */
export function checkParameters(command: CommandDefinition, raw: RawParameters): Checked {
  const found = new Map<string, PyValue>();
  const missing: FieldDefinition[] = [];
  const invalid: InvalidField[] = [];
  for (const field of command.fields) {
    let coerced = coerceField(field, raw.get(field.name));
    if (coerced.kind === 'missing' && field.default !== undefined) coerced = coerceField(field, field.default);
    if (coerced.kind === 'value') found.set(field.name, coerced.value);
    else if (coerced.kind === 'invalid') invalid.push({ field, values: coerced.values });
    else if (field.required) missing.push(field);
  }
  if (missing.length > 0 || invalid.length > 0) {
    return {
      kind: 'invalid',
      missing: missing.map(({ name }) => name),
      invalid: invalid.map(({ field }) => field.name),
      message: fieldProblemsText(command, found, missing, invalid),
    };
  }
  const broken = command.validate?.(found) ?? [];
  if (broken.length === 0) return { kind: 'valid', parameters: found };
  return { kind: 'invalid', missing: [], invalid: [], message: brokenRulesText(command, found, broken) };
}
